package lbm

import (
	"slices"
	"sync/atomic"
)

// openRows are the open faces of a fluid as its rows meet them.
type openRows[T Float] struct {
	faces []*openFace[T]
	start []int32     // of each row's spans, and the end; nil without faces
	spans []openSpan  // by row
	post  [][MaxQ]int // per phase: how far from a node its populations lie, where layouts are contiguous
	on    []uint64    // a bit per node of the domain: it lies on a face

	due   bool        // outflows are a step behind, see openFace
	stale atomic.Bool // face nodes have changed since they were captured
}

// openSpan are nodes of a face that follow each other in a row, from x and from the face's
// node on.
type openSpan struct {
	node, x, count int32
	face           uint8
}

// OpenFaces are the open faces by their sides.
func (c *Config) OpenFaces() (all []*OpenFace) {
	for side := range 2 * c.Lattice.Dim {
		switch kind := c.Faces[side].Kind; {
		case kind.HoldsPressure():
			all = append(all, c.OpenFaceAt(side))
		case kind.IsOpen():
			if o := c.OpenFaceAt(side); slices.Contains(o.Absent, false) {
				all = append(all, o)
			}
		}
	}
	return all
}

func newOpenRows[T Float](cfg *Config) *openRows[T] {
	o := &openRows[T]{}
	for _, face := range cfg.OpenFaces() {
		o.faces = append(o.faces, newOpenFace[T](cfg, face))
	}
	if len(o.faces) == 0 {
		return o
	}
	o.on = make([]uint64, (cfg.Nodes()+63)/64)
	rows := make([][]openSpan, cfg.rows())
	for k, face := range o.faces {
		for n := range face.Absent {
			if face.Absent[n] {
				continue
			}
			p := face.Position(n)
			row, node := &rows[p[1]+cfg.Size[1]*p[2]], cfg.Node(p)
			o.on[node/64] |= 1 << (node % 64)
			if last := len(*row) - 1; last >= 0 && (*row)[last].goesOn(uint8(k), n) {
				(*row)[last].count++
				continue
			}
			*row = append(*row, openSpan{int32(n), int32(p[0]), 1, uint8(k)})
		}
	}
	for _, spans := range rows {
		o.start = append(o.start, int32(len(o.spans)))
		o.spans = append(o.spans, spans...)
	}
	o.start = append(o.start, int32(len(o.spans)))
	return o
}

// goesOn tells whether node n of a face comes next.
func (s *openSpan) goesOn(face uint8, n int) bool {
	return s.face == face && s.node+s.count == int32(n)
}

// where describes the faces.
func (o *openRows[T]) where() (all []*OpenFace) {
	for _, face := range o.faces {
		all = append(all, &face.OpenFace)
	}
	return all
}

// row are the face nodes in a row.
func (o *openRows[T]) row(row int) []openSpan {
	if o.start == nil {
		return nil
	}
	return o.spans[o.start[row]:o.start[row+1]]
}

// ends is how many nodes at the beginning and at the end of a row of nx lie on faces.
func (o *openRows[T]) ends(row, nx int) (n [2]int) {
	for _, s := range o.row(row) {
		if s.x == 0 {
			n[0] = max(n[0], int(s.count))
		} else { // walls before it or not
			n[1] = max(n[1], nx-int(s.x))
		}
	}
	return n
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

// captureOpenRow keeps, for the step after, what the face nodes of a row have
// become with the rates of this step.
func (f *CPU[T, S]) captureOpenRow(k *rates[T], phase, row int, step int64) {
	spans := f.open.row(row)
	for s := range spans {
		f.captureOpen(&spans[s], k, f.next, (phase+1)%len(f.scheme.cycle), row, step+1)
	}
}

// captureOpenFaces captures all face nodes as they are now.
func (f *CPU[T, S]) captureOpenFaces() {
	for row := range f.cfg.rows() {
		spans := f.open.row(row)
		for s := range spans {
			f.captureOpen(&spans[s], &f.rates, f.now, f.phase, row, f.steps)
		}
	}
	f.open.stale.Store(false)
}

// captureOpen keeps the populations of some face nodes of a row, which lie where a phase
// begins with them, for the links of a step.
func (f *CPU[T, S]) captureOpen(s *openSpan, k *rates[T], populations []S, phase, row int, step int64) {
	o, q, at := f.open.faces[s.face], f.layout.Q, &f.scheme.last(phase).write
	n, post := f.row(row)+int(s.x), &f.open.post[phase]
	var g [MaxQ]T
	for j := range int(s.count) {
		if f.layout.contiguous() {
			from := &populations[n+j]
			for i, d := range post[:q] {
				g[i] = decode[T](*element(from, d))
			}
		} else {
			for i := range at[:q] {
				g[i] = decode[T](populations[f.at(&at[i], n+j)])
			}
		}
		o.capture(&f.tables, k, &g, step, int(s.node)+j)
	}
}

// resetOpenFaces starts outflows without a gradient across the face.
func (f *CPU[T, S]) resetOpenFaces() {
	f.captureOpenFaces()
	for _, o := range f.open.faces {
		if o.Kind == Outflow {
			copy(o.state[f.steps&1], o.inner[f.steps&1])
			o.sendAll(&f.tables, f.steps)
		}
	}
	f.open.due = false
}

// advanceOpenFaces brings outflows to the step that comes next, if they are behind.
func (f *CPU[T, S]) advanceOpenFaces(worker, workers int) {
	for _, o := range f.open.faces {
		if o.Kind == Outflow {
			o.advance(&f.tables, f.steps, float64(f.amplitude[f.phase][o.Side]), worker, workers)
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
			for n, s := range o.state[f.steps&1] {
				if o.Absent[n] {
					all = append(all, 0, 0, 0, 0)
					continue
				}
				u := o.velocity(&s)
				all = append(all, s.r, u[0], u[1], u[2])
			}
		}
	}
	return all
}
