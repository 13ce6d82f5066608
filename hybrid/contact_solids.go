package hybrid

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/ib/contact"
	"lbmib/lbm"
)

// SolidSurfaces are the solid nodes beside fluid, as rigid surfaces. Supports of width s must not hold a solid node, of which a point is kept
// s/2 away along some axis: the surfaces lie so far in front of nodes that are beside fluid along one axis, and √2 and √3 times that
// far in front of edges and corners, so that steps of a slanted wall keep as much away as the plane along their edges needs. A
// node's area is that of the plane, too. Nodes in open are no walls, but behind openings.
func SolidSurfaces(flow *lbm.Config, support int, open map[int]bool) (all []contact.Surface) {
	if flow.Solid == nil {
		return nil
	}
	var kinds [3]contact.Surface
	nx := flow.Size[0]
	beside := rowsBesideFluid(flow)
	for n, solid := range flow.Solid {
		if !solid || !beside[n/nx] || open[n] {
			continue
		}
		p := flow.Position(n)
		if axes := openAxes(flow, p); axes > 0 {
			f := &kinds[axes-1]
			f.Points = append(f.Points, geometry.Vec{float64(p[0]), float64(p[1]), float64(p[2])})
			f.Area = append(f.Area, math.Sqrt(float64(axes)))
		}
	}
	for k, f := range kinds {
		if len(f.Points) > 0 {
			f.Offset = float64(support) / 2 * math.Sqrt(float64(k+1))
			all = append(all, f)
		}
	}
	return all
}

// rowsBesideFluid tells of each row of nodes along x whether it, or one of the four beside it, has nodes of the fluid: in a box much larger than its vessel few do.
func rowsBesideFluid(flow *lbm.Config) []bool {
	nx, ny, nz := flow.Size[0], flow.Size[1], flow.Size[2]
	beside := make([]bool, ny*nz)
	for row := range beside {
		if !slices.Contains(flow.Solid[row*nx:(row+1)*nx], false) {
			continue
		}
		y, z := row%ny, row/ny
		beside[row] = true
		beside[z*ny+(y+1)%ny], beside[z*ny+(y+ny-1)%ny] = true, true
		beside[(z+1)%nz*ny+y], beside[(z+nz-1)%nz*ny+y] = true, true
	}
	return beside
}

// openAxes is the number of axes along which a node is beside one of the fluid.
func openAxes(flow *lbm.Config, p [3]int) (axes int) {
	for a := range flow.Lattice.Dim {
		for _, by := range [2]int{-1, 1} {
			q := p
			q[a] += by
			if size := flow.Size[a]; q[a] < 0 || q[a] >= size {
				if !flow.Periodic(a) {
					continue
				}
				q[a] = (q[a] + size) % size
			}
			if !flow.Solid[flow.Node(q)] {
				axes++
				break
			}
		}
	}
	return axes
}
