package run

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/run/check"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// upright is a disc that may fall, rise or be blown at between two slip walls.
const upright = `
[reference]
resolution = 10
velocity = 0.05
reynolds = 20
[domain]
lattice = "D2Q9"
size = [4.0, 12.0]
gravity = [0.0, -1.0]
[domain.boundary]
left = { type = "free-slip" }
right = { type = "free-slip" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[[body]]
name = "disc"
shape = { type = "circle", center = [2.0, 6.0], diameter = 1.0 }
motion = { type = "free", density = 2.0 }
[run]
time = 0.4
[output]
plots = false
`

const fixed = `body.0.motion={type="fixed"}`

// Drag is meant along the way that a body really goes.
func TestTheHeadingIsThatOfGravityOrFlow(t *testing.T) {
	for want, sets := range map[string][]string{
		"−y gravity": nil,
		"+y gravity": {"body.0.motion.density=0.5"},
		"+x ":        {fixed},
		"+y flow":    {fixed, `domain.initial={type="uniform", velocity=[0.1, 0.5]}`},
		"−x flow":    {fixed, `domain.initial={type="uniform", velocity=[-1.0, 0.5]}`},
		"−x force":   {fixed, `domain.force=[-0.1, 0.0]`},
	} {
		c := setuptest.Load(t, upright, sets...)
		if h := setup.HeadingOf(c, &c.Bodies[0]); h.String()+" "+h.Of != want {
			t.Errorf("%v: heading %v of %q, want %s", sets, h, h.Of, want)
		}
	}
	// Walls beside the fall, not above and below it, are what blocks.
	r := check.Assess(setuptest.Load(t, upright), setup.Kernel{})
	if b := r.Bodies[0].Blockage; b == nil || math.Abs(float64(b.Value)-0.25) > 1e-9 || !strings.Contains(b.Reason, "slip walls") {
		t.Errorf("blockage %+v of a disc that falls between slip walls 4 diameters apart, want 0.25", b)
	}
}

