package conformance

import (
	"math"

	"lbmib/internal/checking"
	"lbmib/lbm"
)

func (s steps[T]) conservation(t checking.T) {
	everyOperator(t, func(t checking.T, cfg lbm.Config) {
		f := s.make(t, cfg)
		random(t, f, 1)
		m0, j0 := totals(f)
		const steps = 20
		advance(f, steps)
		m1, j1 := totals(f)
		// each node rounds a few ulp of 0.01 per step, at random
		tol := 0.01 * s.eps * steps * float64(cfg.Nodes())
		if math.Abs(m1-m0) > tol {
			t.Errorf("mass changes by %g, bound %g", m1-m0, tol)
		}
		for a := range j0 {
			if math.Abs(j1[a]-j0[a]) > tol {
				t.Errorf("momentum along axis %d changes by %g, bound %g", a, j1[a]-j0[a], tol)
			}
		}
	})
}

func (s steps[T]) forceAddsMomentum(t checking.T) {
	everyOperator(t, func(t checking.T, cfg lbm.Config) {
		cfg.Force = [3]float64{1e-4, -2e-4, 3e-4}
		if cfg.Lattice.Dim == 2 {
			cfg.Force[2] = 0
		}
		f := s.make(t, cfg)
		random(t, f, 2)
		m, j0 := totals(f)
		mass := m + float64(cfg.Nodes())
		const steps = 20
		advance(f, steps)
		_, j1 := totals(f)
		for a := range cfg.Force {
			want := steps * cfg.Force[a] * mass
			if d := j1[a] - j0[a] - want; math.Abs(d) > 0.02*s.eps*steps*float64(cfg.Nodes()) {
				t.Errorf("axis %d: momentum grows by %g, want F·t = %g", a, j1[a]-j0[a], want)
			}
		}
	})
}

// A force that varies in time acts in the step that ends when it is taken, and the
// velocity is that half way through its last step, also in a fluid that goes on
// from a state.
func (s steps[T]) varyingForce(t checking.T) {
	everyOperator(t, func(t checking.T, cfg lbm.Config) {
		at := func(t float64) [3]float64 {
			return [3]float64{1e-3 * math.Sin(0.7*t), 5e-4 * math.Cos(0.3*t), 1e-5 * t * float64(cfg.Lattice.Dim-2)}
		}
		cfg.Acceleration = at
		f, later := s.make(t, cfg), s.make(t, cfg)
		f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.01, -0.02} })
		want := [3]float64{0.01, -0.02}
		a := at(0)
		const steps = 21
		for step := range steps {
			f.Step()
			next := at(float64(step + 1))
			for axis := range want {
				want[axis] += (a[axis] + next[axis]) / 2 // half of either step
			}
			a = next
			if step == steps/2 {
				if err := later.SetState(lbm.StateOf(f)); err != nil {
					t.Fatal(err)
				}
			} else if step > steps/2 {
				later.Step()
			}
		}
		for _, g := range []lbm.Fluid[T]{f, later} {
			_, u := fields(g)
			for axis := range u {
				for n, v := range u[axis] {
					// a uniform flow rounds by a few ulp of 0.1 a step
					if d := float64(v) - want[axis]; !(math.Abs(d) < 0.2*s.eps*steps) {
						t.Fatalf("velocity %d of node %d is %g, the force gives %g", axis, n, v, want[axis])
					}
				}
			}
		}
		same(t, lbm.StateOf(later), lbm.StateOf(f), 0)
	})
}

