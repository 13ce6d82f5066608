package transfer

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
)

// nodeList is the nodes that any point touches, for grids of which that is a small part:
// what is spread then does not depend on the size of the grid.
type nodeList struct {
	used, never, always  bool
	all                  bool // points touch so many nodes that all are gone through, of which marks tell
	most                 int  // nodes at most
	nodes, count, marked device.Buffer
	find, unmark         device.Kernel
}

func (l *nodeList) free() {
	l.nodes.Free()
	l.count.Free()
	l.marked.Free()
}

// listCosts is how many nodes that nobody touches cost as much as to list nodes, besides one for each point: on an NVIDIA H100 such a
// node takes 0.14 ns, a list 12 µs in launches and 0.13 ns a point. Points of surfaces touch about as many nodes each as a support is
// wide: 343 capsules, of 343,686 points, touch 0.54 of 4.7 million nodes, and are spread in 0.49 ms by a list, in 1.08 without.
const listCosts = 90_000

// chooseList tells whether n points go by a list, and makes room for that.
func (s *site[T]) chooseList(n int) error {
	l := &s.list
	size := s.support * s.support
	if s.dim == 3 {
		size *= s.support
	}
	// A node of a list costs about two that nobody touches.
	l.used = s.owned.Function != nil && !l.never && (l.always || n < s.Nodes/size/2)
	if !l.used {
		return nil
	}
	l.most = min(n*size, s.Nodes)
	l.all = l.always && l.most == s.Nodes && s.Nodes-n*s.support < n+listCosts
	return l.hold(s.Launcher, l.most, s.Nodes)
}

// listNodes lists the nodes that have been marked, where gathering goes over a list.
func (s *site[T]) listNodes() error {
	l := &s.list
	if !l.used || l.all {
		return nil
	}
	words := markWords(s.Nodes)
	k := &l.find
	k.Args.Pointer(0, l.marked.Memory, 0)
	k.Args.Pointer(1, l.nodes.Memory, 0)
	k.Args.Pointer(2, l.count.Memory, 0)
	k.Args.Int32(3, int32(words))
	return s.Over(k, words)
}

// UseNoList lets the site queue by w, and go without a list: its caller knows the nodes.
func (s *site[T]) UseNoList(w *device.Launcher) { s.Launcher, s.list.never = w, true }

// UseList has the site list nodes however many they are: its caller works on the list, too.
func (s *site[T]) UseList() { s.list.always = true }

// Listed are the nodes that points touch, in no certain order: *Count of them, at most Most, and a bit of every node of the grid, in so
// many words. Marked is nil where there are no points; Nodes is where they touch so many that all nodes are gone through.
type Listed struct {
	Nodes, Count, Marked *driver.Memory
	Most, Words          int
}

// TakeList is Listed for a caller that takes the marks away before points are set anew; there is no list until then.
func (s *site[T]) TakeList() Listed {
	l := s.Listed()
	s.list.used = false
	return l
}

// Listed is the list of the points set last.
func (s *site[T]) Listed() Listed {
	l := &s.list
	if !l.used {
		return Listed{}
	}
	of := Listed{Marked: l.marked.Memory, Words: markWords(s.Nodes)}
	if !l.all {
		of.Nodes, of.Count, of.Most = l.nodes.Memory, l.count.Memory, l.most
	}
	return of
}

// hold makes room for a list of m nodes and marks of all.
func (l *nodeList) hold(t *device.Launcher, m, nodes int) error {
	if _, err := l.nodes.Reserve(t.Context, m, 4); err != nil {
		return err
	}
	if _, err := l.count.Reserve(t.Context, 1, 4); err != nil {
		return err
	}
	return l.marked.ReserveZero(t, markWords(nodes), 4)
}

// markWords is how many words have a bit for each of so many nodes, and for three more: some read
// those of four nodes at a time.
func markWords(nodes int) int { return (nodes+3)/32 + 1 }

// clear takes the marks away.
func (l *nodeList) clear(t *device.Launcher) error {
	if !l.used {
		return nil
	}
	l.used = false
	if l.all {
		return t.Stream.Zero(l.marked.Memory, 0, l.marked.Bytes())
	}
	k := &l.unmark
	k.Args.Pointer(0, l.nodes.Memory, 0)
	k.Args.Pointer(1, l.count.Memory, 0)
	k.Args.Pointer(2, l.marked.Memory, 0)
	return t.Over(k, l.most)
}
