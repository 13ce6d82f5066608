// Package models makes surfaces of vessels from rules: tubes, a bifurcation with a stenosis, a tree that divides as Murray's law
// says. Lengths are in diameters of the trunk. Their ends are open, each in the plane of a port.
package models

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/implicit"
	"lbmib/geometry/vessel"
)

// Model is a surface and the ports that end it.
type Model struct {
	Points    []geometry.Vec
	Triangles [][3]int
	Ports     []vessel.Port
}

// branch is a round tube along a straight line, whose radius is that at its ends and, between, less by a narrowing.
type branch struct {
	from, to geometry.Vec
	r        [2]float64
	narrow   func(s float64) float64 // what is left of the radius at the part s of the way; nil: all
}

// distance is how far p is from the wall, less than 0 inside: exact beside a branch of even radius.
func (b *branch) distance(p geometry.Vec) float64 {
	d := b.to.Sub(b.from)
	s := min(max(p.Sub(b.from).Dot(d)/d.Dot(d), 0), 1)
	r := b.r[0] + s*(b.r[1]-b.r[0])
	if b.narrow != nil {
		r *= b.narrow(s)
	}
	return p.Sub(b.from).Sub(d.Scale(s)).Norm() - r
}

// joined is the distance from branches, rounded over a length where they meet: the least of two that differ by less than it is
// lowered by a parabola.
func joined(branches []branch, p geometry.Vec, over float64) float64 {
	least := math.Inf(1)
	for i := range branches {
		d := branches[i].distance(p)
		if gap := over - math.Abs(d-least); gap > 0 {
			least = min(d, least) - gap*gap/(4*over)
		} else {
			least = min(d, least)
		}
	}
	return least
}

// tree is a set of branches: the first begins at the inlet, and leaves ends at outlets.
type tree struct {
	branches []branch
	leaves   []int
}

// beyond is how far branches go on behind their ports before they are cut, in their diameters.
const beyond = 0.6

// model is the surface of a tree on a grid of a step.
func (t *tree) model(step float64) (*Model, error) {
	const round = 0.15 // diameters, over which branches blend
	unit := func(b *branch) geometry.Vec {
		d := b.to.Sub(b.from)
		return d.Scale(1 / d.Norm())
	}
	trunk := &t.branches[0]
	ports := []vessel.Port{{Name: "inlet", Point: trunk.from, Normal: unit(trunk)}}
	for k, i := range t.leaves {
		b := &t.branches[i]
		ports = append(ports, vessel.Port{Name: fmt.Sprintf("outlet%d", k+1), Point: b.to, Normal: unit(b).Scale(-1)})
	}
	longer := append([]branch{}, t.branches...)
	longer[0] = longer[0].extended(-beyond*2*trunk.r[0], 0)
	for _, i := range t.leaves {
		longer[i] = longer[i].extended(0, beyond*2*t.branches[i].r[1])
	}
	lo, hi := trunk.from, trunk.from
	for _, b := range longer {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], b.from[a]-b.r[0], b.to[a]-b.r[1]), max(hi[a], b.from[a]+b.r[0], b.to[a]+b.r[1])
		}
	}
	var size [3]int
	for a := range 3 {
		lo[a] -= 2.5 * step
		size[a] = int((hi[a]-lo[a])/step) + 4
	}
	of := func(p geometry.Vec) float64 { return joined(longer, p, round) }
	points, triangles := implicit.Sample(of, lo, step, size).Surface()
	implicit.Fit(points, of, step)
	implicit.Relax(points, triangles, of, step, 5)
	v, err := vessel.New(points, triangles, ports, step)
	if err != nil {
		return nil, err
	}
	return open(v, ports), nil
}

// extended is a branch that begins earlier and ends later, with the radii of its ends there.
func (b branch) extended(before, after float64) branch {
	d := b.to.Sub(b.from)
	l := d.Norm()
	whole := l + after - before
	if narrow := b.narrow; narrow != nil {
		b.narrow = func(s float64) float64 { return narrow((s*whole + before) / l) }
	}
	slope := (b.r[1] - b.r[0]) / l
	b.r = [2]float64{b.r[0] + slope*before, b.r[1] + slope*after}
	b.from, b.to = b.from.Add(d.Scale(before/l)), b.to.Add(d.Scale(after/l))
	return b
}

