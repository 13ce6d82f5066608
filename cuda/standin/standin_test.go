package standin_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"lbmib/cuda/driver"
	"lbmib/cuda/kernels"
	"lbmib/cuda/standin"
)

// registered are the parameters' sizes of every kernel of a library.
func registered(t *testing.T, path string) map[string][]uint8 {
	t.Helper()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Fatal(err)
	}
	var kernel func(i int32, count *int32, sizes **uint16) string
	purego.RegisterLibFunc(&kernel, handle, "lbmibStandinKernel")
	found := map[string][]uint8{}
	for i := int32(0); ; i++ {
		count, sizes := new(int32), new(*uint16)
		name := kernel(i, count, sizes)
		if name == "" {
			return found
		}
		found[name] = []uint8{}
		for _, n := range unsafe.Slice(*sizes, *count) {
			found[name] = append(found[name], uint8(n))
		}
	}
}

// What runs on a device and what the tests run are the same kernels: made of
// the same sources, with the same parameters.
func TestThePTXAndTheStandInHaveTheSameKernels(t *testing.T) {
	found := registered(t, standin.Build(t))
	for _, stem := range kernels.Stems() {
		ptx, err := kernels.PTX(stem)
		if err != nil {
			t.Fatal(err)
		}
		names := driver.Kernels(ptx)
		if len(names) == 0 {
			t.Errorf("%s.ptx has no kernels", stem)
		}
		for _, name := range names {
			sizes, ok := found[name]
			if !ok {
				t.Errorf("%s of %s.ptx is not in the stand-in: \"go generate ./cuda/kernels\"", name, stem)
			} else if want := driver.Parameters(ptx, name); !slices.Equal(sizes, want) {
				t.Errorf("%s has parameters of %v bytes, in %s.ptx of %v", name, sizes, stem, want)
			}
			delete(found, name)
		}
	}
	for name := range found {
		t.Errorf("%s of the stand-in is in no PTX: \"go generate ./cuda/kernels\"", name)
	}
}

// Devices from Pascal on, and drivers from CUDA 11.0 on, read this.
func TestThePTXIsForTheOldestDevices(t *testing.T) {
	for _, stem := range kernels.Stems() {
		ptx, err := kernels.PTX(stem)
		if err != nil {
			t.Fatal(err)
		}
		if head := strings.Join(strings.SplitN(string(ptx), "\n", 4)[:3], " "); head != ".version 6.0 .target sm_60 .address_size 64" {
			t.Errorf("%s.ptx begins %q", stem, head)
		}
	}
	if _, err := kernels.PTX("nonesuch"); err == nil || !strings.Contains(err.Error(), "go generate") {
		t.Errorf("error %v for a file that is not there", err)
	}
}

// Builders at the same time agree on one library, and none is built twice.
func TestTheLibraryIsBuiltOnce(t *testing.T) {
	dir := t.TempDir()
	source := fmt.Sprintf("#include \"device.h\"\nKERNEL(nothing, (int32 *)) {} // %x\n", rand.Uint64()) // in no cache
	if err := os.WriteFile(filepath.Join(dir, "nothing.cu"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	var paths [3]string
	var failures [3]error
	var wait sync.WaitGroup
	for i := range paths {
		wait.Go(func() { paths[i], failures[i] = standin.Library(standin.Options{Sources: []string{dir}}) })
	}
	wait.Wait()
	if err := errors.Join(failures[:]...); err != nil {
		t.Fatal(err)
	}
	first, err := os.Stat(paths[0])
	if err != nil || paths[1] != paths[0] || paths[2] != paths[0] {
		t.Fatalf("paths %q, %v", paths, err)
	}
	standin.Build(t, dir)
	if again, err := os.Stat(paths[0]); err != nil || !again.ModTime().Equal(first.ModTime()) {
		t.Errorf("the library was built again: %v, then %v (%v)", first.ModTime(), again.ModTime(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "nothing.cu"), []byte(source+"// changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if path := standin.Build(t, dir); path == paths[0] {
		t.Error("changed sources gave the same library")
	}
}

func TestACompilersWordsAreInTheError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.cu"), []byte("#include \"device.h\"\nKERNEL(bad, (int32 *p)) { p = nonesuch; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := standin.Library(standin.Options{Sources: []string{dir}}); err == nil || !strings.Contains(err.Error(), "nonesuch") {
		t.Errorf("error %v", err)
	}
}

// Products and sums are rounded one by one, unless fusing them is asked for.
func TestProductsAndSumsAreFusedWhereThatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	const source = "#include \"device.h\"\nKERNEL(fuse, (double *x)) { x[3] = x[0] * x[1] + x[2]; }\n"
	const ptx = ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry fuse(\n.param .u64 fuse_param_0\n)\n"
	if err := os.WriteFile(filepath.Join(dir, "fuse.cu"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	const e = 1. / (1 << 30)
	for contract, want := range map[bool]float64{false: 0, true: e * e} {
		if contract && !standin.CanContract() {
			t.Log("this processor cannot fuse")
			continue
		}
		path, err := standin.Library(standin.Options{Sources: []string{dir}, Contract: contract})
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{1 + e, 1 + e, -(1 + 2*e), 7} // the square is 1 + 2e + e², of which 1 + 2e can be held
		run(t, path, []byte(ptx), "fuse", x)
		if x[3] != want {
			t.Errorf("contraction %t: (1 + e)² − (1 + 2e) is %g, want %g", contract, x[3], want)
		}
	}
}

// run lets a kernel of one thread work on numbers.
func run(t *testing.T, library string, ptx []byte, kernel string, x []float64) {
	t.Helper()
	d, err := driver.Open(library)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Context(0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m, err := c.Module(ptx)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Function(kernel)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Stream()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	memory, err := c.Alloc(8 * len(x))
	if err != nil {
		t.Fatal(err)
	}
	a := driver.NewArgs(1)
	a.Pointer(0, memory, 0)
	for _, err := range []error{
		s.CopyTo(memory, 0, unsafe.Pointer(&x[0]), 8*len(x)),
		s.Launch(f, [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, a),
		s.CopyFrom(unsafe.Pointer(&x[0]), memory, 0, 8*len(x)),
		s.Synchronize(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Where there is no assembly for changing stacks, the C library's way gives the same.
func TestFibresChangeStacksPortably(t *testing.T) {
	path, err := standin.Library(standin.Options{Sources: []string{"../driver/testdata"}, Flags: []string{"-DLBMIB_UCONTEXT"}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Context(0)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ptx, err := os.ReadFile("../driver/testdata/probes.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Module(ptx)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.Function("block_sum")
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Stream()
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i)
	}
	in, err := c.Alloc(8 * len(x))
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Alloc(8 * 8)
	if err != nil {
		t.Fatal(err)
	}
	a := driver.NewArgs(3)
	a.Pointer(0, out, 0)
	a.Pointer(1, in, 0)
	a.Int32(2, int32(len(x)))
	sums := make([]float64, 8)
	for _, err := range []error{
		s.CopyTo(in, 0, unsafe.Pointer(&x[0]), 8*len(x)),
		s.Launch(f, [3]int{8, 1, 1}, [3]int{128, 1, 1}, 8*128, a),
		s.CopyFrom(unsafe.Pointer(&sums[0]), out, 0, 8*8),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := 0.
	for _, v := range sums {
		sum += v
	}
	if sum != 999*1000/2 {
		t.Errorf("sum %v, want 499500", sum)
	}
}
