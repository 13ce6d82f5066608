// Stability prints how fast perturbations of steady flows grow, by collision operator,
// boundary condition and grid Reynolds number U Δx/ν, as tables in Markdown:
//
//	go run ./validation/stability > validation/stability/results.md
//
// Every number is the largest eigenvalue of the step that package lbm makes, linearised
// about the flow (package growth).
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"lbmib/lbm"
)

// stable is the largest rate that is none: what is left of transients, and of waves that
// live long.
const stable = 1e-4

var (
	reynolds = []float64{2, 5, 8, 10, 12.5, 16, 20, 25, 35, 50, 200, 10000}
	plane    = domain{lbm.D2Q9, [3]int{32, 16, 1}, 8000}
	space    = domain{lbm.D3Q19, [3]int{16, 8, 8}, 4000}
)

func main() {
	only := flag.String("flow", "", "only the flow with this name")
	flag.Parse()
	fmt.Print("# Growth of perturbations, 10⁻³ per step\n\nWhat this is, and how it was found: [README.md](README.md).\n\n")
	if err := write(os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write prints all tables, or those of one flow.
func write(w io.Writer, only string) error {
	for _, t := range []struct {
		d     *domain
		flows []flow
		speed float64
	}{{&plane, flowsPlane, 0.1}, {&plane, flowsPlane, 0.05}, {&space, flowsSpace, 0.1}} {
		for k := range t.flows {
			if f := &t.flows[k]; only == "" || f.label == only {
				if err := table(w, t.d, f, t.speed); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// table prints one flow's rates.
func table(w io.Writer, d *domain, f *flow, speed float64) error {
	fmt.Fprintf(w, "## %s, %s, U = %g\n\n| U Δx/ν |", f.label, d.lattice.Name, speed)
	for _, re := range reynolds {
		fmt.Fprintf(w, " %g |", re)
	}
	fmt.Fprint(w, " stable to |\n|---|")
	for range len(reynolds) + 1 {
		fmt.Fprint(w, "--:|")
	}
	fmt.Fprintln(w)
	rows := make([]row, len(operators))
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for k := range rows {
		wait.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			rows[k].find(d, f, &operators[k], speed)
		})
	}
	wait.Wait()
	for k := range rows {
		if rows[k].err != nil {
			return rows[k].err
		}
		fmt.Fprintf(w, "| %s |%s\n", operators[k].label, rows[k].text())
	}
	fmt.Fprintln(w)
	return nil
}

// row is an operator's rates, and up to where it is stable: ends of the list if that is all
// or nothing.
type row struct {
	rates []float64
	to    float64
	err   error
}

func (r *row) find(d *domain, f *flow, op *operator, speed float64) {
	rate := func(re float64) (v float64) {
		if r.err == nil {
			v, r.err = d.rate(f, op, speed, re)
		}
		return v
	}
	first := len(reynolds)
	for k, re := range reynolds {
		r.rates = append(r.rates, rate(re))
		if r.rates[k] > stable && k < first {
			first = k
		}
	}
	switch first {
	case 0:
		return
	case len(reynolds):
		r.to = reynolds[first-1]
		return
	}
	low, high := reynolds[first-1], reynolds[first]
	for high-low > 0.02*low {
		if middle := (low + high) / 2; rate(middle) > stable {
			high = middle
		} else {
			low = middle
		}
	}
	r.to = low
}

func (r *row) text() (s string) {
	for _, v := range r.rates {
		if v > stable {
			s += fmt.Sprintf(" %.1f |", 1000*v)
		} else {
			s += " – |"
		}
	}
	switch {
	case r.to == 0:
		return s + fmt.Sprintf(" < %g |", reynolds[0])
	case r.to == reynolds[len(reynolds)-1]:
		return s + fmt.Sprintf(" ≥ %g |", r.to)
	}
	return s + fmt.Sprintf(" %.3g |", r.to)
}
