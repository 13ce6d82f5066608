package geometry

import (
	"errors"
	"fmt"
	"math"
	"sync"
)

// joint is a union of shapes of one dimension, placed about its centroid.
type joint struct {
	parts            []Shape
	boxes            []box // around them
	volume           float64
	second           Mat // inertia
	isOpen, disjoint bool
	area             func() float64
}

var _ form = (*joint)(nil)

// NewUnion joins shapes rigidly. Its surface is what of their surfaces is not
// inside another part, its markers are theirs. Volume, centroid and inertia are
// exact where the boxes around the parts are disjoint; what parts share is found
// by sums over a fine grid, to about 1e-4 of it, and the surface then by fine
// samples, to about 1e-3. Length is the extent along y; so is Frontal in the plane, in space it
// is the rectangle around the shadow in a flow along x. No parts and parts of
// different dimensions are refused.
func NewUnion(of ...Shape) (Shape, error) {
	if len(of) == 0 {
		return nil, errors.New("geometry: union: it has no parts, at least one is needed: list shapes in \"of\"")
	}
	u := &joint{isOpen: true, disjoint: true, boxes: boxesOf(of)}
	for k, s := range of {
		if s.Dim() != of[0].Dim() {
			return nil, fmt.Errorf("geometry: union: part %d has %d dimensions, part 0 has %d, all must have the same: join shapes of one dimension", k, s.Dim(), of[0].Dim())
		}
		u.isOpen = u.isOpen && s.Open()
		if err := Check(s); err != nil {
			return nil, fmt.Errorf("geometry: union: part %d: %w", k, err)
		}
		for l := range k {
			u.disjoint = u.disjoint && !boxesMeet(&u.boxes[k], &u.boxes[l])
		}
	}
	volume, center, second := integrals(of)
	if !u.isOpen && !u.disjoint {
		v, c, i := shared(of, u.boxes)
		volume, center, second = volume-v, center.Sub(c), second.Add(i.Scale(-1))
	}
	if u.isOpen {
		volume, center = 0, Vec{}
		total := 0.
		for _, s := range of {
			total += s.Surface()
			center = center.Add(s.Center().Scale(s.Surface()))
		}
		center = center.Scale(1 / total)
	} else {
		center = center.Scale(1 / volume)
	}
	u.volume = volume
	u.second = second.Add(steiner(center, volume).Scale(-1))
	for _, s := range of {
		u.parts = append(u.parts, s.Translated(center.Scale(-1)))
	}
	u.boxes = boxesOf(u.parts)
	if u.dim() == 2 {
		u.second = Mat{2: {2: u.second[2][2]}}
	}
	u.area = sync.OnceValue(u.measure)
	joined := place(u, center)
	return joined, Check(joined)
}

// steiner is volume (c² 1 − c cᵀ), what a shift by c adds to an inertia.
func steiner(c Vec, volume float64) Mat {
	return Identity().Scale(c.Dot(c)).Add(outer(c, c).Scale(-1)).Scale(volume)
}

// integrals are the sums over the parts of volume, ∫ x dV and inertia about the
// origin.
func integrals(of []Shape) (volume float64, first Vec, second Mat) {
	for _, s := range of {
		v := s.Enclosed()
		volume += v
		first = first.Add(s.Center().Scale(v))
		second = second.Add(s.Inertia()).Add(steiner(s.Center(), v))
	}
	return volume, first, second
}

// box is a box around a shape, and a little more on every side, so that what
// rounds differently near the surface is in it.
type box struct {
	shape      Shape
	lo, hi     Vec // the shape's bounds
	from, upTo Vec // of points that the shape may hold
}

func boxesOf(shapes []Shape) []box {
	all := make([]box, len(shapes))
	for k, s := range shapes {
		b := box{shape: s}
		b.lo, b.hi = s.Bounds()
		size := b.hi.Sub(b.lo).Norm() + max(b.lo.Norm(), b.hi.Norm())
		for a := range 3 {
			b.from[a], b.upTo[a] = b.lo[a]-1e-9*size, b.hi[a]+1e-9*size
			if a >= s.Dim() { // whose z is not looked at
				b.from[a], b.upTo[a] = math.Inf(-1), math.Inf(1)
			}
		}
		all[k] = b
	}
	return all
}

