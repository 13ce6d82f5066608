package ib

// newCells is the finest partition of Kassen's note: sets of cells that are s apart
// along every axis, and one work-item for every cell of a set that holds points.
// Points in different cells of a set have no node in common, those in one cell have
// all. But for σ it is the algorithm of the pruned columns.
//
// The note has s^d sets, and so has a grid between walls. Where the x axis is periodic
// there are (s+1)·s^(d−1), since rows do not wrap: 80 for four nodes in 3D. Another
// periodic axis that is no multiple of s adds to them too (see colour).
//
// The note computes the indices of the nodes once per cell. Here they are the first
// node and tables of rows, which cost no more than to look up what was kept.
func newCells[T Float](f *frame[T]) (*pruned[T], error) { return newPruned(f, 0) }
