//go:build amd64

package simd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func TestTuneMem(t *testing.T) {
	if os.Getenv("TUNEMEM") == "" {
		return
	}
	const bytes = 1 << 30
	m, _ := unix.Mmap(-1, 0, bytes+1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	_ = unix.Madvise(m, unix.MADV_HUGEPAGE)
	for i := 0; i < len(m); i += 4096 {
		m[i] = 0
	}
	rng := rand.New(rand.NewPCG(1, 1))
	type c struct {
		isa, st, op, mode string
		q, ahead, gap     int
		v             []float64
		lines int
	}
	var cs []*c
	for _, isa := range envList("ISA", "avx512") {
		for _, q := range ints(envList("Q", "9,19")) {
			for _, st := range envList("STORE", "f64,f32,f16") {
				for _, op := range envList("OP", "bgk") {
					for _, mode := range envList("MODE", "pull,stream,place") {
						for _, gap := range ints(envList("GAP", "3")) {
							for _, ah := range ints(envList("AHEAD", "0,256,512,1024,2048")) {
								cs = append(cs, &c{isa, st, op, mode, q, ah, gap, nil,0})
							}
						}
					}
				}
			}
		}
	}
	for range ints(envList("ROUNDS", "3"))[0] {
		for _, c := range cs {
			var s storage
			for _, x := range storages {
				if x.name == c.st {
					s = x
				}
			}
			k, ok := Find(c.isa, c.q, c.st, c.op, c.mode == "stream")
			if !ok {
				continue
			}
			width := map[int]int{9: 4096, 19: 256}[c.q]
			arrays := c.q
			if c.mode != "place" {
				arrays *= 2
			}
			pitch := width*s.size + 128
			rows := (bytes/arrays - 16384) / pitch
			pop := (rows*pitch+4095)/4096*4096 + c.gap*64
			base := &m[4096]
			rates := s.rates(randomRates(rng, c.q, c.op))
			var src, dst [19]unsafe.Pointer
			chunk := max(1, (4<<20)/(2*c.q*s.size*width))
			for row := 0; row+chunk <= rows; row += chunk {
				t0 := time.Now()
				for y := row; y < row+chunk; y++ {
					for i := range c.q {
						a := i*pop + y*pitch + 64
						b := a
						if c.mode != "place" {
							b += c.q*pop + (4096-c.q*pop%4096)%4096 
							a += s.size * (i%3 - 1)
						}
						src[i], dst[i] = unsafe.Add(unsafe.Pointer(base), a), unsafe.Add(unsafe.Pointer(base), b)
					}
					k.Run(&dst, &src, width/k.Lanes, rates, c.ahead)
				}
				c.v = append(c.v, float64(chunk*width)/time.Since(t0).Seconds())
			}
		}
	}
	for _, c := range cs {
		if len(c.v) == 0 {
			continue
		}
		sort.Float64s(c.v)
		n := len(c.v)
		size := map[string]int{"f64": 8, "f32": 4, "f16": 2}[c.st]
		g := float64(2*c.q*size) / 1e9
		fmt.Printf("%s q%d %s %s %-6s gap %d ahead %4d: median %.0f p90 %.0f Mnodes/s, median %.1f p90 %.1f max %.1f GB/s\n", c.isa, c.q, c.st, c.op, c.mode, c.gap, c.ahead, c.v[n/2]/1e6, c.v[n*9/10]/1e6, c.v[n/2]*g, c.v[n*9/10]*g, c.v[n-1]*g)
	}
}
