package gpureport

import (
	"slices"
	"strings"
	"time"

	"lbmib/cmd/lbmib/bench"
	"lbmib/cmd/lbmib/bench/coupled"
	"lbmib/cmd/lbmib/bench/gauge"
)

// bandwidthRow is what memory gives over so many bytes.
type bandwidthRow struct {
	Bytes   int64   `json:"bytes"`
	Copy    float64 `json:"copy_gbs"`   // the driver's copy of one half to the other
	Update  float64 `json:"update_gbs"` // a kernel that multiplies in place
	Repeats int     `json:"repeats"`
}

// bandwidth measures from what lies in the caches to what does not.
func (j *job) bandwidth() error {
	var l gauge.Limits
	defer l.Close()
	free, _, err := j.device.Memory()
	if err != nil {
		return err
	}
	sizes := []int64{64 << 20, 256 << 20, 1 << 30, 8 << 30, 32 << 30}
	if j.tiny {
		sizes = []int64{1 << 20}
	}
	var rows []bandwidthRow
	j.printf("| memory | copy, GB/s | update in place, GB/s |\n|---|---|---|\n")
	for _, bytes := range sizes {
		if bytes > free-free/8 {
			continue
		}
		if err := j.ctx.Err(); err != nil {
			return err
		}
		m, err := l.OverDevice(bytes, 0)
		if err != nil {
			return err
		}
		r := bandwidthRow{Bytes: bytes, Repeats: gauge.LeastRepeats}
		r.Copy, r.Update = median(j, m.Copy), median(j, m.Update)
		rows = append(rows, r)
		j.keep(rows)
		j.printf("| %d MiB | %.1f | %.1f |\n", bytes>>20, r.Copy, r.Update)
	}
	j.printf("\nRead plus written, GB = 10⁹ bytes; medians of %d.\n", gauge.LeastRepeats)
	return nil
}

func median(j *job, pass func() float64) float64 {
	var all []float64
	for range gauge.LeastRepeats {
		all = append(all, gauge.RateOf(pass, j.effort(0.05).Step))
	}
	return gauge.Median(all)
}

// Sizes that targets are for.
const (
	large2D, large3D = "8192x4096", "512x512x512"
)

// fluid measures the fluid over sizes, streaming schemes and precisions, the large grids
// first.
func (j *job) fluid() error {
	sizes := []string{large2D, large3D, "4096x2048", "256x256x256", "1024x1024", "128x128x128"}
	streaming := []string{"ab", "inplace"}
	switch {
	case j.tiny:
		sizes = []string{"64x32", "32x6x5"}
	case j.quick:
		sizes = []string{large2D, "256x256x256", large3D}
		streaming = streaming[:1]
	}
	b := bench.Bench{Effort: j.effort(0.1), Progress: j.progress}
	var rows []bench.Row
	var stopped error
	for _, size := range sizes {
		specs, err := bench.Selection{Backend: []string{"cuda"}, Size: []string{size}, Streaming: streaming}.Plan()
		if err != nil {
			return err
		}
		more, err := b.Run(j.ctx, specs)
		rows = append(rows, more...)
		j.keep(rows)
		if err != nil {
			stopped = err
			break
		}
	}
	j.shares(rows)
	j.printf("Rates are medians of %v; every flow was held against theory. ", b.Effort)
	j.printf("The share is that of the copy (ab) or of the update in place (inplace), measured in turn with the flow.\n\n")
	bench.WriteMarkdown(&j.text, rows)
	if wrong, _ := gauge.Verdict(rows); wrong > 0 && stopped == nil {
		return errWrong
	}
	return stopped
}

// shares are the values of targets: the best scheme's rate over the copy.
func (j *job) shares(rows []bench.Row) {
	targeted := [][]int{{8192, 4096}, {512, 512, 512}}
	for _, r := range rows {
		if r.Status != gauge.OK || !slices.ContainsFunc(targeted, func(s []int) bool { return slices.Equal(s, r.Size) }) {
			continue
		}
		v, name := j.out.Values, r.Lattice+" "+r.Precision
		v[name] = max(v[name], r.GBs/r.CopyGBs)
		if name := "MFLUPS " + r.Precision; r.Lattice == "D3Q19" && r.Precision != "f64" && strings.Contains(j.device.Info().Name, "H200") {
			v[name] = max(v[name], r.MFLUPS)
		}
	}
}

// cylinderRow is a small grid beside what memory gives over as many bytes.
type cylinderRow struct {
	coupled.Row
	CopyGBs float64 `json:"copy_gbs"`
	Limit   float64 `json:"limit_mflups"` // of the copy, by the fluid's bytes
	Share   float64 `json:"share"`        // of it, with the cylinder
}

