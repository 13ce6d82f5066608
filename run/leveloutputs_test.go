package run

import (
	"fmt"
	"math"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/setup/setuptest"
)

// A file of nested grids holds, cell by cell, the flow of the image on the finest nodes: the same bits on the finest level, and what
// comes to the same when it is resampled on coarser ones.
func TestNestedGridsHoldTheImage(t *testing.T) {
	checkingtest.NumbersAlone(t)
	for name, c := range map[string]struct {
		text   string
		size   [3]int
		vortex int // components of the vorticity
	}{
		"one grid in the plane":     {setuptest.SwimmingCase, [3]int{48, 32, 1}, 1},
		"two levels in the plane":   {setuptest.SwimmingCase + inThePlane["two levels"], [3]int{48, 32, 1}, 1},
		"three levels in the plane": {setuptest.SwimmingCase + inThePlane["three levels"], [3]int{48, 32, 1}, 1},
		"in space":                  {setuptest.SwimmingSphere + inSpace["two levels"], [3]int{18, 18, 18}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(format string) (string, *casefile.Case) {
				dir := t.TempDir()
				loaded := setuptest.Load(t, c.text, "output.fields.format="+format)
				if _, err := Run(t.Context(), loaded, Options{Out: dir}); err != nil {
					t.Fatal(err)
				}
				return dir, loaded
			}
			image, loaded := run("image")
			nested, _ := run("amr")
			parts := setuptest.Problem(t, c.text).Parts()
			finest := parts[len(parts)-1]
			file := fmt.Sprintf("fields/case_%09d.vtkhdf", loaded.Run.Steps)
			for _, q := range []struct {
				name       string
				components int
			}{{"velocity", 3}, {"density", 1}, {"vorticity", c.vortex}} {
				want := fieldOf(t, image, file, q.name, c.size, q.components)
				got := fieldOf(t, nested, file, q.name, c.size, q.components)
				largest := 0.
				for k, v := range got {
					n := k / q.components
					at := [3]int{n % c.size[0], n / c.size[0] % c.size[1], n / (c.size[0] * c.size[1])}
					inside := true
					for a := range at {
						inside = inside && at[a] >= finest.Lo[a] && at[a] < finest.Hi[a]
					}
					largest = math.Max(largest, math.Abs(float64(want[k])))
					if inside && v != want[k] {
						t.Fatalf("%s at %v of the finest level is %v, in the image %v", q.name, at, v, want[k])
					}
					post := len(loaded.Solids) > 0 && at[0] >= 36 && at[1] < 8                 // whose nodes the image sets to rest, after slopes to what they hold
					if q.name != "vorticity" && !post && math.Abs(float64(v-want[k])) > 1e-6 { // single precision
						t.Fatalf("%s at %v is %v, in the image %v", q.name, at, v, want[k])
					}
				}
				if largest == 0 {
					t.Errorf("%s is 0 everywhere", q.name)
				}
			}
		})
	}
}
