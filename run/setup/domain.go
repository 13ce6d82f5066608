package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
)

// Domain is what a case says of the fluid: its grid, faces, solids and initial state, how it is
// computed, and the parts of it that outputs are made of.
type Domain struct {
	Grid
	Stored   *StoredFlow // the initial state, if it is that of a file
	Held     *HeldForce  // that holds the case's flow rate; nil: none is held
	Vessel   *Vessel     // that the fluid is inside of; nil: none
	initial  func(n [3]float64) (rho float64, u [3]float64)
	shapesOn casefile.Lattice // see lattice
	surfaces map[string]*casefile.Mesh
}

// MarkSolids makes walls of the nodes inside the case's solids and outside of its vessel, once: in the mask Flow.Solid or, of a vessel, mostly by
// leaving them out of the runs Flow.Inside.
func (d *Domain) MarkSolids() error {
	switch {
	case d.Flow.Solid != nil || d.Vessel != nil && d.Vessel.marked:
		return nil
	case d.Vessel != nil:
		d.markVessel()
	case len(d.Case.Solids) > 0:
		d.Flow.Solid = make([]bool, d.Flow.Nodes())
	}
	for i, solid := range d.Case.Solids {
		inside, err := solid.Shape.Inside(d.lattice())
		if err != nil {
			return d.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "%v", err)
		}
		marked, port := int64(0), -1
		if d.Flow.Inside != nil {
			marked, port = d.without(func(x [3]int) bool { return inside.Contains(vector(x)) != (solid.Fluid == "inside") })
		} else {
			marked = d.markRows(inside, solid.Fluid == "inside")
			port = d.dropCuts()
		}
		if marked == 0 {
			if d.Flow.Inside != nil {
				return d.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q takes no node from the fluid in the vessel: move it, or remove it", solid.Name)
			}
			if solid.Fluid == "inside" {
				return d.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q has all nodes of the lattice inside, where the fluid is, and no wall: make it smaller or enlarge domain.size", solid.Name)
			}
			return d.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q holds no node of the lattice: make it larger or raise reference.resolution", solid.Name)
		}
		if port >= 0 {
			return d.Case.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q covers a part of port %q, through which less would enter, or the same faster: move it off the port's disc", solid.Name, d.Case.Ports[port].Name)
		}
	}
	return nil
}

// markRows makes walls of the nodes in a region, or of all others, row by row, and tells how many; the region is asked only about nodes within its bounds.
func (d *Domain) markRows(in geometry.Region, others bool) (marked int64) {
	nx, ny := d.Flow.Size[0], d.Flow.Size[1]
	lo, hi := in.Bounds()
	convex := geometry.IsConvex(in)
	for row := range len(d.Flow.Solid) / nx {
		walls := d.Flow.Solid[row*nx : (row+1)*nx]
		at := [3]int{0, row % ny, row / ny}
		from, to := 0, 0
		if within(at[1], lo[1], hi[1]) && within(at[2], lo[2], hi[2]) {
			from, to = bounded(lo[0]-1, nx), bounded(hi[0]+2, nx)
		}
		first, last := to, to // nodes between are inside
		if convex {
			first, last = insideOf(in, at, from, to)
		}
		for x := from; x < to; x++ {
			at[0] = x
			inside := x >= first && x < last
			if !convex {
				inside = in.Contains(vector(at))
			}
			if inside != others {
				walls[x] = true
				marked++
			}
		}
		if others {
			for _, part := range [][]bool{walls[:from], walls[to:]} {
				for x := range part {
					part[x] = true
				}
				marked += int64(len(part))
			}
		}
	}
	return marked
}

// insideOf are the first node of a part of a row that is inside a convex region, and the node after the last.
func insideOf(in geometry.Region, at [3]int, from, to int) (first, last int) {
	inside := func(x int) bool {
		at[0] = x
		return in.Contains(vector(at))
	}
	for first = from; first < to && !inside(first); first++ {
	}
	for last = to; last > first && !inside(last-1); last-- {
	}
	return first, last
}

// within tells whether a node is between bounds, or nearer to them than a node is to the next: they may be rounded.
func within(x int, lo, hi float64) bool { return float64(x) > lo-1 && float64(x) < hi+1 }

// bounded is the node at x, within 0 … n.
func bounded(x float64, n int) int { return int(min(max(x, 0), float64(n))) }

func vector(x [3]int) geometry.Vec { return geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])} }

// SteadyBound is the bound on |∂u/∂t| at which the run stops, in U²/L: that of the case or, where the
// flow is slower than viscosity (Re < 1), as many νU/L², since changes are as fast as that there.
func (d *Domain) SteadyBound() float64 {
	return d.Case.Run.StopSteady * math.Max(1, d.Case.WallViscosity())
}

// lattice is what the case's shapes are put on.
func (d *Domain) lattice() casefile.Lattice {
	if d.shapesOn.Node == nil {
		d.shapesOn = casefile.Lattice{Dim: d.Flow.Lattice.Dim, Resolution: d.Case.Reference.Resolution, Node: d.Node, Mesh: d.Surface}
	}
	return d.shapesOn
}

// Surface returns what a file holds; each is read once.
func (d *Domain) Surface(file string) (*casefile.Mesh, error) {
	if s := d.surfaces[file]; s != nil {
		return s, nil
	}
	f, size, err := regular.Open(file)
	if err != nil {
		return nil, fmt.Errorf("the surface cannot be read: %w: %s", err, durable.Remedy(err, "is the path right? It is relative to the case file"))
	}
	defer f.Close()
	s := new(casefile.Mesh)
	if s.Mesh, s.Report, err = geometry.ReadSTL(f, size); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if d.surfaces == nil {
		d.surfaces = map[string]*casefile.Mesh{}
	}
	d.surfaces[file] = s
	return s, nil
}
