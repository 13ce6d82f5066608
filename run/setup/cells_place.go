package setup

import (
	"cmp"

	"slices"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// drawn is an elastic body, or a rigid one, as the case draws it.
type drawn struct {
	name   string
	shape  geometry.Shape
	points []geometry.Vec // vertices or markers
	lo, hi geometry.Vec   // around it
}

// cellsApart refuses elastic bodies that are drawn into one another or into rigid bodies, as far as the
// vertices of the later one tell. Bodies inside others as a whole are refused, too.
func (p *Problem) cellsApart() error {
	if len(p.Coupling.Cells) == 0 {
		return nil
	}
	var all []drawn
	for _, b := range p.Bodies {
		all = append(all, newDrawn(b.Name, b.Shape, b.Markers.X))
	}
	rigid := len(all)
	for i, c := range p.Coupling.Cells {
		s, err := p.Case.Cells[i].Shape.On(p.lattice())
		if err != nil {
			return err
		}
		all = append(all, newDrawn(c.Name, s, c.Points()))
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(all[a].lo[0], all[b].lo[0]) })
	width := float64(p.Flow.Size[0])
	for k, i := range order {
		for n := 1; n < len(order); n++ { // sweep along x, around a periodic domain
			j, shift := order[(k+n)%len(order)], geometry.Vec{}
			if k+n >= len(order) {
				if !p.Flow.Periodic(0) {
					break
				}
				shift[0] = width
			}
			if all[j].lo[0]+shift[0] > all[i].hi[0] {
				break
			}
			if i < rigid && j < rigid {
				continue
			}
			if at, meet := p.meet(&all[i], &all[j]); meet {
				x := p.Place(at)
				return p.Case.Errorf(p.Case.Cells[max(i, j)-rigid].PlaceKey(), "body %q begins inside body %q at x = %.4g, y = %.4g, z = %.4g L, must be outside of it: move one of them",
					all[max(i, j)].name, all[min(i, j)].name, x[0], x[1], x[2])
			}
		}
	}
	return nil
}

func newDrawn(name string, s geometry.Shape, points []geometry.Vec) drawn {
	lo, hi := s.Bounds()
	return drawn{name, s, points, lo, hi}
}

// meet finds a point of either body inside the other, across periodic faces, too.
func (p *Problem) meet(a, b *drawn) (at geometry.Vec, meet bool) {
	from, to := a.shape.Center(), b.shape.Center()
	shift := p.image(to, from).Sub(to) // of b, to where it is nearest to a
	for d := range 3 {
		if a.lo[d] > b.hi[d]+shift[d] || b.lo[d]+shift[d] > a.hi[d] {
			return at, false
		}
	}
	for _, x := range b.points {
		if a.shape.Contains(x.Add(shift)) {
			return x, true
		}
	}
	for _, x := range a.points {
		if b.shape.Contains(x.Sub(shift)) {
			return x, true
		}
	}
	return at, false
}

// CellBytes estimates the host's memory of membranes, in bytes: of their meshes and of what every worker has to
// work on one. The rest of elastic bodies is in their footprint (hybrid.FootprintOf).
func (p *Problem) CellBytes() (n int64) {
	membranes := map[any]bool{}
	for _, c := range p.Coupling.Cells {
		v := int64(len(c.Points()))
		switch {
		case membranes[c.Kind()]:
		case c.Ring != nil:
			membranes[c.Kind()] = true
			n += v * (3 + 1 + 1) * 8 // places, lengths and curvatures free of stress
		default:
			membranes[c.Kind()] = true
			workers := int64(max(1, p.Case.Run.Threads))
			n += v * (3*8*3*elastic.Lanes*workers + 2*3*8*elastic.Lanes*workers + 2*(5*8+24) + 3*40) // blocks and normals of every worker; triangles and edges
		}
	}
	return n
}