// A force split between the collision and the correction must not matter.
func (s steps[T]) correction(t checking.T) {
	everyOperator(t, func(t checking.T, cfg lbm.Config) {
		whole, part := cfg, cfg
		whole.Force = [3]float64{3e-3, -2e-3, 1e-3}
		part.Force = [3]float64{1e-3, 1e-3, -5e-4}
		if cfg.Lattice.Dim == 2 {
			whole.Force[2], part.Force[2] = 0, 0
		}
		for name, start := range map[string]lbm.Config{"from none": cfg, "from a part": part} {
			a, b := s.make(t, whole), s.make(t, start)
			random(t, a, 3)
			if err := b.SetState(lbm.StateOf(a)); err != nil {
				t.Fatal(err)
			}
			nodes, force := sequence(cfg.Nodes()), make([][]T, cfg.Lattice.Dim)
			for range 5 {
				a.Step()
				b.Step()
				rho, _ := fields(b)
				for axis := range force {
					force[axis] = make([]T, cfg.Nodes())
					for n := range rho {
						force[axis][n] = rho[n] * T(whole.Force[axis]-start.Force[axis])
					}
				}
				b.Correct(nodes, nodes, force)
			}
			t.Run(name, func(t checking.T) {
				same(t, lbm.StateOf(b), lbm.StateOf(a), 5*4*s.eps*0.1) // a few ulp of f ~ 0.01…0.1, five steps
			})
		}
	})
}

// A step with forces on some nodes is one that is corrected for them, and leaves the density and the velocity that
// a fluid has whose correction's half of the force is taken away.
func (s steps[T]) forcesOnNodes(t checking.T) {
	everyOperator(t, func(t checking.T, cfg lbm.Config) {
		cfg.Force = [3]float64{1e-4, -2e-4}
		a, b := s.make(t, cfg), s.make(t, cfg)
		random(t, a, 5)
		if err := b.SetState(lbm.StateOf(a)); err != nil {
			t.Fatal(err)
		}
		var nodes, at []int32
		for n := range cfg.Nodes() { // runs of some nodes, with gaps, and values elsewhere
			if n%7 < 4 {
				nodes, at = append(nodes, int32(n)), append(at, int32(len(at)+len(at)/4))
			}
		}
		of := [2]lbm.NodeStep[T]{}
		for i := range of {
			of[i].Rho = make([]T, cfg.Nodes()+7)
			for axis := range cfg.Lattice.Dim {
				force := make([]T, cfg.Nodes()+7)
				for k := range force {
					force[k] = T(1e-3 * math.Sin(float64(3*k+axis)))
				}
				of[i].Force, of[i].U = append(of[i].Force, force), append(of[i].U, make([]T, cfg.Nodes()+7))
			}
			of[i].SetNodes(nodes, at)
		}
		for range 3 {
			lbm.StepNodes(a, &of[0])
			lbm.StepAndCorrect(b, &of[1])
		}
		same(t, lbm.StateOf(a), lbm.StateOf(b), 3*4*s.eps*0.1) // a few ulp of f ~ 0.01…0.1, three steps
		for c := range 1 + cfg.Lattice.Dim {
			got, want := of[0].Rho, of[1].Rho
			if c > 0 {
				got, want = of[0].U[c-1], of[1].U[c-1]
			}
			for k := range got { // a few ulp of 1, of some populations' sum
				if !(math.Abs(float64(got[k]-want[k])) <= 20*s.eps) {
					t.Fatalf("quantity %d at place %d is %v, corrected %v", c, k, got[k], want[k])
				}
			}
		}
	})
}

func (s steps[T]) balance(t checking.T) {
	for _, cfg := range awkward[:2] {
		cfg.Collision = collision(t, "trt", 0.03)
		f := s.make(t, cfg)
		random(t, f, 4)
		lo, hi := [3]int{2, 2, 0}, [3]int{6, 9, 1}
		if cfg.Lattice.Dim == 3 {
			lo[2], hi[2] = 3, 14
		}
		inner := int32(cfg.Node([3]int{4, 5, (lo[2] + hi[2]) / 2}))
		want := [3]float64{1e-2, -2e-2, 5e-3}
		force := make([][]T, cfg.Lattice.Dim)
		for a := range force {
			force[a] = []T{T(want[a])}
		}
		_, before := f.Momentum(lo, hi)
		inflow := f.Inflow(lo, hi)
		f.Step()
		f.Correct([]int32{inner}, []int32{0}, force)
		_, after := f.Momentum(lo, hi)
		for a := range force {
			// sums of some 400 nodes × 19 populations of 0.01 w
			if got := after[a] - before[a] - inflow[a]; math.Abs(got-want[a]) > 100*s.eps {
				t.Errorf("%s axis %d: the balance finds a force of %g, applied %g", cfg.Lattice.Name, a, got, want[a])
			}
		}
	}
}

