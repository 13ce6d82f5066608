package lbm

// Reducer is a fluid, on a device mostly, that sums over its nodes when it comes to it:
// requests are queued behind the steps asked for so far, and the sums of several come to
// the host at once. Momentum and Inflow request one and wait.
type Reducer interface {
	// NewReduction prepares sums. Its error is that the device has no memory for them: the
	// fluid can then be asked by its other methods.
	NewReduction(terms ReductionTerms) (Reduction, error)
}

// ReductionTerms say what may be requested of a reduction.
type ReductionTerms struct {
	Boxes   int      // how many boxes, at most
	Regions []Region // whose momentum is found; copied
	Depth   int      // requests whose sums are kept
}

// Region is a part of space with a soft edge, drawn in axes of its own on a fine grid of
// points: what it has of the volume of a node is the grid's value where the node is, by
// quadratic B-splines along each of its axes: of the three points nearest to the node, d from the middle one
// in units of the step, they weigh (½ − d)²/2, ¾ − d² and (½ + d)²/2. It is zero where
// the node is not at least a step from the grid's first points and two from its last. A region without
// shares is none.
type Region struct {
	Low    [3]float64 // the grid's first point, from the region's centre, in nodes
	Step   float64    // between its points
	Cells  [3]int     // points along each axis; 1 along z in the plane
	Shares []float32  // of all points, x fastest
}

// Pose is where a region is: its centre, and its axes in those of space. The place r in
// its axes is Center + Rotation·r in space.
type Pose struct {
	Center   [3]float64
	Rotation [3][3]float64
}

// ReductionRequest is which sums over the state at hand are wanted. Reduce copies it.
type ReductionRequest struct {
	Boxes  []Box  // mass and momentum of each; one without nodes has none
	Inflow bool   // and what will stream into each: no box touches a face then
	Poses  []Pose // where the regions of the terms are
	Soon   bool   // the sums are waited for soon: they are set on their way to the host at once
}

// Reduction sums over states between steps, for the goroutine that steps.
type Reduction interface {
	// Reduce requests sums and returns at once. They are valid until as many more have been
	// requested as the terms' Depth. Their error is a failure of the device. Ready sets them on their way
	// where many have been requested, or after a while.
	Reduce(r *ReductionRequest) Pending[*Sums]

	// Close frees its memory. Closing again does nothing.
	Close()
}

// Sums are those of a state.
type Sums struct {
	Boxes   []BoxSums
	Regions []RegionSums // of all regions of the terms
}

// BoxSums are Fluid.Momentum and Fluid.Inflow of a box.
type BoxSums struct {
	Mass     float64
	Momentum [3]float64
	Inflow   [3]float64
}

// RegionSums are the momentum of the fluid in a region, with u as Fluid.Moments has it,
// and its moment about the region's centre:
//
//	Σ share·ρu,  Σ (x − center) × share·ρu
type RegionSums struct{ Linear, Angular [3]float64 }
