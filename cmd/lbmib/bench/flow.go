package bench

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// viscosity of all flows, in lattice units.
const viscosity = 0.05

// leastNodes is how many nodes along an axis hold a wave, or keep two walls apart.
const leastNodes = 32

// A flow is measured, and then held against theory.
type flow interface {
	configure(c *lbm.Config) // faces and force
	state(p [3]float64) (rho float64, u [3]float64)
	period() [3]int // nodes after which the state repeats itself; the size where it does not
	span() int      // steps from the start for which the theory holds
	check(v view, steps int) []harness.Check
}

// flowNames are the flows by name.
var flowNames = []string{"box", "cavity", "duct", "stream", "tube"}

func newFlow(s *Spec) (flow, error) {
	var f flow
	b := base{s.Size.Padded(), lbm.Lattices[s.Lattice].Dim, s.round()}
	switch s.Flow {
	case "box":
		f = newBox(b)
	case "cavity":
		f = &cavity{b}
	case "duct":
		f = &duct{b}
	case "tube":
		f = &tube{b}
	default:
		f = &stream{b}
	}
	if n := b.narrowest(); s.Flow != "box" && n < leastNodes {
		return nil, fmt.Errorf("--size %v has %d nodes along an axis: the check of --flow %s needs at least %d: choose a larger size", s.Size, n, s.Flow, leastNodes)
	}
	if b.widest() < leastNodes {
		return nil, fmt.Errorf("--size %v: the check of --flow %s needs at least %d nodes along an axis: choose a larger size", s.Size, s.Flow, leastNodes)
	}
	return f, nil
}

// base is what all flows know.
type base struct {
	size  [3]int
	dim   int
	round float64 // greatest relative error of a stored population
}

func (b *base) period() [3]int { return b.size }

func (b *base) narrowest() int {
	n := b.size[0]
	for a := range b.dim {
		n = min(n, b.size[a])
	}
	return n
}

func (b *base) widest() int { return max(b.size[0], b.size[1], b.size[2]) }

// drift bounds what rounding can gather in so many steps: a relative error of
// what is stored, which for the velocities here is Σ|f − w| ≈ 0.1, in every step
// and always the same way. Reading the values adds a few.
func (b *base) drift(steps int) float64 { return b.round * (8 + 0.1*float64(steps)) }

// mass is the change of the mean density from 1 at the start.
func (b *base) mass(v view, steps int) harness.Check {
	found := newTallies()
	v.rows(len(found), func(k, _, _ int, rho []float64, _ *[3][]float64) {
		for _, r := range rho {
			found[k].mass += r - 1
		}
	})
	sum := 0.
	for i := range found {
		sum += found[i].mass
	}
	n := float64(b.size[0]) * float64(b.size[1]) * float64(b.size[2])
	return harness.Check{Name: "relative change of mass", Value: math.Abs(sum / n), Bound: b.drift(steps)}
}

// walls makes the faces of an axis no-slip.
func walls(c *lbm.Config, axis int) {
	c.Faces[2*axis].Kind, c.Faces[2*axis+1].Kind = lbm.NoSlip, lbm.NoSlip
}
