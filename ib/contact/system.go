package contact

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib/contact/internal/simd"
	"lbmib/internal/parallel"
)

// Config is a box of nodes 0 … Size−1 along each axis, whose faces lie half a node beyond, and how far
// surfaces in it repel each other.
type Config struct {
	Range    float64 // d, in nodes
	Size     [3]int
	Periodic [3]bool
	Walls    [6]bool // faces that repel: −x +x −y +y −z +z
	Plane    bool    // points stand for lines along z, their areas are lengths: forces are per depth
}

// Surface is a body's surface, given by points. It may touch itself across periodic faces.
type Surface struct {
	Points   []geometry.Vec // in nodes, not wrapped; others move them
	Area     []float64      // of each, in nodes², constant; 0: the point takes no part
	Pressure float64        // where two surfaces touch, the larger of both; 0: of rigid bodies, which repel neither each other nor walls
	Offset   float64        // how far in front of the points the surface is, in nodes; of rigid ones alone
	Force    []geometry.Vec // on the points: contact is added; nil: nobody asks for it
}

// System is surfaces that repel each other. Results do not depend on the number of workers.
type System struct {
	Surfaces []Surface

	cfg   Config
	law   law
	loops parallel.Loops
	near  *neighbours
	made  bool // lists of neighbours have been
	looks bool // gaps alone are found
	alike bool // soft surfaces are: of one pressure, in space
	pair  simd.Law
	sums  simd.Forces // of alike ones

	at       []simd.Site                // all points, surface by surface
	of       []int32                    // of each point: its surface
	first    []int                      // of each surface: its first point
	pressure []float64                  // of each surface
	offset   []float64                  // likewise
	asks     []bool                     // likewise: somebody asks for its force
	inside   func(x *geometry.Vec) bool // of surfaces that Attend has told of: where forces are found; nil: everywhere
	whole    []bool                     // likewise: everywhere
	walls    []wall
	shares   []share

	gather, place, find, act, push func(worker int) // loops, made once
}

// share is what a worker finds.
type share struct {
	moved bool
	gap   []float64        // of each surface
	sums  [atOnce]simd.Sum // of some points
}

// atOnce is how many points are worked on together: their sums stay in the first cache.
const atOnce = 64

// LeastPeriod is the least size of a periodic box, in nodes, in which points meet but one image of each other within the range, beyond the
// largest offset of a surface.
func LeastPeriod(reach, offset float64) float64 { return 2 * (reach*(1+skin) + offset) }

// New is of surfaces in a box.
func New(cfg Config, surfaces []Surface, loops parallel.Loops) (*System, error) {
	if !(cfg.Range > 0) || math.IsInf(cfg.Range, 0) {
		return nil, fmt.Errorf("contact: the range is %v nodes, must be positive and finite: give a node or two", cfg.Range)
	}
	offset := 0.
	for i := range surfaces {
		offset = max(offset, surfaces[i].Offset)
	}
	least := LeastPeriod(cfg.Range, offset)
	for a, periodic := range cfg.Periodic {
		if periodic && !(float64(cfg.Size[a]) >= least) {
			return nil, fmt.Errorf("contact: the domain has %d nodes along %s, where it is periodic, must be at least %.4g, or bodies meet two images of one another within the range of %.4g nodes: use a shorter range of contact or a larger domain",
				cfg.Size[a], "xyz"[a:a+1], least, cfg.Range)
		}
	}
	s := &System{Surfaces: surfaces, cfg: cfg, law: newLaw(cfg.Range, cfg.Plane), loops: loops, walls: wallsOf(&cfg)}
	for i := range surfaces {
		if err := s.add(i); err != nil {
			return nil, err
		}
	}
	if soft := slices.DeleteFunc(slices.Clone(s.pressure), func(p float64) bool { return p == 0 }); len(soft) > 0 && slices.Min(soft) == slices.Max(soft) && !cfg.Plane {
		s.alike = true
		s.pair, s.sums = simd.NewLaw(periods(&cfg), cfg.Range, s.law.core, soft[0]), simd.Best()
	}
	workers := loops.Workers()
	s.near = newNeighbours(&cfg, len(s.at), len(surfaces), offset, workers)
	s.shares = make([]share, workers)
	for w := range s.shares {
		s.shares[w].gap = make([]float64, len(surfaces))
	}
	over := func(do func(w, lo, hi int)) func(int) {
		return func(w int) {
			lo, hi := parallel.Share(len(s.at), w, workers)
			do(w, lo, hi)
		}
	}
	s.gather = over(func(w, lo, hi int) {
		s.shares[w].moved = !s.gatherShare(lo, hi) || !s.made
	})
	s.place = over(func(_, lo, hi int) { s.near.place(s.at, lo, hi) })
	s.find = func(w int) {
		lo, hi := parallel.Share(s.near.members, w, workers)
		s.near.find(s, w, lo, hi)
	}
	s.act = s.actShare
	s.push = over(s.pushShare)
	return s, nil
}

