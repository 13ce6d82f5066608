package observe

import (
	"fmt"

	"lbmib/internal/parallel"
	"lbmib/io/checkpoint"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// MeansFile holds the means and variances of a run.
const MeansFile = "fields/means.vtkhdf"

// Means are running means and variances of density and velocity at every node,
// by Welford's recurrence (Technometrics 4 (1962) 419): each sample moves them by
// its part, so that no sums grow and cancel. They are kept in double precision,
// in lattice units, and are part of a checkpoint.
type Means[T lbm.Float] struct {
	first, interval int64 // steps
	count           int64
	mean, square    [][]float64 // of density and each velocity component; square: Σ(x − mean)²
	now             Snapshot[T]
}

// NewMeans is nil where the case wants none.
func NewMeans[T lbm.Float](p *setup.Problem) *Means[T] {
	m := p.Case.Output.Means
	if m == nil {
		return nil
	}
	return &Means[T]{first: p.Case.StepsOf(m.From), interval: p.Case.StepsOf(m.Every)}
}

func (m *Means[T]) Due(step int64) bool {
	return m != nil && step >= m.first && step%m.interval == 0
}

// fields are the quantities whose means are kept.
func (m *Means[T]) fields() [][]T { return append([][]T{m.now.Rho}, m.now.U...) }

func (m *Means[T]) allocate(p *setup.Problem) {
	for range 1 + p.Flow.Lattice.Dim {
		m.mean = append(m.mean, make([]float64, p.Flow.Nodes()))
		m.square = append(m.square, make([]float64, p.Flow.Nodes()))
	}
}

// Add takes in the state at hand.
func (m *Means[T]) Add(r *State[T]) {
	if m.mean == nil {
		m.allocate(r.Problem)
	}
	m.now.Take(r)
	m.now.Settle(r.Flow.Solid)
	m.count++
	share := 1 / float64(m.count)
	for i, f := range m.fields() {
		mean, square := m.mean[i], m.square[i]
		r.Pool.Run(func(worker int) {
			lo, hi := parallel.Share(len(f), worker, r.Pool.Workers())
			for n := lo; n < hi; n++ {
				before := float64(f[n]) - mean[n]
				mean[n] += before * share
				square[n] += before * (float64(f[n]) - mean[n])
			}
		})
	}
}

// Write writes means and variances, in reference units, if there is a sample.
func (m *Means[T]) Write(r *State[T]) error {
	if m == nil || m.count == 0 {
		return nil
	}
	u := r.Units.FromLatticeVelocity(1)
	n, dim := r.Flow.Nodes(), r.Flow.Lattice.Dim
	arrays := []vtkhdf.Array{
		{Name: "density_mean", Components: 1, Data: make([]float32, n)},
		{Name: "velocity_mean", Components: 3, Data: make([]float32, 3*n)},
		{Name: "density_variance", Components: 1, Data: make([]float32, n)},
		{Name: "velocity_variance", Components: 3, Data: make([]float32, 3*n)},
	}
	variance := 1 / float64(m.count)
	for i, of := range [2]struct {
		from    [][]float64
		density float64
		speed   float64
	}{{m.mean, 1, u}, {m.square, variance, variance * u * u}} {
		Scaled(arrays[2*i].Data.([]float32), 0, 1, of.from[0], of.density)
		for a := range dim {
			Scaled(arrays[2*i+1].Data.([]float32), a, 3, of.from[1+a], of.speed)
		}
	}
	im := &vtkhdf.Image{Size: r.Flow.Size, Origin: r.Place([3]float64{}), Arrays: arrays}
	for a := range im.Spacing {
		im.Spacing[a] = r.Units.Dx
	}
	return vtkhdf.WriteImage(r.Dir.File(MeansFile), im)
}

// Saved is what a checkpoint keeps of the means.
func (m *Means[T]) Saved() (count int64, sections []checkpoint.Section) {
	if m == nil || m.count == 0 {
		return 0, nil
	}
	for i := range m.mean {
		sections = append(sections, checkpoint.Section{Name: SectionName("mean", i), Data: m.mean[i]},
			checkpoint.Section{Name: SectionName("square", i), Data: m.square[i]})
	}
	return m.count, sections
}

// Restore continues the means of a checkpoint that holds so many samples.
func (m *Means[T]) Restore(p *setup.Problem, saved *checkpoint.Checkpoint, count int64) error {
	if m == nil || count == 0 {
		return nil
	}
	m.allocate(p)
	m.count = count
	for i := range m.mean {
		if err := checkpoint.Load(saved, SectionName("mean", i), m.mean[i]); err != nil {
			return fmt.Errorf("means of the fields: %w", err)
		}
		if err := checkpoint.Load(saved, SectionName("square", i), m.square[i]); err != nil {
			return fmt.Errorf("means of the fields: %w", err)
		}
	}
	return nil
}

// SectionName is the name of part i of a list of arrays.
func SectionName(list string, i int) string { return fmt.Sprintf("%s%02d", list, i) }
