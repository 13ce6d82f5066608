package driver_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/cuda/driver"
)

func TestAKernelComputesWhatTheHostDoes(t *testing.T) {
	r := device(t)
	const n, a = 1037, 0.75
	x, y := numbers(n, func(i int) float64 { return math.Sqrt(float64(i)) }), numbers(n, func(i int) float64 { return -float64(i) })
	dx, dy := upload(r, x), upload(r, y)
	r.launch("axpy_f64", (n+127)/128, 128, 0, dy, dx, a, int64(n))
	for i, got := range download[float64](r, dy) {
		if want := y[i] + float64(a*x[i]); got != want { // rounded twice, as the stand-in does
			t.Fatalf("y[%d] = %v, want %v", i, got, want)
		}
	}
}

func TestEveryThreadKnowsItsPlace(t *testing.T) {
	r := device(t)
	grid, block := [3]int{3, 4, 2}, [3]int{5, 3, 2}
	m := must(r.Alloc(24 * 30 * 8))(t)
	check(t, r.stream.Launch(r.kernel("where"), grid, block, 0, arguments(t, m)))
	got, at := download[int64](r, m), 0
	for bz := range grid[2] {
		for by := range grid[1] {
			for bx := range grid[0] {
				for z := range block[2] {
					for y := range block[1] {
						for x := range block[0] {
							want := int64((((bz*100+by)*100+bx)*100+z)*10000 + y*100 + x)
							if got[at] != want {
								t.Fatalf("number %d is %d, want %d", at, got[at], want)
							}
							at++
						}
					}
				}
			}
		}
	}
}

func TestBarriersAndWarpsSumBlocks(t *testing.T) {
	r := device(t)
	const n, threads = 5000, 256
	const blocks = (n + threads - 1) / threads
	x := numbers(n, func(i int) float64 { return float64(i%7 - 2) }) // sums are exact
	want, positive := 0., uint64(0)
	for _, v := range x {
		want += v
		if v > 0 {
			positive++
		}
	}
	dx := upload(r, x)
	parts := must(r.Alloc(8 * blocks))(t)
	r.launch("block_sum", blocks, threads, 8*threads, parts, dx, int32(n))
	got := 0.
	for _, v := range download[float64](r, parts) {
		got += v
	}
	if got != want {
		t.Errorf("sum through shared memory %v, want %v", got, want)
	}
	sum, sum32, count := upload(r, []float64{0}), upload(r, []float32{0}), upload(r, []uint64{0})
	r.launch("warp_sum", blocks, threads, 0, sum, sum32, count, dx, int32(n))
	if got := download[float64](r, sum)[0]; got != want {
		t.Errorf("sum through warps and atomics %v, want %v", got, want)
	}
	if got := download[float32](r, sum32)[0]; float64(got) != want {
		t.Errorf("float32 sum through atomics %v, want %v", got, want)
	}
	if got := download[uint64](r, count)[0]; got != positive {
		t.Errorf("%d positive numbers by ballot, want %d", got, positive)
	}
}

// Every half-precision number is exact in single precision, and a single-precision
// number that is one comes back.
func TestHalvesAreConvertedAsByIEEE754(t *testing.T) {
	r := device(t)
	f, h := must(r.Alloc(4<<16))(t), must(r.Alloc(2<<16))(t)
	r.launch("halves", 1<<8, 1<<8, 0, f, h)
	value, back := download[float32](r, f), download[uint16](r, h)
	for i, v := range value {
		sign, exponent, fraction := 1-2*(i>>15), i>>10&31, float64(i&1023)
		want := float64(sign) * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			want = float64(sign) * math.Ldexp(fraction, -24)
		case exponent == 31 && fraction == 0:
			want = math.Inf(sign)
		case exponent == 31:
			want = math.NaN()
		}
		if float64(v) != want && !(math.IsNaN(want) && v != v) {
			t.Fatalf("half %#x is %v, want %v", i, v, want)
		}
		if v == v && back[i] != uint16(i) {
			t.Fatalf("half %#x comes back as %#x", i, back[i])
		}
	}
}

func TestPacksMoveFourNumbersAtOnce(t *testing.T) {
	r := device(t)
	x := make([]float32, 4*33)
	for i := range x {
		x[i] = float32(i)
	}
	dx, dy := upload(r, x), must(r.Alloc(4*len(x)))(t)
	r.launch("packs", 11, 3, 0, dy, dx)
	for i, v := range download[float32](r, dy) {
		if want := float32(i * (i%4 + 1)); v != want {
			t.Fatalf("y[%d] = %v, want %v", i, v, want)
		}
	}
}

