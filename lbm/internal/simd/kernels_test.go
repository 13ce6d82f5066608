//go:build amd64

package simd

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// run is one call of a kernel on rows of its own.
type run struct {
	storage
	q, lanes, vectors int
	src, dst          [19]unsafe.Pointer
	in, out           [19][]byte // rows within guards
}

const (
	line  = 64
	guard = 2 * line // bytes around each row that a kernel must leave alone
)

// newRun fills rows with random populations, |f − w| ≤ 0.1 w. Sources begin at
// any element, destinations at a cache line or, with shifted, at any element.
func newRun(rng *rand.Rand, s storage, q, lanes, vectors int, shifted bool) *run {
	r := &run{storage: s, q: q, lanes: lanes, vectors: vectors}
	for i := range q {
		offset := s.size * rng.IntN(line/s.size)
		r.in[i], r.src[i] = r.row(offset)
		if !shifted {
			offset = 0
		}
		r.out[i], r.dst[i] = r.row(offset)
		for x := range r.nodes() {
			s.put(r.at(r.src[i], x), 0.1*weight(q, i)*(2*rng.Float64()-1))
		}
		for b := range r.out[i] {
			r.out[i][b] = byte(rng.Uint32())
		}
	}
	return r
}

func (r *run) nodes() int { return r.lanes * r.vectors }

// row allocates a row at an offset from a cache line, with guards.
func (r *run) row(offset int) ([]byte, unsafe.Pointer) {
	n := r.nodes() * r.size
	all := make([]byte, n+2*guard+2*line)
	shift := int(-uintptr(unsafe.Pointer(&all[0])) & (line - 1))
	all = all[shift+offset : shift+offset+n+2*guard]
	return all, unsafe.Pointer(&all[guard])
}

func (r *run) at(p unsafe.Pointer, x int) unsafe.Pointer { return unsafe.Add(p, x*r.size) }

func (r *run) node(t *[19]unsafe.Pointer, x int) []float64 {
	g := make([]float64, r.q)
	for i := range g {
		g[i] = r.get(r.at(t[i], x))
	}
	return g
}

func (r *run) call(k Kernel, rates Rates[float64], ahead int) {
	k.Run(&r.dst, &r.src, r.vectors, r.rates(rates), ahead)
	runtime.KeepAlive(r)
}

// inner is the row within its guards.
func inner(row []byte) []byte { return row[guard : len(row)-guard] }

// operators are all that have kernels.
var operators = []string{"bgk", "trt", "regularized", "mrt", "mrt-les", "trt-les", "recursive", "recursive-les",
	"mrt-rheology", "trt-rheology", "recursive-rheology"}

// each calls f for every kernel that this CPU has.
func each(f func(v variant, k Kernel, s storage)) {
	for _, isa := range []string{"avx512", "avx2"} {
		if Missing(isa) != nil {
			continue
		}
		for _, q := range []int{9, 19} {
			for _, s := range storages {
				for _, op := range operators {
					for _, stream := range []bool{false, true} {
						k, _ := Find(isa, q, s.name, op, stream)
						f(variant{isa, q, s.name, op, stream}, k, s)
					}
				}
			}
		}
	}
}

// forEach runs a test for every kernel that this CPU has.
func forEach(t *testing.T, f func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand)) {
	tested := 0
	each(func(v variant, k Kernel, s storage) {
		tested++
		t.Run(v.String(), func(t *testing.T) {
			f(t, v, k, s, rand.New(rand.NewPCG(uint64(v.q), uint64(len(v.op)))))
		})
	})
	if tested == 0 {
		t.Error("no kernel was tested: amd64 processors since 2013 have avx2")
	}
}

func TestKernelsAreFoundByName(t *testing.T) {
	for _, isa := range []string{"avx512", "avx2"} {
		if missing := Missing(isa); missing != nil {
			t.Logf("%s kernels are not tested: this CPU lacks %s", isa, strings.Join(missing, ", "))
		}
	}
	for _, v := range []variant{{"avx512", 19, "f64", "bgk", true}, {"avx2", 9, "f16", "trt", false}} {
		if k, ok := Find(v.isa, v.q, v.store, v.op, v.stream); !ok || k.Run == nil || k.Lanes < 8 {
			t.Errorf("kernel %v is not found", v)
		}
	}
	for _, v := range []variant{{"sse", 9, "f64", "bgk", false}, {"avx2", 27, "f64", "bgk", false}, {"avx2", 9, "f8", "bgk", false}} {
		if _, ok := Find(v.isa, v.q, v.store, v.op, v.stream); ok {
			t.Errorf("kernel %v is found, though there is none", v)
		}
	}
	if Missing("sse") == nil {
		t.Error("nothing is missing for kernels that do not exist")
	}
}

