package lbm

import (
	"cmp"
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd"
	"lbmib/lbm/internal/simd/dither"
)

// nodeSpans are a list of nodes as assembly works on it: as runs along x, vector by vector.
type nodeSpans struct {
	all   []simd.Span
	first []int32 // node of lane 0 of each
	row   []int32 // of each

	nodes, at []int32 // the list that they were made of
	nx        int32   // nodes of a row
	ascending bool    // spans stand in ascending order of rows
	moved     []simd.Span
	order     []int32
}

// are tells whether the spans are those of a list.
func (s *nodeSpans) are(nodes, at []int32) bool {
	return slices.Equal(s.nodes, nodes) && slices.Equal(s.at, at)
}

// find makes the spans those of nodes, whose values stand at[k] in fields of elements of so many
// bytes, populations being stored bytes long. Rows have at least as many nodes as a vector has lanes.
func (s *nodeSpans) find(c *Config, g *padding, nodes, at []int32, lanes, stored, element int) {
	s.nodes, s.at = append(s.nodes[:0], nodes...), append(s.at[:0], at...)
	s.all, s.first, s.row, s.ascending = s.all[:0], s.first[:0], s.row[:0], true
	nx, ny := int32(c.Size[0]), int32(c.Size[1])
	s.nx, at = nx, at[:len(nodes)]
	last, origin := int32(-1), 0 // the row at hand, and where it begins in memory
	for k := 0; k < len(nodes); {
		node, field := nodes[k], at[k]
		x := node - last*nx
		if last < 0 || x < 0 || x >= nx {
			row := node / nx
			s.ascending = s.ascending && row > last
			x, last = node-row*nx, row
			z := row / ny
			origin = g.stride[0]*int(row-z*ny) + g.stride[1]*int(z)
		}
		most := min(int32(lanes), nx-x, int32(len(nodes)-k))
		n := int32(1) // nodes of the run, of one vector at most
		for n < most && nodes[k+int(n)] == node+n && at[k+int(n)] == field+n {
			n++
		}
		k += int(n)
		back := max(0, x+int32(lanes)-nx) // no lane beyond the end of the row
		node, field, x = node-back, field-back, x-back
		s.all = append(s.all, simd.Span{
			Node:  int64(int(x)+origin) * int64(stored),
			Field: int64(field) * int64(element),
			Lanes: (1<<n - 1) << back,
		})
		s.first, s.row = append(s.first, node), append(s.row, last)
	}
}

// sort puts the spans into an order in which their rows ascend, so that rows can be shared out whole.
func (s *nodeSpans) sort() {
	if s.ascending {
		return
	}
	s.ascending = true
	s.order = s.order[:0]
	for k := range s.all {
		s.order = append(s.order, int32(k))
	}
	slices.SortFunc(s.order, func(i, j int32) int { return cmp.Compare(s.first[i], s.first[j]) })
	s.moved = append(s.moved[:0], s.all...)
	for k, from := range s.order {
		s.all[k] = s.moved[from]
		s.order[k] = s.first[from]
	}
	s.first, s.order = s.order, s.first
	for k, node := range s.first {
		s.row[k] = node / s.nx
	}
}

// share is worker's part of them, in whole rows.
func (s *nodeSpans) share(worker, workers int) (lo, hi int) {
	lo, hi = parallel.Share(len(s.all), worker, workers)
	return s.rowFrom(lo), s.rowFrom(hi)
}

// rowFrom is the first span from k on that begins a row.
func (s *nodeSpans) rowFrom(k int) int {
	for k > 0 && k < len(s.row) && s.row[k] == s.row[k-1] {
		k++
	}
	return k
}