func TestArgumentsThatDoNotFitAreRefused(t *testing.T) {
	r := device(t)
	m := upload(r, []float64{1})
	for _, c := range []struct {
		why  string
		args *driver.Args
	}{
		{"has 4 parameters, 3 arguments", arguments(t, m, m, 1.)},
		{"has 4 parameters, 5 arguments", arguments(t, m, m, 1., int64(1), int64(1))},
		{"parameter 3 has 8 bytes, the argument 4", arguments(t, m, m, 1., int32(1))},
		{"argument 0 is not set", driver.NewArgs(4)},
	} {
		err := r.stream.Launch(r.kernel("axpy_f64"), [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, c.args)
		if err == nil || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "axpy_f64") {
			t.Errorf("error %v, want one that says %q", err, c.why)
		}
	}
}

func TestImpossibleLaunchesNameTheKernelAndItsShape(t *testing.T) {
	r := device(t)
	m := upload(r, make([]float64, 2048))
	for _, c := range []struct {
		grid, block [3]int
		shared      int
	}{
		{[3]int{0, 1, 1}, [3]int{32, 1, 1}, 0},
		{[3]int{1, 1, 1}, [3]int{1025, 1, 1}, 0},
		{[3]int{1, 65536, 1}, [3]int{1, 1, 1}, 0},
		{[3]int{1, 1, 1}, [3]int{512, 1, 1}, 4096}, // the kernel is bounded to 256 threads
		{[3]int{1, 1, 1}, [3]int{1, 1, 1}, 60 << 10},
	} {
		err := r.stream.Launch(r.kernel("block_sum"), c.grid, c.block, c.shared, arguments(t, m, m, int32(8)))
		if err == nil || !strings.Contains(err.Error(), "kernel block_sum") || !strings.Contains(err.Error(), fmt.Sprint(c.grid)) {
			t.Errorf("grid %v, block %v, %d shared bytes: error %v", c.grid, c.block, c.shared, err)
		}
	}
	f := r.kernel("block_sum")
	check(t, f.AllowShared(60<<10))
	check(t, r.stream.Launch(f, [3]int{1, 1, 1}, [3]int{256, 1, 1}, 60<<10, arguments(t, m, m, int32(8))))
	check(t, r.stream.Synchronize())
	if a := must(f.Attributes())(t); a.MaxThreads != 256 {
		t.Errorf("the kernel takes %d threads, want its bound of 256", a.MaxThreads)
	}
	if n := must(f.Occupancy(128, 0))(t); n < 1 {
		t.Errorf("%d blocks of 128 threads fit a multiprocessor", n)
	}
}

func TestAnUnknownKernelIsNamed(t *testing.T) {
	r := device(t)
	_, err := r.module.Function("nonesuch")
	if err == nil || !strings.Contains(err.Error(), "kernel nonesuch") || !strings.Contains(err.Error(), "go generate") {
		t.Errorf("error %v", err)
	}
}

func TestDamagedPTXShowsTheCompilersLog(t *testing.T) {
	r := device(t)
	_, err := r.Module([]byte("not PTX"))
	if err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_INVALID_PTX") || !strings.Contains(err.Error(), ".version") {
		t.Errorf("error %v", err)
	}
}

func TestPTXTellsKernelsAndParameters(t *testing.T) {
	ptx := []byte(".visible .entry one(\n.param .u64 one_param_0,\n\t.param .f32 one_param_1\n)\n{\n}\n.visible .entry two()\n{\n}\n" +
		".visible .entry three(\n\t.param .align 4 .b8 three_param_0[12]\n)\n")
	if got := driver.Kernels(ptx); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("kernels %v", got)
	}
	if got := driver.Parameters(ptx, "one"); !slices.Equal(got, []uint8{8, 4}) {
		t.Errorf("parameters of one: %v", got)
	}
	if got := driver.Parameters(ptx, "two"); got == nil || len(got) != 0 {
		t.Errorf("parameters of two: %v, want an empty list", got)
	}
	if got := driver.Parameters(ptx, "three"); got != nil {
		t.Errorf("parameters of three, a structure: %v, want nil", got)
	}
}

func TestABlockHas48KiBOfStaticSharedMemory(t *testing.T) {
	r := device(t)
	m := must(r.Alloc(4 * 128))(t)
	r.launch("wide_shared", 2, 64, 0, m)
	for i, v := range download[float32](r, m) {
		if want := float32(12287 - i%64); v != want {
			t.Fatalf("y[%d] = %v, want %v", i, v, want)
		}
	}
}
