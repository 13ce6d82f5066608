package plot

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ball is a sphere of triangles about a point, its value that of the height above it.
func ball(center [3]float64, radius float64) (s Surface) {
	const along, around = 12, 24
	for j := range along + 1 {
		for i := range around {
			t, p := math.Pi*float64(j)/along, 2*math.Pi*float64(i)/around
			y := math.Cos(t)
			s.Points = append(s.Points, [3]float64{center[0] + radius*math.Sin(t)*math.Cos(p), center[1] + radius*y, center[2] + radius*math.Sin(t)*math.Sin(p)})
			s.Values = append(s.Values, y)
		}
	}
	for j := range along {
		for i := range around {
			a, b := j*around+i, j*around+(i+1)%around
			s.Triangles = append(s.Triangles, [3]int{a, b, b + around}, [3]int{a, b + around, a + around})
		}
	}
	return s
}

func plainSlice(value float64) *Field {
	f := &Field{Label: "speed / U", Nx: 4, Ny: 4, Origin: [2]float64{0.5, 0.5}, Spacing: [2]float64{1, 1}, Values: make([]float64, 16)}
	for k := range f.Values {
		f.Values[k] = value
	}
	return f
}

// A ball in front of the slice has its colours, bright above and dark below; what is behind the slice shines through
// paler, and nothing is drawn beside the box.
func TestSurfacesInFrontOfTheSliceHideIt(t *testing.T) {
	colors := func(height float64) (middle, corner [3]int) {
		path := filepath.Join(t.TempDir(), "scene.png")
		s := Scene{Title: "a ball", Label: "tension", High: [3]float64{4, 4, 4}, Surfaces: []Surface{ball([3]float64{2, 2, 2}, 1)}, Slice: plainSlice(1), Height: height}
		if err := SceneView(path, &s); err != nil {
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
		v, _, h := newView(&s, sceneMost, sceneHigher)
		x, y, _ := v.at([3]float64{2, 2, 2})
		left, top := roundPx(snap(margin+sceneLeft)), img.Bounds().Dy()
		bars, _, _ := s.bars()
		below := margin + sceneBelow
		for _, b := range bars {
			if b.below {
				below += b.room()
			}
		}
		top -= roundPx(snap(below)) + int(h)
		rgb := func(x, y int) [3]int {
			r, g, b, _ := img.At(x, y).RGBA()
			return [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
		}
		return rgb(left+int(x), top+int(y)), rgb(4, 4)
	}
	gray := func(c [3]int) bool { return c[0] == c[1] && c[1] == c[2] }
	front, corner := colors(1)
	if gray(front) || corner != [3]int{255, 255, 255} {
		t.Errorf("before the slice the ball has the colour %v and the corner of the page %v", front, corner)
	}
	behind, _ := colors(3.5)
	if gray(behind) || behind == front {
		t.Errorf("behind the slice the ball has the colour %v, before it %v", behind, front)
	}
}

func TestScenesThatCannotBeDrawnAreRefused(t *testing.T) {
	for what, s := range map[string]Scene{
		"box":             {High: [3]float64{1, 0, 1}},
		"values":          {High: [3]float64{1, 1, 1}, Surfaces: []Surface{{Points: make([][3]float64, 2)}}},
		"triangle":        {High: [3]float64{1, 1, 1}, Surfaces: []Surface{{Points: make([][3]float64, 2), Values: make([]float64, 2), Triangles: [][3]int{{0, 1, 2}}}}},
		"line":            {High: [3]float64{1, 1, 1}, Surfaces: []Surface{{Points: make([][3]float64, 2), Values: make([]float64, 2), Lines: [][]int{{0, -1}}}}},
		"not finite":      {High: [3]float64{1, 1, 1}, Surfaces: []Surface{{Points: [][3]float64{{math.NaN()}}, Values: make([]float64, 1)}}},
		"height":          {High: [3]float64{1, 1, 1}, Slice: plainSlice(1), Height: math.Inf(1)},
		"a map needs at ": {High: [3]float64{1, 1, 1}, Slice: &Field{}},
	} {
		path := filepath.Join(t.TempDir(), "scene.png")
		if err := SceneView(path, &s); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a picture", what)
		}
	}
}

// TestOutlinesEndWhereTheBoxDoes: of a body across a face what lies beyond is not drawn.
func TestOutlinesEndWhereTheBoxDoes(t *testing.T) {
	low, high := [2]float64{0, 0}, [2]float64{2, 1}
	for _, c := range []struct {
		a, b, from, to [2]float64
		some           bool
	}{
		{[2]float64{0.5, 0.5}, [2]float64{1, 0.2}, [2]float64{0.5, 0.5}, [2]float64{1, 0.2}, true},
		{[2]float64{1.5, 0.5}, [2]float64{2.5, 0.7}, [2]float64{1.5, 0.5}, [2]float64{2, 0.6}, true},
		{[2]float64{-1, 0.5}, [2]float64{3, 0.5}, [2]float64{0, 0.5}, [2]float64{2, 0.5}, true},
		{[2]float64{2.1, 0.5}, [2]float64{2.1, 0.7}, [2]float64{}, [2]float64{}, false},
		{[2]float64{2.1, 0.5}, [2]float64{2.5, 0.7}, [2]float64{}, [2]float64{}, false},
		{[2]float64{-0.5, 0.5}, [2]float64{0.5, 1.7}, [2]float64{}, [2]float64{}, false},
	} {
		from, to, some := clipped(c.a, c.b, low, high)
		near := func(x, y [2]float64) bool { return math.Hypot(x[0]-y[0], x[1]-y[1]) < 1e-15 }
		if some != c.some || some && !(near(from, c.from) && near(to, c.to)) {
			t.Errorf("from %v to %v: %v to %v, %v", c.a, c.b, from, to, some)
		}
	}
}
