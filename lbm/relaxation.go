package lbm

import "fmt"

// Relaxation is a relaxation time of the stress, τ = 3ν + 1/2, of each node where viscosities differ: in drops and cells. Odd parts
// follow as beside an eddy viscosity, so that Λ stays where it is given (Collision.Odd).
type Relaxation[T Float] struct {
	Tau        []T     // of every node, as the fluid numbers them, and of some more that do not exist
	First, End []int32 // of every row along x: of its nodes First ≤ x < End alone may Tau be other than the collision's
}

// NewRelaxation is of a flow all of whose nodes have the collision's own time.
func NewRelaxation[T Float](cfg *Config) *Relaxation[T] {
	rows := cfg.rows()
	r := &Relaxation[T]{Tau: make([]T, cfg.Nodes()+lineLength), First: make([]int32, rows), End: make([]int32, rows)}
	own := T(cfg.Collision.Tau())
	for n := range r.Tau {
		r.Tau[n] = own
	}
	return r
}

// check panics where times are not those of a flow.
func (r *Relaxation[T]) check(cfg *Config) {
	rows := cfg.rows()
	if len(r.Tau) < cfg.Nodes()+lineLength || len(r.First) != rows || len(r.End) != rows {
		panic(fmt.Sprintf("lbm: relaxation times of %d nodes and %d rows for a flow of %d and %d: use NewRelaxation", len(r.Tau)-lineLength, len(r.First), cfg.Nodes(), rows))
	}
	if cfg.Collision.NodesDiffer() {
		panic("lbm: relaxation times of nodes beside an eddy viscosity or a law of viscosity: each of them says what τ is")
	}
}

// in are the nodes of a row that have times of their own.
func (r *Relaxation[T]) in(row int) (first, end int) {
	if r == nil {
		return 0, 0
	}
	return int(r.First[row]), int(r.End[row])
}

// at has a collision be that of a relaxation time.
func (k *rates[T]) at(tau T) {
	t, o := tau-0.5, &k.oddInEddies
	k.even, k.odd = 1/tau, 1-(o[0]+o[1]*t)/(o[2]+o[3]*t)
	k.sourceEven, k.sourceOdd = 1-k.even/2, 1-k.odd/2
}
