package hdf5

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func create(t *testing.T) *File {
	t.Helper()
	f, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// show is what h5py sees in the file.
func show(t *testing.T, f *File) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.h5")
	w, err := os.Create(path)
	must(t, err)
	n, err := f.WriteTo(w)
	must(t, err)
	must(t, w.Close())
	if info, err := os.Stat(path); err != nil || info.Size() != n {
		t.Fatalf("WriteTo told %d bytes, the file has %v, %v", n, info.Size(), err)
	}
	out, err := exec.Command("/usr/bin/python3", "testdata/show.py", path).CombinedOutput()
	if err != nil {
		t.Fatalf("h5py: %v\n%s", err, out)
	}
	return string(out)
}

func TestH5pySeesGroupsAttributesAndDatasets(t *testing.T) {
	f := create(t)
	g, err := f.CreateGroup("run")
	must(t, err)
	inner, err := g.CreateGroup("fields")
	must(t, err)
	must(t, g.SetString("Type", "ImageData"))
	must(t, SetNumbers[int64](g, "Version", 1, 0))
	must(t, SetNumbers(g, "Spacing", 0.5, 1.0/3))
	must(t, SetNumbers[float32](inner, "scale", 2.5))
	must(t, inner.Write("ids", Dataset{Shape: []int{2, 2}, Data: []int64{1, -2, 3, 1 << 62}}))
	must(t, inner.Write("empty", Dataset{Shape: []int{0, 3}, Data: []float64{}}))
	must(t, inner.Write("twice", Dataset{Shape: []int{2, 3}, Repeat: []int{0}, Data: []float32{7, 8, 9}}))
	want := `run@Spacing float64 [0.5, 0.3333333333333333]
run@Type |S9 b'ImageData'
run@Version int64 [1, 0]
run/fields@scale float32 [2.5]
run/fields/empty float64 (0, 3) []
run/fields/ids int64 (2, 2) [1, -2, 3, 4611686018427387904]
run/fields/twice float32 (2, 3) [7.0, 8.0, 9.0, 7.0, 8.0, 9.0]
`
	if got := show(t, f); got != want {
		t.Errorf("h5py sees\n%swant\n%s", got, want)
	}
}

func TestRefusalsOfHDF5BecomeGoErrorsAndPrintNothing(t *testing.T) {
	if !isChild() {
		if out := child(t); strings.Contains(out, "HDF5-DIAG") {
			t.Errorf("HDF5 printed its own errors:\n%s", out)
		}
		return
	}
	f := create(t)
	_, err := f.CreateGroup("a")
	must(t, err)
	_, err = f.CreateGroup("a")
	if err == nil || !strings.Contains(err.Error(), "group /a: H5Gcreate2: ") || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("error %q, want group, function and cause", err)
	}
	must(t, SetNumbers[int64](&f.Group, "n", 1))
	if err := SetNumbers[int64](&f.Group, "n", 2); err == nil || !strings.Contains(err.Error(), `attribute "n" of /: H5Acreate2`) {
		t.Errorf("error %q, want attribute, group and function", err)
	}
	big := make([]float64, 10_000)
	must(t, f.Write("d", Dataset{Shape: []int{10_000}, Data: big}))
	if err := f.Write("d", Dataset{Shape: []int{10_000}, Data: big}); err == nil || !strings.Contains(err.Error(), "dataset /d: H5Dcreate2") {
		t.Errorf("error %q, want dataset and function", err)
	}
	// The file is still good.
	if _, err := f.WriteTo(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

func TestBadDatasetsAreRefused(t *testing.T) {
	f := create(t)
	for _, c := range []struct {
		name string
		d    Dataset
		want string
	}{
		{"x", Dataset{Shape: []int{3}, Data: []float64{1, 2}}, "needs 3 numbers, 2 given"},
		{"x", Dataset{Shape: []int{2, 3}, Repeat: []int{0}, Data: make([]float64, 6)}, "needs 3 numbers, 6 given"},
		{"x", Dataset{Shape: []int{2, 3}, Repeat: []int{1}, Data: make([]float64, 2)}, "axis 1 cannot be repeated"},
		{"x", Dataset{Shape: []int{-1}, Data: []float64{}}, "impossible"},
		{"x", Dataset{Shape: []int{1 << 40, 1 << 40}, Data: []float64{}}, "impossible"},
		{"x", Dataset{Data: []float64{1}}, "0 axes"},
		{"x", Dataset{Shape: []int{1}, Data: []string{"a"}}, "type []string"},
		{"a/b", Dataset{Shape: []int{1}, Data: []float64{1}}, `name "a/b"`},
		{".", Dataset{Shape: []int{1}, Data: []float64{1}}, `name "."`},
		{"a\x00b", Dataset{Shape: []int{1}, Data: []float64{1}}, "zero byte"},
	} {
		if err := f.Write(c.name, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %v: error %q, want one with %q", c.name, c.d.Shape, err, c.want)
		}
	}
	for _, value := range []string{"", "°C", "a\x00"} {
		if err := f.SetString("s", value); err == nil {
			t.Errorf("the string %q was taken", value)
		}
	}
	if err := SetNumbers[float64](&f.Group, "none"); err == nil {
		t.Error("an attribute without values was taken")
	}
	if got := show(t, f); got != "" {
		t.Errorf("what was refused left\n%s", got)
	}
}

func TestClosedFileSaysSo(t *testing.T) {
	f := create(t)
	g, err := f.CreateGroup("g")
	must(t, err)
	must(t, f.Close())
	must(t, f.Close()) // again
	_, create := g.CreateGroup("h")
	_, write := f.WriteTo(new(bytes.Buffer))
	for _, err := range []error{create, write, g.SetString("a", "b"), g.Write("d", Dataset{Shape: []int{1}, Data: []float64{1}})} {
		if !errors.Is(err, errClosed) {
			t.Errorf("error %v, want %v", err, errClosed)
		}
	}
}

func TestFailingWriterIsReported(t *testing.T) {
	f := create(t)
	if _, err := f.WriteTo(full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFilesOfManyGoroutinesDoNotMix(t *testing.T) {
	const files = 6
	var images [files]bytes.Buffer
	var wg sync.WaitGroup
	for i := range files {
		wg.Go(func() {
			f, err := Create()
			if err != nil {
				t.Error(err)
				return
			}
			data := make([]float64, 30_000)
			for k := range data {
				data[k] = float64(k * (1 + i%2)) // two kinds of files
			}
			for k := range 3 {
				if err := f.Write(fmt.Sprint("d", k), Dataset{Shape: []int{100, 300}, Data: data}); err != nil {
					t.Error(err)
				}
			}
			if _, err := f.WriteTo(&images[i]); err != nil {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i := range images {
		if same := bytes.Equal(images[i].Bytes(), images[0].Bytes()); same != (i%2 == 0) {
			t.Errorf("file %d equals file 0: %v", i, same)
		}
	}
}
