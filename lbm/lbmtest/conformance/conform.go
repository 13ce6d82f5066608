// Package conformance is the conformance suite of fluids: whatever calls itself a
// lbm.Fluid (CPU, GPU, sparse, decomposed) must pass it, in both precisions.
package conformance

import (
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/internal/checking"
	"lbmib/lbm"
)

// Factory makes a fluid to be tested; it ends what it started through t.Cleanup.
type Factory[T lbm.Float] func(t checking.T, cfg lbm.Config) lbm.Fluid[T]

// Fluid runs the whole suite on a fluid that stores populations in T.
func Fluid[T lbm.Float](t checking.T, make Factory[T]) {
	FluidTo(t, make, epsilon[T]())
}

// FluidTo runs the suite on a fluid that rounds what it stores by up to eps/2
// of its magnitude; all bounds are multiples of eps.
func FluidTo[T lbm.Float](t checking.T, make Factory[T], eps float64) {
	s := suite[T]{make: make, eps: eps}
	for _, c := range s.checks() {
		t.Run(c.name, c.run)
	}
}

// IsFlow tells whether a check of the suite follows flows for some hundreds of steps or
// more, to compare them with theory. The others find out in some tens what steps do.
func IsFlow(check string) bool {
	return slices.ContainsFunc(suite[float64]{}.checks(), func(c entry) bool { return c.flow && c.name == check })
}

// entry is a check of the suite.
type entry struct {
	name string
	run  func(checking.T)
	flow bool // see IsFlow
}

func (s suite[T]) checks() []entry {
	steps, flows, faces := steps[T]{s}, flows[T]{s}, faces[T]{s}
	return []entry{
		{"collision conserves mass and momentum", steps.conservation, false},
		{"a uniform force adds F per step", steps.forceAddsMomentum, false},
		{"a varying force adds the sum of F", steps.varyingForce, false},
		{"correction equals forced collision", steps.correction, false},
		{"forces known before a step act in its collision", steps.forcesOnNodes, false},
		{"correction adds F to the momentum balance", steps.balance, false},
		{"state and set state give the same bits", steps.restore, false},
		{"axes are equivalent under all boundaries", steps.permutation, false},
		{"edges of open faces are stable", steps.edges, true},
		{"a symmetry plane is half of a mirrored flow", steps.mirror, false},
		{"solid nodes are halfway bounce-back walls", steps.solid, false},
		{"health finds one bad node", steps.health, false},
		{"poiseuille, trt and mrt, magic 3/16: exact", flows.poiseuille, true},
		{"couette, moving wall: exact", flows.couette, true},
		{"square duct: flow rate of the series", flows.duct, true},
		{"stokes' second problem", flows.stokes, true},
		{"velocity inlet, pressure outlet: channel flow", flows.channel, true},
		{"taylor–green: second order", flows.taylorGreen, true},
		{"uniform shear: viscosity ν + C²|S|", flows.eddyViscosity, true},
		{"channel with eddy viscosity: closed form", flows.eddyChannel, true},
		{"uniform shear: viscosity of a law", flows.lawOfViscosity, true},
		{"channel with a law of viscosity: its profile", flows.lawInAChannel, true},
		{"outflow lets sound leave", faces.soundLeaves, true},
		{"outflow lets a vortex leave", faces.vortexLeaves, true},
		{"outflow follows an inflow that varies", faces.outflowFollows, true},
		{"outflow holds what enters back", faces.outflowHolds, true},
		{"noise in a stream in space dies at an outflow", faces.noiseDies, true},
		{"a stream leaves through a velocity face", faces.streamLeaves, true},
		{"poiseuille leaves through a velocity face: exact", faces.poiseuilleLeaves, true},
		{"noise leaves through a velocity face", faces.noiseLeaves, true},
		{"a stream turns in velocity faces", faces.streamTurns, true},
	}
}

// suite is what all checks stand on; they are methods of what they look at.
type suite[T lbm.Float] struct {
	make Factory[T]
	eps  float64 // of the precision
}

type (
	steps[T lbm.Float] struct{ suite[T] } // what some tens of steps do, exactly
	flows[T lbm.Float] struct{ suite[T] } // flows in boxes and between walls, against theory
	faces[T lbm.Float] struct{ suite[T] } // what enters and leaves through open faces
)

