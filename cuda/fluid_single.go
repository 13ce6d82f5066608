package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Single populations, read or overwritten one by one: lbm.Keeper. A list has those of a direction after those of the direction before.

var _ lbm.Keeper[float64] = (*Fluid[float64])(nil)

// singles is where the populations of each direction begin in a list: Singles of kernels/seam.h.
type singles [sweepPlaces]int

// singlesOf is that of a list with so many of each direction, and their number.
func singlesOf(q int, count func(i int) int) (s singles, total int) {
	for i := range s {
		s[i] = total
		if i < q {
			total += count(i)
		}
	}
	return s, total
}

// Arguments of the kernels of singles.
const (
	singlesArgs     = sweepPlaces - 1
	fetchSingleArgs = latticeArgs + 3 + singlesArgs
	putSingleArgs   = fetchSingleArgs + 2
)

// set sets SINGLES_PARAMETERS.
func (of *singles) set(s *device.Setter) {
	for _, first := range of[1:] {
		s.Int32(first)
	}
}

// fetchSingles queues the reading of count listed populations to memory of the device.
func (f *access[T]) fetchSingles(a *driver.Args, nodes device.Slot, count int, of *singles, to device.Slot) error {
	s := device.Setter{Args: a}
	f.setLattice(&s).Pointer(nodes.Memory, nodes.At).Int64(count).Pointer(to.Memory, to.At)
	of.set(&s)
	return f.overNodes(f.kernels.fetchSingle, count, a)
}

// putSingles queues the opposite.
func (f *access[T]) putSingles(a *driver.Args, nodes device.Slot, count int, of *singles, from device.Slot) error {
	s := device.Setter{Args: a}
	f.setLattice(&s).Pointer(nodes.Memory, nodes.At).Int64(count).Pointer(from.Memory, from.At)
	of.set(&s)
	f.setNoise(&s, lbm.ForCollision, f.steps-1)
	f.changed()
	return f.overNodes(f.kernels.putSingle, count, a)
}

// FetchEach reads single populations; see lbm.Keeper.
func (f *access[T]) FetchEach(nodes []int32, g [][]T) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.fetchEach(nodes, g))
	}
}

func (f *access[T]) fetchEach(nodes []int32, g [][]T) error {
	of, count := singlesOf(f.cfg.Lattice.Q, func(i int) int { return len(g[i]) })
	list, err := f.listed(nodes)
	if err != nil {
		return err
	}
	out := &f.exchange.out
	if err := out.Reserve(f, f.context, count*device.SizeOf[T]()); err != nil {
		return err
	}
	if err := f.fetchSingles(f.exchange.args.fetchSingle, device.At(list, 0), count, &of, device.At(out.Device, 0)); err != nil {
		return err
	}
	if err := f.bring(count); err != nil {
		return err
	}
	from, err := f.brought(count)
	if err != nil {
		return err
	}
	for i := range f.cfg.Lattice.Q {
		copy(g[i], from[of[i]:])
	}
	return nil
}

// PutEach overwrites single populations; see lbm.Keeper.
func (f *access[T]) PutEach(nodes []int32, g [][]T) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.putEach(nodes, g))
	}
}

func (f *access[T]) putEach(nodes []int32, g [][]T) error {
	of, count := singlesOf(f.cfg.Lattice.Q, func(i int) int { return len(g[i]) })
	list, err := f.listed(nodes)
	if err != nil {
		return err
	}
	to, err := f.room(count)
	if err != nil {
		return err
	}
	for i := range f.cfg.Lattice.Q {
		copy(to[of[i]:], g[i])
	}
	if err := f.send(count); err != nil {
		return err
	}
	if err := f.putSingles(f.exchange.args.putSingle, device.At(list, 0), count, &of, device.At(f.exchange.in.Device, 0)); err != nil {
		return err
	}
	return f.sent()
}
