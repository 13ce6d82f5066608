package geometry

import "math"

// rectangle is a flat plate without thickness in the plane z = 0, its sides along x and y.
type rectangle struct{ half [2]float64 }

var _ form = rectangle{}

// NewRectangle is the flat rectangle around center whose sides, of the given lengths, are along x and y: a thin plate in space with fluid
// on both sides, which has no inside. Its normals are along +z. Length is the length of the first side, Frontal the
// area, as wings and flags have it. Values that are not finite and sides that are not positive are refused.
func NewRectangle(center Vec, sides [2]float64) (Shape, error) {
	if err := checkPoint("rectangle", "center", center); err != nil {
		return nil, err
	}
	for k, name := range [2]string{"first side", "second side"} {
		if err := checkSize("rectangle", name, sides[k]); err != nil {
			return nil, err
		}
	}
	return place(rectangle{[2]float64{sides[0] / 2, sides[1] / 2}}, center), nil
}

func (f rectangle) name() string        { return "rectangle" }
func (f rectangle) dim() int            { return 3 }
func (f rectangle) contains(Vec) bool   { return false }
func (f rectangle) reach() float64      { return math.Hypot(f.half[0], f.half[1]) }
func (f rectangle) enclosed() float64   { return 0 }
func (f rectangle) surface() float64    { return 4 * f.half[0] * f.half[1] }
func (f rectangle) length(Mat) float64  { return 2 * f.half[0] }
func (f rectangle) frontal(Mat) float64 { return f.surface() }
func (f rectangle) open() bool          { return true }
func (f rectangle) inertia() Mat        { return Mat{} }

func (f rectangle) support(d Vec) float64 {
	return math.Abs(d[0])*f.half[0] + math.Abs(d[1])*f.half[1]
}

// counts are how many equal parts about spacing long the sides have.
func (f rectangle) counts(spacing float64) (n [2]int) {
	for a, half := range f.half {
		n[a] = max(1, int(2*half/spacing+0.5))
	}
	return n
}

// sample puts a marker in the middle of every one of equal parts.
func (f rectangle) sample(spacing float64) (m Markers) {
	n := f.counts(spacing)
	area := f.surface() / float64(n[0]*n[1])
	for j := range n[1] {
		for i := range n[0] {
			m.X = append(m.X, Vec{f.half[0] * ((2*float64(i)+1)/float64(n[0]) - 1), f.half[1] * ((2*float64(j)+1)/float64(n[1]) - 1)})
			m.Normal, m.Area = append(m.Normal, Vec{0, 0, 1}), append(m.Area, area)
		}
	}
	return m
}

// outline is the section with the plane z = 0, a line there and back; of one that lies in the plane its sides.
func (f rectangle) outline(r Mat, _ int) (line []Vec) {
	corners := [4]Vec{{-f.half[0], -f.half[1]}, {f.half[0], -f.half[1]}, {f.half[0], f.half[1]}, {-f.half[0], f.half[1]}}
	for k := range corners {
		corners[k] = r.Apply(corners[k])
	}
	flat := 1e-12 * f.reach()
	for k, a := range corners {
		b := corners[(k+1)%4]
		switch {
		case math.Abs(a[2]) <= flat:
			line = append(line, a)
		case a[2]*b[2] < 0 && math.Abs(b[2]) > flat:
			share := a[2] / (a[2] - b[2])
			line = append(line, a.Add(b.Sub(a).Scale(share)))
		}
	}
	return append(line, line[0])
}