// dither is the precision of a fluid that rounds at random, or 0: two flows that
// are the same otherwise may then differ by some of it.
func (s suite[T]) dither() float64 {
	if s.eps > epsilon[T]() {
		return s.eps
	}
	return 0
}

func epsilon[T lbm.Float]() float64 {
	if one := T(1); one+T(1e-10) != one {
		return math.Pow(2, -52)
	}
	return math.Pow(2, -23)
}

// collision of viscosity nu; failures are the test's.
func collision(t checking.T, name string, nu float64) lbm.Collision {
	t.Helper()
	c, err := lbm.NewCollision(name, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// awkward are sizes that no block or vector length divides.
var awkward = []lbm.Config{
	{Lattice: lbm.D2Q9, Size: [3]int{17, 12, 1}},
	{Lattice: lbm.D3Q19, Size: [3]int{7, 11, 18}},
	{Lattice: lbm.D2Q9, Size: [3]int{1, 5, 1}},
	{Lattice: lbm.D3Q19, Size: [3]int{3, 1, 2}},
}

// everyOperator calls do for each awkward size and collision operator, with and
// without eddy viscosity.
func everyOperator(t checking.T, do func(t checking.T, cfg lbm.Config)) {
	for k, cfg := range awkward {
		for _, name := range lbm.CollisionNames {
			cfg.Collision = collision(t, name, 0.03)
			t.Run(cfg.Lattice.Name+" "+name, func(t checking.T) { do(t, cfg) })
			if k > 1 {
				continue // a few nodes more of the same
			}
			cfg.Collision.Smagorinsky = 0.3
			t.Run(cfg.Lattice.Name+" "+name+" les", func(t checking.T) { do(t, cfg) })
			if name != "trt" {
				continue // they find τ alike
			}
			cfg.Collision.Smagorinsky, cfg.Collision.Rheology = 0, thinning(0.03)
			t.Run(cfg.Lattice.Name+" "+name+" rheology", func(t checking.T) { do(t, cfg) })
		}
	}
}

// random populations about rest, |f − w| up to 0.01 w.
func random[T lbm.Float](t checking.T, f lbm.Fluid[T], seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	s := lbm.StateOf(f)
	for i := range s.Populations {
		for n := range s.Populations[i] {
			s.Populations[i][n] = T(0.01 * f.Config().Lattice.W[i] * (2*r.Float64() - 1))
		}
	}
	if err := f.SetState(s); err != nil {
		t.Fatal(err)
	}
}

func advance[T lbm.Float](f lbm.Fluid[T], steps int) {
	for range steps {
		f.Step()
	}
}

// totals are the mass above rest and the momentum of all nodes.
func totals[T lbm.Float](f lbm.Fluid[T]) (mass float64, j [3]float64) {
	l := f.Config().Lattice
	for i, p := range lbm.StateOf(f).Populations {
		for _, v := range p {
			mass += float64(v)
			for a := range j {
				j[a] += float64(l.C[i][a]) * float64(v)
			}
		}
	}
	return mass, j
}

// fields reads density and velocity everywhere.
func fields[T lbm.Float](f lbm.Fluid[T]) (rho []T, u [][]T) {
	c := f.Config()
	rho = make([]T, c.Nodes())
	for range c.Lattice.Dim {
		u = append(u, make([]T, c.Nodes()))
	}
	f.Box([3]int{}, c.Size, rho, u)
	return rho, u
}

// same compares populations up to tol.
func same[T lbm.Float](t checking.T, got, want lbm.State[T], tol float64) {
	t.Helper()
	for i := range want.Populations {
		for n, w := range want.Populations[i] {
			if g := got.Populations[i][n]; !(math.Abs(float64(g)-float64(w)) <= tol) {
				t.Fatalf("population %d of node %d is %v, want %v within %g", i, n, g, w, tol)
			}
		}
	}
}

// sequence is 0, 1, …, n−1.
func sequence(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func uniform(v [3]float64) func([3]float64) [3]float64 {
	return func([3]float64) [3]float64 { return v }
}