func (v variant) String() string {
	s := fmt.Sprintf("%s/q%d/%s/%s", v.isa, v.q, v.store, v.op)
	if v.stream {
		s += "/stream"
	}
	return s
}

// Populations on random states are those of the equations. All terms of one are
// below 0.3 w (r ≤ 0.1, 3 c·u ≤ 0.6 w with cancellation, (c·u)² less), a dozen
// of them are rounded, and rates are rounded to the grid of constants: 2 eps·w.
// Half precision dithers the result.
func TestKernelIsCollisionOnRandomStates(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		worst := 0.
		for vectors := 1; vectors <= 5; vectors++ {
			for _, ahead := range []int{0, 512} {
				rates := randomRates(rng, v.q, v.op)
				r := newRun(rng, s, v.q, k.Lanes, vectors, !v.stream)
				r.call(k, rates, ahead)
				for x := range r.nodes() {
					want, got := reference(r.node(&r.src, x), rates, v.op), r.node(&r.dst, x)
					for i := range want {
						slack := 2 * s.eps * weight(v.q, i)
						lo, hi := s.bounds(want[i], slack, rates, x, i)
						if s.name != "f16" {
							worst = max(worst, math.Abs(got[i]-want[i])/slack)
						}
						if !(lo <= got[i] && got[i] <= hi) {
							t.Fatalf("%d vectors, node %d, population %d: %g, equations give %g, stored as %g to %g", vectors, x, i, got[i], want[i], lo, hi)
						}
					}
				}
			}
		}
		t.Logf("largest error: %.2f of its bound", worst)
	})
}

func TestNothingOutsideTheRowIsWritten(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		for vectors := range 4 {
			r := newRun(rng, s, v.q, k.Lanes, vectors, !v.stream)
			var before [19][]byte
			for i := range v.q {
				before[i] = bytes.Clone(r.out[i])
			}
			r.call(k, randomRates(rng, v.q, v.op), 256*(vectors%2))
			for i := range v.q {
				n := len(r.out[i]) - guard
				if !bytes.Equal(r.out[i][:guard], before[i][:guard]) || !bytes.Equal(r.out[i][n:], before[i][n:]) {
					t.Fatalf("%d vectors: bytes beside population %d have changed", vectors, i)
				}
			}
		}
	})
}

func TestAVX2AndAVX512GiveTheSameBits(t *testing.T) {
	if len(Missing("avx512"))+len(Missing("avx2")) > 0 {
		t.Log("this CPU has not both: nothing to compare")
		return
	}
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		other := v
		other.isa = map[string]string{"avx512": "avx2", "avx2": "avx512"}[v.isa]
		k2, _ := Find(other.isa, v.q, v.store, v.op, v.stream)
		if k2.Lanes != k.Lanes {
			t.Fatalf("%v has %d lanes, %v %d", v, k.Lanes, other, k2.Lanes)
		}
		rates := randomRates(rng, v.q, v.op)
		r := newRun(rng, s, v.q, k.Lanes, 5, !v.stream)
		r.call(k, rates, 0)
		var first [19][]byte
		for i := range v.q {
			first[i] = bytes.Clone(r.out[i])
		}
		r.call(k2, rates, 512)
		for i := range v.q {
			if !bytes.Equal(first[i], r.out[i]) {
				t.Fatalf("population %d differs from that of %v", i, other)
			}
		}
	})
}

// Calls for the vectors of a row, each with the seed of its first node, give what
// one call for the row does.
func TestARowMayBeCutAtVectors(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		rates := randomRates(rng, v.q, v.op)
		r := newRun(rng, s, v.q, k.Lanes, 5, !v.stream)
		r.call(k, rates, 0)
		var whole [19][]byte
		for i := range v.q {
			whole[i] = bytes.Clone(r.out[i])
			clear(inner(r.out[i]))
		}
		for x := 0; x < r.nodes(); x += k.Lanes {
			part := *r
			part.vectors = 1
			for i := range v.q {
				part.src[i], part.dst[i] = r.at(r.src[i], x), r.at(r.dst[i], x)
			}
			of := rates
			of.Seed += uint32(x)
			part.call(k, of, 0)
		}
		for i := range v.q {
			if !bytes.Equal(whole[i], r.out[i]) {
				t.Fatalf("population %d differs from that of a call for the whole row", i)
			}
		}
	})
}

// In place, results go where the populations came from, or to the opposite's place.
func TestInPlaceEqualsOutOfPlace(t *testing.T) {
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		if v.stream {
			return // rows in place are read from any alignment, which streaming stores do not have
		}
		for _, swap := range []bool{false, true} {
			rates := randomRates(rng, v.q, v.op)
			r := newRun(rng, s, v.q, k.Lanes, 5, true)
			r.call(k, rates, 0)
			want := r.out
			for i := range v.q {
				j := i
				if swap {
					j = opposite(i)
				}
				r.dst[i], r.out[i] = r.src[j], r.in[j]
			}
			r.call(k, rates, 512)
			for i := range v.q {
				if !bytes.Equal(inner(want[i]), inner(r.out[i])) {
					t.Fatalf("swapped %t: population %d differs from that out of place", swap, i)
				}
			}
		}
	})
}

