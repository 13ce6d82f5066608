//go:build linux && amd64

package simd

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// everyKernel runs a benchmark for every kernel that this CPU has, in the mode
// of arithmetic that a fluid sets for its sweeps.
func everyKernel(b *testing.B, f func(b *testing.B, v variant, k Kernel, s storage)) {
	each(func(v variant, k Kernel, s storage) {
		b.Run(v.String(), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			defer RestoreMode(FlushSubnormals())
			f(b, v, k, s)
		})
	})
}

// BenchmarkInCache works on one row of 256 nodes: all of it stays in the first
// two caches.
func BenchmarkInCache(b *testing.B) {
	m := slab(b, 1<<20)
	everyKernel(b, func(b *testing.B, v variant, k Kernel, s storage) {
		for _, pull := range []bool{true, false} {
			if v.stream {
				continue // leaves the caches
			}
			b.Run(modeName(pull), func(b *testing.B) { newSweep(m, v.q, s, pull, 256, 1).run(b, v, k, 0) })
		}
	})
}

// BenchmarkFromMemory sweeps a gigabyte of rows as a fluid does, 4096 (D2Q9) or
// 256 (D3Q19) nodes each: pull reads one lattice and writes another, place
// updates one.
func BenchmarkFromMemory(b *testing.B) {
	const bytes = 1 << 30
	m := slab(b, bytes+1<<20)
	everyKernel(b, func(b *testing.B, v variant, k Kernel, s storage) {
		for _, pull := range []bool{true, false} {
			if v.stream && !pull {
				continue // in place, a line was read right before it is written
			}
			for _, ahead := range []int{0, 256, 512, 1024, 2048} {
				b.Run(fmt.Sprintf("%s/%d", modeName(pull), ahead), func(b *testing.B) {
					width := map[int]int{9: 4096, 19: 256}[v.q]
					arrays := map[bool]int{true: 2, false: 1}[pull] * v.q
					newSweep(m, v.q, s, pull, width, bytes/arrays/(width*s.size+2*line)).run(b, v, k, ahead)
				})
			}
		}
	})
}

func modeName(pull bool) string {
	if pull {
		return "pull"
	}
	return "place"
}

// slab is memory backed by huge pages.
func slab(b *testing.B, bytes int) []byte {
	m, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = unix.Munmap(m) })
	_ = unix.Madvise(m, unix.MADV_HUGEPAGE) // a matter of speed alone
	for i := 0; i < bytes; i += 4096 {
		m[i] = 0
	}
	return m
}

// sweep is where the rows of a fluid are in memory. Populations begin three
// lines apart, modulo a page: stores then meet no load of the next lines at the
// same place of another page, for which these would wait.
type sweep struct {
	storage
	q, width, rows int
	base           unsafe.Pointer
	pitch          int // bytes between rows
	population     int // bytes between populations
	second         int // bytes to the second lattice; 0: in place
	src, dst       [19]unsafe.Pointer
}

func newSweep(m []byte, q int, s storage, pull bool, width, rows int) *sweep {
	const page = 4096
	w := &sweep{storage: s, q: q, width: width, rows: rows, base: unsafe.Pointer(&m[line]), pitch: width*s.size + 2*line}
	w.population = (w.rows*w.pitch+page-1)/page*page + 3*line
	if pull {
		w.second = (q*w.population+page-1)/page*page + page/2
	}
	for last := (q-1)*w.population + w.second + w.rows*w.pitch; last > len(m)-2*line; last -= w.pitch {
		w.rows--
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range q {
		for x := range min(rows, 2) * w.pitch / s.size { // rows beyond are at rest
			s.put(unsafe.Add(w.base, i*w.population+x*s.size), 0.1*weight(q, i)*(2*rng.Float64()-1))
		}
	}
	return w
}

// point sets the tables to a row; populations along x are pulled from beside it.
func (w *sweep) point(row int) {
	for i := range w.q {
		at := i*w.population + row*w.pitch + line
		src := at
		if w.second > 0 {
			src += w.size * (i%3 - 1)
		}
		w.src[i], w.dst[i] = unsafe.Add(w.base, src), unsafe.Add(w.base, at+w.second)
	}
}

func (w *sweep) run(b *testing.B, v variant, k Kernel, ahead int) {
	rates := w.rates(randomRates(rand.New(rand.NewPCG(1, 1)), v.q, v.op))
	for b.Loop() {
		for row := range w.rows {
			w.point(row)
			k.Run(&w.dst, &w.src, w.width/k.Lanes, rates, ahead)
		}
		Fence()
	}
	nodes := float64(b.N) * float64(w.rows*w.width)
	b.ReportMetric(nodes/b.Elapsed().Seconds()/1e6, "Mnodes/s")
	b.ReportMetric(nodes*float64(2*v.q*w.size)/b.Elapsed().Seconds()/1e9, "GB/s")
}
