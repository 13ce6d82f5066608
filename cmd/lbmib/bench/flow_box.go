package bench

import (
	"math"
	"math/cmplx"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// box is a periodic box with a plane shear wave in a uniform stream,
//
//	u = U + a e exp(−νk²t) sin(k·(x − Ut)),  e ⊥ k,
//
// which solves the Navier–Stokes equations exactly. The wave is oblique, so that
// no direction of the lattice could stream wrongly without a trace.
type box struct {
	base
	k, e, stream [3]float64
}

const (
	waveLength = 32   // nodes along an axis, at least
	waveHeight = 0.02 // a
)

func newBox(b base) *box {
	f := &box{base: b, stream: [3]float64{0.03, 0.02}}
	for a := range b.dim {
		if n := b.size[a]; n >= leastNodes {
			f.k[a] = 2 * math.Pi * float64(n/waveLength) / float64(n)
		}
	}
	f.e = [3]float64{-f.k[1], f.k[0], 0}
	if b.dim == 3 {
		f.stream[2] = 0.01
		d := [3]float64{1, -2, 3} // any that is along no wave
		for a := range 3 {
			f.e[a] = f.k[(a+1)%3]*d[(a+2)%3] - f.k[(a+2)%3]*d[(a+1)%3]
		}
	}
	length := math.Sqrt(dot(f.e, f.e))
	for a := range 3 {
		f.e[a] /= length
	}
	return f
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (*box) configure(*lbm.Config) {} // periodic is the default

func (f *box) state(p [3]float64) (rho float64, u [3]float64) {
	wave := waveHeight * math.Sin(dot(f.k, p))
	for a := range u {
		u[a] = f.stream[a] + wave*f.e[a]
	}
	return 1, u
}

// period is a wave, where that is a whole number of nodes, or some waves.
func (f *box) period() [3]int {
	n := f.size
	for a := range f.dim {
		waves, rest := n[a]/waveLength, n[a]
		for waves != 0 { // the greatest common divisor
			waves, rest = rest%waves, waves
		}
		if f.k[a] == 0 {
			rest = n[a]
		}
		n[a] /= rest
	}
	return n
}

// span is the time in which the wave falls to 1/e.
func (f *box) span() int { return int(1 / (viscosity * dot(f.k, f.k))) }

// waves calls do with exp(i k·x) and the velocity less the stream's along e and
// across it, of every node, on so many workers.
func (f *box) waves(v view, workers int, do func(worker int, wave complex128, along, across float64)) {
	alongX := make([]complex128, f.size[0])
	for x := range alongX {
		alongX[x] = cmplx.Exp(complex(0, f.k[0]*float64(x)))
	}
	v.rows(workers, func(worker, y, z int, _ []float64, u *[3][]float64) {
		row := cmplx.Exp(complex(0, f.k[1]*float64(y)+f.k[2]*float64(z)))
		for x, w := range alongX {
			var d [3]float64
			for a := range f.dim {
				d[a] = u[a][x] - f.stream[a]
			}
			along := dot(d, f.e)
			do(worker, w*row, along, math.Sqrt(math.Abs(dot(d, d)-along*along)))
		}
	})
}

func (f *box) check(v view, steps int) []harness.Check {
	found := newTallies()
	f.waves(v, len(found), func(k int, w complex128, along, _ float64) { found[k].wave += complex(along, 0) * w })
	sum := complex(0, 0)
	for i := range found {
		sum += found[i].wave
	}
	n := float64(f.size[0]) * float64(f.size[1]) * float64(f.size[2])
	height, phase := 2/n*cmplx.Abs(sum), math.Pi/2-cmplx.Phase(sum) // of height·sin(k·x − phase)
	turn := cmplx.Exp(complex(0, phase-math.Pi/2))
	f.waves(v, len(found), func(k int, w complex128, along, across float64) {
		off := math.Abs(along - height*real(w*turn)) // sin(θ) = Re exp(i(θ − π/2))
		if off = math.Max(off, across); !(off <= found[k].worst) {
			found[k].worst = off
		}
	})
	worst := 0.
	for i := range found {
		worst = harness.Worse(worst, found[i].worst)
	}
	t := float64(steps)
	want := waveHeight * math.Exp(-viscosity*dot(f.k, f.k)*t)
	slip := math.Remainder(dot(f.k, f.stream)*t+phase, 2*math.Pi)
	return []harness.Check{
		// Of order k² and U² in what the lattice computes as well, after a decay to
		// 1/e: 0.8 % and 0.03 rad at most in 3D.
		{Name: "relative error of the wave's amplitude", Value: math.Abs(height/want - 1), Bound: 0.01},
		{Name: "error of the wave's phase (rad)", Value: math.Abs(slip), Bound: 0.05},
		{Name: "deviation of a node from the wave, over its first amplitude", Value: worst / waveHeight, Bound: 0.02},
		f.mass(v, steps),
	}
}
