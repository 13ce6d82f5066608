package hybrid

import (
	"math"
	"slices"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/beam"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// sphereAt is a capsule with vertices about a node apart.
func sphereAt(t testing.TB, name string, at geometry.Vec, diameter float64, material elastic.Material) *flexible.Cell {
	t.Helper()
	frequency := int(math.Round(diameter / 2 * math.Sqrt(4*math.Pi/(20*0.433))))
	mesh, err := elastic.NewSphere(frequency, geometry.Vec{}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, material)
	if err != nil {
		t.Fatal(err)
	}
	c, err := flexible.NewCell(name, m, at, geometry.Identity())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// contains tells whether a point is inside a cell: the solid angle of its surface is 4π there (van Oosterom & Strackee, IEEE Trans. Biomed.
// Eng. 30 (1983) 125).
func contains(c *flexible.Cell, p geometry.Vec) bool {
	mesh, x, sum := c.Membrane.Mesh(), c.Points(), 0.
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		a, b, d := x[t[0]].Sub(p), x[t[1]].Sub(p), x[t[2]].Sub(p)
		la, lb, ld := a.Norm(), b.Norm(), d.Norm()
		sum += 2 * math.Atan2(a.Dot(b.Cross(d)), la*lb*ld+a.Dot(b)*ld+b.Dot(d)*la+d.Dot(a)*lb)
	}
	return sum > 2*math.Pi
}

// between is the least distance of two cells' vertices, and how many are inside the other.
func between(a, b *flexible.Cell) (least float64, inside int) {
	least = math.Inf(1)
	for _, x := range a.Points() {
		for _, y := range b.Points() {
			least = min(least, x.Sub(y).Norm())
		}
		if contains(b, x) {
			inside++
		}
	}
	for _, y := range b.Points() {
		if contains(a, y) {
			inside++
		}
	}
	return least, inside
}

// boxed is a simulation of cells and bodies in a box of fluid.
func boxed(t testing.TB, flow lbm.Config, nu float64, k rigid.Contact, cells []*flexible.Cell, bodies []*rigid.Body, workers int) *Simulation[float64] {
	t.Helper()
	var err error
	if flow.Collision, err = lbm.NewCollision("trt", nu, lbm.MagicPoiseuille); err != nil {
		t.Fatal(err)
	}
	flow.Lattice = lbm.D3Q19
	pool := parallel.NewPool(workers)
	t.Cleanup(pool.Close)
	fluid, err := lbm.New[float64](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSimulation(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: cells, Contact: k}, bodies, pool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// ballAt is a rigid sphere.
func ballAt(t *testing.T, at geometry.Vec, diameter float64) *rigid.Body {
	t.Helper()
	shape, err := geometry.NewSphere(at, diameter)
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("ball", shape, 1, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var usual = rigid.Contact{Distance: 2, Stiffness: 1}

// TestCapsulesPassEachOther: shear drives two capsules, whose centres are a quarter of a diameter apart across it, over each other. Neither gets
// into the other, and they are above each other on the other side.
func TestCapsulesPassEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const rate, nu, radius = 0.03, 0.2, 3.
	flow := lbm.Config{Size: [3]int{30, 20, 12}}
	for side, sign := range map[int]float64{2: -1, 3: 1} {
		flow.Faces[side] = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{sign * rate * 10, 0, 0} }}
	}
	material := elastic.Material{Law: "skalak", Shear: nu * rate * radius / 0.2, Area: 1, Bending: 1e-3} // Ca = 0.2
	lower, upper := sphereAt(t, "lower", geometry.Vec{18.2, 8.7, 5.5}, 2*radius, material), sphereAt(t, "upper", geometry.Vec{11.1, 10.2, 5.5}, 2*radius, material)
	s := boxed(t, flow, nu, usual, []*flexible.Cell{lower, upper}, nil, 1)
	s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{rate * (p[1] - 9.5), 0, 0} })
	closest := math.Inf(1)
	for range 20 {
		steps(t, s, 20)
		gap, inside := between(lower, upper)
		if told, known := s.Gap(0); !known || math.Abs(told-min(gap, 2)) > 1e-12 {
			t.Errorf("the gap is told to be %v (%v), it is %v", told, known, gap)
		}
		if closest = min(closest, gap); inside > 0 {
			t.Fatalf("%d vertices are inside the other capsule", inside)
		}
	}
	a, b := lower.Measure().Center, upper.Measure().Center
	t.Logf("closest %.3f; lower at %.2f, %.2f, upper at %.2f, %.2f", closest, a[0], a[1], b[0], b[1])
	if !(closest > 0.5 && closest < usual.Distance) || b[0] < a[0]+2*radius || b[1] < a[1]+1 {
		t.Errorf("closest %.3f; lower at %.2f, %.2f, upper at %.2f, %.2f", closest, a[0], a[1], b[0], b[1])
	}
}

