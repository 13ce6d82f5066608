package sweep

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/page"
)

// mostResults is how many results of a run the page has beside it.
const mostResults = 6

// onPage is what the page shows of the runs; nil: there is no page.
type onPage struct {
	page *page.Server
	plan *Plan
	runs []page.SweepRun
}

func (p *Plan) newOnPage(to *page.Server) *onPage {
	if to == nil {
		return nil
	}
	s := &onPage{page: to, plan: p}
	for i := range p.Runs {
		s.runs = append(s.runs, page.SweepRun{Name: p.Runs[i].describe(p.Axes), State: "waiting"})
	}
	s.tell()
	return s
}

func (s *onPage) tell() { s.page.Sweep(s.plan.Case, append([]page.SweepRun(nil), s.runs...)) }

// begin says that a run begins.
func (s *onPage) begin(i int) {
	if s != nil {
		s.runs[i].State = "running"
		s.tell()
	}
}

// ended says what came of a run.
func (s *onPage) ended(i int, r *Run, err error) {
	if s == nil {
		return
	}
	of := &s.runs[i]
	if of.State = r.Status; of.State == "" {
		of.State = "failed"
	}
	if of.Note = r.Error; err != nil {
		of.Note = err.Error()
	}
	of.Note, _, _ = strings.Cut(of.Note, "\n")
	of.Results = nil
	for _, q := range r.quantities {
		if v := float64(q.Value); !q.minor && finite.Is(v) && len(of.Results) < mostResults {
			of.Results = append(of.Results, page.Fact{Name: q.column(), Value: strconv.FormatFloat(v, 'g', 5, 64)})
		}
	}
	e := page.Ending{Status: of.State, Text: r.Error}
	report := filepath.Join(s.plan.Runs[i].Dir, "report.html")
	if _, err := os.Stat(report); err == nil && r.Status != "" {
		e.Report, of.Report = report, report
	}
	s.tell()
	s.page.End(e)
}

// end says that no more runs come.
func (s *onPage) end(err error) {
	if s == nil {
		return
	}
	text := "all runs have ended: the table is in " + s.plan.Dir
	if err != nil {
		text = err.Error()
	}
	s.page.Note(text)
}
