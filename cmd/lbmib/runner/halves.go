package runner

import (
	"fmt"

	"lbmib/io/checkpoint"
	"lbmib/lbm"
)

// halves are velocities that a checkpoint keeps beside the populations. Right
// after a step populations hold all of the bodies' force and the velocity is
// that with half of it (hybrid.Simulation.Box); which half cannot be told from
// populations alone. What is read of a restored state before its first step
// takes these.
type halves[T lbm.Float] struct {
	nodes []int64 // where force acts, in ascending order
	u     [][]T   // velocity there, per axis, lattice units
}

// readHalves collects the velocities that the populations do not tell, one
// plane of the domain at a time.
func (r *run[T]) readHalves() halves[T] {
	dim, plane := r.flow.Lattice.Dim, r.flow.Size[0]*r.flow.Size[1]
	h := halves[T]{nodes: []int64{}, u: make([][]T, dim)}
	told, u := make([][]T, dim), make([][]T, dim)
	for a := range u {
		told[a], u[a], h.u[a] = make([]T, plane), make([]T, plane), []T{}
	}
	for z := range r.flow.Size[2] {
		lo, hi := [3]int{0, 0, z}, [3]int{r.flow.Size[0], r.flow.Size[1], z + 1}
		r.sim.Fluid.Box(lo, hi, nil, told)
		r.sim.Box(lo, hi, nil, u)
		for n := range plane {
			same := true
			for a := range u {
				same = same && told[a][n] == u[a][n]
			}
			if same {
				continue
			}
			h.nodes = append(h.nodes, int64(z*plane+n))
			for a := range u {
				h.u[a] = append(h.u[a], u[a][n])
			}
		}
	}
	return h
}

// velocity reads density and velocity of the whole domain. Density may be nil.
func (r *run[T]) velocity(rho []T, u [][]T) {
	r.sim.Box([3]int{}, r.flow.Size, rho, u)
	if r.steps != r.first {
		return
	}
	for i, n := range r.halves.nodes {
		for a := range u {
			u[a][n] = r.halves.u[a][i]
		}
	}
}

func halfName(axis int) string { return fmt.Sprintf("u%d", axis) }

// sections are the parts of a checkpoint.
func (h halves[T]) sections() []checkpoint.Section {
	s := []checkpoint.Section{{Name: "u.nodes", Data: h.nodes}}
	for a, u := range h.u {
		s = append(s, checkpoint.Section{Name: halfName(a), Data: u})
	}
	return s
}

// loadHalves is the inverse of sections.
func (r *run[T]) loadHalves(saved *checkpoint.Checkpoint) (h halves[T], err error) {
	if h.nodes, err = saved.Int64("u.nodes"); err != nil {
		return h, err
	}
	for _, n := range h.nodes {
		if n < 0 || n >= int64(r.flow.Nodes()) {
			return h, fmt.Errorf("%s: section \"u.nodes\" names node %d of %d: resume with the case that wrote it", saved.Path, n, r.flow.Nodes())
		}
	}
	h.u = make([][]T, r.flow.Lattice.Dim)
	for a := range h.u {
		h.u[a] = make([]T, len(h.nodes))
		if err := loadSection(saved, halfName(a), h.u[a]); err != nil {
			return h, err
		}
	}
	return h, nil
}
