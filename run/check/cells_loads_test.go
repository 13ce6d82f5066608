package check

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// Loads are told with their vertices, their force over G_s a, and the speed at which they set out; their sum where they have one.
func TestLoadsAreChecked(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.CapsuleCase)
	sized := []string{"reference.resolution=8", "body.0.motion.mesh=642"}
	both := `body.0.motion.loads=[{at="x-max", part=0.05, force=[200, 0, 0]}, {at="x-min", part=0.05, force=[-200, 0, 0]}]`
	told := func(sets ...string) (Report, string) {
		t.Helper()
		r := check(path, append(sized, sets...), setup.Kernel{}, motionless)
		if len(r.Errors) > 0 {
			t.Fatal(r.Errors)
		}
		var page bytes.Buffer
		r.Write(&page, nil)
		return *r, page.String()
	}
	r, page := told(both)
	l := r.Cells[0].Loads
	// G_s a = 1/(Re Ca) = 133.3; a disc of the area of 5 % of a sphere of radius 8 goes at F/(16 μ r)
	speed := 200 * 0.004 * 0.004 * 64 / (0.004 * 8 / 0.05) / (16 * 8 * math.Sqrt(4*float64(l.Each[0].Vertices)/642))
	if l == nil || len(l.Each) != 2 || l.Each[0].Vertices < 32 || l.Each[0].Vertices != l.Each[1].Vertices || math.Abs(float64(l.Each[0].OverShear)-1.5) > 1e-12 || l.Pull != nil {
		t.Fatalf("loads %+v", l)
	}
	if got := float64(l.Each[0].Mach.Value); math.Abs(got/(speed*math.Sqrt(3))-1) > 0.02 || l.Each[0].Mach.Verdict != OK {
		t.Errorf("it sets out at Mach %g (%s), want %g", got, l.Each[0].Mach.Verdict, speed*math.Sqrt(3))
	}
	if !strings.Contains(page, "load x-max") || !strings.Contains(page, "200 ρU²L² on ") || !strings.Contains(page, "1.5 G_s a") || strings.Contains(page, "their sum") {
		t.Errorf("the report does not tell the loads:\n%s", page)
	}
	one := `body.0.motion.loads=[{at="x-max", part=0.05, force=[200, 0, 0]}]`
	if r, page = told(one); r.Cells[0].Loads.Pull != nil || !strings.Contains(page, "200 ρU²L², which moves the body") {
		t.Errorf("a load between walls:\n%s", page)
	}
	periodic := []string{`domain.boundary={}`, `domain.initial={type="rest"}`}
	r, page = told(append(periodic, one)...)
	if j := r.Cells[0].Loads.Pull; j == nil || j.Verdict != Caution || math.Abs(float64(j.Value)-200./160) > 1e-12 || !strings.Contains(j.Reason, "all fluid is accelerated for ever") || !strings.Contains(page, "1.25 U²/L of all fluid") {
		t.Errorf("a load in a periodic domain is judged %+v:\n%s", j, page)
	}
	if r, page = told(append(periodic, both)...); r.Cells[0].Loads.Pull != nil {
		t.Errorf("loads that balance:\n%s", page)
	}
	bang := `body.0.motion.loads=[{at="x-max", part=0.05, force=[2e6, 0, 0]}]`
	if r, page = told(bang); r.Verdict != Unsafe || !strings.Contains(r.Cells[0].Loads.Each[0].Mach.Reason, "give it a ramp, or lower reference.velocity") {
		t.Errorf("a load that comes with a bang:\n%s", page)
	}
	toldByARun(t, "a load that comes with a bang", &r)
}
