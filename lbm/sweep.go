package lbm

import (
	"runtime"
	"unsafe"

	"lbmib/lbm/internal/simd"
)

// sweeper is what one worker needs to process a row.
type sweeper[T Float, S Stored] struct {
	rates    rates[T]      // with the seed of the nodes at hand
	src, dst rows[S]       // of the plain kernels
	from, to [MaxQ]uintptr // of the assembly kernels: of memory that others keep, so that the collector need not watch

	// Nodes that a kernel cannot work on where they are: the end of a row that
	// fills no vector, and all nodes of layouts that are not contiguous.
	in, out   rows[S]
	outs      [MaxQ]uintptr // where out begins
	ends      [MaxQ]uintptr // where it goes
	placed    int           // the padded node that from and to were set for last in the row, −1: none
	by        *[9]int32     // shifts of the run at hand, in a storage by runs
	gathered  int           // nodes that in and out hold
	streaming bool          // results are written around the cache
	kept      [2]int        // but for so many nodes at the ends of a row: they are read again at once
	ahead     int           // prefetch distance in bytes for gathered nodes
	mode      uint32

	fields rowFields[T] // of rows on which forces act
	nodes  int          // of the row or run, there
	mixed  mixedNodes[T, S]
}

// gatherNodes is how many nodes are gathered at a time: few enough to stay in
// the first two caches.
const gatherNodes = 256

func (s *sweeper[T, S]) allocate(f *CPU[T, S]) {
	s.rates = f.rates
	s.streaming = f.kernel.streaming != nil && f.streams()
	switch s.gathered = gatherNodes; {
	case f.layout.contiguous():
		s.gathered = max(f.kernel.lanes, 1)
	case f.layout.Block > 1: // pieces of blocks, which lie in one piece
		s.gathered = min(gatherNodes, f.layout.Block)
		if s.gathered == f.layout.Block { // the same population of the next block
			s.ahead = f.layout.Q * f.layout.Block * int(unsafe.Sizeof(f.now[0]))
		}
	}
	q := f.layout.Q
	in, out := make([]S, q*s.gathered), make([]S, q*s.gathered)
	for i := range q {
		s.in[i], s.out[i] = in[i*s.gathered:(i+1)*s.gathered], out[i*s.gathered:(i+1)*s.gathered]
		s.outs[i] = uintptr(unsafe.Pointer(&s.out[i][0]))
	}
}

// begin readies the worker's thread for a sweep: subnormal numbers, which the
// front of a disturbance in fluid at rest is made of, count as zero, since they
// would take tens of times as long.
func (s *sweeper[T, S]) begin() {
	runtime.LockOSThread()
	s.mode = simd.FlushSubnormals()
}

// end makes what was written visible to other workers and restores the thread.
func (s *sweeper[T, S]) end() {
	if s.streaming {
		simd.Fence()
	}
	simd.RestoreMode(s.mode)
	runtime.UnlockOSThread()
}

// row pulls and collides nx nodes of a row from padded node n; seed is that of the
// first one's noise.
func (s *sweeper[T, S]) row(f *CPU[T, S], p *pattern, n, nx int, seed uint32) {
	s.rates.seed = seed
	switch {
	case nx == 0:
	case !f.layout.contiguous():
		for x := 0; x < nx; x += s.gathered {
			s.rates.seed = seed + uint32(x)
			s.gather(f, p, n+x, min(s.gathered, nx-x))
		}
	case f.kernel.lanes > 0:
		s.vectors(f, p, n, nx)
	default:
		for i := range f.layout.Q {
			from, to := f.at(&p.read[i], n), f.at(&p.write[i], n)
			s.src[i], s.dst[i] = f.now[from:from+nx:from+nx], f.next[to:to+nx:to+nx]
		}
		f.kernel.plain(&s.dst, &s.src, &s.rates)
	}
}

// vectors runs an assembly kernel over a row of nx nodes from padded node n, in
// SoA, where all places of a row are a fixed distance from its first node.
func (s *sweeper[T, S]) vectors(f *CPU[T, S], p *pattern, n, nx int) {
	s.placed = -1
	k, whole, seed := &f.kernel, nx/f.kernel.lanes, s.rates.seed
	if !s.streaming {
		s.part(f, p, n, 0, whole, k.cached)
	} else {
		head := s.keeps(f, s.kept[0], whole)
		tail := s.keeps(f, s.kept[1]-nx%k.lanes, whole-head)
		s.part(f, p, n, 0, head, k.cached)
		s.part(f, p, n, head, whole-tail, k.streaming)
		s.part(f, p, n, whole-tail, whole, k.cached)
	}
	if done := whole * k.lanes; done < nx {
		s.rates.seed = seed + uint32(done)
		if s.placed < 0 {
			s.places(f, p, n)
			s.placed = n
		}
		s.advance(n + done - s.placed)
		s.rest(f, nx-done)
	}
}

