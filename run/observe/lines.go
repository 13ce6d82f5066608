package observe

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/setup"
)

const linesFolder = "lines"

// LineFile is the table of a line, below the run directory.
func LineFile(l casefile.Line) string { return linesFolder + "/" + l.Name + ".csv" }

// lineColumns are those of lines/NAME.csv; s is the distance from the line's
// beginning.
func lineColumns(dim int) []string {
	c := append([]string{"t", "step", "s"}, []string{"x", "y", "z"}[:dim]...)
	return append(append(append(c, "rho"), []string{"u", "v", "w"}[:dim]...), "p")
}

// along is the place, in L, of point k of a line.
func along(l casefile.Line, k int) (x [3]float64) {
	w := float64(k) / float64(max(1, l.Points-1))
	for a := range x {
		x[a] = (1-w)*l.From[a] + w*l.To[a]
	}
	return x
}

// linePoints are the points of a line in node coordinates.
func linePoints(p *setup.Problem, l casefile.Line) (points [][3]float64) {
	for k := range l.Points {
		points = append(points, p.Node(along(l, k)))
	}
	return points
}

// line writes the table of a line: a row per point.
type line[T lbm.Float] struct {
	*State[T]
	*Table
	of     casefile.Line
	points [][3]float64 // in node coordinates
}

func init() {
	register(kind{key: "lines", files: []string{linesFolder + "/*.csv"}, f32: newLines[float32], f64: newLines[float64]})
}

func newLines[T lbm.Float](o *Outputs[T]) (all []Observer, err error) {
	for _, l := range o.Case.Output.Lines {
		t, err := o.Table(LineFile(l), lineColumns(o.Flow.Lattice.Dim), l.Every, 1) // some versions did not tell the pressure
		if err != nil {
			return nil, err
		}
		all = append(all, &line[T]{o.State, t, l, linePoints(o.Problem, l)})
	}
	return all, nil
}

// Observe appends a row per point.
func (l *line[T]) Observe() (err error) {
	dim, length := l.Flow.Lattice.Dim, distance(l.of.From, l.of.To)
	l.Sample(l.points, func(k int, rho float64, u [3]float64) {
		row := append(l.row[:0], l.Time(), l.Step, length*float64(k)/float64(max(1, l.of.Points-1)))
		x := along(l.of, k)
		for _, x := range x[:dim] {
			row = append(row, x)
		}
		row = append(row, rho)
		for _, v := range u[:dim] {
			row = append(row, l.Units.FromLatticeVelocity(v))
		}
		row = append(row, l.Units.PressureOf(rho))
		l.row = row
		if err == nil {
			err = l.Append(row...)
		}
	})
	if err != nil {
		return fmt.Errorf("line %q: %w", l.of.Name, err)
	}
	return nil
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
