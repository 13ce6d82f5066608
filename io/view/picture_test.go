package view

import (
	"bytes"
	"errors"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"
)

// signs is a scale that tells sign and size of a value apart: blue below zero,
// red above, black at zero, saturated at ±limit.
type signs struct {
	limit float64
	seen  []float64
}

func (s *signs) Fit(pixels []float64)    { s.seen = append([]float64(nil), pixels...) }
func (s *signs) Range() (lo, hi float64) { return -s.limit, s.limit }
func (s *signs) Color(v float64) color.RGBA {
	size := uint8(255 * math.Min(1, math.Abs(v)/s.limit))
	if v < 0 {
		return color.RGBA{0, 0, size, 0xff}
	}
	return color.RGBA{size, 0, 0, 0xff}
}

// of is a picture of a function of the node.
func of(nx, ny, columns, rows int, f func(i, j int) float64) Picture {
	return Picture{Nx: nx, Ny: ny, Columns: columns, Rows: rows, Depth: TrueColor, Scale: &signs{limit: 1},
		Row: func(j int, values []float64) {
			for i := range values {
				values[i] = f(i, j)
			}
		}}
}

func zero(int, int) float64 { return 0 }

// circle is a closed polyline in nodes.
func circle(x, y, r float64) (line [][2]float64) {
	for k := range 90 {
		s, c := math.Sincos(2 * math.Pi * float64(k) / 90)
		line = append(line, [2]float64{x + r*c, y + r*s})
	}
	return line
}

// render draws a picture and reads it back: pixels from the top, and the lines
// of text below.
func render(t *testing.T, p Picture) (grid [][]color.RGBA, text []string) {
	t.Helper()
	var buf bytes.Buffer
	if err := Render(&buf, p); err != nil {
		t.Fatal(err)
	}
	body, ok := strings.CutSuffix(buf.String(), "\n")
	if !ok {
		t.Fatal("the picture does not end with its last line")
	}
	for _, line := range strings.Split(body, "\n") {
		d := dot{fore: none, back: none}
		var upper, lower []color.RGBA
		picture := strings.Contains(line, "▀")
		var words strings.Builder
		for line != "" {
			if parameters, rest, ok := escape(line); ok {
				d.set(t, parameters)
				line = rest
				continue
			}
			r := []rune(line)[0]
			line = line[len(string(r)):]
			if words.WriteRune(r); r == '▀' {
				upper, lower = append(upper, d.fore), append(lower, d.back)
			} else if picture {
				t.Fatalf("%q is among the pixels", r)
			}
		}
		if d.fore != none || d.back != none {
			t.Fatal("a line ends in colours that are not the terminal's")
		}
		if !picture {
			text = append(text, words.String())
			continue
		}
		if grid = append(grid, upper); lower[0] != none {
			grid = append(grid, lower)
		}
	}
	return grid, text
}

// none is the terminal's own colour.
var none = color.RGBA{}

// dot is the state of the terminal's pen.
type dot struct{ fore, back color.RGBA }

// escape cuts a colour sequence off a text.
func escape(text string) (parameters []string, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, "\x1b[")
	if !ok {
		return nil, "", false
	}
	list, rest, _ := strings.Cut(text, "m")
	return strings.Split(list, ";"), rest, true
}

// set understands the sequences that a picture may hold and no others.
func (d *dot) set(t *testing.T, p []string) {
	t.Helper()
	for len(p) > 0 {
		number := func(i int) int {
			v, err := strconv.Atoi(p[i])
			if err != nil || v < 0 || v > 255 {
				t.Fatalf("%q in a colour is not 0 … 255", p[i])
			}
			return v
		}
		to := &d.fore
		if p[0][0] == '4' {
			to = &d.back
		}
		switch {
		case p[0] == "0":
			*d = dot{none, none}
			p = p[1:]
		case p[0] == "39" || p[0] == "49":
			*to = none
			p = p[1:]
		case (p[0] == "38" || p[0] == "48") && p[1] == "2":
			*to = color.RGBA{uint8(number(2)), uint8(number(3)), uint8(number(4)), 0xff}
			p = p[5:]
		case (p[0] == "38" || p[0] == "48") && p[1] == "5":
			*to = xterm(number(2))
			p = p[3:]
		default:
			t.Fatalf("unknown sequence %q", p)
		}
	}
}

