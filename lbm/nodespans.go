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

// find makes the spans those of nodes, whose values stand at[k] in fields of elements of so many
// bytes, populations being stored bytes long. Rows have at least as many nodes as a vector has lanes.
func (s *nodeSpans) find(c *Config, g *padding, nodes, at []int32, lanes, stored, element int) {
	if slices.Equal(s.nodes, nodes) && slices.Equal(s.at, at) {
		return
	}
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

// spanned tells whether assembly works on lists of nodes where these lie.
func (f *CPU[T, S]) spanned() bool {
	return f.nodes.exist() && f.layout.contiguous() && f.cfg.Size[0] >= f.nodes.moments.Lanes
}

// runSpans runs a kernel over the spans lo ≤ k < hi; the worker's fields begin where values of
// at[k] = 0 stand.
func (f *CPU[T, S]) runSpans(k *simd.SpanKernel, lo, hi int, b *nodeScratch[T]) {
	stored := f.stored()
	for i := range f.layout.Q {
		b.populations[i] = unsafe.Pointer(&f.now[f.at(&stored[i], f.grid.origin)])
	}
	k.Run(&b.populations, &b.fields, f.spans.all[lo:hi], unsafe.Pointer(&f.rates))
	b.fields = [4]unsafe.Pointer{} // they are the caller's
}

// readSpans is Moments on a worker's share.
func (f *CPU[T, S]) readSpans(worker, workers int) {
	l, b := &f.list, &f.scratch[worker]
	b.fields[0] = unsafe.Pointer(unsafe.SliceData(l.rho))
	for a, u := range l.u {
		b.fields[1+a] = unsafe.Pointer(unsafe.SliceData(u))
	}
	lo, hi := f.spans.share(worker, workers)
	f.runSpans(&f.nodes.moments, lo, hi, b)
}

// correctSpans is Correct on a worker's share.
func (f *CPU[T, S]) correctSpans(worker, workers int) {
	b := &f.scratch[worker]
	for a, force := range f.list.u {
		b.fields[1+a] = unsafe.Pointer(unsafe.SliceData(force))
	}
	lo, hi := f.spans.share(worker, workers)
	f.setNoise(lo, hi)
	f.runSpans(&f.nodes.correct, lo, hi, b)
}

// setNoise sets the noise of the spans lo ≤ k < hi; of Half alone.
func (f *CPU[T, S]) setNoise(lo, hi int) {
	var s S
	if unsafe.Sizeof(s) != 2 { // known when compiled
		return
	}
	nx, row, seed := f.cfg.Size[0], int32(-1), uint32(0)
	for k := lo; k < hi; k++ {
		if f.spans.row[k] != row {
			row = f.spans.row[k]
			seed = f.seed(forCorrection, f.steps, int(row))
		}
		f.spans.all[k].Noise = 4 * dither.Place(seed, int(f.spans.first[k])-nx*int(row))
	}
}
