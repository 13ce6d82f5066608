package cuda

import (
	"lbmib/cuda/driver"
)

// Threads that survey all nodes, and those that shorten what they found; the host does
// the rest. The numbers depend on the number of nodes alone, so that sums do.
const (
	surveyThreads = 128
	surveyBlocks  = 256 // at most
	mergeBlocks   = 2
	findings      = surveyThreads * (surveyBlocks + mergeBlocks)
)

// surveyShare is the number of blocks that survey so many nodes.
func surveyShare(nodes int) int {
	return max(1, min(surveyBlocks, (nodes+surveyThreads-1)/surveyThreads))
}

// survey queues a survey of so many nodes, what shortens its findings, records of so many
// bytes, and their copy to the host.
func survey(st *driver.Stream, nodes, size int, k, merge *driver.Function, of, merging *driver.Args, found *driver.Memory, host *driver.Host) error {
	blocks := surveyShare(nodes)
	block := [3]int{surveyThreads, 1, 1}
	if err := st.Launch(k, [3]int{blocks, 1, 1}, block, 0, of); err != nil {
		return err
	}
	short := surveyThreads * blocks * size
	s := setter{a: merging}
	s.pointer(found, 0).int64(blocks*surveyThreads).pointer(found, short)
	if err := st.Launch(merge, [3]int{mergeBlocks, 1, 1}, block, 0, s.a); err != nil {
		return err
	}
	return st.CopyFrom(host.Pointer(0), found, short, surveyThreads*mergeBlocks*size)
}
