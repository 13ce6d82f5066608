package observe

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/internal/durable"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// Fields writes fields: of the whole domain with markers beside them, of
// slices and of boxes. Stepping waits only until the states are copied, or, where the
// fluid can be captured, not even that; everything else happens in the background,
// where the images of one step at most are in flight.
type Fields[T lbm.Float] struct {
	*State[T]
	Background
	images []*Extract[T] // while an image is in flight the background's
	files  *Files
	health *Health[T]
	reach  float64 // of a support, along each axis, in nodes
}

// markersSeries lists the files of markers.
const markersSeries = "markers.vtkhdf.series"

func init() {
	register(kind{key: "fields", files: []string{"fields.vtkhdf.series", markersSeries, surfacesSeries, "slices/*.vtkhdf.series", "boxes/*.vtkhdf.series",
		"fields/*.vtkhdf", "slices/*.vtkhdf", "boxes/*.vtkhdf"}, sound: true, f32: newFields[float32], f64: newFields[float64]})
}

func newFields[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	f := &Fields[T]{State: o.State, files: &o.Files, health: o.Health}
	for _, s := range o.Problem.FieldSeries() {
		if err := o.Dir.MakeDir(folderOf(s.Stem)); err != nil {
			return nil, err
		}
		f.images = append(f.images, &Extract[T]{FieldSeries: s})
	}
	if len(o.Problem.Bodies) > 0 {
		var err error
		if f.reach, err = supportReach[T](o.Problem); err != nil {
			return nil, err
		}
	}
	o.Fields = f
	return []Observer{f}, nil
}

// Due tells whether a file is to be written.
func (f *Fields[T]) Due(step int64) bool {
	return slices.ContainsFunc(f.images, func(i *Extract[T]) bool { return i.due(step) })
}

// Observe begins to write the regions that are due.
func (f *Fields[T]) Observe() error { return f.Write(false) }

// Save keeps nothing: files are known when a checkpoint is written, after them.
func (f *Fields[T]) Save(*Saved) error { return nil }

// Restore does nothing: the run verifies which files there are.
func (f *Fields[T]) Restore(*Saved) error { return nil }

// Close has nothing to free.
func (f *Fields[T]) Close() error { return nil }

// Lists are the lists of files of fields and markers that a run keeps.
func Lists(p *setup.Problem) (all []string) {
	for _, i := range p.FieldSeries() {
		all = append(all, i.List)
		if i.Markers {
			all = append(all, markersSeries)
			if HasSurfaces(p) {
				all = append(all, surfacesSeries)
			}
		}
	}
	if p.Case.Output.Wall != nil {
		all = append(all, WallSeries)
	}
	return all
}

// Write copies the state after the step at hand of every region that is due,
// or of all that do not have it yet, and begins to write them, unless what has been asked
// about its health tells that it is none. The error is that of the images before, which
// are waited for.
func (f *Fields[T]) Write(all bool) error {
	if err := f.Wait(); err != nil {
		return err
	}
	r, now := f.State, f.Now()
	var due []*Extract[T]
	for _, i := range f.images {
		if i.due(now.Step) && !all || all && !f.files.has(i.List, now) {
			due = append(due, i)
		}
	}
	var ahead *front
	if len(r.Bodies) > 0 && slices.ContainsFunc(due, func(i *Extract[T]) bool { return i.Markers }) {
		r.Sim.Complete()
		ahead = markerFront(r, f.reach)
	}
	captured := captureFields(r, due, ahead)
	var states []kinematics.State
	if slices.Contains(setup.Quantities(r.Case), "body") {
		states = bodyStates(r, captured)
	}
	var markers, surfaces *vtkhdf.Poly
	for _, i := range due {
		i.bodies, i.origin, i.corner = states, r.Origin(&i.Region), r.Corner()
		if captured == nil || i.Grids != nil || i.Fluid {
			i.Take(r)
		}
		if i.Markers {
			markers, surfaces = markersOf(r, captured), SurfacesOf(r, false)
		}
	}
	var failed error
	if captured == nil && markers != nil {
		for i := range r.Bodies {
			setTraction(r, markers, i, r.Sim.Traction(i))
		}
		failed = setPressure(r, markers, ahead, readNow(r))
	}
	if err := cmp.Or(r.Lost(), failed); err != nil {
		if captured != nil {
			captured.Release()
		}
		return err
	}
	health := f.health.At(now)
	f.Start(func() error {
		if err := drainFields(r, captured, due, markers, ahead); err != nil {
			return err
		}
		if err := health.Healthy(); err != nil {
			return err
		}
		return f.writeImages(due, now, markers, surfaces)
	})
	return nil
}

