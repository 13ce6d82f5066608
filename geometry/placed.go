package geometry

// form is a shape in coordinates of its own: its centroid is the origin, its
// size and attitude are those that its formulas are simplest in. Rotations
// given to it turn it from there.
type form interface {
	name() string
	dim() int
	contains(p Vec) bool
	// support is the largest x·d over the form.
	support(d Vec) float64
	// reach is the radius of the ball around the origin that holds the form.
	reach() float64
	enclosed() float64
	surface() float64
	// length and frontal are the references when it is turned by r.
	length(r Mat) float64
	frontal(r Mat) float64
	// sample puts markers about spacing apart.
	sample(spacing float64) Markers
	// outline is the section of the form, turned by r, with the plane z = 0.
	outline(r Mat, n int) []Vec
	open() bool
	inertia() Mat
}

// placed puts a form in space: turned, then scaled, then moved. Every shape but
// the round ones, which turn into themselves, is one of these.
type placed struct {
	form   form
	turn   Mat
	scale  float64
	center Vec
}

var _ Shape = placed{}

func (p placed) kind() string { return p.form.name() }

// place puts a form as it is at center.
func place(f form, center Vec) placed { return placed{f, Identity(), 1, center} }

// Dim is the form's.
func (p placed) Dim() int { return p.form.dim() }

// Center is the centroid of the enclosed region; of an open shape that of the
// surface.
func (p placed) Center() Vec { return p.center }

// Bounds are the corners of the smallest box along the axes around the shape.
func (p placed) Bounds() (lo, hi Vec) {
	back := p.turn.Transpose()
	for a := range p.form.dim() {
		e := Vec{}
		e[a] = 1
		e = back.Apply(e)
		hi[a] = p.center[a] + p.scale*p.form.support(e)
		lo[a] = p.center[a] - p.scale*p.form.support(e.Scale(-1))
	}
	return lo, hi
}

// Contains tells whether q is inside, or on the surface to rounding; nothing is
// inside an open shape.
func (p placed) Contains(q Vec) bool {
	d := q.Sub(p.center)
	if p.form.dim() == 2 {
		d[2] = 0
	}
	r, s := &p.turn, 1/p.scale
	return p.form.contains(Vec{ // rᵀ d / scale
		(r[0][0]*d[0] + r[1][0]*d[1] + r[2][0]*d[2]) * s,
		(r[0][1]*d[0] + r[1][1]*d[1] + r[2][1]*d[2]) * s,
		(r[0][2]*d[0] + r[1][2]*d[1] + r[2][2]*d[2]) * s,
	})
}

// Enclosed is the enclosed volume; in 2D the area.
func (p placed) Enclosed() float64 { return p.form.enclosed() * power(p.scale, p.form.dim()) }

// Surface is the area of the surface; in 2D the length of the curve.
func (p placed) Surface() float64 { return p.form.surface() * power(p.scale, p.form.dim()-1) }

// Reach is how far the shape goes from its centre.
func (p placed) Reach() float64 { return p.form.reach() * p.scale }

// Length is the reference length, which the constructors document.
func (p placed) Length() float64 { return p.form.length(p.turn) * p.scale }

// unseen is the share of its surface below which the shadow of a shape is rounding.
const unseen = 1e-9

// Frontal is the reference area, which the constructors document. Of shapes that a flow along
// x does not see, as a tube along x without caps, it is that of the box around them.
func (p placed) Frontal() float64 {
	dim := p.form.dim()
	if f := p.form.frontal(p.turn) * power(p.scale, dim-1); f > unseen*p.Surface() {
		return f
	}
	lo, hi := p.Bounds()
	box := 1.
	for a := 1; a < dim; a++ {
		box *= hi[a] - lo[a]
	}
	if box > unseen*p.Surface() {
		return box
	}
	return power(p.Length(), dim-1) // of a plate along the flow
}

// Sample covers the surface evenly. Spacings that give fewer than MinMarkers
// or more than MaxMarkers are refused.
func (p placed) Sample(spacing float64) (Markers, error) {
	if _, err := markerCount(p.form.name(), p.Surface(), spacing, p.form.dim()); err != nil {
		return Markers{}, err
	}
	m := p.form.sample(spacing / p.scale)
	area := power(p.scale, p.form.dim()-1)
	for k := range m.X {
		m.X[k] = p.center.Add(p.turn.Apply(m.X[k]).Scale(p.scale))
		m.Normal[k] = p.turn.Apply(m.Normal[k])
		m.Area[k] *= area
	}
	return m, nil
}

// Outline is the section with the x–y plane through the centre.
func (p placed) Outline(n int) []Vec {
	line := p.form.outline(p.turn, max(n, 3))
	for k := range line {
		line[k] = p.center.Add(line[k].Scale(p.scale))
	}
	return line
}

// Scaled is the shape in a unit of length that is factor times smaller.
func (p placed) Scaled(factor float64) Shape {
	mustFactor(factor)
	p.scale *= factor
	p.center = p.center.Scale(factor)
	return p
}

// Translated is the shape moved by d.
func (p placed) Translated(d Vec) Shape {
	p.center = p.center.Add(d)
	return p
}

// Rotated is the shape turned about its centre.
func (p placed) Rotated(r Mat) Shape {
	p.turn = r.Mul(p.turn)
	return p
}

// Open tells that the shape has no inside.
func (p placed) Open() bool { return p.form.open() }

// Inertia is ∫(r² 1 − r rᵀ) dV about the centre.
func (p placed) Inertia() Mat {
	i := p.form.inertia().Scale(power(p.scale, p.form.dim()+2))
	return p.turn.Mul(i).Mul(p.turn.Transpose())
}

// power is x to a small whole power.
func power(x float64, n int) float64 {
	p := 1.
	for range n {
		p *= x
	}
	return p
}

// extent is the length of the form along axis a when it is turned by r.
func extent(f form, r Mat, a int) float64 {
	e := Vec(r[a]) // rᵀ applied to the unit vector
	return f.support(e) + f.support(e.Scale(-1))
}

// star is the section with the plane z = 0 of a form turned by r that every
// ray from its centre leaves once, reach(d) away in direction d.
func star(r Mat, n int, reach func(d Vec) float64) []Vec {
	back := r.Transpose()
	line := make([]Vec, n+1)
	for k := range n {
		d := direction(k, n)
		line[k] = d.Scale(reach(back.Apply(d)))
	}
	line[n] = line[0]
	return line
}
