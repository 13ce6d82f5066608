package joined

import (
	"cmp"
	"slices"
)

// listing is a list of nodes of a part for each direction, in which those that are at equal steps from each other, as along an edge of a
// box, are neighbours. It is filled by add, then closed.
type listing struct {
	dirs   []map[progression][]interval
	length []int
	alike  bool // all directions have the same list
}

// progression are the nodes residue, residue + step, residue + 2 step, …
type progression struct{ step, residue int32 }

// interval are those of a progression from lo up to hi, which begin at a place of the list.
type interval struct {
	lo, hi int32
	at     int
}

func newListing(q int, alike bool) *listing {
	l := &listing{alike: alike, length: make([]int, q)}
	for range q {
		l.dirs = append(l.dirs, map[progression][]interval{})
	}
	return l
}

func (l *listing) q() int { return len(l.dirs) }

// of is the list of a direction.
func (l *listing) of(dir int) int {
	if l.alike {
		return 0
	}
	return dir
}

// add adds n nodes. Those that are there already are the same ones if their step is.
func (l *listing) add(dir int, node, step int32, n int) {
	p := progression{step, node % step}
	from := node / step
	m := l.dirs[l.of(dir)]
	all := m[p]
	if k := len(all) - 1; k >= 0 && all[k].lo <= from && from <= all[k].hi { // mostly
		all[k].hi = max(all[k].hi, from+int32(n))
		return
	}
	m[p] = append(all, interval{lo: from, hi: from + int32(n)})
}

// close orders the lists.
func (l *listing) close() {
	for dir, m := range l.dirs {
		var all []progression
		for p := range m {
			all = append(all, p)
		}
		slices.SortFunc(all, func(a, b progression) int {
			return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(a.residue, b.residue))
		})
		for _, p := range all {
			m[p] = united(m[p])
			for k := range m[p] {
				m[p][k].at = l.length[dir]
				l.length[dir] += int(m[p][k].hi - m[p][k].lo)
			}
		}
	}
	if l.alike {
		for dir := range l.length {
			l.length[dir] = l.length[0]
		}
	}
}

// united are intervals in order, those that meet as one.
func united(all []interval) (to []interval) {
	slices.SortFunc(all, func(a, b interval) int { return cmp.Compare(a.lo, b.lo) })
	for _, i := range all {
		if k := len(to) - 1; k >= 0 && i.lo <= to[k].hi {
			to[k].hi = max(to[k].hi, i.hi)
			continue
		}
		to = append(to, i)
	}
	return to
}

// at is the place of a node in the list of a direction, which the others that were added with it follow.
func (l *listing) at(dir int, node, step int32) int {
	q := node / step
	all := l.dirs[l.of(dir)][progression{step, node % step}]
	k, ok := slices.BinarySearchFunc(all, q, func(i interval, q int32) int {
		switch {
		case q < i.lo:
			return 1
		case q >= i.hi:
			return -1
		}
		return 0
	})
	if !ok {
		panic("joined: a node is not in its list")
	}
	return all[k].at + int(q-all[k].lo)
}

// before is how many nodes the lists of directions before one have.
func (l *listing) before(dir int) (n int) {
	for _, length := range l.length[:dir] {
		n += length
	}
	return n
}

// nodes is the list of a direction.
func (l *listing) nodes(dir int) []int32 {
	to := make([]int32, l.length[dir])
	for p, all := range l.dirs[l.of(dir)] {
		for _, i := range all {
			for k := i.lo; k < i.hi; k++ {
				to[i.at+int(k-i.lo)] = p.residue + p.step*k
			}
		}
	}
	return to
}
