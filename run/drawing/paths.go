package drawing

import (
	"cmp"
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// Paths draws where moving bodies went, from the table of their places: y over x, or
// over time the coordinate that changes, and their angle where they only turn. Of
// many bodies it shows some paths before the others, and over time what they have in
// common.
func Paths(t *table.Table, path, title string) error {
	dim := 2
	for _, c := range t.Columns {
		if c == "z" {
			dim = 3
		}
	}
	tracks, err := readTracks(t, dim)
	if err != nil {
		return err
	}
	from, to := coordinates(tracks, dim)
	lines := make([]plot.Line, len(tracks))
	var curves [][]float64
	longest := 0
	for i, k := range tracks {
		lines[i] = plot.Line{X: k.values[from.name], Y: k.values[to.name]}
		if len(tracks) > 1 {
			lines[i].Name = k.body
		}
		curves = append(curves, lines[i].Y)
		if len(lines[i].X) > len(lines[longest].X) {
			longest = i
		}
	}
	switch {
	case len(lines) <= plot.MostCurves:
	case from.name == "t":
		lines = plot.Bundle("bodies", lines[longest].X, curves)
	default:
		lines = plot.Selection("bodies", lines)
	}
	return plot.Profile(path, title, from.label, to.label, lines)
}

// MotionPicture is the picture of Motion.
const MotionPicture = "motion.png"

// Motion draws places, velocities, angles and spins of moving bodies over time, from the table of these; drawn tells
// whether there is any.
func Motion(t *table.Table, path, title string) (drawn bool, err error) {
	panels := []plot.Panel{{YLabel: "x / L"}, {YLabel: "u / U"}, {YLabel: "y / L"}, {YLabel: "v / U"},
		{YLabel: "z / L"}, {YLabel: "w / U"}, {YLabel: "angle"}, {YLabel: "spin L / U"}}
	return History(t, "body", "bodies", path, title, panels, "x", "vx", "y", "vy", "z", "vz", "angle", "spin")
}

// track is what bodies.csv holds of one body.
type track struct {
	body   string
	values map[string][]float64
}

// coordinate is a column of bodies.csv as an axis.
type coordinate struct{ name, label string }

func readTracks(t *table.Table, dim int) (all []track, err error) {
	names, err := Groups(t, "body")
	if err != nil {
		return nil, err
	}
	shown := append([]string{"t"}, []string{"x", "y", "z"}[:dim]...)
	if dim == 2 {
		shown = append(shown, "angle")
	} else {
		shown = append(shown, "rx", "ry", "rz")
	}
	for _, name := range names {
		v, err := Columns(t, "body", name, shown...)
		if err != nil {
			return nil, err
		}
		k := track{name, map[string][]float64{}}
		for i, c := range shown {
			k.values[c] = v[i]
		}
		all = append(all, k)
	}
	return all, nil
}

// coordinates are those that show how the bodies move: the two that change most where
// there are two, else the one, or the angle, over time.
func coordinates(tracks []track, dim int) (from, to coordinate) {
	const still = 1e-6  // L: what rounding moves
	const beside = 1e-3 // of the longest way: what noise of the grid moves a body aside
	least := still
	for _, name := range []string{"x", "y", "z"}[:dim] {
		least = math.Max(least, beside*spread(tracks, name))
	}
	var moved []coordinate
	for _, name := range []string{"x", "y", "z"}[:dim] {
		if spread(tracks, name) > least {
			moved = append(moved, coordinate{name, name + " / L"})
		}
	}
	time := coordinate{"t", TimeLabel}
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
	if len(moved) == 3 {
		least := slices.MinFunc(moved, func(a, b coordinate) int { return cmp.Compare(spread(tracks, a.name), spread(tracks, b.name)) })
		moved = slices.DeleteFunc(moved, func(c coordinate) bool { return c == least })
	}
	return moved[0], moved[1]
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
