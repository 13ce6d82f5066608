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
		{"ramp from rest", []string{"domain.boundary.left.ramp=2", `domain.initial={type="rest"}`}, OK},
		{"rest", []string{`domain.initial={type="rest"}`}, Caution},
		{"rest, slowly", []string{`domain.initial={type="rest"}`, "reference.velocity=0.01"}, OK},
		{"parabola", []string{`domain.boundary.left={type="velocity", profile="parabolic", peak=1.5}`}, OK},
		{"parabola of the other way", []string{`domain.boundary.left={type="velocity", profile="parabolic", peak=-1.5}`}, Caution},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		if r.Err() != nil || r.Run.Start == nil || r.Run.Start.Verdict != c.want {
			t.Errorf("%s: %v, %+v, want %s", c.name, r.Err(), r.Run.Start, c.want)
			continue
		}
		var text bytes.Buffer
		r.Write(&text, nil)
		if strings.Contains(text.String(), "density jumps by") != (c.want == Caution) {
			t.Errorf("%s: check prints\n%s", c.name, text.String())
		}
	}
}
