package check

import (
	"strings"
	"testing"

	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// blockCase has a solid block, and a box of finer nodes.
const blockCase = `
[reference]
resolution = 16
velocity = 0.05
reynolds = 20
[domain]
lattice = "D2Q9"
size = [8.0, 4.0]
[domain.boundary]
left = { type = "velocity", value = [1.0, 0.0] }
right = { type = "outflow" }
bottom = { type = "periodic" }
top = { type = "periodic" }
[fluid]
collision = "trt"
[[solid]]
name = "block"
shape = { type = "box", min = [3.0, 1.5], max = [4.0, 2.5] }
[[refine]]
box = { min = [2.0, 1.0], max = [3.5, 3.0] }
[run]
time = 0.1
`

// What run refuses of solids on nested grids is refused before: those beside the end of a box, those whose surface runs through coarse nodes; a box that
// holds all of the solid is not.
func TestSolidsNearTheEndsOfFinerBoxesAreRefused(t *testing.T) {
	for box, want := range map[string]string{
		"{ min = [2.0, 1.0], max = [3.5, 3.0] }": "is solid, and less than 4 nodes from the end of its box",
		"{ min = [5.0, 1.0], max = [6.5, 3.0] }": "", // the block ends between coarse nodes
		"{ min = [2.0, 1.0], max = [5.0, 3.0] }": "",
	} {
		text := strings.Replace(blockCase, "{ min = [2.0, 1.0], max = [3.5, 3.0] }", box, 1)
		r := Assess(setuptest.Load(t, text), setup.Kernel{})
		err := r.Err()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "refine")) {
			t.Errorf("refined in %s: %v, want %q", box, err, want)
		}
	}
}
