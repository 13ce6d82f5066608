package plot

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

var noWindow = [2]float64{math.NaN(), math.NaN()}

// history draws force histories.
func history(bodies []Forces, window [2]float64) (p picture, drag, lift *panel) {
	drag, lift = historyPanels(bodies, window)
	head := header{note: clippedNote(drag, lift)}
	stack(&drag.axes, &lift.axes, head.height(historyWidth-2*margin))
	return picture{RGBA: drawHistory("", bodies, window).img.(*image.RGBA)}, drag, lift
}

// inked counts the pixels of the data area that have the colour of a line.
func (p picture) inked(area vg.Rectangle, line color.Color) int {
	n, c := 0, color.RGBAModel.Convert(line).(color.RGBA)
	for y := roundPx(area.Min.Y); y < roundPx(area.Max.Y); y++ {
		for x := roundPx(area.Min.X); x < roundPx(area.Max.X); x++ {
			if p.RGBAAt(x, p.Rect.Dy()-1-y) == c {
				n++
			}
		}
	}
	return n
}

func TestStartUpSpikeDoesNotSetTheRange(t *testing.T) {
	h := shedding("cylinder", 3000, 1.41, 0)
	if h.Cd[0] < 20 {
		t.Fatalf("the history starts with Cd = %g, no spike", h.Cd[0])
	}
	for name, window := range map[string][2]float64{"no window": noWindow, "window": {90, 150}} {
		drag, lift := historyPanels([]Forces{h}, window)
		// Shedding is 1.398 … 1.422, the transient goes down to 1.17.
		if drag.y.min > 1.17 || drag.y.min < 1.1 || drag.y.max < 1.422 || drag.y.max > 1.6 {
			t.Errorf("%s: drag axis %g … %g", name, drag.y.min, drag.y.max)
		}
		if lift.y.min > -0.34 || lift.y.max < 0.34 || lift.y.max > 0.5 {
			t.Errorf("%s: lift axis %g … %g", name, lift.y.min, lift.y.max)
		}
		if note := clippedNote(drag, lift); !strings.Contains(note, "Cd to 31") || strings.Contains(note, "Cl") {
			t.Errorf("%s: note %q, expected the spike of the drag only", name, note)
		}
	}
}

func TestLiftOfRoundingErrorsIsDrawnAsZero(t *testing.T) {
	h := shedding("cylinder", 500, 2, 0)
	for i := range h.Cl {
		h.Cl[i] *= 1e-14
	}
	if _, lift := historyPanels([]Forces{h}, noWindow); lift.y.max < 1e-3 {
		t.Errorf("lift axis %g … %g magnifies noise", lift.y.min, lift.y.max)
	}
}

func TestStatisticsWindowIsShaded(t *testing.T) {
	bodies, window := []Forces{shedding("cylinder", 600, 1.41, 0)}, [2]float64{91, 131}
	p, drag, lift := history(bodies, window)
	path := filepath.Join(t.TempDir(), "forces.png")
	if err := ForceHistory(path, "", bodies, window); err != nil {
		t.Fatal(err)
	}
	p.RGBA = decode(t, path)
	for _, panel := range []*panel{drag, lift} {
		top := panel.y.max - 0.01*(panel.y.max-panel.y.min)
		for x, shaded := range map[float64]bool{89: false, 93: true, 129: true, 133: false} {
			if got := p.pixel(panel.at(x, top)) == windowColor; got != shaded {
				t.Errorf("%s at t = %g: shaded %v, expected %v", panel.name, x, got, shaded)
			}
		}
	}
}

func TestPanelsShareTheirTime(t *testing.T) {
	_, drag, lift := history([]Forces{shedding("cylinder", 600, 141, 0)}, noWindow)
	if drag.data.Min.X != lift.data.Min.X || drag.data.Max.X != lift.data.Max.X || drag.data.Min.Y <= lift.data.Max.Y {
		t.Errorf("drag panel %v, lift panel %v: expected one above the other", drag.data, lift.data)
	}
}

func TestHistoriesOfAnyShapeAreDrawn(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	constant := Forces{Name: "constant", T: []float64{0, 1, 2}, Cd: []float64{2, 2, 2}, Cl: []float64{0, 0, 0}}
	for name, c := range map[string]struct {
		bodies []Forces
		ink    bool
	}{
		"one point":       {[]Forces{{"a", []float64{1}, []float64{2}, []float64{0.1}, false}}, true},
		"constant":        {[]Forces{constant}, true},
		"gaps":            {[]Forces{{"a", []float64{0, 1, 2, 3, 4}, []float64{1, nan, 3, nan, 5}, []float64{nan, 1, 2, inf, 3}, false}}, true},
		"time with NaN":   {[]Forces{{"a", []float64{0, nan, 2}, []float64{1, 2, 3}, []float64{1, 2, 3}, false}}, true},
		"two at one time": {[]Forces{{"a", []float64{1, 1}, []float64{1, 2}, []float64{1, 2}, false}}, true},
		"diverged":        {[]Forces{{"a", []float64{0, 1, 2, 3}, []float64{1, 1.1, 1e200, inf}, []float64{0, 0.1, -1e300, nan}, false}}, true},
		"only NaN":        {[]Forces{{"a", []float64{0, 1}, []float64{nan, nan}, []float64{nan, nan}, false}}, false},
		"no samples":      {[]Forces{{Name: "a"}}, false},
		"no bodies":       {nil, false},
	} {
		p, drag, lift := history(c.bodies, noWindow)
		for _, panel := range []*panel{drag, lift} {
			if got := p.inked(panel.data, lineColors[0]) > 0; got != c.ink {
				t.Errorf("%s, %s: a line is drawn: %v, expected %v", name, panel.name, got, c.ink)
			}
		}
	}
}

