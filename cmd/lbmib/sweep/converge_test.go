package sweep

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/tunnel"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
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

// The case's resolution is the finest, the others are whole numbers; where one of these is not accepted the nearest is taken that is, and told.
func TestGridsOfAConvergenceStudy(t *testing.T) {
	refused := errors.New("its cells do not fill the domain")
	multiples := func(of float64) func(at float64) error {
		return func(at float64) error {
			if math.Mod(at, of) != 0 {
				return refused
			}
			return nil
		}
	}
	for _, c := range []struct {
		finest float64
		n      int
		of     float64
		want   string // resolutions, or a part of the error
		told   bool
	}{
		{20, 3, 1, "10 14 20", false},
		{24, 3, 1, "12 17 24", false},
		{20, 3, 4, "12 16 20", true},
		{16, 3, 4, "8 12 16", true},
		{32, 4, 8, "1.2 to 1.7 times coarser than that of 16, and the case accepts none (11: its cells do not fill the domain): take reference.resolution = 40, which has 32, 24 and 16, or ask for --converge 3", false},
		{32, 3, 8, "16 24 32", true},
		{7, 3, 1, "end at 3, must be at least 4", false},
		{8, 3, 4, "coarser than that of 5, and the case accepts none (4: its cells do not fill the domain): take reference.resolution = 10, which has 8 and 5", false},
		{9.5, 3, 1, "5 7 9.5", false},
	} {
		accepts := multiples(c.of)
		if c.finest == 8 {
			accepts = func(at float64) error {
				if at < 8 && at != 5 {
					return refused
				}
				return nil
			}
		}
		of := &casefile.Case{}
		of.Reference.Resolution = c.finest
		a, note, err := GridAxis(of, c.n, accepts)
		got := strings.Join(a.Values, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) || (note != "") != c.told || err == nil && got != c.want {
			t.Errorf("%d grids from %v: %s (%s), want %s", c.n, c.finest, got, note, c.want)
		}
		if c.told && !strings.Contains(note, "(its cells do not fill the domain)") {
			t.Errorf("%d grids from %v do not say why: %s", c.n, c.finest, note)
		}
	}
}

