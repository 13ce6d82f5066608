package lbm

// What a schedule needs of a fluid to work on some of its nodes aside: read their
// populations, and overwrite them. See Local for what is done with them there.

// Exchanger is a fluid whose populations after collision can be read one by one, and
// overwritten node by node.
//
// Nodes are indices in the domain, of fluid nodes; f has one slice per direction, all of the
// same length n, of f_i − w_i after collision, as Fluid.Population has it. Lists are
// long-lived and mostly the same from call to call, with the same contents: what is derived
// from one should be kept until a comparison tells that another has come. Nothing is
// allocated then.
type Exchanger[T Float] interface {
	// Fetch reads populations as the last step, and what has corrected it, have left
	// them: f[i][k] of node nodes[i·n + k], for each direction has nodes of its own. f is
	// complete when it returns.
	Fetch(nodes []int32, f [][]T)

	// Put makes populations what they are to be after the last step, as if that had
	// left them, f[i][k] of nodes[k], each at most once in the list: what the next step streams, moments, and all that is kept beside
	// populations (of open faces, say). Values that are stored in fewer bits are
	// rounded as that step rounds them, with the same noise. Nothing else changes.
	// f and nodes are the caller's again when it returns; whatever is called next
	// on the fluid comes after it.
	Put(nodes []int32, f [][]T)
}

// Keeper is an Exchanger that keeps where the nodes of lists lie, of which there may be many.
type Keeper[T Float] interface {
	Exchanger[T]

	// Keep promises that a list of nodes, in this memory, stays as it is.
	Keep(nodes []int32)

	// FetchEach is Fetch of different numbers of nodes: as many of direction i as f[i] has values, which follow those of the direction
	// before in the list.
	FetchEach(nodes []int32, f [][]T)

	// PutEach is Put of single populations, which are listed likewise. Others of a node stay what they are.
	PutEach(nodes []int32, f [][]T)
}

// Overlapped is a fluid that makes a step while its caller does other things, a device
// mostly. Its own order of things is that of the calls: Step, Put and Correct may
// return before they are done (having copied their arguments), and every method
// comes after whatever was called before it, waiting if it has to tell something.
//
// A pipelined step is, for such a fluid,
//
//	fluid.StepFetching(near, f)   // f(t) near the bodies, and off it goes to t+1
//	…                             // the host corrects f(t) and makes the step t+1 there
//	fluid.Put(inner, g)           // f(t+1) near the bodies, once the step is made
//
// so that it never waits for the host unless the host is slower.
type Overlapped[T Float] interface {
	Exchanger[T]

	// StepFetching is Fetch, then Step: f is complete when it returns and holds what
	// was there before the step, which may be under way still. Steps counts it.
	StepFetching(nodes []int32, f [][]T)

	// Wait returns when all that has been asked for is done. The error is Err's.
	Wait() error
}

// Batched is a fluid that queues several steps at once where nothing is asked for in
// between. To make ready for that takes longer than to do it again with steps like those.
type Batched interface {
	// Batch tells that so many steps are queued at once, 1: each by itself, after so many
	// more that are not.
	Batch() (steps, after int)

	// Batches is how many kinds of batches have been made ready so far.
	Batches() int
}

// Lender is an Exchanger that lends memory which values are on their way through in any
// case (page-locked, of a device): what is fetched to it, or put from it, is not copied once
// more by the host.
type Lender[T Float] interface {
	Exchanger[T]

	// Lend is memory for n values, zeros; nil where there is none to lend. Where f of a
	// Fetch, StepFetching or Put has its slices in it at equal distances, they go straight
	// there: Put may read them until the next Fetch, StepFetching or Wait returns.
	Lend(n int) []T

	// Return gives lent memory back, whole. Others are passed over.
	Return(memory []T)

	// Keep promises that a list of nodes, in this memory, stays as it is until it is kept
	// again. Others are compared with what they were before, each time that they come.
	Keep(nodes []int32)
}

// Fallible is a fluid whose steps can fail in the middle of a run: on a device that
// faults. The error names what failed and the step; it stays once it has come, and
// all calls after it do nothing. It may come some steps late, unless Wait or a method
// that tells something has been called in between.
type Fallible interface{ Err() error }
