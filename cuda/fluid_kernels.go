package cuda

import (
	"strings"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// fluidKernels are the kernels of a lattice, precision and storage: kernels/fluid.h.
// Several launches of one kernel with different arguments have a kernel each.
type fluidKernels struct {
	sweep, links, open   *driver.Function
	wideLinks, boundary  *driver.Function
	moments, correct     *driver.Function
	fetch, put           *driver.Function
	fetchSingle          *driver.Function
	putSingle, putSums   *driver.Function // the second of a box alone
	box, copyOut, copyIn *driver.Function
	health, healthMerge  *driver.Function
	healthBox            *driver.Function // of a box alone
	reduce               *driver.Function
	variant, operator    string // in names of kernels
}

func (k *fluidKernels) find(l *device.Library, c *lbm.Config, element int, operator string) error {
	name := map[int]string{8: "f64", 4: "f32", 2: "f16"}[element]
	variant := map[string]string{"D2Q9": "d2q9_", "D3Q19": "d3q19_"}[c.Lattice.Name] + name
	switch {
	case strings.HasPrefix(operator, "recursive"):
		operator = "recursive"
	case operator != "bgk" && operator != "trt":
		operator = "stress"
	case operator == "trt" && !c.Forced():
		operator = "trt_unforced"
	}
	k.variant, k.operator = variant, operator
	if c.Storage == "runs" {
		return k.findRuns(l, c)
	}
	for _, e := range []struct {
		to   **driver.Function
		name string
	}{
		{&k.sweep, "sweep_" + operator}, {&k.links, "links"}, {&k.wideLinks, "links_wide"}, {&k.open, "open"}, {&k.boundary, "boundary"},
		{&k.moments, "moments"}, {&k.correct, "correct"}, {&k.fetch, "fetch"}, {&k.put, "put"},
		{&k.box, "box"}, {&k.copyOut, "copy_out"}, {&k.copyIn, "copy_in"},
		{&k.health, "health"}, {&k.healthMerge, "health_merge"}, {&k.healthBox, "health_box"},
		{&k.fetchSingle, "fetch_single"}, {&k.putSingle, "put_single"}, {&k.putSums, "put_sums"},
		{&k.reduce, "reduce"},
	} {
		var err error
		if *e.to, err = l.Function("fluid_"+variant, e.name+"_"+variant); err != nil {
			return err
		}
	}
	return nil
}

// findRuns finds those of a storage by runs: kernels/runs.h.
func (k *fluidKernels) findRuns(l *device.Library, c *lbm.Config) (err error) {
	sweep := "sweep_" + k.operator
	if c.Streaming == "inplace" {
		sweep = "sweep_inplace_" + k.operator
	}
	for _, e := range []struct {
		to   **driver.Function
		name string
	}{
		{&k.sweep, sweep}, {&k.moments, "moments"}, {&k.correct, "correct"}, {&k.fetch, "fetch"}, {&k.put, "put"},
		{&k.box, "box"}, {&k.copyOut, "copy_out"}, {&k.copyIn, "copy_in"},
		{&k.health, "health"}, {&k.healthMerge, "health_merge"}, {&k.fetchSingle, "fetch_single"}, {&k.putSingle, "put_single"},
		{&k.reduce, "reduce"},
	} {
		if *e.to, err = l.Function("runs_"+k.variant, e.name+"_runs_"+k.variant); err != nil {
			return err
		}
	}
	return nil
}

// Arguments that LATTICE_PARAMETERS and RATES_PARAMETERS take.
const latticeArgs, rateArgs = 11, 15

// setLattice sets LATTICE_PARAMETERS: the populations as they are now.
func (f *core[T]) setLattice(s *device.Setter) *device.Setter {
	return f.setCopy(s, f.lattice[f.now], f.scheme.stored(f.phase))
}

// setCopy sets LATTICE_PARAMETERS: populations that lie as a view says.
func (f *core[T]) setCopy(s *device.Setter, lattice *driver.Memory, v view) *device.Setter {
	if f.runs != nil {
		return f.setRuns(s, lattice, v)
	}
	s.Pointer(lattice, f.grid.apron*f.grid.element).Int64(f.grid.slot * f.grid.element)
	f.setView(s, v)
	return s.Int64(f.grid.row).Int64(f.grid.plane).Int32(f.cfg.Size[0]).Int32(f.cfg.Size[1]).Int32(f.cfg.Size[2])
}

// setView sets flip, x, y and z of a View.
func (f *core[T]) setView(s *device.Setter, v view) {
	flip := 0
	if v.flip {
		flip = f.grid.slot * f.grid.element
	}
	shift := v.shift * f.grid.element
	s.Int64(flip).Int64(shift).Int64(shift * f.grid.row).Int64(shift * f.grid.plane)
}

// setRates sets RATES_PARAMETERS: those of the step just made.
func (f *core[T]) setRates(s *device.Setter) *device.Setter {
	k := &f.rates
	device.SetReals(s, k.Even, k.Odd, k.SourceEven, k.SourceOdd, k.Accel[0], k.Accel[1], k.Accel[2], k.Tau, k.Eddy)
	device.SetReals(s, k.OddInEddies[0], k.OddInEddies[1], k.OddInEddies[2], k.OddInEddies[3], k.Ghosts)
	return s.Pointer(f.law, 0)
}

// bitsOf has a bit for each flag.
func bitsOf(flags []bool) []uint32 {
	b := make([]uint32, (len(flags)+31)/32)
	for n, set := range flags {
		if set {
			b[n/32] |= 1 << (n % 32)
		}
	}
	return b
}