// captureFields sets the regions of images aside, and what is in front of markers, where the fluid can.
func captureFields[T lbm.Float](r *State[T], images []*Extract[T], ahead *front) *hybrid.CapturedBoxes[T] {
	var boxes []lbm.Box
	for _, i := range images {
		for _, c := range i.Tiles(r.Problem) {
			boxes = append(boxes, c.Box)
		}
	}
	if len(boxes) == 0 {
		return nil
	}
	if ahead != nil {
		boxes = append(boxes, ahead.boxesIn(r.Problem)...)
	}
	return r.Sim.CaptureBoxes(boxes)
}

// drainFields copies captured regions, and the traction on markers if they are wanted. It
// runs in the background.
func drainFields[T lbm.Float](r *State[T], from *hybrid.CapturedBoxes[T], images []*Extract[T], markers *vtkhdf.Poly, ahead *front) error {
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
	return setPressure(r, markers, ahead, func(k int, _ lbm.Box, rho []T, u [][]T) error { return from.Box(first+k, rho, u) })
}

// writeImages writes the copied states, and markers. It runs in the background.
func (r *Fields[T]) writeImages(images []*Extract[T], now Moment, markers, surfaces *vtkhdf.Poly) error {
	for _, i := range images {
		if err := r.writeImage(i, now); err != nil {
			return err
		}
		if i.Markers {
			if err := r.writePoly(i, now, markers, "markers", markersSeries); err != nil {
				return err
			}
			if err := r.writePoly(i, now, surfaces, "cells", surfacesSeries); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeImage writes the copied state: single precision, reference units, on points at the
// centres of nodes or on cells. It runs in the background.
func (r *Fields[T]) writeImage(i *Extract[T], at Moment) error {
	i.Convert(r.Problem)
	name := fmt.Sprintf("%s_%09d.vtkhdf", i.Stem, at.Step)
	write := func(path string) (durable.Sum, error) { return vtkhdf.WriteAMRSummed(path, i.amr(r.Problem, at)) }
	if !i.AMR {
		im := &vtkhdf.Image{Size: i.Size, Origin: i.origin, Arrays: i.Arrays, Notes: notesOn(r.Problem, at, i.Arrays)}
		for a := range im.Spacing {
			im.Spacing[a] = r.Units.Dx
		}
		write = func(path string) (durable.Sum, error) { return vtkhdf.WriteImageSummed(path, im) }
	}
	if i.Fluid {
		write = func(path string) (durable.Sum, error) {
			return vtkhdf.WriteVoxelsSummed(path, voxels(r.Problem, at, i.Arrays))
		}
	}
	sum, err := write(r.Dir.File(name))
	if err != nil {
		return err
	}
	return r.list(File{Path: name, Sum: sum, Series: i.List, Time: at.Time})
}

// list adds a file to its series.
func (r *Fields[T]) list(file File) error {
	r.files.Add(file)
	return vtkhdf.WriteSeries(r.Dir.File(file.Series), r.files.entries(file.Series))
}

// markerFront is the front of the markers of all bodies.
func markerFront[T lbm.Float](r *State[T], reach float64) *front {
	var where, normals []geometry.Vec
	for i, b := range r.Bodies {
		n := intoFlow(b)
		if r.Case.Bodies[i].Fluid == "both" { // there is no pressure of one side
			clear(n)
		}
		where, normals = append(where, b.Markers.X...), append(normals, n...)
	}
	return inFront(r.Flow.Lattice.Dim, reach, where, normals)
}

// The arrays of markers that are filled last, by their place among the arrays.
const (
	ofNormal = iota + 1
	ofArea
	ofTraction
	ofFriction
	ofPressure
)

// markersOf are the markers of all bodies, where they are, with their normals into the flow and areas, room for the traction on
// them and the coefficients (see setTraction and setPressure) and, where any moves, with their velocity; nil without bodies.
// What was captured, if anything, knows the velocity without waiting for the device.
func markersOf[T lbm.Float](r *State[T], captured *hybrid.CapturedBoxes[T]) *vtkhdf.Poly {
	if len(r.Bodies) == 0 {
		return nil
	}
	var poly vtkhdf.Poly
	var id, velocity, normal, area []float32
	unit := math.Pow(r.Units.Dx, float64(r.Flow.Lattice.Dim-1)) // L^(d−1) of a node's
	for i, b := range r.Bodies {
		var s kinematics.State
		for k, n := range intoFlow(b) {
			normal = append(normal, float32(n[0]), float32(n[1]), float32(n[2]))
			area = append(area, float32(b.Markers.Area[k]*unit))
		}
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
	poly.Arrays = []vtkhdf.Array{{Name: "body", Components: 1, Data: id}, {Name: "normal", Components: 3, Data: normal}, {Name: "area", Components: 1, Data: area},
		{Name: "traction", Components: 3, Data: make([]float32, 3*len(id))}, {Name: "friction_coefficient", Components: 3, Data: make([]float32, 3*len(id))},
		{Name: "pressure_coefficient", Components: 1, Data: make([]float32, len(id))}}
	if r.Problem.Moving() {
		poly.Arrays = append(poly.Arrays, vtkhdf.Array{Name: "velocity", Components: 3, Data: velocity})
	}
	return &poly
}

// setTraction stores the traction t on the markers of a body, one slice per axis, and its part along the wall.
func setTraction[T lbm.Float](r *State[T], poly *vtkhdf.Poly, body int, t [][]T) {
	toCoefficient := 2 / (r.Case.Reference.Velocity * r.Case.Reference.Velocity) // of ρU²/2
	first := 0
	for _, b := range r.Bodies[:body] {
		first += b.Markers.Len()
	}
	to := poly.Arrays[ofTraction].Data.([]float32)[3*first:]
	for a, of := range t {
		Scaled(to, a, 3, of, toCoefficient)
	}
	friction, normal := poly.Arrays[ofFriction].Data.([]float32)[3*first:], poly.Arrays[ofNormal].Data.([]float32)[3*first:]
	for k := range r.Bodies[body].Markers.Len() {
		var f, n geometry.Vec
		for a := range f {
			f[a], n[a] = float64(to[3*k+a]), float64(normal[3*k+a])
		}
		for a, v := range alongWall(f, n) {
			friction[3*k+a] = float32(v)
		}
	}
}

// setPressure stores the pressure coefficient in front of the markers of all bodies; box reads the fluid.
func setPressure[T lbm.Float](r *State[T], poly *vtkhdf.Poly, ahead *front, box func(k int, of lbm.Box, rho []T, u [][]T) error) error {
	if err := readFront(r, ahead, box); err != nil {
		return err
	}
	Scaled(poly.Arrays[ofPressure].Data.([]float32), 0, 1, ahead.c, 1)
	return nil
}

// writePoly writes markers or surfaces, if there are any, to the files of a list. It runs in the
// background.
func (r *Fields[T]) writePoly(i *Extract[T], at Moment, poly *vtkhdf.Poly, what, series string) error {
	if poly == nil {
		return nil
	}
	name := fmt.Sprintf("%s_%s_%09d.vtkhdf", i.Stem, what, at.Step)
	poly.Notes = notesOn(r.Problem, at, poly.Arrays)
	sum, err := vtkhdf.WritePolySummed(r.Dir.File(name), poly)
	if err != nil {
		return err
	}
	return r.list(File{Path: name, Sum: sum, Series: series, Time: at.Time})
}
