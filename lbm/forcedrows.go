package lbm

import (
	"cmp"
	"slices"
	"unsafe"

	"lbmib/lbm/internal/simd"
)

// forcedRows are the nodes of a NodeStep as the rows of a sweep meet them.
type forcedRows[T Float, S Stored] struct {
	kernel fieldAssembly // nil: forces act by Correct after the step
	local  fieldAssembly // where nodes have relaxation times of their own; nil: node by node
	plain  func(dst, src *rows[S], k *rates[T])
	step   *NodeStep[T] // of the sweep at hand; nil: none
	whole  []nodeRun    // the longest runs of nodes, by row, or run of a storage by runs
	runs   []nodeRun    // the same, cut into whole vectors of the row and parts of one
	first  []int32      // of runs, of each row, and the end
	cut    []nodeRun    // room of a storage by runs
	lines  []partOfLine // of its runs, where these are no lines
	list   int64        // whose nodes they are, see NodeStep
}

// fieldAssembly is simd.FieldKernel.Run.
type fieldAssembly func(dst, src *[MaxQ]unsafe.Pointer, vectors int, k unsafe.Pointer, fields *[8]unsafe.Pointer)

// nodeRun is nodes that follow each other along x in a row or run, values too.
type nodeRun struct{ row, x, at, n int32 }

// newForcedRows is of a fluid whose rows are swept by a kernel for an operator.
func newForcedRows[T Float, S Stored](s *storage[T, S], kernel *rowKernel[T, S], op string) (r forcedRows[T, S]) {
	of := op
	if op == "bgk" {
		of = "trt" // its rates are equal
	}
	r.plain, r.lines = plainRow[T, S](s.cfg.Lattice, of), linesOf(s)
	if !s.layout.contiguous() || kernel.lanes == 0 {
		return r
	}
	store := map[uintptr]string{8: "f64", 4: "f32", 2: "f16"}[unsafe.Sizeof(*new(S))]
	if found, ok := simd.FindField(kernel.name, s.layout.Q, store, op); ok && found.Lanes == kernel.lanes {
		r.kernel = found.Run
	}
	if r.kernel != nil {
		r.local = localAssembly[S](kernel.name, s.layout.Q, kernel.lanes, of)
	}
	return r
}

// localAssembly is that of an operator by which each node relaxes by a time of its own, of populations stored in one form; nil: there is none.
func localAssembly[S Stored](isa string, q, lanes int, op string) fieldAssembly {
	if op == "regularized" {
		op = "mrt" // of other rates
	}
	store := map[uintptr]string{8: "f64", 4: "f32", 2: "f16"}[unsafe.Sizeof(*new(S))]
	if found, ok := simd.FindField(isa, q, store, op+"-local"); ok && found.Lanes == lanes {
		return found.Run
	}
	return nil
}

// find makes the runs those of a step's nodes.
func (r *forcedRows[T, S]) find(s *storage[T, S], n *NodeStep[T], lanes int32) {
	if r.list == n.list {
		return
	}
	nx := int32(s.cfg.Size[0])
	r.list, r.whole, r.runs = n.list, r.whole[:0], r.runs[:0]
	switch {
	case s.cfg.Inside != nil:
		r.findInside(s, n)
	case len(n.runs) == 0:
		r.findRuns(n, nx)
	default:
		for _, run := range n.runs {
			row := run.Node / nx
			r.whole = append(r.whole, nodeRun{row, run.Node - row*nx, run.At, run.N})
		}
	}
	byPlace := func(a, b nodeRun) int { return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(a.x, b.x)) }
	if !slices.IsSortedFunc(r.whole, byPlace) {
		slices.SortFunc(r.whole, byPlace)
	}
	if s.sparse != nil && s.cfg.Inside == nil {
		r.cutToRuns(s)
	}
	r.first = r.first[:0]
	for _, w := range r.whole {
		for len(r.first) <= int(w.row) {
			r.first = append(r.first, int32(len(r.runs)))
		}
		r.split(w, lanes)
	}
	for len(r.first) <= len(s.runs) {
		r.first = append(r.first, int32(len(r.runs)))
	}
}

