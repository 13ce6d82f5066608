package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"lbmib/io/page"
	"lbmib/run"
	"lbmib/run/exit"
)

// openPage serves the page of --page, whose buttons do what the signals do, and prints its address; nil: none is wanted.
func (s *surroundings) openPage(wanted bool) (*page.Server, error) {
	if !wanted {
		return nil, nil
	}
	raise := func(signal os.Signal) func() {
		return func() {
			select {
			case s.attention.signals <- signal:
			default: // there are signals enough
			}
		}
	}
	p, err := page.Listen(page.Buttons{Checkpoint: raise(syscall.SIGUSR1), Stop: raise(os.Interrupt)})
	if err != nil {
		return nil, &exit.Error{Code: exit.InputOutput, Err: err}
	}
	fmt.Fprintf(s.stderr, "page: %s\n  (for this machine; whoever has the address may look and press its buttons)\n", p.URL())
	return p, nil
}

// endPage tells the page how a run ended.
func endPage(p *page.Server, summary *run.Summary, err error) {
	if p == nil {
		return
	}
	e := page.Ending{Status: "failed"}
	if err != nil {
		e.Text = err.Error()
	}
	if summary != nil {
		e.Status = summary.Status
		report := filepath.Join(summary.Directory, "report.html")
		if _, err := os.Stat(report); err == nil {
			e.Report = report
		}
	}
	p.End(e)
}

// stayOnPage has the program stay while the page of what has ended, in some way, is open.
func (s *surroundings) stayOnPage(p *page.Server, ended error) {
	if p == nil {
		return
	}
	if p.Readers() > 0 && s.ctx.Err() == nil {
		if ended != nil {
			fmt.Fprintln(s.stderr, "it has ended with an error, which the page shows, too")
		}
		fmt.Fprintf(s.stderr, "the page is open: the program stays until it is closed, %d minutes at most; Ctrl-C ends it now\n", page.LongestStay/time.Minute)
	}
	p.Stay(s.ctx)
}
