package ib

// newCells is the finest partition of Kassen's note: s^d sets of cells that are s
// apart along every axis, and one work-item for every cell of a set that holds
// points. Points in different cells of a set have no node in common, those in one
// cell have all. But for σ it is the algorithm of the pruned columns.
//
// The note computes the indices of the nodes once per cell. Here they are the first
// node and tables of rows, which cost no more than to look up what was kept.
func newCells[T Float](f *frame[T]) (*pruned[T], error) { return newPruned(f, 0) }
