package sweep

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/run"
)

var none = finite.Number(math.NaN())

// full is a summary with one of everything.
func full(scale float64) *run.Summary {
	n := func(v float64) finite.Number { return finite.Number(v * scale) }
	three := []finite.Number{n(1), n(2), n(3)}
	window := [2]finite.Number{4, 9}
	motion := &run.MotionStatistics{VelocityMean: three[:2], SpinMean: n(0.5), PlaceAmplitude: three[:2], Frequency: n(0.2), MotionWindow: window}
	rod := run.BodySummary{
		CdMean: n(1.4), CdAmplitude: n(0.1), ClMean: n(0.01), ClAmplitude: n(0.3), ClRMS: n(0.2), Strouhal: n(0.16), RecirculationLength: n(2), SlipMax: n(0.01), ForceGap: n(1e-3),
		SlipGranted: n(0.1), WallSlip: n(0.02), DragError: n(0.03), CdInterval: n(0.004), Converged: true, Window: window, Heading: "-y", Along: n(1.3),
		ForceMean: three[:2], TorqueMean: n(0.4), SI: run.InSI{"force_mean_N_per_m": []any{scale * 10, scale * 20}, "velocity_mean_m_per_s": []any{scale * 0.5, scale}, "window_s": []any{0.4, 0.9}},
		MotionStatistics: motion, Oscillation: &run.OscillationSummary{
			KC: n(5), Beta: n(20), InVelocity: n(-1.8), InAcceleration: n(-2.9), AddedMass: n(1.1), Damping: n(0.9), Ca: n(1.45), Cd: n(2.09), CdWork: n(2.17), Periods: 4, Converged: true},
	}
	return &run.Summary{
		Status: "done", WallSeconds: 3.5, Bodies: map[string]run.BodySummary{"rod": rod},
		Cells:     map[string]run.CellSummary{"cell": {Velocity: three, Deformation: n(0.2), Inclination: n(0.6), Tread: n(7), TreadFrequency: n(0.05), AreaDrift: n(1e-3), VolumeDrift: n(-1e-4), Energy: n(3)}},
		Filaments: map[string]run.FilamentSummary{"line": {Tip: three[:2], Curvature: n(1), Tension: n(2), Strain: n(3), Energy: n(4)}},
		Sheets:    map[string]run.SheetSummary{"flag": {Tip: three, Curvature: n(1), Tension: n(2), Strain: n(3), Energy: n(4)}},
		Flow:      &run.FlowSummary{Speed: n(1), Force: n(2), Window: window},
		Sections: map[string]run.SectionSummary{"plane": {FlowRate: n(1), FlowRateInterval: n(0.1), Velocity: three[:2], Pressure: n(2), PressureAmplitude: n(0.3), PressureInterval: n(0.05), PressureDrop: n(0.7), Window: window, Converged: true,
			SI: run.InSI{"pressure_mean_Pa": scale * 500}}},
		Probes: map[string]run.ProbeSummary{"wake": {Velocity: three[:2], VelocityAmplitude: three[:2], VelocityInterval: three[:2], Pressure: n(1), PressureAmplitude: n(0.2), PressureInterval: n(0.01), Window: window, Converged: true}},
		Ports: map[string]run.PortSummary{"in": {FlowRate: n(2), FlowRateAmplitude: n(0.1), Pressure: n(1.5), PressureAmplitude: n(0.2), PressureDrop: none, Window: window},
			"out": {FlowRate: n(-2), FlowRateAmplitude: n(0.1), Pressure: n(0.5), PressureAmplitude: n(0.2), PressureDrop: n(1), Window: window, Converged: true}},
	}
}