func TestAFallingBodyIsToldByItsFall(t *testing.T) {
	s, err := Run(t.Context(), setuptest.Load(t, upright), Options{Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	text := s.String()
	for _, want := range []string{"force coefficient along −y (gravity)", "at the end at (2.000, ", "moving with (0.000, -"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Cd") || strings.Contains(text, "recirculation") || strings.Contains(text, "NaN") {
		t.Errorf("it has no drag along x, no wake and nothing that is not measured:\n%s", text)
	}
	if b := s.Bodies["disc"]; b.Heading != "-y" || b.HeadingOf != "gravity" || b.Along == 0 || float64(b.Along) != -float64(b.ClMean) {
		t.Errorf("heading %q of %q, %g along it with lift %g along y", b.Heading, b.HeadingOf, b.Along, b.ClMean)
	}
}

// Lift is across the stream, whichever way that goes: its frequency is that of
// shedding, the drag's twice that.
func TestStatisticsTurnWithTheStream(t *testing.T) {
	var drag, lift []float64
	var time []float64
	for k := range 2000 {
		at := 0.05 * float64(k)
		time = append(time, at)
		drag = append(drag, 1.3+0.01*math.Sin(2*math.Pi*0.4*at))
		lift = append(lift, 0.3*math.Sin(2*math.Pi*0.2*at))
	}
	negative := func(v []float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = -v[i]
		}
		return out
	}
	for _, c := range []struct {
		to   setup.Heading
		h    history
		mean [2]float64 // along x and y
	}{
		{setup.Heading{Axis: 0, Sign: 1, Of: "flow"}, history{History: statistics.History{T: time, Cd: drag, Cl: lift}}, [2]float64{1.3, 0}},
		{setup.Heading{Axis: 0, Sign: -1, Of: "flow"}, history{History: statistics.History{T: time, Cd: negative(drag), Cl: lift}}, [2]float64{-1.3, 0}},
		{setup.Heading{Axis: 1, Sign: -1, Of: "gravity"}, history{History: statistics.History{T: time, Cd: lift, Cl: negative(drag)}}, [2]float64{0, -1.3}},
		{setup.Heading{Axis: 2, Sign: 1, Of: "flow"}, history{History: statistics.History{T: time, Cd: lift, Cl: lift}, cs: drag}, [2]float64{0, 0}},
	} {
		a := c.h.analyse(c.to, math.NaN(), 1)
		const near = 1e-3 // of trapezoids over whole periods whose ends are interpolated
		if math.Abs(a.Strouhal-0.2) > near || math.Abs(a.along-1.3) > near || math.Abs(a.across-0.3) > near {
			t.Errorf("%v: St %g, %g along and %g across, want 0.2, 1.3 and 0.3", c.to, a.Strouhal, a.along, a.across)
		}
		if math.Abs(a.CdMean-c.mean[0]) > near || math.Abs(a.ClMean-c.mean[1]) > near {
			t.Errorf("%v: means %g and %g along x and y, want %v", c.to, a.CdMean, a.ClMean, c.mean)
		}
	}
}

// In notes a force is named by its direction where drag and lift of summary.json are others.
func TestNotesNameForcesByTheHeading(t *testing.T) {
	var h history
	for k := range 400 {
		at := 0.05 * float64(k)
		h.T, h.Cd, h.Cl = append(h.T, at), append(h.Cd, 0.02*at), append(h.Cl, 9.6*at)
	}
	for _, c := range []struct {
		to   setup.Heading
		says string
	}{{setup.Heading{Axis: 0, Sign: 1, Of: "flow"}, " in drag, ±48 in lift"}, {setup.Heading{Axis: 1, Sign: -1, Of: "gravity"}, "±48 in force along −y, ±0.1 in force across it"}} {
		if a := h.analyse(c.to, math.NaN(), 1); !strings.Contains(a.Note, c.says) || strings.Contains(a.Note, "drag") != (c.to.Axis == 0) {
			t.Errorf("%v: %q, want …%s…", c.to, a.Note, c.says)
		}
	}
}

// Forces that swing as often as markers pass nodes tell of the grid, not of the flow.
func TestMarkersThatPassNodesShedNothing(t *testing.T) {
	for spin, want := range map[string]bool{"2": true, "40": false} { // 63 markers on 20 nodes: 20 and 400 pass a node in a time unit
		p, err := setup.New(setuptest.Load(t, setuptest.StreamCase, `body.0.motion={type="prescribed", spin=`+spin+`}`, "reference.velocity=0.005"))
		if err != nil {
			t.Fatal(err)
		}
		var a analysis
		a.Strouhal, a.across, a.scale = 19.9, 0.1, 1
		if note := notShed(p, 0, &a); strings.Contains(note, "as markers pass nodes") != want {
			t.Errorf("spin %s: %q", spin, note)
		}
	}
}

// A box that rings swings the lift, too: its period is no Strouhal number.
func TestSoundIsNotShedding(t *testing.T) {
	rod := strings.NewReplacer("size = [4.0, 12.0]", "size = [16.0, 12.0]", "gravity = [0.0, -1.0]", "",
		"center = [2.0, 6.0]", "center = [4.0, 6.0]").Replace(upright)
	stream := []string{fixed, `domain.initial={type="uniform", velocity=[1.0, 0.0]}`, `domain.boundary.left={type="velocity", value=[1.0, 0.0]}`, `domain.boundary.right={type="outflow"}`}
	box := 1 / (math.Sqrt(3) * 0.05) / 24 // the lowest standing wave between the walls, 12 L apart
	for name, c := range map[string]struct {
		frequency, amplitude float64
		sets                 []string
		says                 string
	}{
		"dies away, with the box":       {box, -0.08, nil, "by less each time, as sound between bottom and top (0.481 U/L) does"},
		"dies away, with no mode":       {0.2, -0.03, nil, "by less each time"},
		"shedding":                      {0.2, 0.3, nil, ""},
		"shedding at onset":             {0.14, 0.02, nil, ""},
		"faster than it can shed":       {3 * box, 0.1, nil, "sheds at most 0.65 times; it is sound between bottom and top (1.44 U/L)"},
		"faster, no mode":               {1.1, 0.1, nil, "sheds at most"},
		"weak, with the box":            {box, 0.008, nil, "as sound between bottom and top (0.481 U/L) does"},
		"weak, with no mode":            {0.2, 0.008, nil, ""},
		"too weak":                      {0.2, 0.0025, nil, "run on until it has decayed"},
		"driven that fast on purpose":   {1.1, 0.1, []string{`domain.boundary.left.factor="1+0.1*sin(2*pi*1.1*t)"`}, ""},
		"swings about its place faster": {1.1, 0.1, []string{`body.0.motion={type="prescribed", amplitude=[0.0, 0.1], frequency=1.1}`}, ""},
	} {
		p, err := setup.New(setuptest.Load(t, rod, append(stream, c.sets...)...))
		if err != nil {
			t.Fatal(err)
		}
		var h history
		for k := range 4000 {
			at := 0.02 * float64(k)
			swing := math.Abs(c.amplitude)
			if c.amplitude < 0 { // that dies away
				swing *= math.Exp(-at / 40)
			}
			h.T, h.Cd, h.Cl = append(h.T, at), append(h.Cd, 1.3), append(h.Cl, 1.3*swing*math.Sin(2*math.Pi*c.frequency*at))
		}
		a := h.analyse(setup.HeadingOf(p.Case, &p.Case.Bodies[0]), math.NaN(), 1)
		if math.Abs(a.Strouhal-c.frequency) > 0.01*c.frequency {
			t.Fatalf("%s: the frequency %g was found to be %g: the history is no good", name, c.frequency, a.Strouhal)
		}
		if note := notShed(p, 0, &a); (note == "") != (c.says == "") || !strings.Contains(note, c.says) {
			t.Errorf("%s: %q, want %q", name, note, c.says)
		}
	}
}

// Numbers that were not measured are left out, not printed as NaN or 0.
func TestWhatIsNotMeasuredIsNotPrinted(t *testing.T) {
	nan := finite.Number(math.NaN())
	v := BodySummary{CdMean: 2, SlipMax: 0.01, ForceGap: nan, OuterGap: nan, RecirculationLength: 0, Window: [2]finite.Number{1, 2}, Converged: true}
	s := &Summary{Case: "c", Status: "done", MFLUPS: nan, Bodies: map[string]BodySummary{"rod": v}, Share: map[string]float64{}}
	if text := s.String(); strings.Contains(text, "NaN") || strings.Contains(text, "differ") || strings.Contains(text, "recirculation") || !strings.Contains(text, "slip 0.01 U\n") {
		t.Errorf("printed:\n%s", text)
	}
	v.ForceGap, v.RecirculationLength, v.SlipMax = 0.02, 1.5, nan
	s.Bodies["rod"] = v
	if text := s.String(); !strings.Contains(text, "recirculation 1.500 L") || !strings.Contains(text, "; force and momentum balance differ by 2 %\n") {
		t.Errorf("printed:\n%s", text)
	}
	for k := range 30 {
		s.Bodies[fmt.Sprintf("rod-%02d", k)] = v
	}
	if text := s.String(); strings.Count(text, "\n") > 2*mostTold+4 || !strings.Contains(text, "and 19 more bodies") {
		t.Errorf("31 bodies are told in\n%s", text)
	}
}

// Where the mean force is nothing, what the force does is its amplitude.
func TestASummaryTellsTheAmplitudeBesideANegligibleMean(t *testing.T) {
	for want, v := range map[string]BodySummary{
		"Cd -0.0006 ± 3.2000, Cl 0.0000 ± 0.0001, over 5 periods": {CdMean: -0.0006, CdAmplitude: 3.2, ClAmplitude: 1e-4, Periods: 5},
		"Cd 2.0000, Cl 0.0000": {CdMean: 2, CdAmplitude: 0.01},
	} {
		if got := v.forces(false); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
