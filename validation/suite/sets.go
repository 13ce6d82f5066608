package suite

import (
	"fmt"
	"math"
	"strings"
)

// Overrides that runs of several groups need.

// set is "key=value" for numbers and texts that are TOML already.
func set(key string, value any) string { return fmt.Sprintf("%s=%v", key, value) }

// decimal is a number as TOML writes one that is no integer.
func decimal(v float64) string {
	s := fmt.Sprintf("%.12g", v)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// resolution is the override of the resolution.
func resolution(n float64) string { return set("reference.resolution", decimal(n)) }

// vector is an array of numbers.
func vector(v ...float64) string {
	var parts []string
	for _, x := range v {
		parts = append(parts, decimal(x))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// line is an element of output.lines between two points.
func line(name string, from, to []float64, points int, every float64) string {
	return fmt.Sprintf("{ name = %q, from = %s, to = %s, points = %d, every = %s }", name, vector(from...), vector(to...), points, decimal(every))
}

// lines is the override of output.lines.
func lines(all ...string) string { return "output.lines=[" + strings.Join(all, ", ") + "]" }

// plane are lines along y, one for each of n heights z, that together hold a point
// on every node of the plane x = 0 of a unit cube of n³ nodes: row00, row01, …
func plane(x float64, n int, every float64) string {
	var rows []string
	h := 0.5 / float64(n)
	for k := range n {
		z := (float64(k) + 0.5) / float64(n)
		rows = append(rows, line(rowName(k), []float64{x, h, z}, []float64{x, 1 - h, z}, n, every))
	}
	return lines(rows...)
}

func rowName(k int) string { return fmt.Sprintf("row%02d", k) }

// flux is the mean of u over a plane of rows at the end of a run.
func flux(r *Results, run string, n int) float64 {
	sum := 0.
	for k := range n {
		_, u := r.Line(run, rowName(k), math.Inf(1), "s", "u")
		sum += average(u)
	}
	return sum / float64(n)
}

// named are a run's name and a number, as D20.
func named(letter string, n float64) string { return fmt.Sprintf("%s%g", letter, n) }

// decimalText is a number for people.
func decimalText(v float64) string { return fmt.Sprintf("%g", v) }

// convergence is a flow on several resolutions.
type convergence struct {
	sizes   []float64
	runs    []Run
	errorOf func(r *Results, run string, size float64) float64
}

// names are those of its runs.
func (c *convergence) names() (all []string) {
	for _, run := range c.runs {
		all = append(all, run.Name)
	}
	return all
}

// errors are the runs' errors.
func (c *convergence) errors(r *Results) (all []float64) {
	for i, run := range c.runs {
		all = append(all, c.errorOf(r, run.Name, c.sizes[i]))
	}
	return all
}

// order is the exponent at which the error falls.
func (c *convergence) order(r *Results) float64 { return order(c.sizes, c.errors(r)) }