// contains asks the shape only about points that it may hold.
func (b *box) contains(p Vec) bool {
	for a, x := range p {
		if !(x >= b.from[a] && x <= b.upTo[a]) {
			return false
		}
	}
	return b.shape.Contains(p)
}

func boxesMeet(s, t *box) bool {
	for a := range s.shape.Dim() {
		if s.hi[a] < t.lo[a] || t.hi[a] < s.lo[a] {
			return false
		}
	}
	return true
}

// shared is what integrals counts too often: the same integrals over the points
// that are in several parts, once for every part but one.
func shared(of []Shape, boxes []box) (volume float64, first Vec, second Mat) {
	lo, hi, found := overlap(boxes)
	if !found {
		return
	}
	cells := [3]int{1000, 1000, 1}
	if of[0].Dim() == 3 {
		cells = [3]int{128, 128, 128}
	}
	var step Vec
	cell := 1.
	for a := range of[0].Dim() {
		step[a] = (hi[a] - lo[a]) / float64(cells[a])
		cell *= step[a]
	}
	var row []*box
	for k := range cells[2] {
		for j := range cells[1] {
			row = alongX(row[:0], boxes, lo.Add(Vec{0, (float64(j) + 0.5) * step[1], (float64(k) + 0.5) * step[2]}))
			if len(row) < 2 {
				continue
			}
			for i := range cells[0] {
				p := lo.Add(Vec{(float64(i) + 0.5) * step[0], (float64(j) + 0.5) * step[1], (float64(k) + 0.5) * step[2]})
				extra := -1
				for _, b := range row {
					if b.contains(p) {
						extra++
					}
				}
				if extra <= 0 {
					continue
				}
				v := float64(extra) * cell
				volume += v
				first = first.Add(p.Scale(v))
				for a := range 3 {
					for b := range 3 {
						second[a][b] += v * p[a] * p[b]
					}
				}
			}
		}
	}
	return volume, first, Identity().Scale(second.trace()).Add(second.Scale(-1))
}

// alongX appends the boxes that the line along x through a point goes through, as contains
// judges: a line meets few of many.
func alongX(row []*box, boxes []box, p Vec) []*box {
	for n := range boxes {
		b := &boxes[n]
		if p[1] >= b.from[1] && p[1] <= b.upTo[1] && p[2] >= b.from[2] && p[2] <= b.upTo[2] {
			row = append(row, b)
		}
	}
	return row
}

// overlap is a box around all that two parts may share.
func overlap(boxes []box) (lo, hi Vec, found bool) {
	for k := range boxes {
		for l := range k {
			s, t := &boxes[k], &boxes[l]
			if !boxesMeet(s, t) {
				continue
			}
			var a, b Vec
			for i := range 3 {
				a[i], b[i] = max(s.lo[i], t.lo[i]), min(s.hi[i], t.hi[i])
			}
			if found {
				a, b = boxOf(lo, hi, a, b)
			}
			lo, hi, found = a, b, true
		}
	}
	return lo, hi, found
}

func (u *joint) name() string         { return "union" }
func (u *joint) dim() int             { return u.parts[0].Dim() }
func (u *joint) enclosed() float64    { return u.volume }
func (u *joint) surface() float64     { return u.area() }
func (u *joint) open() bool           { return u.isOpen }
func (u *joint) inertia() Mat         { return u.second }
func (u *joint) length(r Mat) float64 { return extent(u, r, 1) }

func (u *joint) frontal(r Mat) float64 {
	if u.dim() == 2 {
		return extent(u, r, 1)
	}
	return extent(u, r, 1) * extent(u, r, 2)
}

func (u *joint) contains(p Vec) bool {
	for k := range u.boxes {
		if u.boxes[k].contains(p) {
			return true
		}
	}
	return false
}

