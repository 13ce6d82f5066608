package page

import (
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"lbmib/internal/finite"
)

// Head is what a run is; lengths are in L, times in L/U.
type Head struct {
	Case, Title string
	Text        string                   // how it is computed, in a line or two
	Facts       []Fact                   // scales
	Dim         int                      // 2 or 3
	Nodes       [3]int                   // of the finest grid
	Low, High   [3]float64               // faces of the domain
	Quantities  []Quantity               // that can be looked at
	At          [3]float64               // where planes are that a reader has not moved
	Grids       []Grid                   // nested ones, coarser ones first; none: there is one grid
	Verdicts    []Verdict                // of the check of the case; none: all is well
	Bodies      int                      // rigid ones
	Elastic     int                      // bodies that bend
	Walls       bool                     // a vessel, or solids
	Steps       int64                    // to the end
	Time        float64                  // at the end
	Steady      float64                  // bound on |∂u/∂t| that ends the run, U²/L; 0: none
	Directory   string                   // of results
	SI          map[string]map[string]SI // what makes columns of tables SI, by table and column; none without scales
}

// SI is the factor that makes numbers SI, and their unit then.
type SI struct {
	Factor float64
	Unit   string
}

// Fact is a number or a word and what it is.
type Fact struct{ Name, Value string }

// Verdict is what the check of the case says of something that is not ok.
type Verdict struct{ Verdict, Text string }

// Quantity is one that can be looked at. Signed ones are drawn in colours that part at 0.
type Quantity struct {
	Name, Label, Unit string
	Signed            bool
}

// Grid is a box of finer nodes.
type Grid struct {
	Level     int
	Low, High [3]float64
	Width     float64 // of its nodes
}

// Progress is how far a run is. NaN is what is not known.
type Progress struct {
	Step       int64
	Time       float64
	Rate       float64       // steps a second
	MFLUPS     float64       // since the run began, with outputs
	Left       time.Duration // to the end, at this rate
	Mach       float64       // largest of any node so far
	Deviation  float64       // largest |ρ/ρ₀ − 1| so far
	Steadiness float64       // |∂u/∂t| at the last test, U²/L
	Low        [3]float64    // lower corner of the domain where it is now, which may follow a body, L
}

// Ending is how a run ended.
type Ending struct {
	Status string // done | steady | stopped | diverged | interrupted | failed
	Text   string // what to tell of it, in words; an error with its remedy
	Report string // path of report.html; empty: there is none
}

// SweepRun is a run of a sweep.
type SweepRun struct {
	Name    string // its values, for people
	State   string // waiting | running | done | steady | stopped | diverged | interrupted | failed
	Results []Fact
	Note    string
	Report  string // path of its report.html; empty: there is none
}

// state is what readers are told, as documents that replace each other: of each only the latest is sent.
type state struct {
	mutex     sync.Mutex
	changed   chan struct{}     // closed, and another made, when something changes
	documents map[string]*event // by name
	ended     bool
	reportAt  string
	reports   []string // of the runs of a sweep
	notes     []string
}

// event is a document and how often it was replaced.
type event struct {
	version int
	text    []byte
}

// The documents, in the order in which readers are told.
var eventNames = []string{"sweep", "head", "progress", "note", "end", "leave"}

func (s *state) init() {
	s.changed = make(chan struct{})
	s.documents = map[string]*event{}
}

// set replaces a document; nil removes it.
func (s *state) set(name string, v any) {
	var text []byte
	if v != nil {
		var err error
		if text, err = json.Marshal(v); err != nil {
			panic(err) // a type that is none of a document
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	d := s.documents[name]
	if d == nil {
		d = new(event)
		s.documents[name] = d
	}
	d.version, d.text = d.version+1, text
	close(s.changed)
	s.changed = make(chan struct{})
}

// news are the documents that are newer than what a reader has seen, by name, and what is closed when there are more.
func (s *state) news(seen map[string]int) (names []string, texts [][]byte, more <-chan struct{}) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, name := range eventNames {
		if d := s.documents[name]; d != nil && d.version != seen[name] {
			seen[name] = d.version
			if d.text != nil {
				names, texts = append(names, name), append(texts, d.text)
			}
		}
	}
	return names, texts, s.changed
}

func (s *state) hasEnded() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.ended
}

// Prepare says that a run is set up: rows and notes of one before go, and those that come are its own.
func (s *Server) Prepare() {
	s.series.clear()
	s.mutex.Lock()
	s.notes = nil
	s.mutex.Unlock()
	s.set("note", map[string][]string{"Texts": {}})
}

// Begin says that the run begins. What was shown of one before goes.
func (s *Server) Begin(h Head) {
	s.mutex.Lock()
	s.ended, s.reportAt = false, ""
	s.mutex.Unlock()
	s.wishes.open()
	s.set("end", nil)
	s.set("progress", nil)
	s.set("head", h)
}

// Progress says how far the run is.
func (s *Server) Progress(p Progress) {
	s.set("progress", map[string]any{
		"Step": p.Step, "Time": p.Time, "Rate": number(p.Rate), "MFLUPS": number(p.MFLUPS), "Left": number(p.Left.Seconds()),
		"Mach": number(p.Mach), "Deviation": number(p.Deviation), "Steadiness": number(p.Steadiness), "Low": p.Low, "Tables": s.series.tables(),
	})
}

// number is one that JSON can tell: what is none is null.
func number(v float64) finite.Number { return finite.Number(v) }

// mostNotes is how many of the last ones a page has.
const mostNotes = 12

// Note tells something of the run in words.
func (s *Server) Note(text string) {
	s.mutex.Lock()
	s.notes = append(s.notes, text)
	s.notes = slices.Clone(s.notes[max(0, len(s.notes)-mostNotes):])
	notes := s.notes
	s.mutex.Unlock()
	s.set("note", map[string][]string{"Texts": notes})
}

// End says how the run ended. Who waits for a picture gets none any more.
func (s *Server) End(e Ending) {
	s.mutex.Lock()
	s.ended, s.reportAt = true, e.Report
	s.mutex.Unlock()
	s.wishes.end()
	s.set("end", map[string]any{"Status": e.Status, "Text": e.Text, "Report": e.Report, "Tables": s.series.tables()})
}

// Sweep says how the runs of a sweep are.
func (s *Server) Sweep(title string, runs []SweepRun) {
	reports := make([]string, len(runs))
	for i := range runs {
		reports[i] = runs[i].Report
	}
	s.mutex.Lock()
	s.reports = reports
	s.mutex.Unlock()
	s.set("sweep", map[string]any{"Title": title, "Runs": runs})
}

// leave says for how long the program stays, or that it goes.
func (s *Server) leave(patience time.Duration, now bool) {
	s.set("leave", map[string]any{"Minutes": math.Round(patience.Minutes()), "Now": now})
}
