package mpi

import (
	"fmt"
	"slices"
)

// kind is a collective call.
type kind int

const (
	none kind = iota
	barrier
	broadcast
	allGather
	gather
	scatter
	finalize
)

var kindNames = [...]string{"", "Barrier", "Broadcast", "AllGather", "Gather", "Scatter", "Finalize"}

// call is a collective call with its arguments; a Broadcast's data are in all.
type call struct {
	kind     kind
	root     int
	counts   []int
	own, all []byte
}

func (c call) String() string {
	switch c.kind {
	case broadcast:
		return fmt.Sprintf("Broadcast of %d bytes from rank %d", len(c.all), c.root)
	case gather:
		return fmt.Sprintf("Gather to rank %d", c.root)
	case scatter:
		return fmt.Sprintf("Scatter from rank %d", c.root)
	}
	return kindNames[c.kind]
}

// fits tells whether two ranks' calls are parts of one.
func (c call) fits(d call) bool {
	return c.kind == d.kind && c.root == d.root && slices.Equal(c.counts, d.counts) && (c.kind != broadcast || len(c.all) == len(d.all))
}

func (r *member) Barrier() { r.meet(call{kind: barrier}) }

func (r *member) Broadcast(root int, data []byte) {
	checkRoot("Broadcast", r.rank, r.Size(), root)
	r.meet(call{kind: broadcast, root: root, all: data})
}

func (r *member) AllGather(own []byte, counts []int, all []byte) {
	checkCounts("AllGather", r.rank, r.Size(), len(own), len(all), counts, true)
	r.meet(call{kind: allGather, own: own, counts: counts, all: all})
}

func (r *member) Gather(root int, own []byte, counts []int, all []byte) {
	checkRoot("Gather", r.rank, r.Size(), root)
	checkCounts("Gather", r.rank, r.Size(), len(own), len(all), counts, r.rank == root)
	r.meet(call{kind: gather, root: root, own: own, counts: counts, all: all})
}

func (r *member) Scatter(root int, all []byte, counts []int, own []byte) {
	checkRoot("Scatter", r.rank, r.Size(), root)
	checkCounts("Scatter", r.rank, r.Size(), len(own), len(all), counts, r.rank == root)
	r.meet(call{kind: scatter, root: root, own: own, counts: counts, all: all})
}

func (r *member) Finalize() { r.meet(call{kind: finalize}) }

// meet makes a collective call: the rank that comes last does the work, while all others wait.
func (r *member) meet(c call) {
	g := r.group
	g.mu.Lock()
	g.check()
	r.at, r.served = c, false
	if g.arrived == 0 {
		g.first = r
	}
	if !c.fits(g.first.at) {
		g.fail(misfit(r, g.first))
		g.check()
	}
	if g.arrived++; g.arrived == len(g.ranks) {
		g.serve()
	}
	for !r.served {
		r.sleep()
		if !r.served {
			g.check()
		}
	}
	g.mu.Unlock()
}

// misfit is the error of two ranks in calls that are no parts of one.
func misfit(a, b *member) error {
	if a.rank > b.rank {
		a, b = b, a
	}
	differ := ""
	if a.at.String() == b.at.String() {
		differ = fmt.Sprintf(": their counts are %v and %v", a.at.counts, b.at.counts)
	}
	return fmt.Errorf("mpi: collective calls that do not fit together: rank %d waits in %v, rank %d in %v%s", a.rank, a.at, b.rank, b.at, differ)
}

// serve does what all ranks have called.
func (g *group) serve() {
	root := g.ranks[g.first.at.root]
	from := 0
	for i, r := range g.ranks {
		switch r.at.kind {
		case broadcast:
			if r != root {
				copy(r.at.all, root.at.all)
			}
		case allGather:
			for _, to := range g.ranks {
				copy(to.at.all[from:], r.at.own)
			}
		case gather:
			copy(root.at.all[from:], r.at.own)
		case scatter:
			copy(r.at.own, root.at.all[from:])
		}
		if len(r.at.counts) > 0 {
			from += r.at.counts[i]
		}
	}
	g.arrived, g.first = 0, nil
	for _, r := range g.ranks {
		r.at, r.served = call{}, true
		r.rouse()
	}
}
