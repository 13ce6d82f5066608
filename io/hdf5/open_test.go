package hdf5

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written is the path of a file with the datasets /A/wide (f64, 2×3), /A/large
// (f32, compressed) and /A/count (whole numbers).
func written(t *testing.T) string {
	t.Helper()
	f := create(t)
	g, err := f.CreateGroup("A")
	must(t, err)
	must(t, g.Write("wide", Dataset{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 1. / 3}}))
	large := make([]float32, 4096)
	for i := range large {
		large[i] = float32(i) / 7
	}
	must(t, g.Write("large", Dataset{Shape: []int{64, 64}, Data: large}))
	must(t, g.Write("count", Dataset{Shape: []int{2}, Data: []int64{1, 2}}))
	path := filepath.Join(t.TempDir(), "a.h5")
	out, err := os.Create(path)
	must(t, err)
	_, err = f.WriteTo(out)
	must(t, err)
	must(t, out.Close())
	return path
}

func TestDatasetsAreReadBackInEitherPrecision(t *testing.T) {
	r, err := Open(written(t))
	must(t, err)
	defer r.Close()
	shape, err := r.Shape("/A/wide")
	must(t, err)
	if len(shape) != 2 || shape[0] != 2 || shape[1] != 3 {
		t.Fatalf("the shape is %v, want [2 3]", shape)
	}
	double, single := make([]float64, 6), make([]float32, 6)
	must(t, ReadDataset(r, "/A/wide", double))
	must(t, ReadDataset(r, "A/wide", single))
	if double[5] != 1./3 || single[5] != float32(1./3) || double[3] != 4 {
		t.Errorf("read %v and %v", double, single)
	}
	large := make([]float64, 4096)
	must(t, ReadDataset(r, "/A/large", large))
	if large[4095] != float64(float32(4095)/7) || large[1] != float64(float32(1)/7) {
		t.Errorf("a compressed dataset reads %v … %v", large[1], large[4095])
	}
}

func TestWhatCannotBeReadSaysSo(t *testing.T) {
	path := written(t)
	r, err := Open(path)
	must(t, err)
	for _, name := range []string{"/A/none", "/B/wide", "/A/wide/deep"} {
		if _, err := r.Shape(name); err == nil {
			t.Errorf("%s is found", name)
		} else if name != "/A/wide/deep" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v is not known as missing", name, err)
		}
	}
	if shape, err := r.Shape("/A/count"); err != nil || len(shape) != 1 {
		t.Errorf("whole numbers: %v %v", shape, err)
	}
	if err := ReadDataset(r, "/A/wide", make([]float64, 5)); err == nil || !strings.Contains(err.Error(), "[2 3]") {
		t.Errorf("a slice that is too short: %v", err)
	}
	must(t, r.Close())
	must(t, r.Close())
	if _, err := r.Shape("/A/wide"); !errors.Is(err, errClosed) {
		t.Errorf("a closed file: %v", err)
	}
	if _, err := Open(path + ".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("not HDF5 at all"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "no HDF5 file") {
		t.Errorf("a text file: %v", err)
	}
	if _, err := Open(filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "is a directory, not a regular file") {
		t.Errorf("a directory: %v", err)
	}
}

// Another process reads files: this one has none open, and one that has been ended is
// started again.
func TestAnotherProcessReadsFiles(t *testing.T) {
	r, err := Open(written(t))
	must(t, err)
	defer r.Close()
	if r.file != nil || process.cmd == nil {
		t.Fatal("this process reads the file")
	}
	before := process.cmd.Process.Pid
	must(t, process.cmd.Process.Kill())
	double := make([]float64, 6)
	must(t, ReadDataset(r, "/A/wide", double))
	if process.cmd.Process.Pid == before || double[5] != 1./3 {
		t.Errorf("read %v by process %d after %d was ended", double, process.cmd.Process.Pid, before)
	}
	if _, err := (request{Path: r.path, Name: "/A/wide", Read: true, Count: 1 << 40}).elsewhere(nil); err == nil || !strings.Contains(err.Error(), "a file of") {
		t.Errorf("more numbers than the file can hold: %v", err)
	}
}
