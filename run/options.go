package run

import (
	"io"
	"time"

	"lbmib/internal/mpi"
	"lbmib/io/casefile"
	"lbmib/io/page"
	"lbmib/io/view"
	"lbmib/run/setup"
)

// Options are what the command line adds to a case.
type Options struct {
	Out       string                 // directory; empty: the case's
	Threads   int                    // 0: the case's
	Kernel    setup.Kernel           // row kernels
	Resume    bool                   // continue from the last good checkpoint
	Overwrite bool                   // replace an earlier run in the directory
	Quiet     bool                   // no progress
	Progress  io.Writer              // progress and messages
	Terminal  bool                   // Progress is a terminal: one line that changes
	Width     int                    // of the terminal, in characters
	Version   string                 // for the manifest
	Continue  string                 // the command that resumes this run, for messages
	Report    func(dir string) error // makes the report of a run that has ended; nil: none is made
	Requests  *Requests              // that are served while the run steps; nil: there are none
	Refine    bool                   // take the nested grids that check proposes
	Ranks     *Ranks                 // that make the run together; nil: this process makes it
	View      *view.Screen           // shows the run live, above the progress; nil: no view
	Page      *page.Server           // shows it to browsers; nil: no page

	viewEvery time.Duration // of a test, least time between pictures, whatever share of the time they take; 0: the constants
	look      func()        // of a test, called before the page looks whether readers wait
	grids     string        // what was taken for Refine, now or when the run was begun, as for --set; empty: nothing
}

// apply lets the command line override the case.
func (o *Options) apply(c *casefile.Case) {
	if o.Out != "" {
		c.Output.Directory = o.Out
	}
	if o.Ranks != nil && o.Threads == 0 && c.Run.Threads == 0 {
		o.Threads = mpi.Cores(o.Ranks.Comm)
	}
	setup.SetThreads(c, o.Threads)
	if o.Progress == nil {
		o.Progress = io.Discard
	}
}
