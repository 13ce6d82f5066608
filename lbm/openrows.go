package lbm

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// openRows are the open faces of a fluid as its rows meet them.
type openRows[T Float, S Stored] struct {
	in     *storage[T, S]
	tables *tables[T]
	faces  []*openFace[T]
	start  []int32    // of each run's spans, and the end; nil without faces
	spans  []openSpan // by run
	on     []uint64   // a bit per node of the domain: it lies on a face

	due   bool        // outflows are a step behind, see openFace
	stale atomic.Bool // face nodes have changed since they were captured
}

// openSpan are nodes of a face that follow each other in a run, from the x-th of that and from the face's
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

func newOpenRows[T Float, S Stored](in *storage[T, S], tables *tables[T]) *openRows[T, S] {
	o, cfg := &openRows[T, S]{in: in, tables: tables}, &in.cfg
	for _, face := range cfg.OpenFaces() {
		o.faces = append(o.faces, newOpenFace[T](cfg, face))
	}
	if len(o.faces) == 0 {
		return o
	}
	o.on = make([]uint64, (cfg.Nodes()+63)/64)
	runs := make([][]openSpan, len(in.runs))
	for k, face := range o.faces {
		for n := range face.Absent {
			if face.Absent[n] || face.isGhost(n) {
				continue
			}
			p := face.Position(n)
			node := cfg.Node(p)
			number, x := in.runAt(p)
			row := &runs[number]
			o.on[node/64] |= 1 << (node % 64)
			if last := len(*row) - 1; last >= 0 && (*row)[last].goesOn(uint8(k), n) {
				(*row)[last].count++
				continue
			}
			*row = append(*row, openSpan{int32(n), x, 1, uint8(k)})
		}
	}
	for _, spans := range runs {
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
func (o *openRows[T, S]) where() (all []*OpenFace) {
	for _, face := range o.faces {
		all = append(all, &face.OpenFace)
	}
	return all
}

// run are the face nodes in a run.
func (o *openRows[T, S]) run(run int) []openSpan {
	if o.start == nil {
		return nil
	}
	return o.spans[o.start[run]:o.start[run+1]]
}

// ends is how many nodes at the beginning and at the end of a row of nx lie on faces.
func (o *openRows[T, S]) ends(row, nx int) (n [2]int) {
	for _, s := range o.run(row) {
		if s.x == 0 {
			n[0] = max(n[0], int(s.count))
		} else { // walls before it or not
			n[1] = max(n[1], nx-int(s.x))
		}
	}
	return n
}

// touch takes note of nodes whose populations somebody changes between steps.
func (o *openRows[T, S]) touch(nodes []int32) {
	if o.on == nil {
		return
	}
	for _, n := range nodes {
		if n >= 0 && o.on[n/64]>>(n%64)&1 == 1 {
			o.stale.Store(true)
			return
		}
	}
}

// hasOutflow reports whether a face has states that advance.
func (o *openRows[T, S]) hasOutflow() bool {
	for _, face := range o.faces {
		if face.Kind == Outflow {
			return true
		}
	}
	return false
}

// captureRun keeps, for the step after, what the face nodes of a run have become with the
// rates of this step.
func (o *openRows[T, S]) captureRun(k *rates[T], phase, run int, step int64) {
	spans := o.run(run)
	for s := range spans {
		o.capture(&spans[s], k, o.in.next, (phase+1)%len(o.in.scheme.cycle), run, step+1)
	}
}

// captureAll captures all face nodes as they are after so many steps.
func (o *openRows[T, S]) captureAll(k *rates[T], steps int64) {
	for run := range o.in.runs {
		spans := o.run(run)
		for s := range spans {
			o.capture(&spans[s], k, o.in.now, o.in.phase, run, steps)
		}
	}
	o.stale.Store(false)
}

// capture keeps the populations of some face nodes of a run, which lie where a phase
// begins with them, for the links of a step.
func (o *openRows[T, S]) capture(s *openSpan, k *rates[T], populations []S, phase, run int, step int64) {
	face, q, at := o.faces[s.face], o.in.layout.Q, &o.in.scheme.last(phase).write
	n := o.in.runs[run].start + int(s.x)
	var g [MaxQ]T
	for j := range int(s.count) {
		if o.in.layout.contiguous() && o.in.sparse == nil {
			from := &populations[n+j]
			for i := range at[:q] {
				g[i] = decode[T](*(*S)(unsafe.Add(unsafe.Pointer(from), at[i].bytes)))
			}
		} else {
			for i := range at[:q] {
				g[i] = decode[T](populations[o.in.at(&at[i], n+j)])
			}
		}
		face.capture(o.tables, k, &g, step, int(s.node)+j)
	}
}

// reset starts outflows after so many steps without a gradient across the face.
func (o *openRows[T, S]) reset(k *rates[T], steps int64) {
	o.captureAll(k, steps)
	for _, face := range o.faces {
		if face.Kind == Outflow {
			copy(face.state[steps&1], face.inner[steps&1])
			face.sendAll(o.tables, steps)
		}
	}
	o.due = false
}

// advance brings a worker's share of outflows to the step that comes after so many.
func (o *openRows[T, S]) advance(steps int64, amplitude *[6]T, worker, workers int) {
	for _, face := range o.faces {
		if face.Kind == Outflow {
			face.advance(o.tables, steps, float64(amplitude[face.Side]), worker, workers)
		}
	}
}

// setMemory restores what OpenFaces returned after so many steps.
func (o *openRows[T, S]) setMemory(values []float64, steps int64) {
	for _, face := range o.faces {
		if face.Kind == Outflow {
			for n := range face.Absent {
				face.state[steps&1][n] = face.fromAxes(values[0], (*[3]float64)(values[1:4]))
				values = values[4:]
			}
			face.sendAll(o.tables, steps)
		}
	}
	o.due = false
}

// OpenFaces is the memory of outflow faces, and of ports; see Fluid.
func (f *CPU[T, S]) OpenFaces() (all []float64) {
	f.advanceFaces()
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
	return append(all, f.cuts.memory()...)
}
