package runner

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/casefile"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// fieldWriter writes whole fields, and markers beside them.
type fieldWriter[T lbm.Float] struct {
	interval int64 // steps; 0: none
	images   []vtkhdf.Entry
	markers  []vtkhdf.Entry

	rho []T
	u   [][]T
}

func newFieldWriter[T lbm.Float](c *casefile.Case) *fieldWriter[T] {
	return &fieldWriter[T]{interval: c.StepsOf(c.Output.Fields.Every)}
}

func (f *fieldWriter[T]) due(step int64) bool { return f.interval > 0 && step%f.interval == 0 }

// read is density and velocity of the whole domain, valid until the next call.
// Nodes of walls are at rest.
func (f *fieldWriter[T]) read(r *run[T]) (rho []T, u [][]T) {
	if f.rho == nil {
		f.rho = make([]T, r.flow.Nodes())
		for range r.flow.Lattice.Dim {
			f.u = append(f.u, make([]T, r.flow.Nodes()))
		}
	}
	r.sim.Box([3]int{}, r.flow.Size, f.rho, f.u)
	for n, solid := range r.flow.Solid {
		if solid {
			f.rho[n] = 1
			for a := range f.u {
				f.u[a][n] = 0
			}
		}
	}
	return f.rho, f.u
}

// resume drops what an interrupted run wrote beyond the checkpoint.
func (f *fieldWriter[T]) resume(r *run[T]) error {
	for _, s := range []struct {
		file    string
		entries *[]vtkhdf.Entry
	}{{"fields.vtkhdf.series", &f.images}, {"markers.vtkhdf.series", &f.markers}} {
		all, err := vtkhdf.ReadSeries(r.dir.file(s.file))
		if err != nil {
			return err
		}
		*s.entries = slices.DeleteFunc(all, func(e vtkhdf.Entry) bool { return e.Time > r.time()+r.units.Dt/2 })
	}
	return nil
}

// writeFields writes the state after the step at hand: single precision,
// reference units, node centres.
func (r *run[T]) writeFields() error {
	rho, u := r.fields.read(r)
	im := &vtkhdf.Image{Size: r.flow.Size, Origin: r.place([3]float64{})}
	for a := range im.Spacing {
		im.Spacing[a] = r.units.Dx
	}
	for _, q := range r.cas.Output.Fields.Quantities {
		switch q {
		case "density":
			im.Arrays = append(im.Arrays, vtkhdf.Array{Name: q, Components: 1, Data: single(rho, 1)})
		case "velocity":
			im.Arrays = append(im.Arrays, vtkhdf.Array{Name: q, Components: 3, Data: interleave(u, r.units.FromLatticeVelocity(1))})
		case "vorticity":
			w := vorticity(&r.flow, u)
			scale := r.units.FromLatticeVelocity(1) / r.units.Dx
			if len(w) == 1 {
				im.Arrays = append(im.Arrays, vtkhdf.Array{Name: q, Components: 1, Data: single(w[0], scale)})
			} else {
				im.Arrays = append(im.Arrays, vtkhdf.Array{Name: q, Components: 3, Data: interleave(w, scale)})
			}
		default:
			panic(fmt.Sprintf("runner: field quantity %q is not wired", q))
		}
	}
	name := fmt.Sprintf("fields/%s_%09d.vtkhdf", r.cas.Name, r.steps)
	if err := vtkhdf.WriteImage(r.dir.file(name), im); err != nil {
		return err
	}
	r.fields.images = append(r.fields.images, vtkhdf.Entry{Name: name, Time: r.time()})
	if err := vtkhdf.WriteSeries(r.dir.file("fields.vtkhdf.series"), r.fields.images); err != nil {
		return err
	}
	return r.writeMarkers()
}

// writeMarkers writes the markers of all bodies with the traction on them.
func (r *run[T]) writeMarkers() error {
	if len(r.bodies) == 0 {
		return nil
	}
	var poly vtkhdf.Poly
	var id, traction []float32
	toCoefficient := 2 / (r.cas.Reference.Velocity * r.cas.Reference.Velocity) // of ρU²/2
	for i, b := range r.bodies {
		t := r.sim.Traction(i)
		for k, x := range b.Markers.X {
			poly.Points = append(poly.Points, r.place(x))
			id = append(id, float32(i))
			for a := range 3 {
				v := 0.
				if a < len(t) {
					v = float64(t[a][k]) * toCoefficient
				}
				traction = append(traction, float32(v))
			}
		}
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: id}, {Name: "traction", Components: 3, Data: traction}}
	name := fmt.Sprintf("fields/%s_markers_%09d.vtkhdf", r.cas.Name, r.steps)
	if err := vtkhdf.WritePoly(r.dir.file(name), &poly); err != nil {
		return err
	}
	r.fields.markers = append(r.fields.markers, vtkhdf.Entry{Name: name, Time: r.time()})
	return vtkhdf.WriteSeries(r.dir.file("markers.vtkhdf.series"), r.fields.markers)
}

// single is a field times a scale in single precision.
func single[T lbm.Float](f []T, scale float64) []float32 {
	out := make([]float32, len(f))
	for n, v := range f {
		out[n] = float32(float64(v) * scale)
	}
	return out
}

// interleave is a vector field times a scale, three components a node.
func interleave[T lbm.Float](f [][]T, scale float64) []float32 {
	out := make([]float32, 3*len(f[0]))
	for a, component := range f {
		for n, v := range component {
			out[3*n+a] = float32(float64(v) * scale)
		}
	}
	return out
}

// vorticity is ∇×u in lattice units by central differences, across periodic
// faces, and one-sided at the others: the z component in 2D, all three in 3D.
func vorticity[T lbm.Float](c *lbm.Config, u [][]T) [][]T {
	dim := c.Lattice.Dim
	pairs := [][2]int{{0, 1}} // ω = ∂_a u_b − ∂_b u_a
	if dim == 3 {
		pairs = [][2]int{{1, 2}, {2, 0}, {0, 1}}
	}
	stride := [3]int{1, c.Size[0], c.Size[0] * c.Size[1]}
	w := make([][]T, len(pairs))
	for k, p := range pairs {
		w[k] = make([]T, c.Nodes())
		for n := range w[k] {
			at := c.Position(n)
			w[k][n] = derivative(c, u[p[1]], n, at[p[0]], p[0], stride[p[0]]) - derivative(c, u[p[0]], n, at[p[1]], p[1], stride[p[1]])
		}
	}
	return w
}

// derivative of f along an axis at node n, whose place along it is i.
func derivative[T lbm.Float](c *lbm.Config, f []T, n, i, axis, stride int) T {
	size := c.Size[axis]
	before, after, span := n-stride, n+stride, T(2)
	periodic := c.Faces[2*axis].Kind == lbm.Periodic
	switch {
	case size == 1:
		return 0
	case i == 0 && periodic:
		before = n + (size-1)*stride
	case i == 0:
		before, span = n, 1
	case i == size-1 && periodic:
		after = n - (size-1)*stride
	case i == size-1:
		after, span = n, 1
	}
	return (f[after] - f[before]) / span
}

// isFinite reports whether v is a number.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