// TestAPressedCellStaysOutOfABody: a stream through a periodic box presses two capsules against each other and a fixed sphere, with several times the
// pressure that flattens them. Without contact the film drains, and the vertices of the first pass into the sphere.
func TestAPressedCellStaysOutOfABody(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 5e-3}
	run := func(k rigid.Contact) (least, apart float64) {
		middle := geometry.Vec{22, 6.5, 6.5}
		second, first := sphereAt(t, "second", geometry.Vec{5.5, 6.5, 6.5}, 7, material), sphereAt(t, "first", geometry.Vec{13.5, 6.5, 6.5}, 7, material)
		s := boxed(t, lbm.Config{Size: [3]int{32, 14, 14}, Force: [3]float64{2e-4}}, 0.1, k, []*flexible.Cell{second, first}, []*rigid.Body{ballAt(t, middle, 8)}, 1)
		least, apart = math.Inf(1), math.Inf(1)
		for range 13 {
			steps(t, s, 100)
			gap, inside := between(first, second)
			if apart = min(apart, gap); inside > 0 {
				t.Errorf("%+v: %d vertices of a capsule are inside the other", k, inside)
			}
			for _, x := range first.Points() {
				least = min(least, x.Sub(middle).Norm()-4)
			}
		}
		return least, apart
	}
	without, _ := run(rigid.Contact{})
	with, apart := run(usual)
	t.Logf("gaps: without contact %.3f, with %.3f, capsules %.3f", without, with, apart)
	if !(without < 0) || !(with > 0.4) || !(apart > 0.8) {
		t.Errorf("the first capsule's vertices come to %.3f nodes of the sphere without contact, which it should pass into, and to %.3f with, and to %.3f of the second: want more than 0.4 and 0.8", without, with, apart)
	}
}

// TestContactKeepsMomentum: capsules that begin half a node apart, and from a sphere that moves freely, move away from each other in a periodic box, whose
// momentum stays as it is. It is the fluid's and the sphere's, less that of the fluid inside.
func TestContactKeepsMomentum(t *testing.T) {
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 1e-3}
	a, b := sphereAt(t, "a", geometry.Vec{5, 8.1, 8.2}, 6, material), sphereAt(t, "b", geometry.Vec{11.5, 8.3, 8}, 6, material)
	ball := ballAt(t, geometry.Vec{18.9, 8.3, 8.4}, 8)
	ball.Free = &rigid.Free{Density: 2}
	size := [3]int{28, 17, 17}
	s := boxed(t, lbm.Config{Size: size}, 0.1, usual, []*flexible.Cell{a, b}, []*rigid.Body{ball}, 2)
	account := func() (p geometry.Vec) {
		_, j := s.Fluid.Momentum([3]int{}, size)
		for d := range p {
			p[d] = j[d] + 2*ball.Shape.Enclosed()*ball.Here().Velocity[d] - s.Rigid()[22+d]
		}
		return p
	}
	from := func() float64 {
		least := math.Inf(1)
		for _, x := range b.Points() {
			least = min(least, x.Sub(ball.Here().Position).Norm()-4)
		}
		return least
	}
	gap, _ := between(a, b)
	begin := [2]float64{gap, from()}
	fastest, worst := 0., 0.
	for range 30 {
		steps(t, s, 10)
		fastest, worst = max(fastest, 2*ball.Shape.Enclosed()*ball.Here().Velocity.Norm()), max(worst, account().Norm())
	}
	gap, _ = between(a, b)
	t.Logf("gaps %.3f and %.3f to %.3f and %.3f, the sphere's momentum up to %.3g, that of all %.3g", begin[0], begin[1], gap, from(), fastest, worst)
	if worst > 1e-11 { // rounding of 8,000 nodes over 300 steps
		t.Errorf("the momentum of all is up to %g", worst)
	}
	if !(gap > begin[0]+0.1 && from() > begin[1]+0.5 && fastest > 1e-3) {
		t.Errorf("gaps go from %.3f and %.3f to %.3f and %.3f, the sphere's momentum is up to %.3g: they should move apart", begin[0], begin[1], gap, from(), fastest)
	}
}

