// Package growth finds how fast perturbations of a steady flow grow: the largest
// eigenvalue of the linearised step of a fluid, by power iteration on the step itself,
// populations and the memory of open faces together.
package growth

import (
	"fmt"
	"math"

	"lbmib/lbm"
)

// Found is what a search has found.
type Found struct {
	Rate     float64 // logarithm of the gain per step of the fastest perturbation
	Spread   float64 // by how much Rate differs between the two quarters it was found in
	Residual float64 // largest change of a population of the base flow in block steps: 0 if it is steady
}

// block is the number of steps after which a perturbation is scaled back.
const block = 20

// size is the root mean square of a perturbation: its square, which the linear part
// lacks, and what rounding makes of it, 1e-17/size, are both small.
const size = 1e-8

// Search follows a perturbation of the steady flow that f holds for so many steps, and
// leaves f with that flow. It begins as noise, so that the fastest mode has a part in it
// whatever its wavelength; what it gains in the second half of the steps is the rate.
// Where all faces are periodic or walls no step changes the mass, and where all are
// periodic the momentum: perturbations that have some, whose rate is 0 whatever the
// others do, are left out.
func Search(f lbm.Fluid[float64], steps int) (found Found, err error) {
	s := newSearch(f)
	if err := s.run(); err != nil { // without a perturbation
		return found, err
	}
	s.still, s.change = s.change, make([]float64, len(s.change))
	for k, v := range s.still[:s.populations] {
		found.Residual = math.Max(found.Residual, math.Abs(v-s.base.Populations[k/s.nodes][k%s.nodes]))
	}
	s.noise()
	gains := make([]float64, max(4, steps/block))
	for k := range gains {
		s.rescale()
		if err := s.run(); err != nil {
			return found, err
		}
		if gains[k] = math.Log(s.norm() / size); math.IsNaN(gains[k]) || math.IsInf(gains[k], 0) {
			return found, fmt.Errorf("growth: a perturbation of %g became %g in %d steps: begin from a flow that the fluid holds for as long", size, s.norm(), block)
		}
	}
	mean := func(of []float64) (r float64) {
		for _, g := range of {
			r += g / float64(block*len(of))
		}
		return r
	}
	n := len(gains)
	found.Rate = mean(gains[n/2:])
	found.Spread = math.Abs(mean(gains[n/2:3*n/4]) - mean(gains[3*n/4:]))
	return found, f.SetState(s.base)
}

// search is a perturbation under way. Values are populations, direction by direction,
// then the memory of open faces.
type search struct {
	fluid              lbm.Fluid[float64]
	nodes, populations int
	closed, periodic   bool               // all faces are periodic or walls; are periodic
	base, from         lbm.State[float64] // the flow, and with the perturbation
	still              []float64          // what the flow is a block later
	change             []float64          // the perturbation
}

func newSearch(f lbm.Fluid[float64]) *search {
	s := &search{fluid: f, closed: true, periodic: true, base: lbm.StateOf(f), from: lbm.StateOf(f)}
	cfg := f.Config()
	s.nodes = cfg.Nodes()
	s.populations = cfg.Lattice.Q * s.nodes
	for _, face := range cfg.Faces[:2*cfg.Lattice.Dim] {
		s.periodic = s.periodic && face.Kind == lbm.Periodic
		s.closed = s.closed && !face.Kind.IsOpen()
	}
	s.change = make([]float64, s.populations+len(s.base.Open))
	s.still = make([]float64, len(s.change))
	return s
}

// noise makes a perturbation of all values that has no pattern.
func (s *search) noise() {
	x := uint64(1)
	for k := range s.change {
		x = x*6364136223846793005 + 1442695040888963407 // Knuth, MMIX
		s.change[k] = float64(x>>11)/(1<<52) - 1
	}
}

// rescale brings the perturbation to its size, without what is conserved.
func (s *search) rescale() {
	l := s.fluid.Config().Lattice
	var mass float64
	var j [3]float64
	for i := range l.Q {
		for _, v := range s.change[i*s.nodes : (i+1)*s.nodes] {
			mass += v
			for a, c := range l.C[i] {
				j[a] += float64(c) * v
			}
		}
	}
	for i := range l.Q {
		off := 0.
		if s.closed {
			off += l.W[i] * mass
		}
		for a, c := range l.C[i] {
			if s.periodic {
				off += 3 * l.W[i] * float64(c) * j[a]
			}
		}
		for k := i * s.nodes; k < (i+1)*s.nodes; k++ {
			s.change[k] -= off / float64(s.nodes)
		}
	}
	factor := size / s.norm()
	for k := range s.change {
		s.change[k] *= factor
	}
}

// norm is the root mean square of the perturbation.
func (s *search) norm() (r float64) {
	for _, v := range s.change {
		r += v * v
	}
	return math.Sqrt(r / float64(len(s.change)))
}

// run makes of the perturbation what a block of steps makes of it.
func (s *search) run() error {
	for i, f := range s.from.Populations {
		for n := range f {
			f[n] = s.base.Populations[i][n] + s.change[i*s.nodes+n]
		}
	}
	for k := range s.from.Open {
		s.from.Open[k] = s.base.Open[k] + s.change[s.populations+k]
	}
	if err := s.fluid.SetState(s.from); err != nil {
		return err
	}
	for range block {
		s.fluid.Step()
	}
	for i := range s.from.Populations {
		s.fluid.Population(i, s.change[i*s.nodes:(i+1)*s.nodes])
	}
	copy(s.change[s.populations:], s.fluid.OpenFaces())
	for k := range s.change {
		s.change[k] -= s.still[k]
	}
	return nil
}
