package gpureport

import (
	"io"

	"lbmib/cmd/lbmib/bench/coupled"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/hybrid"
)

// discard takes what benchmarks say of their rows, which the items say.
var discard = io.Discard

// cylinderRow is a small grid beside what memory gives over as many bytes.
type cylinderRow struct {
	coupled.Row
	CopyGBs float64 `json:"copy_gbs"`
	Limit   float64 `json:"limit_mflups"` // of the copy, by the fluid's bytes
	Share   float64 `json:"share"`        // of it, with the cylinder
}

// cylinderUnits are the schedules of a grid so small that launches count.
func cylinderUnits(s scope) (all []unit) {
	for _, schedule := range []string{"device", "auto"} {
		pick := coupled.Selection{Size: []string{"1600x600"}, Diameter: []int{40}, VolumeFraction: []float64{0.005}, Precision: []string{"f64", "f32"},
			Schedule: []string{schedule}, Backend: []string{"cuda"}}
		if s.tiny {
			pick.Size, pick.Diameter, pick.VolumeFraction, pick.Precision = []string{"96x48"}, []int{12}, []float64{0.1}, []string{"f64"}
		}
		all = append(all, unit{schedule, func(j *job) error { return j.couple(pick, 0.1, besideCopy) }})
	}
	return all
}

// besideCopy measures the copy that a row is held against.
func besideCopy(j *job, r coupled.Row) (any, error) {
	nodes, value := float64(r.Size[0]*r.Size[1]), map[string]float64{"f64": 8, "f32": 4}[r.Precision]
	var l harness.Limits
	defer l.Close()
	m, err := l.OverDevice(int64(2*9*value*nodes), 0)
	if err != nil {
		return r, err
	}
	c := cylinderRow{Row: r, CopyGBs: median(j, m.Copy)}
	if err := errorOf(m); err != nil {
		return r, err
	}
	c.Limit = c.CopyGBs * 1e3 / (2 * 9 * value)
	c.Share = r.MFLUPSCoupled / c.Limit
	return c, nil
}

// couple measures rows of bodies in a stream; more, where it is there, is measured with
// those that are well.
func (j *job) couple(s coupled.Selection, seconds float64, more func(*job, coupled.Row) (any, error)) error {
	specs, err := s.Plan()
	if err != nil {
		return err
	}
	b := coupled.New(j.effort(seconds), discard, "")
	var names []string
	for i := range specs {
		names = append(names, specs[i].String())
	}
	j.plan(names)
	for i := range specs {
		j.make(names[i], func() (any, error) {
			rows, err := b.Run(j.ctx, specs[i:i+1])
			if len(rows) == 1 && rows[0].Status == harness.OK && err == nil && more != nil {
				return more(j, rows[0])
			}
			return row(rows, err)
		})
	}
	return nil
}

func gatherCylinder(g *gathering) {
	g.printf("| precision | schedule | MFLUPS, alone | with the cylinder | copy, GB/s | limit, MFLUPS | share |\n|---|---|---|---|---|---|---|\n")
	for _, r := range dataOf[cylinderRow](g.Units) {
		if r.Status != harness.OK {
			g.printf("| %s | %s | %s: %s | | | | |\n", r.Precision, r.Schedule, r.Status, r.Reason)
			continue
		}
		g.printf("| %s | %s | %.0f | %.0f | %.1f | %.0f | %.3f |\n", r.Precision, r.Schedule, r.MFLUPSPure, r.MFLUPSCoupled, r.CopyGBs, r.Limit, r.Share)
		if r.Precision == "f64" && !g.tiny {
			g.Values["cylinder"] = max(g.Values["cylinder"], r.Share)
		}
	}
	g.printf("\nThe limit is the copy, over as many bytes as two lattices have, by the 2·9 populations of a node. Steps that are all alike are launched as graphs.\n")
}

// coupledUnits are the schedules of bodies over volume fractions.
func coupledUnits(s scope) (all []unit) {
	for _, schedule := range hybrid.Schedules {
		pick := coupled.Selection{Size: []string{large2D}, Diameter: []int{52}, VolumeFraction: []float64{0.01, 0.001, 0.005, 0.015}, // of which the last are 59 in a row
			Schedule: []string{schedule}, Backend: []string{"cuda"}}
		switch {
		case s.tiny:
			pick.Size, pick.Diameter, pick.VolumeFraction = []string{"96x48"}, []int{12}, []float64{0.1}
		case s.quick:
			pick.VolumeFraction = pick.VolumeFraction[:1]
		}
		all = append(all, unit{schedule, func(j *job) error { return j.couple(pick, 0.2, nil) }})
	}
	return all
}

func gatherCoupled(g *gathering) {
	rows := dataOf[coupled.Row](g.Units)
	g.printf("A stream around cylinders in a row, each schedule in turn with the stream alone; medians of %d repeats.\n\n", harness.LeastRepeats)
	coupled.Table.WriteMarkdown(&g.text, rows)
	for _, r := range rows {
		if r.Chosen != "" {
			g.printf("\n- %.2f %%: auto takes %s\n", 100*r.VolumeFraction, r.Chosen)
		}
	}
	if !g.tiny {
		g.overheads(rows)
	}
}

// overheads are the values of targets, at 1 % of the volume. What auto takes is held
// against the best only where every schedule was measured.
func (g *gathering) overheads(rows []coupled.Row) {
	best, auto, least, measured := 0., 0., 0., map[string]bool{}
	for _, r := range rows {
		if r.Status != harness.OK || r.VolumeFraction < 0.009 || r.VolumeFraction > 0.011 {
			continue
		}
		measured[r.Schedule] = true
		if rate := r.MFLUPSCoupled / r.MFLUPSPure; r.Schedule == "auto" {
			auto = rate
		} else if rate > best {
			best, least = rate, r.Overhead
		}
	}
	if best > 0 {
		g.Values["coupled"] = least
	}
	if len(measured) == len(hybrid.Schedules) {
		g.Values["auto"] = auto / best
	}
}