func suspended(scale float64) *run.Summary {
	n := func(v float64) finite.Number { return finite.Number(v * scale) }
	return &run.Summary{Status: "done", Cells: map[string]run.CellSummary{"1": {Deformation: 1}},
		Suspension: &run.SuspensionSummary{Hematocrit: n(0.3), Velocity: []finite.Number{n(1), 0, 0}, Discharge: n(0.35), Ratio: n(0.9), FlowRate: n(2), Viscosity: n(1.6), Layer: n(0.1), AreaDrift: n(0.01), VolumeDrift: n(0.02), Gap: n(0.03), Window: [2]finite.Number{1, 2}, Converged: true}}
}

// runOf is a run of a summary as it is read back from its file.
func runOf(t *testing.T, s *run.Summary, resolution string) Run {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	back := &run.Summary{}
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	return Run{Name: resolution, Status: "done", Summary: back, Values: map[string]string{ResolutionKey: resolution}, values: []string{resolution}, quantities: quantitiesOf(back), entries: entriesOf(back)}
}

// What the catalogue names is in summary.json: every line of it finds a number where there is one of everything.
func TestEveryQuantityOfTheCatalogueIsInASummary(t *testing.T) {
	found := map[string]bool{}
	for _, s := range []*run.Summary{full(1), suspended(1)} {
		entries := entriesOf(s)
		for i := range catalogue {
			k := &catalogue[i]
			for _, e := range entries[k.group] {
				for _, q := range k.of(e) {
					if finite.Is(float64(q.Value)) {
						found[k.group+" "+k.key] = true
					}
				}
			}
		}
	}
	for _, k := range catalogue {
		if k.group != "" && !found[k.group+" "+k.key] {
			t.Errorf("no summary has %s of %s", k.key, k.group)
		}
	}
	if len(headings) < 30 || len(told) < 40 || len(pictured) < 15 || !slices.Contains(converging, "strouhal") {
		t.Errorf("%d headings, %d told, %d pictured, converging %q", len(headings), len(told), len(pictured), converging)
	}
}

// Columns stand where they stood; what came last is behind notes. What is no number is an empty cell.
func TestColumnsOfEverythingThatASummaryHas(t *testing.T) {
	r := runOf(t, full(1), "8")
	rod := r.Summary.Bodies["rod"]
	rod.Note, rod.Strouhal = "run longer", none
	r.Summary.Bodies["rod"] = rod
	r.quantities = quantitiesOf(r.Summary)
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Runs: []Run{r}}
	rows := rowsOf(t, d)
	at := func(column string) int {
		i := slices.Index(rows[0], column)
		if i < 0 {
			t.Fatalf("no column %s in %q", column, rows[0])
		}
		return i
	}
	before := -1
	for _, column := range []string{"rod.cd_mean", "rod.along_mean", "rod.slip_max", "rod.cd_error", "rod.vx_mean", "rod.spin_mean", "rod.y_amplitude", "rod.motion_frequency", "rod.cd_interval", "rod.converged", "rod.window_from", "rod.window_to",
		"flow.speed_mean", "plane.flow_rate_mean", "plane.p_mean", "plane.v_mean", "rod.note", "rod.added_mass_coefficient", "plane.converged", "cell.deformation", "cell.tread_frequency", "line.tip_y", "flag.tip_z", "in.flow_rate_mean", "out.pressure_drop_mean"} {
		if i := at(column); i <= before {
			t.Errorf("%s is column %d, before what it stood behind", column, i)
		} else {
			before = i
		}
	}
	for column, want := range map[string]string{"rod.strouhal": "", "rod.cd_interval": "0.004", "rod.converged": "1", "rod.window_from": "4", "rod.window_to": "9", "rod.note": "run longer", "rod.drag_coefficient": "2.09",
		"cell.inclination": "0.6", "out.pressure_drop_mean": "1", "in.converged": "0"} {
		if i := slices.Index(rows[0], column); i < 0 || rows[1][i] != want {
			t.Errorf("%s is %q, want %q", column, rows[1], want)
		}
	}
	var told strings.Builder
	if err := d.WriteTable(&told, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"known to ±", "window / (L/U)", "settled", "4–9", "Ca", "Morison's Cd", "inclination / rad", "| cell ", "| line "} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("%q is not in\n%s", want, told.String())
		}
	}
	if strings.Contains(told.String(), "St ") {
		t.Errorf("nothing sheds, yet there is a column of it:\n%s", told.String())
	}
}

