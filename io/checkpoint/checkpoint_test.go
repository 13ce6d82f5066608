package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

type description struct {
	Case string
	Time float64
}

// state has every type, NaN payloads, signed zeros, an empty section, one
// that compresses, one that does not, and one of several chunks that does not
// end at a chunk.
func state() []Section {
	long := make([]float64, 3*chunkBytes/8/2+17)
	noise := make([]byte, 5000)
	x := uint64(1)
	for i := range long {
		x = x*6364136223846793005 + 1442695040888963407
		long[i] = 1 + 1e-3*math.Sin(float64(i)/50) + 1e-12*float64(x>>40)
		noise[i%len(noise)] = byte(x >> 33)
	}
	return []Section{
		{Name: "populations", Data: long},
		{Name: "special", Data: []float64{math.Float64frombits(0x7ff8_0000_dead_beef), math.Float64frombits(0x7ff0_0000_0000_0001),
			math.Copysign(0, -1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64}},
		{Name: "single", Data: []float32{math.Float32frombits(0x7fc1_2345), math.Float32frombits(0xff80_0001), -0.1, math.SmallestNonzeroFloat32}},
		{Name: "counters", Data: []int64{math.MinInt64, -1, 0, 1, math.MaxInt64}},
		{Name: "nothing", Data: []float64{}},
		{Name: "noise", Data: noise},
		{Name: "zeros", Data: make([]byte, 2*chunkBytes)},
	}
}

func mustWrite(t testing.TB, dir string, step int64, sections []Section, keep int) string {
	t.Helper()
	path, err := Write(dir, step, description{"cylinder", 1.5}, sections, keep)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// sameBits compares representations, for which NaN equals itself.
func sameBits(a, b any) bool {
	if kindOf(a) != kindOf(b) || length(a) != length(b) {
		return false
	}
	raw := func(data any) []byte {
		out := make([]byte, length(data)*kindOf(data).size())
		pack(out, data, 0, length(data))
		return out
	}
	return bytes.Equal(raw(a), raw(b))
}

func TestStateComesBackBitForBit(t *testing.T) {
	want := state()
	path := mustWrite(t, filepath.Join(t.TempDir(), "run", "checkpoint"), 1234, want, 2)
	if filepath.Base(path) != "000000001234.ckpt" {
		t.Errorf("the file is called %s", filepath.Base(path))
	}
	c, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var d description
	if err := c.DecodeMeta(&d); err != nil || d != (description{"cylinder", 1.5}) || c.Step != 1234 || c.Path != path {
		t.Errorf("step %d, path %s, meta %s (%v)", c.Step, c.Path, c.Meta, err)
	}
	var names []string
	for _, s := range want {
		names = append(names, s.Name)
	}
	if !reflect.DeepEqual(c.Names(), names) {
		t.Errorf("sections %q, want %q", c.Names(), names)
	}
	f64, err1 := c.Float64("populations")
	special, err2 := c.Float64("special")
	f32, err3 := c.Float32("single")
	i64, err4 := c.Int64("counters")
	nothing, err5 := c.Float64("nothing")
	noise, err6 := c.Bytes("noise")
	zeros, err7 := c.Bytes("zeros")
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
		}
	}
	for i, got := range []any{f64, special, f32, i64, nothing, noise, zeros} {
		if !sameBits(got, want[i].Data) {
			t.Errorf("%s came back changed", names[i])
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() > int64(8*len(f64)) {
		t.Errorf("zeros and a smooth field were not compressed: %d bytes (%v)", info.Size(), err)
	}
}

func TestBytesDoNotDependOnTheNumberOfCPUs(t *testing.T) {
	var files [][]byte
	for _, cpus := range []int{1, 3} {
		previous := runtime.GOMAXPROCS(cpus)
		path := mustWrite(t, t.TempDir(), 7, state(), 1)
		runtime.GOMAXPROCS(previous)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("one and three CPUs wrote different files")
	}
}

func TestLoadFillsArraysOfTheRightTypeAndLength(t *testing.T) {
	c, err := Read(mustWrite(t, t.TempDir(), 1, []Section{{Name: "rho", Data: []float64{1, 2, 3}}}, 1))
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, 3)
	if err := Load(c, "rho", dst); err != nil || !reflect.DeepEqual(dst, []float64{1, 2, 3}) {
		t.Errorf("loaded %v (%v)", dst, err)
	}
	_, missing := c.Float64("u")
	_, kind := c.Float32("rho")
	for _, test := range []struct {
		err   error
		names []string
	}{
		{Load(c, "rho", make([]float64, 4)), []string{c.Path, `"rho"`, "3 values", "needs 4"}},
		{kind, []string{c.Path, `"rho"`, "3 values", "[]float64", "[]float32"}},
		{missing, []string{c.Path, `"u"`, `"rho"`}},
	} {
		if test.err == nil {
			t.Errorf("accepted, want an error with %q", test.names)
			continue
		}
		for _, s := range test.names {
			if !strings.Contains(test.err.Error(), s) {
				t.Errorf("error %q does not name %s", test.err, s)
			}
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	f := make([]float64, 9*400*400)
	for i := range f {
		f[i] = 1e-3*math.Sin(float64(i%160000)/300) + 1e-9*math.Sin(float64(i)*float64(i))
	}
	dir := b.TempDir()
	b.SetBytes(int64(8 * len(f)))
	for b.Loop() {
		path := mustWrite(b, dir, 1, []Section{{Name: "f", Data: f}}, 1)
		info, _ := os.Stat(path)
		b.ReportMetric(float64(info.Size())/float64(8*len(f)), "ratio")
	}
}

func BenchmarkRead(b *testing.B) {
	f := make([]float64, 9*400*400)
	for i := range f {
		f[i] = 1e-3*math.Sin(float64(i%160000)/300) + 1e-9*math.Sin(float64(i)*float64(i))
	}
	path := mustWrite(b, b.TempDir(), 1, []Section{{Name: "f", Data: f}}, 1)
	b.SetBytes(int64(8 * len(f)))
	for b.Loop() {
		if _, err := Read(path); err != nil {
			b.Fatal(err)
		}
	}
}

func TestASectionThatCannotBeFilledLeavesTheCheckpointBefore(t *testing.T) {
	dir := t.TempDir()
	shared := make([]float64, chunkBytes/8)
	lost := errors.New("lost")
	sections := func(fails int) (all []Section) {
		for i := range 3 {
			all = append(all, Section{Name: fmt.Sprint("f", i), Data: shared, Fill: func() error {
				if i == fails {
					return lost
				}
				return nil
			}})
		}
		return all
	}
	mustWrite(t, dir, 3, sections(-1), 1)
	for fails := range 3 {
		if _, err := Write(dir, 4, struct{}{}, sections(fails), 1); !errors.Is(err, lost) {
			t.Errorf("section %d cannot be filled: error %v", fails, err)
		}
		c, damaged, err := Latest(dir)
		if err != nil || len(damaged) > 0 || c.Step != 3 {
			t.Fatalf("section %d cannot be filled: the latest checkpoint is %+v, damaged %v, error %v", fails, c, damaged, err)
		}
	}
}

func TestSectionsThatShareAnArrayAreFilledInTurn(t *testing.T) {
	dir := t.TempDir()
	shared := make([]float64, 3*chunkBytes/8+5) // several chunks each
	var sections []Section
	for i := range 6 {
		sections = append(sections, Section{Name: fmt.Sprint("f", i), Data: shared, Fill: func() error {
			for n := range shared {
				shared[n] = float64(i*len(shared) + n)
			}
			return nil
		}})
	}
	c, err := Read(mustWrite(t, dir, 3, sections, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range sections {
		f, err := c.Float64(fmt.Sprint("f", i))
		if err != nil {
			t.Fatal(err)
		}
		for n, v := range f {
			if v != float64(i*len(shared)+n) {
				t.Fatalf("section %d holds %g at %d, want %d", i, v, n, i*len(shared)+n)
			}
		}
	}
}
