package run

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// The flow outside tells a wall that is not where it is drawn: not corrected it is felt in front
// of its markers, with twice the correction behind them. A wall that is right passes, and the
// markers' own slip tells nothing of all that.
func TestTheFlowOutsideTellsAWrongWall(t *testing.T) {
	checkingtest.NumbersAlone(t)
	sets := []string{"reference.resolution=12", "reference.reynolds=30", "output.checkpoint.every=0"}
	for _, test := range []struct {
		name      string
		factor    float64 // on the correction
		low, high float64
		told      bool
	}{
		{"right", 1, -0.03, 0.03, false},
		{"not corrected", 0, -0.6, -0.2, true},
		{"twice", 2, 0.1, 0.3, true},
	} {
		c, err := casefile.Parse("thin.toml", []byte(thinCase), sets)
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		o := Options{Out: filepath.Join(t.TempDir(), "run"), Threads: 1, Progress: &said}
		o.apply(c)
		p, err := setup.New(c)
		if err != nil {
			t.Fatal(err)
		}
		p.Coupling.Offset *= test.factor
		j, err := begun[float64](p, o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := j.run(t.Context())
		j.close()
		if err != nil {
			t.Fatal(err)
		}
		b := s.Bodies["cylinder"]
		if v := float64(b.WallSlip); !(v > test.low && v < test.high) || b.SlipMax > 0.02 {
			t.Errorf("%s: the flow outside has %.3f U at the wall, want %g to %g; the markers' slip is %.2g U", test.name, v, test.low, test.high, float64(b.SlipMax))
		}
		all, text := strings.Join(s.Cautions, "\n"), s.String()
		if told := strings.Contains(all, `at the wall of body "cylinder"`); told != test.told || told != strings.Contains(strings.Join(strings.Fields(text), " "), "at the wall, more than 0.1") {
			t.Errorf("%s: the cautions are\n%s\nand it prints\n%s", test.name, all, text)
		}
	}
}

// A profile that is a cubic with the slope that the force has at the wall is followed to the
// wall exactly, whatever velocity the wall has.
func TestAWallIsReachedAlongACubic(t *testing.T) {
	ray := observe.WallRay{Out: geometry.Vec{0.6, 0.8}, First: 2.1}
	along, wall := geometry.Vec{0.8, -0.6}, geometry.Vec{0.03, 0.02}
	var u []geometry.Vec
	for k := range observe.WallPlaces {
		d := ray.First + float64(k)
		u = append(u, wall.Add(along.Scale(0.01+0.02*d-0.003*d*d+0.0001*d*d*d)).Add(ray.Out.Scale(0.004*d*d)))
	}
	if got := ray.Slip(wall, along.Scale(0.02), u); math.Abs(got-0.01) > 1e-15 { // rounding
		t.Errorf("the velocity at the wall is %g, should be 0.01", got)
	}
}
