package hybrid

import (
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/packing"
	"lbmib/lbm"
)

// Feed has cells enter a domain with the fluid, and leave it: as many enter at a gate as fill their share of the volume that flows in there, as soon as there is
// room for them, anywhere in its disc with the probability of the flow and in any direction. Cells that have left wait, and enter again as new ones.
type Feed struct {
	Gates []Gate
	Kinds []FedKind
	Open  map[int]bool // nodes of these that are behind a gate alone: they are no walls
	Room  *packing.Room
	Seed  uint64
}

// FedKind is cells of one kind: Len cells of a coupling from First on, of which the first Packed begin in the fluid.
type FedKind struct {
	First, Len, Packed int
	Share              float64 // of the volume that flows in
	Volume             float64 // of a cell, nodes³
}

// Gate is an opening of the domain. Lengths are in nodes.
type Gate struct {
	Center, Inward geometry.Vec // of its disc; of unit length
	Behind         map[int]bool // nodes behind the disc: a cell leaves as soon as its supports reach one
	Inside         float64      // how far in front of the disc entering cells begin

	// Of a gate through which cells enter; nil: none do.
	Velocity func(at geometry.Vec, step int64) geometry.Vec // of the fluid in the disc, nodes per step; beside it there are walls
	Flow     func(step int64) float64                       // into the domain, nodes³ per step
}

// Fed is what has entered and left until now.
type Fed struct {
	Entered, Left [][]int64   // cells: of each gate, of each kind
	Due           [][]float64 // cells that are to enter as soon as there is room
	Number        []int64     // of each cell: the how many-th entering it came by; 0: it was there at the start
}

// Totals are those over all gates and kinds.
func (f *Fed) Totals() (entered, left int64, due float64) {
	for g := range f.Entered {
		for k := range f.Entered[g] {
			entered, left, due = entered+f.Entered[g][k], left+f.Left[g][k], due+f.Due[g][k]
		}
	}
	return entered, left, due
}

// tries is how many places are tried in a step for a cell that is to enter, and draws how many points to find one where fluid enters.
const (
	tries = 4
	draws = 64
)

// feeder is a Feed at work.
type feeder struct {
	*Feed
	Fed
	cells   []*flexible.Cell
	contact *softContact // nil: none
	half    float64      // of a support, nodes
	flow    *lbm.Config
	passed  int64 // cells that have entered
	rim     []rim
	source  rand.PCG
	random  *rand.Rand // of source

	saved   []float64 // the state before the step at hand
	changed []moved   // cells that have entered or left in it
}

// moved is how a cell moved before it entered or left.
type moved struct {
	cell    *flexible.Cell
	u, past []geometry.Vec
}

// rim is what bounds the nodes behind a gate.
type rim struct {
	radius float64         // of a ball about the centre, beyond which no support reaches them
	disc   float64         // about the centre, in the plane
	sides  [2]geometry.Vec // directions in the plane
}

func newFeeder(of *Feed, cells []*flexible.Cell, contact *softContact, flow *lbm.Config, support int) *feeder {
	f := &feeder{Feed: of, cells: cells, contact: contact, flow: flow, half: float64(support) / 2}
	f.random = rand.New(&f.source)
	kinds := len(of.Kinds)
	for i := range of.Gates {
		f.Entered, f.Left, f.Due = append(f.Entered, make([]int64, kinds)), append(f.Left, make([]int64, kinds)), append(f.Due, make([]float64, kinds))
		f.rim = append(f.rim, f.rimOf(&of.Gates[i]))
	}
	f.Number = make([]int64, len(cells))
	f.saved = make([]float64, f.stateLen())
	for _, k := range of.Kinds {
		for i := range k.Len {
			f.setAway(k.First+i, i >= k.Packed)
		}
	}
	return f
}

