package run

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/hdf5"
	"lbmib/io/table"
	"lbmib/run/setup/setuptest"
)

// oil are anchors for a case whose Reynolds number stays as it is.
var oil = []string{"reference.length=1 cm", "reference.speed=0.5 m/s", "reference.density=900 kg/m^3"}

// cellsOf is a column of a table of a run.
func cellsOf(t *testing.T, dir, file, column string) []float64 {
	t.Helper()
	rows, err := table.Read(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	v, err := rows.Float(column, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// attributeOf is a number that the field of step 200 has beside its values.
func attributeOf(t *testing.T, dir, object, name string) (float64, error) {
	t.Helper()
	r, err := hdf5.Open(filepath.Join(dir, "fields", "case_000000200.vtkhdf"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var x [1]float64
	err = hdf5.ReadAttribute(r, object, name, x[:])
	return x[0], err
}

// Columns in SI stand behind all others, and are the others times the scales of the case.
func TestQuantitiesComeOutInSIWhereTheCaseHasAnchors(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	dir := t.TempDir()
	more := []string{"run.time=2", "output.probes.0.at=[8.0, 6.0]", "output.probes.0.name=wake", "output.sections.0.axis=x", "output.sections.0.at=8", "output.sections.0.every=0.5", "output.fields.every=1"}
	c := setuptest.Load(t, setuptest.StreamCase, slices.Concat(oil, more)...)
	s, err := Run(t.Context(), c, Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	const l, u, rho = 0.01, 0.5, 900.
	for _, of := range []struct {
		file, of, si string
		factor       float64
	}{
		{"forces.csv", "t", "t_s", l / u},
		{"forces.csv", "fx", "fx_N_per_m", rho * u * u * l / 2},
		{"forces.csv", "tz", "tz_N_m_per_m", rho * u * u * l * l / 2},
		{"forces.csv", "cv_fx", "cv_fx_N_per_m", rho * u * u * l / 2},
		{"forces.csv", "outer_fy", "outer_fy_N_per_m", rho * u * u * l / 2},
		{"forces.csv", "slip_max", "slip_max_m_per_s", u},
		{"probes.csv", "u", "u_m_per_s", u},
		{"probes.csv", "p", "p_Pa", rho * u * u},
		{"sections.csv", "flow_rate", "flow_rate_m2_per_s", u * l},
		{"sections.csv", "area", "area_m", l},
	} {
		a, b := cellsOf(t, dir, of.file, of.of), cellsOf(t, dir, of.file, of.si)
		for i := range a {
			if math.Abs(b[i]-a[i]*of.factor) > 1e-12*math.Abs(b[i]) {
				t.Fatalf("%s: %s is %v where %s is %v, want a factor of %v", of.file, of.si, b[i], of.of, a[i], of.factor)
			}
		}
	}
	for _, a := range []struct {
		object, name string
		want         float64
	}{
		{"/VTKHDF", "time", 1}, {"/VTKHDF", "step", 200}, {"/VTKHDF", "reynolds", 100}, {"/VTKHDF", "time_s", l / u},
		{"/VTKHDF", "length_m", l}, {"/VTKHDF", "speed_m_per_s", u}, {"/VTKHDF", "density_kg_per_m3", rho},
		{"/VTKHDF/PointData/velocity", "si_factor", u}, {"/VTKHDF/PointData/density", "si_factor", rho}, {"/VTKHDF/PointData/vorticity", "si_factor", u / l},
	} {
		if got, err := attributeOf(t, dir, a.object, a.name); err != nil || math.Abs(got/a.want-1) > 1e-12 {
			t.Errorf("of a field the attribute %s of %s is %v (%v), want %v", a.name, a.object, got, err, a.want)
		}
	}
	rows, err := table.Read(filepath.Join(dir, "forces.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows.Columns[len(rows.Columns)-12:], ","); got != "outer_fy,t_s,fx_N_per_m,fy_N_per_m,tz_N_m_per_m,"+
		"slip_max_m_per_s,cv_fx_N_per_m,cv_fy_N_per_m,recirculation_m,slip_granted_m_per_s,outer_fx_N_per_m,outer_fy_N_per_m" {
		t.Errorf("forces.csv ends with %s", got)
	}
	b := s.Bodies["rod"]
	if got, want := b.SI["force_mean_N_per_m"].([]finite.Number)[0], float64(b.CdMean)*rho*u*u*l/2; math.Abs(float64(got)/want-1) > 1e-9 {
		t.Errorf("the mean drag of %v is %v N/m, want %v", b.CdMean, got, want)
	}
	for name, e := range b.Extremes {
		if got, want := e.SI["max_N_per_m"], float64(e.Max)*rho*u*u*l/2; len(e.SI) != 4 || got == nil || math.Abs(float64(got.(finite.Number))/want-1) > 1e-9 {
			t.Errorf("the largest %s of %v is %v N/m, want %v", name, e.Max, got, want)
		}
	}
	if b.ReferenceArea != 1 || b.ReferenceLength != 1 || s.SI["time_s"] != finite.Number(0.04) {
		t.Errorf("reference area %v and length %v, at the end t = %v s", b.ReferenceArea, b.ReferenceLength, s.SI["time_s"])
	}
	for _, word := range []string{"t = 2 L/U = 0.04 s", "mean force (", " N/m", " Pa", "frontal width 1 L"} {
		if !strings.Contains(s.String(), word) {
			t.Errorf("the summary lacks %q:\n%s", word, s)
		}
	}
}

func TestWithoutAnchorsNothingIsInSI(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, setuptest.StreamCase, "run.time=1", "output.fields.every=1"), Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(filepath.Join(dir, "forces.csv"))
	if err != nil || rows.Columns[len(rows.Columns)-1] != "outer_fy" {
		t.Errorf("%v, columns %v", err, rows.Columns)
	}
	for _, a := range []struct{ object, name string }{{"/VTKHDF", "time_s"}, {"/VTKHDF", "length_m"}, {"/VTKHDF/PointData/velocity", "si_factor"}} {
		if x, err := attributeOf(t, dir, a.object, a.name); err == nil {
			t.Errorf("of a field %s of %s is %v", a.name, a.object, x)
		}
	}
	if x, err := attributeOf(t, dir, "/VTKHDF", "time"); err != nil || x != 1 {
		t.Errorf("the time of a field is %v, %v", x, err)
	}
	if s.SI != nil || s.Bodies["rod"].SI != nil || strings.Contains(s.String(), " N/m") {
		t.Errorf("in SI: %v, %v", s.SI, s.Bodies["rod"].SI)
	}
	u := casefile.Units{Dim: 2, Length: 1, Speed: 1}
	if text := siText(u, casefile.Force, 1, 1); text != "" { // no density
		t.Errorf("a force without a density is %q", text)
	}
}

// What goes through a plane channel: the flow rate is U times its width, the mean velocity two thirds of the peak, and the pressure
// falls by 8/Re per L of peak and half-width.
func TestSectionsOfAChannelMeasureItsFlow(t *testing.T) {
	dir := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, channelCase), Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	in, out := s.Sections["in"], s.Sections["out"]
	for name, x := range s.Sections {
		if !(math.Abs(float64(x.FlowRate)/(2./3)-1) < 0.01 && math.Abs(float64(x.Velocity[0])/(2./3)-1) < 0.01 && math.Abs(float64(x.Velocity[1])) < 1e-3 && x.Area == 1) {
			t.Errorf("section %s: flow rate %v, velocity %v, area %v", name, x.FlowRate, x.Velocity, x.Area)
		}
	}
	if drop := float64(in.Pressure-out.Pressure) / 2; math.Abs(drop/0.8-1) > 0.03 { // 8 ν u_max/H² over 2 L, Re = 10
		t.Errorf("pressure falls by %v ρU² per L, want 0.8", drop)
	}
	if text := s.String(); !strings.Contains(text, "section in: flow rate 0.6") || !strings.Contains(text, "probe middle: mean velocity (") {
		t.Errorf("the summary says\n%s", text)
	}
}

const channelCase = `
[reference]
resolution = 20
velocity = 0.02
reynolds = 10
[domain]
lattice = "D2Q9"
size = [4.0, 1.0]
initial = { type = "poiseuille" }
[domain.boundary]
left   = { type = "velocity", profile = "parabolic", peak = 1.0 }
right  = { type = "pressure" }
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "trt"
[run]
time = 8.0
[output]
probes = [ { name = "middle", at = [2.0, 0.5] } ]
sections = [ { name = "in", axis = "x", at = 1.0, every = 0.1 }, { name = "out", axis = "x", at = 3.0, every = 0.1 } ]
[output.statistics]
from = 4.0
`

// A body that falls is told by its velocity, and what swings by its amplitude and frequency.
func TestASummaryTellsTheMeanMotionOfBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	dir := t.TempDir()
	c := setuptest.Load(t, setuptest.StreamCase, "run.time=12", `body.0.motion={ type = "prescribed", displacement = ["0.1*t", "0.2*sin(2*pi*t/2)"], angle = "0.3*sin(2*pi*t/2)" }`,
		"output.statistics.from=4", "output.directory="+"x")
	s, err := Run(t.Context(), c, Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	m := s.Bodies["rod"].MotionStatistics
	near := func(v finite.Number, want, within float64) bool { return math.Abs(float64(v)-want) <= within }
	if m == nil || !near(m.VelocityMean[0], 0.1, 1e-3) || !near(m.VelocityMean[1], 0, 0.01) || !near(m.PlaceAmplitude[1], 0.2, 1e-3) ||
		!near(m.PlaceAmplitude[0], 0, 2e-3) || !near(m.Frequency, 0.5, 0.005) || !near(m.AngleAmplitude.(finite.Number), 0.3, 3e-3) {
		t.Errorf("the motion is %+v", m)
	}
	if text := s.String(); !strings.Contains(text, "mean velocity (0.100, ") || !strings.Contains(text, "U/L") {
		t.Errorf("the summary says\n%s", text)
	}
	if x := s.Bodies["rod"].Extremes["cl"]; !(x.Max > x.Min && x.MaxTime >= 4 && x.MaxTime <= 12 && x.MinTime >= 4) {
		t.Errorf("extremes of lift %+v", x)
	}
}

// What the documents say of forces: those of a body that stands in a flow driven by a force have that on the fluid that the body displaces, so that
// they are the force on all that is in the domain; and torques are about the body's centre, wherever that lies.
func TestForcesHaveThatOnTheVolumeAndTorquesAreAboutTheCentre(t *testing.T) {
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, `
reference = { resolution = 10, velocity = 0.02, reynolds = 1 }
domain = { lattice = "D2Q9", size = [2.0, 2.0], force = [1.0, 0.0] }
fluid = { collision = "trt" }
body = [ { name = "post", shape = { type = "circle", center = [1.3, 0.7], diameter = 1.0 } } ]
run = { time = 2.0 }
output = { plots = false, checkpoint = { every = 0 } }
`), Options{Out: dir, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	last := func(column string) float64 { all := cellsOf(t, dir, "forces.csv", column); return all[len(all)-1] }
	const all = 2 * 1 * 2 * 2 // over ρU²L/2: the force per mass times the area of the domain, the body's included
	if fx, fy, tz := last("fx"), last("fy"), last("tz"); math.Abs(fx/all-1) > 1e-3 || math.Abs(fy) > 1e-3 || math.Abs(tz) > 1e-3 {
		t.Errorf("the force is (%g, %g), want (%d, 0), the torque %g, want 0, which about the corner of the domain is %g", fx, fy, all, tz, -0.7*fx)
	}
}

// Every part of a summary tells in SI what it has with a unit, under the name of that number.
func TestEveryPartOfASummaryComesOutInSI(t *testing.T) {
	const l, u, rho = 0.01, 0.5, 900.
	one, two := finite.Number(1), []finite.Number{1, 2}
	window := [2]finite.Number{1, 3}
	s := &Summary{
		units: casefile.Units{Dim: 3, Length: l, Speed: u, Density: rho},
		Bodies: map[string]BodySummary{"rod": {Window: window, ReferenceArea: 2, ForceMean: two, TorqueMean: two, RecirculationLength: 2,
			Extremes:         map[string]Extremes{"cd": {Min: 1, MinTime: 2, Max: 3, MaxTime: 4}, "cs": {Min: -1, MinTime: 2, Max: 1, MaxTime: 4}},
			MotionSummary:    &MotionSummary{Position: two},
			MotionStatistics: &MotionStatistics{VelocityMean: two, MotionWindow: window},
			Oscillation:      &OscillationSummary{Of: "translation", Amplitude: 1, Velocity: 1, Mean: 1, AddedMass: 1, Period: 2}}},
		Cells:      map[string]CellSummary{"cell": {Position: two, Velocity: two, Energy: 1, TreadFrequency: 1}},
		Filaments:  map[string]FilamentSummary{"flag": {Tip: two, TipVelocity: two, Curvature: 1, Tension: 1, Energy: 1}},
		Sheets:     map[string]SheetSummary{"sheet": {Tip: two, Curvature: 1, Tension: 1, Energy: 1}},
		Flow:       &FlowSummary{FlowRate: 1, ForceAmplitude: 1, Window: window},
		Sections:   map[string]SectionSummary{"in": {Pressure: 1, Window: window}},
		Ports:      map[string]PortSummary{"in": {PressureAmplitude: 1, PressureDrop: 1, Window: window}},
		Probes:     map[string]ProbeSummary{"wake": {Velocity: two, Pressure: 1, Window: window}},
		Suspension: &SuspensionSummary{Gap: one, Velocity: two, Window: window},
	}
	s.measure()
	body := s.Bodies["rod"]
	for _, of := range []struct {
		in   InSI
		name string
		want any
	}{
		{body.SI, "window_s", []float64{l / u, 3 * l / u}},
		{body.SI, "force_mean_N", []float64{rho * u * u * l * l / 2, rho * u * u * l * l}},
		{body.SI, "torque_mean_N_m", []float64{rho * u * u * l * l * l / 2, rho * u * u * l * l * l}},
		{body.SI, "recirculation_length_m", 2 * l},
		{body.SI, "velocity_mean_m_per_s", []float64{u, 2 * u}},
		{body.SI, "motion_window_s", []float64{l / u, 3 * l / u}},
		{body.SI, "added_mass_kg", rho * l * l * l},
		{body.Extremes["cd"].SI, "min_N", rho * u * u * l * l}, // over a reference area of 2
		{body.Extremes["cd"].SI, "max_N", 3 * rho * u * u * l * l},
		{body.Extremes["cs"].SI, "min_N", -rho * u * u * l * l},
		{body.Extremes["cd"].SI, "min_time_s", 2 * l / u},
		{body.Extremes["cd"].SI, "max_time_s", 4 * l / u},
		{body.Oscillation.SI, "period_s", 2 * l / u},
		{body.Oscillation.SI, "force_mean_N", rho * u * u * l * l}, // over a reference area of 2
		{s.Cells["cell"].SI, "position_m", []float64{l, 2 * l}},
		{s.Cells["cell"].SI, "energy_J", rho * u * u * l * l * l},
		{s.Cells["cell"].SI, "tread_frequency_Hz", u / l},
		{s.Filaments["flag"].SI, "tip_velocity_m_per_s", []float64{u, 2 * u}},
		{s.Filaments["flag"].SI, "curvature_max_per_m", 1 / l},
		{s.Filaments["flag"].SI, "tension_max_N", rho * u * u * l * l},
		{s.Sheets["sheet"].SI, "tension_max_N_per_m", rho * u * u * l},
		{s.Flow.SI, "body_force_amplitude_m_per_s2", u * u / l},
		{s.Sections["in"].SI, "window_s", []float64{l / u, 3 * l / u}},
		{s.Ports["in"].SI, "pressure_drop_mean_Pa", rho * u * u},
		{s.Ports["in"].SI, "pressure_amplitude_Pa", rho * u * u},
		{s.Ports["in"].SI, "window_s", []float64{l / u, 3 * l / u}},
		{s.Probes["wake"].SI, "window_s", []float64{l / u, 3 * l / u}},
		{s.Suspension.SI, "gap_min_m", l},
	} {
		var got []float64
		for _, v := range all(of.in[of.name]) {
			got = append(got, float64(v))
		}
		want, isList := of.want.([]float64)
		if !isList {
			want = []float64{of.want.(float64)}
		}
		if len(got) != len(want) {
			t.Errorf("%s is %v, want %v: there are %v", of.name, got, want, of.in)
			continue
		}
		for i := range got {
			if math.Abs(got[i]/want[i]-1) > 1e-12 {
				t.Errorf("%s is %v, want %v", of.name, got, want)
			}
		}
	}
}
