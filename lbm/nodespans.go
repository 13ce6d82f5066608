package lbm

import (
	"cmp"
	"slices"
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd"
	"lbmib/lbm/internal/simd/dither"
)

// nodeSpans are a list of nodes as assembly works on it: as runs along x, vector by vector, in
// ascending order, so that rows can be shared out whole.
type nodeSpans struct {
	all   []simd.Span
	first []int32 // node of lane 0 of each
	row   []int32 // of each

	nodes, at []int32 // the list that they were made of
	order     []int32 // of the list, where it does not ascend
}

// are tells whether the spans are those of a list.
func (s *nodeSpans) are(nodes, at []int32) bool {
	return slices.Equal(s.nodes, nodes) && slices.Equal(s.at, at)
}

// find makes the spans those of nodes, whose values stand at[k] in fields of elements of so many
// bytes, populations being stored bytes long. Rows have at least as many nodes as a vector has lanes.
func (s *nodeSpans) find(c *Config, g *padding, nodes, at []int32, lanes, stored, element int) {
	s.nodes, s.at = append(s.nodes[:0], nodes...), append(s.at[:0], at...)
	s.all, s.first, s.row = s.all[:0], s.first[:0], s.row[:0]
	of := func(k int) int { return k }
	if !slices.IsSorted(nodes) {
		s.sort()
		of = func(k int) int { return int(s.order[k]) }
	}
	nx := int32(c.Size[0])
	for k := 0; k < len(nodes); {
		node, field := nodes[of(k)], at[of(k)]
		row := node / nx
		x := node - row*nx
		n := 1 // nodes of the run, of one vector at most
		for k++; k < len(nodes) && n < lanes && x+int32(n) < nx; k++ {
			if next := of(k); nodes[next] != node+int32(n) || at[next] != field+int32(n) {
				break
			}
			n++
		}
		back := max(0, x+int32(lanes)-nx) // no lane beyond the end of the row
		node, field, x = node-back, field-back, x-back
		y := int(row)
		s.all = append(s.all, simd.Span{
			Node:  int64(int(x)+g.stride[0]*(y%c.Size[1])+g.stride[1]*(y/c.Size[1])) * int64(stored),
			Field: int64(field) * int64(element),
			Lanes: (1<<n - 1) << back,
		})
		s.first, s.row = append(s.first, node), append(s.row, row)
	}
}

// sort finds the order in which the nodes ascend.
func (s *nodeSpans) sort() {
	s.order = s.order[:0]
	for k := range s.nodes {
		s.order = append(s.order, int32(k))
	}
	slices.SortFunc(s.order, func(i, j int32) int { return cmp.Compare(s.nodes[i], s.nodes[j]) })
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
	lists         [2]nodeSpans // lists are mostly the same from step to step; those that are corrected,
	kept          int          // of which this is one, outlast those that are read between
	in            *storage[T, S]
	access        *nodeAccess[T]
	kernels       nodeKernels
	steps         int64                     // that the fluid has made
	read, correct func(worker, workers int) // Moments and Correct on a worker's share
}

// newSpans is nil where there is no assembly for the populations of a storage, or none of their
// rows is as long as a vector.
func newSpans[T Float, S Stored](in *storage[T, S], a *nodeAccess[T]) *spans[T, S] {
	s := &spans[T, S]{in: in, access: a}
	s.kernels = newNodeKernels(in.cfg.Kernel, in.cfg.Lattice, unsafe.Sizeof(*new(S)), a.rates.recursive)
	if !s.kernels.exist() || !in.layout.contiguous() || in.cfg.Size[0] < s.kernels.moments.Lanes {
		return nil
	}
	s.read, s.correct = s.readShare, s.correctShare
	return s
}

// find makes the spans those of nodes whose values stand at these places.
func (s *spans[T, S]) find(nodes, at []int32, steps int64, correcting bool) {
	s.steps = steps
	i, found := s.kept, true
	if !s.lists[i].are(nodes, at) {
		i = 1 - i
		found = s.lists[i].are(nodes, at)
	}
	s.nodeSpans = &s.lists[i]
	if correcting {
		s.kept = i
	}
	if found {
		return
	}
	s.nodeSpans.find(&s.in.cfg, &s.in.grid, nodes, at, s.kernels.moments.Lanes, int(unsafe.Sizeof(*new(S))), int(unsafe.Sizeof(T(0))))
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
