package cuda

import (
	"bytes"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// fluidList is a list of nodes that is on the device, too. What the host has of it is
// page-locked, so that a list that changes is copied beside the host's work.
type fluidList struct {
	count  int
	host   *driver.Host
	memory *driver.Memory
	copied *driver.Event
	used   int64   // the larger, the later
	kept   []int32 // whose it is, if that has been promised not to change
}

// Lists are kept on the device while they are used: those of a coupling, of its bodies'
// insides, and what a pipelined schedule fetches and puts. The one that has not been used
// for longest makes room where there are maxLists, or where all take more than listBytes
// and there are more than leastLists.
const maxLists, leastLists, listBytes = 64, 4, 64 << 20

// fluidLists are the lists at hand.
type fluidLists struct {
	all  []*fluidList
	uses int64
	sent int64 // lists that have been copied to the device
}

func (l *fluidList) nodes() []int32 { return driver.View[int32](l.host, 0, l.count) }

func (l *fluidList) free() {
	if l.copied != nil {
		l.copied.Synchronize() // a copy may be under way
	}
	l.host.Free()
	l.memory.Free()
	l.copied.Close()
}

func (l *fluidLists) close() {
	for _, one := range l.all {
		one.free()
	}
	l.all = nil
}

// hold makes room for n nodes, once the last copy is done.
func (l *fluidList) hold(c *driver.Context, n int) (err error) {
	l.count, l.kept = 0, nil
	if l.copied == nil {
		if l.copied, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	if err := l.copied.Synchronize(); err != nil {
		return err
	}
	if l.memory != nil && l.memory.Bytes() >= 4*n {
		return nil
	}
	l.host.Free()
	l.memory.Free()
	l.host, l.memory = nil, nil
	if l.host, err = c.Pinned(device.WithReserve(4 * n)); err != nil {
		return err
	}
	l.memory, err = c.Alloc(device.WithReserve(4 * n))
	return err
}

// is tells whether the list is that of nodes: at once where its owner has promised so.
func (l *fluidList) is(nodes []int32) bool {
	n := len(nodes)
	if l.count != n {
		return false
	}
	if len(l.kept) == n && &l.kept[0] == &nodes[0] {
		return true
	}
	at := l.nodes()
	return at[0] == nodes[0] && at[n/2] == nodes[n/2] && at[n-1] == nodes[n-1] && bytes.Equal(bytesOf(at), bytesOf(nodes))
}

// bytesOf is the memory of nodes, for comparisons by words.
func bytesOf(nodes []int32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(nodes))), 4*len(nodes))
}

// listed is a list of nodes, not empty, on the device. Lists are mostly the same from step
// to step.
func (f *exchanger[T]) listed(nodes []int32) (*driver.Memory, error) {
	for _, l := range f.lists.all {
		if l.is(nodes) {
			f.lists.use(l)
			return l.memory, nil
		}
	}
	l := f.lists.spare(4 * len(nodes))
	if err := f.list(l, nodes); err != nil {
		return nil, err
	}
	return l.memory, nil
}

func (l *fluidLists) use(one *fluidList) {
	l.uses++
	one.used = l.uses
}

// spare is a list for some bytes of nodes: a new one, or one of those that have not been
// used for longest. Others are freed where all would take too much.
func (l *fluidLists) spare(bytes int) *fluidList {
	total := bytes
	for _, one := range l.all {
		if one.memory != nil {
			total += one.memory.Bytes()
		}
	}
	for len(l.all) > leastLists && total > listBytes {
		i := l.oldest()
		if m := l.all[i].memory; m != nil {
			total -= m.Bytes()
		}
		l.all[i].free()
		l.all = append(l.all[:i], l.all[i+1:]...)
	}
	if len(l.all) == maxLists || total > listBytes && len(l.all) >= leastLists {
		return l.all[l.oldest()]
	}
	one := &fluidList{}
	l.all = append(l.all, one)
	return one
}

func (l *fluidLists) oldest() (i int) {
	for k, one := range l.all {
		if one.used < l.all[i].used {
			i = k
		}
	}
	return i
}

// list copies nodes to the device as a list.
func (f *exchanger[T]) list(l *fluidList, nodes []int32) error {
	if err := l.hold(f.context, len(nodes)); err != nil {
		return f.fault(err)
	}
	l.count = len(nodes)
	f.lists.use(l)
	f.lists.sent++
	copy(l.nodes(), nodes)
	if err := f.stream.CopyTo(l.memory, 0, l.host.Pointer(0), 4*len(nodes)); err != nil {
		return err
	}
	return f.stream.Record(l.copied)
}

// Keep promises that a list of nodes does not change; see lbm.Lender. It takes the place of
// what has been kept of the same memory before.
func (f *exchanger[T]) Keep(nodes []int32) {
	if len(nodes) == 0 || !f.settled() {
		return
	}
	for _, l := range f.lists.all {
		if len(l.kept) == 0 || &l.kept[0] != &nodes[0] {
			continue
		}
		l.kept = nil
		if !l.is(nodes) {
			if err := f.list(l, nodes); err != nil {
				f.fail(err)
				return
			}
		}
		f.lists.use(l)
		l.kept = nodes
		return
	}
	if _, err := f.listed(nodes); err != nil {
		f.fail(err)
		return
	}
	for _, l := range f.lists.all {
		if l.used == f.lists.uses {
			l.kept = nodes
		}
	}
}
