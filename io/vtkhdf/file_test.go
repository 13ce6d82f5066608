package vtkhdf

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func image(size [3]int, arrays ...Array) *Image {
	return &Image{Size: size, Spacing: [3]float64{1, 1, 1}, Arrays: arrays}
}

// contents lists a directory.
func contents(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestImpossibleInputIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	six := make([]float32, 6)
	bad := func(change func(im *Image)) *Image {
		im := image([3]int{3, 2, 1}, Array{"rho", 1, six})
		change(im)
		return im
	}
	for _, c := range []struct {
		name string
		im   *Image
		want string
	}{
		{"too few numbers", image([3]int{3, 2, 1}, Array{"u", 3, make([]float64, 17)}), `array "u" has 17 numbers: 6 points of 3 components need 18`},
		{"too many numbers", image([3]int{3, 2, 1}, Array{"rho", 1, make([]float64, 7)}), `has 7 numbers`},
		{"no data", image([3]int{3, 2, 1}, Array{"rho", 1, nil}), "type <nil> cannot be stored"},
		{"wrong type", image([3]int{3, 2, 1}, Array{"rho", 1, make([]int, 6)}), "type []int cannot be stored"},
		{"no components", image([3]int{3, 2, 1}, Array{"rho", 0, six}), "0 components are impossible"},
		{"components beyond an int", image([3]int{3, 2, 1}, Array{"rho", math.MaxInt, six}), "components are impossible"},
		{"no name", image([3]int{3, 2, 1}, Array{"", 1, six}), `name "" is impossible`},
		{"a path as name", image([3]int{3, 2, 1}, Array{"a/b", 1, six}), `name "a/b" is impossible`},
		{"one name twice", image([3]int{3, 2, 1}, Array{"a", 1, six}, Array{"a", 1, six}), `two arrays are called "a"`},
		{"no points along z", bad(func(im *Image) { im.Size[2] = 0 }), "0 points along z are impossible"},
		{"negative size", bad(func(im *Image) { im.Size[0] = -3 }), "-3 points along x"},
		{"size beyond an int", bad(func(im *Image) { im.Size = [3]int{math.MaxInt32, math.MaxInt32, math.MaxInt32} }), "points along z are impossible"},
		{"zero spacing", bad(func(im *Image) { im.Spacing[1] = 0 }), "spacing 0 along y"},
		{"spacing NaN", bad(func(im *Image) { im.Spacing[0] = math.NaN() }), "spacing NaN along x"},
		{"origin infinite", bad(func(im *Image) { im.Origin[2] = math.Inf(1) }), "origin +Inf along z"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "flow.vtkhdf")
		err := WriteImage(path, c.im)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %q, want one with %q and the path", c.name, err, c.want)
		}
		if names := contents(t, dir); len(names) != 0 {
			t.Errorf("%s: left %v", c.name, names)
		}
	}
	dir := t.TempDir()
	p := &Poly{Points: make([][3]float64, 4), Arrays: []Array{{"force", 3, make([]float64, 9)}}}
	if err := WritePoly(filepath.Join(dir, "p.vtkhdf"), p); err == nil || !strings.Contains(err.Error(), "4 points of 3 components need 12") {
		t.Errorf("points: error %q", err)
	}
	p = &Poly{Points: make([][3]float64, 4), Triangles: [][3]int{{0, 1, 2}, {1, 2, 4}}}
	if err := WritePoly(filepath.Join(dir, "p.vtkhdf"), p); err == nil || !strings.Contains(err.Error(), "triangle 1 is between points [1 2 4]: there are points 0 to 3") {
		t.Errorf("triangles: error %q", err)
	}
	p = &Poly{Points: make([][3]float64, 4), Lines: [][]int{{0, 1, 4}}}
	if err := WritePoly(filepath.Join(dir, "p.vtkhdf"), p); err == nil || !strings.Contains(err.Error(), "line 0 has point 4: there are points 0 to 3") {
		t.Errorf("lines: error %q", err)
	}
	if names := contents(t, dir); len(names) != 0 {
		t.Errorf("points: left %v", names)
	}
}

func TestWhatCannotBeWrittenLeavesNothingBehind(t *testing.T) {
	im := image([3]int{9, 8, 7}, Array{"rho", 1, make([]float32, 9*8*7)})
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "such", "flow.vtkhdf")
	if err := WriteImage(missing, im); err == nil || !strings.Contains(err.Error(), missing) || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("missing directory: error %q, want path and cause", err)
	}
	taken := filepath.Join(dir, "taken")
	if err := os.Mkdir(taken, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteImage(taken, im); err == nil || !strings.Contains(err.Error(), taken) {
		t.Errorf("a directory in its place: error %q, want path and cause", err)
	}
	if names := contents(t, dir); len(names) != 1 {
		t.Errorf("left %v, want only the directory", names)
	}
}

