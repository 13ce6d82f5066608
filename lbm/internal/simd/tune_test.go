//go:build amd64

package simd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func envList(n, d string) []string {
	if v := os.Getenv(n); v != "" {
		d = v
	}
	return strings.Split(d, ",")
}

func ints(l []string) (r []int) {
	for _, s := range l {
		v, _ := strconv.Atoi(s)
		r = append(r, v)
	}
	return
}

type cfg struct {
	isa   string
	q     int
	s     storage
	op    string
	st    bool
	nodes int
	gap   int
	off   int
	ahead int
	place bool
	best  time.Duration
	iters int
}

func TestTune(t *testing.T) {
	if os.Getenv("TUNE") == "" {
		return
	}
	rng := rand.New(rand.NewPCG(1, 1))
	m := make([]byte, 8<<20)
	base := int(-uintptr(unsafe.Pointer(&m[0])) & 4095)
	var cs []*cfg
	for _, isa := range envList("ISA", "avx512,avx2") {
		for _, q := range ints(envList("Q", "9,19")) {
			for _, st := range envList("STORE", "f64,f32,f16") {
				for _, op := range envList("OP", "bgk,trt") {
					for _, stream := range envList("STREAM", "0") {
						for _, n := range ints(envList("NODES", "256")) {
							for _, gap := range ints(envList("GAP", "3")) {
								for _, off := range ints(envList("OFF", "0")) {
									for _, ah := range ints(envList("AHEAD", "0")) {
										for _, pl := range envList("PLACE", "0") {
											c := &cfg{isa: isa, q: q, op: op, st: stream == "1", nodes: n, gap: gap, off: off, ahead: ah, place: pl == "1", best: time.Hour}
											for _, s := range storages {
												if s.name == st {
													c.s = s
												}
											}
											cs = append(cs, c)
										}
									}
								}
							}
						}
					}
				}
			}
		}
	}
	rounds := ints(envList("ROUNDS", "20"))[0]
	for range rounds {
		for _, c := range cs {
			s, q, nodes := c.s, c.q, c.nodes
			k, _ := Find(c.isa, q, s.name, c.op, c.st)
			pitch := (nodes*s.size+4095)/4096*4096 + c.gap*64
			var src, dst [19]unsafe.Pointer
			for i := range q {
				a := base + 4096 + i*pitch
				b := base + 4096 + (q*pitch+4095)/4096*4096 + 8192 + c.off*64 + i*pitch
				if c.place {
					b = a
				} else {
					a += s.size * (i%3 - 1)
				}
				src[i], dst[i] = unsafe.Pointer(&m[a]), unsafe.Pointer(&m[b])
				for x := -32; x < nodes+32; x++ {
					s.put(unsafe.Add(src[i], x*s.size), 0.01*weight(q, i)*(2*rng.Float64()-1))
				}
			}
			r := randomRates(rng, q, c.op)
			rates := s.rates(r)
			for range 200 {
				t0 := time.Now()
				for range 10 {
					k.Run(&dst, &src, nodes/k.Lanes, rates, c.ahead)
				}
				c.best = min(c.best, time.Since(t0))
			}
		}
	}
	for _, c := range cs {
		k, _ := Find(c.isa, c.q, c.s.name, c.op, c.st)
		fmt.Printf("%s q%d %s %s stream %t nodes %d gap %d off %d place %t ahead %d: %.0f Mnodes/s, %.1f ns/line\n", c.isa, c.q, c.s.name, c.op, c.st, c.nodes, c.gap, c.off, c.place, c.ahead, 10*float64(c.nodes)/c.best.Seconds()/1e6, float64(c.best.Nanoseconds())/10/float64(c.nodes/k.Lanes))
	}
}
