package device

import (
	"lbmib/cuda/driver"
)

// Sums are seven sums and a maximum: Sums of kernels/reduction.h.
type Sums struct {
	V   [7]float64
	Max float64
}

// Threads of a block that sums, and the most blocks of a task: kernels/reduction.h. The
// number of blocks is a matter of the number of items alone, so that sums are.
const (
	reductionThreads   = 128
	MaxReductionBlocks = 64
	reductionItems     = 8 // of a thread, before another block is worth its while
)

// ReductionBlocks is the number of blocks of each task where the largest has so many items.
func ReductionBlocks(items int) int {
	return max(1, min(MaxReductionBlocks, items/(reductionThreads*reductionItems)))
}

// Reduction sums the items of tasks in a fixed order: blocks leave their sums, which a second
// kernel adds up.
type Reduction struct {
	work  *Launcher
	parts Buffer
	size  int // bytes of a sum
	merge Kernel
}

// EquationSums are the sums of what the markers of a body feel: EquationSums of kernels/reduction.h.
type EquationSums struct{ V [27]float64 }

// Open finds what adds up records of a size: Sums, or EquationSums.
func (t *Reduction) Open(work *Launcher, size int) (err error) {
	t.work, t.size = work, size
	name := "reduction_merge"
	if size == SizeOf[EquationSums]() {
		name = "reduction_merge_equations"
	}
	t.merge, err = work.Kernel("reduction", name, 3)
	return err
}

// Close frees the blocks' sums.
func (t *Reduction) Close() { t.parts.Free() }

// Run queues a kernel over tasks of parts blocks each, whose argument out is where it
// leaves what it finds, and has the tasks' sums left in a slot.
func (t *Reduction) Run(f *driver.Function, args *driver.Args, out int, tasks, parts int, to Slot) error {
	if tasks == 0 {
		return nil
	}
	block := [3]int{reductionThreads, 1, 1}
	if parts == 1 { // these are the sums
		args.Pointer(out, to.Memory, to.At)
		return t.work.Stream.Launch(f, [3]int{tasks, 1, 1}, block, 0, args)
	}
	if _, err := t.parts.Reserve(t.work.Context, tasks*parts, t.size); err != nil {
		return err
	}
	args.Pointer(out, t.parts.Memory, 0)
	if err := t.work.Stream.Launch(f, [3]int{tasks * parts, 1, 1}, block, 0, args); err != nil {
		return err
	}
	m := t.merge.Args
	m.Pointer(0, t.parts.Memory, 0)
	m.Int32(1, int32(parts))
	m.Pointer(2, to.Memory, to.At)
	return t.work.Stream.Launch(t.merge.Function, [3]int{tasks, 1, 1}, block, 0, m)
}
