package run

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/page"
	"lbmib/lbm"
	"lbmib/run/check"
	"lbmib/run/layout"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

const (
	pageEvery    = 500 * time.Millisecond // least time between pictures, and between words of progress
	pageShare    = 0.006                  // of the run's time that pictures and shapes may take
	pagePoints   = 1024                   // along the longer side of a picture
	pageOutlines = 200                    // bodies whose outlines are sent with a picture
)

// livePage shows a run in progress to browsers: how far it is, and what readers wait for. As the view in a terminal it only
// reads, between steps: a run with it leaves the same bits as one without.
type livePage[T lbm.Float] struct {
	observe.Stateless
	state    *observe.State[T]
	out      *observe.Outputs[T]
	page     *page.Server
	progress *progress
	pace     pace
	look     func() // of a test; nil: nothing
	pictures costs
	places   costs
	told     time.Time // when the progress was
	first    int64     // step at the beginning
	outlines func() (closed, lines [][][2]float64)
	moving   []int // rigid bodies that move
}

// newLivePage sets a page up for a run; nil if none is wanted.
func newLivePage[T lbm.Float](r *run[T]) *livePage[T] {
	if r.opts.Page == nil {
		return nil
	}
	v := &livePage[T]{state: &r.State, out: r.out, page: r.opts.Page, progress: r.progress, pace: pace{least: pageEvery, share: pageShare}, first: r.Step, look: r.opts.look}
	if r.opts.viewEvery > 0 {
		v.pace = pace{least: r.opts.viewEvery, share: 1}
	}
	v.outlines = func() (closed, lines [][][2]float64) {
		closed, lines = layout.Outlines(r.Problem, 0, r.Place)
		return closed[:min(len(closed), pageOutlines)], lines[:min(len(lines), pageOutlines)]
	}
	if r.Flow.Lattice.Dim == 3 { // the page cuts the surfaces itself
		v.outlines = func() (closed, lines [][][2]float64) { return nil, nil }
	}
	for i, b := range r.Bodies {
		if b.Structure == nil && b.Moving() {
			v.moving = append(v.moving, i)
		}
	}
	v.page.Begin(v.head(r.header()))
	v.tell(time.Now())
	return v
}

// rows hands rows of time series to the page; nil: there is none.
func (r *run[T]) rows() func(table string, columns []string, row []any) {
	if r.opts.Page == nil {
		return nil
	}
	r.opts.Page.Prepare()
	return r.opts.Page.Row
}

// Due is at times, and where readers wait for something.
func (v *livePage[T]) Due(int64) bool {
	if v.look != nil {
		v.look()
	}
	now := time.Now()
	return now.Sub(v.told) >= pageEvery || v.page.Wanted() && v.pace.due(now)
}

// Observe tells the progress, and grants wishes if it is time to.
func (v *livePage[T]) Observe() error {
	now := time.Now()
	if now.Sub(v.told) >= pageEvery {
		v.tell(now)
	}
	if v.page.Wanted() && v.pace.due(now) {
		cost := v.grant()
		now = time.Now()
		v.pace.drew(now.Add(-cost), now)
		if v.pictures.of < knownBy && cost < firstMost { // so that the cost is known soon
			v.pace.next = now.Add(v.pace.least)
		}
	}
	return nil
}

// Costs of what is granted: the least of the last few, since one that the system has held up tells of others' work.
const (
	knownBy   = 3
	firstMost = 50 * time.Millisecond // of a picture that may come so soon
)

// costs are what the last few grants of a kind have taken.
type costs struct {
	last [knownBy]time.Duration
	of   int // grants so far
}

// add takes one in, and tells what such take.
func (c *costs) add(took time.Duration) time.Duration {
	c.last[c.of%knownBy] = took
	c.of++
	return slices.Min(c.last[:min(c.of, knownBy)])
}

// last shows the state at the end of a run, if a step has led to it.
func (v *livePage[T]) last(lost bool) {
	if v == nil {
		return
	}
	v.tell(time.Now())
	if !lost && v.state.Step > v.first {
		v.grant()
	}
}

// tell tells how far the run is.
func (v *livePage[T]) tell(now time.Time) {
	v.told = now
	step, last := v.state.Step, v.state.Problem.Steps
	rate := float64(step-v.progress.first) / now.Sub(v.progress.begun).Seconds() // steps per second
	p := page.Progress{
		Step: step, Time: v.state.Time(), Rate: rate, MFLUPS: rate * v.progress.nodes / 1e6, Left: time.Duration(float64(last-step) / rate * float64(time.Second)),
		Mach: math.NaN(), Deviation: math.NaN(), Steadiness: v.out.Steady.Rate(),
		Low: v.state.Corner(),
	}
	if !(rate > 0) {
		p.Rate, p.MFLUPS, p.Left = math.NaN(), math.NaN(), -1
	}
	if e := v.out.Health.Extremes; e.Speed > 0 || e.Deviation > 0 {
		p.Mach, p.Deviation = e.Speed*math.Sqrt(3), e.Deviation
	}
	v.page.Progress(p)
}

// grant makes what readers wait for, and tells what that takes.
func (v *livePage[T]) grant() (cost time.Duration) {
	begin := time.Now()
	if v.page.WantsScene() { // once a run
		v.page.Show(v.scene())
		cost += time.Since(begin)
	}
	for _, of := range v.page.Wishes() {
		begin = time.Now()
		if of.Quantity == "" {
			v.page.Grant(of, nil, v.bodies())
			cost += v.places.add(time.Since(begin))
			continue
		}
		v.page.Grant(of, v.slice(of), nil)
		cost += v.pictures.add(time.Since(begin))
	}
	return cost
}

