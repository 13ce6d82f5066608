package check

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/run/setup/setuptest"
)

// still are faces that let no sound out, so that the box of streamCase rings.
var still = []string{`domain.boundary.left={type="no-slip"}`, `domain.boundary.right={type="no-slip"}`, `domain.initial={type="rest"}`}

// An oscillation is found however it is written, and a fixed body in a flow that swings has its layer, too.
func TestWhatSwingsIsFoundHoweverItIsWritten(t *testing.T) {
	rod := func(shape, motion string) []string {
		return append([]string{"body.0.shape=" + shape, "body.0.motion=" + motion}, still...)
	}
	const circle, ellipse = `{type="circle", center=[8,6], diameter=1.0}`, `{type="ellipse", center=[8,6], axes=[1.0, 0.5]}`
	in := func(motion string) []string { return rod(circle, `{type="prescribed", `+motion+`}`) }
	free := func(motion string) []string { return rod(circle, `{type="free", density=2.0, `+motion+`}`) }
	t.Chdir(t.TempDir())
	if err := os.WriteFile("swing.csv", []byte("t,factor\n0,1\n1,1.5\n3,0.5\n4,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		sets  []string
		of    string
		sound map[int]float64 // axis and frequency
		layer float64         // highest frequency of the body's layer; 0: none
	}{
		{"amplitude", in(`amplitude=[0.05,0], frequency=0.18`), "body rod", map[int]float64{0: 0.18}, 0.18},
		{"displacement", in(`displacement=["0.05*sin(2*pi*0.18*t)",0]`), "body rod", map[int]float64{0: 0.18}, 0.18},
		{"velocity", in(`velocity=[0,"0.05*cos(2*pi*0.18*t)"]`), "body rod", map[int]float64{1: 0.18}, 0.18},
		{"a steady stream on it", in(`velocity=["0.02+0.05*cos(2*pi*0.18*t)",0]`), "body rod", map[int]float64{0: 0.18}, 0.18},
		{"a start", in(`velocity=["0.05*(1-exp(-t))",0]`), "", nil, 0},
		{"a swing about its centre of what is round", in(`swing=20, frequency=0.18`), "body rod", map[int]float64{}, 0.18},
		{"of what is not", rod(ellipse, `{type="prescribed", angle="0.3*sin(2*pi*0.18*t)"}`), "body rod", map[int]float64{0: 0.18, 1: 0.18}, 0.18},
		{"about a point above it", in(`swing=5, frequency=0.18, pivot=[8,8]`), "body rod", map[int]float64{0: 0.18, 1: 0.36}, 0.18},
		{"round a point", in(`spin=1.2, pivot=[8,6.2]`), "body rod", map[int]float64{0: 1.2 / (2 * math.Pi), 1: 1.2 / (2 * math.Pi)}, 0},
		{"a spring", free(`spring=[2.0,0]`), "body rod on its spring", map[int]float64{0: math.Sqrt(2/(3*math.Pi/4)) / (2 * math.Pi)}, math.Sqrt(2/(3*math.Pi/4)) / (2 * math.Pi)},
		{"a spring, overdamped", free(`spring=[2.0,0], damper=[9.0,0]`), "", nil, 0},
		{"a spring along what is held", free(`spring=[2.0,0], fix=["x"]`), "", nil, 0},
		{"a spring of rotation", free(`spring_rotation=0.5`), "body rod on its spring", map[int]float64{}, math.Sqrt(0.5/(2*math.Pi/32)) / (2 * math.Pi)},
		{"a period of a face", []string{"domain.boundary.left.period=6"}, "face left", map[int]float64{0: 1. / 6}, 1. / 6},
		{"a factor of a face", []string{`domain.boundary.left.factor="1+0.3*sin(2*pi*t/6)"`}, "face left", map[int]float64{0: 1. / 6}, 1. / 6},
		{"a table of a face", []string{`domain.boundary.left.table="swing.csv"`, "domain.boundary.left.repeat=true"}, "face left", map[int]float64{0: 0.25}, 0.25},
		{"a small one", []string{`domain.boundary.left.factor="1+0.05*sin(2*pi*t/6)"`}, "face left", map[int]float64{0: 1. / 6}, 0},
		{"a pressure", []string{`domain.boundary.left={type="pressure", density=1.05, factor="sin(2*pi*t/6)"}`}, "face left", map[int]float64{0: 1. / 6}, 1. / 6},
		{"a force", []string{`domain.force=["0.3*sin(2*pi*t/6)", 0]`}, "force along x", map[int]float64{0: 1. / 6}, 1. / 6},
		{"a steady flow", nil, "", nil, 0},
	} {
		p := setuptest.Problem(t, setuptest.StreamCase, c.sets...)
		found := map[int]float64{}
		for _, d := range p.Drives() {
			if d.Of != c.of {
				t.Errorf("%s: %+v", c.name, d)
			}
			if d.Axis >= 0 {
				found[d.Axis] = d.Frequency
			}
		}
		near := func(got, want float64) bool { return math.Abs(got-want) <= 0.03*want } // a share of a period in 40 L/U
		same := len(found) == len(c.sound)
		for axis, f := range c.sound {
			same = same && near(found[axis], f)
		}
		if !same || !near(p.Swiftest(0), c.layer) {
			t.Errorf("%s: sound %v, the layer's frequency %g; want %v and %g", c.name, found, p.Swiftest(0), c.sound, c.layer)
		}
	}
}

// The same oscillation is judged alike as amplitude and as a formula: by sound, and by its layer; a fixed body by the
// layer of a flow that swings fast.
func TestOscillationsAreJudgedHoweverTheyAreWritten(t *testing.T) {
	checkingtest.NumbersAlone(t)
	of := func(frequency float64, motion string) []string {
		return append([]string{`body.0.motion={type="prescribed", ` + fmt.Sprintf(motion, frequency) + `}`}, still...)
	}
	for _, motion := range []string{`amplitude=[0.01,0], frequency=%v`, `displacement=["0.01*sin(2*pi*%v*t)",0]`} {
		if s := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), of(0.18, motion)).Sounds; len(s) != 1 || s[0].Of != "body rod" || !strings.Contains(s[0].Ratio.Reason, "resonates at 0.18 U/L") {
			t.Errorf("%s: %+v", motion, s)
		}
		if j := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), of(8, motion)).Bodies[0].Layer; !(j.Value > 0.39 && j.Value < 0.41) || j.Verdict != Unsafe {
			t.Errorf("%s: the layer is %+v nodes, want 0.4", motion, j)
		}
	}
	if j := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{`domain.boundary.left.factor="1+0.3*sin(2*pi*t/0.5)"`}).Bodies[0].Layer; !(j.Value > 0.79 && j.Value < 0.81) || j.Verdict != Unsafe {
		t.Errorf("of a fixed body in a flow that swings twice in a time unit the layer is %+v nodes, want 0.8", j)
	}
}