func TestPictureKeepsTheAspectRatioWithinItsRoom(t *testing.T) {
	for _, c := range []struct{ nx, ny, columns, rows, width, height int }{
		{500, 240, 100, 50, 100, 48}, // as wide as the room
		{240, 500, 100, 50, 48, 100}, // as high
		{500, 240, 79, 50, 79, 38},
		{501, 239, 77, 11, 46, 22},
		{7, 5, 70, 40, 70, 50},   // magnified
		{64, 63, 80, 16, 33, 32}, // rounded: 32.5
		{97, 31, 29, 40, 29, 9},  // an odd number of rows
		{3, 3, 1, 1, 1, 1},
		{1, 1, 5, 5, 5, 5},
		{4000, 3, 60, 20, 60, 1}, // slender: visible all the same
		{3, 4000, 60, 20, 1, 40},
	} {
		grid, _ := render(t, of(c.nx, c.ny, c.columns, c.rows, zero))
		if len(grid) != c.height || len(grid[0]) != c.width {
			t.Errorf("%d × %d nodes in %d × %d characters: %d × %d pixels, want %d × %d", c.nx, c.ny, c.columns, c.rows, len(grid[0]), len(grid), c.width, c.height)
		}
		for j, row := range grid {
			if len(row) != len(grid[0]) {
				t.Errorf("row %d has %d pixels, the first %d", j, len(row), len(grid[0]))
			}
		}
	}
}

func TestFirstNodeIsAtTheLowerLeft(t *testing.T) {
	for _, ny := range []int{10, 9} { // an even and an odd number of pixel rows
		grid, _ := render(t, of(12, ny, 12, 5, func(i, j int) float64 {
			switch {
			case i == 0 && j == 0:
				return 1
			case i == 11 && j == ny-1:
				return -1
			}
			return 0
		}))
		for y, row := range grid {
			for x, c := range row {
				want := color.RGBA{0, 0, 0, 0xff}
				switch {
				case x == 0 && y == ny-1:
					want.R = 255
				case x == 11 && y == 0:
					want.B = 255
				}
				if c != want {
					t.Errorf("%d rows: pixel %d, %d from the top is %v, want %v", ny, x, y, c, want)
				}
			}
		}
	}
}

func TestColoursTellTheSignOfARotation(t *testing.T) {
	above := func(_, j int) float64 { return math.Copysign(0.9, float64(j)-29.5) }
	for _, depth := range []Depth{TrueColor, Indexed} {
		p := of(100, 60, 40, 20, above)
		p.Depth = depth
		grid, _ := render(t, p)
		for y, row := range grid {
			for x, c := range row {
				if c.R > c.B != (y < len(grid)/2) {
					t.Fatalf("depth %d: pixel %d, %d from the top is %v", depth, x, y, c)
				}
			}
		}
	}
}

func TestBodyIsGrey(t *testing.T) {
	p := of(90, 60, 45, 15, func(int, int) float64 { return 1 })
	p.Outlines = [][][2]float64{circle(30, 40, 10)}
	for _, p.Depth = range []Depth{TrueColor, Indexed} {
		grid, _ := render(t, p)
		if c := grid[9][15]; c != bodyColor {
			t.Errorf("depth %d: the centre of the body is %v, want %v", p.Depth, c, bodyColor)
		}
		for _, at := range [][2]int{{0, 0}, {40, 25}, {15, 17}, {22, 9}} {
			if c := grid[at[1]][at[0]]; c != (color.RGBA{255, 0, 0, 255}) {
				t.Errorf("depth %d: pixel %v outside of the body is %v, want red", p.Depth, at, c)
			}
		}
	}
}

