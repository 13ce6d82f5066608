package setup

import (
	"slices"
	"strings"

	"lbmib/hybrid/flexible"
	"lbmib/internal/mpi"
	"lbmib/lbm/joined"
)

// Division is how one grid is divided into parts, and which rank has each.
type Division struct {
	Boxes []joined.Box // of level 0
	Of    []int        // ranks; 0 where there is one process
}

// Divide divides the grid among ranks, or into as many parts as the case asks for; comm is nil where one process has all of it. It comes after
// walls are marked: parts have as many nodes of fluid. Nothing is divided where there is one part.
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
	boxes, err := p.LevelBlocks(0, BlockWidth(p.Flow.Size, parts)).Boxes(parts, nil)
	if err != nil {
		return p.Case.Errorf("run.parts", "%v", strings.TrimPrefix(err.Error(), "partition: "))
	}
	p.Division = &Division{}
	for k, b := range boxes {
		p.Division.Boxes = append(p.Division.Boxes, joined.Box{Lo: b.Lo, Hi: b.Hi})
		p.Division.Of = append(p.Division.Of, k%ranks)
	}
	return nil
}

// divides refuses what is not divided.
func (p *Problem) divides() error {
	what := ""
	switch {
	case len(p.Boxes) > 0:
		what = "nested grids ([[refine]]) are"
	case p.Vessel != nil:
		what = "a vessel is"
	case p.Flow.Storage == "runs":
		what = "storage by runs is"
	case p.Case.Run.Backend == "hybrid":
		what = "the fluid of backend hybrid is"
	case slices.ContainsFunc(p.Coupling.Cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 }):
		what = "a fluid with elastic bodies of another viscosity inside is"
	default:
		return nil
	}
	return p.Case.Errorf("run.parts", "%s not divided into parts or among ranks: run it on one process, without parts", what)
}
