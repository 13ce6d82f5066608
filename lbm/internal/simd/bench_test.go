//go:build amd64

package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// everyKernel runs a benchmark for every kernel that this CPU has.
func everyKernel(b *testing.B, f func(b *testing.B, v variant, k Kernel, s storage)) {
	for _, isa := range []string{"avx512", "avx2"} {
		if Missing(isa) != nil {
			continue
		}
		for _, q := range []int{9, 19} {
			for _, s := range storages {
				for _, op := range []string{"bgk", "trt"} {
					for _, stream := range []bool{false, true} {
						v := variant{isa, q, s.name, op, stream}
						if k, ok := Find(isa, q, s.name, op, stream); ok {
							b.Run(v.String(), func(b *testing.B) { f(b, v, k, s) })
						}
					}
				}
			}
		}
	}
}

func perNode(b *testing.B, nodes int) {
	b.ReportMetric(float64(b.N)*float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}

// BenchmarkInCache works on one row of 256 nodes: all of it stays in the first
// two caches.
func BenchmarkInCache(b *testing.B) {
	everyKernel(b, func(b *testing.B, v variant, k Kernel, s storage) {
		if v.stream {
			b.Skip("streaming stores leave the caches")
		}
		const nodes = 256
		rng := rand.New(rand.NewPCG(1, 1))
		r := newRun(rng, s, v.q, k.Lanes, nodes/k.Lanes, false)
		rates := s.rates(randomRates(rng, v.q, v.op))
		for b.Loop() {
			k.Run(&r.dst, &r.src, r.vectors, rates, 0)
		}
		perNode(b, nodes)
	})
}

// slab is memory of the size of a large fluid, backed by huge pages.
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

// BenchmarkFromMemory sweeps a gigabyte of rows as a fluid does: 4096 (D2Q9) or
// 256 (D3Q19) nodes a row, populations apart by more than a set of the cache;
// "pull" reads one lattice and writes another, "place" updates one.
func BenchmarkFromMemory(b *testing.B) {
	const bytes = 1 << 30
	m := slab(b, bytes+1<<20)
	rng := rand.New(rand.NewPCG(1, 1))
	everyKernel(b, func(b *testing.B, v variant, k Kernel, s storage) {
		for _, mode := range []string{"pull", "place"} {
			if mode == "place" && v.stream {
				continue
			}
			for _, ahead := range []int{0, 256, 512, 1024, 2048} {
				b.Run(fmt.Sprintf("%s/%d", mode, ahead), func(b *testing.B) {
					w := newSweep(m[:bytes], v.q, s.size, mode == "pull")
					rates := s.rates(randomRates(rng, v.q, v.op))
					for b.Loop() {
						for row := range w.rows {
							w.point(row)
							k.Run(&w.dst, &w.src, w.width/k.Lanes, rates, ahead)
						}
					}
					perNode(b, w.rows*w.width)
					b.ReportMetric(float64(b.N)*float64(w.rows*w.width*2*v.q*s.size)/b.Elapsed().Seconds()/1e9, "GB/s")
				})
			}
		}
	})
}

// sweep is where the rows of a fluid are in memory.
type sweep struct {
	width, rows, q    int
	base              *byte
	pitch, population int // bytes between rows, and between populations
	size              int
	pull              bool
	src, dst          [19]unsafe.Pointer
}

func newSweep(m []byte, q, size int, pull bool) *sweep {
	w := &sweep{width: 4096, q: q, size: size, pull: pull, base: &m[0]}
	if q == 19 {
		w.width = 256
	}
	arrays := q
	if pull {
		arrays = 2 * q
	}
	w.pitch = w.width*size + 2*line
	w.rows = (len(m)/arrays - 1<<13) / w.pitch
	w.population = w.rows*w.pitch + 5*line
	w.population += (line*9 - w.population%4096 + 4096) % 4096 // 9 lines from a multiple of a page
	return w
}

// point sets the tables to a row; populations along x are pulled from beside it.
func (w *sweep) point(row int) {
	for i := range w.q {
		at := i*w.population + row*w.pitch + line
		src := at
		if w.pull {
			src += w.size * (i%3 - 1)
			at += w.q * w.population
		}
		w.src[i], w.dst[i] = unsafe.Add(unsafe.Pointer(w.base), src), unsafe.Add(unsafe.Pointer(w.base), at)
	}
}
