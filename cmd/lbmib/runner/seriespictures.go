package runner

import (
	"fmt"
	"math"

	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/io/table"
)

// trackPicture draws the paths of the moving bodies, if there are any: y over x,
// or over time the coordinate that changes, and their angle where they only turn.
func (r *run[T]) trackPicture() error {
	if r.records.bodies == nil {
		return nil
	}
	t, err := table.Read(r.dir.file("bodies.csv"))
	if err != nil {
		return err
	}
	tracks, err := r.readTracks(t)
	if err != nil {
		return err
	}
	from, to := coordinates(tracks, r.flow.Lattice.Dim)
	lines := make([]plot.Line, len(tracks))
	for i, k := range tracks {
		lines[i] = plot.Line{X: k.values[from.name], Y: k.values[to.name]}
		if len(tracks) > 1 {
			lines[i].Name = k.body
		}
	}
	return plot.Profile(r.dir.file("plots", "bodies.png"), r.cas.Title, from.label, to.label, lines)
}

// track is what bodies.csv holds of one body.
type track struct {
	body   string
	values map[string][]float64
}

// coordinate is a column of bodies.csv as an axis.
type coordinate struct{ name, label string }

func (r *run[T]) readTracks(t *table.Table) (all []track, err error) {
	columns := bodyColumns(r.flow.Lattice.Dim)
	for _, b := range r.bodies {
		if !b.Moving() {
			continue
		}
		rows, err := t.Where("body", b.Name)
		if err != nil {
			return nil, err
		}
		k := track{b.Name, map[string][]float64{}}
		for _, c := range append([]string{"t"}, columns[3:]...) {
			if k.values[c], err = t.Float(c, rows); err != nil {
				return nil, err
			}
		}
		all = append(all, k)
	}
	return all, nil
}

// coordinates are those that show how the bodies move: two that change where there
// are two, else the one, or the angle, over time.
func coordinates(tracks []track, dim int) (from, to coordinate) {
	const still = 1e-6 // L: what rounding moves
	var moved []coordinate
	for _, name := range []string{"x", "y", "z"}[:dim] {
		if spread(tracks, name) > still {
			moved = append(moved, coordinate{name, name + " / L"})
		}
	}
	time := coordinate{"t", "time  t U / L"}
	turned := []string{"angle"}
	if dim == 3 {
		turned = []string{"rx", "ry", "rz"}
	}
	switch len(moved) {
	case 0:
		most := turned[0]
		for _, name := range turned[1:] {
			if spread(tracks, name) > spread(tracks, most) {
				most = name
			}
		}
		return time, coordinate{most, "angle / rad"}
	case 1:
		return time, moved[0]
	}
	return moved[0], moved[len(moved)-1]
}

// spread is the widest range of a column over one body's rows.
func spread(tracks []track, name string) (widest float64) {
	for _, k := range tracks {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range k.values[name] {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
		widest = math.Max(widest, hi-lo)
	}
	return widest
}

func linePicture(l casefile.Line) string { return "line_" + l.Name + ".png" }

// linePictures draws the velocities along each line at its last time.
func (r *run[T]) linePictures() error {
	for _, l := range r.cas.Output.Lines {
		t, err := table.Read(r.dir.file(lineFile(l)))
		if err != nil {
			return err
		}
		last := t.Rows() - l.Points
		title, keep := r.cas.Title, func(row int) bool { return row >= last }
		if last >= 0 {
			times, err := t.Float("t", keep)
			if err != nil {
				return err
			}
			title = fmt.Sprintf("%s, line %s, t = %.4g L/U", r.cas.Title, l.Name, times[0])
		}
		s, err := t.Float("s", keep)
		if err != nil {
			return err
		}
		var lines []plot.Line
		for _, c := range []string{"u", "v", "w"}[:r.flow.Lattice.Dim] {
			v, err := t.Float(c, keep)
			if err != nil {
				return err
			}
			lines = append(lines, plot.Line{Name: c, X: s, Y: v})
		}
		if err := plot.Profile(r.dir.file("plots", linePicture(l)), title, "distance along the line / L", "velocity / U", lines); err != nil {
			return err
		}
	}
	return nil
}
