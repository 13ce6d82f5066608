package patch

import (
	"fmt"

	"lbmib/ib"
	"lbmib/lbm"
)

// Part is what a correction acts on: a fluid, or what of it is aside (lbm.Local).
type Part[T lbm.Float] interface {
	Steps() int64
	Moments(nodes, at []int32, rho []T, u [][]T)
	Correct(nodes, at []int32, force [][]T)
}

// Read reads ρ and û of the support nodes into Moments.
func (w *Window[T]) Read(fluid Part[T]) {
	fluid.Moments(w.Nodes, w.At, w.Moments[0], w.Moments[1:])
	w.meet(w.Moments)
	w.Ghosts.reflect(w.Moments[0], w.Moments[1:])
}

// Interpolate stores Σ (ρ, û) δ(x−X) of every point X in felt[0] and felt[1 …].
func (w *Window[T]) Interpolate(felt [][]T) { w.interpolate(felt, w.Moments) }

// interpolate stores what fields are at all points.
func (w *Window[T]) interpolate(felt, fields [][]T) {
	if w.shared == nil {
		w.transfer.Interpolate(felt, fields)
		return
	}
	w.transfer.Interpolate(w.shared.interpolated(len(felt)), fields)
	w.shared.tell(felt)
}

// meet gets values of fields at support nodes that other ranks have.
func (w *Window[T]) meet(fields [][]T) {
	if w.shared != nil {
		w.shared.Exchange(fields)
	}
}

// InterpolateForced stores Σ u δ(x−X), u = û + F/(2ρ), of every point in felt.
func (w *Window[T]) InterpolateForced(felt [][]T) {
	rho := w.Moments[0]
	for a, u := range w.Velocity {
		before, f := w.Moments[1+a], w.Force[a]
		for _, n := range w.At {
			u[n] = before[n] + f[n]/(2*rho[n])
		}
	}
	w.meet(w.Velocity)
	w.Ghosts.reflect(nil, w.Velocity)
	w.interpolate(felt, w.Velocity)
}

// Step makes a step of a fluid into whose collision Force goes, which leaves ρ and u in Moments and Velocity; times are those
// of nodes that have relaxation times of their own, or nil.
func (w *Window[T]) Step(fluid lbm.Fluid[T], times *lbm.Relaxation[T]) {
	n := &w.step
	if w.stepped != w.Supports {
		w.stepped = w.Supports
		w.setRuns()
		n.SetNodes(w.Nodes, w.At)
		n.SetRuns(w.runs)
	}
	n.Force, n.Rho, n.U, n.Relaxation = w.Force, w.Moments[0], w.Velocity, times
	w.stepNodes(fluid, n)
	w.meet(w.Velocity)
	w.Ghosts.reflect(nil, w.Velocity)
}

// stepNodes makes a step of a fluid, or of this rank's part of it, with what acts on nodes.
func (w *Window[T]) stepNodes(fluid lbm.Fluid[T], n *lbm.NodeStep[T]) {
	if w.shared != nil {
		fluid.(sharedStepper[T]).StepShare(n)
		return
	}
	lbm.StepNodes(fluid, n)
}

// sharedStepper is a fluid that several ranks step together, each with what acts on its own nodes.
type sharedStepper[T lbm.Float] interface{ StepShare(n *lbm.NodeStep[T]) }

// InterpolateVelocity stores Σ u δ(x−X) of every point in felt.
func (w *Window[T]) InterpolateVelocity(felt [][]T) { w.interpolate(felt, w.Velocity) }

// Spread makes Force that of the points: F(x) = Σ F δ(x−X), push being F of each.
func (w *Window[T]) Spread(push [][]T) {
	w.setRuns()
	w.loops.Run(len(w.At), w.clear)
	w.Ghosts.clear(w.Force)
	if w.shared != nil {
		push = w.shared.spread(push)
	}
	ib.SpreadToZeros(w.transfer, w.Force, push)
	w.Ghosts.fold(w.Force)
}

