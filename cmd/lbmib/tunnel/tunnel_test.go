package tunnel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What no tunnel can be made for is refused in words.
func TestWhatIsNoPartIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plate.stl")
	plate := "solid plate\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 1 0 0\nendloop\nendfacet\nendsolid plate\n"
	if err := os.WriteFile(file, []byte(plate), 0o600); err != nil {
		t.Fatal(err)
	}
	air, _ := FindFluid("air")
	for speed, want := range map[string]string{
		"10 m/s": "the part has no extent along y (0 of its largest)",
		"10":     `--speed "10" has no unit: add one, for instance "`,
	} {
		_, err := New(Part{File: file, Unit: "1 mm", Speed: speed, Fluid: air, Case: "case.toml"})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "quotes") {
			t.Errorf("%s: %v, want %q", speed, err, want)
		}
	}
}