// TestWallsRepelCells: capsules in a fluid at rest that begin 0.4 nodes from a wall move away from it; periodic faces leave them.
func TestWallsRepelCells(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 1e-3}
	still := func([3]float64) [3]float64 { return [3]float64{} }
	for _, c := range []struct {
		low, high lbm.Face
		size      int
		repels    bool
	}{
		{lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.MovingWall, Velocity: still}, 20, true},
		{lbm.Face{}, lbm.Face{}, 23, false}, // of which 6 more are between them, across the faces
	} {
		top := float64(c.size) - 3.9
		low, high := sphereAt(t, "low", geometry.Vec{6, 2.9, 6}, 6, material), sphereAt(t, "high", geometry.Vec{6, top, 6}, 6, material)
		flow := lbm.Config{Size: [3]int{13, c.size, 13}}
		if !c.repels {
			flow.Size[1] += 6
		}
		flow.Faces[2], flow.Faces[3] = c.low, c.high
		s := boxed(t, flow, 0.1, usual, []*flexible.Cell{low, high}, nil, 1)
		steps(t, s, 300)
		up, down := low.Measure().Center[1]-2.9, top-high.Measure().Center[1]
		t.Logf("%s, %s: by %g and %g", c.low.Kind, c.high.Kind, up, down)
		if c.repels && !(up > 0.2 && math.Abs(up-down) < 1e-9) || !c.repels && math.Max(math.Abs(up), math.Abs(down)) > 1e-4 {
			t.Errorf("%s, %s: capsules move by %g and %g nodes from the faces", c.low.Kind, c.high.Kind, up, down)
		}
	}
}

// TestContactIsTheSameBits for any number of workers, and when a state is continued by another simulation, whose lists of neighbours are of
// another step.
func TestContactIsTheSameBits(t *testing.T) {
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 1e-3}
	made := func(workers int) (*Simulation[float64], []*flexible.Cell) {
		var cells []*flexible.Cell
		for i := range 8 { // more vertices than loops share from
			cells = append(cells, sphereAt(t, "c", geometry.Vec{5 + 14*float64(i%2), 6 + 14*float64(i/2%2), 6 + 14*float64(i/4)}, 13, material))
		}
		s := boxed(t, lbm.Config{Size: [3]int{28, 28, 28}}, 0.1, usual, cells, nil, workers)
		s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) {
			return 1, [3]float64{0.05 * math.Sin(2*math.Pi*p[1]/28), 0.03 * math.Cos(2*math.Pi*p[2]/28), 0}
		})
		return s, cells
	}
	a, one := made(1)
	b, three := made(3)
	c, resumed := made(2)
	if n := len(places(one)); n < parallel.SharedFrom {
		t.Fatalf("%d vertices: loops are not shared", n)
	}
	steps(t, a, 13)
	continueFrom(t, c, a)
	steps(t, a, 17)
	steps(t, c, 17)
	steps(t, b, 30)
	touching := 0
	for i := range one {
		if gap, _ := a.Gap(i); gap < usual.Distance {
			touching++
		}
	}
	if touching < len(one) {
		t.Errorf("%d of %d cells touch", touching, len(one))
	}
	if !slices.Equal(places(one), places(three)) {
		t.Error("one worker and three put the vertices elsewhere")
	}
	if !slices.Equal(places(one), places(resumed)) {
		t.Error("a simulation that goes on from a state puts the vertices elsewhere")
	}
}

// TestASingleCellFarFromAllIsTheSameBits with contact and without.
func TestASingleCellFarFromAllIsTheSameBits(t *testing.T) {
	run := func(k rigid.Contact) []geometry.Vec {
		cell := capsules(t, soft, 1)[:1]
		steps(t, shear[float64](t, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: cell, Contact: k}, nil, 1), 30)
		return places(cell)
	}
	if !slices.Equal(run(rigid.Contact{}), run(usual)) {
		t.Error("contact changes where the vertices are")
	}
}