// cutToRuns makes of nodes by rows what of them lies in runs of the fluid, by these.
func (r *forcedRows[T, S]) cutToRuns(s *storage[T, S]) {
	r.cut = r.cut[:0]
	for _, w := range r.whole {
		lo, hi := s.runsOf(int(w.row))
		for k := lo; k < hi; k++ {
			if in := &s.runs[k]; in.x < w.x+w.n && w.x < in.x+in.n {
				part := w.cut(int(in.x), int(in.x+in.n))
				r.cut = append(r.cut, nodeRun{int32(k), part.x - in.x, part.at, part.n})
			}
		}
	}
	r.whole, r.cut = r.cut, r.whole
}

// findInside finds the nodes of a list that Config.Inside numbers, by runs of the fluid.
func (r *forcedRows[T, S]) findInside(s *storage[T, S], n *NodeStep[T]) {
	take := func(node, at, count int32) {
		for count > 0 {
			k := s.sparse.runAt(int(node))
			if k < 0 {
				return
			}
			in := &s.runs[k]
			x := node - in.first
			part := min(count, in.n-x)
			if last := len(r.whole) - 1; last >= 0 && r.whole[last].goesOn(int32(k), x, at) {
				r.whole[last].n += part
			} else {
				r.whole = append(r.whole, nodeRun{int32(k), x, at, part})
			}
			node, at, count = node+part, at+part, count-part
		}
	}
	for _, run := range n.runs {
		take(run.Node, run.At, run.N)
	}
	if len(n.runs) == 0 {
		for k, node := range n.nodes {
			take(node, n.at[k], 1)
		}
	}
}

// findRuns finds the longest runs of the nodes of a list.
func (r *forcedRows[T, S]) findRuns(n *NodeStep[T], nx int32) {
	for k, node := range n.nodes {
		row := node / nx
		x := node - row*nx
		if last := len(r.whole) - 1; last >= 0 && r.whole[last].goesOn(row, x, n.at[k]) {
			r.whole[last].n++
			continue
		}
		r.whole = append(r.whole, nodeRun{row, x, n.at[k], 1})
	}
}

// split makes runs of one: those that are whole vectors, and those that are parts of one.
func (r *forcedRows[T, S]) split(w nodeRun, lanes int32) {
	for w.n > 0 {
		n := min(w.n, lanes-w.x%lanes)
		if n == lanes {
			n = w.n / lanes * lanes
		}
		r.runs = append(r.runs, nodeRun{w.row, w.x, w.at, n})
		w.x, w.at, w.n = w.x+n, w.at+n, w.n-n
	}
}

// goesOn tells whether a node comes next.
func (r *nodeRun) goesOn(row, x, at int32) bool {
	return r.row == row && r.x+r.n == x && r.at+r.n == at
}

// cut is what of a run lies from a node on and before an end; n ≤ 0: nothing.
func (r nodeRun) cut(from, end int) nodeRun {
	lo, hi := max(r.x, int32(from)), min(r.x+r.n, int32(end))
	return nodeRun{r.row, lo, r.at + lo - r.x, hi - lo}
}

// in are the runs of nodes in a run of the sweep at hand.
func (r *forcedRows[T, S]) in(row int) []nodeRun {
	if r.step == nil {
		return nil
	}
	return r.runs[r.first[row]:r.first[row+1]]
}

// acts tells whether the sweep at hand has something of its own to do in a run.
func (r *forcedRows[T, S]) acts(run int) bool {
	if r.step == nil {
		return false
	}
	if first, end := r.relaxing(run); first < end {
		return true
	}
	return r.first[run] < r.first[run+1]
}

// forcesRow tells so of the runs of a row.
func (f *CPU[T, S]) forcesRow(row int) bool {
	lo, hi := f.runsOf(row)
	for run := lo; run < hi; run++ {
		if f.forced.acts(run) {
			return true
		}
	}
	return false
}

