package bench

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
)

// Row is what was measured of a Spec. Rates of rows that are not ok are 0.
type Row struct {
	Spec
	Device string `json:"device,omitempty"`
	harness.Outcome
	MFLUPS       float64         `json:"mflups"`         // median of the repeats
	MFLUPSLow    float64         `json:"mflups_low"`     // the slowest
	MFLUPSHigh   float64         `json:"mflups_high"`    // and the fastest of them
	BytesPerNode int             `json:"bytes_per_node"` // read and written by a step, every population once
	GBs          float64         `json:"gbs"`            // mflups · bytes_per_node
	CopyGBs      float64         `json:"copy_gbs"`       // medians over as many bytes as the lattices have
	UpdateGBs    float64         `json:"update_gbs"`
	Limit        string          `json:"limit"`    // copy | update: what the scheme is bound by
	Roofline     float64         `json:"roofline"` // median over the repeats of gbs over the limit
	Repeats      int             `json:"repeats"`
	Steps        int64           `json:"steps"`            // timed, of all repeats
	Checks       []harness.Check `json:"checks,omitempty"` // the largest values found
	Ideal        float64         `json:"mflups_ideal"`     // for six accesses to every population: see idealMFLUPS
}

func newRow(s Spec) Row {
	return Row{Spec: s, Outcome: harness.Outcome{Status: harness.OK}, BytesPerNode: s.bytesPerNode(), Limit: s.limit()}
}

// limitGBs is the bandwidth of what the scheme is bound by.
func (r *Row) limitGBs() float64 {
	if r.Limit == "update" {
		return r.UpdateGBs
	}
	return r.CopyGBs
}

// limitMFLUPS is the rate at which the scheme would move as many bytes as what
// it is bound by.
func (r *Row) limitMFLUPS() float64 { return r.limitGBs() * 1e3 / float64(r.BytesPerNode) }

// idealMFLUPS is the yardstick of Valero-Lara et al., J. Comput. Sci. 10 (2015) 249, eq. (7),
// with the bandwidth of the copy: every population is read three times and written three
// times, in steps that stream and collide apart. Those here, which read and write it
// once, may reach three times as much.
func (r *Row) idealMFLUPS() float64 { return r.CopyGBs * 1e3 / (3 * float64(r.BytesPerNode)) }

// without is the row with a state and a reason instead of rates.
func (r Row) without(status, reason string) Row {
	n := newRow(r.Spec)
	n.Outcome, n.Device, n.Checks = harness.Outcome{Status: status, Reason: reason}, r.Device, r.Checks
	return n
}

// Result is what came out in a few words.
func (r Row) Result() string {
	return fmt.Sprintf("%.4g MFLUPS, %.2f of the %s", r.MFLUPS, r.Roofline, r.Limit)
}

// sample is what one repeat measured.
type sample struct {
	mflups, copyGBs, updateGBs float64
}

// take fills in the rates of the repeats.
func (r *Row) take(all []sample) {
	of := func(value func(sample) float64) float64 { return harness.MedianOf(all, value) }
	r.Repeats = len(all)
	r.MFLUPS, r.MFLUPSLow, r.MFLUPSHigh = harness.Range(all, func(s sample) float64 { return s.mflups })
	perMFLUPS := float64(r.BytesPerNode) / 1e3
	r.GBs = r.MFLUPS * perMFLUPS
	r.CopyGBs, r.UpdateGBs = of(func(s sample) float64 { return s.copyGBs }), of(func(s sample) float64 { return s.updateGBs })
	r.Ideal = r.idealMFLUPS()
	r.Roofline = of(func(s sample) float64 {
		if r.Limit == "copy" {
			return s.mflups * perMFLUPS / s.copyGBs
		}
		return s.mflups * perMFLUPS / s.updateGBs
	})
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
	if r := harness.Largest(rows, func(r *Row) (int, int64, float64) { return r.Threads, r.footprint(), r.CopyGBs }); r != nil {
		d.CopyGBs, d.UpdateGBs = r.CopyGBs, r.UpdateGBs
	}
	return d
}
