package device

import (
	"lbmib/cuda/driver"
)

// Threads that survey all nodes, and those that shorten what they found; the host does
// the rest. The numbers depend on the number of nodes alone, so that results do.
const (
	surveyThreads = 128
	surveyBlocks  = 256 // at most
	mergeBlocks   = 2
	surveyWarps   = surveyThreads / Warp // of a block: each leaves a record

	SurveyRecords = surveyWarps * (surveyBlocks + mergeBlocks) // on the device, at most
	MergedRecords = surveyWarps * mergeBlocks                  // on the host
)

// surveyShare is the number of blocks that survey so many nodes.
func surveyShare(nodes int) int {
	return max(1, min(surveyBlocks, (nodes+surveyThreads-1)/surveyThreads))
}

// Survey queues a survey of so many nodes, what shortens its findings, records of so many
// bytes of which found has SurveyRecords, and the copy of MergedRecords to the host.
func Survey(st *driver.Stream, nodes, size int, k, merge *driver.Function, of, merging *driver.Args, found *driver.Memory, host *driver.Host) error {
	blocks := surveyShare(nodes)
	block := [3]int{surveyThreads, 1, 1}
	if err := st.Launch(k, [3]int{blocks, 1, 1}, block, 0, of); err != nil {
		return err
	}
	records := surveyWarps * blocks
	s := Setter{Args: merging}
	s.Pointer(found, 0).Int64(records).Pointer(found, records*size)
	if err := st.Launch(merge, [3]int{mergeBlocks, 1, 1}, block, 0, s.Args); err != nil {
		return err
	}
	return st.CopyFrom(host.Pointer(0), found, records*size, MergedRecords*size)
}
