package plot

import (
	"fmt"
	"image"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// many are sinusoids that differ in phase, one of them far off.
func many(n int) (x []float64, curves [][]float64) {
	for j := range 200 {
		x = append(x, 0.05*float64(j))
	}
	for i := range n {
		y := make([]float64, len(x))
		for j, t := range x {
			y[j] = math.Sin(t + 6*float64(i)/float64(n))
			if i == n/2 {
				y[j] += 20
			}
		}
		curves = append(curves, y)
	}
	return x, curves
}

func TestABundleHoldsAllCurvesAndItsMedianIsInTheMiddle(t *testing.T) {
	x, curves := many(60)
	all := Bundle("bodies", x, curves)
	if all[0].Name != "all 60 bodies" || len(all) != 3 {
		t.Fatalf("%d lines, the first named %q", len(all), all[0].Name)
	}
	for j := range x {
		below, inside := 0, 0
		for _, y := range curves {
			if y[j] < all[0].Low[j] || y[j] > all[0].Y[j] {
				t.Fatalf("x = %g: %g is outside %g … %g", x[j], y[j], all[0].Low[j], all[0].Y[j])
			}
			if y[j] < all[2].Y[j] {
				below++
			}
			if y[j] >= all[1].Low[j] && y[j] <= all[1].Y[j] {
				inside++
			}
		}
		if below < 28 || below > 31 || inside < 47 || inside > 50 { // to a curve
			t.Fatalf("x = %g: %d of 60 are below the median, %d in the inner area", x[j], below, inside)
		}
	}
	nan := math.NaN()
	gaps := Bundle("bodies", []float64{0, 1, 2}, [][]float64{{1, nan, 3}, {2, nan}})
	if gaps[0].Low[0] != 1 || gaps[0].Y[0] != 2 || !math.IsNaN(gaps[2].Y[1]) || gaps[2].Y[2] != 3 {
		t.Errorf("curves with gaps give %+v", gaps)
	}
}

// The far one of many bodies does not press the others flat.
func TestForcesOfManyBodiesAreABundle(t *testing.T) {
	x, curves := many(60)
	bodies := make([]Forces, len(curves))
	for i, y := range curves {
		bodies[i] = Forces{Name: fmt.Sprint("disc-", i), T: x, Cd: y, Cl: y}
	}
	p := picture{RGBA: drawHistory("many", bodies, noWindow).img.(*image.RGBA)}
	_, _, edges := bundled(bodies)
	drag, lift := historyPanels(edges, noWindow)
	stack(&drag.axes, &lift.axes, 40)
	outer, inner, median := p.inked(drag.data, areaColors[0]), p.inked(drag.data, areaColors[1]), p.inked(drag.data, lineColors[0])
	if outer == 0 || inner == 0 || median == 0 {
		t.Errorf("%d pixels of all, %d of four fifths, %d of the median", outer, inner, median)
	}
	few := picture{RGBA: drawHistory("few", bodies[:MostCurves], noWindow).img.(*image.RGBA)}
	if n := few.inked(drag.data, areaColors[0]); n > 0 {
		t.Errorf("%d bodies are drawn as an area", MostCurves)
	}
	if err := ForceHistory(filepath.Join(t.TempDir(), "many.png"), "many", bodies, noWindow); err != nil {
		t.Error(err)
	}
}

func TestASelectionTellsWhatItLeavesOut(t *testing.T) {
	x, curves := many(60)
	var lines []Line
	for i, y := range curves {
		lines = append(lines, Line{Name: fmt.Sprint("disc-", i), X: x, Y: y})
	}
	some := Selection("bodies", lines)
	var names []string
	for _, e := range legendOf(some, false) {
		names = append(names, e.name)
	}
	if len(some) != 60 || len(names) != MostCurves+1 || names[0] != "the other 50 bodies" || names[1] != "disc-0" || names[MostCurves] != "disc-59" {
		t.Errorf("%d lines with the legend %s", len(some), strings.Join(names, ", "))
	}
	a := &axes{}
	if err := a.fit(some); err != nil {
		t.Fatal(err)
	}
	p := picture{RGBA: a.drawLines("", some).img.(*image.RGBA)}
	if p.inked(a.data, faintStyle.Color) == 0 || p.inked(a.data, lineColors[0]) == 0 {
		t.Error("the selection or the others are not drawn")
	}
	if few := Selection("bodies", lines[:MostCurves]); len(few) != MostCurves || few[0].Faint {
		t.Errorf("of %d lines some are left out", MostCurves)
	}
}
