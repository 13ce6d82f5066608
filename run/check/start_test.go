package check

import (
	"bytes"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A face that begins otherwise than the flow beside it makes a bang, which is told before the run.
func TestAStartWithABangIsTold(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []string
		want Verdict
	}{
		{"stream", nil, OK},
		{"ramp in a stream", []string{"domain.boundary.left.ramp=2"}, Caution},
		{"ramp from rest, short for the length of the domain", []string{"domain.boundary.left.ramp=2", `domain.initial={type="rest"}`}, Caution},
		{"ramp from rest", []string{"domain.boundary.left.ramp=20", `domain.initial={type="rest"}`}, OK},
		{"rest", []string{`domain.initial={type="rest"}`}, Caution},
		{"rest, slowly", []string{`domain.initial={type="rest"}`, "reference.velocity=0.01"}, OK},
		{"parabola", []string{`domain.boundary.left={type="velocity", profile="parabolic", peak=1.5}`}, OK},
		{"what an expression gives", []string{`domain.boundary.left={type="velocity", profile="1.0"}`}, OK},
		{"an expression with another mean", []string{`domain.boundary.left={type="velocity", profile="0.5"}`}, Caution},
		{"shear between walls that both move", []string{`domain.initial={type="couette", velocity=[1.6,0.0], bottom=[0.4,0.0]}`}, OK},
		{"parabola of the other way", []string{`domain.boundary.left={type="velocity", profile="parabolic", peak=-1.5}`}, Caution},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		if r.Err() != nil || r.Run.Start == nil || r.Run.Start.Verdict != c.want {
			t.Errorf("%s: %v, %+v, want %s", c.name, r.Err(), r.Run.Start, c.want)
			continue
		}
		var text bytes.Buffer
		r.Write(&text, nil)
		if strings.Contains(text.String(), "density changes by") != (c.want == Caution) {
			t.Errorf("%s: check prints\n%s", c.name, text.String())
		}
	}
}

// A body that is released in a stream which is there at once makes a bang, too; one in a stream that comes from rest does not.
func TestABodyReleasedInAStreamIsTold(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []string
		want Verdict
	}{
		{"held along the stream", []string{`body.0.motion={type="free", density=2.0, fix=["x"]}`}, Caution},
		{"released with the stream", []string{`body.0.motion={type="free", density=2.0, velocity=[1.0,0.0]}`}, OK},
		{"from rest", []string{`body.0.motion={type="free", density=2.0, fix=["x"]}`, `domain.initial={type="rest"}`, "domain.boundary.left.ramp=20"}, OK},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		if r.Err() != nil || r.Bodies[0].Release == nil || r.Bodies[0].Release.Verdict != c.want {
			t.Fatalf("%s: %v, %+v, want %s", c.name, r.Err(), r.Bodies, c.want)
		}
		var page bytes.Buffer
		r.Write(&page, nil)
		if strings.Contains(page.String(), "density jumps by") != (c.want == Caution) {
			t.Errorf("%s: check prints\n%s", c.name, page.String())
		}
		after := strings.Join(CompressionText(r.problem, 0.3, 0.2), "\n")
		if strings.Contains(after, `body "rod" is released in a stream`) != (c.want == Caution) {
			t.Errorf("%s: after the run it is said: %s", c.name, after)
		}
	}
}

// A start that is longer than a motion takes to change makes it another motion.
func TestASoftStartMustNotOutlastAMotion(t *testing.T) {
	rest := []string{`domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`, `domain.initial={type="rest"}`}
	for _, c := range []struct {
		name, motion, start string
		want                Verdict // empty: none
	}{
		{"fast, from its greatest speed", `{type="prescribed", amplitude=[0.05,0], frequency=3}`, "2", Caution},
		{"fast, from rest", `{type="prescribed", amplitude=[0.05,0], frequency=3, phase=1.5707963267948966}`, "2", Caution},
		{"fast, as long as it may be", `{type="prescribed", amplitude=[0.05,0], frequency=3}`, "0.05", ""},
		{"fast, by itself", `{type="prescribed", amplitude=[0.05,0], frequency=3}`, "auto", ""},
		{"slow", `{type="prescribed", amplitude=[1,0], frequency=0.02}`, "2", ""},
		{"steady", `{type="prescribed", velocity=[0.1,0]}`, "2", ""},
		{"none", `{type="fixed"}`, "2", ""},
	} {
		sets := append([]string{"body.0.motion=" + c.motion, "run.soft_start=" + c.start}, rest...)
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), sets)
		if len(r.Bodies) == 0 {
			t.Fatalf("%s: %v", c.name, r.Errors)
		}
		j := r.Bodies[0].Started
		if (j != nil) != (c.want != "") || j != nil && j.Verdict != c.want {
			t.Errorf("%s: %+v, want %q", c.name, j, c.want)
		}
		told := false
		for _, m := range RemarksOn(r.problem, nil) {
			told = told || strings.Contains(m.Text, "soft start")
		}
		if told != (c.want != "") {
			t.Errorf("%s: a run tells of it: %v", c.name, told)
		}
	}
}
