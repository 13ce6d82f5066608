package run

import (
	"fmt"

	"lbmib/lbm"
	levels "lbmib/lbm/joined"
	"lbmib/run/setup"
)

// savedGrid is a grid of a checkpoint, whose populations are those of its nodes, x fastest, without ghosts.
type savedGrid struct {
	Level int    `json:"level"` // 0: the coarsest
	Width int    `json:"width"` // of its nodes in those of the finest
	Lo    [3]int `json:"lo"`    // the nodes of the finest, lo ≤ p < hi, that it covers
	Hi    [3]int `json:"hi"`
}

func (g savedGrid) String() string {
	return fmt.Sprintf("level %d, nodes %v … %v of the finest, each %d wide", g.Level, g.Lo, g.Hi, g.Width)
}

// savedGrids are the grids of parts; nil: one grid is the domain.
func savedGrids(parts []lbm.Part) (all []savedGrid) {
	if len(parts) == 1 {
		return nil
	}
	for _, p := range parts {
		all = append(all, savedGrid(p))
	}
	return all
}

// hasGrids refuses a checkpoint whose grids are not those of the case.
func (m *savedMeta) hasGrids(p *setup.Problem) error {
	const remedy = "undo the changes of [[refine]], domain.size and reference.resolution, start over with --overwrite, or choose another directory with --out DIR"
	parts := levels.Parts(&p.Flow, p.Boxes)
	have := savedGrids(parts)
	path := m.From.Path
	switch {
	case len(m.Grids) == 0 && len(have) == 0:
		return nil
	case len(m.Grids) == 0:
		return fmt.Errorf("%s keeps one grid, which a case without [[refine]] has, and an earlier version of lbmib wrote of all levels together (it was version %s); this case has %d grids: resume with that version, or %s", path, m.Version, len(have), remedy)
	case len(have) == 0:
		return fmt.Errorf("%s keeps %d grids, this case has one: %s", path, len(m.Grids), remedy)
	case len(m.Grids) != len(have):
		return fmt.Errorf("%s keeps %d grids, this case has %d: %s", path, len(m.Grids), len(have), remedy)
	}
	for k, g := range have {
		if m.Grids[k] != g {
			return fmt.Errorf("%s: grid %d of its %d is %v, that of this case %v: %s", path, k+1, len(have), m.Grids[k], g, remedy)
		}
	}
	return nil
}
