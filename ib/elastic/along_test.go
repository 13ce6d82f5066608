package elastic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

// Forces of a traction that goes round a sphere's axis are found as that, but for what smoothing takes of a wave that long, and none of forces across the surface; what is
// found is along the surface.
func TestTractionsAlongASphere(t *testing.T) {
	const radius = 7.
	mesh, err := NewSphere(8, geometry.Vec{}, 2*radius)
	if err != nil {
		t.Fatal(err)
	}
	n := mesh.Vertices()
	x, swirl, swell := make([]geometry.Vec, n), make([]geometry.Vec, n), make([]geometry.Vec, n)
	for v := range x {
		x[v] = mesh.Point(v)
	}
	area := make([]float64, n)
	for k := range mesh.Triangles() {
		a, b, c := mesh.corners(k)
		twice := b.Sub(a).Cross(c.Sub(a))
		for _, v := range mesh.triangles[k] {
			area[v] += twice.Norm() / 6
			swell[v] = swell[v].Add(twice) // along the vertex' normal
		}
	}
	for v := range x {
		swirl[v] = geometry.Vec{-x[v][1], x[v][0]}.Scale(area[v] / radius)
	}
	m := newMembrane(t, mesh, Material{Shear: 1})
	along := func(kernel string, f []geometry.Vec, rounds int) (found []geometry.Vec) {
		m := withKernel(t, m, kernel)
		at, force, traction := make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen())
		for v := range x {
			SetVertex(at, 5, v, x[v])
			SetVertex(at, 0, v, x[v])
			SetVertex(force, 5, v, f[v])
		}
		FillUnused(at, 1)
		m.Along(m.NewScratch(), at, force, traction, rounds, Lanes)
		for v := range x {
			found = append(found, Vertex(traction, 5, v))
		}
		return found
	}
	most := func(of []geometry.Vec, want func(v int) geometry.Vec) (worst float64) {
		for v, f := range of {
			worst = math.Max(worst, f.Sub(want(v)).Norm())
		}
		return worst
	}
	for rounds, bound := range map[int]float64{1: 0.03, 4: 0.12} { // a round takes (1 + 1) ℓ²/2R² of a wave l = 1, ℓ² ≈ 1.1 A
		plain := along(inGo, swirl, rounds)
		got := most(plain, func(v int) geometry.Vec { return geometry.Vec{-x[v][1], x[v][0]}.Scale(1 / radius) })
		if got > bound {
			t.Errorf("%d rounds: a traction of 1 is %.3g off, at most %g wanted", rounds, got, bound)
		}
		for _, kernel := range KernelNames() {
			if got := most(along(kernel, swirl, rounds), func(v int) geometry.Vec { return plain[v] }); got > 1e-14 {
				t.Errorf("%d rounds, %s: %g from what it is in Go", rounds, kernel, got)
			}
			if got := most(along(kernel, swell, rounds), func(int) geometry.Vec { return geometry.Vec{} }); got > 1e-13 {
				t.Errorf("%d rounds, %s: forces across the surface have the traction %g along it", rounds, kernel, got)
			}
		}
	}
}

// A finer mesh is smoothed more often, for steps to be as stable, until that is too often.
func TestFinerMeshesAreSmoothedMoreOften(t *testing.T) {
	before := 0
	for _, area := range []float64{2, 1.25, 0.8, 0.5, 0.3, 0.2} {
		rounds, stiffness := Rounds(area, 0.33, 12)
		if rounds <= before && area < 1.25 || !(stiffness >= 12 || rounds == mostRounds) {
			t.Errorf("vertices of %g nodes²: %d rounds up to a stiffness of %g, %d of larger ones", area, rounds, stiffness, before)
		}
		before = rounds
	}
	if rounds, stiffness := Rounds(0.1, 0.33, 12); rounds != mostRounds || !(stiffness < 12 && stiffness > 4) {
		t.Errorf("a mesh that is too fine: %d rounds up to %g", rounds, stiffness)
	}
}

// BenchmarkAlong is of eight red cells of 642 vertices, two rounds.
func BenchmarkAlong(b *testing.B) {
	mesh, err := NewRedCell(8, geometry.Vec{}, 16)
	if err != nil {
		b.Fatal(err)
	}
	m, err := NewMembrane(mesh, Material{Shear: 1})
	if err != nil {
		b.Fatal(err)
	}
	x, s := mesh.block(), m.NewScratch()
	f, t := make([]float64, len(x)), make([]float64, len(x))
	copy(f, x)
	for b.Loop() {
		m.Along(s, x, f, t, 2, Lanes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*Lanes*mesh.Vertices()), "ns/vertex")
}

// Sliding leaves no flux through the surface, in any form of the loops, and moves vertices by what the traction asks for along it.
func TestSlidingKeepsWhatIsEnclosed(t *testing.T) {
	mesh, err := NewRedCell(6, geometry.Vec{}, 12)
	if err != nil {
		t.Fatal(err)
	}
	const per = 0.3
	x, r := mesh.block(), rand.New(rand.NewPCG(3, 4))
	for k := range x {
		x[k] += 0.05 * r.Float64()
	}
	random := func() []float64 {
		v := make([]float64, len(x))
		for k := range v {
			v[k] = r.NormFloat64()
		}
		return v
	}
	f, u := random(), random()
	m := newMembrane(t, mesh, Material{Shear: 1})
	slid := map[string][]float64{}
	for _, kernel := range KernelNames() {
		m := withKernel(t, m, kernel)
		s, traction, got := m.NewScratch(), make([]float64, len(x)), slices.Clone(u)
		m.Along(s, x, f, traction, 2, Lanes)
		m.Slide(s, got, traction, per)
		slid[kernel] = got
		for lane := range Lanes {
			flux, size := 0., 0.
			for k := range mesh.Triangles() {
				c := mesh.triangles[k]
				a := Vertex(x, lane, int(c[0]))
				n := Vertex(x, lane, int(c[1])).Sub(a).Cross(Vertex(x, lane, int(c[2])).Sub(a))
				for _, v := range c {
					flux += Vertex(got, lane, int(v)).Dot(n)
					size += math.Abs(Vertex(u, lane, int(v)).Dot(n))
				}
			}
			if math.Abs(flux) > 1e-13*size {
				t.Errorf("%s, lane %d: a flux of %g of %g is left", kernel, lane, flux, size)
			}
		}
		for k := range got {
			if d := math.Abs(got[k] - slid[KernelNames()[0]][k]); d > 1e-13 {
				t.Fatalf("%s: number %d is %g from what %s makes", kernel, k, d, KernelNames()[0])
			}
		}
		for v := range mesh.Vertices() { // what sliding has changed, less what the traction asks for, is along the normal
			for lane := range Lanes {
				rest := Vertex(got, lane, v).Sub(Vertex(u, lane, v)).Sub(Vertex(traction, lane, v).Scale(per))
				n := Vertex(s.normal, lane, v)
				if off := rest.Cross(n).Norm(); off > 1e-13 {
					t.Fatalf("%s: vertex %d is moved by %g across its normal beyond the traction", kernel, v, off)
				}
			}
		}
	}
}
