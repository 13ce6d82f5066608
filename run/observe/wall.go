package observe

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// WallSeries lists the files of a vessel's wall.
const WallSeries = "wall.vtkhdf.series"

// Wall writes what the flow does to a vessel's wall: at its vertices the shear stress, as a vector in ρU², and, once there are samples,
// the mean over time of its magnitude, the oscillatory index ½(1 − |∫τ dt|/∫|τ| dt) (Ku et al., Arteriosclerosis 5 (1985) 293) and the
// relative residence time 1/((1 − 2 OSI)·mean) (Himburg et al., Am. J. Physiol. Heart 286 (2004) H1916).
type Wall[T lbm.Float] struct {
	*State[T]
	files     *Files
	points    []geometry.Vec // L
	normals   []geometry.Vec // into the fluid
	triangles [][3]int
	fit       *wallFit
	rho       []T
	u         [][]T

	every, from, sample int64 // steps; sample 0: no means
	count               int64
	sum                 [4][]float64 // of the stress along the axes, and of its magnitude; lattice units
}

func init() {
	register(kind{key: "wall", files: []string{WallSeries, "wall/*.vtkhdf"}, f32: newWall[float32], f64: newWall[float64]})
}

func newWall[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	out := o.Case.Output.Wall
	if out == nil || o.Vessel == nil {
		return nil, nil
	}
	if err := o.Dir.MakeDir("wall"); err != nil {
		return nil, err
	}
	w := &Wall[T]{State: o.State, files: &o.Files, every: o.Case.StepsOf(out.Every), from: o.Case.StepsOf(out.From)}
	if out.Sample > 0 {
		w.sample = o.Case.StepsOf(out.Sample)
	}
	points, triangles := o.Vessel.Wall()
	w.place(points, triangles)
	w.rho = make([]T, len(w.fit.nodes))
	for range 3 {
		w.u = append(w.u, make([]T, len(w.fit.nodes)))
	}
	for k := range w.sum {
		w.sum[k] = make([]float64, len(w.points))
	}
	o.Wall = w
	return []Observer{w}, nil
}

// place fits the flow at the vertices of a wall, and keeps the triangles all of whose vertices have a fit.
func (w *Wall[T]) place(points []geometry.Vec, triangles [][3]int32) {
	normals := make([]geometry.Vec, len(points))
	for _, t := range triangles {
		a, b, c := points[t[0]], points[t[1]], points[t[2]]
		n := c.Sub(a).Cross(b.Sub(a)) // into the fluid, by area
		for _, p := range t {
			normals[p] = normals[p].Add(n)
		}
	}
	nodes := make([]geometry.Vec, len(points))
	for k := range points {
		nodes[k] = w.Node(points[k])
		if l := normals[k].Norm(); l > 0 {
			normals[k] = normals[k].Scale(1 / l)
		}
	}
	w.points, w.normals, w.fit = points, normals, newWallFit(&w.Flow, nodes, normals, w.Pool)
	for _, t := range triangles {
		if w.fit.points[t[0]].of != nil && w.fit.points[t[1]].of != nil && w.fit.points[t[2]].of != nil {
			w.triangles = append(w.triangles, [3]int{int(t[0]), int(t[1]), int(t[2])})
		}
	}
}

// Due is where a file or a sample is.
func (w *Wall[T]) Due(step int64) bool { return step%w.every == 0 || w.samples(step) }

func (w *Wall[T]) samples(step int64) bool {
	return w.sample > 0 && step >= w.from && step%w.sample == 0
}

// Stress is the shear stress at the vertices, in lattice units: that of the viscosity, times the density that is there; of an eddy
// viscosity, or a law of viscosity, at the rate of strain that is found there. Vertices without a fit have none.
func (w *Wall[T]) Stress() []geometry.Vec {
	w.Sim.Fluid.Moments(w.fit.nodes, w.fit.at, w.rho, w.u)
	for a := range w.u {
		for k, rho := range w.rho {
			w.u[a][k] *= rho // which has the gradient ρ∂u where the fluid rests
		}
	}
	collision := w.Flow.Collision
	all := make([]geometry.Vec, len(w.points))
	w.Pool.Run(func(worker int) {
		lo, hi := len(all)*worker/w.Pool.Workers(), len(all)*(worker+1)/w.Pool.Workers()
		for k := lo; k < hi; k++ {
			if g, ok := gradient(w.fit, k, w.u); ok {
				all[k] = shear(&g, w.normals[k]).Scale(collision.ViscosityIn(strain(&g) / density(w.fit, k, w.rho)))
			}
		}
	})
	return all
}