// cylinder measures a grid so small that launches count.
func (j *job) cylinder() error {
	s := coupled.Selection{Size: []string{"1600x600"}, Diameter: []int{40}, VolumeFraction: []float64{0.005}, Precision: []string{"f64", "f32"},
		Schedule: []string{"device", "auto"}, Backend: []string{"cuda"}}
	if j.tiny {
		s.Size, s.Diameter, s.VolumeFraction, s.Precision = []string{"96x48"}, []int{12}, []float64{0.1}, s.Precision[:1]
	}
	measured, err := j.couple(s, 0.1)
	if err != nil && len(measured) == 0 {
		return err
	}
	var l gauge.Limits
	defer l.Close()
	var rows []cylinderRow
	j.printf("| precision | schedule | MFLUPS, alone | with the cylinder | copy, GB/s | limit, MFLUPS | share |\n|---|---|---|---|---|---|---|\n")
	for _, r := range measured {
		if r.Status != gauge.OK {
			j.printf("| %s | %s | %s: %s | | | | |\n", r.Precision, r.Schedule, r.Status, r.Reason)
			continue
		}
		nodes, value := float64(r.Size[0]*r.Size[1]), map[string]float64{"f64": 8, "f32": 4}[r.Precision]
		m, err := l.OverDevice(int64(2*9*value*nodes), 0)
		if err != nil {
			return err
		}
		c := cylinderRow{Row: r, CopyGBs: median(j, m.Copy)}
		c.Limit = c.CopyGBs * 1e3 / (2 * 9 * value)
		c.Share = r.MFLUPSCoupled / c.Limit
		rows = append(rows, c)
		j.keep(rows)
		j.printf("| %s | %s | %.0f | %.0f | %.1f | %.0f | %.3f |\n", r.Precision, r.Schedule, r.MFLUPSPure, r.MFLUPSCoupled, c.CopyGBs, c.Limit, c.Share)
		if r.Precision == "f64" && !j.tiny {
			j.out.Values["cylinder"] = max(j.out.Values["cylinder"], c.Share)
		}
	}
	j.printf("\nThe limit is the copy, over as many bytes as two lattices have, by the 2·9 populations of a node. Steps that are all alike are launched as graphs.\n")
	return err
}

// couple measures rows of bodies in a stream.
func (j *job) couple(s coupled.Selection, seconds float64) ([]coupled.Row, error) {
	specs, err := s.Plan()
	if err != nil {
		return nil, err
	}
	b := coupled.Bench{Effort: j.effort(seconds), Progress: j.progress}
	rows, err := b.Run(j.ctx, specs)
	if wrong, refused := gauge.Verdict(rows); err == nil && wrong+refused > 0 {
		err = errWrong
	}
	return rows, err
}

// coupled measures bodies over volume fractions, by every schedule.
func (j *job) coupled() error {
	s := coupled.Selection{Size: []string{large2D}, Diameter: []int{52}, VolumeFraction: []float64{0.01, 0.001, 0.005, 0.02}, Backend: []string{"cuda"}}
	switch {
	case j.tiny:
		s.Size, s.Diameter, s.VolumeFraction = []string{"96x48"}, []int{12}, []float64{0.1}
	case j.quick:
		s.VolumeFraction = s.VolumeFraction[:1]
	}
	begin := time.Now()
	rows, err := j.couple(s, 0.2)
	j.keep(rows)
	j.printf("A stream around cylinders in a row, each schedule in turn with the stream alone; medians of %d repeats, %.0f s in all.\n\n", gauge.LeastRepeats, time.Since(begin).Seconds())
	coupled.WriteMarkdown(&j.text, rows)
	if j.tiny {
		return err
	}
	best, auto, least := 0., 0., 0.
	for _, r := range rows {
		switch {
		case r.Status != gauge.OK || r.VolumeFraction < 0.009 || r.VolumeFraction > 0.011:
		case r.Schedule == "auto":
			auto = r.MFLUPSCoupled / r.MFLUPSPure
		case r.MFLUPSCoupled/r.MFLUPSPure > best:
			best, least = r.MFLUPSCoupled/r.MFLUPSPure, r.Overhead
		}
	}
	if best > 0 {
		j.out.Values["coupled"] = least
	}
	if best > 0 && auto > 0 {
		j.out.Values["auto"] = auto / best
	}
	for _, r := range rows {
		if r.Chosen != "" {
			j.printf("\n- %.2f %%: auto takes %s\n", 100*r.VolumeFraction, r.Chosen)
		}
	}
	return err
}
