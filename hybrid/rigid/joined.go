package rigid

import (
	"fmt"
	"slices"
)

// Pulling is a structure that freely moving bodies may hold, which it pulls then.
//
// Where some do, its Solve is a half of a step: Pull tells how it depends on what these bodies come to do, and Follow ends it.
type Pulling interface {
	Structure
	// PulledBodies are the freely moving bodies that hold it, nil where there are none.
	PulledBodies() [2]*Body
	// Pull stores what the structure does to them in the step that Solve has begun.
	Pull(to *Pull)
	// Follow ends the step, once these bodies have their velocities after it.
	Follow() error
}

// Pull is what a structure gives to the two bodies e that hold it in a step: at their velocities and spins v_e = (U, Ω) the momentum, and
// its moment about the centre, RHS_e − Σ_f A_ef v_f.
type Pull struct {
	A   [2][2][6][6]float64
	RHS [2][6]float64
}

// Joined are freely moving bodies and the structures that they hold, each of which joins it to the others: their velocities after a step
// are solved for at once,
//
//	M_b (v′_b − v_b) = … + Σ over ends e on b of (RHS_e − Σ_f A_ef v′_f)
//
// so that no body is too light for what it holds. The matrix is symmetric and positive definite. It is factored as L D Lᵀ within its
// envelope, in the order of the bodies.
type Joined struct {
	Bodies     []*Body
	Structures []*Body // in their order among all

	ends  [][2]int          // of each structure: the bodies' numbers here, −1: none
	felt  []MarkerEquations // by each body's markers
	pull  Pull
	first []int       // of each row: its first element that may not be 0
	rows  [][]float64 // of the lower triangle, from there to the diagonal
	v     []float64   // right-hand side, then the solution
}

// pulled are the freely moving bodies that hold a structure.
func pulled(b *Body) [2]*Body {
	if s, ok := b.Structure.(Pulling); ok {
		return s.PulledBodies()
	}
	return [2]*Body{}
}

// Join finds which of a system's bodies structures join. Those of each have the order that they have among all.
func Join(bodies []*Body) (all []*Joined) {
	group := make([]int, len(bodies)) // the least number of a body of the same
	for i := range group {
		group[i] = i
	}
	for _, b := range bodies {
		if of := pulled(b); of[0] != nil && of[1] != nil {
			from, to := group[of[0].index], group[of[1].index]
			for i, g := range group {
				if g == from || g == to {
					group[i] = min(from, to)
				}
			}
		}
	}
	at := map[int]*Joined{}
	number := make([]int, len(bodies)) // of a body in its group
	for _, b := range bodies {
		for _, of := range pulled(b) {
			if of == nil {
				continue
			}
			j := at[group[of.index]]
			if j == nil {
				j = &Joined{}
				at[group[of.index]], all = j, append(all, j)
			}
			if !slices.Contains(j.Bodies, of) {
				j.Bodies = append(j.Bodies, of)
			}
		}
	}
	for _, j := range all {
		slices.SortFunc(j.Bodies, func(a, b *Body) int { return a.index - b.index })
		for i, b := range j.Bodies {
			number[b.index] = i
		}
	}
	for _, b := range bodies {
		of, ends := pulled(b), [2]int{-1, -1}
		var j *Joined
		for e := range of {
			if of[e] != nil {
				j, ends[e] = at[group[of[e].index]], number[of[e].index]
			}
		}
		if j != nil {
			j.Structures, j.ends = append(j.Structures, b), append(j.ends, ends)
		}
	}
	for _, j := range all {
		j.lay()
	}
	return all
}

// lay makes room for the equations.
func (j *Joined) lay() {
	j.felt = make([]MarkerEquations, len(j.Bodies))
	least := make([]int, len(j.Bodies))
	for i := range least {
		least[i] = i
	}
	for _, of := range j.ends {
		if of[0] >= 0 && of[1] >= 0 {
			most := max(of[0], of[1])
			least[most] = min(least[most], of[0], of[1])
		}
	}
	for r := range 6 * len(j.Bodies) {
		j.first = append(j.first, 6*least[r/6])
		j.rows = append(j.rows, make([]float64, r-j.first[r]+1))
	}
	j.v = make([]float64, 6*len(j.Bodies))
}

// Felt says what the markers of one of the bodies feel in the step at hand.
func (j *Joined) Felt(b *Body, e *MarkerEquations) { j.felt[slices.Index(j.Bodies, b)] = *e }

// Solve sets velocities and spins of the bodies after the step to time t, and ends the step of the structures. Its error
// is why a structure could not make it.
func (j *Joined) Solve(t float64, dim int) error {
	for _, row := range j.rows {
		clear(row)
	}
	clear(j.v)
	for i, b := range j.Bodies {
		e, _ := b.Free.equations(&j.felt[i], t, dim)
		j.add(i, i, &e.A)
		for k, v := range e.RHS {
			j.v[6*i+k] += v
		}
	}
	for s, b := range j.Structures {
		b.Structure.(Pulling).Pull(&j.pull)
		for e, i := range j.ends[s] {
			if i < 0 {
				continue
			}
			for k, v := range j.pull.RHS[e] {
				j.v[6*i+k] += v
			}
			for f, o := range j.ends[s] {
				if o >= 0 {
					j.add(i, o, &j.pull.A[e][f])
				}
			}
		}
	}
	for i, b := range j.Bodies {
		for k, is := range b.Free.fixed(t, dim) {
			if is {
				j.hold(6*i + k)
			}
		}
	}
	j.solve()
	for i, b := range j.Bodies {
		b.Free.set([6]float64(j.v[6*i:]), &j.felt[i])
	}
	for _, b := range j.Structures {
		if err := b.Structure.(Pulling).Follow(); err != nil {
			return fmt.Errorf("body %q at step %d: %w", b.Name, int64(t), err)
		}
	}
	return nil
}

// add adds a block to that of bodies i and o, as far as it is in the lower triangle.
func (j *Joined) add(i, o int, block *[6][6]float64) {
	for k := range 6 {
		r := 6*i + k
		for l := range 6 {
			if c := 6*o + l; c <= r {
				j.rows[r][c-j.first[r]] += block[k][l]
			}
		}
	}
}

// hold makes 0 the solution's element r.
func (j *Joined) hold(r int) {
	clear(j.rows[r])
	for q := r + 1; q < len(j.rows); q++ {
		if j.first[q] <= r {
			j.rows[q][r-j.first[q]] = 0
		}
	}
	j.rows[r][r-j.first[r]], j.v[r] = 1, 0
}

// solve replaces the right-hand side by the solution, and the matrix by its factors.
func (j *Joined) solve() {
	for r, row := range j.rows {
		begin := j.first[r]
		for c := begin; c < r; c++ { // of L D
			other, from := j.rows[c], max(begin, j.first[c])
			for k := from; k < c; k++ {
				row[c-begin] -= row[k-begin] * other[k-j.first[c]]
			}
		}
		d := row[r-begin]
		for c := begin; c < r; c++ { // of L
			l := row[c-begin] / j.rows[c][c-j.first[c]]
			d -= l * row[c-begin]
			row[c-begin] = l
		}
		row[r-begin] = d
		for c := begin; c < r; c++ {
			j.v[r] -= row[c-begin] * j.v[c]
		}
	}
	for r := len(j.rows) - 1; r >= 0; r-- {
		row, begin := j.rows[r], j.first[r]
		v := j.v[r] / row[r-begin]
		for q := r + 1; q < len(j.rows); q++ {
			if j.first[q] <= r {
				v -= j.rows[q][r-j.first[q]] * j.v[q]
			}
		}
		j.v[r] = v
	}
}
