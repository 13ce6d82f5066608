package plot

import (
	"image"
	"image/color"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// nested is a domain of 8 by 4 with a box of finer nodes, in which another is, and a body.
func nested() *Grids {
	return &Grids{
		Title: "Nested grids", Note: "three levels", Levels: []string{"level 0", "level 1", "level 2"},
		Views: []GridView{{
			X: "x / L", Y: "y / L", High: [2]float64{8, 4}, Coarsest: 0.2, Faces: [4]string{"velocity", "outflow", "no-slip", "no-slip"},
			Boxes:    []GridBox{{1, [2]float64{1, 1}, [2]float64{6, 3}, 0.1}, {2, [2]float64{2, 1.2}, [2]float64{5, 2.8}, 0.05}},
			Outlines: [][][2]float64{{{2.5, 1.5}, {3.5, 1.5}, {3.5, 2.5}, {2.5, 2.5}}},
		}},
	}
}

// most is the colour that most pixels around a point of a view have, between lines.
func most(t *testing.T, g *Grids, view int, x, y float64) color.Color {
	t.Helper()
	img := g.draw().img.(*image.RGBA)
	l := g.layout()
	at := l.views[view].at(x, y)
	i, j := roundPx(at.X), img.Bounds().Dy()-roundPx(at.Y)
	counts := map[color.Color]int{}
	var best color.Color
	for dj := -6; dj <= 6; dj++ {
		for di := -6; di <= 6; di++ {
			c := img.At(i+di, j+dj)
			if counts[c]++; best == nil || counts[c] > counts[best] {
				best = c
			}
		}
	}
	return best
}

func TestGridsAreColouredByLevel(t *testing.T) {
	g := nested()
	gray := bodyFill.Y
	for _, c := range []struct {
		x, y float64
		want color.Color
	}{{7.5, 0.5, levelColors[0]}, {1.5, 2, levelColors[1]}, {4.5, 2, levelColors[2]}, {3, 2, color.RGBA{gray, gray, gray, 0xff}}} {
		if got := most(t, g, 0, c.x, c.y); got != c.want {
			t.Errorf("at (%g, %g): colour %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestGridsAreToScale(t *testing.T) {
	g := nested()
	side := GridView{X: "z / L", Y: "y / L", High: [2]float64{2, 4}, Coarsest: 0.2}
	under := GridView{X: "x / L", Y: "z / L", High: [2]float64{8, 2}, Coarsest: 0.2}
	g.Views = append(g.Views, side, under)
	l := g.layout()
	first := l.views[0].data
	for i := range g.Views {
		s, v := l.views[i].data.Size(), g.Views[i]
		if scale := first.Size().X / 8; math.Abs(float64(s.X/scale)-v.High[0]) > 0.01 || math.Abs(float64(s.Y/scale)-v.High[1]) > 0.01 {
			t.Errorf("view %d is %v large, a length of 1 in the first %g", i, s, scale)
		}
	}
	if l.views[1].data.Min.Y != first.Min.Y || l.views[2].data.Min.X != first.Min.X || l.views[1].data.Min.X <= first.Max.X || l.views[2].data.Max.Y >= first.Min.Y {
		t.Errorf("views at %v, %v and %v: the second stands to the right of the first, the third below", first, l.views[1].data, l.views[2].data)
	}
	path := filepath.Join(t.TempDir(), "grids.png")
	if err := DrawGrids(path, g); err != nil {
		t.Fatal(err)
	}
	if size := decode(t, path).Bounds().Size(); size.X > maxSide || size.Y > maxSide {
		t.Errorf("a picture of %v", size)
	}
}

func TestBadGridsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grids.png")
	for says, change := range map[string]func(g *Grids){
		"2 views":      func(g *Grids) { g.Views = append(g.Views, g.Views[0]) },
		"nodes 0 wide": func(g *Grids) { g.Views[0].Coarsest = 0 },
		"a box of":     func(g *Grids) { g.Views[0].Boxes[1].High[0] = math.NaN() },
		"level 0":      func(g *Grids) { g.Views[0].Boxes[0].Level = 0 },
		"a domain":     func(g *Grids) { g.Views[0].High[1] = 0 },
	} {
		g := nested()
		change(g)
		err := DrawGrids(path, g)
		checkRefused(t, says, path, err)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
