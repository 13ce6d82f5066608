package bench

import "lbmib/cmd/lbmib/bench/harness"

// Row is what was measured of a Spec. Rates of rows that are not ok are 0.
type Row struct {
	Lattice       string          `json:"lattice"`
	Size          []int           `json:"size"`
	Flow          string          `json:"flow"`
	Precision     string          `json:"precision"`
	Layout        string          `json:"layout"`
	Block         int             `json:"block,omitempty"` // nodes per block of soaos
	Streaming     string          `json:"streaming"`
	StepsPerSweep int             `json:"steps_per_sweep"`
	Collision     string          `json:"collision"`
	Backend       string          `json:"backend"`
	Device        string          `json:"device,omitempty"`
	Kernel        string          `json:"kernel"`
	Stores        string          `json:"stores"`
	Threads       int             `json:"threads"`          // 0 on a device
	Status        string          `json:"status"`           // ok | failed | refused
	Reason        string          `json:"reason,omitempty"` // of a row that is not ok
	MFLUPS        float64         `json:"mflups"`           // median of the repeats
	MFLUPSLow     float64         `json:"mflups_low"`       // the slowest
	MFLUPSHigh    float64         `json:"mflups_high"`      // and the fastest of them
	BytesPerNode  int             `json:"bytes_per_node"`   // read and written by a step, every population once
	GBs           float64         `json:"gbs"`              // mflups · bytes_per_node
	CopyGBs       float64         `json:"copy_gbs"`         // medians over as many bytes as the lattices have
	UpdateGBs     float64         `json:"update_gbs"`
	Limit         string          `json:"limit"`    // copy | update: what the scheme is bound by
	Roofline      float64         `json:"roofline"` // median over the repeats of gbs over the limit
	Repeats       int             `json:"repeats"`
	Steps         int64           `json:"steps"`            // timed, of all repeats
	Checks        []harness.Check `json:"checks,omitempty"` // the largest values found
	Ideal         float64         `json:"mflups_ideal"`     // for six accesses to every population: see idealMFLUPS

	spec Spec
}

func newRow(s Spec) Row {
	return Row{
		Lattice: s.Lattice, Size: append([]int{}, s.axes()...), Flow: s.Flow, Precision: s.Precision,
		Layout: s.Layout, Block: s.Block, Streaming: s.Streaming, StepsPerSweep: s.StepsPerSweep,
		Collision: s.Collision, Backend: s.Backend, Kernel: s.Kernel, Stores: s.Stores, Threads: s.Threads,
		Status: harness.OK, BytesPerNode: s.bytesPerNode(), Limit: s.limit(), spec: s,
	}
}

// limitMFLUPS is the rate at which the scheme would move as many bytes as what
// it is bound by.
func (r *Row) limitMFLUPS() float64 {
	gbs := r.CopyGBs
	if r.Limit == "update" {
		gbs = r.UpdateGBs
	}
	return gbs * 1e3 / float64(r.BytesPerNode)
}

// idealMFLUPS is the yardstick of Valero-Lara et al., J. Comput. Sci. 10 (2015) 249, eq. (7),
// with the bandwidth of the copy: every population is read three times and written three
// times, in steps that stream and collide apart. Those here, which read and write it
// once, may reach three times as much.
func (r *Row) idealMFLUPS() float64 { return r.CopyGBs * 1e3 / (3 * float64(r.BytesPerNode)) }

// State is the row's status.
func (r Row) State() string { return r.Status }

// Why is the reason of a row that is not ok.
func (r Row) Why() string { return r.Reason }

// Restore makes a row that was read from JSON what it was before.
func (r *Row) Restore() {
	r.spec = Spec{
		Lattice: r.Lattice, Size: [3]int{1, 1, 1}, Flow: r.Flow, Precision: r.Precision, Layout: r.Layout, Block: r.Block,
		Streaming: r.Streaming, StepsPerSweep: r.StepsPerSweep, Collision: r.Collision, Backend: r.Backend, Kernel: r.Kernel,
		Stores: r.Stores, Threads: r.Threads,
	}
	copy(r.spec.Size[:], r.Size)
}

// without is the row with a state and a reason instead of rates.
func (r Row) without(status, reason string) Row {
	r.Status, r.Reason = status, reason
	r.MFLUPS, r.MFLUPSLow, r.MFLUPSHigh, r.GBs, r.Roofline, r.Ideal = 0, 0, 0, 0, 0, 0
	return r
}

// sample is what one repeat measured.
type sample struct {
	mflups, copyGBs, updateGBs float64
}

// take fills in the rates of the repeats.
func (r *Row) take(all []sample) {
	each := func(of func(sample) float64) []float64 {
		v := make([]float64, len(all))
		for i, s := range all {
			v[i] = of(s)
		}
		return v
	}
	rates := each(func(s sample) float64 { return s.mflups })
	r.Repeats = len(all)
	r.MFLUPS = harness.Median(rates) // sorts
	r.MFLUPSLow, r.MFLUPSHigh = rates[0], rates[len(rates)-1]
	perMFLUPS := float64(r.BytesPerNode) / 1e3
	r.GBs = r.MFLUPS * perMFLUPS
	r.CopyGBs = harness.Median(each(func(s sample) float64 { return s.copyGBs }))
	r.UpdateGBs = harness.Median(each(func(s sample) float64 { return s.updateGBs }))
	r.Ideal = r.idealMFLUPS()
	r.Roofline = harness.Median(each(func(s sample) float64 {
		if r.Limit == "copy" {
			return s.mflups * perMFLUPS / s.copyGBs
		}
		return s.mflups * perMFLUPS / s.updateGBs
	}))
}

// Document is what bench lbm --json prints.
type Document struct {
	Host      harness.Host `json:"host"`
	CopyGBs   float64      `json:"copy_gbs"`   // of the row with the most threads, and of these the
	UpdateGBs float64      `json:"update_gbs"` // one with the most bytes: the memory's own
	Rows      []Row        `json:"rows"`
}

// NewDocument puts rows together with the machine that they were measured on.
func NewDocument(h harness.Host, rows []Row) Document {
	d := Document{Host: h, Rows: append([]Row{}, rows...)}
	var best *Row
	for i := range rows {
		r := &rows[i]
		if r.CopyGBs == 0 || best != nil && (r.Threads < best.Threads || r.Threads == best.Threads && r.spec.footprint() <= best.spec.footprint()) {
			continue
		}
		best = r
	}
	if best != nil {
		d.CopyGBs, d.UpdateGBs = best.CopyGBs, best.UpdateGBs
	}
	return d
}
