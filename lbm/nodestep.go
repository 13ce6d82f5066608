package lbm

import (
	"fmt"
	"sync/atomic"
)

// NodeStep is what a step does on a list of nodes beside what it does everywhere: a force density
// acts on them, which is known before the step, and density and velocity are read as the sweep passes.
type NodeStep[T Float] struct {
	Force [][]T // density, per axis, in lattice units
	Rho   []T   // ρ that the step leaves
	U     [][]T // u = (Σ c f + F/2)/ρ + a/2, per axis: the physical velocity in the step

	// Relaxation has nodes relax by times of their own, beside those of the list, too; nil: all relax as the collision says.
	Relaxation *Relaxation[T]

	nodes, at []int32
	runs      []NodeRun // of these and others; none: fluids find those of the list
	room      int       // values that fields must have
	list      int64     // number of the list: no other has it
}

// lists is how many lists steps have been given.
var lists atomic.Int64

// NodeRun is N nodes that follow each other along x in a row, from Node on, whose values stand from At on.
type NodeRun struct{ Node, At, N int32 }

// SetNodes has the step act on these nodes, each of which is listed once: values of nodes[k] stand at at[k] of the fields, no
// two at the same place. The lists stay the caller's, who sets them again where they change.
func (n *NodeStep[T]) SetNodes(nodes, at []int32) {
	n.nodes, n.at, n.list, n.room, n.runs = nodes, at[:len(nodes)], lists.Add(1), 0, nil
	for _, k := range n.at {
		n.room = max(n.room, int(k)+1)
	}
}

// SetRuns tells runs, none of which shares a node with another, that hold all nodes of SetNodes, which it comes after, and maybe some
// beside them: fluids that sweep whole vectors may take all for nodes of the list. Force must be 0 beside it; ρ and u may be stored
// there. The runs stay the caller's, like the lists.
func (n *NodeStep[T]) SetRuns(runs []NodeRun) {
	n.runs = runs
	for _, r := range runs {
		n.room = max(n.room, int(r.At+r.N))
	}
}

// List is what SetNodes and SetRuns have set, and its number: no other list has it.
func (n *NodeStep[T]) List() (number int64, nodes, at []int32, runs []NodeRun) {
	return n.list, n.nodes, n.at, n.runs
}

// Lists are the nodes, and where their values stand in fields of a flow; they must be as SetNodes and the flow have it: it panics else.
func (n *NodeStep[T]) Lists(cfg *Config) (nodes, at []int32) {
	n.check(cfg)
	return n.nodes, n.at
}

// check panics where fields are not those of a flow in so many dimensions, or shorter than the list needs.
func (n *NodeStep[T]) check(cfg *Config) {
	dim := cfg.Lattice.Dim
	if len(n.Force) != dim || len(n.U) != dim {
		panic(fmt.Sprintf("lbm: a step on nodes has %d components of force and %d of velocity, a flow in %d dimensions needs %d of each", len(n.Force), len(n.U), dim, dim))
	}
	for a := range dim {
		if least := min(len(n.Rho), len(n.Force[a]), len(n.U[a])); least < n.room {
			panic(fmt.Sprintf("lbm: a step on nodes has fields of %d values, its list needs %d", least, n.room))
		}
	}
	if n.Relaxation != nil {
		n.Relaxation.check(cfg)
	}
}

// NodeStepper is a fluid that takes such forces into its collision.
type NodeStepper[T Float] interface {
	// StepNodes makes a step with the nodes of a list; see the function StepNodes.
	StepNodes(n *NodeStep[T])
}

// StepNodes makes a step of a fluid in which the forces of n act on its nodes, by Guo's source, and
// stores density and velocity there. Fluids that cannot do so in their sweep make a step, which they
// correct for the forces; the same but for rounding.
func StepNodes[T Float](f Fluid[T], n *NodeStep[T]) {
	if s, ok := f.(NodeStepper[T]); ok {
		s.StepNodes(n)
		return
	}
	StepAndCorrect(f, n)
}

// TakesRelaxation tells whether a fluid can relax nodes by times of their own.
func TakesRelaxation[T Float](f Fluid[T]) bool {
	r, ok := f.(interface{ RelaxesNodes() bool })
	return ok && r.RelaxesNodes()
}

// Relaxing corrects nodes that have relaxed by times of their own: a fluid that TakesRelaxation, or a Local.
type Relaxing[T Float] interface {
	// CorrectRelaxing is Fluid.Correct after a step in which nodes have relaxed by times of their own.
	CorrectRelaxing(nodes, at []int32, force [][]T, times *Relaxation[T])
}

// RelaxesNext is a fluid that can be told before a step, however that is asked for, by which times of their own nodes are to relax in it.
type RelaxesNext[T Float] interface{ RelaxNext(times *Relaxation[T]) }

// StepAndCorrect is StepNodes by a correction after the step, whatever the fluid, all of whose nodes relax as the collision says.
func StepAndCorrect[T Float](f Fluid[T], n *NodeStep[T]) {
	if n.check(f.Config()); n.Relaxation != nil {
		panic("lbm: this fluid cannot relax nodes by times of their own: see TakesRelaxation")
	}
	f.Step()
	f.Correct(n.nodes, n.at, n.Force)
	f.Moments(n.nodes, n.at, n.Rho, n.U) // with all of the force
	for a, u := range n.U {
		for _, at := range n.at {
			u[at] -= n.Force[a][at] / (2 * n.Rho[at])
		}
	}
}