func TestWindowOutsideTheHistoryShadesNothing(t *testing.T) {
	h := shedding("cylinder", 100, 1.41, 0)
	for _, window := range [][2]float64{{200, 300}, {50, 50}, {1, math.NaN()}, {math.NaN(), 100}} {
		p, drag, _ := history([]Forces{h}, window)
		if n := p.inked(drag.data, windowColor); n > 0 {
			t.Errorf("window %v: %d pixels are shaded", window, n)
		}
	}
}

func TestSingleSampleOfALongHistoryIsNotLost(t *testing.T) {
	const n = 200_000
	h := Forces{T: make([]float64, n), Cd: make([]float64, n), Cl: make([]float64, n)}
	for i := range n {
		h.T[i] = float64(i)
	}
	h.Cd[150_001] = 1 // one sample of a thousand that share a pixel
	p, drag, _ := history([]Forces{h}, noWindow)
	area := drag.data
	area.Min.Y = drag.at(0, 0.5).Y
	if p.inked(area, lineColors[0]) == 0 {
		t.Error("the peak of one sample is not drawn")
	}
}

func TestLegendNamesSeveralBodies(t *testing.T) {
	var bodies []Forces
	for range 30 {
		bodies = append(bodies, shedding("a rather long name of a body, longer than a legend can hold "+strings.Repeat("x", 200), 20, 1, 0))
	}
	head := header{title: "Array"}
	for i, b := range bodies {
		head.legend = append(head.legend, entry{name: b.Name, line: true, look: look{index: i}})
	}
	rows := head.rows(300)
	total := 0
	for _, row := range rows {
		var width vg.Length
		for _, e := range row {
			width += e.width() + entryGap
			total++
		}
		if width > 300+entryGap {
			t.Errorf("a row of the legend is %g wide, more than 300", width)
		}
	}
	if last := rows[len(rows)-1]; total != maxEntries || last[len(last)-1].name != "… and 17 more" {
		t.Errorf("%d entries, the last %q: expected %d and a count of the rest", total, last[len(last)-1].name, maxEntries)
	}
}

func TestBadHistoryIsRefusedBeforeWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forces.png")
	checkRefused(t, "lengths", path, ForceHistory(path, "", []Forces{{"a", []float64{1, 2}, []float64{1}, []float64{1, 2}, false}}, noWindow))
	checkRefused(t, "window", path, ForceHistory(path, "", nil, [2]float64{2, 1}))
}

// A body whose drag is along another axis than x has no drag or lift in these panels: they
// are named by their axes, for all bodies of the picture, and in the note of what is cut off.
func TestHistoriesOfBodiesThatHeadAsideAreNamedByAxes(t *testing.T) {
	falling, along := shedding("disc", 3000, 1.41, 0), shedding("cylinder", 3000, 1.41, 0)
	falling.ByAxes = true
	many := make([]Forces, MostCurves+2)
	for i := range many {
		many[i] = shedding("disc", 100, 1, 0)
	}
	many[MostCurves].ByAxes = true
	_, _, edges := bundled(many)
	for name, c := range map[string]struct {
		bodies []Forces
		names  [2]string
		subs   [2]string
	}{
		"none":           {[]Forces{along}, [2]string{"Cd", "Cl"}, [2]string{"d", "l"}},
		"all":            {[]Forces{falling}, [2]string{"Cx", "Cy"}, [2]string{"x", "y"}},
		"one of two":     {[]Forces{along, falling}, [2]string{"Cx", "Cy"}, [2]string{"x", "y"}},
		"one of a dozen": {edges, [2]string{"Cx", "Cy"}, [2]string{"x", "y"}},
	} {
		upper, lower := historyPanels(c.bodies, noWindow)
		if got := [2]string{upper.name, lower.name}; got != c.names {
			t.Errorf("%s: panels %v, want %v", name, got, c.names)
		}
		if got := [2]label{upper.y.label, lower.y.label}; got != [2]label{{"coefficient along x  C", c.subs[0]}, {"coefficient along y  C", c.subs[1]}} {
			t.Errorf("%s: axes %v, want the subscripts %v", name, got, c.subs)
		}
		if note := clippedNote(upper, lower); name != "one of a dozen" && !strings.Contains(note, c.names[0]+" to 31") {
			t.Errorf("%s: note %q of the spike does not name %s", name, note, c.names[0])
		}
	}
	if byAxes, byDrag := drawHistory("", []Forces{falling}, noWindow).img.(*image.RGBA), drawHistory("", []Forces{along}, noWindow).img.(*image.RGBA); bytes.Equal(byAxes.Pix, byDrag.Pix) {
		t.Error("the picture does not tell axes from drag and lift")
	}
}
