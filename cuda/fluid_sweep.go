package cuda

import (
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// Threads of a block of a sweep; kernels/fluid.h bounds them.
const sweepThreads = 128

// The most blocks of a grid along y and z.
const maxGridYZ = 65535

// sweepLaunch is a part of a sweep: grids are bounded along y and z.
type sweepLaunch struct {
	grid, block [3]int
	args        [2]*driver.Args // for either value of now or phase
}

// sweepArgs is the number of a sweep's arguments; the first of the rates, and of the
// noise, are those that change from step to step.
const (
	sweepRates = 17
	sweepNoise = sweepRates + rateArgs
	sweepArgs  = sweepNoise + 2
)

// prepareSweeps cuts the domain into launches and sets their arguments.
func (f *Fluid[T]) prepareSweeps() {
	size := f.cfg.Size
	columns := size[0]
	if f.grid.element == 2 { // kernels/sweep.h: nodesPerThread
		columns = (columns + 1) / 2
	}
	block := sweepBlock(columns)
	tall := maxGridYZ * block[1]
	for z := 0; z < size[2]; z += maxGridYZ {
		for y := 0; y < size[1]; y += tall {
			l := sweepLaunch{block: block}
			l.grid = [3]int{(columns + block[0] - 1) / block[0], (min(tall, size[1]-y) + block[1] - 1) / block[1], min(maxGridYZ, size[2]-z)}
			for k := range l.args {
				l.args[k] = f.sweepArgs(k, y, z)
			}
			f.sweeps = append(f.sweeps, l)
		}
	}
}

// sweepBlock shapes a block for rows of so many threads: as long along x as leaves few
// threads without a node.
func sweepBlock(columns int) [3]int {
	best := [3]int{}
	least := 0
	for x := sweepThreads; x >= 32; x /= 2 {
		threads := roundUp(columns, x)
		if best[0] == 0 || threads*20 < least*19 { // 5 % fewer
			best, least = [3]int{x, sweepThreads / x, 1}, threads
		}
	}
	return best
}

// sweepArgs are the arguments of a launch of the k-th kind: from the k-th of two
// lattices to the other, or, in place, of phase k.
func (f *Fluid[T]) sweepArgs(k, y, z int) *driver.Args {
	s := &setter{a: driver.NewArgs(sweepArgs)}
	from, to, phase := f.lattice[0], f.lattice[0], k
	if f.scheme.lattices == 2 {
		from, to, phase = f.lattice[k], f.lattice[k^1], 0
	}
	first := f.grid.apron * f.grid.element
	s.pointer(from, first)
	f.setView(s, f.scheme.cycle[phase].read)
	s.pointer(to, first)
	f.setView(s, f.scheme.cycle[phase].write)
	s.int64(f.grid.slot * f.grid.element).int64(f.grid.row).int64(f.grid.plane)
	s.int32(f.cfg.Size[0]).int32(f.cfg.Size[1]).int32(y).int32(z)
	f.setRates(s)
	f.setNoise(s, lbm.ForCollision, 0)
	return s.a
}

// launchSweep queues the sweep of this step.
func (f *Fluid[T]) launchSweep() error {
	kind := f.phase
	if f.scheme.lattices == 2 {
		kind = f.now
	}
	for i := range f.sweeps {
		l := &f.sweeps[i]
		s := setter{l.args[kind], sweepRates}
		if f.cfg.Acceleration != nil {
			f.setRates(&s)
		}
		if f.noise != nil {
			s.next = sweepNoise
			f.setNoise(&s, lbm.ForCollision, f.steps)
		}
		if err := f.stream.Launch(f.kernels.sweep, l.grid, l.block, 0, l.args[kind]); err != nil {
			return err
		}
	}
	return nil
}

// refreshRates brings the sweeps' arguments up to the rates as they are.
func (f *Fluid[T]) refreshRates() {
	for i := range f.sweeps {
		for _, a := range f.sweeps[i].args {
			f.setRates(&setter{a, sweepRates})
		}
	}
}
