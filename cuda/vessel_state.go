package cuda

import (
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// What the future of a vessel depends on beside populations, as lbm.Fluid.OpenFaces tells it: the pressures behind windkessel ports, and
// what pieces of the wall have gained.

// startVessel forgets what patches have gained, and lets windkessel ports begin with the pressure that is beyond their resistance.
func (f *sweeper[T]) startVessel() error {
	v := &f.vessel
	if v.vesselTables == nil {
		return nil
	}
	f.changed()
	var values []float64
	for _, k := range v.windkessels {
		values = append(values, (f.cfg.Ports[k].Density-1)/3)
	}
	return f.setVessel(append(values, make([]float64, len(v.order))...))
}

// setVessel restores the memory.
func (f *sweeper[T]) setVessel(values []float64) error {
	v := &f.vessel
	if v.vesselTables == nil {
		return nil
	}
	pressure, amplitude := make([]float64, len(v.ports)), make([]T, len(v.ports))
	if len(v.ports) > 0 {
		if err := device.CopyOut(f.stream, amplitude, device.At(v.memory.amplitude, 0)); err != nil {
			return err
		}
		if err := f.stream.Synchronize(); err != nil {
			return err
		}
		for _, k := range v.windkessels {
			pressure[k], amplitude[k], values = values[0], T(3*values[0]), values[1:]
		}
		if err := device.CopyIn(f.stream, device.At(v.memory.pressure, 0), pressure); err != nil {
			return err
		}
		if err := device.CopyIn(f.stream, device.At(v.memory.amplitude, 0), amplitude); err != nil {
			return err
		}
	}
	gains := make([]T, len(v.nodes))
	for k, at := range v.order {
		gains[v.pieces[at]] = T(values[k]) // of its first node: sums over the piece are the same
	}
	if len(gains) > 0 {
		if err := device.CopyIn(f.stream, device.At(v.memory.gains, 0), gains); err != nil {
			return err
		}
	}
	return f.stream.Synchronize()
}

// vesselMemory is the memory, read by read from what is on the device, or from a copy of it.
func (v *fluidVessel[T]) vesselMemory(pressures, gains *driver.Memory, read func(to unsafe.Pointer, from *driver.Memory, bytes int) error) (all []float64, err error) {
	pressure, gained := make([]float64, len(v.ports)), make([]T, len(v.nodes))
	if len(v.windkessels) > 0 {
		if err := read(unsafe.Pointer(&pressure[0]), pressures, 8*len(pressure)); err != nil {
			return nil, err
		}
	}
	if len(gained) > 0 {
		if err := read(unsafe.Pointer(&gained[0]), gains, len(gained)*device.SizeOf[T]()); err != nil {
			return nil, err
		}
	}
	for _, k := range v.windkessels {
		all = append(all, pressure[k])
	}
	for _, at := range v.order {
		var sum T // as sharePatch of kernels/vessel.h
		for _, g := range gained[v.pieces[at]:v.pieces[at+1]] {
			sum += g
		}
		all = append(all, float64(sum))
	}
	return all, nil
}

// readVessel reads the memory as it is.
func (f *sweeper[T]) readVessel() ([]float64, error) {
	v := &f.vessel
	if v.vesselTables == nil {
		return nil, nil
	}
	return v.vesselMemory(v.memory.pressure, v.memory.gains, func(to unsafe.Pointer, from *driver.Memory, bytes int) error {
		if err := f.stream.CopyFrom(to, from, 0, bytes); err != nil {
			return err
		}
		return f.stream.Synchronize()
	})
}

// runFinder finds the numbers of nodes in ascending order.
type runFinder struct {
	r   *runs
	nx  int
	q   int
	row int
	at  int32 // piece
}

func newRunFinder(c *lbm.Config, r *runs) *runFinder {
	return &runFinder{r: r, nx: c.Size[0], q: c.Lattice.Q, row: -1}
}

// number is that of a node of the fluid, which comes after those before.
func (w *runFinder) number(node int32) int32 {
	row, x := int(node)/w.nx, node%int32(w.nx)
	if row != w.row {
		w.row, w.at = row, w.r.rows[row]
	}
	ahead := func(piece int32) int32 { return w.r.pieces[int(piece)*w.r.stride+w.q] }
	for w.at+1 < w.r.rows[row+1] && w.r.starts[w.at+1]+ahead(w.at+1) <= x {
		w.at++
	}
	return x - ahead(w.at)
}

// markCut lets node n be the cut-th of those with links that the wall cuts; they come in ascending order.
func (r *runs) markCut(n, cut int32) {
	g := n / nodeGroup
	for ; r.cutGroups <= g; r.cutGroups++ { // the first from there on
		r.groups[2*r.cutGroups+1] = cut
	}
	r.words[n] |= wordIsCut | uint32(cut-r.groups[2*g+1])<<wordCut
}

// closeCuts sets the groups behind the last of them.
func (r *runs) closeCuts(cuts int32) {
	for ; int(2*r.cutGroups) < len(r.groups); r.cutGroups++ {
		r.groups[2*r.cutGroups+1] = cuts
	}
}
