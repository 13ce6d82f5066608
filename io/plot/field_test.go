package plot

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/vg"
)

// decode reads a picture back.
func decode(t *testing.T, path string) *image.RGBA {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		t.Fatalf("%s: a picture of type %T, expected opaque colours of 8 bits", path, img)
	}
	return rgba
}

// picture is one with the means to look at a place of the domain.
type picture struct {
	*image.RGBA
	axes axes
}

// drawn draws a map.
func drawn(f *Field) picture {
	s := newScale(f)
	return picture{drawMap(f).img.(*image.RGBA), layoutMap(f, &s).axes}
}

// saved writes a map and reads it back.
func saved(t *testing.T, f *Field) picture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.png")
	if err := FieldMap(path, f); err != nil {
		t.Fatal(err)
	}
	s := newScale(f)
	return picture{decode(t, path), layoutMap(f, &s).axes}
}

// at is the colour at a point of the domain.
func (p picture) at(x, y float64) color.RGBA {
	pt := p.axes.at(x, y)
	return p.pixel(pt)
}

func (p picture) pixel(pt vg.Point) color.RGBA {
	return p.RGBAAt(int(pt.X/px), p.Rect.Dy()-1-int(pt.Y/px))
}

func isBlue(c color.RGBA) bool  { return int(c.B) > int(c.R)+40 }
func isRed(c color.RGBA) bool   { return int(c.R) > int(c.B)+40 }
func isWhite(c color.RGBA) bool { return c == color.RGBA{255, 255, 255, 255} }

func TestVortexStreetIsBlueAboveAndRedBelowTheAxis(t *testing.T) {
	f := street(400, 150)
	p := saved(t, f)
	// Centres of two vortices of the rows, from the formula of street.
	if c := p.at(17.3, 7.5+0.3+0.03*7.3); !isBlue(c) {
		t.Errorf("upper row, clockwise: colour %v is not blue", c)
	}
	if c := p.at(19.5, 7.5-0.3-0.03*9.5); !isRed(c) {
		t.Errorf("lower row, counter-clockwise: colour %v is not red", c)
	}
	if c := p.at(2, 2); c.R < 245 || c.G < 245 || c.B < 245 {
		t.Errorf("still fluid: colour %v is not nearly white", c)
	}
}

func TestBodyIsGreyWithADarkEdge(t *testing.T) {
	p := drawn(street(400, 150))
	if c := p.at(10, 7.5); c.R != bodyFill.Y || c.G != bodyFill.Y || c.B != bodyFill.Y {
		t.Errorf("centre of the cylinder: colour %v, expected grey %d", c, bodyFill.Y)
	}
	darkest := uint8(255)
	for r := 0.4; r < 0.6; r += 0.005 {
		darkest = min(darkest, p.at(10-r, 7.5).G)
	}
	if darkest > 100 {
		t.Errorf("surface of the cylinder: darkest green channel %d, expected a dark edge", darkest)
	}
}

func TestBodyAcrossTheEdgeIsCutOff(t *testing.T) {
	f := sample(60, 60, 6, 6, func(x, y float64) float64 { return x })
	f.Outlines = [][][2]float64{circle(0, 3, 1), circle(20, 20, 1), nil, {{3, 3}}, {{1, 1}, {5, 1}}}
	p := drawn(f)
	if c := p.at(0.5, 3); c.R != bodyFill.Y || c.B != bodyFill.Y {
		t.Errorf("half of the body inside the domain: colour %v, expected grey", c)
	}
	outside := p.axes.at(0, 3)
	outside.X -= 5
	if c := p.pixel(outside); !isWhite(c) {
		t.Errorf("half of the body outside the domain: colour %v, expected paper", c)
	}
}

func TestNodesWithoutAValueAreBlank(t *testing.T) {
	holes := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300}
	f := sample(80, 20, 8, 2, func(x, y float64) float64 {
		if y > 1 {
			return holes[int(x/2)]
		}
		return 1 + x
	})
	p := drawn(f)
	for i, hole := range holes {
		if c := p.at(2*float64(i)+1, 1.5); !isWhite(c) {
			t.Errorf("nodes of %g: colour %v, expected white", hole, c)
		}
		if c := p.at(2*float64(i)+1, 0.5); isWhite(c) {
			t.Errorf("below nodes of %g: white, expected a colour", hole)
		}
	}
}

func TestNodesInBodiesAreGrey(t *testing.T) {
	in := func(x, y float64) bool { return x > 2 && x < 4 && y > 1 }
	f := sample(80, 20, 8, 2, func(x, y float64) float64 {
		if in(x, y) {
			return math.NaN()
		}
		return 1 + x
	})
	f.Bodies = make([]bool, len(f.Values))
	for k, v := range f.Values {
		f.Bodies[k] = math.IsNaN(v)
	}
	p := drawn(f)
	if c := p.at(3, 1.5); c.R != bodyFill.Y || c.G != bodyFill.Y || c.B != bodyFill.Y {
		t.Errorf("in the body: colour %v, expected grey", c)
	}
	for _, x := range [][2]float64{{3, 0.5}, {1, 1.5}, {5, 1.5}} {
		if c := p.at(x[0], x[1]); c.R == c.G && c.G == c.B {
			t.Errorf("at %v, outside the body: grey %v, expected a colour", x, c)
		}
	}
	f.Bodies = f.Bodies[1:]
	if err := f.check(); err == nil {
		t.Error("bodies of fewer nodes than the field has are no error")
	}
}

