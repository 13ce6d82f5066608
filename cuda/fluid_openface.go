package cuda

import (
	"fmt"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// openFaceRecord is an open face as OpenFace of kernels/openface.h has it.
type openFaceRecord struct {
	outward, excess, relax float64
	first, end             int32
	kind                   int32
	side, axis             int32
	tangents, size         [2]int32
	edge                   [2][2]int32
	frame                  int32
}

// The kinds of open faces: OpenKind of kernels/openface.h.
// An open face of another kind is refused.
var openKinds = map[lbm.FaceKind]int32{lbm.Pressure: 0, lbm.Outflow: 1, lbm.Velocity: 2}

// openState is ρ − 1 and the velocity, of a face node or a ghost.
type openState [4]float64

// What a launch of the kernel open does: OpenTask of kernels/openface.h.
const (
	openAdvance = 1 << iota
	openCapture
	openStart
	openSend
)

// Arguments of the kernel open, and the first of some.
const (
	openFaceArgs   = latticeArgs
	openAccel      = openFaceArgs + 15
	openAmplitudes = openAccel + 3
	openNoise      = openAmplitudes + 6
	openArgs       = openNoise + 4
	openThreads    = 128
)

// fluidOpenFaces are the pressure and outflow faces, and the velocity faces through which
// fluid leaves.
type fluidOpenFaces[T lbm.Float] struct {
	faces   []*lbm.OpenFace
	outflow bool
	due     bool                // outflows are a step behind: they advance at the start of a step
	nodes   int                 // of all faces
	links   [][]lbm.OpenLink[T] // of each phase, until they are uploaded
	state   [2]*driver.Memory
	args    []*driver.Args // of each phase
}

// prepareOpenFaces uploads what the kernel open needs.
func (f *faces[T]) prepareOpenFaces() error {
	o := &f.open
	o.faces = f.cfg.OpenFaces()
	f.drive = lbm.NewDrive(&f.cfg)
	if len(o.faces) == 0 {
		o.links = nil
		return nil
	}
	var records []openFaceRecord
	var padded []int64
	var velocity [][3]float64  // in front of every node; none without velocity faces
	first := map[uint8]int32{} // node of the face on a side
	for _, face := range o.faces {
		r := openFaceRecord{outward: face.Outward, excess: face.Density - 1, relax: face.Relax, side: int32(face.Side), axis: int32(face.Axis)}
		if f.cfg.Collision.Recursive {
			r.frame = 1
		}
		if face.Entering {
			r.frame |= 2
		}
		r.first = int32(len(padded))
		first[uint8(face.Side)] = r.first
		for n, absent := range face.Absent {
			at := int64(-1)
			if !absent {
				at = int64(f.grid.index(face.Position(n)))
			}
			padded = append(padded, at)
		}
		r.end, r.kind = int32(len(padded)), openKinds[face.Kind]
		if face.Kind == lbm.Outflow {
			o.outflow = true
		}
		if face.Kind == lbm.Velocity {
			velocity = append(velocity, make([][3]float64, int(r.first)-len(velocity))...)
			velocity = append(velocity, face.Velocity...)
		}
		for k := range 2 {
			r.tangents[k], r.size[k] = int32(face.Tangents[k]), int32(face.Size[k])
			for end := range 2 {
				r.edge[k][end] = int32(face.Edge[k][end])
			}
		}
		records = append(records, r)
	}
	o.nodes = len(padded)
	var all [7]*driver.Memory // faces, padded, inner, state, velocity
	var err error
	if all[0], err = upload(&f.core, records); err != nil {
		return err
	}
	if all[1], err = upload(&f.core, padded); err != nil {
		return err
	}
	for k := range 4 {
		if all[2+k], err = f.zeroed(o.nodes * device.SizeOf[openState]()); err != nil {
			return err
		}
	}
	if all[6], err = upload(&f.core, velocity); err != nil {
		return err
	}
	o.state = [2]*driver.Memory{all[4], all[5]}
	for phase := range f.scheme.cycle {
		if err := f.prepareOpenPhase(phase, &all, first); err != nil {
			return err
		}
	}
	o.links = nil
	return nil
}

// prepareOpenPhase sets the arguments of a phase.
func (f *faces[T]) prepareOpenPhase(phase int, all *[7]*driver.Memory, first map[uint8]int32) error {
	o := &f.open
	list := openLinkLists[T]{start: make([]int32, o.nodes+1)}
	list.sort(o.links[phase], first, mostGhostLinks[f.cfg.Lattice.Dim])
	var memory [7]*driver.Memory
	for i, part := range []func() (*driver.Memory, error){
		func() (*driver.Memory, error) { return upload(&f.core, list.start) },
		func() (*driver.Memory, error) { return upload(&f.core, list.to) },
		func() (*driver.Memory, error) { return upload(&f.core, list.dir) },
		func() (*driver.Memory, error) { return upload(&f.core, list.row) },
		func() (*driver.Memory, error) { return upload(&f.core, list.index) },
		func() (*driver.Memory, error) { return upload(&f.core, list.back) },
		func() (*driver.Memory, error) { return upload(&f.core, list.gain) },
	} {
		var err error
		if memory[i], err = part(); err != nil {
			return err
		}
	}
	set := func(a *driver.Args) {
		s := &device.Setter{Args: a}
		f.setLattice(s)
		s.Pointer(all[0], 0).Int32(o.nodes).Pointer(all[1], 0)
		for _, m := range memory {
			s.Pointer(m, 0)
		}
		s.Pointer(all[6], 0)
		for _, m := range all[2:6] {
			s.Pointer(m, 0)
		}
		device.SetReals(s, T(0), 0, 0, 1, 1, 1, 1, 1, 1)
		f.setNoise(s, lbm.ForOpenFaces, 0).Int32(0).Int32(0)
	}
	alone := driver.NewArgs(openArgs)
	set(alone)
	o.args = append(o.args, alone)
	if b := &f.boundary.phases[phase]; b.first > 0 {
		set(b.args)
		b.args.Int32(openArgs+linkArgs, int32(o.blocks()))
	}
	return nil
}

// mostGhostLinks are the directions that leave a face in the plane and in space: GhostLinks of kernels/openface.h.
var mostGhostLinks = map[int]int32{2: 3, 3: 5}

// openLinkLists are links by the face node whose ghost they take populations from.
type openLinkLists[T lbm.Float] struct {
	start      []int32 // of each node's, and the end
	to, back   []int64
	gain       []T
	dir        []uint8
	row, index []int32
}

func (o *openLinkLists[T]) sort(links []lbm.OpenLink[T], first map[uint8]int32, most int32) {
	n := len(links)
	o.back, o.gain = make([]int64, n), make([]T, n)
	o.to, o.dir, o.row, o.index = make([]int64, n), make([]uint8, n), make([]int32, n), make([]int32, n)
	for _, l := range links {
		o.start[first[l.Side]+l.Node+1]++
	}
	for k := 1; k < len(o.start); k++ {
		if o.start[k] > most {
			panic(fmt.Sprintf("cuda: the ghost of face node %d serves %d links, of at most %d", k-1, o.start[k], most))
		}
		o.start[k] += o.start[k-1]
	}
	next := append([]int32(nil), o.start...)
	for _, l := range links {
		node := first[l.Side] + l.Node
		k := next[node]
		next[node]++
		o.to[k], o.dir[k], o.row[k], o.index[k] = int64(l.To), l.Dir, l.Row, l.Index
		o.back[k], o.gain[k] = int64(l.Back), l.Gain
	}
}

// doOpenFaces queues some of what open faces do in this step.
func (f *faces[T]) doOpenFaces(tasks int, amplitude *[6]T) error {
	o := &f.open
	if o.nodes == 0 {
		return nil
	}
	return f.launchOpenFaces(f.kernels.open, &device.Setter{Args: o.args[f.phase]}, tasks, amplitude, 0)
}

// launchOpenFaces queues a kernel whose first arguments are those of open faces, with so many
// blocks more than they need.
func (f *faces[T]) launchOpenFaces(kernel *driver.Function, s *device.Setter, tasks int, amplitude *[6]T, more int) error {
	f.setLattice(s)
	s.Next = openAccel
	device.SetReals(s, f.rates.Accel[:]...)
	device.SetReals(s, amplitude[:]...)
	f.setNoise(s, lbm.ForOpenFaces, f.steps).Int32(int(f.steps & 1)).Int32(tasks)
	return f.stream.Launch(kernel, [3]int{f.open.blocks() + more, 1, 1}, [3]int{openThreads, 1, 1}, 0, s.Args)
}

func (o *fluidOpenFaces[T]) blocks() int { return (o.nodes + openThreads - 1) / openThreads }

// openTasks is what open faces do before a sweep.
func (f *faces[T]) openTasks() int {
	if f.open.due {
		return openCapture | openSend | openAdvance
	}
	return openCapture | openSend
}

// writeOpenFaces queues what ghosts of open faces send in this step.
func (f *faces[T]) writeOpenFaces(amplitude *[6]T) error {
	return f.doOpenFaces(f.openTasks(), amplitude)
}

// startOpenFaces starts outflows without a gradient across the face.
func (f *faces[T]) startOpenFaces() error {
	f.open.due = false
	return f.doOpenFaces(openCapture|openStart, &[6]T{})
}

// OpenFaces is the memory of outflow faces; see lbm.Fluid.
func (f *access[T]) OpenFaces() (all []float64) {
	if f.vessel.vesselTables != nil && f.settled() { // whose faces are walls
		all, err := f.readVessel()
		f.fail(err)
		return all
	}
	if !f.open.outflow || !f.settled() {
		return nil
	}
	states := make([]openState, f.open.nodes)
	if err := f.readOutflows(states); err != nil {
		f.fail(err)
		return nil
	}
	f.overOutflows(states, func(of []openState) {
		for _, s := range of {
			all = append(all, s[:]...)
		}
	})
	return all
}

// advanceOutflows brings the states of outflows' ghosts to the step that comes next.
func (f *faces[T]) advanceOutflows() error {
	if !f.open.due {
		return nil
	}
	f.open.due = false
	amplitude := f.amplitudes(f.steps)
	return f.doOpenFaces(openAdvance, &amplitude)
}

// readOutflows copies out the states of all open faces' ghosts in the step that comes next.
func (f *faces[T]) readOutflows(states []openState) error {
	if err := f.advanceOutflows(); err != nil {
		return err
	}
	if err := f.stream.CopyFrom(unsafe.Pointer(&states[0]), f.open.state[f.steps&1], 0, len(states)*device.SizeOf[openState]()); err != nil {
		return err
	}
	return f.stream.Synchronize()
}

// overOutflows calls do with the states of each outflow face, out of those of all faces.
func (f *faces[T]) overOutflows(states []openState, do func(of []openState)) {
	for _, face := range f.open.faces {
		n := len(face.Absent)
		if face.Kind == lbm.Outflow {
			do(states[:n])
		}
		states = states[n:]
	}
}

// setOpenFaces restores what OpenFaces tells, of the step that comes next.
func (f *faces[T]) setOpenFaces(values []float64) error {
	f.open.due = false
	first := 0
	for _, face := range f.open.faces {
		n := len(face.Absent)
		if face.Kind == lbm.Outflow {
			size := device.SizeOf[openState]()
			if err := f.stream.CopyTo(f.open.state[f.steps&1], first*size, unsafe.Pointer(&values[0]), n*size); err != nil {
				return err
			}
			values = values[4*n:]
		}
		first += n
	}
	return f.stream.Synchronize()
}
