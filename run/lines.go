package run

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// lineFile is the table of a line, below the run directory.
func lineFile(l casefile.Line) string { return "lines/" + l.Name + ".csv" }

// lineColumns are those of lines/NAME.csv; s is the distance from the line's
// beginning.
func lineColumns(dim int) []string {
	c := append([]string{"t", "step", "s"}, []string{"x", "y", "z"}[:dim]...)
	return append(append(c, "rho"), []string{"u", "v", "w"}[:dim]...)
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

// recordLines appends a row per point of every line that is due.
func (r *run[T]) recordLines() error {
	dim := r.Flow.Lattice.Dim
	for i, l := range r.Case.Output.Lines {
		to := r.records.lines[i]
		if !to.due(r.Step) {
			continue
		}
		length, err := distance(l.From, l.To), error(nil)
		r.Sample(r.records.points[i], func(k int, rho float64, u [3]float64) {
			row := append(r.records.row[:0], r.Time(), r.Step, length*float64(k)/float64(max(1, l.Points-1)))
			x := along(l, k)
			for _, x := range x[:dim] {
				row = append(row, x)
			}
			row = append(row, rho)
			for _, v := range u[:dim] {
				row = append(row, r.Units.FromLatticeVelocity(v))
			}
			if err == nil {
				err = to.Append(row...)
			}
			r.records.row = row
		})
		if err != nil {
			return fmt.Errorf("line %q: %w", l.Name, err)
		}
	}
	return nil
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}
