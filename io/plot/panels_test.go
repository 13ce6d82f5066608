package plot

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPanelsLineUpAndLookTheSame(t *testing.T) {
	a := Line{Name: "a", X: []float64{1, 2, 4}, Y: []float64{100000, 200000, 300000}}
	b := Line{Name: "b", X: []float64{1, 2, 4}, Y: []float64{1, 0.5, 0.25}}
	panels := []Panel{{Lines: []Line{a, b}, Marks: true}, {Lines: []Line{b}}, {Lines: []Line{b, Guide("order 1", [2]float64{1, 4}, 1, -1)}, Log: true}}
	index, legend := commonLegend(panels)
	if index["a"] != 0 || index["b"] != 1 || index["order 1"] != -1 || len(legend) != 3 {
		t.Errorf("lines are numbered %v in a legend of %d, want a 0, b 1 and the guide −1 in one of 3", index, len(legend))
	}
	all := make([]*axes, len(panels))
	for i := range panels {
		axes, err := panels[i].axes()
		if err != nil {
			t.Fatal(err)
		}
		all[i] = axes
	}
	drawPanels("Title", 2, panels, all)
	if all[0].data.Min.X != all[2].data.Min.X || all[0].data.Min.Y != all[1].data.Min.Y {
		t.Errorf("data areas at %v, %v and %v: a column must line up on the left, a row below", all[0].data, all[1].data, all[2].data)
	}
	if all[0].data.Max.X >= all[1].data.Min.X || all[2].data.Max.Y >= all[0].data.Min.Y {
		t.Errorf("data areas %v, %v and %v overlap", all[0].data, all[1].data, all[2].data)
	}
}

func TestWordsStandBelowTheirValues(t *testing.T) {
	d := Panel{XNames: []string{"bgk", "trt", "mrt"}, Lines: []Line{{X: []float64{0, 1, 2}, Y: []float64{1, 2, 3}}}}
	a, err := d.axes()
	if err != nil {
		t.Fatal(err)
	}
	a.place(0, 200, 300, 190, d.XNames)
	for i, want := range d.XNames {
		if tick := a.x.ticks[i]; tick.label != want || tick.at != float64(i) || a.x.norm(tick.at) <= 0 || a.x.norm(tick.at) >= 1 {
			t.Errorf("mark %d is %q at %g, want %q inside the axis", i, tick.label, tick.at, want)
		}
	}
}

func TestBadPanelsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "panels.png")
	checkRefused(t, "no panels", path, Panels(path, "", 1, nil))
	checkRefused(t, "no columns", path, Panels(path, "", 0, []Panel{{}}))
	err := Panels(path, "", 1, []Panel{{}, {Lines: []Line{{X: []float64{1}}}}})
	checkRefused(t, "half a pair", path, err)
	if !strings.Contains(err.Error(), "panel 1") {
		t.Errorf("%v does not name the panel", err)
	}
	if err := Panels(path, "nothing", 1, []Panel{{}}); err != nil {
		t.Errorf("a panel without lines: %v", err)
	}
	decode(t, path)
}

func TestAGivenRangeIsTheScale(t *testing.T) {
	f := strip()
	f.Range = [2]float64{-0.5, 0.25}
	if s := newScale(f); s.lo != -0.5 || s.hi != 0.25 || s.below || !s.above {
		t.Errorf("scale %g … %g, beyond %v %v, want −0.5 … 0.25 with values above", s.lo, s.hi, s.below, s.above)
	}
	f.Range = [2]float64{1, 0}
	path := filepath.Join(t.TempDir(), "map.png")
	checkRefused(t, "range backwards", path, FieldMap(path, f))
}
