package hybrid

import (
	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// DeviceCoupling makes the corrections of a Coupling on the device that its fluid is
// on. It is made for one fluid and one CouplingConfig (delta, strategy, forcing);
// whoever makes it gives it to NewScheduled. The Simulation tells it where markers
// are, lets it correct, and reads back only what somebody wants to know.
//
// A step with it is
//
//	Place(…)           if bodies have moved: while the device is still at the step before
//	SetTargets(…)      if velocities have changed
//	fluid.Step()
//	MarkerSystem(…)    if bodies move freely: what they feel, and then SetTargets(…)
//	Correct()
//
// None of these waits for the device; what MarkerSystem finds is pending. Calls come from one goroutine. A fault of the
// device is the error of the fluid (lbm.Fallible), not of a coupling.
type DeviceCoupling[T lbm.Float] interface {
	// Place tells where the markers are from the next Correct on. It is called before
	// the first, and then whenever anything has changed. What p holds is copied before
	// it returns. Its error is that the device cannot do what is asked for (a delta, a
	// window too large for its memory), with the remedy; it then keeps what it had.
	Place(p *Placement[T]) error

	// SetTargets sets the velocities U_d of the markers, velocity[a][k]: 0 until then. They are
	// copied before it returns.
	SetTargets(velocity [][]T)

	// OpenMarkerSystem makes ready for MarkerSystem: first are the first markers of each body, and the
	// number of all. Its error is that there is no memory for it.
	OpenMarkerSystem(first []int) error

	// MarkerSystem finds for each body what its markers feel where Correct is called
	// next, with the coefficients a = 2ρ·weight (with Smear, Share of that, and
	// 1 − Share along the normal). The Correct after it also sums what the markers give,
	// and its moment about the centers: MarkerForces. What is found is valid until the next
	// call, and has been waited for by then; its error is a failure of the device.
	MarkerSystem(centers []geometry.Vec) lbm.Pending[[]rigid.MarkerEquations]

	// MarkerForces is those sums of the last Correct; Slip and Granted are not theirs.
	// They are kept until the Correct after the next MarkerSystem.
	MarkerForces() lbm.Pending[[]BodySums]

	// Correct is queued behind all that the fluid has been asked for: on the support
	// nodes ρ and û from the populations as they are then; at the markers
	//
	//	ρ, Û = Σ (ρ, û) δ(x−X)            felt, with Placement.Ghosts in the sums
	//	F = 2ρ(U_d − Û)·weight            push; with Smear as Coupling has it: addForcesAlong
	//	F(x) = Σ F δ(x−X)                 force
	//
	// with multidirect rounds on u = û + F/(2ρ) until the largest |U_d − Û| is less than
	// the tolerance; then populations of the support nodes are corrected for F(x) as by
	// Fluid.Correct. F(x), push and felt are kept until the next Correct, ρ and û of the
	// support nodes until the fluid's next step. Forces that are not finite may be applied: Read tells them.
	Correct()

	// Read waits, and copies out what the last Correct kept. Slices have the lengths
	// that Reading tells.
	Read(r Reading[T]) error

	// OpenMarkerSums makes ready for MarkerSums. Its error is that there is no memory for it:
	// what the last Correct kept is then to be read.
	OpenMarkerSums(terms MarkerSumsTerms) error

	// MarkerSums is queued behind the last Correct, and returns at once: for each body the
	// force of its markers on the fluid, its moment and the greatest slip that is left,
	// |U_d − Û| with u = û + F/(2ρ), less what Smear leaves, and the mean of what Smear
	// leaves; and velocities of nodes. What markers felt is forgotten for that. The sums are
	// valid until as many more have been requested as the terms' Depth; their error is a
	// failure of the device. Ready sets them on their way where many have been requested, or
	// after a while.
	MarkerSums(r *MarkerSumsRequest) lbm.Pending[*MarkerSums]

	// Capture sets aside what the last Correct kept, without waiting, to be read while
	// the device goes on. It is nil where that cannot be done (no memory for it, a
	// failure): Read does it then. Two at most are not released at a time.
	Capture() CapturedReading[T]
}

// CapturedReading is what a Correct kept. It is read by one goroutine at a time, any.
type CapturedReading[T lbm.Float] interface {
	// Read copies out, as DeviceCoupling.Read, what it was at the step of the capture:
	// of each part as many components as r has slices for.
	Read(r Reading[T]) error

	// Release lets its memory be used again. Releasing again does nothing.
	Release()
}

// Placement is where the markers of all bodies are, and how they act. Slices are the
// Simulation's.
type Placement[T lbm.Float] struct {
	// Grid is what supports lie in: a window around all bodies, periodic along axes of
	// the domain that some support crosses the end of, or a packing of boxes around
	// bodies that are near to each other. Its Offset is 0. One value per node, x fastest.
	// NewWindow tells that it is another than before.
	Grid      ib.Grid
	NewWindow bool

	// Nodes are the support nodes as the fluid numbers them, At the same as places in
	// the grid, ascending. NewSupport tells that they are others than before; it is set with
	// NewWindow, too.
	Nodes, At  []int32
	NewSupport bool

	// Ghosts are the nodes of the grid behind faces of the domain that supports reach, which
	// change with the support, but for the velocities of walls. Before anything is interpolated
	// they have the density and, reversed along the axes of Flip, the velocity of the nodes that
	// they are images of, or the wall's; what has been spread to them is added to these
	// nodes, reversed alike, in the order of the ghosts, or lost at walls. What interpolation
	// finds at other nodes of the grid is ρ = 1 and û = 0.
	Ghosts patch.Ghosts[T]

	Markers []geometry.Vec // in nodes of the domain
	Placed  []geometry.Vec // the same in nodes of the grid
	Bodies  []int          // the first marker of each body, and the number of all
	Weight  []T            // of each marker: ε of direct, the area of multidirect forcing

	// Smear is nil where the smearing of walls is not corrected (CouplingConfig.Offset
	// is 0). Else, with n the marker's normal and d = U_d − Û − Over/ρ·(f − (f·n)n),
	// f the force so far, the force grows by 2ρ·weight·(Share·d + (1−Share)(d·n)n).
	// Beside an eddy viscosity the device finds Over and Share: see Smear.Eddies.
	Smear *Smear[T]
}

// Smear is the part of a Placement that corrects for the smearing of walls.
type Smear[T lbm.Float] struct {
	Normal      [][]T // per axis, of each marker; 0 where it stands for two sides
	Over, Share []T   // of each marker

	// Eddies is nil where there is no eddy viscosity. Else Over and Share are not those told but
	// found for every marker with an Area, which is 0 where it stands for two sides: before the
	// first force of a step by the slip that is felt and the slope of û (ib.Shear; in MarkerSystem, where it is called: the Correct
	// after it keeps them), before every further round of multidirect forcing by the force so
	// far and the same slope. See WallEddies; they do not change from one Placement to the next.
	Eddies *WallEddies[T]
	Area   []T // of each marker
}

// Reading is what DeviceCoupling.Read copies into.
type Reading[T lbm.Float] struct {
	Push    [][]T // per axis, of each marker: the force, weighted, of all rounds
	Felt    [][]T // ρ and, per axis, Û of each marker in the last round
	Moments [][]T // ρ and, per axis, û of each support node, in the order of Placement.Nodes
	Force   [][]T // per axis, of each support node: F(x)
	Over    []T   // of each marker, where the device finds it (Smear.Eddies); nil elsewhere
}

// MarkerSumsTerms say what may be requested of MarkerSums.
type MarkerSumsTerms struct {
	First []int   // marker of each body, and the number of all
	Nodes []int32 // whose velocity is requested, as the fluid numbers them
	Depth int     // requests whose sums are kept
}

// MarkerSumsRequest is what is wanted of the last Correct. Slices are the Simulation's.
type MarkerSumsRequest struct {
	Centers []geometry.Vec // of the bodies

	// Nodes are those whose velocity along Axis is wanted, as the fluid numbers them, In
	// their places among Placement.Nodes, −1 where they are none. New tells that they are
	// others than before.
	Axis      int
	Nodes, In []int32
	New       bool
}

// MarkerSums are what the markers of all bodies did in a step.
type MarkerSums struct {
	Bodies   []BodySums
	Velocity []float64 // of the nodes, with half the force that has acted there taken away
}

// BodySums are what the markers of a body did.
type BodySums struct {
	Force, Moment geometry.Vec // on the fluid, and about the body's centre
	Slip          float64
	Granted       float64 // mean over the markers of Over/ρ·|f − (f·n)n|; 0 without Smear
}