// openBox is a configuration that has every kind of face somewhere.
func openBox(t checking.T, dim int) lbm.Config {
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{14, 9, 1}, Collision: collision(t, "trt", 0.02), Force: [3]float64{1e-5, 2e-5}}
	cfg.Faces = [6]lbm.Face{
		{Kind: lbm.Velocity, Velocity: func(p [3]float64) [3]float64 { return [3]float64{0.02 + 0.001*p[1], 0.003, 0.001 * p[2]} },
			Amplitude: func(t float64) float64 { return math.Sin(0.1 * t) }},
		{Kind: lbm.Outflow},
		{Kind: lbm.FreeSlip},
		{Kind: lbm.MovingWall, Velocity: uniform([3]float64{0.02, 0, 0.01})},
		{Kind: lbm.NoSlip},
		{Kind: lbm.Pressure, Density: 1.001},
	}
	if dim == 3 {
		cfg.Lattice, cfg.Size = lbm.D3Q19, [3]int{14, 9, 6}
	}
	cfg.Solid = make([]bool, cfg.Nodes()) // a block in the corner of the open faces
	for n := range cfg.Solid {
		p := cfg.Position(n)
		cfg.Solid[n] = p[0] > 11 && p[1] > 2 && p[1] < 6 && (dim == 2 || p[2] > 3)
	}
	return cfg
}

func (s steps[T]) restore(t checking.T) {
	for dim := 2; dim <= 3; dim++ {
		cfg := openBox(t, dim)
		if dim == 3 {
			cfg.Acceleration = func(t float64) [3]float64 { return [3]float64{1e-4 * math.Sin(t), 2e-5, 1e-5 * math.Cos(t)} }
		}
		a, b := s.make(t, cfg), s.make(t, cfg)
		random(t, a, 5)
		advance(a, 7)
		nodes, force := sequence(a.Config().Nodes()), make([][]T, dim)
		for axis := range force {
			force[axis] = make([]T, len(nodes))
			for n := range nodes {
				force[axis][n] = T(1e-4 * float64(n%7-3))
			}
		}
		a.Correct(nodes, nodes, force) // what acts after a step belongs to the state, at open faces too
		if err := b.SetState(lbm.StateOf(a)); err != nil {
			t.Fatal(err)
		}
		advance(a, 9)
		for range 9 {
			b.Step()
			lbm.StateOf(b) // looking must not change the flow
		}
		if a.Steps() != b.Steps() {
			t.Errorf("%dD: restored fluid is at step %d, the original at %d", dim, b.Steps(), a.Steps())
		}
		same(t, fluidOnly(b), fluidOnly(a), 0)
	}
}

// fluidOnly is a fluid's state without what its walls happen to hold.
func fluidOnly[T lbm.Float](f lbm.Fluid[T]) lbm.State[T] {
	s := lbm.StateOf(f)
	for i := range s.Populations {
		for n, solid := range f.Config().Solid {
			if solid {
				s.Populations[i][n] = 0
			}
		}
	}
	return s
}

