package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup"
)

// What moves the fluid, and the domain, has a line.
func TestCheckTellsHeldFlowsAndWhatIsFollowed(t *testing.T) {
	for want, of := range map[string]string{
		"a force along x holds the mean speed, 1 U":            `size = [1.0, 1.0]` + "\nflow = { speed = 1.0 }\n[domain.boundary]\nbottom = { type = \"no-slip\" }\ntop = { type = \"no-slip\" }",
		"a force along x holds the flow rate, one that varies": `size = [1.0, 1.0]` + "\nflow = { flow_rate = \"0.5 + 0.1*sin(t)\" }\n[domain.boundary]\nbottom = { type = \"no-slip\" }\ntop = { type = \"no-slip\" }",
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
