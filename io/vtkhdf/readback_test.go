package vtkhdf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// python is Debian's: the one for which python3-h5py and python3-vtk9 are
// packaged.
const python = "/usr/bin/python3"

// wanted and wantedArray tell testdata/readback.py what a file must hold.
type wanted struct {
	Name    string     `json:"name"`
	File    string     `json:"file"`
	Type    string     `json:"type"`
	Size    [3]int     `json:"size"`
	Origin  [3]float64 `json:"origin"`
	Spacing [3]float64 `json:"spacing"`
	Points  string     `json:"points"`

	Triangles string `json:"triangles"` // empty: none
	Lines     string `json:"lines"`     // of two points each; empty: none

	Arrays []wantedArray `json:"arrays"`

	Planar bool        `json:"planar"`
	Boxes  []wantedBox `json:"boxes"` // of nested grids; Spacing is that of the coarsest
}

// wantedBox is a box of nested grids.
type wantedBox struct {
	Level  int           `json:"level"`
	Lo     [3]int        `json:"lo"`
	Hi     [3]int        `json:"hi"`
	Arrays []wantedArray `json:"arrays"`
}

type wantedArray struct {
	Name       string `json:"name"`
	Components int    `json:"components"`
	Type       string `json:"dtype"`
	Raw        string `json:"raw"`
}

