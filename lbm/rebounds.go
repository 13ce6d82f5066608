package lbm

import (
	"math/bits"
	"unsafe"

	"lbmib/internal/xruns"
	"lbmib/lbm/internal/simd"
)

// rebounds are the links of a storage by runs at walls at rest: population i that arrives at a node is the one that left along −i. Both
// lie where the run and the phase of the scheme say, so that a link is no more than where in its run it is, and serves all phases.
type rebounds struct {
	all   []rebound // by run, in a run by direction
	first []int32   // of each run, and the end

	set *xruns.Set    // the fluid
	run [MaxQ][]int32 // of the run that is being compiled: the nodes, by direction
}

// rebound is links of one direction at nodes that follow each other: 16 bits of the first one's place in its run, 11 of how many they
// are less one, and 5 of the direction.
type rebound uint32

const longestRebound = 1 << 11

func (b rebound) parts() (x, n, i int) {
	return int(b >> 16), int(b>>5&(longestRebound-1)) + 1, int(b & 31)
}

// add has population i of a node of the run bounce off a wall.
func (b *rebounds) add(i int, x int32) { b.run[i] = append(b.run[i], x) }

// endRun makes links of what was added.
func (b *rebounds) endRun() {
	b.first = append(b.first, int32(len(b.all)))
	for i, nodes := range b.run {
		for len(nodes) > 0 {
			n := 1
			for n < len(nodes) && n < longestRebound && nodes[n] == nodes[0]+int32(n) {
				n++
			}
			b.all = append(b.all, rebound(nodes[0])<<16|rebound(n-1)<<5|rebound(i))
			nodes = nodes[n:]
		}
		b.run[i] = b.run[i][:0]
	}
}

// end closes the list.
func (b *rebounds) end() { b.first = append(b.first, int32(len(b.all))) }

// turn is where the populations of a direction arrive in a phase and where those lie that bounce, from a node's padded index without
// the shifts of its run.
type turn struct {
	to, from     int
	toRow, byRow uint8 // see besideRow
}

// turns are those of all phases of a storage's scheme.
func (s *storage[T, S]) turns() (all [][MaxQ]turn) {
	for phase := range s.scheme.cycle {
		var t [MaxQ]turn
		for i := range s.layout.Q {
			to, from := &s.scheme.next(phase).read[i], &s.scheme.last(phase).write[Opposite(i)]
			t[i] = turn{to.slot*s.layout.Nodes + to.shift, from.slot*s.layout.Nodes + from.shift, to.row, from.row}
		}
		all = append(all, t)
	}
	return all
}

// rebound writes what walls at rest send back to a run.
func (s *storage[T, S]) rebound(b *rebounds, turns *[MaxQ]turn, run int) {
	first, by := &s.now[s.runs[run].start], &s.sparse.shifts[run]
	for _, k := range b.all[b.first[run]:b.first[run+1]] {
		x, n, i := k.parts()
		t := &turns[i]
		to, from := element(first, x+t.to+int(by[t.toRow])), element(first, x+t.from+int(by[t.byRow]))
		if n == 1 {
			*to = *from
			continue
		}
		copy(unsafe.Slice(to, n), unsafe.Slice(from, n))
	}
}

// fetchedRebounds is how many links of a run are worth fetching ahead; most runs have fewer, other than those along a wall, whose
// links lie beside each other.
const fetchedRebounds = 48

// prefetchRebounds asks for what rebound of a run will read and write.
func (s *storage[T, S]) prefetchRebounds(b *rebounds, turns *[MaxQ]turn, run int) {
	var at [2 * fetchedRebounds]int
	by, n := &s.sparse.shifts[run], 0
	for _, k := range b.all[b.first[run]:min(b.first[run+1], b.first[run]+fetchedRebounds)] {
		x, _, i := k.parts()
		t := &turns[i]
		at[n], at[n+1] = x+t.to+int(by[t.toRow]), x+t.from+int(by[t.byRow])
		n += 2
	}
	first := &s.now[s.runs[run].start]
	simd.Prefetch(unsafe.Pointer(first), at[:n], uint(bits.TrailingZeros(uint(unsafe.Sizeof(*first)))))
}
