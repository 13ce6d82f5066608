package check

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/internal/finite"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm/joined"
	"lbmib/run/capacity"
	"lbmib/run/setup"
)

// Refinement is a proposal of nested grids for a case that has one.
type Refinement struct {
	Tables  string        `json:"toml"`           // [[refine]], to be pasted into the case as they are
	Set     string        `json:"set"`            // the same for --set
	Taken   bool          `json:"taken"`          // it is what was checked: --refine auto
	Levels  []LevelReport `json:"levels"`         // the coarsest first
	Nodes   int64         `json:"nodes"`          // that make up the domain
	Updates finite.Number `json:"updates"`        // of nodes in a step of the finest grid
	Gain    finite.Number `json:"gain"`           // updates of one grid of the finest nodes over these
	Memory  int64         `json:"memory_bytes"`   // that the run would take, of the host; 0: not known
	Seconds finite.Number `json:"seconds"`        // estimated, outputs aside
	More    string        `json:"more,omitempty"` // what would bring another level
	ghosts  float64       // beside seams, per step
	grids   *setup.Problem
}

// Where proposed boxes end, in lengths of the body, and how many levels there are (docs/method.md, 1, has the measurements).
const (
	frontMargin = 1.5 // upstream of a body
	wakeMargin  = 8.0 // downstream of it
	sideMargin  = 2.0 // beside it, in a stream
	stillMargin = 1.5 // around it, where there is none

	coarsestNodes = 4    // of the coarsest grid along the shortest body, at least
	wallLevels    = 1    // at most, where coarser nodes lie at walls that the fluid sticks to
	mostProposed  = 4    // levels
	leastGain     = 1.3  // by which work is to become less
	levelGain     = 1.1  // by which another level pays
	mostBoxes     = 16   // else one for all
	mostPaired    = 300  // bodies that are looked at pair by pair
	mostBodies    = 1000 // of a case that is looked at: more fill their domain, and take long to follow
	keptSupport   = 6    // nodes that the finest level has around a body, at least
)

// seamWork is as how many updates a node beside a seam counts, by dimension: measured on one thread of a processor with AVX-512, 11 ns beside 2 ns in
// the plane, 35 ns beside 6 to 9 ns in space (validation/cpu). A constant, so that what is proposed does not depend on the machine.
var seamWork = [4]float64{2: 6, 3: 6}

// refiner looks for boxes of finer nodes.
type refiner struct {
	p      *setup.Problem
	in     room
	bodies []refined
	free   string // a body whose way is not known; empty: none
}

// grown are the grids of a proposal.
type grown struct {
	tables  []casefile.Refine
	problem *setup.Problem // in a domain that the coarsest cells fill
	fills   bool           // the case's own is
	gain    float64        // by which work is less, seams included
	why     string         // it is none; empty: it is
}

// proposeGrids looks for nested grids on which the bodies of a case cost less. Where there are none, why is the reason, of a case that would
// gain by them; and empty of others. It depends on the case alone, not on the machine.
func proposeGrids(p *setup.Problem, in room) (best *Refinement, why string) {
	if n := len(p.Bodies) + len(p.Coupling.Cells); p.Vessel != nil || len(p.Case.Refine) > 0 || n == 0 || n > mostBodies {
		return nil, ""
	}
	r := &refiner{p: p, in: in}
	if err := r.find(); err != nil {
		return nil, ""
	}
	var all []grown
	for level := 1; level <= r.mostLevels(); level++ {
		g := r.try(level)
		all = append(all, g)
		if g.problem == nil {
			break
		}
	}
	var chosen *grown
	for i := range all {
		if g := &all[i]; g.why == "" && g.fills && g.gain >= leastGain && (chosen == nil || g.gain >= levelGain*chosen.gain) {
			chosen = g
		}
	}
	if chosen == nil {
		return nil, r.reason(all)
	}
	best = chosen.report(in)
	for i := range all {
		if g := &all[i]; g.why == "" && !g.fills && g.gain >= leastGain*chosen.gain {
			best.More = g.wouldFill()
		}
	}
	return best, ""
}

// reason is why there is no proposal of a case that would gain by levels; empty: it would not.
func (r *refiner) reason(all []grown) (why string) {
	for i := range all {
		g := &all[i]
		switch {
		case g.problem == nil && i == 0:
			return g.why
		case g.gain < leastGain:
		case r.free != "":
			return fmt.Sprintf("body %q may go anywhere, and one that leaves the finest nodes stops the run: where it is known to stay in a part of the domain, give that as box = { min, max } in [[refine]]", r.free)
		case g.why == "":
			why = g.wouldFill()
		case why == "":
			why = g.why
		}
	}
	return why
}

