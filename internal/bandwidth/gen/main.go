// Command gen writes the vector loops of package bandwidth: two widths, cached
// and streaming stores, one loop over interleaved streams for all of them.
package main

import (
	"fmt"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	chunk = 512 // bytes that go through registers at a time, of each stream
	line  = 64  // bytes that one prefetch fetches
	group = 8   // vectors that are loaded before the first is stored
)

// width is a vector length in bytes with its registers.
type width struct {
	name   string
	bytes  int
	vector func() VecVirtual
}

func main() {
	ConstraintExpr("amd64")
	for _, w := range []width{{"AVX512", 64, ZMM}, {"AVX2", 32, YMM}} {
		copyLoop(w, "copyCached"+w.name, func(vector, memory Op) { VMOVUPD(vector, memory) })
		copyLoop(w, "copyStream"+w.name, VMOVNTPD)
		scaleLoop(w, "scale"+w.name)
	}
	Generate()
}

// copyLoop copies chunk by chunk, one from each stream in turn.
func copyLoop(w width, name string, store func(vector, memory Op)) {
	TEXT(name, NOSPLIT, "func(dst, src *float64, rows, streams, stride, ahead int)")
	Doc(name+" copies rows chunks of each of several streams, which lie stride bytes apart.",
		"Prefetches are ahead bytes in front of the loads. The loop, with a chunk, of "+strconv.Itoa(chunk/8)+" float64s:",
		"", "\tfor r := range rows {", "\t\tfor s := range streams {", "\t\t\t*chunk(dst, r, s*stride) = *chunk(src, r, s*stride)", "\t\t}", "\t}")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	to, from := GP64(), GP64()
	overStreams([]Register{dst, src}, []Register{to, from}, func(ahead Register) {
		for b := 0; b < chunk; b += line {
			PREFETCHT0(Mem{Base: from, Index: ahead, Scale: 1, Disp: b})
		}
		for b := 0; b < chunk; b += group * w.bytes {
			v := load(w, from, b)
			for k := range v {
				store(v[k], Mem{Base: to, Disp: b + k*w.bytes})
			}
		}
	})
	SFENCE() // streaming stores are seen by all when the loop has ended
	VZEROUPPER()
	RET()
}

// scaleLoop multiplies in place.
func scaleLoop(w width, name string) {
	TEXT(name, NOSPLIT, "func(a *float64, rows, streams, stride, ahead int, s float64)")
	Doc(name+" multiplies rows chunks of each of several streams by s, in place; see copyStreamAVX512.",
		"", "\t*chunk(a, r, k*stride) *= s")
	Pragma("noescape")
	a := Load(Param("a"), GP64())
	at := GP64()
	scalar, s := XMM(), w.vector()
	Load(Param("s"), scalar)
	VBROADCASTSD(scalar, s)
	overStreams([]Register{a}, []Register{at}, func(ahead Register) {
		for b := 0; b < chunk; b += line {
			PREFETCHT0(Mem{Base: at, Index: ahead, Scale: 1, Disp: b})
		}
		for b := 0; b < chunk; b += group * w.bytes {
			v := load(w, at, b)
			for k := range v {
				VMULPD(s, v[k], v[k])
				VMOVUPD(v[k], Mem{Base: at, Disp: b + k*w.bytes})
			}
		}
	})
	VZEROUPPER()
	RET()
}

// load reads a group of vectors.
func load(w width, from Register, offset int) []VecVirtual {
	v := make([]VecVirtual, group)
	for k := range v {
		v[k] = w.vector()
		VMOVUPD(Mem{Base: from, Disp: offset + k*w.bytes}, v[k])
	}
	return v
}

// overStreams runs body for every row and stream, with cursors at its chunk.
// It advances the bases by a chunk with every row.
func overStreams(bases, cursors []Register, body func(ahead Register)) {
	rows := Load(Param("rows"), GP64())
	streams := Load(Param("streams"), GP64())
	stride := Load(Param("stride"), GP64())
	ahead := Load(Param("ahead"), GP64())
	left := GP64()
	TESTQ(rows, rows)
	JLE(LabelRef("done"))
	Label("row")
	for i := range bases {
		MOVQ(bases[i], cursors[i])
	}
	MOVQ(streams, left)
	Label("stream")
	body(ahead)
	for i := range cursors {
		ADDQ(stride, cursors[i])
	}
	DECQ(left)
	JNZ(LabelRef("stream"))
	for i := range bases {
		ADDQ(U32(chunk), bases[i])
	}
	DECQ(rows)
	JNZ(LabelRef("row"))
	Label("done")
	Comment(fmt.Sprintf("%d bytes of each stream were done per row", chunk))
}