// spans works on lists of nodes by assembly where these lie.
type spans[T Float, S Stored] struct {
	*nodeSpans                 // of the list at hand
	lists         [2]nodeSpans // the last two: mostly they are the same from step to step
	kept          int          // the one that was corrected last: reading another list replaces the other
	in            *storage[T, S]
	access        *nodeAccess[T]
	kernels       nodeKernels
	steps         int64                     // that the fluid has made
	read, correct func(worker, workers int) // Moments and Correct on a worker's share
}

// newSpans is nil where there is no assembly for the populations of a storage, or none of their
// rows is as long as a vector: runs may be shorter, which are read and corrected through copies.
func newSpans[T Float, S Stored](in *storage[T, S], a *nodeAccess[T]) *spans[T, S] {
	s := &spans[T, S]{in: in, access: a}
	s.kernels = newNodeKernels(in.cfg.Kernel, in.cfg.Lattice, unsafe.Sizeof(*new(S)), a.rates.recursive)
	if !s.kernels.exist() || !in.layout.contiguous() || in.sparse != nil || in.cfg.Size[0] < s.kernels.moments.Lanes {
		return nil
	}
	s.read, s.correct = s.readShare, s.correctShare
	return s
}

// find makes the spans those of nodes whose values stand at these places. Workers that correct
// must not share rows: a vector of populations is written as a whole.
func (s *spans[T, S]) find(nodes, at []int32, steps int64, correcting bool) {
	s.steps = steps
	i, found := s.kept, true
	if !s.lists[i].are(nodes, at) {
		i = 1 - i
		found = s.lists[i].are(nodes, at)
	}
	s.nodeSpans = &s.lists[i]
	if !found {
		s.nodeSpans.find(&s.in.cfg, &s.in.grid, nodes, at, s.kernels.moments.Lanes, int(unsafe.Sizeof(*new(S))), int(unsafe.Sizeof(T(0))))
	}
	if correcting {
		s.kept = i
		if len(s.access.scratch) > 1 {
			s.sort()
		}
	}
}

// run runs a kernel over the spans lo ≤ k < hi; the worker's fields begin where values of
// at[k] = 0 stand.
func (s *spans[T, S]) run(k *simd.SpanKernel, lo, hi int, b *nodeScratch[T]) {
	stored := s.in.stored()
	for i := range s.in.layout.Q {
		b.populations[i] = unsafe.Pointer(&s.in.now[s.in.at(&stored[i], s.in.grid.origin)])
	}
	k.Run(&b.populations, &b.fields, s.all[lo:hi], unsafe.Pointer(s.access.rates))
	b.fields = [4]unsafe.Pointer{} // they are the caller's
}

func (s *spans[T, S]) readShare(worker, workers int) {
	l, b := &s.access.list, &s.access.scratch[worker]
	b.fields[0] = unsafe.Pointer(unsafe.SliceData(l.rho))
	for a, u := range l.u {
		b.fields[1+a] = unsafe.Pointer(unsafe.SliceData(u))
	}
	lo, hi := s.share(worker, workers)
	s.run(&s.kernels.moments, lo, hi, b)
}

func (s *spans[T, S]) correctShare(worker, workers int) {
	b := &s.access.scratch[worker]
	for a, force := range s.access.list.u {
		b.fields[1+a] = unsafe.Pointer(unsafe.SliceData(force))
	}
	lo, hi := s.share(worker, workers)
	s.setNoise(lo, hi)
	s.run(&s.kernels.correct, lo, hi, b)
}

// setNoise sets the noise of the spans lo ≤ k < hi; of Half alone.
func (s *spans[T, S]) setNoise(lo, hi int) {
	if unsafe.Sizeof(*new(S)) != 2 { // known when compiled
		return
	}
	nx, row, seed := s.in.cfg.Size[0], int32(-1), uint32(0)
	for k := lo; k < hi; k++ {
		if s.row[k] != row {
			row = s.row[k]
			seed = seedOf[S](forCorrection, s.steps, int(row))
		}
		s.all[k].Noise = 4 * dither.Place(seed, int(s.first[k])-nx*int(row))
	}
}
