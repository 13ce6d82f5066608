package lbm

import (
	"unsafe"

	"lbmib/lbm/internal/simd"
)

// What of the vectors of a row relaxes by times of its own: nothing, all of its nodes, some.
const (
	timesOwn = iota
	timesOther
	timesMixed
)

// timesOf tells what of the vector at hand relaxes by other times than the collision's, and up to which vector those after it do the same;
// only nodes first ≤ x < last may, and mixed vectors come one by one.
func (s *sweeper[T, S]) timesOf(f *CPU[T, S], run, first, last, at, end int) (kind, to int) {
	lanes, own, node := f.kernel.lanes, f.rates.tau, int(f.runs[run].first)
	for to = at; to < end; to++ {
		lo, hi := max(to*lanes, first), min((to+1)*lanes, last)
		others := 0
		if lo < hi {
			for _, tau := range f.forced.step.Relaxation.Tau[node+lo : node+hi] {
				if tau != own {
					others++
				}
			}
		}
		is := timesMixed
		switch others {
		case 0:
			is = timesOwn
		case min(lanes, s.nodes-to*lanes):
			is = timesOther
		}
		if to == at {
			kind = is
		} else if is != kind {
			return kind, to
		}
		if kind == timesMixed {
			return kind, to + 1
		}
	}
	return kind, to
}

// localVectors is forcedVectors where all nodes have relaxation times of their own.
func (s *sweeper[T, S]) localVectors(f *CPU[T, S], p *pattern, run, lo, hi int, seed uint32, runs []nodeRun) {
	first, end := lo*f.kernel.lanes, hi*f.kernel.lanes
	s.gatherForces(f.forced.step, runs, first, end)
	s.atTimes(f, run, first)
	s.forcedPart(f, p, f.runs[run].start, lo, hi, seed, f.forced.local)
	s.scatterMoments(f.forced.step, runs, first, end)
}

// atTimes has kernels work on the fields of the row, and on relaxation times, from a node on.
func (s *sweeper[T, S]) atTimes(f *CPU[T, S], run, first int) {
	s.atFields(first)
	s.fields.pointers[7] = uintptr(unsafe.Pointer(&f.forced.step.Relaxation.Tau[int(f.runs[run].first)+first]))
}

// mixedNodes is room for what comes of a vector some of whose nodes have relaxation times of their own, as if all had.
type mixedNodes[T Float, S Stored] struct {
	populations rows[S]
	outs        [MaxQ]uintptr // where they begin
	moments     [4][]T
}

func (m *mixedNodes[T, S]) allocate(lanes int) {
	for i := range m.populations {
		m.populations[i] = make([]S, lanes)
		m.outs[i] = uintptr(unsafe.Pointer(&m.populations[i][0]))
	}
	for k := range m.moments {
		m.moments[k] = make([]T, lanes)
	}
}

// mixedVector is forcedVectors of one vector, some nodes of which have relaxation times of their own: it is computed with those, aside, and as all others are, and each
// node takes what it is to be. Kernels of the two round differently, and vectors begin where a fluid's parts do.
func (s *sweeper[T, S]) mixedVector(f *CPU[T, S], p *pattern, run, at int, seed uint32, runs []nodeRun) {
	m, lanes, start := &s.mixed, f.kernel.lanes, f.runs[run].start
	first := at * lanes
	s.gatherForces(f.forced.step, runs, first, first+lanes)
	s.atTimes(f, run, first)
	s.rates.seed = seed + uint32(first)
	s.places(f, p, start)
	s.advance(first)
	s.to = m.outs
	s.runForced(f.forced.local, 1)
	for k, field := range s.fields.of[:1+f.cfg.Lattice.Dim] {
		copy(m.moments[k], field[first:first+lanes])
	}
	s.atFields(first)
	s.forcedPart(f, p, start, at, at+1, seed, f.forced.kernel)
	s.places(f, p, start)
	s.advance(first)
	own, nodes := f.rates.tau, f.forced.step.Relaxation.Tau[int(f.runs[run].first)+first:]
	low, high := f.forced.relaxing(run)
	low, high = max(low-first, 0), min(high-first, lanes, s.nodes-first)
	for x := low; x < high; x++ {
		if nodes[x] == own {
			continue
		}
		n := 1
		for x+n < high && nodes[x+n] != own {
			n++
		}
		s.takeMixed(f, first, x, n)
		x += n
	}
	s.scatterMoments(f.forced.step, runs, first, first+lanes)
}

// takeMixed has n nodes from x on of a vector be what has been computed aside; s.to is where the vector goes.
func (s *sweeper[T, S]) takeMixed(f *CPU[T, S], first, x, n int) {
	m, size := &s.mixed, int(unsafe.Sizeof(*new(S)))
	for i := range f.layout.Q {
		s.ends[i], s.from[i] = s.to[i]+uintptr(x*size), m.outs[i]+uintptr(x*size)
	}
	simd.CopyEnds((*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.ends)), (*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.from)), f.layout.Q, n*size)
	for k, field := range s.fields.of[:1+f.cfg.Lattice.Dim] {
		copy(field[first+x:], m.moments[k][x:x+n])
	}
}