func TestFirstNodeIsAtTheLowerLeft(t *testing.T) {
	f := sample(30, 20, 3, 2, func(x, y float64) float64 { return x + 10*y })
	p := drawn(f)
	brightness := func(x, y float64) int {
		c := p.at(x, y)
		return int(c.R) + int(c.G) + int(c.B)
	}
	if !(brightness(0.2, 0.2) < brightness(2.8, 1.0) && brightness(2.8, 1.0) < brightness(0.2, 1.9)) {
		t.Errorf("brightness %d at the lower left, %d half up, %d at the upper left: expected to rise with y",
			brightness(0.2, 0.2), brightness(2.8, 1.0), brightness(0.2, 1.9))
	}
}

func TestMapKeepsTheAspectRatioWithinItsSize(t *testing.T) {
	for _, d := range []struct {
		nx, ny        int
		width, height float64
	}{
		{800, 300, 40, 15}, {1600, 600, 40, 15}, {128, 128, 1, 1}, {100, 600, 5, 30}, {16, 12, 4, 3}, {17, 12, 1.7, 1.2},
		{600, 60, 20, 2}, {60, 600, 2, 20}, {1, 1, 1, 1}, {100, 100, 3, 1}, {1201, 7, 1201, 30}, {3, 2000, 40, 2000},
	} {
		t.Run(fmt.Sprintf("%d×%d on %g×%g", d.nx, d.ny, d.width, d.height), func(t *testing.T) {
			f := sample(d.nx, d.ny, d.width, d.height, func(x, y float64) float64 { return x })
			f.Title = "A title that is long enough to need more than one line on a narrow picture"
			f.Label = "speed |u| / U"
			s := newScale(f)
			m := layoutMap(f, &s)
			if w, h := ceilPx(m.width), ceilPx(m.height); w > maxSide || h > maxSide {
				t.Errorf("picture of %d × %d pixels, at most %d", w, h, maxSide)
			}
			size := m.axes.data.Size()
			// Rounding to whole pixels moves each side by half a pixel.
			short := float64(min(size.X, size.Y) / px)
			if got, want := float64(size.X/size.Y), d.width/d.height; math.Abs(got/want-1) > 1/short {
				t.Errorf("data area %g × %g: ratio %g, domain %g", size.X/px, size.Y/px, got, want)
			}
			if m.axes.data.Min.X < margin || m.axes.data.Max.X > m.width || m.bar.bar.Max.X > m.width || m.bar.bar.Min.Y < margin {
				t.Errorf("data area %v and colour bar %v leave the page of %g × %g", m.axes.data, m.bar.bar, m.width, m.height)
			}
		})
	}
}

func TestVerySlenderDomainStaysVisible(t *testing.T) {
	f := sample(2000, 1, 2000, 1, func(x, y float64) float64 { return x })
	p := drawn(f)
	if h := p.axes.data.Size().Y / px; h < slimmest {
		t.Errorf("data area %g pixels high, at least %d", h, slimmest)
	}
	if b := p.Bounds(); b.Dx() > maxSide {
		t.Errorf("picture %d pixels wide, at most %d", b.Dx(), maxSide)
	}
}

func TestConstantFieldHasOneColour(t *testing.T) {
	for _, c := range []struct {
		value     float64
		nodes     int
		diverging bool
	}{{1, 32, false}, {-2, 32, true}, {0, 32, false}, {0, 32, true}, {3e-9, 1, false}} {
		f := sample(c.nodes, c.nodes, 8, 1, func(x, y float64) float64 { return c.value })
		f.Diverging = c.diverging
		p := drawn(f)
		if a, b := p.at(1, 0.2), p.at(7, 0.7); isWhite(a) || a != b {
			t.Errorf("constant %g, diverging %v: colours %v and %v", c.value, c.diverging, a, b)
		}
	}
}

func TestSmallGridsStaySharp(t *testing.T) {
	f := sample(16, 12, 16, 12, func(x, y float64) float64 { return math.Mod(math.Floor(x)+math.Floor(y), 2) })
	p := drawn(f)
	for _, at := range [][2]float64{{3.5, 4.5}, {3.03, 4.03}, {3.97, 4.97}} {
		if c, want := p.at(at[0], at[1]), sequential()[shades-1]; c != want {
			t.Errorf("cell (3, 4) of a chequerboard at %v: colour %v, expected %v up to its edges", at, c, want)
		}
	}
}

func TestBadFieldIsRefusedBeforeWriting(t *testing.T) {
	good := func() *Field { return sample(4, 3, 4, 3, func(x, y float64) float64 { return x }) }
	for name, spoil := range map[string]func(*Field){
		"no nodes":         func(f *Field) { f.Nx, f.Values = 0, nil },
		"negative nodes":   func(f *Field) { f.Nx, f.Ny = -4, -3 },
		"values missing":   func(f *Field) { f.Values = f.Values[1:] },
		"spacing zero":     func(f *Field) { f.Spacing[1] = 0 },
		"spacing NaN":      func(f *Field) { f.Spacing[0] = math.NaN() },
		"origin infinite":  func(f *Field) { f.Origin[0] = math.Inf(1) },
		"limit negative":   func(f *Field) { f.Limit = -1 },
		"limit NaN":        func(f *Field) { f.Limit = math.NaN() },
		"outline with NaN": func(f *Field) { f.Outlines = [][][2]float64{{{1, 1}, {math.NaN(), 2}}} },
	} {
		f := good()
		spoil(f)
		path := filepath.Join(t.TempDir(), "map.png")
		checkRefused(t, name, path, FieldMap(path, f))
	}
}

func BenchmarkFieldMap(b *testing.B) {
	f, path := street(1600, 600), filepath.Join(b.TempDir(), "map.png")
	for b.Loop() {
		if err := FieldMap(path, f); err != nil {
			b.Fatal(err)
		}
	}
}
