package patch

import (
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// A row of a fluid is swept vector by vector. Runs of support nodes are therefore made longer where the window has room beside
// them, to whole vectors, and joined across short gaps: nodes in no support have no force there, and their values nobody reads.

// cacheLine is the bytes of the longest vector.
const cacheLine = 64

// runs makes the runs of the window those of the support at hand.
func (w *Window[T]) setRuns() {
	if w.listed == w.Supports {
		return
	}
	w.listed = w.Supports
	lanes := int32(cacheLine / unsafe.Sizeof(*new(T)))
	if w.flow.Solid != nil || len(w.layout.packing.boxes) > 1 { // no node may be in two boxes' runs
		lanes = 1
	}
	nx, row := int32(w.flow.Size[0]), int32(w.Grid.Size[0])
	w.runs = w.runs[:0]
	for i := 0; i < len(w.At); {
		node, at := w.Nodes[i], w.At[i]
		x := node % nx // in the domain
		from := at % row
		most := min(int(min(nx-x, row-from)), len(w.At)-i)
		nodes, places := w.Nodes[i:i+most], w.At[i:i+most]
		n := 1
		for n < most && places[n] == at+int32(n) && nodes[n] == node+int32(n) {
			n++
		}
		i += n
		w.addRun(lbm.NodeRun{Node: node, At: at, N: int32(n)}, min(x, from), min(nx-x, row-from), lanes)
	}
}

// addRun adds a run with so many nodes of the row and of the window before its first, and from that on, made longer to whole
// vectors.
func (w *Window[T]) addRun(r lbm.NodeRun, before, behind, lanes int32) {
	nx := int32(w.flow.Size[0])
	x := r.Node % nx
	more := min(x%lanes, before)
	end := min((x+r.N+lanes-1)/lanes*lanes-x, behind)
	r = lbm.NodeRun{Node: r.Node - more, At: r.At - more, N: end + more}
	if k := len(w.runs) - 1; k >= 0 && lanes > 1 {
		last := &w.runs[k]
		gap := r.Node - last.Node - last.N
		if r.At-last.At == r.Node-last.Node && r.Node/nx == last.Node/nx && gap <= lanes {
			last.N += gap + r.N
			return
		}
	}
	w.runs = append(w.runs, r)
}

// clearShare makes the force density zero on a worker's share of the runs.
func (w *Window[T]) clearShare(worker, workers int) {
	lo, hi := parallel.Share(len(w.runs), worker, workers)
	for _, f := range w.Force {
		for _, r := range w.runs[lo:hi] {
			clear(f[r.At:][:r.N])
		}
	}
}
