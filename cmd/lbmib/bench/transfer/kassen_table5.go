package transfer

import (
	"context"
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/validation/ib/published"
)

// kassen5 is Table 5 of the paper: red cells, on all numbers of threads.
func (b *Bench) kassen5(ctx context.Context, s Shorter) (Table, error) {
	t := Table{Name: "kassen5", Title: "Kassen et al., Table 5: red cells", Source: published.KassenSource + ", Table 5", Steps: s.steps()}
	if len(s.Threads) == 0 {
		s.Threads = harness.SomeThreads()
	}
	if len(s.Algorithms) == 0 {
		s.Algorithms = []string{"sort-reduce", "buffered-otf"}
	}
	var all []redCellsTiming
	for _, name := range s.Algorithms {
		for _, r := range published.KassenTable5 {
			for _, p := range s.Threads {
				all = append(all, redCellsTiming{Algorithm: name, Cells: r.Cells, Threads: p, Outcome: harness.Outcome{Status: harness.OK}})
			}
		}
	}
	laws, err := b.redCells(ctx, all, t.Steps, b.Kernel)
	if err != nil {
		return t, err
	}
	for _, m := range all {
		for _, op := range []string{interpolate, spread} {
			r := TableRow{Op: op, Algorithm: m.Algorithm, Number: published.KassenNumber(op, m.Algorithm), Delta: "cosine4", Dim: 3, Precision: "f64", Refinement: published.KassenRefinement,
				Cells: m.Cells, Points: m.Cells * published.KassenData, Threads: m.Threads, Outcome: m.Outcome, Checks: m.Checks, Seconds: m.Interpolate}
			if op == spread {
				r.Points, r.Seconds = m.Cells*published.KassenSamples, m.Spread
			}
			if one := find(all, m.Algorithm, m.Cells, s.Threads[0]); m.Status == harness.OK && one.Status == harness.OK {
				r.Speedup = one.Interpolate / m.Interpolate
				if op == spread {
					r.Speedup = one.Spread / m.Spread
				}
			}
			for _, p := range published.KassenTable5 {
				if p.Cells == m.Cells {
					r.PaperDevice, r.PaperSeconds = published.KassenGPU, p.Interpolate
					if op == spread {
						r.PaperSeconds = p.Spread
					}
				}
			}
			t.Rows = append(t.Rows, r)
		}
	}
	t.subtables = []subtable{redCellsTable(all, s.Threads), redCellsPublished()}
	t.Notes = []string{
		fmt.Sprintf("cells of %d data sites, where velocities are interpolated, and %d sample sites, from where forces are spread, on three staggered grids of %d³ over 16 µm, cosine4; two cells in each of up to four layers, no support of one in that of another; sites go with a shear of 1000/s in steps of 0.1 µs",
			published.KassenData, published.KassenSamples, published.KassenRefinement),
		"a call has all three components and begins with SetPoints, at places that differ from those of the call before by less than a node; median over fifths of the run, in which all rows take turns",
		fmt.Sprintf("forces at sample sites, by the membranes, are not in these times: %.3g ms a cell and step on one thread with strain, bending and dissipation (%d cells together)", 1e3*laws, lawsTogether),
		"bending: a modulus κ′ of the authors' program, whose force is 4κ′(ΔH + 2H(H² − K)), is κ = 2κ′ of the energy (κ/2)∮(2H)² dA; the paper tells neither formula nor modulus",
		"speed-up: over the fewest threads, the same cells; weak: time over that of one cell on the fewest threads, where threads grow with cells",
		fmt.Sprintf("published times are of a %s whose threads were limited: %d for each cell", published.KassenGPU, published.KassenTable5[0].Threads),
	}
	return t, nil
}

// redCellsTable is our part of the table.
func redCellsTable(all []redCellsTiming, threads []int) subtable {
	s := table.Table{{Title: "strategy"}, {Title: "cells", Quantity: true}, {Title: "threads", Quantity: true},
		{Title: "interpolate", Unit: "s", Quantity: true}, {Title: "spread", Unit: "s", Quantity: true},
		{Title: "interpolate", Unit: "s/cell·threads", Quantity: true}, {Title: "spread", Unit: "s/cell·threads", Quantity: true},
		{Title: "interpolate", Unit: "speed-up", Quantity: true}, {Title: "spread", Unit: "speed-up", Quantity: true},
		{Title: "interpolate", Unit: "weak", Quantity: true}, {Title: "spread", Unit: "weak", Quantity: true}}
	for _, m := range all {
		if m.Status != harness.OK {
			s.Add(m.Algorithm, fmt.Sprint(m.Cells), fmt.Sprint(m.Threads), harness.Told(m.Status), "–", "–", "–", "–", "–", "–", "–")
			continue
		}
		cells := []string{m.Algorithm, fmt.Sprint(m.Cells), fmt.Sprint(m.Threads), seconds(m.Interpolate), seconds(m.Spread)}
		each := float64(m.Threads) / float64(m.Cells)
		cells = append(cells, number(each*m.Interpolate, "%.2e"), number(each*m.Spread, "%.2e"))
		one := find(all, m.Algorithm, m.Cells, threads[0])
		cells = append(cells, ratioOf(one.Interpolate, m.Interpolate), ratioOf(one.Spread, m.Spread))
		first := find(all, m.Algorithm, 1, threads[0])
		if m.Cells*threads[0] == m.Threads {
			cells = append(cells, ratioOf(m.Interpolate, first.Interpolate), ratioOf(m.Spread, first.Spread))
		} else {
			cells = append(cells, "–", "–")
		}
		s.Add(cells...)
	}
	return subtable{"Seconds per call", s}
}

// redCellsPublished is the paper's part.
func redCellsPublished() subtable {
	s := table.Table{{Title: "cells", Quantity: true}, {Title: "threads", Quantity: true}, {Title: "interpolate", Unit: "s", Quantity: true}, {Title: "spread", Unit: "s", Quantity: true},
		{Title: "interpolate", Unit: "weak", Quantity: true}, {Title: "spread", Unit: "weak", Quantity: true}}
	first := published.KassenTable5[0]
	for _, r := range published.KassenTable5 {
		s.Add(fmt.Sprint(r.Cells), fmt.Sprint(r.Threads), seconds(r.Interpolate), seconds(r.Spread), ratio(r.Interpolate/first.Interpolate), ratio(r.Spread/first.Spread))
	}
	return subtable{"Published for a " + published.KassenGPU + ", seconds per call", s}
}

// find is the timing of a strategy on so many cells and threads, one without times where there is none.
func find(all []redCellsTiming, algorithm string, cells, threads int) redCellsTiming {
	for _, m := range all {
		if m.Algorithm == algorithm && m.Cells == cells && m.Threads == threads {
			return m
		}
	}
	return redCellsTiming{}
}

// ratioOf is the text of a quotient, "–" where one of the two is not known.
func ratioOf(a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return ratio(a / b)
}
