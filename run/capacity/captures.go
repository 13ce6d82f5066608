package capacity

import (
	"lbmib/internal/machine"
	"lbmib/run/backend"

	"lbmib/run/setup"
)

// CapturesReport is the device memory of copies that let outputs leave the device beside
// the steps. Nothing needs it: where it is not free, steps wait for outputs.
type CapturesReport struct {
	State  int64 `json:"checkpoint_bytes"` // for checkpoints; 0 without
	Fields int64 `json:"fields_bytes"`     // for fields, slices and boxes; 0 without
	Fit    bool  `json:"fit"`              // there is room for them
}

// Captures finds what captures take on the device in use; nil without one, and where several grids are joined there, whose steps wait for outputs.
func Captures(p *setup.Problem) *CapturesReport {
	if p.Needs.Device == 0 || len(p.Boxes) > 0 || p.Division != nil {
		return nil
	}
	c := &CapturesReport{}
	if p.Case.Output.Checkpoint.Every > 0 {
		c.State = p.Needs.Capture
	}
	for _, i := range p.FieldSeries() {
		c.Fields += backend.CaptureBytes(p.Flow.Lattice, int64(i.Around.Nodes()), p.Precision().Value)
	}
	c.Fit = p.Needs.CanCapture(c.State + c.Fields)
	return c
}

// String says what they take and whether they can be had; empty where there are none.
func (c *CapturesReport) String() string {
	if c == nil || c.State+c.Fields == 0 {
		return ""
	}
	all := machine.BytesText(c.State + c.Fields)
	if !c.Fit {
		return all + " more do not fit, so that steps wait for some outputs"
	}
	return all + " more, so that outputs leave it beside the steps"
}