// TestSolidsRepelCells: a stream presses a capsule onto a post of solid nodes, in front of it or beside its edges, which would end the run as soon as
// a support holds a solid node: three nodes wide, 1.5 from the node along some axis. It comes as near as two nodes, and stays outside.
func TestSolidsRepelCells(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 5e-3}
	size := [3]int{26, 16, 16}
	for _, slanted := range []bool{false, true} {
		flow := lbm.Config{Size: size, Force: [3]float64{6e-5}, Solid: make([]bool, size[0]*size[1]*size[2])}
		flow.Lattice = lbm.D3Q19
		for n := range flow.Solid {
			p := flow.Position(n)
			dx, dy := math.Abs(float64(p[0])-18), math.Abs(float64(p[1])-7.5)
			flow.Solid[n] = !slanted && dx < 3 && dy < 3 || slanted && dx+dy < 4
		}
		cell := sphereAt(t, "cell", geometry.Vec{8, 7.5, 7.5}, 8, material)
		run := func(k rigid.Contact) (nearest float64, err error) {
			s := boxed(t, flow, 0.1, k, []*flexible.Cell{cell}, nil, 1)
			nearest = math.Inf(1)
			for range 1500 {
				if s.Step(); s.Err() != nil {
					return nearest, s.Err()
				}
				if s.Fluid.Steps()%50 > 0 {
					continue
				}
				for _, x := range cell.Points() {
					for n, solid := range flow.Solid {
						p := flow.Position(n)
						if d := max(math.Abs(x[0]-float64(p[0])), math.Abs(x[1]-float64(p[1]))); solid && p[2] == 8 {
							nearest = min(nearest, d)
						}
					}
				}
			}
			return nearest, nil
		}
		_, without := run(rigid.Contact{})
		nearest, with := run(usual)
		t.Logf("slanted %v: nearest %.3f, without contact %v", slanted, nearest, without)
		if without == nil || with != nil || !(nearest > 1.6 && nearest < 3) {
			t.Errorf("slanted %v: vertices come to %.3f nodes from a solid node along some axis (%v), want 1.6 to 3; without contact the run should end, it does with %v", slanted, nearest, with, without)
		}
	}
}

// TestALineAndACellRepelEachOther: a line without mass that begins half a node beside a capsule moves away from it in a periodic box, whose
// momentum is the fluid's and stays none.
func TestALineAndACellRepelEachOther(t *testing.T) {
	c := beam.Config{Dim: 3, Step: 1, Stretching: 0.05, Bending: 0.05}
	for i := range 13 {
		c.X = append(c.X, geometry.Vec{4 + float64(i), 4})
	}
	line, err := flexible.NewFilament(c, 0, 1, [2]flexible.Hold{})
	if err != nil {
		t.Fatal(err)
	}
	shape, err := geometry.NewLine(c.X)
	if err != nil {
		t.Fatal(err)
	}
	cell := sphereAt(t, "cell", geometry.Vec{10, 7.5, 0}, 6, elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 1e-3})
	size := [3]int{20, 18, 16}
	s := boxed(t, lbm.Config{Size: size}, 0.1, usual, []*flexible.Cell{cell}, []*rigid.Body{line.Body("line", shape)}, 1)
	gap := func() float64 {
		least := math.Inf(1)
		for _, x := range line.Line.X() {
			for _, y := range cell.Points() {
				least = min(least, x.Sub(y).Norm())
			}
		}
		return least
	}
	begin := gap()
	steps(t, s, 400)
	_, j := s.Fluid.Momentum([3]int{}, size)
	moved := line.Line.X()[6][1] - 4
	t.Logf("gap %.3f to %.3f, the line's middle by %.3f, momentum %.3g", begin, gap(), moved, geometry.Vec(j).Norm())
	if !(begin < 0.6 && gap() > 0.9 && moved < -0.1) || geometry.Vec(j).Norm() > 1e-11 {
		t.Errorf("the gap goes from %.3f to %.3f, the line's middle moves by %.3f: they should move apart; momentum %g", begin, gap(), moved, geometry.Vec(j).Norm())
	}
}

// BenchmarkCellsInContact: what contact takes of a step of eight capsules that all but fill a periodic box.
func BenchmarkCellsInContact(b *testing.B) {
	material := elastic.Material{Law: "skalak", Shear: 0.02, Area: 1, Bending: 1e-3}
	for name, k := range map[string]rigid.Contact{"without": {}, "with": usual} {
		var cells []*flexible.Cell
		for i := range 8 {
			cells = append(cells, sphereAt(b, "c", geometry.Vec{5 + 15*float64(i%2), 6 + 15*float64(i/2%2), 6 + 15*float64(i/4)}, 13.5, material))
		}
		s := boxed(b, lbm.Config{Size: [3]int{30, 30, 30}}, 0.1, k, cells, nil, 1)
		s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) {
			return 1, [3]float64{0.03 * math.Sin(2*math.Pi*p[1]/30), 0.02 * math.Cos(2*math.Pi*p[2]/30), 0}
		})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.Step()
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(cells)), "µs/cell")
		})
	}
}
