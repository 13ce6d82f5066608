package runner

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/io/casefile"
)

// shape is a case's shape in node coordinates.
func (p *problem) shape(s casefile.Shape) (geometry.Shape, error) {
	center, diameter := geometry.Vec(p.node(s.Center)), s.Diameter*p.cas.Reference.Resolution
	switch s.Type {
	case "circle":
		return geometry.NewCircle(center, diameter)
	case "sphere":
		return geometry.NewSphere(center, diameter)
	}
	return nil, fmt.Errorf("shape %q has no surface to put markers on: choose circle or sphere", s.Type)
}

func (p *problem) body(b casefile.Body) (*hybrid.Body, error) {
	s, err := p.shape(b.Shape)
	if err != nil {
		return nil, err
	}
	spacing, err := p.spacing(b)
	if err != nil {
		return nil, err
	}
	body, err := hybrid.NewBody(b.Name, s, spacing, p.cas.IB.Retraction)
	if err == nil {
		p.softStart(body)
	}
	return body, err
}

// spacing is the marker spacing of a body in nodes. Automatic is what keeps the
// weights of direct forcing positive; multi-direct forcing weighs with areas and
// takes a node.
func (p *problem) spacing(b casefile.Body) (float64, error) {
	switch {
	case b.Spacing > 0:
		return b.Spacing, nil
	case p.cas.IB.Forcing == "multidirect":
		return 1, nil
	}
	delta, err := ib.NewDelta[float64](p.cas.IB.Delta)
	if err != nil {
		return 0, err
	}
	return ib.SafeSpacing(delta, p.flow.Lattice.Dim), nil
}

// softStart lets a body move with the initial flow at first and come to rest
// smoothly, so that it makes little sound.
func (p *problem) softStart(b *hybrid.Body) {
	b.Moves = p.units.ToLatticeTime(p.cas.Run.SoftStart)
	if b.Moves == 0 {
		return
	}
	flow := p.initial()
	b.Velocity = func(k int, t float64) [3]float64 {
		_, u := flow(b.Markers.X[k])
		s := (1 + math.Cos(math.Pi*t/b.Moves)) / 2
		return [3]float64{u[0] * s, u[1] * s, u[2] * s}
	}
}
