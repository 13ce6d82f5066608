package run

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// drifting is a record of 320 rows, the row of t = (k+1)/40 L/U at k, that rises evenly from −1 to 1 from t = 4 on. These 161 rows make 8 blocks of 20, whose means rise by
// d = 1/4, deviate by d √(42/7) and have the correlation 26.25/42 + 1/8 = 3/4 of neighbours: with Student's t of 7 degrees of freedom, 2.3646, the half width of the interval of the
// mean is 2.3646 d √6/√8 √(1.75/0.25) = 1.35449. Before it is higher: over the whole of it the half width is several times that.
func drifting(k int) float64 {
	if k < 159 {
		return 10
	}
	return float64(k-239) / 80
}

// driftingHalf is the half width of its interval.
const driftingHalf = 1.354495

// What summary.json says of records whose statistics are known, over the window from t = 4 on that the case asks for. A record that stands still there has the half width 0. From in to
// out, which drift together, the pressure falls by 0.75 ρU²; the flow along y is downwards, so that it passes high first and falls by 0.6 ρU² to low.
func TestSectionsTellThePressureDropAndHowFarTheirMeansAreKnown(t *testing.T) {
	p := setuptest.Problem(t, channelCase, "output.sections.2.name=low", "output.sections.2.axis=y", "output.sections.2.at=0.25", "output.sections.2.every=0.1",
		"output.sections.3.name=high", "output.sections.3.axis=y", "output.sections.3.at=0.75", "output.sections.3.every=0.1")
	state := observe.NewState[float64](p)
	state.Dir = rundir.Dir{Path: t.TempDir()}
	sections, probes := new(strings.Builder), new(strings.Builder)
	fmt.Fprintln(sections, "t,step,section,flow_rate,u,v,p,area")
	fmt.Fprintln(probes, "t,step,probe,rho,u,v,p")
	for k := range 320 {
		s, at, before := drifting(k), 0.025*float64(k+1), 0.
		if k < 159 {
			before = 3
		}
		for _, of := range []struct {
			name              string
			flow, drift       float64
			pressure, drifted float64
		}{{"in", 2, 0.3, 1.5, 0.1}, {"out", 2, 0.3, 0.75, 0.1}, {"low", -1, 0.2, 0.4, 0}, {"high", -1.5, 0, 1, 0}} {
			fmt.Fprintf(sections, "%v,%d,%s,%v,0,0,%v,1\n", at, k+1, of.name, of.flow+of.drift*s+before, of.pressure+of.drifted*s+before)
		}
		fmt.Fprintf(probes, "%v,%d,middle,1,%v,%v,%v\n", at, k+1, 1+0.05*s, -0.02*s, 0.5+0.4*s)
	}
	for name, text := range map[string]*strings.Builder{"sections.csv": sections, "probes.csv": probes} {
		if err := os.WriteFile(state.Dir.File(name), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var s Summary
	if err := (&results[float64]{State: &state}).sampleStatistics(&s); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(&s)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Sections, Probes map[string]map[string]any
	}
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	const half = driftingHalf
	for name, want := range map[string]map[string]any{
		"in":   {"pressure_drop_mean": nil, "flow_rate_interval": 0.3 * half, "pressure_interval": 0.1 * half},
		"out":  {"pressure_drop_mean": 0.75, "flow_rate_interval": 0.3 * half, "pressure_interval": 0.1 * half},
		"low":  {"pressure_drop_mean": 0.6, "flow_rate_interval": 0.2 * half, "pressure_interval": 0., "pressure_mean": 0.4},
		"high": {"pressure_drop_mean": nil, "flow_rate_interval": 0., "pressure_interval": 0., "flow_rate_mean": -1.5, "pressure_mean": 1.},
	} {
		compareNumbers(t, "section "+name, told.Sections[name], want)
	}
	compareNumbers(t, "probe", told.Probes["middle"], map[string]any{"velocity_interval": []any{0.05 * half, 0.02 * half}, "pressure_interval": 0.4 * half})
}

// Ports of a vessel likewise, of a record that drifts about known means from t = 4 on: 2 UL² enter by one at 1.5 ρU² and leave by two others at 0.75 and 0.25 ρU². The window is found from the
// pressure, and amplitudes are half of what it holds.
func TestPortsTellMeansOfTheWindowAndHowFarTheyAreKnown(t *testing.T) {
	p := setuptest.Problem(t, channelCase)
	p.Case.Ports = []casefile.Port{{Name: "in"}, {Name: "left"}, {Name: "right"}}
	state := observe.NewState[float64](p)
	state.Dir = rundir.Dir{Path: t.TempDir()}
	ports := new(strings.Builder)
	fmt.Fprintln(ports, "t,step,port,flow_rate,p,wall_flow_rate")
	for k := range 320 {
		s, at := drifting(k), 0.025*float64(k+1)
		fmt.Fprintf(ports, "%v,%d,in,%v,%v,0\n%v,%d,left,%v,%v,0\n%v,%d,right,%v,%v,0\n", at, k+1, 2+0.4*s, 1.5+0.2*s, at, k+1, -1.5+0.3*s, 0.75+0.1*s, at, k+1, -0.5+0.1*s, 0.25+0.05*s)
	}
	if err := os.WriteFile(state.Dir.File("ports.csv"), []byte(ports.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var s Summary
	if err := (&results[float64]{State: &state}).portStatistics(&s); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s.Ports)
	if err != nil {
		t.Fatal(err)
	}
	var told map[string]map[string]any
	if err := json.Unmarshal(text, &told); err != nil {
		t.Fatal(err)
	}
	const half = driftingHalf
	window := []any{4., 8.}
	for name, want := range map[string]map[string]any{
		"in": {"window": window, "flow_rate_mean": 2., "flow_rate_amplitude": 0.4, "flow_rate_interval": 0.4 * half, "pressure_mean": 1.5, "pressure_amplitude": 0.2, "pressure_interval": 0.2 * half, "pressure_drop_mean": nil},
		"left": {"window": window, "flow_rate_mean": -1.5, "flow_rate_amplitude": 0.3, "flow_rate_interval": 0.3 * half, "pressure_mean": 0.75, "pressure_amplitude": 0.1,
			"pressure_interval": 0.1 * half, "pressure_drop_mean": 0.75},
		"right": {"window": window, "flow_rate_mean": -0.5, "flow_rate_amplitude": 0.1, "flow_rate_interval": 0.1 * half, "pressure_mean": 0.25, "pressure_amplitude": 0.05,
			"pressure_interval": 0.05 * half, "pressure_drop_mean": 1.25},
	} {
		compareNumbers(t, "port "+name, told[name], want)
	}
}

// The interval of the mean drag is that of its window, too.
func TestTheMeanDragIsKnownOverItsWindow(t *testing.T) {
	p := setuptest.Problem(t, setuptest.StreamCase, "output.statistics.from=4")
	state := observe.NewState[float64](p)
	state.Dir = rundir.Dir{Path: t.TempDir()}
	forces := new(strings.Builder)
	fmt.Fprintln(forces, "t,step,body,fx,fy,tx,ty,tz,cd,cl,slip_max,cv_fx,cv_fy,recirculation")
	for k := range 320 {
		drag := 1.5 + 0.2*drifting(k)
		fmt.Fprintf(forces, "%v,%d,rod,%v,0,0,0,0,%v,0,0,%v,0,0\n", 0.025*float64(k+1), k+1, drag, drag, drag)
	}
	if err := os.WriteFile(state.Dir.File("forces.csv"), []byte(forces.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	s := Summary{Bodies: map[string]BodySummary{}}
	if err := (&results[float64]{State: &state, ending: &ending{}, clock: &clock{}}).bodyStatistics(&s); err != nil {
		t.Fatal(err)
	}
	b := s.Bodies["rod"]
	if b.Window[0] != 4 || b.Window[1] != 8 || !near(float64(b.CdInterval), 0.2*driftingHalf) {
		t.Errorf("over the window %v the mean drag is known to ±%v, want ±%v from 4 to 8", b.Window, b.CdInterval, 0.2*driftingHalf)
	}
}

// compareNumbers compares what JSON says with numbers, lists of them, or null.
func compareNumbers(t *testing.T, of string, got, want map[string]any) {
	t.Helper()
	for name, w := range want {
		g, there := got[name]
		ok := there
		switch w := w.(type) {
		case nil:
			ok = ok && g == nil
		case float64:
			ok = ok && near(g, w)
		case []any:
			list, _ := g.([]any)
			ok = ok && len(list) == len(w)
			for i := range min(len(list), len(w)) {
				ok = ok && near(list[i], w[i].(float64))
			}
		}
		if !ok {
			t.Errorf("%s: %s is %v, want %v", of, name, g, w)
		}
	}
}

// near tells whether what JSON says is a number within the five digits that are given.
func near(got any, want float64) bool {
	x, is := got.(float64)
	return is && math.Abs(x-want) <= 1e-12+2e-5*math.Abs(want)
}

// Sections, ports and probes are told alike: means with what they are known to, where the digits show it, pressure drops, the same in SI (L is 1 cm, U 0.5 m/s, ρ 900 kg/m³: 225 Pa
// to ρU²), the window, and whether they have converged.
func TestSectionsPortsAndProbesAreToldAlike(t *testing.T) {
	nothing := finite.Number(math.NaN())
	window := [2]finite.Number{4, 8}
	s := Summary{
		Sections: map[string]SectionSummary{
			"in":  {FlowRate: 2, FlowRateInterval: 0.015, Velocity: []finite.Number{0.5, 0}, Pressure: 1.5, PressureInterval: 0.02, PressureDrop: nothing, Window: window, Converged: true},
			"out": {FlowRate: 2, FlowRateInterval: 1e-5, Velocity: []finite.Number{0.5, 0}, Pressure: 0.75, PressureInterval: nothing, PressureDrop: 0.75, Window: window},
		},
		Ports: map[string]PortSummary{
			"inlet":  {FlowRate: 2, FlowRateInterval: 0.015, Pressure: 1.5, PressureInterval: 0.02, PressureDrop: nothing, Window: window, Converged: true},
			"outlet": {FlowRate: -2, FlowRateInterval: nothing, Pressure: 0.75, PressureInterval: 0.01, PressureDrop: 0.75, Window: window, Cells: &PortCells{}},
		},
		Probes: map[string]ProbeSummary{"wake": {Velocity: []finite.Number{0.5, -0.25}, VelocityInterval: []finite.Number{0.01, 0.02}, Pressure: 0.2, PressureInterval: 0.003, Window: window, Converged: true}},
	}
	told := func(u casefile.Units) string {
		s.units = u
		b := new(strings.Builder)
		s.writeSamples(b)
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for _, c := range []struct {
		units casefile.Units
		lines []string
	}{
		{casefile.Units{Dim: 2}, []string{
			"section in: flow rate 2 ± 0.015 UL, mean velocity (0.500, 0.000) U, pressure 1.5 ± 0.02 ρU², over 4–8 L/U section",
			"section out: flow rate 2 UL, mean velocity (0.500, 0.000) U, pressure 0.75 ρU², 0.75 ρU² below the first section's, over 4–8 L/U, not converged port",
			"port inlet: flow rate 2 ± 0.015 UL² into the vessel, pressure 1.5 ± 0.02 ρU², over 4–8 L/U port",
			"port outlet: flow rate −2 UL² into the vessel, pressure 0.75 ± 0.01 ρU², 0.75 ρU² below the inlet's, over 4–8 L/U, not converged; ",
			"probe wake: mean velocity (0.500, -0.250) ± 0.02 U, pressure 0.2 ± 0.003 ρU², over 4–8 L/U",
		}},
		{casefile.Units{Dim: 3, Length: 0.01, Speed: 0.5, Density: 900}, []string{
			"pressure 1.5 ± 0.02 ρU² = 0.0001 m^3/s, (0.25, 0) m/s, 337.5 Pa, over 4–8 L/U section",
			"pressure 0.75 ρU², 0.75 ρU² below the first section's = 0.0001 m^3/s, (0.25, 0) m/s, 168.8 Pa, 168.8 Pa below, over",
			"0.75 ρU² below the inlet's = -0.0001 m^3/s, 168.8 Pa, 168.8 Pa below, over",
			"pressure 0.2 ± 0.003 ρU² = (0.25, -0.125) m/s, 45 Pa, over",
		}},
	} {
		text := told(c.units)
		for _, line := range c.lines {
			if !strings.Contains(text, line) {
				t.Errorf("%q is missing in\n%s", line, text)
			}
		}
	}
}
