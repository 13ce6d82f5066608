package gpureport

import "fmt"

// Target is what is asked of a number, and what was measured.
type Target struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Bound    float64  `json:"bound"`
	AtMost   bool     `json:"at_most"` // the bound is the most, not the least
	Measured *float64 `json:"measured"`
	Pass     *bool    `json:"pass"`           // null: not measured
	Note     string   `json:"note,omitempty"` // why it was not measured, where it should have been
	format   string
	section  string // that measures it
}

// targets are for devices with memory as fast as an H200's, and its size.
var targets = []Target{
	{Name: "conformance", Title: "checks of the conformance suites and against the CPU that failed", Bound: 0, AtMost: true, format: "%.0f", section: "conformance"},
	{Name: "validation", Title: "quantities of the quick validation suite that are outside of their bounds", Bound: 0, AtMost: true, format: "%.0f", section: "validation"},
	{Name: "sanitizer", Title: "errors that compute-sanitizer found", Bound: 0, AtMost: true, format: "%.0f", section: "sanitizer"},
	{Name: "D2Q9 f64", Title: "D2Q9 f64, 8192 × 4096: share of the copy", Bound: 0.90, format: "%.3f", section: "fluid"},
	{Name: "D2Q9 f32", Title: "D2Q9 f32, 8192 × 4096: share of the copy", Bound: 0.90, format: "%.3f", section: "fluid"},
	{Name: "D2Q9 f32/f16", Title: "D2Q9 f32/f16, 8192 × 4096: share of the copy", Bound: 0.75, format: "%.3f", section: "fluid"},
	{Name: "D3Q19 f64", Title: "D3Q19 f64, 512³: share of the copy", Bound: 0.85, format: "%.3f", section: "fluid"},
	{Name: "D3Q19 f32", Title: "D3Q19 f32, 512³: share of the copy", Bound: 0.85, format: "%.3f", section: "fluid"},
	{Name: "D3Q19 f32/f16", Title: "D3Q19 f32/f16, 512³: share of the copy", Bound: 0.75, format: "%.3f", section: "fluid"},
	{Name: "MFLUPS f32", Title: "on an H200, D3Q19 f32, MFLUPS, against FluidX3D's published number", Bound: 23056, format: "%.0f", section: "fluid"},
	{Name: "MFLUPS f32/f16", Title: "on an H200, D3Q19 f32/f16, MFLUPS, against FluidX3D's published number", Bound: 36610, format: "%.0f", section: "fluid"},
	{Name: "cylinder", Title: "1600 × 600 with a cylinder, f64: share of its bandwidth limit", Bound: 0.60, format: "%.3f", section: "cylinder"},
	{Name: "coupled", Title: "bodies of 1 % volume, best schedule: overhead over the fluid alone", Bound: 0.03, AtMost: true, format: "%.3f", section: "coupled"},
	{Name: "auto", Title: "bodies of 1 % volume, schedule that auto takes: rate over the best schedule's", Bound: 0.98, format: "%.3f", section: "coupled"},
	{Name: "spread", Title: "spreading 2²⁰ points, 128³: speed over 2 processor cores", Bound: 10, format: "%.1f", section: "transfer"},
	{Name: "interpolate", Title: "interpolating to 2²⁰ points, 128³: speed over 2 processor cores", Bound: 10, format: "%.1f", section: "transfer"},
}

// judge fills in what was measured; status has the states of the sections that there are.
func judge(values map[string]float64, status map[string]string) []Target {
	all := append([]Target{}, targets...)
	for i := range all {
		t := &all[i]
		v, ok := values[t.Name]
		if !ok {
			switch is := status[t.section]; is {
			case "", incomplete, notRun:
				t.Note = notRun
			case failed:
				t.Note = "no result"
			case absent:
				t.Note = absent
			}
			continue
		}
		pass := v >= t.Bound
		if t.AtMost {
			pass = v <= t.Bound
		}
		t.Measured, t.Pass = &v, &pass
	}
	return all
}

func (t *Target) bound() string {
	sign := "≥ "
	if t.AtMost {
		sign = "≤ "
	}
	return sign + fmt.Sprintf(t.format, t.Bound)
}

func (t *Target) measured() string {
	if t.Measured == nil {
		return "not measured"
	}
	return fmt.Sprintf(t.format, *t.Measured)
}

func (t *Target) verdict() string {
	switch {
	case t.Pass == nil && t.Note != "":
		return t.Note
	case t.Pass == nil:
		return "–"
	case *t.Pass:
		return "pass"
	}
	return "FAIL"
}
