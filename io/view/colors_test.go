package view

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// xterm is a colour of xterm's palette, 16 ≤ code ≤ 255.
func xterm(code int) color.RGBA {
	if code >= 232 {
		v := uint8(8 + 10*(code-232))
		return color.RGBA{v, v, v, 0xff}
	}
	level := func(n int) uint8 {
		if n == 0 {
			return 0
		}
		return uint8(55 + 40*n)
	}
	code -= 16
	return color.RGBA{level(code / 36), level(code / 6 % 6), level(code % 6), 0xff}
}

func TestIndexedColourIsTheNearest(t *testing.T) {
	apart := func(a, b color.RGBA) int { return distance(a, int(b.R), int(b.G), int(b.B)) }
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				c := color.RGBA{uint8(r), uint8(g), uint8(b), 0xff}
				best := math.MaxInt
				for code := 16; code < 256; code++ {
					best = min(best, apart(c, xterm(code)))
				}
				if code := indexed(c); code < 16 || code > 255 || apart(c, xterm(int(code))) != best {
					t.Fatalf("%v becomes colour %d, %v: others are nearer", c, code, xterm(int(code)))
				}
			}
		}
	}
}

func TestTerminalTellsItsColours(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, no string
		depth               Depth
		refused             string
	}{
		{"xterm-256color", "truecolor", "", TrueColor, ""},
		{"xterm-256color", "24bit", "", TrueColor, ""},
		{"xterm-256color", "", "", Indexed, ""},
		{"screen", "yes", "", Indexed, ""},
		{"xterm-256color", "truecolor", "1", 0, "unset NO_COLOR"},
		{"dumb", "", "", 0, `TERM = "dumb"`},
		{"", "truecolor", "", 0, `TERM = ""`},
	} {
		depth, err := TerminalDepth(func(name string) string {
			return map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "NO_COLOR": c.no}[name]
		})
		if c.refused == "" && (err != nil || depth != c.depth) {
			t.Errorf("%+v: depth %d, error %v", c, depth, err)
		}
		if c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%+v: error %v, want %q", c, err, c.refused)
		}
	}
}
