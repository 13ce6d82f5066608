package flexible

import "lbmib/ib/elastic"

// meshed is cells whose membrane is made of triangles: every vertex moves with the fluid and has a force.
type meshed struct {
	membrane *elastic.Membrane
	room     []meshedRoom // of each worker
}

type meshedRoom struct {
	scratch *elastic.Scratch
	x, u, f []float64
}

func newMeshed(m *elastic.Membrane, workers int) *meshed {
	k := &meshed{membrane: m, room: make([]meshedRoom, workers)}
	n := m.Mesh().BlockLen()
	for w := range k.room {
		k.room[w] = meshedRoom{m.NewScratch(), make([]float64, n), make([]float64, n), make([]float64, n)}
	}
	return k
}

func (k *meshed) together() int { return elastic.Lanes }

func (k *meshed) forces(cells []*Cell, worker int, inspect bool) (out fault) {
	r, m := &k.room[worker], k.membrane
	viscous := m.Viscous()
	for lane, c := range cells {
		c.pack(r.x, lane)
		if viscous {
			packed(r.u, c.u, lane)
		}
	}
	m.Forces(r.scratch, r.x, r.u, r.f, len(cells))
	sum := 0.
	for lane, c := range cells {
		unpacked(c.force, r.f, lane)
		for _, f := range c.force {
			sum += f[0] + f[1] + f[2]
		}
	}
	if inspect || sum-sum != 0 {
		if f, found := m.Inspect(r.scratch, r.x, len(cells)); found {
			return fault{cells[f.Lane], f}
		}
	}
	if sum-sum != 0 { // of forces too large for numbers
		return fault{cells[0], elastic.Fault{Kind: elastic.NotFinite, Where: cells[0].x[0]}}
	}
	return fault{}
}
