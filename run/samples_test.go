package run

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// What summary.json says of records whose statistics are known. A record of 320 rows swings by ±d about its mean every five rows: these are 64 blocks whose means
// differ by d from that of all and whose neighbours go against each other, so that the standard deviation is d √(64/63), and with Student's t of 63 degrees of freedom,
// 1.9983, the half width of the interval is 1.9983 d/√63 = 0.25176 d. A record that stands still has the half width 0. From in to out, which swing together, the
// pressure falls by 0.75 ρU²; the flow along y is downwards, so that it passes high first and falls by 0.6 ρU² to low.
func TestSectionsTellThePressureDropAndHowFarTheirMeansAreKnown(t *testing.T) {
	p := setuptest.Problem(t, channelCase, "output.sections.2.name=low", "output.sections.2.axis=y", "output.sections.2.at=0.25", "output.sections.2.every=0.1",
		"output.sections.3.name=high", "output.sections.3.axis=y", "output.sections.3.at=0.75", "output.sections.3.every=0.1")
	state := observe.NewState[float64](p)
	state.Dir = rundir.Dir{Path: t.TempDir()}
	sections, probes := new(strings.Builder), new(strings.Builder)
	fmt.Fprintln(sections, "t,step,section,flow_rate,u,v,p,area")
	fmt.Fprintln(probes, "t,step,probe,rho,u,v,p")
	for k := range 320 {
		s, at := 1-2*float64(k/5%2), 0.025*float64(k+1)
		for _, of := range []struct {
			name            string
			flow, swing     float64
			pressure, swung float64
		}{{"in", 2, 0.3, 1.5, 0.1}, {"out", 2, 0.3, 0.75, 0.1}, {"low", -1, 0.2, 0.4, 0}, {"high", -1.5, 0, 1, 0}} {
			fmt.Fprintf(sections, "%v,%d,%s,%v,0,0,%v,1\n", at, k+1, of.name, of.flow+of.swing*s, of.pressure+of.swung*s)
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
	const half = 0.25176
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