// The size limit of a process makes writes fail as a full disk does, part of
// the way through a file. It cannot be lifted again, hence the child process.
func TestFullDiskIsAnErrorAndKeepsTheOldFile(t *testing.T) {
	const variable = "VTKHDF_TEST_LIMITED_FILE"
	big := image([3]int{40, 40, 40}, Array{"noise", 1, noise(40 * 40 * 40)})
	path := os.Getenv(variable)
	if path == "" {
		path = filepath.Join(t.TempDir(), "flow.vtkhdf")
		if err := WriteImage(path, image([3]int{3, 2, 1}, Array{"rho", 1, make([]float32, 6)})); err != nil {
			t.Fatal(err)
		}
		before := read(t, path)
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		child.Env = append(os.Environ(), variable+"="+path)
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("the limited process failed: %v\n%s", err, out)
		}
		if !bytes.Contains(out, []byte("file too large")) {
			t.Fatalf("the limited process met no limit:\n%s", out)
		}
		if !bytes.Equal(before, read(t, path)) {
			t.Error("the file that was there has changed")
		}
		if names := contents(t, filepath.Dir(path)); len(names) != 1 {
			t.Errorf("left %v, want flow.vtkhdf only", names)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second shows that the first left HDF5 in order
		err := WriteImage(path, big)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("error %q, want one that names the path", err)
		}
		t.Log(err)
	}
}

func TestEqualDataMakeEqualBytes(t *testing.T) {
	size := [3]int{61, 47, 23} // vectors take several chunks, for several workers
	im := image(size, fieldsOn(size)...)
	poly := &Poly{Points: make([][3]float64, 5000), Arrays: []Array{{"force", 3, field[float64](15000, 1)}}}
	dir := t.TempDir()
	write := func(name string) (a, b []byte) {
		if err := WriteImage(filepath.Join(dir, name), im); err != nil {
			t.Fatal(err)
		}
		if err := WritePoly(filepath.Join(dir, name+"p"), poly); err != nil {
			t.Fatal(err)
		}
		return read(t, filepath.Join(dir, name)), read(t, filepath.Join(dir, name+"p"))
	}
	image1, poly1 := write("first")
	time.Sleep(1100 * time.Millisecond) // HDF5's times are in seconds
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	image2, poly2 := write("second")
	if !bytes.Equal(image1, image2) || !bytes.Equal(poly1, poly2) {
		t.Error("the same data, a second later on one CPU, made other bytes")
	}
}

func TestFilesMayBeWrittenAtTheSameTime(t *testing.T) {
	size := [3]int{31, 30, 25}
	im := image(size, fieldsOn(size)...)
	dir := t.TempDir()
	names := []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			if err := WriteImage(filepath.Join(dir, name), im); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	first := read(t, filepath.Join(dir, names[0]))
	for _, name := range names[1:] {
		if !bytes.Equal(first, read(t, filepath.Join(dir, name))) {
			t.Errorf("file %s differs from file %s", name, names[0])
		}
	}
}

func TestRepeatedPlaneCostsLittle(t *testing.T) {
	// Random low bits do not compress, so that only the repetition can be saved.
	const nx, ny = 512, 256
	dir := t.TempDir()
	plane := field[float64](nx*ny, 3)
	size := func(name string, im *Image) float64 {
		path := filepath.Join(dir, name)
		if err := WriteImage(path, im); err != nil {
			t.Fatal(err)
		}
		return float64(len(read(t, path)))
	}
	twice := size("2D", image([3]int{nx, ny, 1}, Array{"p", 1, plane}))
	once := size("3D", image([3]int{nx, ny / 2, 2}, Array{"p", 1, plane})) // the same numbers
	if ratio := twice / once; ratio > 1.1 {                                // 1 if the second plane were free, 2 if it cost like the first
		t.Errorf("a 2D image takes %.2f of a 3D image of the same numbers", ratio)
	}
}

func BenchmarkWriteImage(b *testing.B) {
	const n = 256
	data := make([]float32, n*n*n)
	for i := range data {
		x, y, z := float64(i%n)/n, float64(i/n%n)/n, float64(i/n/n)/n
		data[i] = float32(math.Sin(9*x+4*y) * math.Cos(7*z))
	}
	im := image([3]int{n, n, n}, Array{"velocity_x", 1, data})
	path := filepath.Join(b.TempDir(), "flow.vtkhdf")
	b.SetBytes(4 * n * n * n)
	for b.Loop() {
		if err := WriteImage(path, im); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/(4*n*n*n), "stored/raw")
}