// slice is a picture; nil: there is none of this.
func (v *livePage[T]) slice(of page.Wish) *page.Slice {
	r := v.state
	p, ok := r.ReadPlane(of.Quantity, of.Axis, of.At, pagePoints)
	if !ok || r.Lost() != nil {
		return nil
	}
	s := &page.Slice{Step: r.Step, Time: r.Time(), At: p.At, Axes: p.Axes, Size: p.Size, Every: p.Every, Values: p.Values}
	for i, a := range p.Axes { // a point stands for so many nodes, of which it is the first
		s.Low[i] = r.Corner()[a]
		s.High[i] = s.Low[i] + float64(p.Size[i]*p.Every)*r.Units.Dx
	}
	s.Outlines, s.Lines = v.outlines()
	return s
}

// head is what the run is.
func (v *livePage[T]) head(text string) page.Head {
	r := v.state
	c := r.Case
	dim := r.Flow.Lattice.Dim
	h := page.Head{
		Case: c.Name, Title: c.Title, Text: strings.Join(strings.Fields(text), " "), Dim: dim, Nodes: r.Flow.Size, Steps: r.Problem.Steps, Time: r.Units.TimeAt(r.Problem.Steps),
		Low: r.Corner(), Bodies: len(r.Bodies), Elastic: len(r.Coupling.Cells), Walls: r.Flow.HasWalls(), Directory: r.Dir.Path,
		Quantities: quantitiesOf(dim), Grids: gridsOf(r.Problem),
	}
	h.SI = map[string]map[string]page.SI{}
	for table, columns := range v.out.InSI() {
		h.SI[table] = map[string]page.SI{}
		for name, of := range columns {
			h.SI[table][name] = page.SI(of)
		}
	}
	for a := range dim {
		h.High[a] = h.Low[a] + float64(r.Flow.Size[a])*r.Units.Dx
		h.At[a] = (h.Low[a] + h.High[a]) / 2
		if len(r.Bodies)+len(r.Coupling.Cells) > 0 {
			h.At[a] = v.middle(a)
		}
	}
	if c.Run.StopSteady > 0 {
		h.Steady = r.SteadyBound()
	}
	for _, b := range r.Bodies {
		if b.Structure != nil {
			h.Bodies, h.Elastic = h.Bodies-1, h.Elastic+1
		}
	}
	h.Facts = []page.Fact{
		{Name: "Re", Value: fmt.Sprintf("%.4g", c.Reference.Reynolds)}, {Name: "Ma", Value: fmt.Sprintf("%.2g of U", r.Units.Mach)}, {Name: "τ", Value: fmt.Sprintf("%.4g", r.Units.Tau)},
		{Name: "Δx", Value: fmt.Sprintf("%.4g L", r.Units.Dx) + equals(siText(r.Units, casefile.Length, 1, finite.Number(r.Units.Dx)))},
		{Name: "Δt", Value: fmt.Sprintf("%.4g L/U", r.Units.Dt) + equals(siText(r.Units, casefile.Time, 1, finite.Number(r.Units.Dt)))},
	}
	for _, m := range check.RemarksOn(r.Problem, nil) {
		h.Verdicts = append(h.Verdicts, page.Verdict{Verdict: string(m.Verdict), Text: m.Text})
	}
	return h
}

// middle is where the first body is along an axis, within the domain, L.
func (v *livePage[T]) middle(a int) float64 {
	r := v.state
	var x [3]float64
	if len(r.Bodies) > 0 {
		x = r.Place(r.Bodies[0].State().Position)
	} else {
		x = r.Place(r.Coupling.Cells[0].Measure().Center)
	}
	low := r.Corner()[a]
	return math.Min(math.Max(x[a], low), low+float64(r.Flow.Size[a])*r.Units.Dx)
}

// quantitiesOf are what can be looked at.
func quantitiesOf(dim int) []page.Quantity {
	all := []page.Quantity{{Name: "vorticity", Label: "vorticity ω", Unit: "U/L", Signed: true}, {Name: "speed", Label: "speed |u|", Unit: "U"},
		{Name: "u", Label: "velocity u (along x)", Unit: "U", Signed: true}, {Name: "v", Label: "velocity v (along y)", Unit: "U", Signed: true}}
	if dim == 3 {
		all[0].Label = "vorticity across the plane"
		all[0], all[1] = all[1], all[0] // in vessels and channels it is the speed that one looks at
		all = append(all, page.Quantity{Name: "w", Label: "velocity w (along z)", Unit: "U", Signed: true})
	}
	return append(all, page.Quantity{Name: "pressure", Label: "pressure p", Unit: "ρU²", Signed: true}, page.Quantity{Name: "density", Label: "density ρ", Unit: "ρ₀"},
		page.Quantity{Name: "q_criterion", Label: "Q criterion", Unit: "U²/L²", Signed: true})
}

// gridsOf are the boxes of finer nodes.
func gridsOf(p *setup.Problem) (all []page.Grid) {
	if p.Grids == nil {
		return nil
	}
	corner := func(n [3]int) (x [3]float64) {
		for a := range x {
			x[a] = p.Case.Domain.Origin[a] + float64(n[a])*p.Units.Dx
		}
		return x
	}
	for level := 1; level < len(p.Grids.Levels); level++ {
		for _, b := range p.Boxes {
			if b.Level == level {
				all = append(all, page.Grid{Level: level, Low: corner(b.Lo), High: corner(b.Hi), Width: float64(p.Grids.Levels[level].Width) * p.Units.Dx})
			}
		}
	}
	return all
}
