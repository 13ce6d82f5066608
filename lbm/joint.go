package lbm

import "time"

// Joinable is a fluid of a device. Seams between it and other fluids there are computed by the device, from their memory to their memory, with
// no host in between: see package joined.
type Joinable[T Float] interface {
	Keeper[T]

	// JoinsWith tells whether a joint may be of this fluid and another: they have one memory, and their work is done in one order.
	JoinsWith(other Fluid[T]) bool

	// NewJoint is memory for so many values, zeros at first, that goes when the fluid does.
	NewJoint(values int) (Joint[T], error)

	// Together tells it of fluids, with which joints may be of it, that step together: what they and their joints are asked for in so many steps of
	// the whole comes again in as many further ones, so that it may be queued at once. next is called before each step of the whole.
	Together(fluids []Fluid[T], steps int) (next func())
}

// Joint is memory through which populations of fluids go into others. What is read and put is said once, when a seam is made; what that returns does
// it, in the order of what is asked of the fluids, and allocates nothing. It fails as the fluid does.
type Joint[T Float] interface {
	// Reading reads single populations of a fluid, listed as FetchEach has them, counts[i] of direction i, to values[first], …
	Reading(from Fluid[T], nodes []int32, counts []int, first int) (read func(), err error)

	// Putting makes single populations of a fluid, listed likewise, what stands there.
	Putting(to Fluid[T], nodes []int32, counts []int, first int) (put func(), err error)

	// Summing makes populations of a fluid sums, whose constants are given each time.
	Summing(to Fluid[T], lines []JointLine[T]) (sum func(constants *[JointConstants]T), err error)

	// Time is what all this has taken so far, by samples.
	Time() time.Duration

	// Values copies all values to the host's memory, SetValues overwrites them.
	Values(to []T)
	SetValues(from []T)
}

// JointConstants is how many constants sums have.
const JointConstants = 18

// JointLine is what becomes of population Dir of N nodes, Node, Node + Step, …: of the k-th the sum of Weight[j]·values[From[j] + k] over j in their
// order, or, where From[j] < 0, of Weight[j]·constants[−1 − From[j]].
type JointLine[T Float] struct {
	Dir, N     int
	Node, Step int32
	From       []int32
	Weight     []T
}