// A rough start must die out where open faces meet walls, mirrors and each other.
func (s steps[T]) edges(t checking.T) {
	for _, back := range []lbm.Face{{Kind: lbm.Pressure, Density: 1.001}, {Kind: lbm.FreeSlip}, {Kind: lbm.NoSlip}, {Kind: lbm.Outflow}} {
		cfg := openBox(t, 3)
		cfg.Faces[0].Amplitude = nil
		cfg.Faces[5] = back
		f := s.make(t, cfg)
		f.Initialize(func(x [3]float64) (float64, [3]float64) {
			return 1 + 1e-3*math.Sin(x[0]+2*x[1]+3*x[2]), [3]float64{0.01 * math.Cos(x[1]), 0.02 * math.Sin(x[0]), 0.005 * math.Sin(x[0]+x[1])}
		})
		advance(f, 600) // 40 crossings of sound
		if h := f.Health(); !h.OK || h.MaxSpeed > 0.05 || math.Abs(h.MaxRho-1) > 0.02 {
			t.Errorf("with %s behind, the flow of speed 0.03 has become %+v", back.Kind, h)
		}
	}
}

// permuted turns the axes cyclically (3D) or exchanges them (2D): what was along
// axis a is then along axis to[a].
func permuted(cfg lbm.Config, to [3]int) lbm.Config {
	p := cfg
	back := [3]int{}
	for a, b := range to {
		back[b] = a
		p.Size[b], p.Force[b] = cfg.Size[a], cfg.Force[a]
		p.Faces[2*b], p.Faces[2*b+1] = cfg.Faces[2*a], cfg.Faces[2*a+1]
	}
	p.Solid = make([]bool, p.Nodes())
	for n, solid := range cfg.Solid {
		x, y := cfg.Position(n), [3]int{}
		for a, b := range to {
			y[b] = x[a]
		}
		p.Solid[p.Node(y)] = solid
	}
	for i := range p.Faces {
		if v := p.Faces[i].Velocity; v != nil {
			p.Faces[i].Velocity = func(x [3]float64) (u [3]float64) {
				w := v([3]float64{x[to[0]], x[to[1]], x[to[2]]})
				return [3]float64{w[back[0]], w[back[1]], w[back[2]]}
			}
		}
	}
	return p
}

func (s steps[T]) permutation(t checking.T) {
	for dim, to := range map[int][3]int{2: {1, 0, 2}, 3: {1, 2, 0}} {
		cfg := openBox(t, dim)
		a, b := s.make(t, cfg), s.make(t, permuted(cfg, to))
		smooth := func(x [3]float64) (float64, [3]float64) {
			return 1 + 1e-3*math.Sin(x[0]+2*x[1]+3*x[2]), [3]float64{0.01 * math.Cos(x[1]), 0.02 * math.Sin(x[0]), 0.005 * float64(dim-2) * math.Sin(x[0]+x[1])}
		}
		a.Initialize(smooth)
		b.Initialize(func(x [3]float64) (float64, [3]float64) {
			rho, u := smooth([3]float64{x[to[0]], x[to[1]], x[to[2]]})
			var v [3]float64
			for axis, other := range to {
				v[other] = u[axis]
			}
			return rho, v
		})
		advance(a, 30)
		advance(b, 30)
		_, ua := fields(a)
		_, ub := fields(b)
		for n := range cfg.Nodes() {
			if cfg.Solid[n] {
				continue
			}
			p, q := cfg.Position(n), [3]int{}
			for axis, other := range to {
				q[other] = p[axis]
			}
			m := b.Config().Node(q)
			for axis := range dim {
				// 30 steps, ten roundings each, of populations up to 0.4
				if d := float64(ua[axis][n] - ub[to[axis]][m]); !(math.Abs(d) < 30*10*0.4*s.eps) {
					t.Fatalf("%dD: velocity along axis %d at %v differs by %g from the permuted flow", dim, axis, p, d)
				}
			}
		}
	}
}