// open is the wall of a vessel without the discs of its ports.
func open(v *vessel.Vessel, ports []vessel.Port) *Model {
	points, all := v.Wall()
	m := &Model{Points: points, Ports: ports}
	for _, t := range all {
		m.Triangles = append(m.Triangles, [3]int{int(t[0]), int(t[1]), int(t[2])})
	}
	return m
}

// Stenosis is a trunk that divides into two branches of radii by Murray's law at 35° on either side, each tapering by a tenth; the
// upper one is narrowed to half of its diameter by a cosine over two diameters.
func Stenosis() (*Model, error) {
	const angle, taper = 35 * math.Pi / 180, 0.9
	fork := geometry.Vec{3.5, 0, 0}
	sin, cos := math.Sincos(angle)
	r := 0.5 * taper / math.Cbrt(2)
	upper := branch{from: fork, to: fork.Add(geometry.Vec{4 * cos, 4 * sin, 0}), r: [2]float64{r, r * taper}}
	lower := branch{from: fork, to: fork.Add(geometry.Vec{4 * cos, -4 * sin, 0}), r: [2]float64{r, r * taper}}
	upper.narrow = func(s float64) float64 {
		if x := math.Abs(4*s-2) / (2 * 2 * r) * 2; x < 1 {
			return 1 - 0.25*(1+math.Cos(math.Pi*x))
		}
		return 1
	}
	t := tree{[]branch{{from: geometry.Vec{}, to: fork, r: [2]float64{0.5, 0.5 * taper}}, upper, lower}, []int{1, 2}}
	return t.model(0.125)
}

// Coronary is a tree that divides twice. The radii at a fork follow Murray's law r₀³ = r₁³ + r₂³ with r₂/r₁ = 0.8, the angles are those of least work,
// cos θ₁ = (r₀⁴ + r₁⁴ − r₂⁴)/(2 r₀² r₁²) (Murray, J. Gen. Physiol. 9 (1926) 835), a branch is seven of its radii long, and each fork's plane is
// turned by 100° from that before.
func Coronary() (*Model, error) {
	var t tree
	t.grow(geometry.Vec{}, geometry.Vec{1, 0, 0}, geometry.Vec{0, 1, 0}, 0.5, 2)
	return t.model(0.142)
}

// grow adds a branch from a point along a direction, and those that it divides into in the plane of across, so many times more.
func (t *tree) grow(from, along, across geometry.Vec, r float64, times int) {
	const ratio, length, turn = 0.8, 7, 100 * math.Pi / 180
	to := from.Add(along.Scale(length * r))
	t.branches = append(t.branches, branch{from: from, to: to, r: [2]float64{r, r}})
	if times == 0 {
		t.leaves = append(t.leaves, len(t.branches)-1)
		return
	}
	for _, b := range Murray(r, ratio) {
		next := along.Scale(b.Cos).Add(across.Scale(b.Sin))
		normal := along.Cross(across)
		st, ct := math.Sincos(turn)
		t.grow(to, next, next.Cross(normal).Scale(-ct).Add(normal.Scale(st)), b.R, times-1)
	}
}

// Fork is a trunk of diameter 1 and a length that divides, at the origin, into two branches whose radii r₂/r₁ = ratio follow Murray's law
// r₀³ = r₁³ + r₂³, each so many of its radii long from there, at the angles of least work (see Coronary). Fluid that rests on equal pressures
// at the outlets then divides by the cubes of the radii, and shears all walls alike.
func Fork(trunk, ratio, long, step float64) (*Model, error) {
	const r = 0.5
	t := tree{branches: []branch{{from: geometry.Vec{-trunk, 0, 0}, r: [2]float64{r, r}}}, leaves: []int{1, 2}}
	for _, b := range Murray(r, ratio) {
		t.branches = append(t.branches, branch{to: geometry.Vec{b.Cos, b.Sin, 0}.Scale(long * b.R), r: [2]float64{b.R, b.R}})
	}
	return t.model(step)
}

// Turned is a branch behind a fork: its radius, and the cosine and sine of the angle that it makes with the one before.
type Turned struct{ R, Cos, Sin float64 }

// Murray are the branches of one of radius r, the larger first, as Coronary says.
func Murray(r, ratio float64) (of [2]Turned) {
	r1 := r / math.Cbrt(1+ratio*ratio*ratio)
	r2 := ratio * r1
	for k, b := range [2]struct{ r, other, side float64 }{{r1, r2, 1}, {r2, r1, -1}} {
		cos := (math.Pow(r, 4) + math.Pow(b.r, 4) - math.Pow(b.other, 4)) / (2 * r * r * b.r * b.r)
		of[k] = Turned{b.r, cos, b.side * math.Sqrt(1-cos*cos)}
	}
	return of
}

