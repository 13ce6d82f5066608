package runner

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/casefile"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// fieldWriter writes whole fields, and markers beside them. Stepping waits only
// until the state is copied; everything else happens in the background, where one
// image at most is in flight.
type fieldWriter[T lbm.Float] struct {
	background
	interval int64 // steps; 0: none

	// While an image is in flight these are the background's.
	state   snapshot[T]
	arrays  []vtkhdf.Array // converted; kept from image to image
	images  []vtkhdf.Entry
	markers []vtkhdf.Entry
}

// snapshot is density and velocity of the whole domain at one step.
type snapshot[T lbm.Float] struct {
	rho []T
	u   [][]T
}

func newFieldWriter[T lbm.Float](c *casefile.Case) *fieldWriter[T] {
	return &fieldWriter[T]{interval: c.StepsOf(c.Output.Fields.Every)}
}

func (f *fieldWriter[T]) due(step int64) bool { return f.interval > 0 && step%f.interval == 0 }

// take copies the state at hand.
func (s *snapshot[T]) take(r *run[T]) {
	if s.rho == nil {
		s.rho = make([]T, r.flow.Nodes())
		for range r.flow.Lattice.Dim {
			s.u = append(s.u, make([]T, r.flow.Nodes()))
		}
	}
	r.sim.Box([3]int{}, r.flow.Size, s.rho, s.u)
}

// settle sets the nodes of walls to rest.
func (s *snapshot[T]) settle(solid []bool) {
	for n, wall := range solid {
		if wall {
			s.rho[n] = 1
			for a := range s.u {
				s.u[a][n] = 0
			}
		}
	}
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

// writeFields copies the state after the step at hand and begins to write it. The
// error is that of the image before, which is waited for.
func (r *run[T]) writeFields() error {
	if err := r.fields.wait(); err != nil {
		return err
	}
	r.fields.state.take(r)
	now := moment{r.steps, r.time()}
	markers := r.markers()
	r.fields.start(func() error {
		if err := r.writeImage(now); err != nil {
			return err
		}
		return r.writeMarkers(now, markers)
	})
	return nil
}

// moment is when a state was: the run itself goes on while it is written.
type moment struct {
	step int64
	time float64 // L/U
}

// writeImage writes the copied state: single precision, reference units, node
// centres. It runs in the background.
func (r *run[T]) writeImage(at moment) error {
	f := r.fields
	f.state.settle(r.flow.Solid)
	f.convert(r.problem)
	im := &vtkhdf.Image{Size: r.flow.Size, Origin: r.place([3]float64{}), Arrays: f.arrays}
	for a := range im.Spacing {
		im.Spacing[a] = r.units.Dx
	}
	name := fmt.Sprintf("fields/%s_%09d.vtkhdf", r.cas.Name, at.step)
	if err := vtkhdf.WriteImage(r.dir.file(name), im); err != nil {
		return err
	}
	f.images = append(f.images, vtkhdf.Entry{Name: name, Time: at.time})
	return vtkhdf.WriteSeries(r.dir.file("fields.vtkhdf.series"), f.images)
}

// markers are the markers of all bodies with the traction on them; nil without
// bodies.
func (r *run[T]) markers() *vtkhdf.Poly {
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
	return &poly
}

// writeMarkers writes markers, if there are any. It runs in the background.
func (r *run[T]) writeMarkers(at moment, markers *vtkhdf.Poly) error {
	if markers == nil {
		return nil
	}
	name := fmt.Sprintf("fields/%s_markers_%09d.vtkhdf", r.cas.Name, at.step)
	if err := vtkhdf.WritePoly(r.dir.file(name), markers); err != nil {
		return err
	}
	r.fields.markers = append(r.fields.markers, vtkhdf.Entry{Name: name, Time: at.time})
	return vtkhdf.WriteSeries(r.dir.file("markers.vtkhdf.series"), r.fields.markers)
}

// isFinite reports whether v is a number.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