func TestFieldWithoutFluidIsGreyAndOneThatBurstMagenta(t *testing.T) {
	p := of(40, 40, 20, 10, func(i, j int) float64 {
		switch {
		case i < 10:
			return math.NaN()
		case i == 31 && j == 8:
			return math.Inf(1)
		case i == 33 && j == 8:
			return math.Inf(-1)
		}
		return 0.5
	})
	grid, _ := render(t, p)
	for y, row := range grid {
		for x, c := range row {
			want := color.RGBA{127, 0, 0, 255}
			switch {
			case x < 5:
				want = bodyColor
			case (x == 15 || x == 16) && y == 15:
				want = burstColor
			}
			if c != want {
				t.Errorf("pixel %d, %d from the top is %v, want %v", x, y, c, want)
			}
		}
	}
	for k, v := range p.Scale.(*signs).seen {
		if math.IsNaN(v) != (k%20 < 5) {
			t.Fatalf("the scale is fitted to %g at pixel %d", v, k)
		}
	}
}

func TestNothingButWallsCanBeDrawn(t *testing.T) {
	for name, v := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1)} {
		grid, _ := render(t, of(9, 9, 6, 3, func(int, int) float64 { return v }))
		want := bodyColor
		if math.IsInf(v, 0) {
			want = burstColor
		}
		if grid[2][2] != want {
			t.Errorf("%s is drawn as %v, want %v", name, grid[2][2], want)
		}
	}
}

func TestScaleIsDrawnWithItsEnds(t *testing.T) {
	for _, c := range []struct {
		columns int
		want    string
	}{
		{80, "spin  −2.5 " + strings.Repeat(" ", barCells) + " 2.5"},
		{20, "spin  −2.5 " + strings.Repeat(" ", 5) + " 2.5"},
		{15, "spin  −2.5 "}, // no room for colours
		{3, "spi"},
	} {
		p := of(10, 10, c.columns, 8, zero)
		p.Label, p.Scale = "spin", &signs{limit: 2.5}
		grid, text := render(t, p)
		if len(text) != 1 || text[0] != c.want {
			t.Errorf("%d columns: below the picture stands %q, want %q", c.columns, text, c.want)
		}
		if len(grid) > 14 {
			t.Errorf("%d columns: %d pixel rows and the scale need more than 8 rows", c.columns, len(grid))
		}
	}
}

func TestBadPictureIsRefused(t *testing.T) {
	for want, change := range map[string]func(*Picture){
		"a field of 0 × 4 nodes":                 func(p *Picture) { p.Nx = 0 },
		"a field of 4 × -1 nodes":                func(p *Picture) { p.Ny = -1 },
		"room for 0 × 2 characters":              func(p *Picture) { p.Columns = 0 },
		"a picture needs at least 1 × 2":         func(p *Picture) { p.Rows, p.Label = 1, "spin" },
		"without rows or without a scale: set":   func(p *Picture) { p.Row = nil },
		"set Row and Scale":                      func(p *Picture) { p.Scale = nil },
		"outline 0, point 1: (NaN, 1) is not a":  func(p *Picture) { p.Outlines = [][][2]float64{{{0, 0}, {math.NaN(), 1}}} },
		"outline 0, point 0: (1, -Inf) is not a": func(p *Picture) { p.Outlines = [][][2]float64{{{1, math.Inf(-1)}}} },
	} {
		p := of(4, 4, 4, 2, zero)
		change(&p)
		var buf bytes.Buffer
		if err := Render(&buf, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		} else if buf.Len() > 0 {
			t.Errorf("%v, but something is written", err)
		}
	}
}

// broken is a terminal that is gone.
type broken struct{}

var errGone = errors.New("terminal is gone")

func (broken) Write([]byte) (int, error) { return 0, errGone }

func TestFailureToWriteIsReported(t *testing.T) {
	if err := Render(broken{}, of(4, 4, 4, 2, zero)); !errors.Is(err, errGone) {
		t.Errorf("error %v", err)
	}
}
