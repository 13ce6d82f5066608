package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// besideFaces is a fluid of some size with bodies, all of whose faces but the periodic ones
// along x are of a kind.
func besideFaces(t testing.TB, l *lbm.Lattice, size [3]int, face lbm.Face, cfg CouplingConfig, u [3]float64, bodies ...*rigid.Body) *Simulation[float64] {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	flow := lbm.Config{Lattice: l, Size: size, Collision: c}
	for i := 2; i < 2*l.Dim; i++ {
		flow.Faces[i] = face
	}
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	f, err := lbm.New[float64](flow, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, u })
	s, err := NewSimulation[float64](f, cfg, bodies, pool)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ring is a cylinder with an even number of markers, none of them at the height of its
// centre; of those below a height there are none.
func ring(t testing.TB, center geometry.Vec, diameter, above, speed float64) *rigid.Body {
	t.Helper()
	s, err := geometry.NewCircle(center, diameter)
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("cylinder", s, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := int(math.Pi*diameter/2) * 2
	b.Markers = geometry.Markers{}
	for k := range n {
		angle := (float64(k) + 0.5) * 2 * math.Pi / float64(n)
		normal := geometry.Vec{math.Cos(angle), math.Sin(angle)}
		if x := center.Add(normal.Scale(diameter / 2)); x[1] > above {
			b.Markers.X, b.Markers.Normal = append(b.Markers.X, x), append(b.Markers.Normal, normal)
			b.Markers.Area = append(b.Markers.Area, math.Pi*diameter/float64(n))
		}
	}
	if speed != 0 {
		b.Motion = &kinematics.Rigid{Center: center, Pivot: center, Shift: [3]kinematics.Track{kinematics.Steady{Rate: speed}}}
	}
	return b
}

// Half of a cylinder on a plane of symmetry is what a whole one is, whatever the delta,
// the forcing and the motion.
func TestHalfABodyIsAWholeOne(t *testing.T) {
	for _, delta := range []string{"hat2", "roma3", "peskin4"} {
		for _, forcing := range []string{"direct", "multidirect"} {
			for _, speed := range []float64{0, -0.03} {
				cfg := CouplingConfig{Delta: delta, Transfer: "auto", Forcing: forcing, Iterations: 4, Tolerance: 1e-9, Offset: 0.3}
				u, slip := [3]float64{0.05}, lbm.Face{Kind: lbm.FreeSlip}
				whole := besideFaces(t, lbm.D2Q9, [3]int{48, 40, 1}, slip, cfg, u, ring(t, geometry.Vec{20.3, 19.5}, 11, 0, speed))
				half := besideFaces(t, lbm.D2Q9, [3]int{48, 20, 1}, slip, cfg, u, ring(t, geometry.Vec{20.3, -0.5}, 11, -0.5, speed))
				for range 60 {
					whole.Step()
					half.Step()
				}
				a, b := whole.StepMeasured()[0], half.StepMeasured()[0]
				if d := a.Force[0] - a.Inner[0] - 2*(b.Force[0]-b.Inner[0]); math.Abs(d) > 1e-11 || math.Abs(a.Force[0]) < 1e-2 { // 60 steps of rounding
					t.Errorf("%s, %s, speed %g: drag %g, twice that of half a cylinder differs by %g", delta, forcing, speed, a.Force[0], d)
				}
				field := func(s *Simulation[float64], from int) [][]float64 {
					u := patch.Fields[float64](2, 48*20)
					s.Box([3]int{0, from, 0}, [3]int{48, from + 20, 1}, nil, u)
					return u
				}
				x, y := field(whole, 20), field(half, 0)
				for i := range x {
					for n := range x[i] {
						if d := x[i][n] - y[i][n]; !(math.Abs(d) <= 1e-12) {
							t.Fatalf("%s, %s, speed %g: velocity %d of node %d differs by %g", delta, forcing, speed, i, n, d)
						}
					}
				}
			}
		}
	}
}

// A tube between free-slip faces takes from the fluid what is reported, and no more than one
// that goes on for ever.
func TestATubeBetweenFreeSlipFaces(t *testing.T) {
	checkingtest.NumbersAlone(t)
	force := func(size [3]int, face lbm.Face) float64 {
		shape, err := geometry.NewCylinder(geometry.Vec{12.3, 9.6, float64(size[2]-1) / 2}, geometry.Vec{0, 0, 1}, 7, float64(size[2]), false)
		if err != nil {
			t.Fatal(err)
		}
		tube, err := rigid.NewBody("tube", shape, 1.2, 0)
		if err != nil {
			t.Fatal(err)
		}
		cfg := CouplingConfig{Delta: "roma3", Transfer: "sort-reduce", Forcing: "direct", Offset: 0.3}
		s := besideFaces(t, lbm.D3Q19, size, face, cfg, [3]float64{0.05}, tube)
		for range 100 {
			s.Step()
		}
		_, before := s.Fluid.Momentum([3]int{}, size)
		load := s.StepMeasured()[0]
		_, after := s.Fluid.Momentum([3]int{}, size)
		if d := load.Force[0] - load.Inner[0] + after[0] - before[0]; math.Abs(d) > 1e-11 { // sums of 10⁴ nodes × 19 populations of up to 0.05
			t.Errorf("%s: force on the tube %g, the fluid's momentum changes by %g", face.Kind, load.Force[0], after[0]-before[0])
		}
		return load.Force[0] / float64(size[2])
	}
	endless := force([3]int{26, 20, 8}, lbm.Face{})
	for _, kind := range []lbm.FaceKind{lbm.FreeSlip, lbm.Symmetry} {
		if f := force([3]int{26, 20, 8}, lbm.Face{Kind: kind}); math.Abs(f/endless-1) > 0.01 { // markers stand otherwise beside the plane
			t.Errorf("%s: force per node %g, that on an endless tube %g: %+.2f %%", kind, f, endless, 100*(f/endless-1))
		}
	}
}

// Markers beside planes of symmetry, and walls that move along, feel a uniform state as what it is.
func TestUniformStatesAreFeltBesideFaces(t *testing.T) {
	wall := lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
	for _, face := range []lbm.Face{{Kind: lbm.Symmetry}, {Kind: lbm.FreeSlip}, wall} {
		for _, size := range [][3]int{{30, 12, 1}, {30, 12, 11}} {
			l := lbm.D2Q9
			if size[2] > 1 {
				l = lbm.D3Q19
			}
			points := []geometry.Vec{{15.3, -0.5}, {15.3, -0.31, 10.5}, {12.1, 11.5, -0.5}, {4, 11.2, 10.3}, {28.7, 0.2, -0.1}}
			b := round(t, l)
			b.Markers = geometry.Markers{X: points, Normal: make([]geometry.Vec, 5), Area: []float64{1, 1, 1, 1, 1}}
			s := besideFaces(t, l, size, face, CouplingConfig{Delta: "peskin4", Transfer: "serial", Forcing: "multidirect"}, [3]float64{0.05}, b)
			c := s.coupling
			s.Fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1.03, [3]float64{0.05} })
			c.correct(s.Fluid)
			for k := range points {
				if rho, u := c.felt[0][k], c.felt[1][k]; math.Abs(rho-1.03) > 1e-14 || math.Abs(u-0.05) > 1e-15 {
					t.Errorf("%s: %s: marker at %v feels density %v and velocity %v in a fluid of 1.03 and 0.05", l.Name, face.Kind, points[k], rho, u)
				}
			}
		}
	}
}
