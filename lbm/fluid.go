package lbm

import (
	"math"
	"time"
)

// Fluid is a flow that can be stepped, looked at and corrected. Whatever calls
// itself a fluid must pass lbmtest.Conform.
//
// Nodes are named by their index in the domain. All values are in lattice units.
type Fluid[T Float] interface {
	Config() *Config
	Step()
	Steps() int64

	// Moments reads density and velocity (one slice per axis) of the given nodes:
	// rho[at[k]], u[a][at[k]] of nodes[k]. The velocity is the physical one,
	// u = (Σ c f* − ρa/2)/ρ, as long as Correct has not acted on the node in
	// this step; where it has with force F, u is high by F/(2ρ).
	Moments(nodes, at []int32, rho []T, u [][]T)

	// Correct lets the force density force[a][at[k]] act on nodes[k] in the step
	// just made, exactly as if it had been part of its collision.
	Correct(nodes, at []int32, force [][]T)

	// Box reads density and velocity of the nodes lo ≤ p < hi, x fastest.
	Box(lo, hi [3]int, rho []T, u [][]T)

	// Momentum is Σ f and Σ c f over the nodes lo ≤ p < hi, and Inflow the momentum
	// that the next step will stream into them less what it will stream out. The
	// box must not touch a face of the domain.
	Momentum(lo, hi [3]int) (mass float64, j [3]float64)
	Inflow(lo, hi [3]int) [3]float64

	// Initialize sets every node to a state given by a smooth function of
	// position (node coordinates) and sets the step count to zero.
	Initialize(state func(p [3]float64) (rho float64, u [3]float64))

	// What the future depends on: the populations after collision, x fastest,
	// and the memory of open faces. Population copies one direction out, so that
	// a state can be kept without room for another lattice; SetState restores all.
	Population(i int, dst []T)
	OpenFaces() []float64
	SetState(State[T]) error

	// Health looks at every node.
	Health() Health

	// Times is what boundaries and the bulk of all steps so far have taken.
	Times() (boundary, bulk time.Duration)
}

// Partial is a fluid on whose nodes not all can be done that Fluid has: one of several grids.
type Partial interface {
	// TakesForces tells why forces cannot act on some of these nodes; nil: they can on all.
	TakesForces(nodes []int32) error

	// Balances tells whether Momentum and Inflow of a box make an exact account.
	Balances(lo, hi [3]int) bool
}

// State is all that a fluid's future depends on, independent of memory layout.
type State[T Float] struct {
	Steps       int64
	Populations [][]T     // f_i − w_i after collision
	Open        []float64 // states of outflow faces
}

// StateOf copies out all of a fluid's state.
func StateOf[T Float](f Fluid[T]) State[T] {
	s := State[T]{Steps: f.Steps(), Open: f.OpenFaces()}
	for i := range f.Config().Lattice.Q {
		s.Populations = append(s.Populations, make([]T, f.Config().Nodes()))
		f.Population(i, s.Populations[i])
	}
	return s
}

// Health is what a look at all nodes found.
type Health struct {
	OK       bool
	Worst    [3]int  // the bad node that still has the most finite state, or else the fastest
	Rho      float64 // there
	Speed    float64 // there
	MaxSpeed float64
	MinRho   float64
	MaxRho   float64
	MinAt    [3]int // the node with the least density, of several the first in the domain
	MaxAt    [3]int // likewise
}

// maxSpeed is the speed beyond which a flow is called diverged: the speed of
// sound, far above what the low-Mach expansion permits.
var maxSpeed = 1 / math.Sqrt(3)

// healthy judges one node.
func healthy(rho, speed float64) bool { return rho > 0 && speed < maxSpeed && rho < 1e3 }

// NoHealth is what no nodes have.
var NoHealth = Health{OK: true, MinRho: math.Inf(1), MaxRho: math.Inf(-1), Worst: [3]int{-1, -1, -1}, MinAt: [3]int{-1, -1, -1}, MaxAt: [3]int{-1, -1, -1}}

// Merge takes in what a look at other nodes found. Of bad nodes those with a
// finite state are kept before others: they are at the rim of where a flow
// broke, while the first of the others may lie anywhere.
func (h *Health) Merge(o Health) {
	better := o.OK == h.OK && o.worseThan(h) || h.Worst[0] < 0
	if !o.OK {
		finite, was := isFinite(o.Rho+o.Speed), isFinite(h.Rho+h.Speed)
		better = h.OK || finite && !was || finite == was && better
	}
	if better {
		h.Worst, h.Rho, h.Speed = o.Worst, o.Rho, o.Speed
	}
	h.OK = h.OK && o.OK
	h.MaxSpeed = math.Max(h.MaxSpeed, o.MaxSpeed)
	if o.MinRho < h.MinRho || o.MinRho == h.MinRho && comesFirst(o.MinAt, h.MinAt) {
		h.MinAt = o.MinAt
	}
	if o.MaxRho > h.MaxRho || o.MaxRho == h.MaxRho && comesFirst(o.MaxAt, h.MaxAt) {
		h.MaxAt = o.MaxAt
	}
	h.MinRho, h.MaxRho = math.Min(h.MinRho, o.MinRho), math.Max(h.MaxRho, o.MaxRho)
}

// worseThan tells whether the node is faster or, being as fast, comes first in the domain: whatever order nodes are looked at in.
func (h *Health) worseThan(o *Health) bool {
	if h.Speed != o.Speed || h.Worst[0] < 0 {
		return h.Speed > o.Speed
	}
	return comesFirst(h.Worst, o.Worst)
}

// comesFirst tells whether node p comes before node q in the domain, x fastest.
func comesFirst(p, q [3]int) bool {
	for a := 2; a >= 0; a-- {
		if p[a] != q[a] {
			return p[a] < q[a]
		}
	}
	return false
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
