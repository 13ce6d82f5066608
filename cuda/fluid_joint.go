package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Joints: seams between fluids of a device, which are computed there. Fluids that are joined queue their work in one stream, so that what a seam
// reads and puts is done in the order in which it is asked for, and nothing is waited for.

var _ lbm.Joinable[float64] = (*Fluid[float64])(nil)

// NewFluidBeside is NewFluid of a fluid whose work is queued in the stream of another, so that they may be joined. It must be closed before that one.
func NewFluidBeside[T lbm.Float](l *device.Library, cfg lbm.Config, beside *Fluid[T]) (*Fluid[T], error) {
	return newFluid[T](l, cfg, beside.stream)
}

// joint is an lbm.Joint, whose values lie in memory of the fluid that it was made for.
type joint[T lbm.Float] struct {
	in     *Fluid[T]
	values *driver.Memory
	count  int
	tasks  []*jointTask[T]
}

// jointLine is JointLine of kernels/seam.h.
type jointLine struct{ first, node, step, dir, terms, end int32 }

// JoinsWith tells whether another fluid queues its work in the same stream; see lbm.Joinable.
func (f *Fluid[T]) JoinsWith(other lbm.Fluid[T]) bool {
	o, ok := other.(*Fluid[T])
	return ok && o.stream == f.stream && f.runs == nil && o.runs == nil
}

// NewJoint is memory for values; see lbm.Joinable.
func (f *Fluid[T]) NewJoint(values int) (lbm.Joint[T], error) {
	j := &joint[T]{in: f, count: values}
	f.joints = append(f.joints, j)
	if values == 0 {
		return j, nil
	}
	var err error
	if j.values, err = f.zeroed(values * device.SizeOf[T]()); err != nil {
		return nil, fmt.Errorf("cuda: %d values of a seam: %w", values, err)
	}
	return j, nil
}

func (j *joint[T]) at(first int) device.Slot { return device.At(j.values, first*device.SizeOf[T]()) }

// Reading has populations read; see lbm.Joint.
func (j *joint[T]) Reading(from lbm.Fluid[T], nodes []int32, counts []int, first int) (func(), error) {
	f := from.(*Fluid[T])
	return j.singly(f, nodes, counts, first, f.fetchSingles, fetchSingleArgs)
}

// Putting has populations put; see lbm.Joint.
func (j *joint[T]) Putting(to lbm.Fluid[T], nodes []int32, counts []int, first int) (func(), error) {
	f := to.(*Fluid[T])
	return j.singly(f, nodes, counts, first, f.putSingles, putSingleArgs)
}

// singly has a kernel with so many arguments read or put single populations of listed nodes.
func (j *joint[T]) singly(f *Fluid[T], nodes []int32, counts []int, first int,
	kernel func(a *driver.Args, nodes device.Slot, count int, of *singles, values device.Slot) error, arguments int) (func(), error) {
	of, count := singlesOf(len(counts), func(i int) int { return counts[i] })
	list, err := upload(&f.core, nodes)
	if err != nil || count == 0 {
		return func() {}, err
	}
	args := driver.NewArgs(arguments)
	task, err := j.task(&f.batcher, func(*[lbm.JointConstants]T) error { return kernel(args, device.At(list, 0), count, &of, j.at(first)) })
	none := &[lbm.JointConstants]T{}
	return func() { task.ask(none) }, err
}

// jointSums are lines of sums as the kernel takes them.
type jointSums[T lbm.Float] struct {
	lines, lineOf, from, weight *driver.Memory
	count                       int
	args                        *driver.Args
}

// Arguments of put_sums before the constants, and all.
const (
	sumsConstants = latticeArgs + 6
	putSumsArgs   = sumsConstants + lbm.JointConstants + 2
)

// Summing has populations put that are sums; see lbm.Joint.
func (j *joint[T]) Summing(to lbm.Fluid[T], lines []lbm.JointLine[T]) (func(constants *[lbm.JointConstants]T), error) {
	f := to.(*Fluid[T])
	k, err := f.uploadSums(lines)
	if err != nil || k.count == 0 {
		return func(*[lbm.JointConstants]T) {}, err
	}
	task, err := j.task(&f.batcher, func(constants *[lbm.JointConstants]T) error { return f.putSums(k, j.at(0), constants) })
	return task.ask, err
}

// uploadSums has the device have sums.
func (f *Fluid[T]) uploadSums(lines []lbm.JointLine[T]) (k *jointSums[T], err error) {
	k = &jointSums[T]{args: driver.NewArgs(putSumsArgs)}
	var all []jointLine
	var lineOf, from []int32
	var weight []T
	for n, l := range lines {
		all = append(all, jointLine{int32(k.count), l.Node, l.Step, int32(l.Dir), int32(len(from)), int32(len(from) + len(l.From))})
		from, weight = append(from, l.From...), append(weight, l.Weight...)
		for range l.N {
			lineOf = append(lineOf, int32(n))
		}
		k.count += l.N
	}
	if k.lines, err = upload(&f.core, all); err != nil {
		return k, err
	}
	if k.lineOf, err = upload(&f.core, lineOf); err != nil {
		return k, err
	}
	if k.from, err = upload(&f.core, from); err != nil {
		return k, err
	}
	k.weight, err = upload(&f.core, weight)
	return k, err
}

// putSums queues sums of values.
func (f *Fluid[T]) putSums(k *jointSums[T], values device.Slot, constants *[lbm.JointConstants]T) error {
	s := device.Setter{Args: k.args}
	f.setLattice(&s).Pointer(k.lines, 0).Pointer(k.lineOf, 0).Int64(k.count).Pointer(k.from, 0).Pointer(k.weight, 0).Pointer(values.Memory, values.At)
	device.SetReals(&s, constants[:]...)
	f.setNoise(&s, lbm.ForCollision, f.steps-1)
	f.changed()
	return f.overNodes(f.kernels.putSums, k.count, k.args)
}

// Values copies all values to the host; see lbm.Joint.
func (j *joint[T]) Values(to []T) {
	if j.count > 0 && j.in.settled() {
		j.in.fail(device.CopyOut(j.in.stream, to[:j.count], j.at(0)))
	}
}

// SetValues overwrites them.
func (j *joint[T]) SetValues(from []T) {
	if j.count > 0 && j.in.settled() {
		j.in.fail(device.CopyIn(j.in.stream, j.at(0), from[:j.count]))
	}
}
