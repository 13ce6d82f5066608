package lbm

// Box is the nodes Lo ≤ p < Hi.
type Box struct{ Lo, Hi [3]int }

// Nodes is how many they are.
func (b Box) Nodes() int { return (b.Hi[0] - b.Lo[0]) * (b.Hi[1] - b.Lo[1]) * (b.Hi[2] - b.Lo[2]) }

// Capturer is a fluid, on a device mostly, that can set its state aside and go on: what
// was captured is copied out beside the steps that follow. Captures are asked for by the
// goroutine that steps and return at once; what they return is for any one goroutine.
//
// A capture of a kind (state, boxes) must be released before the next of that kind.
// Errors of what is captured are failures of the device, which the fluid's Err tells, too.
type Capturer[T Float] interface {
	// CaptureState sets aside what a checkpoint holds. It is nil where there is no room
	// for a copy, and after a failure: the state is then to be read as of any fluid.
	CaptureState() CapturedState[T]

	// CaptureBoxes sets aside density and velocity of some boxes, as Fluid.Box reads
	// them; nil likewise.
	CaptureBoxes(boxes []Box) CapturedBoxes[T]

	// PendingHealth is Health of the state at hand. One that is still on its way when the
	// next is asked for is waited for then. Any goroutine may wait for it.
	PendingHealth() Pending[Health]
}

// CapturedState is the state of a fluid at the step of its capture.
type CapturedState[T Float] interface {
	Steps() int64
	Population(i int, dst []T) error // as Fluid.Population
	OpenFaces() ([]float64, error)   // as Fluid.OpenFaces

	// Release lets its memory be used again. Releasing again does nothing.
	Release()
}

// CapturedBoxes are density and velocity of boxes at the step of their capture.
type CapturedBoxes[T Float] interface {
	// Box is that of the k-th box, as Fluid.Box: x fastest, either destination may be nil.
	Box(k int, rho []T, u [][]T) error

	// Release lets its memory be used again. Releasing again does nothing.
	Release()
}