// reach is that of the parts' balls.
func (u *joint) reach() (most float64) {
	for _, s := range u.parts {
		most = max(most, s.Center().Norm()+s.Reach())
	}
	return most
}

// support turns every part so that d is along x, where its box tells.
func (u *joint) support(d Vec) float64 {
	across := Vec{0, 0, 1}.Cross(d)
	if across.Norm() < 1e-6 {
		across = Vec{1, 0, 0}
	}
	across = unit(across, Vec{})
	r := Mat{d, across, d.Cross(across)}
	largest := math.Inf(-1)
	for _, s := range u.parts {
		_, hi := s.Rotated(r).Bounds()
		largest = max(largest, hi[0]-s.Center()[0]+s.Center().Dot(d))
	}
	return largest
}

// outside are the markers of the parts that are on the surface of the union.
func (u *joint) outside(spacing float64) (all Markers) {
	lo, hi := u.parts[0].Bounds()
	for _, s := range u.parts {
		l, h := s.Bounds()
		lo, hi = boxOf(lo, hi, l, h)
	}
	// Of faces that touch, both are inside; of faces that coincide, the first is
	// not.
	off := 1e-7 * hi.Sub(lo).Norm()
	for k, s := range u.parts {
		m, err := s.Sample(spacing)
		if err != nil {
			m = fewest(s)
		}
		for i, x := range m.X {
			n := m.Normal[i]
			if s.Open() && !u.isOpen {
				n = Vec{} // wet on both sides
			}
			if !u.hidden(k, x, n.Scale(off)) {
				all.X, all.Normal, all.Area = append(all.X, x), append(all.Normal, n), append(all.Area, m.Area[i])
			}
		}
	}
	return all
}

// fewest are the markers of a part that is too small for the spacing.
func fewest(s Shape) Markers {
	for n := 1.; n < 1<<10; n *= 1.1 {
		spacing := math.Pow(s.Surface()/(MinMarkers*n), 1/float64(s.Dim()-1))
		if m, err := s.Sample(spacing); err == nil {
			return m
		}
	}
	return Markers{}
}

// hidden tells whether x, on part k, is inside another part: off beyond it, or
// off before it in one that comes first.
func (u *joint) hidden(k int, x, off Vec) bool {
	for l := range u.boxes {
		if s := &u.boxes[l]; l != k && (s.contains(x.Add(off)) || l < k && s.contains(x.Sub(off))) {
			return true
		}
	}
	return false
}

// measure is the surface: of disjoint parts the sum, else that of samples of
// some ten thousand markers.
func (u *joint) measure() (surface float64) {
	for _, s := range u.parts {
		surface += s.Surface()
	}
	if u.disjoint {
		return surface
	}
	spacing := surface / 20000
	if u.dim() == 3 {
		spacing = math.Sqrt(surface / 50000)
	}
	surface = 0
	for _, a := range u.outside(spacing).Area {
		surface += a
	}
	return surface
}

func (u *joint) sample(spacing float64) Markers {
	m := thin(u.outside(spacing), spacing)
	sum := 0.
	for _, a := range m.Area {
		sum += a
	}
	for k := range m.Area {
		m.Area[k] *= u.surface() / sum
	}
	return m
}

// outline joins the sections of the parts that the plane cuts, each through the
// part's own centre.
func (u *joint) outline(r Mat, n int) []Vec {
	var lines [][]Vec
	total := 0
	for _, s := range u.parts {
		if u.dim() == 3 {
			lo, hi := s.Rotated(r).Translated(r.Apply(s.Center()).Sub(s.Center())).Bounds()
			if lo[2] > 0 || hi[2] < 0 {
				continue
			}
		}
		line := s.Rotated(r).Outline(n/len(u.parts) + 1)
		shift := r.Apply(s.Center()).Sub(s.Center())
		for k := range line {
			line[k] = line[k].Add(shift)
			line[k][2] = 0
		}
		if !s.Open() && line[0] != line[len(line)-1] {
			line = append(line, line[0]) // so that it is not gone back along
		}
		lines = append(lines, line)
		total += len(line)
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return joinLines(lines, total)
}
