package transfer

import "lbmib/cuda/device"

// nodeList is the nodes that any point touches, for grids of which that is a small part:
// what is spread then does not depend on the size of the grid.
type nodeList struct {
	used, never          bool
	most                 int // nodes at most
	nodes, count, marked device.Buffer
	find, unmark         device.Kernel
}

func (l *nodeList) free() {
	l.nodes.Free()
	l.count.Free()
	l.marked.Free()
}

// listNodes lists the nodes that n points touch, where gathering goes over a list.
func (s *site[T]) listNodes(n, stride int) error {
	l := &s.list
	rows, size := s.support, s.support*s.support
	if s.dim == 3 {
		rows, size = rows*s.support, size*s.support
	}
	// A node of a list costs about two that nobody touches.
	l.used = s.owned.Function != nil && !l.never && n < s.Nodes/size/2
	if !l.used {
		return nil
	}
	l.most = n * size
	if err := l.hold(s.Launcher, l.most, s.Nodes); err != nil {
		return err
	}
	if err := s.Stream.Zero(l.count.Memory, 0, 4); err != nil {
		return err
	}
	k := &l.find
	k.Args.Pointer(0, s.Record, 0)
	k.Args.Pointer(1, s.First.Memory, 0)
	k.Args.Int64(2, int64(stride))
	k.Args.Pointer(3, s.Key(), 0)
	k.Args.Pointer(4, l.marked.Memory, 0)
	k.Args.Pointer(5, l.nodes.Memory, 0)
	k.Args.Pointer(6, l.count.Memory, 0)
	k.Args.Int32(7, int32(n))
	return s.Over(k, n*rows)
}

// UseNoList lets the site queue by w, and go without a list: its caller knows the nodes.
func (s *site[T]) UseNoList(w *device.Launcher) { s.Launcher, s.list.never = w, true }

// hold makes room for a list of m nodes and marks of all.
func (l *nodeList) hold(t *device.Launcher, m, nodes int) error {
	if _, err := l.nodes.Reserve(t.Context, m, 4); err != nil {
		return err
	}
	if _, err := l.count.Reserve(t.Context, 1, 4); err != nil {
		return err
	}
	return l.marked.ReserveZero(t, (nodes+31)/32, 4)
}

// clear takes the marks away.
func (l *nodeList) clear(t *device.Launcher) error {
	if !l.used {
		return nil
	}
	k := &l.unmark
	k.Args.Pointer(0, l.nodes.Memory, 0)
	k.Args.Pointer(1, l.count.Memory, 0)
	k.Args.Pointer(2, l.marked.Memory, 0)
	l.used = false
	return t.Over(k, l.most)
}