func (f *feeder) rimOf(g *Gate) (r rim) {
	for n := range g.Behind {
		p := f.flow.Position(n)
		d := geometry.Vec{float64(p[0]), float64(p[1]), float64(p[2])}.Sub(g.Center)
		r.disc = max(r.disc, d.Norm())
	}
	r.radius = r.disc + math.Sqrt(3)*f.half
	side := geometry.Vec{1}
	if math.Abs(g.Inward[0]) > 0.9 {
		side = geometry.Vec{0, 1}
	}
	side = g.Inward.Cross(side)
	side = side.Scale(1 / side.Norm())
	r.sides = [2]geometry.Vec{side, g.Inward.Cross(side)}
	return r
}

// act lets cells leave and enter, at a step to which they have been moved.
func (f *feeder) act(step int64) {
	for k, kind := range f.Kinds {
		for i := kind.First; i < kind.First+kind.Len; i++ {
			if c := f.cells[i]; !c.Away() {
				if g := f.gateOf(c); g >= 0 {
					f.keep(c)
					c.Leave()
					f.setAway(i, true)
					f.Left[g][k]++
				}
			}
		}
	}
	for g := range f.Gates {
		if f.Gates[g].Flow == nil {
			continue
		}
		in := max(0, f.Gates[g].Flow(step))
		for k := range f.Kinds {
			f.Due[g][k] += in * f.Kinds[k].Share / f.Kinds[k].Volume
			if f.Due[g][k] >= 1 {
				f.enter(g, k, step)
			}
		}
	}
}

func (f *feeder) setAway(i int, away bool) {
	f.cells[i].SetAway(away)
	if f.contact != nil {
		f.contact.system.SetAway(i, away)
	}
}

// gateOf is the gate whose nodes behind a support of the cell reaches; −1: none.
func (f *feeder) gateOf(c *flexible.Cell) int {
	for g := range f.Gates {
		gate, r := &f.Gates[g], &f.rim[g]
		for _, x := range c.Points() {
			if d := x.Sub(gate.Center); d.Dot(d) < r.radius*r.radius && f.reaches(x, gate.Behind) {
				return g
			}
		}
	}
	return -1
}

// reaches tells whether the support of a point has one of the nodes.
func (f *feeder) reaches(x geometry.Vec, nodes map[int]bool) bool {
	var lo, hi [3]int
	for a := range x {
		lo[a], hi[a] = max(0, int(math.Ceil(x[a]-f.half))), min(f.flow.Size[a]-1, int(math.Floor(x[a]+f.half)))
	}
	for z := lo[2]; z <= hi[2]; z++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for p := lo[0]; p <= hi[0]; p++ {
				if nodes[f.flow.Node([3]int{p, y, z})] {
					return true
				}
			}
		}
	}
	return false
}

// enter lets cells of a kind that are due at a gate enter, if there are some that wait, and room for them.
func (f *feeder) enter(g, k int, step int64) {
	kind := f.Kinds[k]
	f.source.Seed(f.Seed, uint64(step)*1_000_003+uint64(g*len(f.Kinds)+k)) // so that a run that goes on draws as one that never stopped
	for range tries {
		i := kind.First
		for i < kind.First+kind.Len && !f.cells[i].Away() {
			i++
		}
		if i == kind.First+kind.Len || f.Due[g][k] < 1 {
			return
		}
		at, u, found := f.place(g, k, step)
		if !found || !f.fits(k, at) {
			continue
		}
		f.keep(f.cells[i])
		f.cells[i].Enter(at.Center, at.Turn, u)
		f.setAway(i, false)
		f.Due[g][k]--
		f.Entered[g][k]++
		f.passed++
		f.Number[i] = f.passed
	}
}