// Suspensions are told by their means, vessels by their ports, in tables and with their numerical uncertainty.
func TestSuspensionsAndPortsConverge(t *testing.T) {
	for _, c := range []struct {
		of   func(scale float64) *run.Summary
		want []string // of and name
	}{
		{suspended, []string{"suspension relative_viscosity_mean", "suspension cell_free_layer_mean", "suspension hematocrit_mean"}},
		{full, []string{"cell deformation", "cell tread_frequency", "out pressure_drop_mean", "in flow_rate_mean", "rod added_mass_coefficient", "rod drag_coefficient", "rod cd_mean"}},
	} {
		p := &Plan{Dir: t.TempDir(), Axes: []Axis{{Key: ResolutionKey, Values: []string{"10", "20", "40"}}}}
		d := &Document{Over: p.Axes}
		for i, n := range p.Axes[0].Values {
			d.Runs = append(d.Runs, runOf(t, c.of(1+0.16/math.Pow(4, float64(i))), n))
		}
		out, err := p.Converge(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			i := slices.IndexFunc(out.Quantities, func(q Convergence) bool { return q.Of+" "+q.Name == want })
			if i < 0 {
				t.Errorf("%s has no uncertainty in %+v", want, out.Quantities)
				continue
			}
			if q := out.Quantities[i]; math.Abs(float64(q.Order)-2) > 1e-6 || q.Behaviour != "monotone" {
				t.Errorf("%s: %+v, want order 2", want, q)
			}
		}
		if orders := p.orders(d.Runs); len(orders) < 3 {
			t.Errorf("orders of %+v", orders)
		}
	}
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Runs: []Run{runOf(t, suspended(1), "8")}}
	var told strings.Builder
	if err := d.WriteTable(&told, 0); err != nil || !strings.Contains(told.String(), "relative viscosity") || !strings.Contains(told.String(), "1.6") || !strings.Contains(told.String(), "1–2") || strings.Contains(told.String(), " D ") {
		t.Errorf("%v\n%s", err, told.String())
	}
}

// What a summary has in SI is in columns behind all others, with the unit in their names, and in converge.csv.
func TestColumnsInSIAreBehindAllOthers(t *testing.T) {
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Runs: []Run{runOf(t, full(1), "8")}}
	rows := rowsOf(t, d)
	for column, want := range map[string]string{"rod.fx_mean_N_per_m": "10", "rod.fy_mean_N_per_m": "20", "rod.vx_mean_m_per_s": "0.5", "rod.window_from_s": "0.4", "rod.window_to_s": "0.9", "plane.p_mean_Pa": "500"} {
		if i := slices.Index(rows[0], column); i < len(rows[0])-7 || rows[1][i] != want {
			t.Errorf("%s is column %d of %d, %q, want %s at the end", column, i, len(rows[0]), rows[0], want)
		}
	}
	p := &Plan{Dir: t.TempDir(), Axes: []Axis{{Key: ResolutionKey, Values: []string{"10", "20", "40"}}}}
	d = &Document{Over: p.Axes}
	for i, n := range p.Axes[0].Values {
		d.Runs = append(d.Runs, runOf(t, full(1+0.16/math.Pow(4, float64(i))), n))
	}
	out, err := p.Converge(d)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(out.Quantities, func(q Convergence) bool { return q.Of == "rod" && q.Name == "fx_mean" })
	if i < 0 {
		t.Fatalf("no force in %+v", out.Quantities)
	}
	q := out.Quantities[i]
	if q.SI == nil || q.SI.Unit != "N/m" || math.Abs(float64(q.SI.Extrapolate)-10) > 1e-9 || math.Abs(float64(q.SI.Uncertainty/q.Uncertainty)-10) > 1e-9 {
		t.Errorf("in SI %+v of %+v, want 10 N/m of 1", q.SI, q)
	}
	text, err := os.ReadFile(filepath.Join(p.Dir, "converge.csv"))
	if err != nil || !strings.Contains(string(text), "behaviour,value_si,uncertainty_si,extrapolated_si,unit_si\n") || !strings.Contains(string(text), ",N/m\n") {
		t.Errorf("%v\n%s", err, text)
	}
	var told strings.Builder
	if err := out.WriteTable(&told, 0); err != nil || !strings.Contains(told.String(), "in SI") || !strings.Contains(told.String(), " N/m") {
		t.Errorf("%v\n%s", err, told.String())
	}
}