func raw(t *testing.T, path string, data any) string {
	t.Helper()
	var b bytes.Buffer
	if err := binary.Write(&b, binary.NativeEndian, data); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func describeArrays(t *testing.T, file string, arrays []Array) []wantedArray {
	t.Helper()
	var w []wantedArray
	for i, a := range arrays {
		kind := "float32"
		if _, ok := a.Data.([]float64); ok {
			kind = "float64"
		}
		w = append(w, wantedArray{a.Name, a.Components, kind, raw(t, fmt.Sprintf("%s.%d", file, i), a.Data)})
	}
	return w
}

// field makes n numbers that look like a flow field, smooth with noise in the
// low bits, with a NaN, both zeros and an infinity among them.
func field[T float32 | float64](n int, seed int64) []T {
	r := rand.New(rand.NewSource(seed))
	f := make([]T, n)
	for i := range f {
		f[i] = T(math.Sin(float64(i)/97) + 1e-5*r.Float64())
	}
	for _, special := range []float64{math.NaN(), math.Copysign(0, -1), 0, math.Inf(1)} {
		if n > 0 {
			f[r.Intn(n)] = T(special)
		}
	}
	return f
}

// noise makes n numbers whose bits are random: a chunk of them does not shrink
// and is stored without deflate.
func noise(n int) []float32 {
	r := rand.New(rand.NewSource(7))
	f := make([]float32, n)
	for i := range f {
		f[i] = math.Float32frombits(r.Uint32())
	}
	return f
}

func fieldsOn(size [3]int) []Array {
	n := size[0] * size[1] * size[2]
	return []Array{
		{"density", 1, field[float32](n, 1)},
		{"velocity", 3, field[float64](3*n, 2)},
		{"vorticity", 3, field[float32](3*n, 3)},
		{"plane velocity", 2, field[float32](2*n, 4)},
		{"pressure", 1, field[float64](n, 5)},
		{"noise", 1, noise(n)},
	}
}

func writtenImages(t *testing.T, dir string) []wanted {
	t.Helper()
	var manifest []wanted
	for _, size := range [][3]int{
		{17, 12, 1}, {1000, 3, 1}, {203, 151, 1}, {20011, 2, 1}, {9, 1, 1}, // 2D; the fourth has rows beyond deflate's window
		{7, 11, 18}, {31, 37, 53}, {30, 3, 100}, {1, 9, 5}, {5, 1, 7}, // 3D; the second is cut along z with a remainder
		{1, 1, 1},
	} {
		im := &Image{Size: size, Origin: [3]float64{-1.5, 0.1, 3}, Spacing: [3]float64{0.5, 0.25, 1.0 / 3}, Arrays: fieldsOn(size)}
		name := fmt.Sprintf("image %d×%d×%d", size[0], size[1], size[2])
		file := filepath.Join(dir, fmt.Sprintf("image_%d_%d_%d.vtkhdf", size[0], size[1], size[2]))
		if err := WriteImage(file, im); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		manifest = append(manifest, wanted{Name: name, File: file, Type: "ImageData",
			Size: size, Origin: im.Origin, Spacing: im.Spacing, Arrays: describeArrays(t, file, im.Arrays)})
	}
	return manifest
}

func writtenPolys(t *testing.T, dir string) []wanted {
	t.Helper()
	var manifest []wanted
	for _, n := range []int{0, 1, 126, 50_003} {
		p := &Poly{Points: make([][3]float64, n), Arrays: []Array{
			{"force", 3, field[float64](3*n, 1)},
			{"slip", 1, field[float32](n, 2)},
		}}
		for i := range p.Points {
			p.Points[i] = [3]float64{math.Cos(float64(i)), math.Sin(float64(i)), float64(i) / 7}
		}
		name := fmt.Sprintf("%d points", n)
		file := filepath.Join(dir, fmt.Sprintf("points_%d.vtkhdf", n))
		if err := WritePoly(file, p); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		manifest = append(manifest, wanted{Name: name, File: file, Type: "PolyData",
			Points: raw(t, file+".points", p.Points), Arrays: describeArrays(t, file, p.Arrays)})
		if n < 3 {
			continue
		}
		var flat []int64
		for k := range n - 2 {
			p.Triangles = append(p.Triangles, [3]int{k, k + 2, k + 1})
			flat = append(flat, int64(k), int64(k+2), int64(k+1))
		}
		file = filepath.Join(dir, fmt.Sprintf("triangles_%d.vtkhdf", n))
		if err := WritePoly(file, p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		manifest = append(manifest, wanted{Name: fmt.Sprintf("%d triangles", n-2), File: file, Type: "PolyData", Triangles: raw(t, file+".triangles", flat),
			Points: raw(t, file+".points", p.Points), Arrays: describeArrays(t, file, p.Arrays)})
		p.Lines = [][]int{{0, 1}, {n - 1, 1}}
		file = filepath.Join(dir, fmt.Sprintf("lines_%d.vtkhdf", n))
		if err := WritePoly(file, p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		manifest = append(manifest, wanted{Name: "triangles and lines", File: file, Type: "PolyData", Triangles: raw(t, file+".triangles", flat),
			Lines: raw(t, file+".lines", []int64{0, 1, int64(n) - 1, 1}), Points: raw(t, file+".points", p.Points), Arrays: describeArrays(t, file, p.Arrays)})
	}
	return manifest
}

func writtenGrids(t *testing.T, dir string) (manifest []wanted) {
	t.Helper()
	for _, planar := range []bool{true, false} {
		a := nestedGrids(planar)
		name := fmt.Sprintf("nested grids, planar %t", planar)
		file := filepath.Join(dir, fmt.Sprintf("amr_%t.vtkhdf", planar))
		if err := WriteAMR(file, a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w := wanted{Name: name, File: file, Type: "OverlappingAMR", Origin: a.Origin, Spacing: [3]float64{a.Spacing, a.Spacing, a.Spacing}, Planar: planar}
		for k, b := range a.Boxes {
			w.Boxes = append(w.Boxes, wantedBox{b.Level, b.Lo, b.Hi, describeArrays(t, fmt.Sprintf("%s.%d", file, k), b.Arrays)})
		}
		manifest = append(manifest, w)
	}
	return manifest
}

func TestH5pyAndVTKReadBackEveryBit(t *testing.T) {
	dir := t.TempDir()
	manifest := slices.Concat(writtenImages(t, dir), writtenPolys(t, dir), writtenGrids(t, dir))
	text, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "manifest.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "testdata/readback.py", path).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatalf("%s testdata/readback.py: %v (it needs python3-h5py and python3-vtk9)", python, err)
	}
	if want := fmt.Sprintf("%d agree, 0 differ", len(manifest)); !strings.Contains(string(out), want) {
		t.Fatalf("the last line does not say %q", want)
	}
}
