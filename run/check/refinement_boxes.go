package check

import (
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// refined is what finer nodes are to be around: a body where it is and comes to be, or several.
type refined struct {
	name   string // empty: of several
	lo, hi geometry.Vec
	margin [3][2]float64 // nodes
}

// box are the corners of the box of finer nodes.
func (b *refined) box() (lo, hi geometry.Vec) {
	for a := range lo {
		lo[a], hi[a] = b.lo[a]-b.margin[a][0], b.hi[a]+b.margin[a][1]
	}
	return lo, hi
}

// find finds what finer nodes are to be around.
func (r *refiner) find() error {
	p := r.p
	for _, b := range p.Bodies {
		lo, hi, err := p.ReachOf(b.Name)
		if err != nil {
			return err
		}
		if b.Free != nil || b.Structure != nil {
			r.free = b.Name
		}
		r.add(b.Name, lo, hi, b.Shape.Length())
	}
	for _, b := range p.Coupling.Cells {
		lo, hi, err := p.ReachOf(b.Name)
		if err != nil {
			return err
		}
		r.free = b.Name
		r.add(b.Name, lo, hi, longest(lo, hi))
	}
	for i := range p.Case.Solids {
		lo, hi, err := p.SolidReach(i)
		if err != nil {
			return err
		}
		r.add("", lo, hi, longest(lo, hi))
	}
	r.merge()
	return nil
}

func longest(lo, hi geometry.Vec) float64 {
	return math.Max(hi[0]-lo[0], math.Max(hi[1]-lo[1], hi[2]-lo[2]))
}

// add adds a body, with margins by its length and by where the stream goes.
func (r *refiner) add(name string, lo, hi geometry.Vec, length float64) {
	b := refined{name: name, lo: lo, hi: hi}
	down := wakesOf(r.p.Case)
	streams := down != [3][2]bool{}
	for a := range r.p.Flow.Lattice.Dim {
		for side := range 2 {
			times := stillMargin
			switch {
			case down[a][side]:
				times = wakeMargin
			case down[a][1-side]:
				times = frontMargin
			case streams:
				times = sideMargin
			}
			b.margin[a][side] = times * length
		}
	}
	r.bodies = append(r.bodies, b)
}

// wakesOf tells at which sides of a body its wake may be: those where the stream goes that the case prescribes or, where it prescribes
// none, the force drives.
func wakesOf(c *casefile.Case) (down [3][2]bool) {
	v, axis := setup.StreamOf(c)
	if in := &c.Domain.Initial; in.Type == "couette" && in.Bottom[axis]*in.Velocity[axis] < 0 { // both ways
		return down
	}
	if v == 0 {
		force := 0.
		for a, f := range c.Domain.Force[:c.Domain.Dim] {
			switch {
			case !f.Constant(): // it may drive either way
				down[a] = [2]bool{true, true}
			case math.Abs(f.Value) > math.Abs(force):
				force, axis = f.Value, a
			}
		}
		v = force
	}
	if v == 0 {
		return down
	}
	side := 1
	if v < 0 {
		side = 0
	}
	down[axis][side], down[axis][1-side] = true, turnsBack(c)
	return down
}

// turnsBack tells whether a stream that enters the domain comes to leave it where it entered.
func turnsBack(c *casefile.Case) bool {
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		for k := 0; f.Type == "velocity" && k <= setup.Looks; k++ {
			if f.At(c.Run.Time*float64(k)/setup.Looks) < 0 {
				return true
			}
		}
	}
	return false
}

// merge makes one of what has boxes that overlap, and of all where there are many.
func (r *refiner) merge() {
	all := r.bodies
	if len(all) > mostPaired {
		all = unionOf(all)
	}
	for i := 0; i < len(all); i++ {
		for j := i + 1; j < len(all); j++ {
			if r.overlap(&all[i], &all[j]) {
				all[i] = union(all[i], all[j])
				all = append(all[:j], all[j+1:]...)
				i, j = -1, len(all) // from the beginning
			}
		}
	}
	if len(all) > mostBoxes {
		all = unionOf(all)
	}
	r.bodies = all
}

// unionOf is what holds all.
func unionOf(all []refined) []refined {
	for _, b := range all[1:] {
		all[0] = union(all[0], b)
	}
	return all[:1]
}

func (r *refiner) overlap(b, o *refined) bool {
	lo, hi := b.box()
	from, to := o.box()
	for a := range r.p.Flow.Lattice.Dim {
		if from[a] >= hi[a] || lo[a] >= to[a] {
			return false
		}
	}
	return true
}

// union is what holds two: without a name, with the margins around both.
func union(b, o refined) refined {
	lo, hi := b.box()
	from, to := o.box()
	for a := range lo {
		b.lo[a], b.hi[a] = math.Min(b.lo[a], o.lo[a]), math.Max(b.hi[a], o.hi[a])
		b.margin[a] = [2]float64{b.lo[a] - math.Min(lo[a], from[a]), math.Max(hi[a], to[a]) - b.hi[a]}
	}
	b.name = ""
	return b
}

// beforeOutlets are the margins around a body at a level, shortened where their box would end too near to a face where fluid leaves for the coarsest nodes
// beyond; by no more than to what there is in front of a body.
func (r *refiner) beforeOutlets(b *refined, level int) [3][2]float64 {
	p, margin := r.p, b.margin
	width := float64(int(1) << level)
	need := outletNodes(p.Case, p.Case.GridReynolds()*width)
	if need == 0 {
		return margin
	}
	room := (need + outletRings) * width
	for a := range p.Flow.Lattice.Dim {
		length := b.hi[a] - b.lo[a]
		for side, from := range [2]float64{b.lo[a] + 0.5, float64(p.Flow.Size[a]) - 0.5 - b.hi[a]} {
			if leavesBy(p.Case, 2*a+side) {
				margin[a][side] = math.Min(margin[a][side], math.Max(from-room, frontMargin*length))
			}
		}
	}
	return margin
}

// outletRings is what boxes of the levels between, and whole cells, take beyond the finest, in coarsest nodes.
const outletRings = 3

// tables are [[refine]] that ask for the boxes at a level, in numbers as they are printed.
func (r *refiner) tables(level int) (all []casefile.Refine) {
	p := r.p
	res := p.Case.Reference.Resolution
	for i := range r.bodies {
		b := &r.bodies[i]
		t := casefile.Refine{Around: b.name, Level: level, Key: "refine"}
		if b.name != "" {
			margin := r.beforeOutlets(b, level)
			for a := range p.Flow.Lattice.Dim {
				t.Margin[a] = [2]float64{outwards(margin[a][0]/res, 1, res), outwards(margin[a][1]/res, 1, res)}
			}
			all = append(all, t)
			continue
		}
		short := *b
		short.margin = r.beforeOutlets(b, level)
		lo, hi := short.box()
		for a := range p.Flow.Lattice.Dim {
			end := float64(p.Flow.Size[a]) - 0.5
			if periodic := p.Flow.Periodic(a); periodic && (lo[a] < -0.5 || hi[a] > end) {
				lo[a], hi[a] = -0.5, end
			}
			lo[a], hi[a] = math.Max(lo[a], -0.5), math.Min(hi[a], end)
		}
		t.Min, t.Max = p.Place(lo), p.Place(hi)
		for a := range p.Flow.Lattice.Dim {
			t.Min[a] = math.Max(outwards(t.Min[a], -1, res), p.Case.Domain.Origin[a])
			t.Max[a] = math.Min(outwards(t.Max[a], 1, res), p.Case.Domain.Origin[a]+p.Case.Domain.Size[a])
		}
		all = append(all, t)
	}
	return all
}
