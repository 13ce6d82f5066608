package run

import (
	"strings"
	"testing"

	"lbmib/io/casefile"
)

// dartCase is a heavy line that falls end on onto another, which is held at both ends.
const dartCase = `
[reference]
resolution = 16
velocity   = 0.05
reynolds   = 20
[domain]
lattice = "D2Q9"
size    = [3.0, 4.0]
gravity = [0.0, -2.0]
initial = { type = "rest" }
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "trt"
[ib]
contact = { distance = 0.0 }
[[body]]
name   = "dart"
shape  = { type = "line", points = [[1.5, 2.3], [1.5, 3.3]] }
motion = { type = "elastic", law = "beam", mass = 10.0, bending = 5.0 }
[[body]]
name   = "string"
shape  = { type = "line", points = [[0.5, 2.0], [2.5, 2.02]] }
motion = { type = "elastic", law = "beam", mass = 0.0, bending = 5.0, hold = { start = "clamped", end = "clamped" } }
[run]
time = 1.3
[output]
plots  = false
forces = { every = 0.05 }
`

// A line that has passed through another is told, once; one that is drawn across another or itself is refused.
func TestLinesThatCrossAreTold(t *testing.T) {
	c, err := casefile.Parse("dart.toml", []byte(dartCase), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Run(t.Context(), c, Options{Out: t.TempDir(), Threads: 1, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, w := range s.Warnings {
		if strings.Contains(w, `body "dart" crosses body "string"`) && strings.Contains(w, "ib.contact.distance") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the run warns %q", s.Warnings)
	}
	for points, says := range map[string]string{"[[1.5,1.5],[1.5,3.3]]": `across body "dart"`, "[[1,2.5],[2,2.5],[2,3],[1.5,3],[1.5,2.3]]": "across itself"} {
		c, err := casefile.Parse("dart.toml", []byte(dartCase), []string{"body.0.shape.points=" + points})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), c, Options{Out: t.TempDir(), Threads: 1, Quiet: true}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "body.0.shape") && !strings.Contains(err.Error(), "body.1.shape") {
			t.Errorf("%s: %v, want a refusal that says %s", points, err, says)
		}
	}
}
