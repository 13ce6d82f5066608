package joined

import (
	"fmt"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// faceSeam joins an open face that goes on from one part into another: what the one keeps of its outermost nodes is what the other has of
// the ghosts beside its own. Where another rank has one of the parts, this is the half that this rank has.
type faceSeam struct {
	from, to lbm.FaceExchanger // nil: another rank's,
	peer     int               // this one
	side     int
	out, in  []int32 // face nodes of from, and of to
	values   []float64
}

// faceSeams finds where open faces go on.
func (f *Fluid[T]) faceSeams() {
	flow := &f.flows[0]
	for side, face := range flow.Faces[:2*flow.Lattice.Dim] {
		if !face.Kind.IsOpen() {
			continue
		}
		for _, into := range f.levels[0] {
			for _, from := range f.levels[0] {
				if f.own(into) || f.own(from) {
					f.faceSeam(from, into, side)
				}
			}
		}
	}
	if x := f.shared; x != nil && len(x.faceSends)+len(x.faceReceives) > 0 {
		x.faces = x.comm.Exchange(x.faceMessages(x.faceSends), x.faceMessages(x.faceReceives))
	}
}

// faceMessages are those of halves of seams, a message each.
func (s *shared[T]) faceMessages(seams []*faceSeam) (all []mpi.Message) {
	for _, c := range seams {
		data := s.comm.Buffer(8 * len(c.values))
		c.values = mpi.View[float64](data)
		all = append(all, mpi.Message{Peer: c.peer, Tag: tagFaces, Data: data})
	}
	return all
}

// faceSeam makes the seam of the face on a side from one part into another, if both lie at the face and beside each other.
func (f *Fluid[T]) faceSeam(from, into *part[T], side int) {
	if !from.at(side) || !into.at(side) {
		return
	}
	s := &faceSeam{side: side}
	lo, hi := into.outer()
	axis := side / 2
	if side%2 == 0 {
		hi[axis] = lo[axis] + 1
	} else {
		lo[axis] = hi[axis] - 1
	}
	each(lo, hi, func(p [3]int) {
		if at := into.wrapped(p); into.isGhost(p) && from.contains(at) {
			s.in = append(s.in, into.faceNode(p, axis))
			s.out = append(s.out, from.faceNode(at, axis))
		}
	})
	if len(s.in) == 0 {
		return
	}
	s.values = make([]float64, lbm.FaceValues*len(s.in))
	if f.own(from) {
		s.from = from.fluid.(lbm.FaceExchanger)
	}
	if f.own(into) {
		s.to = into.fluid.(lbm.FaceExchanger)
	}
	switch {
	case s.to == nil:
		s.peer = into.rank
		f.shared.faceSends = append(f.shared.faceSends, s)
	case s.from == nil:
		s.peer = from.rank
		f.shared.faceReceives = append(f.shared.faceReceives, s)
	default:
		f.faceSeamsHere = append(f.faceSeamsHere, s)
	}
}

// at tells whether a box ends at the face on a side.
func (g *grid) at(side int) bool {
	if side%2 == 0 {
		return g.lo[side/2] == 0
	}
	return g.hi[side/2] == g.size[side/2]
}

// cutsOpenFace is an open face of the flow inside which the box ends, −1: none.
func (g *grid) cutsOpenFace(flow *lbm.Config) int {
	for side := range 2 * g.dim {
		if !g.at(side) || !flow.Faces[side].Kind.IsOpen() {
			continue
		}
		for other := range 2 * g.dim {
			if other/2 != side/2 && g.ghosts[other] > 0 {
				return side
			}
		}
	}
	return -1
}

// checkOpenFaces refuses a part that ends inside an open face.
func (g *grid) checkOpenFaces(flow *lbm.Config) error {
	if side := g.cutsOpenFace(flow); side >= 0 {
		return fmt.Errorf("joined: part %v … %v ends inside face %s (%s), which this backend cannot divide: divide the domain between open faces alone", g.lo, g.hi, lbm.FaceNames[side], flow.Faces[side].Kind)
	}
	return nil
}

// CheckOpenFaces refuses boxes of which a part of the domain ends inside an open face, as parts cannot that are no lbm.FaceExchanger.
func CheckOpenFaces(cfg lbm.Config, boxes []Box) error {
	cfg.Solid, cfg.Inside, cfg.Cuts, cfg.Ports = nil, nil, nil, nil
	lay, err := newLayout(cfg, boxes)
	if err != nil {
		return err
	}
	for _, g := range lay.boxes[0] {
		if err := g.checkOpenFaces(&lay.flows[0]); err != nil {
			return err
		}
	}
	return nil
}

// faceNode is the number of the node of a face across an axis that lies at p, as lbm.OpenFace has it in the part.
func (g *grid) faceNode(p [3]int, axis int) int32 {
	n, size := 0, 1
	full := g.full()
	for a := range p {
		if a != axis {
			n += size * (p[a] + g.ghosts[2*a] - g.lo[a])
			size *= full[a]
		}
	}
	return int32(n)
}

// exchangeFaces has parts know what others keep of the nodes beside theirs. All is read before anything is put: reading
// may bring a face to the step that comes.
func (f *Fluid[T]) exchangeFaces() {
	x := f.shared
	if x != nil {
		for _, s := range x.faceSends {
			s.fetch()
		}
	}
	for _, s := range f.faceSeamsHere {
		s.fetch()
	}
	if x != nil && x.faces != nil {
		x.faces.Start()
	}
	for _, s := range f.faceSeamsHere {
		s.put()
	}
	if x != nil && x.faces != nil {
		x.faces.Wait()
		for _, s := range x.faceReceives {
			s.put()
		}
	}
}

func (s *faceSeam) fetch() { s.from.FetchFace(s.side, s.out, s.values) }
func (s *faceSeam) put()   { s.to.PutFace(s.side, s.in, s.values) }