// A port and a section of one name have columns of their own, and so has a probe.
func TestWhatSharesANameIsToldApart(t *testing.T) {
	s := full(1)
	s.Ports["plane"] = run.PortSummary{FlowRate: 7, Pressure: 8}
	s.Probes["plane"] = run.ProbeSummary{Velocity: []finite.Number{9, 10}, Pressure: 11, Converged: true}
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Runs: []Run{runOf(t, s, "8")}}
	rows := rowsOf(t, d)
	for column, want := range map[string]string{"plane.flow_rate_mean": "1", "plane (port).flow_rate_mean": "7", "plane.p_mean": "2", "plane (port).p_mean": "8", "plane (probe).p_mean": "11", "plane.u_mean": "1", "plane (probe).u_mean": "9"} {
		if i := slices.Index(rows[0], column); i < 0 || rows[1][i] != want {
			t.Errorf("%s is column %d, want %s in\n%q\n%q", column, i, want, rows[0], rows[1])
		}
	}
}

// A table is no wider than the terminal: what matters least is left out and named, the swept key, the drag and whether it has settled stay.
func TestATableFitsTheTerminal(t *testing.T) {
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Directory: "x.sweep", Runs: []Run{runOf(t, full(1), "8"), runOf(t, full(1.1), "16")},
		Orders: []Order{{Of: "rod", Quantity: "cd_mean", Resolutions: [3]float64{8, 16, 32}, Note: strings.Repeat("a long note ", 20)}}, Warnings: []string{strings.Repeat("words and ", 30)}}
	for _, width := range []int{60, 80, 120} {
		var b strings.Builder
		if err := d.WriteTable(&b, width); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if n := len([]rune(line)); n > width {
				t.Errorf("of %d characters a line has %d: %s", width, n, line)
			}
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range []string{"| resolution |", "settled |", "left out, for the table is wider than the terminal:", "sweep.csv has all", "wall / s"} {
			if !strings.Contains(text, want) {
				t.Errorf("at %d characters %q is not in\n%s", width, want, b.String())
			}
		}
		if head, _, _ := strings.Cut(text, "left out"); strings.Contains(head, "wall / s") {
			t.Errorf("at %d characters the wall time is still there:\n%s", width, b.String())
		}
	}
	var all strings.Builder
	if err := d.WriteTable(&all, 0); err != nil || strings.Contains(all.String(), "left out") || !strings.Contains(all.String(), "wall / s") {
		t.Errorf("%v: of no width all is there:\n%s", err, all.String())
	}
}

// A sweep of probes tells their means, what these are known to and whether they have settled.
func TestProbesAreToldByTheirMeans(t *testing.T) {
	s := full(1)
	s = &run.Summary{Status: "done", Probes: s.Probes}
	d := &Document{Over: []Axis{{Key: ResolutionKey}}, Runs: []Run{runOf(t, s, "8")}}
	var b strings.Builder
	if err := d.WriteTable(&b, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"mean u / U", "u known to ±", "mean p / ρU²", "p known to ±", "settled", "| yes ", "4–9"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// rowsOf are those of the table that a document writes.
func rowsOf(t *testing.T, d *Document) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := d.writeCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
