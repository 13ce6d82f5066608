package bandwidth

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"lbmib/internal/hugepage"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
)

// lengths have no, one and several rows of chunks for every number of streams,
// an even and an odd number of them, and ends that fill no chunk.
var lengths = []int{0, 1, 7, 63, 64, 65, 9*64 + 3, 16 * 64, 24*64 + 1, 2*24*64 + 63, 5*24*64 + 17, 100_003}

// guard surrounds what a way may write; a multiple of a cache line.
const guard = 16

// guarded is a slice of n float64s between guards of NaN, which equal nothing.
func guarded(n int) (all, inside []float64) {
	all = hugepage.Make[float64](n + 2*guard)
	fill(all, math.NaN())
	return all, all[guard : guard+n]
}

func intact(all []float64) bool {
	for i := range guard {
		if !math.IsNaN(all[i]) || !math.IsNaN(all[len(all)-1-i]) {
			return false
		}
	}
	return true
}

func TestEveryCopyCopiesAllAndNoMore(t *testing.T) {
	for _, way := range copies() {
		for _, n := range lengths {
			all, dst := guarded(n)
			src := make([]float64, n)
			for i := range src {
				src[i] = float64(i + 1)
			}
			way.do(dst, src)
			for i := range dst {
				if dst[i] != float64(i+1) || src[i] != float64(i+1) {
					t.Fatalf("%s of %d: element %d is %g, its source %g, want %d", way.name, n, i, dst[i], src[i], i+1)
				}
			}
			if !intact(all) {
				t.Errorf("%s of %d writes outside its slice", way.name, n)
			}
		}
	}
}

func TestEveryUpdateMultipliesAllOnce(t *testing.T) {
	const s = 1.0000001
	for _, way := range updates() {
		for _, n := range lengths {
			all, a := guarded(n)
			for i := range a {
				a[i] = float64(i + 1)
			}
			way.do(a, s)
			for i := range a {
				if want := float64(i+1) * s; a[i] != want { // one multiplication: the same bits
					t.Fatalf("%s of %d: element %d is %g, want %g", way.name, n, i, a[i], want)
				}
			}
			if !intact(all) {
				t.Errorf("%s of %d writes outside its slice", way.name, n)
			}
		}
	}
}

func TestEveryWayGoesOverTheWholeMemory(t *testing.T) {
	for _, workers := range []int{1, 3} {
		pool := parallel.NewPool(workers)
		m, err := newMeter(pool, 3*minShare+12345)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range m.copies {
			fill(m.from, 3)
			fill(m.to, 0)
			m.time(way)
			expect(t, way.name, m.to, 3)
		}
		for _, way := range m.updates {
			fill(m.from, 3)
			fill(m.to, 5)
			m.time(way)
			expect(t, way.name, m.from, 3*factor)
			expect(t, way.name, m.to, 5*factor)
		}
		pool.Close()
	}
}

func expect(t *testing.T, name string, a []float64, want float64) {
	t.Helper()
	for i := range a {
		if a[i] != want {
			t.Fatalf("%s: element %d of %d is %g, want %g", name, i, len(a), a[i], want)
		}
	}
}

func TestTheLimitsAreThoseOfTheFastestWays(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	r, err := Measure(pool, 8<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(copies()) + len(updates()); len(r.Ways) != want {
		t.Errorf("%d ways are reported, there are %d", len(r.Ways), want)
	}
	best := map[bool]Way{}
	for _, w := range r.Ways {
		if !(w.GBs > 0) || math.IsInf(w.GBs, 1) {
			t.Errorf("%s: %g GB/s", w.Name, w.GBs)
		}
		if w.GBs > best[w.Update].GBs {
			best[w.Update] = w
		}
	}
	if c := best[false]; r.CopyGBs != c.GBs || r.CopyWith != c.Name {
		t.Errorf("the copy is %g by %s, want %v", r.CopyGBs, r.CopyWith, c)
	}
	if u := best[true]; r.UpdateGBs != u.GBs || r.UpdateWith != u.Name {
		t.Errorf("the update is %g by %s, want %v", r.UpdateGBs, r.UpdateWith, u)
	}
}

func TestAMeterMeasuresUntilReleased(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	const size = 64 << 20
	before := heap()
	m, err := NewMeter(pool, size)
	if err != nil {
		t.Fatal(err)
	}
	if c, u := m.Copy(), m.Update(); !(c > 0) || !(u > 0) {
		t.Errorf("copy %g and update %g GB/s", c, u)
	}
	m.Release()
	if grown := heap() - before; grown > size/2 {
		t.Errorf("%d bytes are held after Release of %d", grown, size)
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "Release") {
			t.Errorf("use after Release panics with %v", r)
		}
	}()
	m.Copy()
}

// heap is what the collector cannot free in bytes.
func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

func TestAPassAllocatesNothing(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	m, err := NewMeter(pool, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	if a := testing.AllocsPerRun(5, func() { m.Copy(); m.Update() }); a != 0 {
		t.Errorf("two passes allocate %v times, want 0", a)
	}
}

func TestImpossibleSizesAreRefused(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, bytes := range []int64{-1, 0, 1000, 2*minShare - 1} {
		if _, err := NewMeter(pool, bytes); err == nil || !strings.Contains(err.Error(), "at least") {
			t.Errorf("%d bytes for 2 workers: %v", bytes, err)
		}
		if _, err := Measure(pool, bytes, 5); err == nil {
			t.Errorf("%d bytes for 2 workers are measured", bytes)
		}
	}
	memory, err := machine.Memory()
	if err != nil {
		t.Logf("the size of the memory is unknown here: %v", err)
		return
	}
	if _, err := Measure(pool, memory+1, 5); err == nil || !strings.Contains(err.Error(), "take less") {
		t.Errorf("more than the memory: %v", err)
	}
}

func TestTheMedianIsTheMiddle(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		want  float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 9, 2}, 3}} {
		if got := median(c.rates); got != c.want {
			t.Errorf("the median of %v is %g, want %g", c.rates, got, c.want)
		}
	}
}
