package device

import (
	"lbmib/cuda/driver"
)

// Threads that survey all nodes, and those that shorten what they found; the host does
// the rest. The numbers depend on the number of nodes alone, so that sums do.
const (
	SurveyThreads = 128
	surveyBlocks  = 256 // at most
	MergeBlocks   = 2
	SurveyRecords = SurveyThreads * (surveyBlocks + MergeBlocks) // at most
)

// SurveyShare is the number of blocks that survey so many nodes.
func SurveyShare(nodes int) int {
	return max(1, min(surveyBlocks, (nodes+SurveyThreads-1)/SurveyThreads))
}

// Survey queues a survey of so many nodes, what shortens its findings, records of so many
// bytes, and their copy to the host.
func Survey(st *driver.Stream, nodes, size int, k, merge *driver.Function, of, merging *driver.Args, found *driver.Memory, host *driver.Host) error {
	blocks := SurveyShare(nodes)
	block := [3]int{SurveyThreads, 1, 1}
	if err := st.Launch(k, [3]int{blocks, 1, 1}, block, 0, of); err != nil {
		return err
	}
	short := SurveyThreads * blocks * size
	s := Setter{Args: merging}
	s.Pointer(found, 0).Int64(blocks*SurveyThreads).Pointer(found, short)
	if err := st.Launch(merge, [3]int{MergeBlocks, 1, 1}, block, 0, s.Args); err != nil {
		return err
	}
	return st.CopyFrom(host.Pointer(0), found, short, SurveyThreads*MergeBlocks*size)
}
