package cuda

import (
	"lbmib/cuda/driver"
)

// tally is Tally of kernels/tally.h.
type tally struct {
	v    [7]float64
	most float64
}

// Threads of a block that tallies, and the most blocks of a task: kernels/tally.h. The
// number of blocks is a matter of the number of items alone, so that sums are.
const (
	tallyThreads = 128
	tallyParts   = 64
	tallyItems   = 8 // of a thread, before another block is worth its while
)

// partsFor is the number of blocks of each task where the largest has so many items.
func partsFor(items int) int {
	return max(1, min(tallyParts, items/(tallyThreads*tallyItems)))
}

// tallies are the blocks' sums of tasks, and what adds them up.
type tallies struct {
	work  *tools
	parts room
	size  int // bytes of a sum
	merge kernel
}

// feltRecord is FeltTally of kernels/tally.h.
type feltRecord struct{ v [27]float64 }

// open finds what adds up records of a size: tallies, or what markers feel.
func (t *tallies) open(work *tools, size int) (err error) {
	t.work, t.size = work, size
	name := "account_merge"
	if size == sizeOf[feltRecord]() {
		name = "account_merge_felt"
	}
	t.merge, err = work.kernel("account", name, 3)
	return err
}

func (t *tallies) close() { t.parts.Free() }

// run queues a kernel over tasks of parts blocks each, whose argument out is where it
// leaves what it finds, and has the tasks' sums left in a slot.
func (t *tallies) run(f *driver.Function, args *driver.Args, out int, tasks, parts int, to Slot) error {
	if tasks == 0 {
		return nil
	}
	block := [3]int{tallyThreads, 1, 1}
	if parts == 1 { // these are the sums
		args.Pointer(out, to.Memory, to.At)
		return t.work.stream.Launch(f, [3]int{tasks, 1, 1}, block, 0, args)
	}
	if _, err := t.parts.hold(t.work.context, tasks*parts, t.size); err != nil {
		return err
	}
	args.Pointer(out, t.parts.Memory, 0)
	if err := t.work.stream.Launch(f, [3]int{tasks * parts, 1, 1}, block, 0, args); err != nil {
		return err
	}
	m := t.merge.args
	m.Pointer(0, t.parts.Memory, 0)
	m.Int32(1, int32(parts))
	m.Pointer(2, to.Memory, to.At)
	return t.work.stream.Launch(t.merge.f, [3]int{tasks, 1, 1}, block, 0, m)
}