// add appends the points of surface i.
func (s *System) add(i int) error {
	f := &s.Surfaces[i]
	if len(f.Area) != len(f.Points) || f.Force != nil && len(f.Force) != len(f.Points) {
		return fmt.Errorf("contact: surface %d has %d points, %d areas and %d forces: give as many of each", i, len(f.Points), len(f.Area), len(f.Force))
	}
	if !(f.Pressure >= 0) || math.IsInf(f.Pressure, 0) {
		return fmt.Errorf("contact: surface %d has the pressure %v, must be finite and not negative: 0 is a rigid body's", i, f.Pressure)
	}
	if !(f.Offset >= 0) || math.IsInf(f.Offset, 0) || f.Offset > 0 && f.Pressure > 0 {
		return fmt.Errorf("contact: surface %d lies %v nodes in front of its points, must be finite, not negative, and 0 where there is a pressure (%v): give the points of a soft surface themselves", i, f.Offset, f.Pressure)
	}
	for k, a := range f.Area {
		if !(a >= 0) || math.IsInf(a, 0) {
			return fmt.Errorf("contact: point %d of surface %d has the area %v, must be finite and not negative: 0 leaves it out", k, i, a)
		}
		s.of = append(s.of, int32(i))
	}
	s.first = append(s.first, len(s.at))
	for k, a := range f.Area {
		s.at = append(s.at, simd.Site{X: f.Points[k], Area: a})
	}
	s.pressure, s.offset, s.asks = append(s.pressure, f.Pressure), append(s.offset, f.Offset), append(s.asks, f.Force != nil)
	return nil
}

// SetAway takes the points of a surface out of contact, or back into it.
func (s *System) SetAway(i int, away bool) {
	f := &s.Surfaces[i]
	for k, at := 0, s.at[s.first[i]:][:len(f.Area)]; k < len(at); k++ {
		if at[k].Area = f.Area[k]; away {
			at[k].Area = 0
		}
	}
	s.made = false
}

// Within has forces found on points in a region alone, and on all points of surfaces that Attend tells of; Gap is then of the points on which forces are. The region is to be larger than
// asked for by Skin, as it is not looked at again before.
func (s *System) Within(inside func(x *geometry.Vec) bool) {
	s.inside, s.whole, s.made = inside, make([]bool, len(s.Surfaces)), false
}

// Skin is how far points move, in nodes, before lists of neighbours are made anew.
func (s *System) Skin() float64 { return s.near.half }

// Attend has forces found on all points of a surface, or not.
func (s *System) Attend(i int, all bool) {
	s.made = s.made && (!all || s.whole[i])
	s.whole[i] = all
}

// asked tells whether forces are found on a point of a surface.
func (s *System) asked(of int32, x *geometry.Vec) bool {
	return s.asks[of] && (s.inside == nil || s.whole[of] || s.inside(x))
}

// Points is the number of all surfaces' points.
func (s *System) Points() int { return len(s.at) }

// FindGaps finds what Gap tells, and adds no forces. Points must have finite coordinates.
func (s *System) FindGaps() {
	s.looks = true
	s.AddForces()
	s.looks = false
}

