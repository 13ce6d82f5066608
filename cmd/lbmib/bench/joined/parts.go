package joined

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	grids "lbmib/lbm/joined"
)

// PartsSpec is a box between walls, halved across an axis.
type PartsSpec struct {
	Lattice   string       `json:"lattice"`
	Size      harness.Size `json:"size"`
	Precision string       `json:"precision"`
	Axis      string       `json:"axis"` // x, y, z
	How       string       `json:"how"`  // parts: of one process on one thread | ranks: two that are goroutines of one thread each, beside two threads
}

// Is tells whether two rows are one.
func (s PartsSpec) Is(t PartsSpec) bool { return s == t }

// String names the row in one line.
func (s PartsSpec) String() string {
	return fmt.Sprintf("%s %v %s, cut across %s, %s", s.Lattice, s.Size, s.Precision, s.Axis, s.How)
}

// PartsPlan is all rows: boxes that lie in memory, not in caches.
func PartsPlan() (all []PartsSpec) {
	return partsOf(harness.Size{1024, 1024}, harness.Size{112, 112, 112})
}

func partsOf(plane, space harness.Size) (all []PartsSpec) {
	for _, size := range []harness.Size{space, plane} {
		lattice := "D2Q9"
		if size.Dim() == 3 {
			lattice = "D3Q19"
		}
		for _, precision := range []string{"f64", "f32"} {
			for _, axis := range "xyz"[:size.Dim()] {
				for _, how := range []string{"parts", "ranks"} {
					all = append(all, PartsSpec{lattice, size, precision, string(axis), how})
				}
			}
		}
	}
	return all
}

// PartsRow is what was measured of a PartsSpec.
type PartsRow struct {
	PartsSpec
	harness.Outcome
	Pairs     int     `json:"pairs"`      // of nodes, one on either side of the seam
	OneMS     float64 `json:"one_ms"`     // of a step undivided
	DividedMS float64 `json:"divided_ms"` // of a step divided
	PairNS    float64 `json:"pair_ns"`    // that the division takes for each pair
	Share     float64 `json:"share"`      // that it takes of a step
	ShareLow  float64 `json:"share_low"`  // the least of the repeats
	ShareHigh float64 `json:"share_high"`
	Repeats   int     `json:"repeats"`
	Steps     int     `json:"steps"` // timed in each repeat, of either
}

// Result is what came out in a few words.
func (r PartsRow) Result() string {
	return fmt.Sprintf("%.3g ms a step, %.3g undivided, %.3g ns a pair", r.DividedMS, r.OneMS, r.PairNS)
}

// NewParts is the benchmark of seams between parts of one level.
func NewParts(e harness.Effort, progress io.Writer, kernel string) *harness.Bench[PartsSpec, PartsRow] {
	return &harness.Bench[PartsSpec, PartsRow]{Effort: e, Progress: progress, Measure: harness.Each(func(ctx context.Context, l *harness.Limits, s PartsSpec, e harness.Effort) (PartsRow, error) {
		if s.Precision == "f32" {
			return measureParts[float32](ctx, l, s, e, kernel)
		}
		return measureParts[float64](ctx, l, s, e, kernel)
	})}
}

// flow is the box, and its halves.
func (s PartsSpec) flow() (cfg lbm.Config, halves []grids.Box, pairs int, err error) {
	cfg = lbm.Config{Lattice: lbm.D2Q9, Size: s.Size.Padded()}
	if s.Size.Dim() == 3 {
		cfg.Lattice = lbm.D3Q19
	}
	if cfg.Collision, err = lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille); err != nil {
		return cfg, nil, 0, err
	}
	for side := range 2 * s.Size.Dim() {
		cfg.Faces[side] = lbm.Face{Kind: lbm.NoSlip}
	}
	low, high := grids.Box{Hi: cfg.Size}, grids.Box{Hi: cfg.Size}
	a := int(s.Axis[0] - 'x')
	low.Hi[a], high.Lo[a] = cfg.Size[a]/2, cfg.Size[a]/2
	return cfg, []grids.Box{low, high}, cfg.Nodes() / cfg.Size[a], nil
}

// measureParts measures one row. Its error is that of the context; all others are the row's.
func measureParts[T lbm.Float](ctx context.Context, l *harness.Limits, s PartsSpec, e harness.Effort, kernel string) (r PartsRow, err error) {
	r = PartsRow{PartsSpec: s, Outcome: harness.Outcome{Status: harness.OK}}
	cfg, halves, pairs, err := s.flow()
	if err != nil {
		r.Outcome = harness.Outcome{Status: harness.Refused, Reason: err.Error()}
		return r, nil
	}
	cfg.Kernel, cfg.StepsPerSweep, r.Pairs = kernel, 1, pairs // parts cannot share sweeps
	threads := 1
	if s.How == "ranks" {
		threads = 2
	}
	one, err := lbm.New[T](cfg, l.Workers(threads))
	if err == nil {
		one.Initialize(seamState)
		err = divided(s, cfg, halves, l.Workers(threads), func(f lbm.Fluid[T]) error {
			f.Initialize(seamState)
			return r.compare(ctx, e, func(steps int) time.Duration { return timed(one, steps) }, func(steps int) time.Duration { return timed(f, steps) })
		})
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		r.Outcome = harness.Outcome{Status: harness.Refused, Reason: err.Error()}
	}
	return r, nil
}

