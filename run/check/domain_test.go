package check

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// What moves the fluid, and the domain, has a line.
func TestCheckTellsHeldFlowsAndWhatIsFollowed(t *testing.T) {
	for want, of := range map[string]string{
		"a force along x holds the mean speed, 1 U; up to 1.5 times its mean": `size = [1.0, 1.0]` + "\nflow = { speed = 1.0 }\n[domain.boundary]\nbottom = { type = \"no-slip\" }\ntop = { type = \"no-slip\" }",
		"a force along x holds the flow rate, one that varies":                `size = [1.0, 1.0]` + "\nflow = { flow_rate = \"0.5 + 0.1*sin(t)\" }\n[domain.boundary]\nbottom = { type = \"no-slip\" }\ntop = { type = \"no-slip\" }",
		`the domain follows body "disc" along y, by 4 nodes`: "size = [4.0, 12.0]\nfollow = {}\ngravity = [0.0, -1.0]\n[domain.boundary]\nbottom = { type = \"no-slip\" }\ntop = { type = \"outflow\" }\n" +
			"[[body]]\nname = \"disc\"\nshape = { type = \"circle\", center = [2.0, 7.0], diameter = 1.0 }\nmotion = { type = \"free\", density = 1.2 }",
	} {
		file := filepath.Join(t.TempDir(), "case.toml")
		text := "[reference]\nresolution = 16\nvelocity = 0.05\nreynolds = 10\n[run]\ntime = 5.0\n[domain]\nlattice = \"D2Q9\"\n" + of + "\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var told strings.Builder
		Check(file, nil, setup.Kernel{}).Write(&told, nil)
		if got := strings.Join(strings.Fields(told.String()), " "); !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, &told)
		}
	}
}

// The Mach number of a flow that is held is that of its middle.
func TestTheMachNumberOfAHeldFlowIsThatOfItsPeak(t *testing.T) {
	const pipe = `
[reference]
resolution = 20
velocity   = 0.08
reynolds   = 20
[domain]
lattice = "D3Q19"
size    = [0.5, 1.2, 1.2]
flow    = { flow_rate = 0.7854 }
[[solid]]
shape = { type = "cylinder", center = [0.25, 0.6, 0.6], diameter = 1.0, length = 0.7, direction = [1, 0, 0] }
fluid = "inside"
[run]
time = 5.0
`
	const want = 0.08 * 2 * 1.7320508
	for _, set := range []string{"domain.flow.flow_rate=0.7854", "domain.flow={speed=1.0}"} {
		r := look(setuptest.InEmptyDirectory(t, pipe), []string{set})
		if got := float64(r.Scales.Mach.Value); r.Err() != nil || math.Abs(got/want-1) > 0.03 || r.Scales.Mach.Verdict != Caution {
			t.Errorf("%s: %v, Mach %.4g, %s, want %.4g", set, r.Err(), got, r.Scales.Mach.Verdict, want)
		}
	}
}