// StepNodes makes a step in which forces act on nodes; see the function StepNodes.
func (f *CPU[T, S]) StepNodes(n *NodeStep[T]) {
	n.check(&f.cfg)
	if f.forced.kernel == nil && n.Relaxation == nil {
		StepAndCorrect[T](f, n)
		return
	}
	lanes := 1
	if f.forced.kernel != nil {
		lanes = f.kernel.lanes
		for w := range f.sweeper {
			f.sweeper[w].makeFields(f.cfg.Size[0], lanes, f.cfg.Lattice.Dim)
		}
	}
	f.forced.find(&f.storage, n, int32(lanes))
	f.forced.step = n
	f.Step()
	f.forced.step = nil
}

// RelaxesNodes tells that nodes may relax by times of their own: not where each finds its own by an eddy viscosity.
func (f *CPU[T, S]) RelaxesNodes() bool { return !f.cfg.Collision.NodesDiffer() }

// rowFields are fields of one row, of whole vectors: ρ, u and the force density, which is 0
// between rows.
type rowFields[T Float] struct {
	of       [7][]T
	pointers [8]uintptr // and of relaxation times
}

// makeFields makes room for the fields of a row of nx nodes.
func (s *sweeper[T, S]) makeFields(nx, lanes, dim int) {
	if s.fields.of[0] != nil {
		return
	}
	s.mixed.allocate(lanes)
	n := (nx + lanes - 1) / lanes * lanes
	for k := range s.fields.of {
		if axis := (k - 1) % 3; k == 0 || axis < dim {
			s.fields.of[k] = make([]T, n)
		}
	}
}

// forcedRow is row, of a row some nodes of which a force density acts on. Whole vectors of them take their
// forces from where these stand, and put their moments there; others by way of the worker's fields.
func (s *sweeper[T, S]) forcedRow(f *CPU[T, S], p *pattern, run int, seed uint32) {
	runs, n, nx := f.forced.in(run), f.runs[run].start, int(f.runs[run].n)
	if f.forced.kernel == nil {
		s.nodeByNode(f, p, run, seed, runs)
		return
	}
	s.nodes = nx
	lanes := f.kernel.lanes
	end := (nx + lanes - 1) / lanes
	first, last := f.forced.relaxing(run)
	for done := 0; done < end; {
		kind, to := timesOwn, end
		if first < last {
			kind, to = s.timesOf(f, run, first, last, done, end)
		}
		switch kind {
		case timesOwn:
			s.forcedVectors(f, p, n, done, to, seed, runs)
		case timesOther:
			s.localVectors(f, p, run, done, to, seed, runs)
		default:
			s.mixedVector(f, p, run, done, seed, runs)
		}
		done = to
	}
}

// forcedVectors is forcedRow of the vectors [lo, hi) of a row, with what of its runs lies in them.
func (s *sweeper[T, S]) forcedVectors(f *CPU[T, S], p *pattern, n, lo, hi int, seed uint32, runs []nodeRun) {
	lanes, nx, done := f.kernel.lanes, s.nodes, lo
	for len(runs) > 0 {
		r := runs[0].cut(lo*lanes, hi*lanes)
		if r.n <= 0 {
			runs = runs[1:]
			continue
		}
		at := int(r.x) / lanes
		s.unforced(f, p, n, done, at, seed)
		if m := int(r.n); m >= lanes {
			done = at + m/lanes
			s.atNodes(f.forced.step, int(r.at))
			s.forcedPart(f, p, n, at, done, seed, f.forced.kernel)
			runs = runs[1:]
			continue
		}
		count := 0
		for done = at; count < len(runs) && int(runs[count].n) < lanes && int(runs[count].x)/lanes <= min(done, hi-1); count++ {
			done = int(runs[count].x)/lanes + 1
		}
		s.gatherForces(f.forced.step, runs[:count], 0, nx)
		s.atFields(at * lanes)
		s.forcedPart(f, p, n, at, done, seed, f.forced.kernel)
		s.scatterMoments(f.forced.step, runs[:count], 0, nx)
		runs = runs[count:]
	}
	whole := nx / lanes
	s.unforced(f, p, n, done, min(hi, whole), seed)
	if done <= whole && hi > whole {
		s.rates.seed = seed + uint32(whole*lanes)
		s.places(f, p, n)
		s.advance(whole * lanes)
		s.rest(f, nx-whole*lanes)
	}
}

