package transfer

import (
	"context"
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/relaxation"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/internal/parallel"
	"lbmib/validation/ib/published"
)

// Convergence is a row of Tables 3 and 4: the difference of a quantity on a grid from that on one of half its
// spacing, as the root of the mean square and the largest of the vectors' magnitudes, m/s of the fluid's velocity and
// µm of data sites; the orders that they make with the row above; and the same of the paper, in its own units.
type Convergence struct {
	Spacing  float64 `json:"spacing_um"`
	Step     float64 `json:"step_us"`
	Samples  int     `json:"samples"`
	Mach     float64 `json:"mach"` // the largest of a data site
	Volume   float64 `json:"volume_ratio"`
	L2       float64 `json:"l2"`
	L2Order  float64 `json:"l2_order,omitempty"`
	Max      float64 `json:"max"`
	MaxOrder float64 `json:"max_order,omitempty"`

	PaperL2       float64 `json:"paper_l2"`
	PaperL2Order  float64 `json:"paper_l2_order,omitempty"`
	PaperMax      float64 `json:"paper_max"`
	PaperMaxOrder float64 `json:"paper_max_order,omitempty"`
}

// The last order is first order's within these: differences of three grids tell it no better.
const leastOrder, mostOrder = 0.8, 1.6

// relax makes the test of Tables 3 and 4 on all of its grids.
func (b *Bench) relax(ctx context.Context, delta string, threads int) (all []*relaxation.State, err error) {
	pool := parallel.NewPool(threads)
	defer pool.Close()
	for _, g := range relaxation.Grids(delta) {
		fmt.Fprintf(b.Progress, "%d³: %d steps … ", g.Nodes, g.Steps())
		s, err := relaxation.Run(ctx, g, pool, b.Kernel)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b.Progress, "%.3g s a step\n", s.Seconds)
		all = append(all, s)
	}
	return all, nil
}

// kassen34 is Table 3 or 4, of the states at the end on grids of which each has twice the nodes of the one before.
func kassen34(name string, states []*relaxation.State, threads int) (Table, error) {
	t := Table{Name: name, Title: "Kassen et al., Table 3: convergence of the fluid's velocity", Source: published.KassenSource + ", Table 3"}
	paper, op, unit := published.KassenTable3, "velocity", "m/s"
	if name == "kassen4" {
		t.Title, t.Source = "Kassen et al., Table 4: convergence of data sites", published.KassenSource+", Table 4"
		paper, op, unit = published.KassenTable4, "data sites", "µm"
	}
	for i, s := range states[:len(states)-1] {
		d, err := relaxation.Compare(s, states[i+1])
		if err != nil {
			return t, err
		}
		n := d.Velocity
		if name == "kassen4" {
			n = d.Sites
		}
		c := &Convergence{Spacing: s.Spacing(), Step: s.Step(), Samples: s.Samples(), Mach: s.Mach, Volume: s.Volume, L2: n.L2, Max: n.Max,
			PaperL2: paper[i].L2, PaperL2Order: paper[i].L2Order, PaperMax: paper[i].Max, PaperMaxOrder: paper[i].MaxOrder}
		r := TableRow{Op: op, Algorithm: "auto", Delta: s.Delta, Dim: 3, Precision: "f64", Refinement: s.Nodes, Points: s.Data, Threads: threads,
			Outcome: harness.Outcome{Status: harness.OK}, Seconds: s.Seconds, Convergence: c}
		if i > 0 {
			above := t.Rows[i-1].Convergence
			c.L2Order, c.MaxOrder = math.Log2(above.L2/c.L2), math.Log2(above.Max/c.Max)
		}
		if i == len(states)-2 {
			r.Checks = orderChecks(c)
			if what := harness.Failed(r.Checks); what != "" {
				r.Status, r.Reason = harness.Wrong, what
			}
		}
		t.Rows = append(t.Rows, r)
	}
	t.subtables = []subtable{convergence(t.Rows, unit)}
	t.Notes = append(t.Notes, fmt.Sprintf("delta %s (the paper: %s)", states[0].Delta, relaxation.Delta))
	t.Notes = append(t.Notes, relaxationNotes...)
	return t, nil
}

// orderChecks hold the last orders to first order.
func orderChecks(c *Convergence) []harness.Check {
	const middle, half = (mostOrder + leastOrder) / 2, (mostOrder - leastOrder) / 2
	return []harness.Check{
		{Name: fmt.Sprintf("distance of the last order in L2, %.3g, from %.3g", c.L2Order, middle), Value: math.Abs(c.L2Order - middle), Bound: half},
		{Name: fmt.Sprintf("distance of the last order of the largest, %.3g, from %.3g", c.MaxOrder, middle), Value: math.Abs(c.MaxOrder - middle), Bound: half},
	}
}

// convergence is the rows as they are written.
func convergence(rows []TableRow, unit string) subtable {
	s := table.Table{{Title: "h", Unit: "µm", Quantity: true}, {Title: "step", Unit: "µs", Quantity: true}, {Title: "n_s", Quantity: true},
		{Title: "L2", Unit: unit, Quantity: true}, {Title: "order", Quantity: true}, {Title: "largest", Unit: unit, Quantity: true}, {Title: "order", Quantity: true},
		{Title: "L2", Unit: "published", Quantity: true}, {Title: "order", Quantity: true}, {Title: "largest", Quantity: true}, {Title: "order", Quantity: true}, {Title: "first order"}}
	norm, order := func(v float64) string { return number(v, "%.4e") }, func(v float64) string { return number(v, "%.3f") }
	for _, r := range rows {
		c, holds := r.Convergence, "–"
		if len(r.Checks) > 0 {
			holds = map[bool]string{true: "holds", false: harness.Told(r.Status)}[r.Status == harness.OK]
		}
		s.Add(fmt.Sprint(c.Spacing), fmt.Sprintf("%.4g", c.Step), fmt.Sprint(c.Samples), norm(c.L2), order(c.L2Order), norm(c.Max), order(c.MaxOrder),
			norm(c.PaperL2), order(c.PaperL2Order), norm(c.PaperMax), order(c.PaperMaxOrder), holds)
	}
	return subtable{"Differences from the grid of half the spacing, and orders", s}
}

var relaxationNotes = []string{
	fmt.Sprintf("a sphere of radius %g µm (the paper gives none; R0 of its red cells) of Skalak's law, shear modulus %g and bulk modulus %g dyn/cm, %d data sites, stretched by %g along z and 1/%g along y, in a periodic cube of %g µm of fluid at rest, 1 g/mL and 1 cP, after %g µs",
		relaxation.Radius, relaxation.Shear, relaxation.Shear*relaxation.Area, relaxation.Data, relaxation.Stretch, relaxation.Stretch, relaxation.Size, relaxation.End),
	"fluid by D3Q19, TRT; time steps are 32 h/µm times as short as the paper's, 1.6 µs (h/µm)²: at these the relaxation time would be 5.3, and sound too slow for a fluid that is to be incompressible; so it has 11.5 m/s on all grids",
	"every node of a grid is one of the grid of half its spacing, where velocities are compared without interpolation (the paper: a cubic spline, components on faces); the middle of the sphere is a node",
	"L2 is the root of the mean square over nodes or sites; units of the published numbers are not stated: orders compare",
	fmt.Sprintf("the last orders are to be %g to %g: first order is expected where a surface makes a jump of the stress; validation/ib/kassen.md says how velocities miss it with a delta of four nodes and hold it with one of three", leastOrder, mostOrder),
}
