package transfer

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/table"
	"lbmib/ib"
	"lbmib/validation/ib/published"
)

// kassen2 is Table 2 of the paper, weak scaling, and strong scaling.
func (b *Bench) kassen2(ctx context.Context, s Shorter) (Table, error) {
	u := BuiltIn()
	points := orUsual(s.Points, u.Points)
	t := Table{Name: "kassen2", Title: "Kassen et al., Table 2: weak and strong scaling", Source: published.KassenSource + ", Table 2 and section 4.1.2", Steps: s.steps()}
	if len(s.Algorithms) == 0 {
		s.Algorithms = slices.DeleteFunc([]string{"sort-reduce", "buffered", "buffered-otf"}, func(n string) bool { return !slices.Contains(ib.TransferNames(), n) })
	}
	if len(s.Threads) == 0 {
		s.Threads = harness.SomeThreads()
	}
	for _, part := range []string{"weak", "strong"} {
		var all []Driver
		for _, p := range s.Threads {
			n := points
			if part == "weak" {
				n *= p
			}
			for _, name := range s.Algorithms {
				all = append(all, Driver{name, p, published.KassenRefinement, n, t.Steps})
			}
		}
		timings, err := b.run(ctx, u, all)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, rowsOf(timings, u.Delta, part)...)
		t.subtables = append(t.subtables, scaling(part, timings))
	}
	t.Notes = append(t.Notes, fmt.Sprintf("refinement %d, %s, %s; published times are of a %s", published.KassenRefinement, u.Delta, b.kernelText(u), published.KassenGPU), timesNote)
	t.Notes = append(t.Notes, fmt.Sprintf("published: twice the threads take 1/%.2f of the time for interpolation and 1/%.2f for spreading on CPUs", published.KassenDoublingInterpolate, published.KassenDoublingSpread))
	return t, nil
}

// scaling is the table of one part: how times change with threads.
func scaling(part string, timings []Timing) subtable {
	s := table.Table{{Title: "strategy"}, {Title: "threads", Quantity: true}, {Title: "points", Quantity: true},
		{Title: "interpolate", Unit: "s", Quantity: true}, {Title: "spread", Unit: "s", Quantity: true}}
	unit, title := "/first", "Weak scaling: points grow with the threads; times over those of the fewest threads"
	if part == "strong" {
		unit, title = "/doubling", "Strong scaling: the same points; speed-up for each doubling of the threads"
	}
	for _, name := range []string{"interpolate", "spread"} {
		s = append(s, table.Column{Title: name, Unit: unit, Quantity: true})
	}
	first := map[string]*Timing{}
	for i := range timings {
		t := &timings[i]
		if first[t.Algorithm] == nil {
			first[t.Algorithm] = t
		}
		from := first[t.Algorithm]
		compare := func(now, then float64) string {
			doublings := math.Log2(float64(t.Threads) / float64(from.Threads))
			switch {
			case now == 0 || then == 0 || doublings == 0 && part == "strong":
				return "–"
			case part == "strong":
				return ratio(math.Pow(then/now, 1/doublings))
			}
			return ratio(now / then)
		}
		if t.Status != harness.OK {
			s.Add(t.Algorithm, fmt.Sprint(t.Threads), fmt.Sprint(t.Points), t.Status, t.Status, "–", "–")
			continue
		}
		s.Add(t.Algorithm, fmt.Sprint(t.Threads), fmt.Sprint(t.Points), seconds(t.Interpolate), seconds(t.Spread),
			compare(t.Interpolate, from.Interpolate), compare(t.Spread, from.Spread))
	}
	if part == "strong" {
		s.Add("published, CPU", "–", fmt.Sprint(published.KassenPoints), "–", "–", ratio(published.KassenDoublingInterpolate), ratio(published.KassenDoublingSpread))
		return subtable{title, s}
	}
	for _, r := range published.KassenTable2 {
		s.Add("published, GPU", fmt.Sprint(r.Threads), fmt.Sprint(r.Points), seconds(r.Interpolate), seconds(r.Spread),
			ratio(r.Interpolate/published.KassenTable2[0].Interpolate), ratio(r.Spread/published.KassenTable2[0].Spread))
	}
	return subtable{title, s}
}
