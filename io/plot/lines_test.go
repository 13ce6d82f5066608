package plot

import (
	"image"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestSecondOrderIsAStraightLineOfSlopeTwo(t *testing.T) {
	l := Line{Name: "error"}
	for n := 8.0; n <= 512; n *= 2 {
		l.X, l.Y = append(l.X, n), append(l.Y, 3/(n*n))
	}
	a := &axes{x: axis{log: true}, y: axis{log: true}}
	if err := a.fit([]Line{l}); err != nil {
		t.Fatal(err)
	}
	a.layout(linesWidth, linesHeight, 20)
	size := a.data.Size()
	decades := func(a axis) float64 { return math.Log10(a.max / a.min) }
	for i := 1; i < len(l.X); i++ {
		p, q := a.at(l.X[i-1], l.Y[i-1]), a.at(l.X[i], l.Y[i])
		slope := float64((q.Y-p.Y)/size.Y) * decades(a.y) / (float64((q.X-p.X)/size.X) * decades(a.x))
		if math.Abs(slope+2) > 1e-9 { // rounding of logarithms
			t.Errorf("from %g to %g nodes: slope %g on the page, expected −2", l.X[i-1], l.X[i], slope)
		}
	}
	for i := range l.X {
		if pt := a.at(l.X[i], l.Y[i]); !contains(a.data, pt) {
			t.Errorf("(%g, %g) lies at %v, outside the data area %v", l.X[i], l.Y[i], pt, a.data)
		}
	}
}

func contains(r vg.Rectangle, p vg.Point) bool {
	return p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y
}

// lines draws a picture of lines.
func lines(t *testing.T, log bool, ls []Line) (picture, *axes) {
	t.Helper()
	a := &axes{x: axis{log: log, label: label{text: "x"}}, y: axis{log: log, label: label{text: "y"}}}
	if err := a.fit(ls); err != nil {
		t.Fatal(err)
	}
	return picture{RGBA: a.drawLines("", ls).img.(*image.RGBA)}, a
}

func TestPicturesOfLinesAreWritten(t *testing.T) {
	ls := []Line{{Name: "a", X: []float64{1, 10, 100}, Y: []float64{1, 0.1, 0.01}}}
	for name, draw := range map[string]func(path, title, x, y string, lines []Line) error{"profile": Profile, "convergence": Convergence} {
		path := filepath.Join(t.TempDir(), name+".png")
		if err := draw(path, "Title", "x", "y", ls); err != nil {
			t.Fatal(err)
		}
		if b := decode(t, path).Bounds(); b.Dx() != roundPx(linesWidth) || b.Dy() != roundPx(linesHeight) {
			t.Errorf("%s: %d × %d pixels", name, b.Dx(), b.Dy())
		}
	}
}

func TestProfileJoinsLinesAndNotPoints(t *testing.T) {
	p, a := lines(t, false, []Line{
		{X: []float64{0, 1}, Y: []float64{0, 1}},
		{X: []float64{0, 1}, Y: []float64{1, 0}, Points: true},
	})
	around := func(x, y float64) vg.Rectangle {
		c := a.at(x, y)
		return vg.Rectangle{Min: vg.Point{X: c.X - 5, Y: c.Y - 5}, Max: vg.Point{X: c.X + 5, Y: c.Y + 5}}
	}
	if p.inked(around(0.25, 0.25), lineColors[0]) == 0 {
		t.Error("no line between its ends")
	}
	if p.inked(around(0.25, 0.75), lineColors[1]) != 0 {
		t.Error("a line between points")
	}
	if p.inked(around(1, 0), lineColors[1]) == 0 {
		t.Error("no glyph at a point")
	}
}

func TestLinesOfAnyShapeAreDrawn(t *testing.T) {
	nan := math.NaN()
	for name, l := range map[string]Line{
		"constant":        {Name: "a", X: []float64{0, 1}, Y: []float64{1, 1}},
		"vertical":        {Name: "a", X: []float64{1, 1}, Y: []float64{0, 1}},
		"one point":       {Name: "a", X: []float64{1}, Y: []float64{0}},
		"zero":            {Name: "a", X: []float64{0, 0}, Y: []float64{0, 0}},
		"gap":             {Name: "a", X: []float64{0, 1, 2}, Y: []float64{1, nan, 3}},
		"far from zero":   {Name: "a", X: []float64{1e9, 1e9 + 1}, Y: []float64{-1e-12, 1e-12}},
		"points with NaN": {Name: "a", X: []float64{0, nan, 2}, Y: []float64{1, 2, 3}, Points: true},
	} {
		p, a := lines(t, false, []Line{l})
		if p.inked(a.data, lineColors[0]) == 0 {
			t.Errorf("%s: nothing is drawn", name)
		}
	}
	lines(t, false, nil)
	lines(t, true, nil)
}

func TestErrorsOfZeroAreLeftOutOfLogarithmicAxes(t *testing.T) {
	p, a := lines(t, true, []Line{{Name: "a", X: []float64{10, 20, 40}, Y: []float64{1e-2, 0, 1e-4}}})
	if p.inked(a.data, lineColors[0]) == 0 || a.y.min < 1e-5 || a.y.max > 1e-1 {
		t.Errorf("axis %g … %g, expected to span 1e-4 … 1e-2", a.y.min, a.y.max)
	}
}

func TestBadLinesAreRefusedBeforeWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.png")
	pairs := []Line{{Name: "reference", X: []float64{1, 2}, Y: []float64{1}}}
	err := Profile(path, "", "", "", pairs)
	checkRefused(t, "lengths", path, err)
	if err != nil && !strings.Contains(err.Error(), "reference") {
		t.Errorf("%q does not name the line", err)
	}
	checkRefused(t, "lengths", path, Convergence(path, "", "", "", pairs))
	exact := []Line{{Name: "exact", X: []float64{10, 20}, Y: []float64{0, 0}}}
	checkRefused(t, "nothing positive", path, Convergence(path, "", "", "", exact))
}
