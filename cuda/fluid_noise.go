package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// fluidNoise is the noise by which half precision rounds. A step's part in the hash of a
// row is the number of the step, times a constant: so kernels add what they are given to
// what lies behind the table on the device, and a graph's arguments, which stay, are told
// from the step that it begins with.
type fluidNoise struct {
	table *driver.Memory // nil but for half precision
	set   device.Kernel
	start uint64 // what lies behind the table when what is queued next runs
}

// noiseStart is where that lies, in words: noiseStart of kernels/storage.h.
const noiseStart = noiseSilence + 10*lbm.NoiseSpacing

// noiseSilence is where the table is zero: noNoise of kernels/storage.h.
const noiseSilence = 2700

// prepareNoise uploads the table.
func (f *core[T]) prepareNoise(l *device.Library) error {
	n := &f.noise
	set, err := l.Function("noise", "noise_start")
	if err != nil {
		return err
	}
	n.set = device.Kernel{Function: set, Args: driver.NewArgs(2)}
	n.table, err = upload(f, noiseTable())
	return err
}

// noiseTable is the noise as kernels/storage.h wants it: entry p has the noises p and
// p + 1, the end is zero, and behind it lies the start, zero, too.
func noiseTable() []uint32 {
	from := lbm.NoiseTable()
	table := make([]uint32, noiseStart+2)
	for p := range len(from) - 1 {
		table[p] = from[p] | from[p+1]<<16
	}
	return table
}

// setNoise sets the table of noise and a step's part in it.
func (f *core[T]) setNoise(s *device.Setter, p lbm.Purpose, step int64) *device.Setter {
	return s.Pointer(f.noise.table, 0).Uint64(lbm.NoiseOf(p, step) - f.noise.start)
}

// startNoise lets the noise of what is queued from now on be told from the next step.
func (f *core[T]) startNoise() error {
	n := &f.noise
	if n.table == nil {
		return nil
	}
	n.start = lbm.NoiseOf(0, f.steps)
	n.set.Args.Pointer(0, n.table, 4*noiseStart)
	n.set.Args.Uint64(1, n.start)
	return f.stream.Launch(n.set.Function, [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, n.set.Args)
}
