package lbm

// Accountant is a fluid, on a device mostly, that sums over its nodes when it comes to it:
// questions are queued behind the steps asked for so far, and the answers to several come
// to the host at once. Momentum and Inflow ask one and wait.
type Accountant interface {
	// NewAccount prepares an account. Its error is that the device has no memory for it:
	// the fluid can then be asked by its other methods.
	NewAccount(terms AccountTerms) (Account, error)
}

// AccountTerms say what an account may be asked.
type AccountTerms struct {
	Boxes   int      // how many boxes, at most
	Regions []Region // whose momentum is asked for; copied
	Depth   int      // questions whose answers have not been taken, at most
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

// Question is what is asked about the state at hand. Whoever is asked copies it.
type Question struct {
	Boxes  []Box  // mass and momentum of each; one without nodes has none
	Inflow bool   // and what will stream into each: no box touches a face then
	Poses  []Pose // where the regions of the terms are
}

// Account is asked about states between steps, by the goroutine that steps.
type Account interface {
	// Ask queues a question and returns at once. Asking more than the terms' Depth is a
	// mistake of the program.
	Ask(q *Question)

	// Fetch sets the answers to all that has been asked on their way to the host.
	Fetch()

	// Answer is the oldest answer that has not been taken yet, valid until the next call.
	// With wait it waits for it; without, answers come when many have been asked for, or
	// after a while. It is nil where nothing has been asked, has not arrived, or is lost
	// to a failure of the device, which is the fluid's Err.
	Answer(wait bool) *Answer

	// Close frees its memory. Closing again does nothing.
	Close()
}

// Answer is what a state was found to be.
type Answer struct {
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
