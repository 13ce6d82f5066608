package hybrid_test

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
	"lbmib/ib/elastic/plate"
	"lbmib/lbm"
)

// thrown is a straight line of n nodes from a place along a direction, which moves with a velocity.
func thrown(t testing.TB, from, along geometry.Vec, n int, u geometry.Vec, c beam.Config) *rigid.Body {
	t.Helper()
	c.Dim, c.Step = 2, 1
	for i := range n {
		c.X, c.U = append(c.X, from.Add(along.Scale(float64(i)))), append(c.U, u)
	}
	f, err := flexible.NewFilament(c, 0, 1, [2]flexible.Hold{})
	if err != nil {
		t.Fatal(err)
	}
	shape, err := geometry.NewLine(c.X)
	if err != nil {
		t.Fatal(err)
	}
	return f.Body("line", shape)
}

// met steps bodies in a fluid at rest with contact of a range, 0 for none, and returns the simulation and the least distance of the first one's markers from
// the second one's, or from the floor where there is none.
func met(t testing.TB, flow lbm.Config, distance float64, count int, bodies ...*rigid.Body) (s *hybrid.Simulation[float64], least float64) {
	t.Helper()
	flow.Collision = hybridtest.Collision(t, "trt", 0.05)
	scene := hybridtest.Scene{
		Flow: flow, Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Contact: rigid.Contact{Distance: distance, Stiffness: 1, Speed: 0.05}},
		Bodies: func(testing.TB) []*rigid.Body { return bodies },
	}
	fluid := hybridtest.CPU[float64](t, flow, 1)
	fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	s = hybridtest.Simulate(t, &scene, fluid, hybrid.Plan[float64]{Schedule: "serial"}, 1)
	least = math.Inf(1)
	for range count {
		if step(t, s, 1); s.Err() != nil {
			t.Fatal(s.Err())
		}
		for _, x := range bodies[0].Markers.X {
			if len(bodies) == 1 {
				least = min(least, x[1]+0.5)
				continue
			}
			for _, y := range bodies[1].Markers.X {
				least = min(least, x.Sub(y).Norm())
			}
		}
	}
	return s, least
}

// TestLinesKeepAwayFromLines: a heavy line that is thrown end on at another, which is held by its ends, passes through it without contact, and comes no nearer than half a node
// with it.
func TestLinesKeepAwayFromLines(t *testing.T) {
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{48, 48, 1}}
	heavy := beam.Config{Mass: 30, Inextensible: true, Bending: 5}
	held := beam.Config{Mass: 5, Stretching: 5, Bending: 5, First: beam.End{Kind: beam.Clamped}, Last: beam.End{Kind: beam.Clamped}}
	of := func(distance float64) (least, tip float64) {
		a := thrown(t, geometry.Vec{24.2, 20.3}, geometry.Vec{0, 1}, 12, geometry.Vec{0, -0.05}, heavy)
		b := thrown(t, geometry.Vec{12, 15.4}, geometry.Vec{1}, 25, geometry.Vec{}, held)
		_, least = met(t, flow, distance, 300, a, b)
		return least, a.Markers.X[0][1] - b.Markers.X[12][1]
	}
	without, through := of(0)
	with, before := of(2)
	t.Logf("nearest %.3f without contact, tip at %.3f of the other's middle; with it %.3f, %.3f", without, through, with, before)
	if !(through < 0 && before > 0.4 && with > 0.4) {
		t.Errorf("without contact the tip comes to %.3f nodes of the other line (behind it: negative), with it to %.3f, nearest %.3f: want it behind, and at least 0.4 before", through, before, with)
	}
}

