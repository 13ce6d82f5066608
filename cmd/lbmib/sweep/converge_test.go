package sweep

import (
	"math"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
)

// Celik et al.'s first example (Table 1, φ = dimensionless reattachment length): 18000, 8000 and 4500 cells in the plane, 6.063, 5.972 and
// 5.863: p = 1.53, extrapolated 6.1685, uncertainty 2.2 % of 6.063. Others are made of a known order.
func TestUncertaintiesAreThoseOfThePaper(t *testing.T) {
	at := func(nodes []float64, of func(h float64) float64) (c Convergence) {
		for _, n := range nodes {
			c.Values = append(c.Values, finite.Number(of(1/n)))
		}
		c.richardson(nodes)
		return c
	}
	celik := Convergence{Values: []finite.Number{5.863, 5.972, 6.063}}
	celik.richardson([]float64{math.Sqrt(4500), math.Sqrt(8000), math.Sqrt(18000)})
	if math.Abs(float64(celik.Order)-1.53) > 0.01 || math.Abs(float64(celik.Extrapolate)-6.1685) > 0.001 || math.Abs(float64(celik.Uncertainty)/6.063-0.022) > 0.0005 || celik.Behaviour != "monotone" {
		t.Errorf("the paper's example is %+v", celik)
	}
	grids := []float64{10, 14, 20}
	second := at(grids, func(h float64) float64 { return 3 + 40*h*h })
	if math.Abs(float64(second.Order)-2) > 1e-6 || math.Abs(float64(second.Extrapolate)-3) > 1e-9 || math.Abs(float64(second.Uncertainty)-1.25*0.1) > 1e-9 {
		t.Errorf("of second order: %+v", second)
	}
	third := at(grids, func(h float64) float64 { return 3 + 40*h*h*h }) // which is not trusted
	if math.Abs(float64(third.Order)-3) > 1e-6 || !(float64(third.Uncertainty) > 1.25*40/8000) {
		t.Errorf("of third order: %+v", third)
	}
	for behaviour, of := range map[string]func(h float64) float64{
		"oscillating":                      func(h float64) float64 { return 1 + h*h + 0.05*math.Cos(math.Pi/2/h*0.25) },
		"without order":                    func(h float64) float64 { return 1 - math.Log(h) },
		"equal":                            func(float64) float64 { return 2 },
		"without order, the finer alike":   func(h float64) float64 { return map[bool]float64{true: 2, false: 3}[h < 0.08] },
		"without order, the coarser alike": func(h float64) float64 { return map[bool]float64{true: 2, false: 3}[h < 0.06] },
	} {
		c := at(grids, of)
		behaviour, _, _ := strings.Cut(behaviour, ",")
		if c.Behaviour != behaviour || finite.Is(float64(c.Order)) || finite.Is(float64(c.Extrapolate)) {
			t.Errorf("%s: %+v", behaviour, c)
		}
		if spread := math.Abs(float64(c.Values[2] - c.Values[1])); behaviour != "equal" && float64(c.Uncertainty) < 3*spread {
			t.Errorf("%s: ± %v with a spread of %v", behaviour, c.Uncertainty, spread)
		}
	}
}

// The case's resolution is the finest, the others are whole numbers.
func TestGridsOfAConvergenceStudy(t *testing.T) {
	c := &casefile.Case{}
	c.Reference.Resolution = 20
	a, err := GridAxis(c, 3)
	if err != nil || a.Key != "reference.resolution" || len(a.Values) != 3 || a.Values[0] != "10" || a.Values[1] != "14" || a.Values[2] != "20" {
		t.Errorf("%+v, %v", a, err)
	}
	c.Reference.Resolution = 7
	if _, err := GridAxis(c, 3); err == nil {
		t.Error("3.5 nodes per L are no error")
	}
}

// The files that are named are those that are written: without quantities there is no picture.
func TestFilesOfAConvergenceStudy(t *testing.T) {
	for _, c := range []Converged{{}, {Quantities: []Convergence{{Of: "part", Name: "drag"}}}} {
		var b strings.Builder
		if err := c.WriteTable(&b, 0); err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(b.String(), "converge.png"); has != (len(c.Quantities) > 0) {
			t.Errorf("of %d quantities it says\n%s", len(c.Quantities), b.String())
		}
	}
}
