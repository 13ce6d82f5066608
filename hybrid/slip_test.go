package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// slidesIn is how fast two rings turn against each other which forces along them drive in opposite directions, a film of fluid of a width apart, over what is exact: with a
// moment M on the inner, of radius R₁, and −M on the outer, of R₂, nothing flows outside, and the inner turns by M/4πμ (1/R₁² − 1/R₂²).
func slidesIn(t *testing.T, width float64, delta string, offset float64) float64 {
	t.Helper()
	const nu, radius, moment = 0.3, 20., 0.02
	center := geometry.Vec{32.2, 31.7}
	var rings []*flexible.Cell
	var tangents [][]geometry.Vec // of forces with the moment 1
	for _, r := range []float64{radius, radius + width} {
		ring := ringAt(t, center, r, r, softRing)
		rings = append(rings, ring)
		var f []geometry.Vec
		for _, x := range ring.Points() {
			d := x.Sub(center)
			f = append(f, geometry.Vec{-d[1], d[0]}.Scale(1/(d.Dot(d)*float64(len(ring.Points())))))
		}
		tangents = append(tangents, f)
	}
	s := plane[float64](t, lbm.Config{Size: [3]int{64, 64}}, nu, CouplingConfig{Cells: rings, Delta: delta, Offset: offset}, nil, 1)
	s.Fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{} })
	turn := 0.
	for range 4000 {
		if err := s.coupling.window.Place(s.coupling.direct.putInsides); err != nil {
			t.Fatal(err)
		}
		turn = 0
		for i, sign := range []float64{1, -1} {
			for k := range rings[i].Force() {
				rings[i].Force()[k] = tangents[i][k].Scale(sign * moment)
			}
		}
		s.coupling.Step(s.fluid)
		for i, sign := range []float64{1, -1} { // rings stay where they are: what moves is along them
			for k, u := range rings[i].Velocities() {
				turn += sign * u.Dot(tangents[i][k])
			}
		}
	}
	outer := radius + width
	return turn / (moment / (4 * math.Pi * nu) * (1/(radius*radius) - 1/(outer*outer)))
}

// TestMembranesSlideAlongEachOther as fast as they should in films that are wider than a support, and in thinner ones by no more than what a delta takes of one that is
// alone, instead of hardly at all: without the correction membranes a node apart resist 2 to 3 times as much as they should.
func TestMembranesSlideAlongEachOther(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for _, delta := range []string{"roma3", "peskin4"} {
		d, err := ib.NewDelta[float64](delta)
		if err != nil {
			t.Fatal(err)
		}
		e := ib.Offset(d, lbm.MagicPoiseuille)
		for _, width := range []float64{1, 2, 4, 8} {
			put, left := slidesIn(t, width, delta, e), slidesIn(t, width, delta, 0)
			t.Logf("%s, %g nodes apart: %.3f of what is exact, uncorrected %.3f", delta, width, put, left)
			most := 1.015
			if width == 1 {
				most = 1.25
			}
			if !(put > 0.985 && put < most) || !(left < put-0.05) || width == 1 && !(left < 0.5) {
				t.Errorf("%s, %g nodes apart: membranes slide %.3f times as fast as they should, uncorrected %.3f: want 0.985 to %.3f, and less without", delta, width, put, left, most)
			}
		}
	}
}

// TestNoSlipAgainstForces: an offset that is not positive leaves vertices with the velocity of the fluid, and so does any beside an eddy viscosity.
func TestNoSlipAgainstForces(t *testing.T) {
	run := func(offset, smagorinsky float64) []geometry.Vec {
		rings := severalRings(t)
		flow := lbm.Config{Size: [3]int{64, 48}, Collision: lbm.Collision{Smagorinsky: smagorinsky}}
		s := plane[float64](t, flow, 0.2, CouplingConfig{Cells: rings, Contact: usual, Offset: offset}, nil, 1)
		s.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, [3]float64{0.02 * math.Sin(p[1]*math.Pi/24)} })
		steps(t, s, 50)
		return places(rings)
	}
	none, eddies := run(0, 0), run(0, 0.3)
	if d := apart(none, run(-0.2, 0)); d != 0 {
		t.Errorf("with a negative offset vertices are %g nodes apart", d)
	}
	if d := apart(eddies, run(0.2, 0.3)); d != 0 {
		t.Errorf("beside an eddy viscosity vertices are %g nodes apart", d)
	}
	if d := apart(none, run(0.2, 0)); !(d > 1e-4) {
		t.Errorf("with a positive one %g", d)
	}
	if d := apart(none, eddies); d == 0 {
		t.Error("the flow has no eddy viscosity")
	}
}

// TestWhatCellsEncloseStays where their vertices slip: what interpolation makes of the fluid's flux is taken away. Steps of second order leave some 1e-7.
func TestWhatCellsEncloseStays(t *testing.T) {
	flow := func(p [3]float64) (float64, [3]float64) {
		return 1, [3]float64{0.02 * math.Sin(p[1]*math.Pi/16), 0.01 * math.Cos(p[0]*math.Pi/18)}
	}
	for offset, bound := range map[float64]float64{0.3: 1e-6, 0: math.Inf(1)} {
		collision, err := lbm.NewCollision("trt", 0.1, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		pool := parallel.NewPool(2)
		defer pool.Close()
		fluid, err := lbm.New[float64](lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{36, 32, 24}, Collision: collision}, pool)
		if err != nil {
			t.Fatal(err)
		}
		cells := capsules(t, soft, 3)
		s, err := NewSimulation(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: cells, Offset: offset}, nil, pool)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		rings := severalRings(t)
		r := plane[float64](t, lbm.Config{Size: [3]int{64, 48}}, 0.2, CouplingConfig{Cells: rings, Contact: usual, Offset: offset}, nil, 1)
		s.Fluid.Initialize(flow)
		r.Fluid.Initialize(flow)
		all := append(cells, rings...)
		var before []float64
		for _, c := range all {
			before = append(before, c.Measure().Volume)
		}
		steps(t, s, 150)
		steps(t, r, 150)
		if n := testing.AllocsPerRun(20, func() { s.coupling.cells.takeVelocities(); r.coupling.cells.takeVelocities() }); n > 0 && !testing.Short() { // the race detector allocates
			t.Errorf("offset %g: velocities of vertices allocate %g times", offset, n)
		}
		worst := 0.
		for i, c := range all {
			worst = math.Max(worst, math.Abs(c.Measure().Volume/before[i]-1))
		}
		if worst > bound || offset == 0 && worst < 1e-6 {
			t.Errorf("offset %g: what a cell encloses changes by %g", offset, worst)
		}
	}
}