// Observe takes a sample, or writes a file, of the state at hand.
func (w *Wall[T]) Observe() error {
	stress := w.Stress()
	if w.samples(w.Step) {
		w.count++
		for k, t := range stress {
			for a, v := range t {
				w.sum[a][k] += v
			}
			w.sum[3][k] += t.Norm()
		}
	}
	if err := w.Lost(); err != nil || w.Step%w.every != 0 {
		return err
	}
	return w.write(stress)
}

func (w *Wall[T]) write(stress []geometry.Vec) error {
	unit := w.Units.FromLattice(casefile.Pressure, 1)
	n := len(w.points)
	vector := make([]float32, 3*n)
	for k, t := range stress {
		for a, v := range t {
			vector[3*k+a] = float32(v * unit)
		}
	}
	poly := &vtkhdf.Poly{Points: make([][3]float64, n), Triangles: w.triangles, Arrays: []vtkhdf.Array{{Name: "wall_shear_stress", Components: 3, Data: vector}}}
	for k, p := range w.points {
		poly.Points[k] = p
	}
	if w.count > 0 {
		mean, index, residence := make([]float32, n), make([]float32, n), make([]float32, n)
		for k := range n {
			m, o := w.means(k)
			mean[k], index[k] = float32(m*unit), float32(o)
			if rest := (1 - 2*o) * m * unit; rest > 0 {
				residence[k] = float32(1 / rest)
			}
		}
		poly.Arrays = append(poly.Arrays, vtkhdf.Array{Name: "wall_shear_stress_mean", Components: 1, Data: mean},
			vtkhdf.Array{Name: "oscillatory_index", Components: 1, Data: index}, vtkhdf.Array{Name: "relative_residence_time", Components: 1, Data: residence})
	}
	name := fmt.Sprintf("wall/wall_%09d.vtkhdf", w.Step)
	poly.Notes = notesOn(w.Problem, w.Now(), poly.Arrays)
	sum, err := vtkhdf.WritePolySummed(w.Dir.File(name), poly)
	if err != nil {
		return fmt.Errorf("the wall: %w", err)
	}
	w.files.Add(File{Path: name, Sum: sum, Series: WallSeries, Time: w.Time()})
	return vtkhdf.WriteSeries(w.Dir.File(WallSeries), w.files.entries(WallSeries))
}

// Picture is the wall with the size of the stress on it in ρU², of the mean over time if there are samples; label says which.
func (w *Wall[T]) Picture() (s plot.Surface, label string) {
	unit := w.Units.FromLattice(casefile.Pressure, 1)
	s.Triangles, label = w.triangles, "wall shear stress / ρU²"
	s.Values = make([]float64, len(w.points))
	for _, p := range w.points {
		s.Points = append(s.Points, p)
	}
	if w.count > 0 {
		for k := range s.Values {
			m, _ := w.means(k)
			s.Values[k] = m * unit
		}
		return s, "mean " + label
	}
	for k, t := range w.Stress() {
		s.Values[k] = t.Norm() * unit
	}
	return s, label
}

// means are those of vertex k: of the stress's magnitude, in lattice units, and the oscillatory index.
func (w *Wall[T]) means(k int) (mean, index float64) {
	size := w.sum[3][k]
	if size == 0 {
		return 0, 0
	}
	along := math.Sqrt(w.sum[0][k]*w.sum[0][k] + w.sum[1][k]*w.sum[1][k] + w.sum[2][k]*w.sum[2][k])
	return size / float64(w.count), max(0, (1-along/size)/2)
}

// Save keeps the sums.
func (w *Wall[T]) Save(to *Saved) error {
	if to.Wall = w.count; w.count > 0 {
		for k := range w.sum {
			to.Keep("wall", k, append([]float64(nil), w.sum[k]...))
		}
	}
	return nil
}

// Restore goes on with those of a checkpoint.
func (w *Wall[T]) Restore(from *Saved) error {
	w.count = from.Wall
	if w.count == 0 {
		return nil
	}
	for k := range w.sum {
		if err := checkpoint.Load(from.From, SectionName("wall", k), w.sum[k]); err != nil {
			return fmt.Errorf("means at the wall: %w", err)
		}
	}
	return nil
}

// Close has nothing to free.
func (w *Wall[T]) Close() error { return nil }