// gatherForces copies the forces of runs to where they are in the row, from a node on to before an end.
func (s *sweeper[T, S]) gatherForces(step *NodeStep[T], runs []nodeRun, from, end int) {
	for a, force := range step.Force {
		for _, r := range runs {
			if r = r.cut(from, end); r.n <= 0 {
				continue
			}
			copy(s.fields.of[4+a][r.x:], force[r.at:r.at+r.n])
		}
	}
}

// scatterMoments copies the moments of the same nodes to where they stand, and clears their forces.
func (s *sweeper[T, S]) scatterMoments(step *NodeStep[T], runs []nodeRun, from, end int) {
	for _, r := range runs {
		if r = r.cut(from, end); r.n <= 0 {
			continue
		}
		copy(step.Rho[r.at:], s.fields.of[0][r.x:r.x+r.n])
		for a, u := range step.U {
			copy(u[r.at:], s.fields.of[1+a][r.x:r.x+r.n])
			clear(s.fields.of[4+a][r.x : r.x+r.n])
		}
	}
}

// atNodes has the kernel work on the values of nodes from a place on.
func (s *sweeper[T, S]) atNodes(step *NodeStep[T], at int) {
	s.fields.pointers[0] = uintptr(unsafe.Pointer(&step.Rho[at]))
	for a := range step.U {
		s.fields.pointers[1+a] = uintptr(unsafe.Pointer(&step.U[a][at]))
		s.fields.pointers[4+a] = uintptr(unsafe.Pointer(&step.Force[a][at]))
	}
}

// atFields has it work on the worker's fields from a node of the row on.
func (s *sweeper[T, S]) atFields(x int) {
	for k, field := range s.fields.of {
		if field != nil {
			s.fields.pointers[k] = uintptr(unsafe.Pointer(&field[x]))
		}
	}
}

// unforced runs the plain kernel over the vectors [lo, hi) of a row.
func (s *sweeper[T, S]) unforced(f *CPU[T, S], p *pattern, n, lo, hi int, seed uint32) {
	run := f.kernel.cached
	if s.streaming && s.kept == [2]int{} {
		run = f.kernel.streaming
	}
	s.rates.seed = seed + uint32(lo*f.kernel.lanes)
	s.part(f, p, n, lo, hi, run)
}

// forcedPart runs a kernel with forces over the vectors [lo, hi) of a row.
func (s *sweeper[T, S]) forcedPart(f *CPU[T, S], p *pattern, n, lo, hi int, seed uint32, kernel fieldAssembly) {
	lanes, nx := f.kernel.lanes, s.nodes
	whole := min(hi, nx/lanes)
	s.rates.seed = seed + uint32(lo*lanes)
	if lo < whole {
		s.places(f, p, n+lo*lanes)
		s.runForced(kernel, whole-lo)
	}
	if hi > whole { // the end of the row, which fills no vector
		for k := range s.fields.pointers {
			s.fields.pointers[k] += uintptr((whole - min(lo, whole)) * lanes * int(unsafe.Sizeof(*new(T))))
		}
		s.rates.seed = seed + uint32(whole*lanes)
		s.places(f, p, n)
		s.advance(whole * lanes)
		s.toOut()
		s.runForced(kernel, 1)
		s.fromOut(f.layout.Q, nx-whole*lanes)
	}
}

func (s *sweeper[T, S]) runForced(kernel fieldAssembly, vectors int) {
	kernel((*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.to)), (*[MaxQ]unsafe.Pointer)(unsafe.Pointer(&s.from)), vectors,
		unsafe.Pointer(&s.rates), (*[8]unsafe.Pointer)(unsafe.Pointer(&s.fields.pointers)))
}