// keeps is in how many vectors, of so many, some nodes at the end of a row lie, in whole
// cache lines.
func (s *sweeper[T, S]) keeps(f *CPU[T, S], nodes, of int) int {
	if nodes <= 0 {
		return 0
	}
	var one S
	line := max(1, lineBytes/(f.kernel.lanes*int(unsafe.Sizeof(one))))
	return min((nodes+line*f.kernel.lanes-1)/(line*f.kernel.lanes)*line, of)
}

// part runs an assembly kernel over the vectors [lo, hi) of a row from padded node n.
func (s *sweeper[T, S]) part(f *CPU[T, S], p *pattern, n, lo, hi int, run assembly) {
	if lo >= hi {
		return
	}
	s.placed = n + lo*f.kernel.lanes
	s.places(f, p, s.placed)
	s.run(run, hi-lo, f.kernel.ahead)
	s.rates.seed += uint32((hi - lo) * f.kernel.lanes)
}

// places sets where the populations of nodes from padded node n on come from and go to.
func (s *sweeper[T, S]) places(f *CPU[T, S], p *pattern, n int) {
	now, next := uintptr(unsafe.Pointer(&f.now[n])), uintptr(unsafe.Pointer(&f.next[n]))
	read, write := p.read[:f.layout.Q], p.write[:f.layout.Q]
	if f.sparse != nil {
		by := s.by
		for i := range read {
			s.from[i] = now + uintptr(read[i].bytes+int(by[read[i].row])*int(unsafe.Sizeof(f.now[0])))
		}
		for i := range write {
			s.to[i] = next + uintptr(write[i].bytes+int(by[write[i].row])*int(unsafe.Sizeof(f.now[0])))
		}
		return
	}
	for i := range read {
		s.from[i] = now + uintptr(read[i].bytes)
	}
	for i := range write {
		s.to[i] = next + uintptr(write[i].bytes)
	}
}

// run runs an assembly kernel over vectors from from to to.
func (s *sweeper[T, S]) run(kernel assembly, vectors, ahead int) {
	kernel((*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.to)), (*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.from)), vectors, unsafe.Pointer(&s.rates), ahead)
}

// advance lets populations come from and go to so many nodes further.
func (s *sweeper[T, S]) advance(nodes int) {
	by := uintptr(nodes) * unsafe.Sizeof(*new(S))
	for i := range s.from {
		s.from[i] += by
		s.to[i] += by
	}
}

// rest processes the end of a row that fills no vector, nx nodes from where they are to where they go, through out. Rows are
// padded, so a whole vector can be read.
func (s *sweeper[T, S]) rest(f *CPU[T, S], nx int) {
	s.toOut()
	s.run(f.kernel.cached, 1, f.kernel.ahead)
	s.fromOut(f.layout.Q, nx)
}

// toOut has a vector go to out.
func (s *sweeper[T, S]) toOut() { s.ends, s.to = s.to, s.outs }

// fromOut copies the first nx nodes of out to where they go.
func (s *sweeper[T, S]) fromOut(q, nx int) {
	simd.CopyEnds((*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.ends)), (*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.outs)), q, nx*int(unsafe.Sizeof(*new(S))))
}

// gather processes m nodes from padded node n. Populations that lie in one piece
// are read and written where they are, others go through in and out.
func (s *sweeper[T, S]) gather(f *CPU[T, S], p *pattern, n, m int) {
	k, q := &f.kernel, f.layout.Q
	vectors := 0
	if k.lanes > 0 {
		vectors = (m + k.lanes - 1) / k.lanes
	}
	fits := vectors*k.lanes == m || vectors == 0 // no vector reaches beyond the nodes
	run, direct := k.cached, fits
	for i := range q {
		at := n + p.read[i].shift
		if s.src[i] = s.in[i][:m]; fits && f.layout.whole(at, m) {
			o := f.layout.Offset(p.read[i].slot, at)
			s.src[i] = f.now[o : o+m]
		} else {
			gatherRow(&f.layout, s.src[i], f.now, p.read[i].slot, at)
		}
		at = n + p.write[i].shift
		if s.dst[i] = s.out[i][:m]; fits && f.layout.whole(at, m) {
			o := f.layout.Offset(p.write[i].slot, at)
			s.dst[i] = f.next[o : o+m]
		} else {
			direct = false
		}
	}
	if vectors > 0 {
		for i := range q {
			s.from[i], s.to[i] = uintptr(unsafe.Pointer(&s.src[i][0])), uintptr(unsafe.Pointer(&s.dst[i][0]))
		}
		if s.streaming && direct {
			run = k.streaming
		}
		s.run(run, vectors, s.ahead)
	} else {
		k.plain(&s.dst, &s.src, &s.rates)
	}
	for i := range q {
		if &s.dst[i][0] == &s.out[i][0] {
			scatterRow(&f.layout, f.next, s.dst[i], p.write[i].slot, n+p.write[i].shift)
		}
	}
}

// streamsFrom is the size in bytes from which two lattices are written around
// the cache: well beyond what the cores' own caches hold.
const streamsFrom = 16 << 20
