package observe

import (
	"fmt"

	"lbmib/internal/parallel"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// MeansFile holds the means and variances of a run.
const MeansFile = "fields/means.vtkhdf"

// Means are running means and variances of density and velocity at every node,
// by Welford's recurrence (Technometrics 4 (1962) 419): each sample moves them by
// its part, so that no sums grow and cancel. They are kept in double precision,
// in lattice units, and are part of a checkpoint.
type Means[T lbm.Float] struct {
	*State[T]
	unshared        func() error
	first, interval int64 // steps
	count           int64
	mean, square    [][]float64 // of density and each velocity component; square: Σ(x − mean)²
	now             Snapshot[T]
}

func init() {
	register(kind{key: "means", files: []string{MeansFile}, sound: true, f32: newMeans[float32], f64: newMeans[float64]})
}

func newMeans[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	m := o.Case.Output.Means
	if m == nil {
		return nil, nil
	}
	if err := o.Dir.MakeDir(folderOf(MeansFile)); err != nil {
		return nil, err
	}
	o.Means = &Means[T]{State: o.State, unshared: o.Unshared, first: o.Case.StepsOf(m.From), interval: o.Case.StepsOf(m.Every)}
	return []Observer{o.Means}, nil
}

// Due is every so many steps from the first on.
func (m *Means[T]) Due(step int64) bool { return step >= m.first && step%m.interval == 0 }

// fields are the quantities whose means are kept.
func (m *Means[T]) fields() [][]T { return append([][]T{m.now.Rho}, m.now.U...) }

func (m *Means[T]) allocate() {
	for range 1 + m.Flow.Lattice.Dim {
		m.mean = append(m.mean, make([]float64, m.Flow.Nodes()))
		m.square = append(m.square, make([]float64, m.Flow.Nodes()))
	}
}

// Observe takes in the state at hand.
func (m *Means[T]) Observe() error {
	if err := m.unshared(); err != nil {
		return err
	}
	if m.mean == nil {
		m.allocate()
	}
	m.now.Take(m.State)
	m.now.Settle(m.Flow.Solid)
	m.count++
	share := 1 / float64(m.count)
	for i, f := range m.fields() {
		mean, square := m.mean[i], m.square[i]
		m.Pool.Run(func(worker int) {
			lo, hi := parallel.Share(len(f), worker, m.Pool.Workers())
			for n := lo; n < hi; n++ {
				before := float64(f[n]) - mean[n]
				mean[n] += before * share
				square[n] += before * (float64(f[n]) - mean[n])
			}
		})
	}
	return m.Lost()
}

// Write writes means and variances, in reference units, if there is a sample.
func (m *Means[T]) Write() error {
	if m == nil || m.count == 0 {
		return nil
	}
	r := m.State
	u := r.Units.FromLatticeVelocity(1)
	n, dim := int(r.Flow.BoxNodes()), r.Flow.Lattice.Dim
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
		m.place(arrays[2*i].Data.([]float32), 0, 1, of.from[0], of.density)
		for a := range dim {
			m.place(arrays[2*i+1].Data.([]float32), a, 3, of.from[1+a], of.speed)
		}
	}
	if r.Flow.Inside != nil { // walls have the density 1, as their means do where they are nodes
		walls := r.SolidIn([3]int{}, r.Flow.Size)
		for k, wall := range walls {
			if wall {
				arrays[0].Data.([]float32)[k] = 1
			}
		}
	}
	im := &vtkhdf.Image{Size: r.Flow.Size, Origin: r.Place([3]float64{}), Arrays: arrays, Notes: notesOn(r.Problem, r.Now(), arrays)}
	for a := range im.Spacing {
		im.Spacing[a] = r.Units.Dx
	}
	return vtkhdf.WriteImage(r.Dir.File(MeansFile), im)
}

// place stores a field of all nodes times a scale, as component i of so many, at every node of the box.
func (m *Means[T]) place(to []float32, i, components int, f []float64, scale float64) {
	if m.Flow.Inside == nil {
		Scaled(to, i, components, f, scale)
		return
	}
	size := m.Flow.Size
	m.Flow.EachRun(func(x, n, y, z int) {
		Scaled(to[components*(x+size[0]*(y+size[1]*z)):], i, components, f[:n], scale)
		f = f[n:]
	})
}

// Save keeps means and variances.
func (m *Means[T]) Save(to *Saved) error {
	to.Means = m.count
	for i := range m.mean {
		to.Keep("mean", i, m.mean[i])
		to.Keep("square", i, m.square[i])
	}
	return nil
}

// Restore continues the means of a checkpoint.
func (m *Means[T]) Restore(from *Saved) error {
	if from.Means == 0 {
		return nil
	}
	m.allocate()
	m.count = from.Means
	for i := range m.mean {
		for of, to := range map[string][]float64{"mean": m.mean[i], "square": m.square[i]} {
			all, err := from.From.Float64(SectionName(of, i))
			if err == nil {
				if all = Renumbered(&m.Flow, all); len(all) != len(to) {
					err = fmt.Errorf("section %q holds %d values, this run needs %d: resume with the case that wrote it (same domain, resolution and bodies)", SectionName(of, i), len(all), len(to))
				}
			}
			if err != nil {
				return fmt.Errorf("means of the fields: %w", err)
			}
			copy(to, all)
		}
	}
	return nil
}

// Renumbered are values at nodes of a checkpoint as a flow numbers these: in a vessel some list all nodes of the box, as a device does, others those of
// the fluid. What has another length than either stays, to be refused.
func Renumbered[T lbm.Float](flow *lbm.Config, from []T) (to []T) {
	fluid := int(flow.FluidNodes())
	switch {
	case flow.Inside != nil && len(from) != fluid && int64(len(from)) == flow.BoxNodes():
		to = make([]T, 0, fluid)
		flow.EachRun(func(x, n, y, z int) {
			first := x + flow.Size[0]*(y+flow.Size[1]*z)
			to = append(to, from[first:first+n]...)
		})
		return to
	case flow.Inside == nil && flow.Solid != nil && len(from) == fluid && len(from) != flow.Nodes():
		to = make([]T, flow.Nodes())
		flow.EachRun(func(x, n, y, z int) {
			first := x + flow.Size[0]*(y+flow.Size[1]*z)
			copy(to[first:], from[:n])
			from = from[n:]
		})
		return to
	}
	return from
}

// Close has nothing to free.
func (m *Means[T]) Close() error { return nil }