// TestLinesInContactKeepMomentum: of two free ones that meet in a periodic box, with the fluid's.
func TestLinesInContactKeepMomentum(t *testing.T) {
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{48, 48, 1}}
	a := thrown(t, geometry.Vec{24.2, 17.3}, geometry.Vec{0, 1}, 12, geometry.Vec{0, -0.05}, beam.Config{Mass: 30, Stretching: 5, Bending: 5})
	b := thrown(t, geometry.Vec{18, 15.4}, geometry.Vec{1}, 13, geometry.Vec{}, beam.Config{Stretching: 5, Bending: 1})
	s, _ := met(t, flow, 2, 1, a, b)
	kept := func() geometry.Vec {
		before := []geometry.Vec{}
		for _, body := range s.Bodies {
			before = append(before, body.Structure.(*flexible.Filament).Line.U()...)
		}
		step(t, s, 1)
		p := momentum(s)
		for _, body := range s.Bodies {
			f := body.Structure.(*flexible.Filament)
			for i, u := range f.Line.U() { // BDF2's momentum is M(3U − U⁻)/2
				p = p.Add(u.Sub(before[0]).Scale(f.Mass() * f.Line.Share(i) / 2))
				before = before[1:]
			}
		}
		return p
	}
	first := kept()
	for range 100 {
		if d := kept().Sub(first).Norm(); d > 1e-10 {
			t.Fatalf("momentum %v has changed by %g", first, d)
		}
	}
	if b.State().Position[1] > 15.3 {
		t.Errorf("the line that was hit is at y = %.4f, was at 15.4: it should have been pushed", b.State().Position[1])
	}
}

// TestLinesKeepAwayFromWallsAndBodies: a line falls broadside onto the floor, and onto a fixed ball.
func TestLinesKeepAwayFromWallsAndBodies(t *testing.T) {
	flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{48, 40, 1}}
	flow.Faces[2].Kind, flow.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip
	heavy := beam.Config{Mass: 30, Inextensible: true, Bending: 5}
	falling := func(y float64) *rigid.Body {
		return thrown(t, geometry.Vec{18.7, y}, geometry.Vec{1}, 12, geometry.Vec{0, -0.05}, heavy)
	}
	heavy.Gravity = geometry.Vec{0, -2e-4}
	if _, least := met(t, flow, 2, 900, falling(2.5)); !(least > 1 && least < 2) { // P (1 − g/d)³ bears its weight at 1.5
		t.Errorf("it lies %.3f nodes above the floor, want 1 to 2", least)
	}
	heavy.Gravity = geometry.Vec{}
	if _, least := met(t, flow, 2, 200, falling(20), hybridtest.Ball(t, 24.3, 11, 0, 10)); !(least > 0.3 && least < 2) {
		t.Errorf("it comes to %.3f nodes of a ball, want 0.3 to 2", least)
	}
}

// TestSheetsKeepAwayFromSheets: one that is thrown edge on at another, whose left and right edges are held, stays on its side.
func TestSheetsKeepAwayFromSheets(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	flow := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{24, 28, 20}}
	heavy := plate.Config{Mass: 20, Stretching: 5, Shear: 2, Bending: 2}
	held := plate.Config{Mass: 2, Stretching: 5, Shear: 2, Bending: 2, Edges: [4]plate.EdgeKind{plate.Clamped, plate.Clamped}}
	of := func(distance float64) (middle float64) {
		a := sheetAt(t, geometry.Vec{12, 17.2, 10}, 6, 5, geometry.Vec{0, 1}, geometry.Vec{0, 0, 1}, geometry.Vec{0, -0.05}, heavy)
		b := sheetAt(t, geometry.Vec{12, 11.4, 10}, 13, 7, geometry.Vec{1}, geometry.Vec{0, 0, 1}, geometry.Vec{}, held)
		met(t, flow, distance, 220, a, b)
		return a.Markers.X[2*6][1] - b.Markers.X[3*13+6][1] // the leading edge's middle over the other's
	}
	without, with := of(0), of(2)
	t.Logf("edge over the other sheet: %.3f without contact, %.3f with", without, with)
	if !(without < with && with > 0.4) {
		t.Errorf("the edge comes to %.3f nodes over the other sheet with contact, %.3f without: want at least 0.4 with", with, without)
	}
}

// sheetAt is a sheet of n by m nodes, a node and a tenth apart, about a place, along two directions, which moves with a velocity.
func sheetAt(t testing.TB, at geometry.Vec, n, m int, along, across, u geometry.Vec, c plate.Config) *rigid.Body {
	t.Helper()
	const h = 1.1
	c.Step, c.Nodes, c.Spacing = 1, [2]int{n, m}, [2]float64{h, h}
	for k := range n * m {
		x := along.Scale(h * (float64(k%n) - float64(n-1)/2)).Add(across.Scale(h * (float64(k/n) - float64(m-1)/2)))
		c.X, c.U = append(c.X, at.Add(x)), append(c.U, u)
	}
	s, err := flexible.NewSheet(c)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := geometry.NewRectangle(at, [2]float64{h * float64(n-1), h * float64(m-1)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Body("sheet", shape)
}
