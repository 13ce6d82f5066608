package cuda

import (
	"math/bits"
	"runtime"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// linkTask are a few links of a row, for as many threads: LinkTask of
// kernels/boundary.h.
type linkTask struct {
	base         int64
	first, count int32
	row, noise   int32
}

// fluidBoundary is what walls and periodic and mirrored faces write before a sweep, for
// each phase of the scheme's cycle.
type fluidBoundary struct {
	phases []linkLaunch
}

// linkLaunch are the links of a phase.
type linkLaunch struct {
	blocks int // 0: no links
	wide   bool
	args   *driver.Args
	first  int  // of those that links have, behind those of open faces if both are a launch
	walls  bool // some bounce off moving walls

	links, listed int // written in a step; in the lists, which rows share
}

// Arguments of the kernel links, and the first of the amplitudes and the noise.
const (
	linkAmplitudes = 9
	linkNoise      = linkAmplitudes + 6
	linkArgs       = linkNoise + 2
	linkThreads    = 128
)

// compileBoundary compiles the links of all phases, on the host, and uploads them.
func (f *faces[T]) compileBoundary() error {
	if f.runs != nil { // walls at rest, which nodes know
		f.boundary.phases = make([]linkLaunch, len(f.scheme.cycle))
		return nil
	}
	return f.compileLinks(f.grid.q*f.grid.slot > 1<<32)
}

// compileLinks compiles them for addresses of 64 bits (wide), or of 32.
func (f *faces[T]) compileLinks(wide bool) error {
	l := f.cfg.Lattice
	for phase, sweep := range f.scheme.cycle {
		stored := f.scheme.stored(phase)
		links := lbm.CompileLinks[T](&f.cfg, lbm.Addresses{
			Post: func(i int, p [3]int) int { return f.grid.offset(stored, l, i, p) },
			Pull: func(i int, p [3]int) int { return f.grid.offset(sweep.read, l, i, p) + f.acrossEnds(i, p) },
			Base: f.rowBase,
		})
		if err := f.addLinks(&links, wide); err != nil {
			return err
		}
		f.open.links = append(f.open.links, links.Open)
	}
	return nil
}

// rowBase is what the links of a row count from.
func (f *core[T]) rowBase(row int) int {
	return f.grid.index([3]int{0, row % f.cfg.Size[1], row / f.cfg.Size[1]})
}

// addLinks makes the launch of a phase's links.
func (f *faces[T]) addLinks(links *lbm.Links[T], wide bool) error {
	lanes := 8 // of a row that touches a face at its ends alone, 6 or 10 links
	if f.cfg.Lattice.Dim == 3 {
		lanes = 16
	}
	var tasks []linkTask
	for row := range links.Copies {
		for _, s := range [2]lbm.Span{links.Walls[row], links.Copies[row]} {
			for k := s.Lo; k < s.Hi; k += int32(lanes) {
				tasks = append(tasks, linkTask{int64(f.grid.apron + f.rowBase(row)), k, min(int32(lanes), s.Hi-k), int32(row), k - s.Lo})
			}
		}
	}
	b := linkLaunch{walls: len(links.Gain) > 0}
	defer func() { f.boundary.phases = append(f.boundary.phases, b) }()
	if len(tasks) == 0 {
		return nil
	}
	b.listed = len(links.To)
	for _, task := range tasks {
		b.links += int(task.count)
	}
	threads := len(tasks) * lanes
	b.blocks = (threads + linkThreads - 1) / linkThreads
	b.args = driver.NewArgs(linkArgs)
	if !wide && len(f.cfg.OpenFaces()) > 0 {
		b.first = openArgs // links and open faces are one launch
		b.args = driver.NewArgs(openArgs + linkArgs + 1)
	}
	s := &device.Setter{Args: b.args, Next: b.first}
	s.Pointer(f.lattice[0], 0)
	addresses := func(of []int) (*driver.Memory, error) {
		if wide {
			return upload(&f.core, of)
		}
		short := make([]uint32, len(of))
		for k, at := range of {
			short[k] = uint32(at)
		}
		return upload(&f.core, short)
	}
	b.wide = wide
	var memory [5]*driver.Memory
	var err error
	for i, part := range []func() (*driver.Memory, error){
		func() (*driver.Memory, error) { return upload(&f.core, tasks) },
		func() (*driver.Memory, error) { return addresses(links.To) },
		func() (*driver.Memory, error) { return addresses(links.From) },
		func() (*driver.Memory, error) { return upload(&f.core, links.Gain) },
		func() (*driver.Memory, error) { return upload(&f.core, links.Face) },
	} {
		if memory[i], err = part(); err != nil {
			return err
		}
	}
	s.Pointer(memory[0], 0).Int64(threads).Int32(bits.Len(uint(lanes)) - 1).Int32(len(links.Gain))
	for _, m := range memory[1:] {
		s.Pointer(m, 0)
	}
	device.SetReals(s, T(1), 1, 1, 1, 1, 1)
	f.setNoise(s, lbm.ForWalls, 0)
	return nil
}

// writeBoundary queues what the sweep of this step is to find: links and what open faces
// send, in one launch where there are both.
func (f *faces[T]) writeBoundary(amplitude *[6]T) error {
	b := &f.boundary.phases[f.phase]
	if b.blocks == 0 || b.first == 0 {
		if err := f.writeLinks(b, amplitude); err != nil {
			return err
		}
		return f.writeOpenFaces(amplitude)
	}
	f.setLinks(b, amplitude)
	return f.launchOpenFaces(f.kernels.boundary, &device.Setter{Args: b.args}, f.openTasks(), amplitude, b.blocks)
}

// writeLinks queues the links of this step.
func (f *faces[T]) writeLinks(b *linkLaunch, amplitude *[6]T) error {
	if b.blocks == 0 {
		return nil
	}
	f.setLinks(b, amplitude)
	kernel := f.kernels.links
	if b.wide {
		kernel = f.kernels.wideLinks
	}
	return f.stream.Launch(kernel, [3]int{b.blocks, 1, 1}, [3]int{linkThreads, 1, 1}, 0, b.args)
}

// setLinks sets what changes from step to step.
func (f *faces[T]) setLinks(b *linkLaunch, amplitude *[6]T) {
	s := device.Setter{Args: b.args, Next: b.first}
	s.Pointer(f.lattice[f.now], 0)
	if b.walls {
		s.Next = b.first + linkAmplitudes
		device.SetReals(&s, amplitude[:]...)
		f.setNoise(&s, lbm.ForWalls, f.steps)
	}
}

// upload copies values to device memory of the fluid; nil where there are none. It waits:
// values lie in memory that is not page-locked, from which the driver may copy at any time
// until then. So it is for setting up.
func upload[T lbm.Float, E any](f *core[T], values []E) (*driver.Memory, error) {
	if len(values) == 0 {
		return nil, nil
	}
	m, err := f.alloc(len(values) * device.SizeOf[E]())
	if err != nil {
		return nil, err
	}
	if err := device.CopyIn(f.stream, device.At(m, 0), values); err != nil {
		return nil, err
	}
	err = f.stream.Synchronize()
	runtime.KeepAlive(values)
	return m, err
}