// wouldFill tells of the domain that the coarsest cells fill.
func (g *grown) wouldFill() string {
	c, level := g.problem.Case, g.tables[0].Level
	var sizes []string
	for _, n := range g.problem.Flow.Size[:c.Domain.Dim] {
		sizes = append(sizes, decimal(float64(n)/c.Reference.Resolution, 6))
	}
	return fmt.Sprintf("with domain.size = [%s], which are whole cells of %d nodes, %s would do: %.1f times less work", strings.Join(sizes, ", "), 1<<level, levelsText(level), g.gain)
}

func levelsText(n int) string {
	if n == 1 {
		return "another level"
	}
	return fmt.Sprintf("%d levels", n+1)
}

// mostLevels bounds the levels by how many nodes there are along the shortest body.
func (r *refiner) mostLevels() int {
	shortest := math.Inf(1)
	for _, b := range r.p.Bodies {
		shortest = math.Min(shortest, b.Shape.Length())
	}
	for i := range r.p.Coupling.Cells {
		shortest = math.Min(shortest, 2*r.p.RadiusOf(i)*r.p.Case.Reference.Resolution)
	}
	most := int(math.Log2(shortest/coarsestNodes) + 1e-9) // whole numbers of nodes are not always exact
	if hasWalls(r.p.Case) {
		most = min(most, wallLevels)
	}
	return min(most, mostProposed)
}

// try lays grids of so many levels below the coarsest.
func (r *refiner) try(level int) (g grown) {
	p := r.p
	size := p.Flow.Size
	for a := range p.Flow.Lattice.Dim {
		n := 1 << level
		size[a] = (size[a] + n - 1) / n * n
	}
	g.tables, g.fills = r.tables(level), size == p.Flow.Size
	q, err := p.Refined(g.tables, size)
	if err != nil {
		var told *casefile.Error
		if errors.As(err, &told) {
			err = errors.New(told.Msg)
		}
		g.why = fmt.Sprintf("no levels are proposed: %v", err)
		return g
	}
	g.problem, g.gain = q, float64(q.Flow.Nodes())/(q.Updates()+seamWork[p.Flow.Lattice.Dim]*ghostsOf(q))
	switch worst := worstLevel(q, r.in); {
	case r.free != "":
		g.why = "free"
	case !r.holds(q):
		g.why = "no levels are proposed: finer nodes end two coarse cells from faces that fluid passes, and a body or solid is nearer to one: move it away from there"
	case worst != "":
		g.why = fmt.Sprintf("no levels are proposed: on the coarsest of %d, %s", level+1, worst)
	}
	return g
}

// worstLevel is what stands against a level; empty: nothing does.
func worstLevel(q *setup.Problem, in room) string {
	g := gridsOf(q, in)
	for i := range g.Levels {
		for _, j := range []struct {
			name string
			of   *Judged
		}{{"τ", &g.Levels[i].Tau}, {"the grid Reynolds number", &g.Levels[i].GridReynolds}} {
			if j.of.Verdict == Caution || j.of.Verdict == Unsafe {
				reason, _, _ := strings.Cut(j.of.Reason, "; or fewer levels")
				return fmt.Sprintf("%s would be %.4g, %s", j.name, j.of.Value, reason)
			}
		}
	}
	return ""
}

// holds tells whether the finest boxes hold all bodies and solids with what they reach to.
func (r *refiner) holds(q *setup.Problem) bool {
	for i := range r.bodies {
		held := false
		for _, b := range q.Boxes {
			held = held || b.Level == len(q.Grids.Levels)-1 && r.within(&r.bodies[i], &b, q)
		}
		if !held {
			return false
		}
	}
	return true
}

func (r *refiner) within(body *refined, b *joined.Box, q *setup.Problem) bool {
	for a := range q.Flow.Lattice.Dim {
		low, high := body.lo[a]-keptSupport < float64(b.Lo[a]), body.hi[a]+keptSupport > float64(b.Hi[a]-1)
		if low && b.Lo[a] > 0 || high && b.Hi[a] < q.Flow.Size[a] {
			return false
		}
	}
	return true
}