func (s steps[T]) mirror(t checking.T) {
	for _, kind := range []lbm.FaceKind{lbm.FreeSlip, lbm.Symmetry} {
		full := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{8, 12, 5}, Collision: collision(t, "bgk", 0.02)}
		full.Faces[2].Kind, full.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip
		half := full
		half.Size[1] = 6
		half.Faces[2].Kind = kind
		state := func(middle float64) func(x [3]float64) (float64, [3]float64) {
			return func(x [3]float64) (float64, [3]float64) {
				y := x[1] - middle // even and odd about the plane
				k := 2 * math.Pi / 8
				return 1 + 1e-3*math.Cos(k*x[0])*y*y/36, [3]float64{0.02 * math.Cos(y/3) * math.Sin(k*x[0]), 0.01 * math.Sin(y/2), 0.01 * math.Cos(y)}
			}
		}
		a, b := s.make(t, full), s.make(t, half)
		a.Initialize(state(5.5))
		b.Initialize(state(-0.5))
		advance(a, 40)
		advance(b, 40)
		_, ua := fields(a)
		_, ub := fields(b)
		for n := range half.Nodes() {
			p := half.Position(n)
			m := full.Node([3]int{p[0], p[1] + 6, p[2]})
			for axis := range ua {
				if d := float64(ua[axis][m] - ub[axis][n]); !(math.Abs(d) < 40*10*s.eps) {
					t.Fatalf("%s: velocity %d at %v differs by %g from the full flow", kind, axis, p, d)
				}
			}
		}
	}
}

func (s steps[T]) solid(t checking.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		walls := lbm.Config{Lattice: l, Size: [3]int{6, 8, 1}, Collision: collision(t, "trt", 0.05), Force: [3]float64{1e-5, 3e-6}}
		walls.Faces[2].Kind, walls.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip
		if l.Dim == 3 {
			walls.Size[2] = 4
		}
		mask := walls
		mask.Size[1] = 10 // periodic, with a layer of solid nodes at either end
		mask.Faces = [6]lbm.Face{}
		mask.Solid = make([]bool, mask.Nodes())
		for n := range mask.Solid {
			y := mask.Position(n)[1]
			mask.Solid[n] = y == 0 || y == 9
		}
		a, b := s.make(t, walls), s.make(t, mask)
		advance(a, 50)
		advance(b, 50)
		_, ua := fields(a)
		_, ub := fields(b)
		for n := range walls.Nodes() {
			p := walls.Position(n)
			m := mask.Node([3]int{p[0], p[1] + 1, p[2]})
			for axis := range ua {
				// the same bits, or each row's own dither: 50 times some eps of 5e-4, at random
				if d := float64(ua[axis][n] - ub[axis][m]); !(math.Abs(d) <= s.dither()*25e-4) {
					t.Fatalf("%s: velocity %d at %v is %v between solid nodes, %v between no-slip faces", l.Name, axis, p, ub[axis][m], ua[axis][n])
				}
			}
		}
	}
}

func (s steps[T]) health(t checking.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), -40} {
		for _, cfg := range awkward[:2] {
			cfg.Collision = collision(t, "bgk", 0.03)
			f := s.make(t, cfg)
			random(t, f, 6)
			if h := f.Health(); !h.OK || h.MaxSpeed > 0.1 || h.MinRho > 1 || h.MaxRho < 1 {
				t.Errorf("a calm flow is judged %+v", h)
			}
			state := lbm.StateOf(f)
			want := [3]int{cfg.Size[0] - 1, cfg.Size[1] - 1, cfg.Size[2] - 1}
			dense, thin := [3]int{2, 1, cfg.Size[2] / 2}, [3]int{cfg.Size[0] - 3, 2, 0}
			state.Populations[0][cfg.Node(dense)] += 0.2
			state.Populations[0][cfg.Node(thin)] -= 0.2
			if err := f.SetState(state); err != nil {
				t.Fatal(err)
			}
			if h := f.Health(); !h.OK || h.MinAt != thin || h.MaxAt != dense {
				t.Errorf("%s is densest at %v, least dense at %v, and judged %+v", cfg.Lattice.Name, dense, thin, h)
			}
			state.Populations[3][cfg.Node(want)] = T(bad)
			if err := f.SetState(state); err != nil {
				t.Fatal(err)
			}
			if h := f.Health(); h.OK || h.Worst != want {
				t.Errorf("%s with a population of %g at %v is judged %+v", cfg.Lattice.Name, bad, want, h)
			}
		}
	}
}
