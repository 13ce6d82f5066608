package run

import (
	"fmt"
	"slices"

	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// fieldWriter writes fields: of the whole domain with markers beside them, of
// slices and of boxes. Stepping waits only until the states are copied, or, where the
// fluid can be captured, not even that; everything else happens in the background,
// where the images of one step at most are in flight.
type fieldWriter[T lbm.Float] struct {
	background
	images []*image[T]
}

// image is a series of files with the fields of one region.
type image[T lbm.Float] struct {
	*observe.Extract[T] // while an image is in flight the background's
}

// markersSeries lists the files of markers.
const markersSeries = "markers.vtkhdf.series"

func newFieldWriter[T lbm.Float](p *setup.Problem) *fieldWriter[T] {
	f := &fieldWriter[T]{}
	for _, s := range p.FieldSeries() {
		f.images = append(f.images, &image[T]{&observe.Extract[T]{FieldSeries: s}})
	}
	return f
}

func (i *image[T]) due(step int64) bool { return step%i.Interval == 0 }

// due tells whether a file is to be written.
func (f *fieldWriter[T]) due(step int64) bool {
	return slices.ContainsFunc(f.images, func(i *image[T]) bool { return i.due(step) })
}

// writeFields copies the state after the step at hand of every region that is due,
// or of all that do not have it yet, and begins to write them, unless the check
// of its health fails. The error is that of the images before, which
// are waited for.
func (r *run[T]) writeFields(all bool) error {
	if err := r.fields.wait(); err != nil {
		return err
	}
	now := r.Now()
	var due []*image[T]
	for _, i := range r.fields.images {
		if i.due(now.Step) && !all || all && !r.outputs.has(i.List, now) {
			due = append(due, i)
		}
	}
	captured := captureFields(&r.State, due)
	var markers *vtkhdf.Poly
	for _, i := range due {
		if captured == nil {
			i.Take(&r.State)
		}
		if i.Markers {
			markers = markersOf(&r.State, captured)
		}
	}
	if captured == nil && markers != nil {
		for i := range r.Bodies {
			setTraction(&r.State, markers, i, r.Sim.Traction(i))
		}
	}
	if err := r.deviceLost(); err != nil {
		if captured != nil {
			captured.Release()
		}
		return err
	}
	health := r.pendingHealthAt(now)
	r.fields.start(func() error {
		if err := drainFields(&r.State, captured, due, markers); err != nil {
			return err
		}
		if err := health.healthy(); err != nil {
			return err
		}
		return r.writeImages(due, now, markers)
	})
	return nil
}

// captureFields sets the regions of images aside, where the fluid can.
func captureFields[T lbm.Float](r *observe.State[T], images []*image[T]) *hybrid.CapturedBoxes[T] {
	var boxes []lbm.Box
	for _, i := range images {
		for _, c := range i.Tiles(r.Problem) {
			boxes = append(boxes, c.Box)
		}
	}
	if len(boxes) == 0 {
		return nil
	}
	return r.Sim.CaptureBoxes(boxes)
}

// drainFields copies captured regions, and the traction on markers if they are wanted. It
// runs in the background.
func drainFields[T lbm.Float](r *observe.State[T], from *hybrid.CapturedBoxes[T], images []*image[T], markers *vtkhdf.Poly) error {
	if from == nil {
		return nil
	}
	defer from.Release()
	first := 0
	for _, i := range images {
		if err := i.Drain(r.Problem, from, first); err != nil {
			return err
		}
		first += len(i.Tiles(r.Problem))
	}
	if markers == nil {
		return nil
	}
	for i := range r.Bodies {
		t, err := from.Traction(i)
		if err != nil {
			return err
		}
		setTraction(r, markers, i, t)
	}
	return nil
}

// writeImages writes the copied states, and markers. It runs in the background.
func (r *run[T]) writeImages(images []*image[T], now observe.Moment, markers *vtkhdf.Poly) error {
	for _, i := range images {
		if err := r.writeImage(i, now); err != nil {
			return err
		}
		if i.Markers {
			if err := r.writeMarkers(i, now, markers); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeImage writes the copied state: single precision, reference units, node
// centres. It runs in the background.
func (r *run[T]) writeImage(i *image[T], at observe.Moment) error {
	i.Convert(r.Problem)
	im := &vtkhdf.Image{Size: i.Size, Origin: r.Origin(&i.Region), Arrays: i.Arrays}
	for a := range im.Spacing {
		im.Spacing[a] = r.Units.Dx
	}
	name := fmt.Sprintf("%s_%09d.vtkhdf", i.Stem, at.Step)
	sum, err := vtkhdf.WriteImageSummed(r.Dir.File(name), im)
	if err != nil {
		return err
	}
	return r.list(output{Path: name, Sum: sum, Series: i.List, Time: at.Time})
}

// list adds a file to its series.
func (r *run[T]) list(file output) error {
	r.outputs.add(file)
	return vtkhdf.WriteSeries(r.Dir.File(file.Series), r.outputs.entries(file.Series))
}

// markersOf are the markers of all bodies, where they are, with room for the traction on
// them (see setTraction) and, where any moves, with their velocity; nil without bodies.
// What was captured, if anything, knows the velocity without waiting for the device.
func markersOf[T lbm.Float](r *observe.State[T], captured *hybrid.CapturedBoxes[T]) *vtkhdf.Poly {
	if len(r.Bodies) == 0 {
		return nil
	}
	var poly vtkhdf.Poly
	var id, velocity []float32
	for i, b := range r.Bodies {
		var s kinematics.State
		if captured != nil {
			s = captured.State(i)
		} else {
			s = b.State()
		}
		for _, x := range b.Markers.X {
			poly.Points = append(poly.Points, r.Place(x))
			id = append(id, float32(i))
			for _, v := range s.VelocityAt(x) {
				velocity = append(velocity, float32(r.Units.FromLatticeVelocity(v)))
			}
		}
	}
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: id}, {Name: "traction", Components: 3, Data: make([]float32, 3*len(id))}}
	if r.Moving() {
		poly.Arrays = append(poly.Arrays, vtkhdf.Array{Name: "velocity", Components: 3, Data: velocity})
	}
	return &poly
}

// setTraction stores the traction t on the markers of a body, one slice per axis.
func setTraction[T lbm.Float](r *observe.State[T], poly *vtkhdf.Poly, body int, t [][]T) {
	toCoefficient := 2 / (r.Case.Reference.Velocity * r.Case.Reference.Velocity) // of ρU²/2
	first := 0
	for _, b := range r.Bodies[:body] {
		first += b.Markers.Len()
	}
	to := poly.Arrays[1].Data.([]float32)[3*first:]
	for a, of := range t {
		observe.Scaled(to, a, 3, of, toCoefficient)
	}
}

// writeMarkers writes markers, if there are any. It runs in the background.
func (r *run[T]) writeMarkers(i *image[T], at observe.Moment, markers *vtkhdf.Poly) error {
	if markers == nil {
		return nil
	}
	name := fmt.Sprintf("%s_markers_%09d.vtkhdf", i.Stem, at.Step)
	sum, err := vtkhdf.WritePolySummed(r.Dir.File(name), markers)
	if err != nil {
		return err
	}
	return r.list(output{Path: name, Sum: sum, Series: markersSeries, Time: at.Time})
}
