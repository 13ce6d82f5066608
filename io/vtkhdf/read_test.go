package vtkhdf

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imageOf writes an image of a size with a vector field of different numbers.
func imageOf(t *testing.T, size [3]int, components int) (path string, data []float32) {
	t.Helper()
	data = make([]float32, size[0]*size[1]*size[2]*components)
	for i := range data {
		data[i] = float32(i) + 0.5
	}
	path = filepath.Join(t.TempDir(), "a.vtkhdf")
	im := &Image{Size: size, Spacing: [3]float64{1, 1, 1}, Arrays: []Array{{Name: "u", Components: components, Data: data}}}
	if err := WriteImage(path, im); err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestFieldsAreReadBackWithoutRepeatedPlanes(t *testing.T) {
	for _, size := range [][3]int{{5, 4, 1}, {5, 4, 3}, {5, 1, 3}, {1, 4, 3}, {5, 1, 1}, {70, 40, 1}} {
		for _, components := range []int{1, 3} {
			path, want := imageOf(t, size, components)
			if err := CheckField(path, "u", size, components); err != nil {
				t.Errorf("%v, %d components: %v", size, components, err)
			}
			got, err := ReadField(path, "u", size, components)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %d components: %v, %v … instead of %v …", size, components, err, got[:min(3, len(got))], want[:3])
			}
		}
	}
}

func TestFieldsThatDoNotFitAreRefused(t *testing.T) {
	path, data := imageOf(t, [3]int{5, 4, 1}, 3)
	if err := CheckField(path, "rho", [3]int{5, 4, 1}, 1); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"rho"`) {
		t.Errorf("a missing array: %v", err)
	}
	if err := CheckField(path, "u", [3]int{6, 4, 1}, 3); err == nil || !strings.Contains(err.Error(), "same domain and resolution") {
		t.Errorf("another size: %v", err)
	}
	if err := CheckField(path, "u", [3]int{5, 4, 1}, 1); err == nil {
		t.Error("a vector is taken for a scalar")
	}
	if err := CheckField(path+".none", "u", [3]int{5, 4, 1}, 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	data[3*(5*2+1)+1] = float32(math.NaN())
	im := &Image{Size: [3]int{5, 4, 1}, Spacing: [3]float64{1, 1, 1}, Arrays: []Array{{Name: "u", Components: 3, Data: data}}}
	if err := WriteImage(path, im); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadField(path, "u", im.Size, 3); err == nil || !strings.Contains(err.Error(), "(1, 2, 0)") {
		t.Errorf("a value that is not finite: %v", err)
	}
}

// Reading these brings down a process with libhdf5 1.10.8, or not, by what else lies in its
// memory. Each has an array of 42 × 30 points and a changed byte or two, found by
// validation/robustness.
func TestADamagedFileDoesNotEndTheProcess(t *testing.T) {
	all, err := filepath.Glob("testdata/damaged-*.vtkhdf")
	if err != nil || len(all) == 0 {
		t.Fatal("no damaged files", err)
	}
	for _, path := range all {
		for name, components := range map[string]int{"velocity": 3, "density": 1} {
			if _, err := ReadField(path, name, [3]int{42, 30, 1}, components); err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("%s: the error does not name the file: %v", path, err)
			}
		}
	}
	// The process that reads files is there again for a sound one.
	path, want := imageOf(t, [3]int{5, 4, 1}, 3)
	if got, err := ReadField(path, "u", [3]int{5, 4, 1}, 3); err != nil || !slices.Equal(got, want) {
		t.Errorf("a sound file: %v", err)
	}
}