// StepFree makes a step without Force of a fluid in which nodes relax by times of their own.
func (w *Window[T]) StepFree(fluid lbm.Fluid[T], times *lbm.Relaxation[T]) {
	n := &w.free
	n.Force, n.U, n.Relaxation = w.Force, w.Velocity, times
	w.stepNodes(fluid, n)
}

// Correct corrects the fluid on the support nodes for Force.
func (w *Window[T]) Correct(fluid Part[T]) { fluid.Correct(w.Nodes, w.At, w.Force) }

// CorrectRelaxing is Correct after a step in which nodes relaxed by times of their own.
func (w *Window[T]) CorrectRelaxing(fluid Part[T], times *lbm.Relaxation[T]) {
	fluid.(lbm.Relaxing[T]).CorrectRelaxing(w.Nodes, w.At, w.Force, times)
}

// Feel stores in response what every point feels of weights of all: A ε, A_kl = Σ_x δ(x−X_k) δ(x−X_l).
// Both have one component. Only windows of bodies that move can.
func (w *Window[T]) Feel(response, weights [][]T) {
	unit := w.unit[0]
	for _, at := range w.support.Nodes() {
		unit[at] = 0
	}
	if w.shared != nil {
		weights = w.shared.spread(weights)
	}
	w.transfer.Spread(w.unit, weights)
	w.Ghosts.foldUnit(unit)
	w.meet(w.unit)
	w.Ghosts.reflectUnit(unit)
	w.interpolate(response, w.unit)
}

// HalfForce subtracts F/(2ρ) from a velocity field read right after a step on the
// box lo ≤ p < hi: fluids report momentum that includes all of F (lbm.Fluid).
func (w *Window[T]) HalfForce(box lbm.Box, u [][]T) {
	HalfForce(w.flow, box, u, w.Nodes, w.At, w.Moments[0], w.Force)
}

// HalfForce is Window.HalfForce, of density and force density at[i] of nodes[i].
func HalfForce[T lbm.Float](flow *lbm.Config, box lbm.Box, u [][]T, nodes, at []int32, rho []T, force [][]T) {
	lo, hi := box.Lo, box.Hi
	nx, ny := hi[0]-lo[0], hi[1]-lo[1]
	for i, n := range nodes {
		p := flow.Position(int(n))
		if p[0] < lo[0] || p[0] >= hi[0] || p[1] < lo[1] || p[1] >= hi[1] || p[2] < lo[2] || p[2] >= hi[2] {
			continue
		}
		k := p[0] - lo[0] + nx*(p[1]-lo[1]+ny*(p[2]-lo[2]))
		for a := range u {
			u[a][k] -= force[a][at[i]] / (2 * rho[at[i]])
		}
	}
}

// Held is ρ and, per axis, force density of the support nodes in the order of the fluid.
func (w *Window[T]) Held() [][]T {
	held := Fields[T](1+w.dim, len(w.At))
	for i, k := range w.Order() {
		n := w.At[k]
		held[0][i] = w.Moments[0][n]
		for a, f := range w.Force {
			held[1+a][i] = f[n]
		}
	}
	return held
}

// CheckHeld refuses what another run has held of so many support nodes.
func CheckHeld[T lbm.Float](held [][]T, dim, nodes int) error {
	for _, h := range held {
		if len(held) != 1+dim || len(h) != nodes {
			return fmt.Errorf("the forces of another run: %d components on %d support nodes, the bodies here have %d on %d: resume with the case that wrote them", len(held), len(h), 1+dim, nodes)
		}
	}
	return nil
}

// SetHeld restores what Held returned for the same bodies.
func (w *Window[T]) SetHeld(held [][]T) error {
	if err := CheckHeld(held, w.dim, len(w.At)); err != nil {
		return err
	}
	for i, k := range w.Order() {
		n := w.At[k]
		w.Moments[0][n] = held[0][i]
		for a, f := range w.Force {
			f[n] = held[1+a][i]
		}
	}
	return nil
}

// Fields are so many fields of n zeros.
func Fields[T lbm.Float](components, n int) [][]T {
	f := make([][]T, components)
	for i := range f {
		f[i] = make([]T, n)
	}
	return f
}
