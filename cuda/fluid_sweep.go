package cuda

import (
	"slices"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Threads of a block of a sweep, as many as kernels/sweep.h allows. On an NVIDIA H200, bgk in
// 512³ nodes, f64 in place makes 11.9 GLUPS with 256, 10.4 with 128 and 10.3 with 64; with two
// lattices it is 12.6, 12.4 and 12.3.
const sweepThreads = 256

// The most blocks of a grid along y and z.
const maxGridYZ = 65535

// sweepLaunch is a part of a sweep: grids are bounded along y and z.
type sweepLaunch struct {
	part        sweepPart
	grid, block [3]int
	args        [2]*driver.Args // for either value of now or phase
	leaving     [2]*driver.Args // of the sweep that leaves moments, where one does
	forced      [2]*driver.Args // of the sweep with forces on nodes, where there is one
	relaxing    [2]*driver.Args // of that by times of nodes, too
}

// The arguments of a sweep: two times the places of populations, which are as many for
// every lattice (kernels/lattice.h: maxQ), what they are, and those that change from step
// to step.
const (
	sweepPlaces = 19
	sweepRates  = 2*sweepPlaces + 9
	sweepNoise  = sweepRates + rateArgs
	sweepArgs   = sweepNoise + 2
	supportArgs = sweepArgs + 5 // of a sweep that leaves moments
)

// prepareSweeps cuts the domain into launches and sets their arguments.
func (f *sweeper[T]) prepareSweeps() {
	if f.runs != nil {
		f.prepareRunSweep()
		return
	}
	columns, least := f.cfg.Size[0], 32
	if f.inQuads() {
		columns, least = (columns+3)/4, least/4
	}
	block := sweepBlock(columns, least)
	for _, p := range sweepParts(f.cfg.Size, block[1], f.grid.row, f.grid.plane) {
		l := sweepLaunch{part: p, block: block}
		l.grid = [3]int{(columns + block[0] - 1) / block[0], (p.rows + block[1] - 1) / block[1], p.planes}
		for k := range l.args {
			l.args[k] = f.sweepArgs(k, p, sweepArgs)
		}
		f.sweeps = append(f.sweeps, l)
	}
}

// sweepPart is the rows y … y + rows − 1 of the planes z … z + planes − 1.
type sweepPart struct{ y, rows, z, planes int }

// sweepParts cuts a domain into parts that a launch can sweep, with blocks of height
// rows: for grids that are not too tall or deep, and with nodes that have 31-bit numbers,
// rows and planes being so many nodes apart.
func sweepParts(size [3]int, height, row, plane int) (parts []sweepPart) {
	const numbers = 1 << 31
	tall := min(maxGridYZ*height, numbers/row)
	deep := max(1, min(maxGridYZ, numbers/plane)) // a larger plane is the only one
	for z := 0; z < size[2]; z += deep {
		for y := 0; y < size[1]; y += tall {
			parts = append(parts, sweepPart{y, min(tall, size[1]-y), z, min(deep, size[2]-z)})
		}
	}
	return parts
}

// ring is how many nodes a row has that a sweep closes to a ring, 0 where it closes none.
func (f *core[T]) ring() int {
	if closesRows(&f.cfg, f.grid.element) {
		return f.cfg.Size[0]
	}
	return 0
}

// closesRows tells whether a sweep takes what crosses periodic faces along x from the other
// end of the row, so that there are no links for that: where threads have four nodes, only
// of rows of whole quads, since a quad's nodes beyond a row push into it in place.
func closesRows(c *lbm.Config, element int) bool {
	return c.Faces[0].Kind == lbm.Periodic && (element > 2 || c.Size[0]%4 == 0)
}

// acrossEnds is how far from its usual place a sweep that closes rows finds population i of
// node p: Ring of kernels/sweep.h.
func (f *core[T]) acrossEnds(i int, p [3]int) int {
	switch c := f.cfg.Lattice.C[i][0]; {
	case c > 0 && p[0] == 0:
		return f.ring()
	case c < 0 && p[0] == f.cfg.Size[0]-1:
		return -f.ring()
	}
	return 0
}

// inQuads tells whether a thread sweeps four nodes: kernels/sweep.h, nodesPerThread.
func (f *core[T]) inQuads() bool { return f.grid.element == 2 }

// sweepBlock shapes a block for rows of so many threads: as long along x, but for a
// least length, as leaves few threads without a node.
func sweepBlock(columns, least int) [3]int {
	best := [3]int{}
	fewest := 0
	for x := sweepThreads; x >= least; x /= 2 {
		threads := device.RoundUp(columns, x)
		if best[0] == 0 || threads*20 < fewest*19 { // 5 % fewer
			best, fewest = [3]int{x, sweepThreads / x, 1}, threads
		}
	}
	return best
}

// sweepArgs are the arguments of a launch of the k-th kind: from the k-th of two
// lattices to the other, or, in place, of phase k, and room for as many as there are.
func (f *sweeper[T]) sweepArgs(k int, p sweepPart, all int) *driver.Args {
	s := &device.Setter{Args: driver.NewArgs(all)}
	from, to, phase := f.lattice[0], f.lattice[0], k
	if f.scheme.lattices == 2 {
		from, to, phase = f.lattice[k], f.lattice[k^1], 0
	}
	way := f.scheme.cycle[phase]
	f.setPlaces(s, from, way.read, p)
	f.setPlaces(s, to, way.write, p)
	s.Flag(way.read.shift != 0).Flag(way.write.shift != 0)
	s.Int32(f.grid.row).Int32(f.grid.plane).Int32(f.cfg.Size[0]).Int32(p.rows)
	s.Int32(p.y + f.cfg.Size[1]*p.z).Int32(f.cfg.Size[1]).Int32(f.ring())
	f.setRates(s)
	f.setNoise(s, lbm.ForCollision, 0)
	return s.Args
}

// setPlaces sets where the populations of a part's first node lie, without their shifts
// along x where threads have four nodes: Places of kernels/sweep.h.
func (f *sweeper[T]) setPlaces(s *device.Setter, lattice *driver.Memory, v view, p sweepPart) {
	for i := range sweepPlaces {
		if i >= f.grid.q {
			s.Pointer(nil, 0)
			continue
		}
		at := f.grid.apron + f.grid.offset(v, f.cfg.Lattice, i, [3]int{0, p.y, p.z})
		if f.inQuads() {
			at -= v.shift * f.cfg.Lattice.C[i][0]
		}
		s.Pointer(lattice, at*f.grid.element)
	}
}

// launchSweep queues the sweep of this step.
func (f *sweeper[T]) launchSweep() error {
	kind := f.phase
	if f.scheme.lattices == 2 {
		kind = f.now
	}
	leaves := f.support.leaves() && !f.forces.next && !f.relaxing.next
	for i := range f.sweeps {
		l := &f.sweeps[i]
		kernel, args := f.kernels.sweep, l.args[kind]
		if leaves {
			kernel, args = f.support.sweep, l.leaving[kind]
		}
		switch {
		case f.relaxing.next:
			kernel, args = f.relaxing.sweep, l.relaxing[kind]
		case f.forces.next:
			kernel, args = f.forces.sweep, l.forced[kind]
		}
		if f.forces.next || f.relaxing.next {
			args.Pointer(sweepArgs, f.forces.actsBy(), 0)
		}
		s := device.Setter{Args: args, Next: sweepRates}
		if f.cfg.Acceleration != nil {
			f.setRates(&s)
		}
		if f.noise.table != nil {
			s.Next = sweepNoise
			f.setNoise(&s, lbm.ForCollision, f.steps)
		}
		if err := f.stream.Launch(kernel, l.grid, l.block, 0, args); err != nil {
			return err
		}
	}
	f.support.swept(leaves)
	f.forces.next, f.relaxing.next = false, false
	return nil
}

// refreshRates brings the sweeps' arguments up to the rates as they are.
func (f *sweeper[T]) refreshRates() {
	for i := range f.sweeps {
		l := &f.sweeps[i]
		for _, a := range slices.Concat(l.args[:], l.leaving[:], l.forced[:], l.relaxing[:]) {
			if a != nil {
				f.setRates(&device.Setter{Args: a, Next: sweepRates})
			}
		}
	}
}
