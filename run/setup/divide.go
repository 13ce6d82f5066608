package setup

import (
	"slices"
	"strings"

	"lbmib/internal/mpi"
	"lbmib/internal/partition"
	"lbmib/lbm/joined"
)

// Division is how the grids are divided into parts, and which rank has each.
type Division struct {
	Parts int          // among which each level is shared
	Boxes []joined.Box // parts of the domain and of finer boxes
	Of    []int        // ranks; 0 where there is one process
}

// Divide divides the grids among ranks, or into as many parts as the case asks for; comm is nil where one process has all of them. It comes after
// walls are marked: parts have as many nodes of fluid. Nothing is divided where there is one part. Levels step one after the other, so each is
// shared out by itself.
func (p *Problem) Divide(comm mpi.Comm) error {
	parts, ranks := max(1, p.Case.Run.Parts), 1
	p.Division = nil
	if comm != nil {
		ranks = comm.Size()
		if p.Case.Run.Parts != 0 && p.Case.Run.Parts != ranks {
			return p.Case.Errorf("run.parts", "%d parts on %d ranks: each rank has one, so leave it out or start %d processes", p.Case.Run.Parts, ranks, p.Case.Run.Parts)
		}
		parts = ranks
	}
	if parts == 1 {
		return nil
	}
	if err := p.divides(); err != nil {
		return err
	}
	p.Division = &Division{Parts: parts}
	for l := range p.levels() {
		boxes, err := p.ShareLevel(l, parts, p.LevelBlocks(l, p.LevelBlockWidth(l, parts)))
		if err != nil {
			return p.Case.Errorf("run.parts", "%v", strings.TrimPrefix(err.Error(), "partition: "))
		}
		for k, b := range boxes {
			p.Division.add(p.partsIn(l, b), k%ranks)
		}
	}
	return nil
}

// add gives parts to a rank.
func (d *Division) add(parts []joined.Box, rank int) {
	for _, b := range parts {
		d.Boxes, d.Of = append(d.Boxes, b), append(d.Of, rank)
	}
}

// levels is how many there are.
func (p *Problem) levels() int {
	if p.Grids == nil {
		return 1
	}
	return len(p.Grids.Levels)
}

// ShareLevel shares the blocks of a level among so many parts, a box for each. Of a finer level that has too few blocks, the first parts have none.
func (p *Problem) ShareLevel(level, parts int, blocks *partition.Blocks) ([]partition.Box, error) {
	n := parts
	if level > 0 {
		n = min(n, max(1, blocks.Most()))
	}
	boxes, err := blocks.Boxes(n, nil)
	for ; level > 0 && err != nil && n > 1; n-- { // none of the ways to cut them gives so many
		boxes, err = blocks.Boxes(n-1, nil)
	}
	if n < parts && err == nil {
		boxes = append(make([]partition.Box, parts-n), boxes...)
	}
	return boxes, err
}

// partsIn is what a box of a level, in its nodes, has of the domain or of the level's boxes.
func (p *Problem) partsIn(level int, box partition.Box) (all []joined.Box) {
	wholes, w := []joined.Box{{Hi: p.Flow.Size}}, 1
	if p.Grids != nil {
		w = p.Grids.Levels[level].Width
	}
	if level > 0 {
		wholes = slices.DeleteFunc(slices.Clone(p.Boxes), func(b joined.Box) bool { return b.Level != level })
	}
	for _, b := range wholes {
		some := true
		for a := range p.Flow.Lattice.Dim {
			b.Lo[a], b.Hi[a] = max(b.Lo[a], w*box.Lo[a]), min(b.Hi[a], w*box.Hi[a])
			some = some && b.Lo[a] < b.Hi[a]
		}
		if b.Part = level > 0; some {
			all = append(all, b)
		}
	}
	return all
}

// divides refuses what is not divided.
func (p *Problem) divides() error {
	what := ""
	switch {
	case p.Case.Run.Backend == "cuda" && p.Vessel != nil:
		what = "a vessel on devices is"
	case p.Case.Run.Backend == "cuda" && p.Flow.Storage == "runs":
		what = "storage by runs on devices is"
	case p.Case.Run.Backend == "hybrid":
		what = "the fluid of backend hybrid is"
	default:
		return nil
	}
	return p.Case.Errorf("run.parts", "%s not divided into parts or among ranks: run it on one process, without parts", what)
}
