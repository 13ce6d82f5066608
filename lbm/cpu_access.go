package lbm

import "slices"

// Moments reads density and velocity at nodes; see Fluid.
func (f *CPU[T, S]) Moments(nodes, at []int32, rho []T, u [][]T) {
	read, _ := f.find(nodes, at, false)
	f.nodes.run(read, nodeList[T]{at: at[:len(nodes)], rho: rho, u: u})
}

// Correct lets a force density act on nodes in the step just made; see Fluid.
func (f *CPU[T, S]) Correct(nodes, at []int32, force [][]T) {
	f.touch(nodes)
	_, correct := f.find(nodes, at, true)
	f.nodes.run(correct, nodeList[T]{at: at[:len(nodes)], u: force})
}

// CorrectRelaxing is Correct after a step in which nodes have relaxed by times of their own; see Relaxing.
func (f *CPU[T, S]) CorrectRelaxing(nodes, at []int32, force [][]T, times *Relaxation[T]) {
	times.check(&f.cfg)
	f.touch(nodes)
	f.lookAt(nodes)
	f.listed.find(nodes, f.steps)
	if len(f.listed.lines) != len(nodes) {
		f.listed.lines = f.cfg.inLines(f.listed.lines, nodes)
	}
	f.nodes.run(f.nodes.correct, nodeList[T]{at: at[:len(nodes)], u: force, times: times, lines: f.listed.lines, own: f.rates.tau})
}

// touch takes note of nodes whose populations somebody changes between steps.
func (f *CPU[T, S]) touch(nodes []int32) {
	f.open.touch(nodes)
	if f.cuts != nil {
		f.cuts.touch(nodes)
	}
}

// find finds where the nodes of a list are, and returns what works on them.
func (f *CPU[T, S]) find(nodes, at []int32, correcting bool) (read, correct func(worker, workers int)) {
	f.lookAt(nodes)
	if f.spans != nil {
		f.spans.find(nodes, at, f.steps, correcting)
		return f.spans.read, f.spans.correct
	}
	f.listed.find(nodes, f.steps)
	return f.nodes.read, f.nodes.correct
}

// listed is a list of nodes as a storage numbers them. Lists are mostly the same from step to
// step.
type listed[T Float, S Stored] struct {
	in     *storage[T, S]
	nodes  []int32
	padded []int
	lines  []placeInLine // the same, where nodes relax by times of their own
	steps  int64         // that the fluid has made
}

// find makes the list that of nodes.
func (l *listed[T, S]) find(nodes []int32, steps int64) {
	l.steps = steps
	if slices.Equal(l.nodes, nodes) {
		return
	}
	l.nodes, l.padded, l.lines = append(l.nodes[:0], nodes...), resized(l.padded, len(nodes)), l.lines[:0]
	l.in.places(l.padded, nodes)
}

// load gets the populations of the nodes lo ≤ k < hi of the list.
func (l *listed[T, S]) load(b *someNodes[T], lo, hi int) {
	for i := range l.in.layout.Q {
		l.in.read(i, l.padded[lo:hi], b.g[i][:])
	}
}

// store puts them back, rounded as a correction rounds them.
func (l *listed[T, S]) store(b *someNodes[T], lo, hi int) {
	var noise [some]uint32
	noiseOf[S](&l.in.cfg, forCorrection, l.steps, l.nodes[lo:hi], &noise)
	for i := range l.in.layout.Q {
		l.in.write(i, l.padded[lo:hi], b.g[i][:], &noise)
	}
}
