package gpureport

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
)

// bandwidthRow is what memory gives over so many bytes.
type bandwidthRow struct {
	Bytes   int64   `json:"bytes"`
	Copy    float64 `json:"copy_gbs"`   // the driver's copy of one half to the other
	Update  float64 `json:"update_gbs"` // a kernel that multiplies in place
	Repeats int     `json:"repeats"`
}

func bandwidthUnits(scope) []unit { return []unit{{"copy and update", (*job).bandwidth}} }

// bandwidth measures from what lies in the caches to what does not.
func (j *job) bandwidth() error {
	free, _, err := j.device.Memory()
	if err != nil {
		return err
	}
	sizes := []int64{64 << 20, 256 << 20, 1 << 30, 8 << 30, 32 << 30}
	if j.tiny {
		sizes = []int64{1 << 20}
	}
	name := func(bytes int64) string { return fmt.Sprintf("%d MiB", bytes>>20) }
	var names []string
	for k, bytes := range sizes {
		if bytes > free-free/8 {
			sizes = sizes[:k]
			break
		}
		names = append(names, name(bytes))
	}
	j.plan(names)
	for _, bytes := range sizes {
		j.make(name(bytes), func() (any, error) {
			var l harness.Limits
			defer l.Close()
			m, err := l.OverDevice(bytes, 0)
			if err != nil {
				return nil, err
			}
			r := bandwidthRow{Bytes: bytes, Repeats: harness.LeastRepeats}
			r.Copy, r.Update = median(j, m.Copy), median(j, m.Update)
			return r, errorOf(m)
		})
	}
	return nil
}

func median(j *job, pass func() float64) float64 {
	var all []float64
	for range harness.LeastRepeats {
		all = append(all, harness.RateOf(pass, j.effort(0.05).Step))
	}
	return harness.Median(all)
}

func gatherBandwidth(g *gathering) {
	g.printf("| memory | copy, GB/s | update in place, GB/s |\n|---|---|---|\n")
	for _, r := range dataOf[bandwidthRow](g.Units) {
		g.printf("| %d MiB | %.1f | %.1f |\n", r.Bytes>>20, r.Copy, r.Update)
	}
	g.printf("\nRead plus written, GB = 10⁹ bytes; medians of %d.\n", harness.LeastRepeats)
}
