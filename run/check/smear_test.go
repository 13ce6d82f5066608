package check

import (
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// TestACorrectionThatDrivesTheFluidIsUnsafe: where the smear is negative, and so is the friction of the wall's correction; each remedy that is told makes it positive.
func TestACorrectionThatDrivesTheFluidIsUnsafe(t *testing.T) {
	slow := []string{"reference.velocity=0.1", "reference.resolution=16", "reference.reynolds=4"} // ν = 0.4
	for _, c := range []struct {
		name, remedy string
		sets         []string
		want         Verdict // "": it is not judged
	}{
		{"bgk", `use fluid.collision = "trt", lower reference.velocity to 0.09`, slow, Unsafe},
		{"bgk, slower", "", append(slow[1:len(slow):len(slow)], "reference.velocity=0.09"), ""},
		{"trt", "", append(slow[:3:3], "fluid.collision=trt"), ""},
		{"not corrected", "", append(slow[:3:3], "ib.correction=none"), ""},
		{"peskin4", "", append(slow[:3:3], "ib.delta=peskin4"), ""},
		{"peskin4, more viscous", "reference.velocity to", append(slow[:2:2], "ib.delta=peskin4", "reference.reynolds=3.2"), Unsafe},
		{"trt with a large magic number", "lower fluid.magic", append(slow[:3:3], "fluid.collision=trt", "fluid.magic=1.5"), Unsafe},
		{"regularized", "", append(slow[:3:3], "fluid.collision=regularized"), ""},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), c.sets)
		if len(r.Bodies) != 1 {
			t.Fatalf("%s: %v", c.name, r.Errors)
		}
		j := r.Bodies[0].Drives
		switch {
		case j == nil:
			if c.want != "" {
				t.Errorf("%s: a smear of %v is not judged", c.name, r.Bodies[0].Smear)
			}
		case j.Verdict != c.want || !strings.Contains(j.Reason, c.remedy) || !strings.Contains(j.Reason, `or ib.correction = "none"`):
			t.Errorf("%s: %+v, want %q with %q", c.name, *j, c.want, c.remedy)
		case r.Verdict != Unsafe:
			t.Errorf("%s: the verdict is %s", c.name, r.Verdict)
		}
		toldByARun(t, c.name, r)
	}
}