// On nested grids the coarsest cells fill the domain at few resolutions only: a cylinder's, and those of a part in a tunnel.
func TestGridsOfAConvergenceStudyFillNestedDomains(t *testing.T) {
	gem, err := os.ReadFile("../../../cases/templates/gem.stl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	surface, file := filepath.Join(dir, "gem.stl"), filepath.Join(dir, "gem.toml")
	if err := os.WriteFile(surface, gem, 0o600); err != nil {
		t.Fatal(err)
	}
	air, _ := tunnel.FindFluid("air")
	made, err := tunnel.New(tunnel.Part{File: surface, Unit: "1 mm", Speed: "10 m/s", Fluid: air, Case: file, Nodes: 16})
	if err != nil {
		t.Fatal(err)
	}
	c, err := casefile.Parse(file, []byte(made.Text("")), nil)
	if err != nil {
		t.Fatal(err)
	}
	on, set, _, err := check.WithGrids(c)
	if err != nil || set == "" {
		t.Fatalf("no nested grids: %v", err)
	}
	if err := os.WriteFile(file, []byte(made.Text(check.RefineText(on))), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"../../../cases/refined-cylinder.toml": "12 16 20", file: "8 12 16"} {
		c, err := casefile.Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, note, err := GridAxis(c, 3, Accepts(path, nil, false, setup.Kernel{}))
		if err != nil || strings.Join(a.Values, " ") != want || !strings.Contains(note, "do not fill") {
			t.Errorf("%s: %v (%s), %v, want %s", path, a.Values, note, err, want)
		}
	}
}

// The uncertainty is by the ratios that the grids have, not by √2: of second order whatever they are.
func TestUncertaintiesAreByTheRatiosOfTheGrids(t *testing.T) {
	for _, grids := range [][]float64{{12, 16, 20}, {8, 12, 16}, {16, 24, 32}, {8, 12, 20}, {10, 12, 20}} {
		var c Convergence
		for _, n := range grids {
			c.Values = append(c.Values, finite.Number(3+40/n/n))
		}
		c.richardson(grids)
		off := 40 / grids[2] / grids[2]
		if math.Abs(float64(c.Order)-2) > 1e-6 || math.Abs(float64(c.Extrapolate)-3) > 1e-8 || math.Abs(float64(c.Uncertainty)-1.25*off) > 1e-8 {
			t.Errorf("%v: %+v, want order 2 and ± %v", grids, c, 1.25*off)
		}
	}
}

// studied is what runs on three grids tell of a body: its mean drag and amplitudes from the coarsest grid on, and its Strouhal number on the finest.
func studied(t *testing.T, drag, amplitude [3]float64, strouhal float64) (*Converged, string) {
	t.Helper()
	d := &Document{Case: "rod"}
	for i, n := range []string{"10", "14", "20"} {
		r := Run{Values: map[string]string{ResolutionKey: n}, Status: "done", quantities: []Quantity{
			{Of: "rod", Name: "cd_mean", Value: finite.Number(drag[i])}, {Of: "rod", Name: "cd_amplitude", Value: finite.Number(amplitude[i])},
			{Of: "rod", Name: "cl_mean", Value: 0}, {Of: "rod", Name: "cl_amplitude", Value: finite.Number(amplitude[i] / 2)},
			{Of: "rod", Name: "strouhal", Value: finite.Number(math.NaN())},
		}}
		if i == 2 && strouhal > 0 {
			r.quantities[4].Value = finite.Number(strouhal)
		}
		d.Runs = append(d.Runs, r)
	}
	c, err := (&Plan{Dir: t.TempDir()}).Converge(d, "of the grids")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := c.WriteTable(&b, 0); err != nil {
		t.Fatal(err)
	}
	return c, b.String()
}

// An order above that of the method is marked, and said below the table and in the notes; one of 2 is not.
func TestAnOrderAboveTheMethodsIsTold(t *testing.T) {
	law := func(p float64) (drag [3]float64) {
		for i, n := range []float64{10, 14, 20} {
			drag[i] = 3 + 4*math.Pow(n/10, -p)
		}
		return drag
	}
	for p, high := range map[float64]bool{1: false, 2: false, 2.004: false, 2.81: true, 5.08: true, 13.72: true} {
		c, text := studied(t, law(p), [3]float64{0, 0, 0}, 0)
		printed := strconv.FormatFloat(p, 'f', 2, 64) + "*"
		noted := slices.ContainsFunc(c.Notes, func(n string) bool {
			return strings.HasPrefix(n, "* rod cd_mean: an order above 2, which the method does not have")
		})
		if strings.Contains(text, printed) != high || strings.Contains(text, "order above 2") != high || noted != high {
			t.Errorf("of order %v it says %q and\n%s", p, c.Notes, text)
		}
		if c.Notes[0] != "of the grids" {
			t.Errorf("what was taken is not said first: %q", c.Notes)
		}
	}
}

// Amplitudes are those of a flow that swings on some grid: what is left of the start is none.
func TestAmplitudesOfSteadyFlowsAreNotTold(t *testing.T) {
	drag := [3]float64{1.5, 1.45, 1.42}
	for _, c := range []struct {
		amplitude [3]float64
		strouhal  float64
		told      bool
	}{
		{[3]float64{0.004, 0.003, 0.002}, 0, false},
		{[3]float64{0.004, 0.003, 0.002}, 0.16, true}, // begins to shed on the finest
		{[3]float64{0.004, 0.003, 0.2}, 0, true},
		{[3]float64{0.3, 0.25, 0.2}, 0.16, true},
	} {
		of, text := studied(t, drag, c.amplitude, c.strouhal)
		for _, name := range []string{"cd_amplitude", "cl_amplitude"} {
			told := slices.ContainsFunc(of.Quantities, func(q Convergence) bool { return q.Name == name })
			if told != c.told || strings.Contains(text, name) != c.told {
				t.Errorf("%v, St %v: %s is told: %v, want %v\n%s", c.amplitude, c.strouhal, name, told, c.told, text)
			}
		}
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
