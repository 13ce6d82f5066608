package lbm

import (
	"slices"
	"sync/atomic"
)

// openRows are the open faces of a fluid as its rows meet them.
type openRows[T Float] struct {
	faces []*openFace[T]
	start []int32    // of each row's nodes, and the end; nil without faces
	nodes []openNode // by row
	on    []uint64   // a bit per node of the domain: it lies on a face

	due   bool        // outflows are a step behind, see openFace
	stale atomic.Bool // face nodes have changed since they were captured
}

// openNode is node n of a face.
type openNode struct {
	face uint8
	n    int32
}

// OpenFaces are the open faces by their sides.
func (c *Config) OpenFaces() (all []*OpenFace) {
	for side := range 2 * c.Lattice.Dim {
		switch c.Faces[side].Kind {
		case Pressure, Outflow:
			all = append(all, c.OpenFaceAt(side))
		case Velocity:
			if o := c.OpenFaceAt(side); slices.Contains(o.Absent, false) {
				all = append(all, o)
			}
		}
	}
	return all
}

func newOpenRows[T Float](cfg *Config, phases []addresses) *openRows[T] {
	o := &openRows[T]{}
	for _, face := range cfg.OpenFaces() {
		o.faces = append(o.faces, newOpenFace[T](cfg, face, phases))
	}
	if len(o.faces) == 0 {
		return o
	}
	o.on = make([]uint64, (cfg.Nodes()+63)/64)
	rows := make([][]openNode, cfg.rows())
	for k, face := range o.faces {
		for n := range face.Absent {
			if face.Absent[n] {
				continue
			}
			p := face.Position(n)
			row, node := p[1]+cfg.Size[1]*p[2], cfg.Node(p)
			rows[row] = append(rows[row], openNode{uint8(k), int32(n)})
			o.on[node/64] |= 1 << (node % 64)
		}
	}
	for _, nodes := range rows {
		o.start = append(o.start, int32(len(o.nodes)))
		o.nodes = append(o.nodes, nodes...)
	}
	o.start = append(o.start, int32(len(o.nodes)))
	return o
}

// where describes the faces.
func (o *openRows[T]) where() (all []*OpenFace) {
	for _, face := range o.faces {
		all = append(all, &face.OpenFace)
	}
	return all
}

// row are the face nodes in a row.
func (o *openRows[T]) row(row int) []openNode {
	if o.start == nil {
		return nil
	}
	return o.nodes[o.start[row]:o.start[row+1]]
}

// touch takes note of nodes whose populations somebody changes between steps.
func (o *openRows[T]) touch(nodes []int32) {
	if o.on == nil {
		return
	}
	for _, n := range nodes {
		if o.on[n/64]>>(n%64)&1 == 1 {
			o.stale.Store(true)
			return
		}
	}
}

// hasOutflow reports whether a face has states that advance.
func (o *openRows[T]) hasOutflow() bool {
	for _, face := range o.faces {
		if face.Kind == Outflow {
			return true
		}
	}
	return false
}

// fillOpenRow writes the links of open faces into a row in a step.
func (f *CPU[T, S]) fillOpenRow(phase, row int, step int64) {
	l, seed := &f.links[phase].open, f.seed(forOpenFaces, step, row)
	for k := l.start[row]; k < l.start[row+1]; k++ {
		from, amplitude := l.from[k], &f.amplitude[phase]
		var g T
		if o := f.open.faces[from.face]; o.Kind == Velocity && !o.Leaves(int(from.n), float64(amplitude[o.Side])) {
			g = decode[T](f.now[l.back[k]]) + amplitude[o.Side]*l.gain[k] // as wallLinks
		} else {
			g = o.arriving(&f.tables, step, amplitude, int(from.n), int(l.dir[k]))
		}
		f.now[l.to[k]] = dithered[S](g, noise[S](seed, int(k-l.start[row])), 0)
	}
}

// captureOpenRow keeps, for the step after, what the face nodes of a row have
// become with the rates of this step.
func (f *CPU[T, S]) captureOpenRow(k *rates[T], phase, row int, step int64) {
	after := (phase + 1) % len(f.scheme.cycle)
	for _, o := range f.open.row(row) {
		captureOpenNode(f.open.faces[o.face], &f.tables, k, f.next, after, step+1, int(o.n))
	}
}

// captureOpenFaces captures all face nodes as they are now.
func (f *CPU[T, S]) captureOpenFaces() {
	for _, o := range f.open.faces {
		for n := range o.Absent {
			captureOpenNode(o, &f.tables, &f.rates, f.now, f.phase, f.steps, n)
		}
	}
	f.open.stale.Store(false)
}

// resetOpenFaces starts outflows without a gradient across the face.
func (f *CPU[T, S]) resetOpenFaces() {
	f.captureOpenFaces()
	for _, o := range f.open.faces {
		copy(o.state[f.steps&1], o.inner[f.steps&1])
	}
	f.open.due = false
}

// advanceOpenFaces brings outflows to the step that comes next, if they are behind.
func (f *CPU[T, S]) advanceOpenFaces(worker, workers int) {
	for _, o := range f.open.faces {
		if o.Kind == Outflow {
			o.advance(f.steps, float64(f.amplitude[f.phase][o.Side]), worker, workers)
		}
	}
}

// OpenFaces is the memory of outflow faces; see Fluid.
func (f *CPU[T, S]) OpenFaces() (all []float64) {
	if f.open.due {
		f.setAmplitudes() // of the step that comes next
		f.advanceOpenFaces(0, 1)
		f.open.due = false
	}
	for _, o := range f.open.faces {
		if o.Kind == Outflow {
			for _, s := range o.state[f.steps&1] {
				all = append(all, s.r, s.u[0], s.u[1], s.u[2])
			}
		}
	}
	return all
}
