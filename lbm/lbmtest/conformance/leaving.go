package conformance

import (
	"math"

	"lbmib/internal/checking"
	"lbmib/lbm"
)

// Velocity faces through which fluid leaves.

// through is a box that fluid crosses from left to right, with a velocity along the other
// axes too, through velocity faces.
func through(l *lbm.Lattice, u [3]float64) lbm.Config {
	cfg := lbm.Config{Lattice: l, Size: [3]int{19, 11, 1}}
	if l.Dim == 3 {
		cfg.Size = [3]int{13, 9, 7}
	}
	for side := range 2 {
		cfg.Faces[side] = lbm.Face{Kind: lbm.Velocity, Velocity: uniform(u)}
	}
	return cfg
}

// A uniform stream is a solution with every face.
func (s faces[T]) streamLeaves(t checking.T) {
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		u := [3]float64{0.05, 0.02, -0.01 * float64(l.Dim-2)}
		for _, op := range lbm.CollisionNames {
			cfg := through(l, u)
			cfg.Collision = collision(t, op, 0.02)
			f := s.make(t, cfg)
			f.Initialize(func([3]float64) (float64, [3]float64) { return 1, u })
			const steps = 300
			advance(f, steps)
			rho, v := fields(f)
			for n := range rho {
				off := math.Abs(float64(rho[n]) - 1)
				for a := range l.Dim {
					off = math.Max(off, math.Abs(float64(v[a][n])-u[a]))
				}
				if off > 20*s.eps+10*s.dither() { // rounding of values of 0.1, which sound spreads
					t.Errorf("%s %s: node %v is off the stream by %g", l.Name, op, cfg.Position(n), off)
					break
				}
			}
		}
	}
}

// A channel whose profile is prescribed where it is left has that profile, exactly.
func (s faces[T]) poiseuilleLeaves(t checking.T) {
	const n, nu, peak = 8, 0.3, 0.05
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		cfg := lbm.Config{Lattice: l, Size: [3]int{7, n, 1}, Collision: collision(t, "trt", nu), Force: [3]float64{8 * nu * peak / (n * n)}}
		if l.Dim == 3 {
			cfg.Size[2] = 3
		}
		walls(&cfg, 1)
		profile := func(p [3]float64) [3]float64 {
			y := (p[1] + 0.5) / n
			return [3]float64{4 * peak * y * (1 - y)}
		}
		cfg.Faces[0] = lbm.Face{Kind: lbm.Pressure, Density: 1}
		cfg.Faces[1] = lbm.Face{Kind: lbm.Velocity, Velocity: profile}
		f := s.make(t, cfg)
		advance(f, int(math.Round(24*n*n/nu))) // sound, too, dies by viscosity and what leaves: e^−30
		_, u := fields(f)
		for node := range cfg.Nodes() {
			p := cfg.Position(node)
			want := profile([3]float64{0, float64(p[1])})[0]
			if d := float64(u[0][node]) - want; !(math.Abs(d) < s.gathered(peak)) {
				t.Fatalf("%s: u at %v is %v, want %v (off by %g)", l.Name, p, u[0][node], want, d)
			}
		}
	}
}

// Noise dies in a stream that leaves through a velocity face. Bounce-back there makes waves
// along the face grow a hundredfold in 200 steps, whatever the collision.
func (s faces[T]) noiseLeaves(t checking.T) {
	const stream, noise = 0.1, 1e-3
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, op := range lbm.CollisionNames {
			u := [3]float64{stream}
			cfg := through(l, u)
			cfg.Collision = collision(t, op, 0.02) // grid Reynolds number 5
			f := s.make(t, cfg)
			f.Initialize(func(p [3]float64) (float64, [3]float64) {
				v := u
				for a := range l.Dim {
					v[a] += noise * math.Sin(12.9*p[0]+78.2*p[1]+37.7*p[2]+float64(a))
				}
				return 1, v
			})
			advance(f, 600)
			_, v := fields(f)
			worst := 0.
			for n := range cfg.Nodes() {
				worst = math.Max(worst, math.Abs(float64(v[0][n])-stream)+math.Abs(float64(v[1][n])))
			}
			if bound := 0.1*noise + 10*s.dither(); !(worst < bound) {
				t.Errorf("%s %s: of noise of %g there is %.3g left, bound %.3g", l.Name, op, noise, worst, bound)
			}
		}
	}
}

// A stream that turns back and forth through both of its faces goes as a whole, and the
// mass in the box stays: ρ₀u enters, ρu leaves.
func (s faces[T]) streamTurns(t checking.T) {
	const stream, period = 0.05, 600
	for _, op := range lbm.CollisionNames {
		cfg := through(lbm.D2Q9, [3]float64{stream, 0.01})
		cfg.Collision = collision(t, op, 0.02)
		for side := range 2 {
			cfg.Faces[side].Amplitude = func(t float64) float64 { return math.Sin(2 * math.Pi * t / period) }
		}
		f := s.make(t, cfg)
		advance(f, 4*period)
		for range 8 {
			advance(f, period/8)
			rho, u := fields(f)
			want := math.Sin(2 * math.Pi * float64(f.Steps()) / period)
			for n := range rho {
				// the pressure that turns the stream, ρ L/2 dU/dt/c_s² = 0.015, is compressed within the box
				if off := math.Abs(float64(u[0][n])/stream - want); off > 0.06 || math.Abs(float64(rho[n])-1) > 0.02 {
					t.Fatalf("%s: at node %v in step %d the stream is %.4f, want %.4f of its peak; density %.4f, want 1",
						op, cfg.Position(n), f.Steps(), float64(u[0][n])/stream, want, rho[n])
				}
			}
		}
	}
}
