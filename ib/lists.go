package ib

// lists are linked lists of points, one for each column of cells. A list is in the
// order of its points, so that it does not tell how it came about.
type lists struct {
	column []int32 // of each point
	next   []int32 // point of its list, negative at the end
	head   []listHead
	points []int // in the lists of each set
	size   int   // lists of a set
	linked bool  // the lists are those of column, but for moved
	moved  []movers
}

type listHead struct{ first, count int32 }

// movers are points that a worker found in other columns than before.
type movers struct {
	list []mover
	over bool // there are more
	_    [64]byte
}

type mover struct{ point, from int32 }

func newLists(columns, sets, workers int) lists {
	return lists{head: make([]listHead, columns), points: make([]int, sets), size: columns / sets, moved: make([]movers, workers)}
}

// resize makes room for n points, which then have to be put.
func (l *lists) resize(n int) {
	if n != len(l.column) {
		l.column, l.next, l.linked = grow(l.column, n), grow(l.next, n), false
	}
	for w := range l.moved {
		l.moved[w].list, l.moved[w].over = grow(l.moved[w].list, n/resortShare/len(l.moved))[:0], false
	}
}

// put sets the columns of the points from k on, for a worker.
func (l *lists) put(worker, k int, columns []uint64) {
	m, to := &l.moved[worker], l.column[k:][:len(columns)]
	for i, c := range columns {
		if int32(c) == to[i] {
			continue
		}
		if len(m.list) < cap(m.list) {
			m.list = append(m.list, mover{int32(k + i), to[i]})
		} else {
			m.over = true
		}
		to[i] = int32(c)
	}
}

// link brings the points that have moved into their lists. Should that become more
// walking than there are points, all lists are linked anew.
func (l *lists) link() {
	walk := len(l.column)
	for w := range l.moved {
		l.linked = l.linked && !l.moved[w].over
	}
	for w := range l.moved {
		for _, m := range l.moved[w].list {
			if l.linked {
				walk -= l.move(m)
				l.linked = walk >= 0
			}
		}
	}
	if !l.linked {
		l.linkAll()
	}
}

// linkAll links all points, the last one first.
func (l *lists) linkAll() {
	for c := range l.head {
		l.head[c] = listHead{first: -1}
	}
	for k := len(l.column) - 1; k >= 0; k-- {
		h := &l.head[l.column[k]]
		l.next[k] = h.first
		h.first = int32(k)
		h.count++
	}
	for s := range l.points {
		l.points[s] = 0
		for _, h := range l.head[s*l.size:][:l.size] {
			l.points[s] += int(h.count)
		}
	}
	l.linked = true
}

// move takes a point out of the list that it was in and puts it into its own. It
// returns the steps that it took.
func (l *lists) move(m mover) (steps int) {
	h := &l.head[m.from]
	h.count--
	l.points[int(m.from)/l.size]--
	at := &h.first
	for ; *at != m.point; steps++ {
		at = &l.next[*at]
	}
	*at = l.next[m.point]

	column := l.column[m.point]
	h = &l.head[column]
	h.count++
	l.points[int(column)/l.size]++
	at = &h.first
	for ; *at >= 0 && *at < m.point; steps++ {
		at = &l.next[*at]
	}
	l.next[m.point] = *at
	*at = m.point
	return steps
}
