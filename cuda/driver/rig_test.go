package driver_test

import (
	"os"
	"testing"
	"unsafe"

	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

// rig is the stand-in's device with the kernels of testdata.
type rig struct {
	t testing.TB
	*driver.Context
	module *driver.Module
	stream *driver.Stream
}

func device(t testing.TB) *rig {
	t.Helper()
	d := must(driver.Open(standin.Build(t, "testdata")))(t)
	c := must(d.Context(0))(t)
	t.Cleanup(func() { check(t, c.Close()) })
	return &rig{t, c, must(c.Module(must(os.ReadFile("testdata/probes.ptx"))(t)))(t), must(c.Stream())(t)}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		check(t, err)
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) kernel(name string) *driver.Function {
	r.t.Helper()
	return must(r.module.Function(name))(r.t)
}

// upload is new device memory that holds x.
func upload[T any](r *rig, x []T) *driver.Memory {
	r.t.Helper()
	m := must(r.Alloc(len(x) * size[T]()))(r.t)
	check(r.t, r.stream.CopyTo(m, 0, unsafe.Pointer(&x[0]), m.Bytes()))
	return m
}

// download is what memory holds once the stream is idle.
func download[T any](r *rig, m *driver.Memory) []T {
	r.t.Helper()
	x := make([]T, m.Bytes()/size[T]())
	check(r.t, r.stream.CopyFrom(unsafe.Pointer(&x[0]), m, 0, m.Bytes()))
	check(r.t, r.stream.Synchronize())
	return x
}

func size[T any]() int {
	var t T
	return int(unsafe.Sizeof(t))
}

// arguments packs values as a kernel's parameters.
func arguments(t testing.TB, values ...any) *driver.Args {
	t.Helper()
	a := driver.NewArgs(len(values))
	for i, v := range values {
		switch v := v.(type) {
		case *driver.Memory:
			a.Pointer(i, v, 0)
		case int32:
			a.Int32(i, v)
		case int64:
			a.Int64(i, v)
		case float32:
			a.Float32(i, v)
		case float64:
			a.Float64(i, v)
		default:
			t.Fatalf("argument %d is a %T", i, v)
		}
	}
	return a
}

// launch runs a kernel of blocks × threads along x.
func (r *rig) launch(name string, blocks, threads, shared int, values ...any) {
	r.t.Helper()
	check(r.t, r.stream.Launch(r.kernel(name), [3]int{blocks, 1, 1}, [3]int{threads, 1, 1}, shared, arguments(r.t, values...)))
}

func numbers(n int, f func(i int) float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f(i)
	}
	return x
}