// place draws a place in front of a gate, and tells the velocity of the fluid that enters there; false where none enters.
func (f *feeder) place(g, k int, step int64) (at packing.Place, u geometry.Vec, found bool) {
	gate, r := &f.Gates[g], &f.rim[g]
	random := f.random
	fastest := f.fastest(g, step)
	for range draws {
		a, b := r.disc*(2*random.Float64()-1), r.disc*(2*random.Float64()-1)
		p := gate.Center.Add(r.sides[0].Scale(a)).Add(r.sides[1].Scale(b))
		u = gate.Velocity(p, step)
		if random.Float64()*fastest >= u.Dot(gate.Inward) {
			continue
		}
		axis := geometry.Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
		at.Turn = geometry.Rotation(axis.Scale(1/axis.Norm()), math.Pi*(2*random.Float64()-1))
		at.Center = p.Add(gate.Inward.Scale(gate.Inside + f.Room.Behind(k, at.Turn, gate.Inward)))
		return at, u, true
	}
	return at, u, false
}

// fastest is the largest velocity of what enters at a gate, by a grid of points over its disc.
func (f *feeder) fastest(g int, step int64) (most float64) {
	const points = 16
	gate, r := &f.Gates[g], &f.rim[g]
	for i := range points {
		for j := range points {
			a, b := r.disc*(2*float64(i)+1-points)/points, r.disc*(2*float64(j)+1-points)/points
			most = max(most, gate.Velocity(gate.Center.Add(r.sides[0].Scale(a)).Add(r.sides[1].Scale(b)), step).Dot(gate.Inward))
		}
	}
	return most
}

// fits tells whether a cell of a kind at a place is clear of walls and of all others.
func (f *feeder) fits(k int, at packing.Place) bool {
	if f.Room.InWalls(k, at) {
		return false
	}
	for _, c := range f.cells {
		if !c.Away() && f.Room.Meets(k, at, c.Points()) {
			return false
		}
	}
	return true
}

func (f *feeder) stateLen() int { return 2*len(f.cells) + 3*len(f.Gates)*len(f.Kinds) + 1 }

// appendState appends what a checkpoint holds: which cells wait, how they came, and what has entered, left and is due at each gate.
func (f *feeder) appendState(state []float64) []float64 {
	for i, c := range f.cells {
		away := 0.
		if c.Away() {
			away = 1
		}
		state = append(state, away, float64(f.Number[i]))
	}
	for g := range f.Gates {
		for k := range f.Kinds {
			state = append(state, f.Due[g][k], float64(f.Entered[g][k]), float64(f.Left[g][k]))
		}
	}
	return append(state, float64(f.passed))
}

// setState restores what appendState appended.
func (f *feeder) setState(state []float64) {
	for i := range f.cells {
		f.setAway(i, state[0] != 0)
		f.Number[i] = int64(state[1])
		state = state[2:]
	}
	for g := range f.Gates {
		for k := range f.Kinds {
			f.Due[g][k], f.Entered[g][k], f.Left[g][k] = state[0], int64(state[1]), int64(state[2])
			state = state[3:]
		}
	}
	f.passed = int64(state[0])
}

// save keeps the state for restore.
func (f *feeder) save() { f.saved, f.changed = f.appendState(f.saved[:0]), f.changed[:0] }

// keep keeps how a cell moves that is about to enter or leave.
func (f *feeder) keep(c *flexible.Cell) {
	f.changed = append(f.changed, moved{c, slices.Clone(c.Velocities()), slices.Clone(c.Past())})
}

// restore takes the step since save back, but for the places of cells.
func (f *feeder) restore() {
	f.setState(f.saved)
	for _, m := range slices.Backward(f.changed) {
		copy(m.cell.Velocities(), m.u)
		copy(m.cell.Past(), m.past)
	}
}

// Fed is what has entered and left, nil where nothing does. It is the simulation's, and as it is after the last step.
func (s *Simulation[T]) Fed() *Fed {
	if s.coupling == nil || s.coupling.cells == nil || s.coupling.cells.feeder == nil {
		return nil
	}
	s.Flush()
	return &s.coupling.cells.feeder.Fed
}
