package geometry

import "fmt"

// fibre is a curve in space without a surface.
type fibre struct {
	points []Vec
	long   float64
	wide   float64
}

var _ form = (*fibre)(nil)

// NewFibre is the open polyline through points in space: a thread, which has no surface and no inside. Its
// centre is that of the curve. Length is the largest distance between two of its points; Surface and Frontal, which it does not have, are
// the squares of its own length and of that. Its markers have no normals. Fewer than two points, more
// than MaxCorners and points that repeat are refused.
func NewFibre(points []Vec) (Shape, error) {
	if len(points) < 2 || len(points) > MaxCorners {
		return nil, fmt.Errorf("geometry: fibre: it has %d points, must have 2 to %d: give its corners", len(points), MaxCorners)
	}
	f := &fibre{wide: widest(points)}
	var center Vec
	for k, p := range points {
		if err := checkPoint("fibre", fmt.Sprintf("point %d", k), p); err != nil {
			return nil, err
		}
		if k == 0 {
			continue
		}
		apart := p.Sub(points[k-1]).Norm()
		if !(apart >= MinSize) {
			return nil, fmt.Errorf("geometry: fibre: point %d is at %v like the one before it, %.4g away, must be %g or more (nodes, in a run): leave it out", k, p, apart, MinSize)
		}
		f.long += apart
		center = center.Add(p.Add(points[k-1]).Scale(apart / 2))
	}
	center = center.Scale(1 / f.long)
	for _, p := range points {
		f.points = append(f.points, p.Sub(center))
	}
	return place(f, center), nil
}

func (f *fibre) name() string        { return "fibre" }
func (f *fibre) dim() int            { return 3 }
func (f *fibre) contains(Vec) bool   { return false }
func (f *fibre) reach() float64      { return farthest(f.points) }
func (f *fibre) enclosed() float64   { return 0 }
func (f *fibre) surface() float64    { return f.long * f.long }
func (f *fibre) length(Mat) float64  { return f.wide }
func (f *fibre) frontal(Mat) float64 { return f.wide * f.wide }
func (f *fibre) open() bool          { return true }
func (f *fibre) inertia() Mat        { return Mat{} }

func (f *fibre) support(d Vec) float64 {
	most := f.points[0].Dot(d)
	for _, p := range f.points[1:] {
		most = max(most, p.Dot(d))
	}
	return most
}

// sample puts a marker in the middle of every one of the equal parts of the curve.
func (f *fibre) sample(spacing float64) (m Markers) {
	n := max(1, int(f.long/spacing+0.5))
	k, before := 1, 0. // the segment and the length before it
	for i := range n {
		s := f.long * (float64(i) + 0.5) / float64(n)
		length := f.points[k].Sub(f.points[k-1]).Norm()
		for k < len(f.points)-1 && before+length < s {
			before += length
			k++
			length = f.points[k].Sub(f.points[k-1]).Norm()
		}
		m.X = append(m.X, f.points[k-1].Add(f.points[k].Sub(f.points[k-1]).Scale((s-before)/length)))
		m.Normal, m.Area = append(m.Normal, Vec{}), append(m.Area, f.long/float64(n))
	}
	return m
}

// outline is the curve itself.
func (f *fibre) outline(r Mat, _ int) (line []Vec) {
	for _, p := range f.points {
		line = append(line, r.Apply(p))
	}
	return line
}
