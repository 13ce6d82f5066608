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
		isWall := func(x [3]int) bool {
			return inside(geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])}) != (solid.Fluid == "inside")
		}
		marked, port := int64(0), -1
		if d.Flow.Inside != nil {
			marked, port = d.without(isWall)
		} else {
			for n := range d.Flow.Solid {
				if isWall(d.Flow.Position(n)) {
					d.Flow.Solid[n] = true
					marked++
				}
			}
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
