package lbm

import (
	"fmt"
	"strings"
)

// Two streaming schemes share everything else. A sweep takes the populations
// that arrive at a node from where the scheme reads, collides, and puts the
// results where it writes:
//
//	ab       two lattices, pull:   read  i  at x − c_i of one,  write i  at x of the other
//	inplace  one lattice, AA:      read  ī  at x − c_i,         write i  at x + c_i   (pull)
//	         in turn with          read  i  at x,               write ī  at x         (local)
//
// ī is the direction opposite to i. In place, a node writes exactly what it has
// read, so rows can be swept in any order; Bailey et al., ICPP 2009, 550.

// StreamingNames lists the schemes by name.
var StreamingNames = []string{"ab", "inplace"}

// place is where a sweep finds or leaves the population of a direction: the slot
// of a direction at a node some way off.
type place struct {
	slot  int
	shift int   // padded nodes; in a storage by runs along the row that is meant
	bytes int   // from population 0 of a node, where layouts are contiguous
	row   uint8 // of those around a node, in a storage by runs; see besideRow
}

// pattern is the places of one sweep, per direction.
type pattern struct{ read, write [MaxQ]place }

// scheme is a cycle of patterns. Between sweeps the populations after collision
// lie where the last sweep wrote, and those that arrive where the next one reads.
type scheme struct {
	name     string
	lattices int
	cycle    []pattern
}

// newScheme makes the named scheme for a layout of populations of so many bytes; shift is the padded
// distance to c_i, in a storage by runs along its row. The
// empty name and "auto" choose inplace: half the memory, and faster wherever the
// memory sets the pace.
func newScheme(name string, layout *Layout, l *Lattice, shift *[MaxQ]int, bytes int) (scheme, error) {
	var pull, push, local pattern
	at := func(slot, dir int) place {
		return place{slot, shift[dir], (slot*layout.Nodes + shift[dir]) * bytes, besideRow(l.C[dir][1], l.C[dir][2])}
	}
	q := layout.Q
	for i := range q {
		pull.read[i], pull.write[i] = at(i, Opposite(i)), at(i, 0)
		push.read[i], push.write[i] = at(Opposite(i), Opposite(i)), at(i, i)
		local.read[i], local.write[i] = at(i, 0), at(Opposite(i), 0)
	}
	switch name {
	case "ab":
		return scheme{name, 2, []pattern{pull}}, nil
	case "", "auto", "inplace":
		return scheme{"inplace", 1, []pattern{push, local}}, nil
	}
	return scheme{}, fmt.Errorf("lbm: streaming %q is unknown: choose one of %s", name, strings.Join(StreamingNames, ", "))
}

// next is the pattern of the sweep of a phase, last that of the sweep before.
func (s *scheme) next(phase int) *pattern { return &s.cycle[phase] }
func (s *scheme) last(phase int) *pattern {
	return &s.cycle[(phase+len(s.cycle)-1)%len(s.cycle)]
}