// Arc is a tube of diameter 1 along an arc of a circle of a radius in the x–y plane, that begins at the origin along x and turns towards y by an angle in
// radians, between straight ends of the lengths before and after; n facets around.
func Arc(radius, turn, before, after float64, n int) *Model {
	var at, tangent []geometry.Vec
	add := func(p, d geometry.Vec) { at, tangent = append(at, p), append(tangent, d) }
	rings := max(1, int(math.Ceil(4*before)))
	for k := range rings + 1 {
		add(geometry.Vec{before * (float64(k)/float64(rings) - 1), 0, 0}, geometry.Vec{1, 0, 0})
	}
	steps := int(math.Ceil(radius * turn * 6))
	for k := 1; k <= steps; k++ {
		sin, cos := math.Sincos(turn * float64(k) / float64(steps))
		add(geometry.Vec{radius * sin, radius * (1 - cos), 0}, geometry.Vec{cos, sin, 0})
	}
	end, ahead := at[len(at)-1], tangent[len(at)-1]
	rings = max(1, int(math.Ceil(4*after)))
	for k := 1; k <= rings; k++ {
		add(end.Add(ahead.Scale(after*float64(k)/float64(rings))), ahead)
	}
	return along(at, tangent, n)
}

// Coil is a tube of diameter 1 along a helix of a radius about the z axis, whose turns rise to a height; n facets around. It takes little of the box around it.
func Coil(radius, turns, height float64, n int) *Model {
	var at, tangent []geometry.Vec
	angle := 2 * math.Pi * turns
	length := math.Hypot(angle*radius, height)
	steps := int(math.Ceil(3 * length))
	for k := range steps + 1 {
		s := float64(k) / float64(steps)
		sin, cos := math.Sincos(angle * s)
		at = append(at, geometry.Vec{radius * cos, radius * sin, height * s})
		tangent = append(tangent, geometry.Vec{-sin * angle * radius / length, cos * angle * radius / length, height / length})
	}
	return along(at, tangent, n)
}

// along is a tube of diameter 1 around points with tangents of unit length, none of which is along z; n facets around.
func along(at, tangent []geometry.Vec, n int) *Model {
	m := &Model{}
	for k, p := range at {
		t := tangent[k]
		out := geometry.Vec{-t[1], t[0], 0} // with up and the tangent right-handed
		out = out.Scale(1 / out.Norm())
		up := t.Cross(out)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			m.Points = append(m.Points, p.Add(out.Scale(0.5*cos)).Add(up.Scale(0.5*sin)))
			if a, b := k*n+i, k*n+(i+1)%n; k+1 < len(at) {
				m.Triangles = append(m.Triangles, [3]int{a, b, b + n}, [3]int{a, b + n, a + n})
			}
		}
	}
	last := len(at) - 1
	m.Ports = []vessel.Port{{Name: "inlet", Point: at[0], Normal: tangent[0]}, {Name: "outlet1", Point: at[last], Normal: tangent[last].Scale(-1)}}
	return m
}

// Tube is a straight tube of diameter 1 and a length along a direction of unit length from the origin; n facets around.
func Tube(along geometry.Vec, length float64, n int) *Model {
	least := 0
	for a := range 3 {
		if math.Abs(along[a]) < math.Abs(along[least]) {
			least = a
		}
	}
	var e geometry.Vec
	e[least] = 1
	e = along.Cross(e)
	e = e.Scale(1 / e.Norm())
	f := along.Cross(e)
	m := &Model{Ports: []vessel.Port{{Name: "inlet", Normal: along}, {Name: "outlet1", Point: along.Scale(length), Normal: along.Scale(-1)}}}
	rings := max(1, int(math.Ceil(4*length)))
	for k := range rings + 1 {
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			m.Points = append(m.Points, along.Scale(length*float64(k)/float64(rings)).Add(e.Scale(0.5*cos)).Add(f.Scale(0.5*sin)))
			if a, b := k*n+i, k*n+(i+1)%n; k < rings {
				m.Triangles = append(m.Triangles, [3]int{a, b, b + n}, [3]int{a, b + n, a + n})
			}
		}
	}
	return m
}

// Cases are the models of the cases that come with the program, by the names of their files.
var Cases = map[string]func() (*Model, error){"stenosis": Stenosis, "coronary": Coronary}
