package cuda

import (
	"fmt"

	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
)

// Bits of a cell's fault: kernels/membrane.h, cells_contact.h.
const membraneDoubtful, membraneOutside, membraneInSolid = 1, 2, 4

// membraneKind is MembraneKind of kernels/membrane.h, field by field.
type membraneKind struct {
	law                                            [5]float64
	shear, spread                                  float64
	bending                                        float64
	areaPenalty, volumePenalty, area, volume       float64
	corner, side, edge, ring, around, ofRest, ofH0 int64
	vertices, triangles, edges, viscous            int32
	rounds                                         int64
}

// membraneCell is MembraneCell of kernels/membrane.h.
type membraneCell struct {
	scratch     int64
	kind, first int32
}

// membraneTables are what kernels know of all cells.
type membraneTables struct {
	kinds   []membraneKind
	cells   []membraneCell
	table   []int32
	rest    []float64
	scratch int // numbers that all cells leave
	points  int
	most    int // vertices of a cell
}

// newMembraneTables are those of cells, whose vertices slip where that offset of the delta is positive. Its error is a membrane that kernels do not know.
func newMembraneTables(cells []*flexible.Cell, slip float64) (*membraneTables, error) {
	t := &membraneTables{}
	kinds := map[*elastic.Membrane]int32{}
	for _, c := range cells {
		kind, known := kinds[c.Membrane]
		if !known {
			of, err := c.Membrane.Tables()
			if err != nil {
				return nil, fmt.Errorf("cuda: body %q: %w, or backend hybrid or cpu", c.Name, err)
			}
			kind = int32(len(t.kinds))
			kinds[c.Membrane] = kind
			k := t.add(of, c.Membrane.Material())
			if slip > 0 {
				rounds, _ := c.SlipRounds(slip)
				k.rounds = int64(rounds)
			}
			t.kinds = append(t.kinds, k)
		}
		k := &t.kinds[kind]
		t.cells = append(t.cells, membraneCell{scratch: int64(t.scratch), kind: kind, first: int32(t.points)})
		t.scratch += int(13*k.triangles + 2*k.edges + 2*k.vertices)
		t.points += int(k.vertices)
		t.most = max(t.most, int(k.vertices))
	}
	return t, nil
}

// add adds the tables of a kind.
func (t *membraneTables) add(of *elastic.Tables, m elastic.Material) membraneKind {
	k := membraneKind{
		law: of.Law, shear: of.Shear, spread: of.Spread, bending: of.Bending, areaPenalty: m.AreaPenalty, volumePenalty: m.VolumePenalty, area: of.Area, volume: of.Volume,
		vertices: int32(len(of.H0)), triangles: int32(len(of.Corner)), edges: int32(len(of.Edge)),
	}
	if of.Shear != 0 || of.Spread != 0 {
		k.viscous = 1
	}
	k.corner = int64(len(t.table))
	for _, v := range of.Corner {
		t.table = append(t.table, v[:]...)
	}
	k.side = int64(len(t.table))
	for _, v := range of.Side {
		t.table = append(t.table, v[:]...)
	}
	k.edge = int64(len(t.table))
	for _, v := range of.Edge {
		t.table = append(t.table, v[:]...)
	}
	k.ring = int64(len(t.table))
	t.table = append(t.table, of.Ring...)
	k.around = int64(len(t.table))
	t.table = append(t.table, of.Around...)
	k.ofRest = int64(len(t.rest))
	for _, v := range of.Rest {
		t.rest = append(t.rest, v[:]...)
	}
	k.ofH0 = int64(len(t.rest))
	t.rest = append(t.rest, of.H0...)
	return k
}