// AddForces adds the forces of contact to those of the surfaces. Points must have finite coordinates.
func (s *System) AddForces() {
	s.loops.Run(len(s.at), s.gather)
	moved := false
	for w := range s.shares {
		moved = moved || s.shares[w].moved
	}
	if moved {
		s.loops.Run(len(s.at), s.place)
		s.near.measure(s.first)
		s.near.sort(s)
		s.loops.Run(len(s.at), s.find)
		s.made = true
	}
	s.loops.Run(len(s.at), s.act)
	if len(s.walls) > 0 {
		s.loops.Run(len(s.at), s.push)
	}
}

// Gap is the least distance of a surface's points from others' and from walls when AddForces or FindGaps was
// called, in nodes; the range where there are none within it, before the first call, and of surfaces without Force.
func (s *System) Gap(i int) float64 {
	least := s.cfg.Range
	if !s.made {
		return least
	}
	for w := range s.shares {
		least = min(least, s.shares[w].gap[i])
	}
	return least
}

// gatherShare gets points lo ≤ k < hi from the surfaces, and tells whether lists hold as far as these tell.
func (s *System) gatherShare(lo, hi int) (hold bool) {
	hold = true
	for i := range s.Surfaces {
		from, to := max(lo, s.first[i]), min(hi, s.first[i]+len(s.Surfaces[i].Points))
		if from >= to {
			continue
		}
		points, at := s.Surfaces[i].Points[from-s.first[i]:], s.at[from:to]
		for k := range at {
			at[k].X = points[k]
		}
		hold = hold && s.near.hold(s.at, from, to)
	}
	return hold
}

// actShare adds the forces of pairs on the points in a worker's list.
func (s *System) actShare(worker int) {
	share, l := &s.shares[worker], &s.near.lists[worker]
	for i := range share.gap {
		share.gap[i] = s.cfg.Range
	}
	for lo, p := 0, &l.alike; lo < len(p.points); lo += atOnce {
		some := p.points[lo:min(lo+atOnce, len(p.points))]
		s.sums.Do(&s.pair, s.at, some, p.from[lo:], p.near, share.sums[:])
		s.addSums(some, share)
	}
	for i, k := range l.other.points {
		s.pairs(int(k), l.other.near[l.other.from[i]:l.other.from[i+1]], share.gap)
	}
}

// addSums adds what neighbours do to some points.
func (s *System) addSums(points []int32, share *share) {
	for i, k := range points {
		of, sum := s.of[k], &share.sums[i]
		if sum.Squared == s.pair.Bound[0] { // none is within the range
			continue
		}
		share.gap[of] = min(share.gap[of], math.Sqrt(sum.Squared))
		if !s.looks {
			force := &s.Surfaces[of].Force[int(k)-s.first[of]]
			*force = force.Add(sum.Force)
		}
	}
}

// pushShare adds the forces of walls on points lo ≤ k < hi.
func (s *System) pushShare(worker, lo, hi int) {
	for i := range s.Surfaces {
		if s.pressure[i] == 0 || !s.asks[i] {
			continue
		}
		from, to := max(lo, s.first[i]), min(hi, s.first[i]+len(s.Surfaces[i].Points))
		for k := from; k < to; k++ {
			s.atWalls(k, s.shares[worker].gap)
		}
	}
}

// pairs adds what neighbours do to point k.
func (s *System) pairs(k int, near []int32, gap []float64) {
	x, of := &s.at[k].X, s.of[k]
	area, pressure, offset, least := s.at[k].Area, s.pressure[of], s.offset[of], gap[of]
	var sum geometry.Vec
	for _, j := range near {
		d := s.near.apart(x, &s.at[j].X)
		squared, c := d[0]*d[0]+d[1]*d[1]+d[2]*d[2], offset+s.offset[s.of[j]]
		if within := s.cfg.Range + c; !(squared < within*within && squared > 0) {
			continue
		}
		r := math.Sqrt(squared)
		least = min(least, r-c)
		f := s.law.points(r, c) * max(pressure, s.pressure[s.of[j]]) * (area * s.at[j].Area) / r
		sum[0] += f * d[0]
		sum[1] += f * d[1]
		sum[2] += f * d[2]
	}
	if gap[of] = least; s.looks {
		return
	}
	force := &s.Surfaces[of].Force[k-s.first[of]]
	*force = force.Add(sum)
}
