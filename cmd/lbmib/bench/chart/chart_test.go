package chart

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestScalesMapTheirEndsToTheAxis(t *testing.T) {
	for _, s := range []scale{{0, 8, false}, {2, 2000, true}, upwards([]float64{3, 7, 0}, 1.1, false), upwards([]float64{0.1, 90}, 1, true), rightwards([]float64{1, 2, 4}, false), rightwards([]float64{32, 256}, true)} {
		if math.Abs(s.fraction(s.lo)) > 1e-12 || math.Abs(s.fraction(s.hi)-1) > 1e-12 {
			t.Errorf("%+v: ends at %g and %g", s, s.fraction(s.lo), s.fraction(s.hi))
		}
	}
	s := upwards([]float64{5, 0}, 1.1, false)
	if s.lo != 0 || s.hi != 5.5 {
		t.Errorf("values up to 5 go from %g to %g", s.lo, s.hi)
	}
	if s := (scale{1, 100, true}); math.Abs(s.fraction(10)-0.5) > 1e-12 {
		t.Errorf("10 lies at %g of 1 to 100", s.fraction(10))
	}
}

func TestMarksAreRound(t *testing.T) {
	for _, c := range []struct {
		s    scale
		want string
	}{
		{scale{0, 88, false}, "0 20 40 60 80"},
		{scale{0, 0.9, false}, "0 0.2 0.4 0.6 0.8"},
		{scale{3e3, 5e6, true}, "10⁴ 10⁵ 10⁶"},
		{scale{0.7, 3e3, true}, "1 10 10² 10³"},
		{scale{0.7, 45, true}, "1 2 5 10 20"},
		{scale{3e-5, 2e-2, true}, "10⁻⁴ 10⁻³ 10⁻²"},
		{scale{4e5, 3e6, true}, "5·10⁵ 10⁶ 2·10⁶"},
	} {
		var got []string
		for _, m := range c.s.marks() {
			got = append(got, m.label)
			if f := c.s.fraction(m.value); f < 0 || f > 1 {
				t.Errorf("%+v: %s lies at %g", c.s, m.label, f)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: marks %v, want %s", c.s, got, c.want)
		}
	}
}

func TestNamesTooWideForTheirGroupAreBroken(t *testing.T) {
	for _, c := range []struct {
		name string
		room float64
		want string
	}{{"columns-pruned", 300, "columns-pruned"}, {"columns-pruned", 50, "columns-|pruned"}, {"D2Q9 inplace", 40, "D2Q9 |inplace"}, {"interpolation", 5, "interpolation"}} {
		if got := strings.Join(fold(c.name, vg.Length(c.room)), "|"); got != c.want {
			t.Errorf("%s in %g points: %q, want %q", c.name, c.room, got, c.want)
		}
	}
}

// A line that falls on a logarithmic scale is drawn from the upper left to the lower
// right.
func TestLinesAreWhereTheirValuesAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.png")
	l := Lines{Title: "t", XLabel: "x", YLabel: "y", LogX: true, LogY: true, Series: []Series{{Name: "a", X: []float64{1, 1000}, Y: []float64{1000, 1}}}}
	if err := l.Save(path); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	var quarters [2][2]int // by lower, right
	r0, g0, b0, _ := Color(0).RGBA()
	for y := b.Dy() / 5; y < b.Dy(); y++ { // below the legend
		for x := range b.Dx() {
			if r, g, bl, _ := img.At(x, y).RGBA(); r == r0 && g == g0 && bl == b0 {
				lower, right := 0, 0
				if y > (b.Dy()/5+b.Dy()*9/10)/2 {
					lower = 1
				}
				if x > b.Dx()*11/20 {
					right = 1
				}
				quarters[lower][right]++
			}
		}
	}
	if q := quarters; q[0][0] < 200 || q[1][1] < 200 || q[0][1]+q[1][0] > (q[0][0]+q[1][1])/5 {
		t.Errorf("coloured pixels by quarter: %v", q)
	}
}
