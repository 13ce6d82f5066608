package suite

import (
	"math"
	"path/filepath"

	"lbmib/io/plot"
)

// Figure is a picture of results beside their reference.
type Figure struct {
	Name, Title string
	X, Y        string   // names of the axes
	From        []string // runs that it needs
	Log         bool     // both axes logarithmic: errors over resolution
	Lines       func(r *Results) []plot.Line
}

// draw writes a figure as NAME.png into a directory. It returns the file's name,
// or none where the runs were not made or could not be read.
func (f *Figure) draw(dir, group string, r *Results) (string, error) {
	if r.missing(f.From) != "" {
		return "", nil
	}
	r.err = nil
	all := f.Lines(r)
	if r.err != nil || len(all) == 0 {
		return "", nil
	}
	name := group + "-" + f.Name + ".png"
	how := plot.Profile
	if f.Log {
		how = plot.Convergence
	}
	return name, how(filepath.Join(dir, name), f.Title, f.X, f.Y, all)
}

// curve is a function at n + 1 places between two, for figures.
func curve(name string, from, to float64, n int, y func(x float64) float64) plot.Line {
	l := plot.Line{Name: name}
	for i := range n + 1 {
		x := from + (to-from)*float64(i)/float64(n)
		l.X, l.Y = append(l.X, x), append(l.Y, y(x))
	}
	return l
}

// errors are |y/exact − 1| over x with a guide of the given slope through the last.
func errorLines(name string, x, y []float64, exact, slope float64) []plot.Line {
	l := plot.Line{Name: name, X: x}
	for _, v := range y {
		l.Y = append(l.Y, math.Abs(v/exact-1))
	}
	n := len(x) - 1
	guide := plot.Line{Name: "order " + decimalText(slope), X: []float64{x[0], x[n]}, Y: []float64{l.Y[n] * math.Pow(x[n]/x[0], slope), l.Y[n]}, Guide: true}
	return []plot.Line{l, guide}
}
