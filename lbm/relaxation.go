package lbm

import "fmt"

// Relaxation is a relaxation time of the stress, τ = 3ν + 1/2, of each node where viscosities differ: in drops and cells. Odd parts
// follow as beside an eddy viscosity, so that Λ stays where it is given (Collision.Odd). A node whose time is the collision's own has the bits
// that it has where there are no others.
type Relaxation[T Float] struct {
	Tau        []T     // of every node, as the fluid numbers them, and of some more that do not exist
	First, End []int32 // of every line (Config.Lines): of its nodes First ≤ at < End alone is Tau looked at, all others have the collision's
}

// NewRelaxation is of a flow all of whose nodes have the collision's own time. Its memory is the system's to give until it is written.
func NewRelaxation[T Float](cfg *Config) *Relaxation[T] {
	lines := cfg.Lines()
	return &Relaxation[T]{Tau: make([]T, cfg.Nodes()+lineLength), First: make([]int32, lines), End: make([]int32, lines)}
}

// Of is the time of a node of a line, own being the collision's.
func (r *Relaxation[T]) Of(line, at, node int, own T) T {
	if at < int(r.First[line]) || at >= int(r.End[line]) {
		return own
	}
	return r.Tau[node]
}

// check panics where times are not those of a flow.
func (r *Relaxation[T]) check(cfg *Config) {
	lines := cfg.Lines()
	if len(r.Tau) < cfg.Nodes()+lineLength || len(r.First) != lines || len(r.End) != lines {
		panic(fmt.Sprintf("lbm: relaxation times of %d nodes and %d lines for a flow of %d and %d: use NewRelaxation", len(r.Tau)-lineLength, len(r.First), cfg.Nodes(), lines))
	}
	if cfg.Collision.NodesDiffer() {
		panic("lbm: relaxation times of nodes beside an eddy viscosity or a law of viscosity: each of them says what τ is")
	}
}

// at has a collision be that of a relaxation time.
func (k *rates[T]) at(tau T) {
	t, o := tau-0.5, &k.oddInEddies
	k.even, k.odd = 1/tau, 1-(o[0]+o[1]*t)/(o[2]+o[3]*t)
	k.sourceEven, k.sourceOdd = 1-k.even/2, 1-k.odd/2
}

// Lines is how many lines of nodes there are, whose numbers follow each other along x: rows of the box, or runs of Inside.
func (c *Config) Lines() int {
	if c.Inside != nil {
		return len(c.Inside.Runs())
	}
	return c.rows()
}

// Line is the number of the first node of a line, and how many nodes it has.
func (c *Config) Line(line int) (node, n int) {
	if c.Inside != nil {
		r := c.Inside.Runs()[line]
		return int(c.Inside.Before(line)), int(r.X1 - r.X0)
	}
	return line * c.Size[0], c.Size[0]
}

// LineOf is the line that has a node, and which of its nodes that is.
func (c *Config) LineOf(node int) (line, at int) {
	if c.Inside != nil {
		line = c.Inside.RunWith(int64(node))
		return line, node - int(c.Inside.Before(line))
	}
	return node / c.Size[0], node % c.Size[0]
}

// LineFrom finds the first line that has some of n nodes from p on along x, all in the box: its number, which of its nodes is the first of these,
// how many are none of its before that one, and how many follow it. There are none: count is 0.
func (c *Config) LineFrom(p [3]int, n int) (line, at, skipped, count int) {
	if c.Inside == nil {
		return p[1] + c.Size[1]*p[2], p[0], 0, n
	}
	lo, hi := c.Inside.Row(p[1], p[2])
	k := c.Inside.RunFrom(lo, hi, p[0])
	if k == hi {
		return 0, 0, n, 0
	}
	r := c.Inside.Runs()[k]
	from, end := max(p[0], int(r.X0)), min(p[0]+n, int(r.X1))
	if from >= end {
		return 0, 0, n, 0
	}
	return k, from - int(r.X0), from - p[0], end - from
}

// partOfLine is a run of a storage in the line that has it.
type partOfLine struct{ line, at, n int32 }

// linesOf are the lines of the runs of a storage; nil: they are the runs.
func linesOf[T Float, S Stored](s *storage[T, S]) (parts []partOfLine) {
	if s.sparse == nil || s.sparse.set == s.cfg.Inside {
		return nil
	}
	for k := range s.runs {
		r, line := &s.runs[k], s.runs[k].row
		at := r.x
		if s.cfg.Inside != nil {
			line = int32(s.cfg.Inside.RunWith(int64(r.first)))
			at -= s.cfg.Inside.Runs()[line].X0
		}
		parts = append(parts, partOfLine{line, at, r.n})
	}
	return parts
}

// relaxing are the nodes of a run that may have times of their own in the sweep at hand.
func (r *forcedRows[T, S]) relaxing(run int) (first, end int) {
	own := r.step.Relaxation
	switch {
	case own == nil:
		return 0, 0
	case r.lines == nil:
		return int(own.First[run]), int(own.End[run])
	}
	p := r.lines[run]
	return int(max(own.First[p.line]-p.at, 0)), int(min(own.End[p.line]-p.at, p.n))
}
