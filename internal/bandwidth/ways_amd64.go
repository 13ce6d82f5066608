package bandwidth

import (
	"fmt"

	"golang.org/x/sys/cpu"
)

type (
	copyKernel  func(dst, src *float64, rows, streams, stride, ahead int)
	scaleKernel func(a *float64, rows, streams, stride, ahead int, s float64)
)

// pattern is how the memory of a worker is gone through: as so many streams, a
// chunk of each in turn, with a prefetch so many bytes ahead of the loads. One
// stream is the plain way. A lattice is read and written through 9 or 19, and
// that is not slower but up to a fifth faster: each stream on its own page has
// its own hardware prefetcher, and more banks of the memory work at a time.
// A limit that left this out would be none.
type pattern struct{ streams, ahead int }

func (p pattern) String() string {
	switch {
	case p.streams > 1 && p.ahead > 0:
		return fmt.Sprintf(", %d streams, prefetch %d B ahead", p.streams, p.ahead)
	case p.streams > 1:
		return fmt.Sprintf(", %d streams", p.streams)
	case p.ahead > 0:
		return fmt.Sprintf(", prefetch %d B ahead", p.ahead)
	}
	return ""
}

// What has been seen to be fastest on one core or several, and the plain way.
var (
	copyPatterns   = []pattern{{1, 0}, {1, 1024}, {9, 512}, {16, 0}, {16, 512}, {maxStreams, 0}, {maxStreams, 512}}
	updatePatterns = []pattern{{1, 0}, {1, 1024}, {1, 2048}, {4, 1024}, {4, 2048}, {9, 1024}}
	plainPattern   = []pattern{{1, 0}}
)

func vectorCopies() (all []copyWay) {
	add := func(name string, k copyKernel, patterns []pattern) {
		for _, p := range patterns {
			all = append(all, copyWay{name + p.String(), p.copyWith(k)})
		}
	}
	if cpu.X86.HasAVX512F {
		add("AVX-512 streaming stores", copyStreamAVX512, copyPatterns)
		add("AVX-512 cached stores", copyCachedAVX512, plainPattern)
	}
	if cpu.X86.HasAVX2 {
		add("AVX2 streaming stores", copyStreamAVX2, []pattern{{1, 0}, {16, 512}})
		add("AVX2 cached stores", copyCachedAVX2, plainPattern)
	}
	return all
}

func vectorUpdates() (all []updateWay) {
	add := func(name string, k scaleKernel, patterns []pattern) {
		for _, p := range patterns {
			all = append(all, updateWay{name + p.String(), p.scaleWith(k)})
		}
	}
	if cpu.X86.HasAVX512F {
		add("AVX-512", scaleAVX512, updatePatterns)
	}
	if cpu.X86.HasAVX2 {
		add("AVX2", scaleAVX2, []pattern{{1, 0}, {4, 1024}})
	}
	return all
}

// copyWith goes through memory by the pattern; what is no whole row of chunks
// is copied by Go.
func (p pattern) copyWith(k copyKernel) func(dst, src []float64) {
	return func(dst, src []float64) {
		rows := p.rows(len(dst))
		p.pieces(rows, func(at, n int) {
			k(&dst[at], &src[at], n, p.streams, rows*chunkBytes, p.ahead)
		})
		done := rows * p.streams * chunk
		copy(dst[done:], src[done:])
	}
}

// scaleWith is copyWith for updates.
func (p pattern) scaleWith(k scaleKernel) func(a []float64, s float64) {
	return func(a []float64, s float64) {
		rows := p.rows(len(a))
		p.pieces(rows, func(at, n int) {
			k(&a[at], n, p.streams, rows*chunkBytes, p.ahead, s)
		})
		scale(a[rows*p.streams*chunk:], s)
	}
}

// rows is the number of chunks of each stream in n float64s. It is odd, so that
// the streams do not all fall into the same sets of the caches.
func (p pattern) rows(n int) int {
	rows := n / chunk / p.streams
	if p.streams > 1 && rows > 0 && rows%2 == 0 {
		rows--
	}
	return rows
}

// pieces cuts rows into runs of n from float64 at, each of some tenths of a
// millisecond: the scheduler cannot interrupt assembly.
func (p pattern) pieces(rows int, do func(at, n int)) {
	const pieceBytes = 4 << 20
	step := pieceBytes / chunkBytes / p.streams
	for r := 0; r < rows; r += step {
		do(r*chunk, min(step, rows-r))
	}
}
