package plot

import (
	"image/color"
	"path/filepath"
	"strings"
	"testing"
)

// Ranks are in their colours, those of finer boxes over those of what they lie in, and fluid that fills little in a darker one.
func TestRanksAreColoured(t *testing.T) {
	g := nested()
	v := &g.Views[0]
	v.Ranks = []RankBox{
		{0, 0, [2]float64{0, 0}, [2]float64{8, 2}}, {1, 0, [2]float64{0, 2}, [2]float64{8, 4}},
		{2, 1, [2]float64{1, 1}, [2]float64{6, 3}}, {3, 2, [2]float64{2, 1.2}, [2]float64{5, 2.8}},
	}
	v.Shadow = []RankBox{{1, 0, [2]float64{6.5, 2.5}, [2]float64{7.5, 3.5}}}
	over := func(level, rank int) color.Color { // half of each
		r, gr, b, _ := levelColors[level].RGBA()
		c := rankColors[rank].(color.NRGBA)
		mix := func(below uint32, above uint8) uint8 {
			return uint8((float64(below>>8)*(255-float64(c.A)) + float64(above)*float64(c.A)) / 255)
		}
		return color.RGBA{mix(r, c.R), mix(gr, c.G), mix(b, c.B), 0xff}
	}
	for _, c := range []struct {
		x, y float64
		want color.Color
	}{{7.5, 0.5, over(0, 0)}, {0.5, 3.5, over(0, 1)}, {1.5, 2.5, over(1, 2)}, {4.5, 2.5, over(2, 3)}} {
		got, want := most(t, g, 0, c.x, c.y).(color.RGBA), c.want.(color.RGBA)
		for _, d := range [3]int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
			if d < -2 || d > 2 {
				t.Errorf("at (%g, %g): colour %v, want %v", c.x, c.y, got, want)
			}
		}
	}
	if got := most(t, g, 0, 7, 3).(color.RGBA); got.R < 0x60 || got.R > 0xa0 || got.B > 0x20 {
		t.Errorf("fluid: colour %v", got)
	}
}

func TestRanksThatAreNoneAreRefused(t *testing.T) {
	g := nested()
	g.Views[0].Ranks = []RankBox{{0, 0, [2]float64{1, 0}, [2]float64{1, 2}}}
	if err := DrawGrids(filepath.Join(t.TempDir(), "x.png"), g); err == nil || !strings.Contains(err.Error(), "a box of rank 0") {
		t.Errorf("%v", err)
	}
}
