package transfer

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/validation/ib/published"
)

// ppmCase is one line of Table 2 of the particle–mesh paper.
type ppmCase struct {
	op, delta, precision string
	dim                  int
	without, with        float64
}

func ppmCases() (all []ppmCase) {
	for _, r := range published.PPMTable2 {
		i := 0
		for _, dim := range []int{2, 3} {
			for _, precision := range []string{"f32", "f64"} {
				all = append(all, ppmCase{r.Op, r.Delta, precision, dim, r.Without[i], r.With[i]})
				i++
			}
		}
	}
	return all
}

// problem is one particle per node on average, a value each. In space there are half
// as many particles as in the plane.
func (c *ppmCase) problem(points int, kernel string) Problem {
	edge := map[int]int{2: published.PPMEdge2D, 3: published.PPMEdge3D}[c.dim]
	if points > 0 {
		edge = int(math.Round(math.Pow(float64(points)/float64(c.dim-1), 1/float64(c.dim))))
	}
	edge = max(edge, 8)
	p := Problem{
		Delta: c.delta, Size: harness.Size{edge, edge}, Components: 1, Points: edge * edge,
		Distribution: "perturbed", Precision: c.precision, Backend: "cpu",
	}
	if c.dim == 3 {
		p.Size[2], p.Points = edge, p.Points*edge
	}
	p.Kernel, _ = p.kernel(kernel) // one that there is not is refused by the transfers
	return p
}

// ppm is Table 2 of the particle–mesh paper.
func (b *Bench) ppm(ctx context.Context, s Shorter) (Table, error) {
	t := Table{Name: "ppm", Title: "Particle–mesh and mesh–particle interpolation (PPM), Table 2", Source: published.PPMSource + ", Table 2"}
	threads := harness.Unique([]int{1, slices.Max(s.threads())})
	var specs []Spec
	for _, c := range ppmCases() {
		for _, name := range s.strategies() {
			for _, p := range threads {
				if name == "serial" {
					p = 1
				}
				specs = append(specs, Spec{Problem: c.problem(s.Points, b.Kernel), Op: c.op, Algorithm: name, Threads: p, Order: fresh, Layout: soa, spare: len(s.Algorithms) == 0})
			}
		}
	}
	rows, err := b.Run(ctx, harness.Unique(specs))
	if err != nil {
		return t, err
	}
	lines := table.Table{{Title: "operation"}, {Title: "delta"}, {Title: "dim"}, {Title: "precision"}, {Title: "particles", Quantity: true}}
	for _, p := range threads {
		on := fmt.Sprintf("threads %d", p)
		lines = append(lines, table.Column{Title: "blocks", Unit: on, Quantity: true}, table.Column{Title: "best", Unit: on, Quantity: true}, table.Column{Title: "which", Unit: on, Quantity: true})
	}
	lines = append(lines, table.Column{Title: "published", Unit: "without transfer", Quantity: true}, table.Column{Title: "published", Unit: "with", Quantity: true})
	for _, c := range ppmCases() {
		p := c.problem(s.Points, b.Kernel)
		of := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Problem != p || r.Op != c.op })
		for _, r := range of {
			t.Rows = append(t.Rows, c.row(&r))
		}
		cells := []string{c.op, c.delta, fmt.Sprintf("%dD", c.dim), c.precision, fmt.Sprint(p.Points)}
		for _, n := range threads {
			blocks, best, name := speedups(of, n)
			cells = append(cells, ratio(blocks), ratio(best), name)
		}
		lines.Add(append(cells, ratio(c.without), ratio(c.with))...)
	}
	t.Notes = []string{
		"speed-ups over serial on one thread, here of this machine; all particles at new places in every call, SetPoints included; one value per particle",
		"published speed-ups are of a Tesla C2050 over eight threads of an AMD FX 8150, without and with the transfer of data to the device",
		fmt.Sprintf("best of %s; kernel %s; medians of %s; processors here: %d", strings.Join(s.strategies(), ", "), strings.Join(kernels(rows), ", "), b.Effort, runtime.GOMAXPROCS(0)),
	}
	t.subtables = []subtable{{"Speed-up", lines}}
	return t, nil
}

// row is a measured row with what is published beside it.
func (c *ppmCase) row(r *Row) TableRow {
	n := tableRow(r)
	n.PaperDevice, n.PaperSpeedup, n.PaperWithTransfer = "Tesla C2050 over AMD FX 8150", c.without, c.with
	return n
}

// speedups are that of blocks and the best of all strategies on so many threads.
func speedups(rows []Row, threads int) (blocks, best float64, name string) {
	name = "–"
	for _, r := range rows {
		if r.Threads != threads || r.Status != harness.OK {
			continue
		}
		v := 1 / r.ToSerial
		if r.Algorithm == "blocks" {
			blocks = v
		}
		if v > best {
			best, name = v, r.Algorithm
		}
	}
	return blocks, best, name
}
