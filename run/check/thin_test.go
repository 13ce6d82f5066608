package check

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// flagOf turns the cylinder of setuptest.StreamCase into a flag from (4, y) along the stream.
func flagOf(points string) []string {
	return []string{`body.0.shape={type="line", points=` + points + `}`, `body.0.motion={type="elastic", law="beam", mass=1.5, bending=0.0015, hold={start="hinged"}}`}
}

// A flag along the grid is no set of markers that are too close: it is told what rows of markers do, that it begins at rest, and no
// estimate of a cylinder's drag.
func TestAFlagIsJudgedAsAFlag(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), append(flagOf("[[4,6],[5,6]]"), "reference.reynolds=800"))
	b := &r.Bodies[0]
	if b.Condition.Verdict != OK || b.Condition.Reason != rowReason {
		t.Errorf("the weights of a straight row are judged %+v, want even ones of a row", b.Condition)
	}
	if b.Mach != nil {
		t.Errorf("its Mach number is %+v before anything moves it", b.Mach)
	}
	if b.Layer.Verdict == OK || !strings.Contains(b.Layer.Reason, "plate or line") || strings.Contains(b.Layer.Reason, "%") {
		t.Errorf("its layer is %+v, want one that is not resolved and no percent of drag", b.Layer)
	}
	if e := DragError(r.problem, 0, 0.4); !math.IsNaN(e) {
		t.Errorf("the error of its drag is %g, which nothing is known of", e)
	}
	var text bytes.Buffer
	r.Write(&text, nil)
	for _, want := range []string{"elastic, from rest", "even "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the report", want)
		}
	}
	for _, bad := range []string{"markers up to 0 U", "relaxed", "too close"} {
		if strings.Contains(text.String(), bad) {
			t.Errorf("%q is in the report", bad)
		}
	}
	if c := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), append(flagOf("[[4,6],[5,6]]"), "body.0.spacing=0.4")).Bodies[0].Condition; !strings.Contains(c.Reason, "too close") {
		t.Errorf("markers 0.4 nodes apart in a row are judged %+v", c)
	}
}

// A line has points and no centre, and refusals of where it is name them.
func TestRefusalsOfALineNameItsPoints(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), flagOf("[[0,6],[1,6]]"))
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "body.0.shape") || strings.Contains(err.Error(), "shape.center") {
		t.Errorf("a line beside the inflow: %v", err)
	}
	const file = "shape = { type = \"line\", points = [[0.0, 6.0], [1.0, 6.0]] }"
	text := strings.Replace(setuptest.StreamCase, "[[body]]\n", "[[body]]\nmotion = { type = \"elastic\", law = \"beam\", mass = 1.5, bending = 0.0015 }\n", 1)
	from := strings.Index(text, "shape = ")
	text = text[:from] + file + text[from+strings.Index(text[from:], "\n"):]
	if err := look(setuptest.InEmptyDirectory(t, text), nil).Err(); err == nil || !strings.Contains(err.Error(), "body.0.shape.points: ") {
		t.Errorf("a line beside the inflow, from the file: %v", err)
	}
}

// The note on proposals does not say that no velocity mends what a refusal says a velocity mends, nor speaks of refusals where there are none.
func TestTheNoteOnProposalsAgreesWithTheRefusals(t *testing.T) {
	for _, c := range []struct {
		name, note string
		errors     []string
	}{
		{"one that names a velocity", "", []string{"the membrane is too stiff: lower reference.velocity to 0.002"}},
		{"one that names a resolution", "", []string{"at least 8 are needed: raise reference.resolution"}},
		{"another", "changing the resolution or velocity does not help here", []string{"move the body inwards"}},
		{"a library that is missing", "", []string{"output.fields: hdf5: no usable HDF5 library"}},
		{"none", "were found that avoid all remarks", nil},
	} {
		r := &Report{Errors: c.errors}
		(&proposer{Report: r}).noteNothing(false)
		if !strings.Contains(r.Note, c.note) || c.note == "" && r.Note != "" {
			t.Errorf("%s: the note is %q, want %q", c.name, r.Note, c.note)
		}
	}
}