// report is the proposal of grids.
func (g *grown) report(in room) *Refinement {
	q := g.problem
	grids := gridsOf(q, in)
	return &Refinement{
		Tables: tablesText(q.Case), Set: tablesSet(q.Case), Levels: grids.Levels, Nodes: grids.Nodes, Updates: grids.Updates, Gain: grids.Gain,
		Memory: capacityOf(q), Seconds: finite.Number(math.NaN()), ghosts: ghostsOf(q), grids: q,
	}
}

// proposeGrids adds the proposal of nested grids, with the time that they take.
func (r *proposer) proposeGrids() {
	if r.problem == nil || len(r.Errors) > 0 {
		return
	}
	found, why := proposeGrids(r.problem, r.room)
	if found != nil && r.Memory.OnDevice > 0 && r.c.Run.Backend != "cuda" {
		found, why = nil, "backend auto computes nested grids on the CPU: --refine auto takes them there, with --backend cuda they stay on the device"
	}
	r.Refinement, r.RefinementNote = found, why
	if found != nil {
		found.Seconds = finite.Number(r.at.seconds(int(found.Updates), r.markers(), r.vertices(), r.c.Run.Steps) + r.at.seam*found.ghosts*float64(r.c.Run.Steps))
	}
}

// WithGrids is the case on the nested grids that are proposed for it: the same as with their tables in its file, which set is for --set. Where it
// has its own, or none are proposed, it is the case as it is, and set is empty. note says what was taken.
func WithGrids(c *casefile.Case) (on *casefile.Case, set, note string, err error) {
	on, found, note, err := withGrids(c)
	if found != nil {
		set = found.Set
	}
	return on, set, note, err
}

func withGrids(c *casefile.Case) (on *casefile.Case, found *Refinement, note string, err error) {
	if len(c.Refine) > 0 {
		return c, nil, "--refine auto: the case has [[refine]] of its own, which is taken as it is", nil
	}
	p, err := setup.New(c, setup.PackBriefly)
	if err != nil {
		return c, nil, "", nil // who runs or checks it will be told
	}
	found, why := proposeGrids(p, room{holds: math.Inf(1)})
	if found == nil {
		if why == "" {
			why = fmt.Sprintf("nested grids would not take %g times less work", leastGain)
		}
		return c, nil, "--refine auto: one grid is taken: " + why, nil
	}
	on, err = OnGrids(c, found.Set)
	return on, found, fmt.Sprintf("--refine auto: %d levels of nested grids, %.1f times fewer updates", len(found.Levels), found.Gain), err
}

// OnGrids is the problem of a case that passed, on the grids that it has, or those that are proposed where it has one.
func (r *Report) OnGrids() (p *setup.Problem, proposed bool) {
	if r.Refinement != nil && !r.Refinement.Taken {
		return r.Refinement.grids, true
	}
	return r.problem, false
}

// Problem is the problem of a case that passed, as the case has it.
func (r *Report) Problem() *setup.Problem { return r.problem }

// Sketch is the problem of a case that is refused, as far as it can be drawn: with its bodies where they begin, and the boxes of finer nodes that were found. Nil: there is nothing to draw.
func (r *Report) Sketch() *setup.Problem {
	p := r.problem
	if r.unset != nil {
		var err error
		if p, err = setup.Sketch(r.unset, capacity.HoldsFluid, setup.PackBriefly); err != nil {
			return nil
		}
	}
	if p == nil {
		return nil
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	_ = hybrid.CheckPlaces[float64](p.Coupling, &p.Flow, p.Bodies, pool) // which puts them there; a refusal, as of two in one place, is drawn
	for _, b := range p.Bodies {
		if b.State().Rotation == (geometry.Mat{}) { // they could not be put anywhere
			return nil
		}
	}
	return p
}

// OnGrids is the case with the set of WithGrids.
func OnGrids(c *casefile.Case, set string) (*casefile.Case, error) {
	on, err := c.With([]string{set}, math.MaxInt)
	if err != nil {
		return nil, err
	}
	on.Output.Directory, on.Run.Threads = c.Output.Directory, c.Run.Threads // of the command line
	return on, nil
}

// capacityOf is the memory of a run on grids.
func capacityOf(q *setup.Problem) int64 {
	if err := capacity.Find(q); err != nil {
		return 0 // the run would tell
	}
	return capacity.Memory(q)
}