// flushes tells whether Go's arithmetic takes subnormal numbers for zero.
func flushes() bool {
	smallest := float32(math.SmallestNonzeroFloat32)
	return smallest*float32(runtime.NumCPU()) == 0 // not a constant
}

func TestFlushSubnormals(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := FlushSubnormals()
	within := flushes()
	RestoreMode(before)
	if after := flushes(); !within || after {
		t.Errorf("subnormal numbers are zero between FlushSubnormals and RestoreMode: %t, afterwards: %t; want true, false", within, after)
	}
}

// Subnormal squares (|f − w| of 1e-21 in f32, 1e-155 in f64) do not slow a kernel
// down: they are zero to it, as they would be in any sum with ρ = 1. Subnormal
// halves (f16 below 1.9e-9) are kept; and Go's own arithmetic afterwards too.
func TestTinyPopulations(t *testing.T) {
	runtime.LockOSThread() // the mode of arithmetic belongs to the thread
	defer runtime.UnlockOSThread()
	forEach(t, func(t *testing.T, v variant, k Kernel, s storage, rng *rand.Rand) {
		rates := randomRates(rng, v.q, v.op)
		rates.Accel = [3]float64{}
		tiny := map[string]float64{"f64": 1e-154, "f32": 1e-20, "f16": 1e-8}[v.store]
		r := newRun(rng, s, v.q, k.Lanes, 2, !v.stream)
		for i := range v.q {
			for x := range r.nodes() {
				s.put(r.at(r.src[i], x), tiny*s.get(r.at(r.src[i], x)))
			}
		}
		r.call(k, rates, 0)
		if flushes() {
			t.Fatal("arithmetic flushes subnormal numbers to zero after the call")
		}
		for x := range r.nodes() {
			want, got := reference(r.node(&r.src, x), rates, v.op), r.node(&r.dst, x)
			for i := range want {
				slack := 2 * s.eps * weight(v.q, i) * tiny
				if lo, hi := s.bounds(want[i], slack, rates, x, i); !(lo <= got[i] && got[i] <= hi) {
					t.Fatalf("node %d, population %d: %g, equations give %g, stored as %g to %g", x, i, got[i], want[i], lo, hi)
				}
			}
		}
	})
}

// Coefficients of r and c·j add up to conservation: whatever the rates, mass and
// momentum of the sum over all coefficients are 1 exactly, in either precision.
func TestCoefficientsConserveExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		k := randomRates(rng, 19, "trt")
		single := Rates[float32]{Even: float32(k.Even), Odd: float32(k.Odd)}
		for _, rest := range []float64{16, 12} {
			checkMomentsConserve(t, momentConstants(&k, rest, 1), rest)
			checkMomentsConserve(t, momentConstants(&single, rest, halfScale), rest)
			checkConserves(t, bgkConstants(&k, rest, 1), rest, false)
			checkConserves(t, trtConstants(&k, rest, 1), rest, true)
			checkConserves(t, bgkConstants(&single, rest, halfScale), rest, false)
			checkConserves(t, trtConstants(&single, rest, 1), rest, true)
		}
	}
}

func checkConserves[T float32 | float64](t *testing.T, c constants[T], rest float64, trt bool) {
	t.Helper()
	if !trt {
		c.same = c.keep
	}
	// Each term is exact in float64 with these operations, and so is their sum.
	mass := float64(c.massRest) + (36-rest)*float64(c.mass)
	even, odd := float64(c.same)+float64(c.cross), float64(c.same)-float64(c.cross)
	momentum := 12 * float64(c.momentum)
	if even != float64(c.keep) || even+mass != 1 || odd+momentum != 1 {
		t.Errorf("rest weight %g: same %v, cross %v, keep %v: mass %.17g, momentum %.17g", rest, c.same, c.cross, c.keep, even+mass, odd+momentum)
	}
}

func checkMomentsConserve[T float32 | float64](t *testing.T, c constants[T], rest float64) {
	t.Helper()
	edges := map[float64]float64{16: 4, 12: 8}[rest] // velocities across edges with a part along an axis, half of them
	mass := float64(c.massRest) + (36-rest)*float64(c.mass)
	momentum := 2*float64(c.momentumFace) + edges*float64(c.momentum)
	if mass != 1 || momentum != 1 {
		t.Errorf("rest weight %g, by the stress: mass %.17g, momentum %.17g", rest, mass, momentum)
	}
}