// seamState varies everywhere.
func seamState(p [3]float64) (float64, [3]float64) {
	return 1, [3]float64{0.02 * math.Sin(p[1]/9), 0.02 * math.Sin(p[0]/7)}
}

// divided makes the fluid in halves and has measure step it.
func divided[T lbm.Float](s PartsSpec, cfg lbm.Config, halves []grids.Box, pool *parallel.Pool, measure func(f lbm.Fluid[T]) error) error {
	if s.How == "parts" {
		f, err := grids.New(cfg, halves, func(c lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](c, pool) })
		if err != nil {
			return err
		}
		return measure(f)
	}
	return mpi.Together(2, func(c mpi.Comm) error {
		alone := parallel.NewPool(1)
		defer alone.Close()
		part := func(c lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](c, alone) }
		ranks := grids.Ranks{Comm: c, Of: []int{0, 1}}
		if c.Rank() > 0 {
			return grids.Serve(cfg, halves, ranks, part, nil)
		}
		f, err := grids.NewShared(cfg, halves, ranks, part)
		if err != nil {
			return err
		}
		defer f.Close()
		return measure(f)
	})
}

// compare times both in turn.
func (r *PartsRow) compare(ctx context.Context, e harness.Effort, one, divided func(steps int) time.Duration) error {
	steps, err := harness.StepsFor(e.Step/2, func(n int) (time.Duration, error) { return divided(n), ctx.Err() })
	if err != nil {
		return err
	}
	steps += steps & 1 // schemes go by pairs
	type sample struct{ one, divided float64 }
	var all []sample
	for range e.Repeats {
		if err := ctx.Err(); err != nil {
			return err
		}
		one(2)
		o := one(steps)
		divided(2)
		d := divided(steps)
		all = append(all, sample{o.Seconds() / float64(steps), d.Seconds() / float64(steps)})
	}
	r.Repeats, r.Steps = len(all), steps
	r.OneMS = 1e3 * harness.MedianOf(all, func(s sample) float64 { return s.one })
	r.DividedMS = 1e3 * harness.MedianOf(all, func(s sample) float64 { return s.divided })
	r.PairNS = 1e9 / float64(r.Pairs) * harness.MedianOf(all, func(s sample) float64 { return s.divided - s.one })
	r.Share, r.ShareLow, r.ShareHigh = harness.Range(all, func(s sample) float64 { return 1 - s.one/s.divided })
	return nil
}

// PartsTable is how rows are written.
var PartsTable = harness.Table[PartsRow]{Legend: partsLegend, Columns: []table.Property[PartsRow]{
	table.Name("lattice", "", func(r *PartsRow) string { return r.Lattice }),
	table.Name("nodes", "", func(r *PartsRow) string { return r.Size.String() }),
	table.Name("precision", "", func(r *PartsRow) string { return r.Precision }),
	table.Name("cut across", "", func(r *PartsRow) string { return r.Axis }),
	table.Name("in", "", func(r *PartsRow) string { return r.How }),
	table.Quantity("undivided", "ms/step", func(r *PartsRow) string { return r.OrState(fmt.Sprintf("%.3g", r.OneMS)) }),
	table.Quantity("divided", "ms/step", func(r *PartsRow) string { return r.IfOK(fmt.Sprintf("%.3g", r.DividedMS)) }),
	table.Quantity("seam", "ns/pair", func(r *PartsRow) string { return r.IfOK(fmt.Sprintf("%.3g", r.PairNS)) }),
	table.Quantity("seam", "% of a step", func(r *PartsRow) string { return r.IfOK(fmt.Sprintf("%.1f", 100*r.Share)) }),
	table.Quantity("range", "%", func(r *PartsRow) string {
		return r.IfOK(fmt.Sprintf("%.1f…%.1f", 100*r.ShareLow, 100*r.ShareHigh))
	}),
}}

const partsLegend = `
parts: both halves in one process, on one thread, beside the undivided box on one. ranks: each half on a goroutine that is a rank, on one
thread each, beside the undivided box on two. seam: what a step takes divided more than undivided, the two in turn, median and range of the
repeats; below 0 where halves lie better in caches than the whole. pair: two nodes, one on either side
`

// PartsDocument is what bench joined --parts --json prints.
type PartsDocument struct {
	Host harness.Host `json:"host"`
	Rows []PartsRow   `json:"rows"`
}

// NewPartsDocument puts rows together with the machine that they were measured on.
func NewPartsDocument(h harness.Host, rows []PartsRow) PartsDocument {
	return PartsDocument{Host: h, Rows: append([]PartsRow{}, rows...)}
}

// WriteTable writes the rows for people.
func (d *PartsDocument) WriteTable(w io.Writer) error {
	_, err := io.WriteString(w, PartsTable.Text(d.Host, d.Rows))
	return err
}
