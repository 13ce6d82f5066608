package setup

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic/beam"
	"lbmib/io/casefile"
)

// leastSegments of a line that bends, and mostSegments, of which a step solves for at once.
const (
	leastSegments = 8
	mostSegments  = 100_000
)

// filament is a case's line that bends, in lattice units; shape is the line as drawn. The bodies that hold it must have been
// made.
func (p *Problem) filament(b casefile.Body, shape geometry.Shape) (*rigid.Body, error) {
	if p.Case.IB.Forcing != "direct" {
		return nil, p.Case.Errorf(b.Key+".motion.type", `is elastic, a line of ib.forcing = %q, must be "direct": what the line is given in further rounds would not move it`, p.Case.IB.Forcing)
	}
	spacing, err := p.Spacing(b)
	if err != nil {
		return nil, p.Case.Errorf(b.Key, "%v", err)
	}
	c, corners := p.beam(b.Motion.Beam), shape.Outline(1)
	if n := lengthOf(corners) / spacing; !(n <= mostSegments) {
		return nil, p.Case.Errorf(b.Key+".shape", "the line has %.3g nodes, %.3g nodes of the lattice apart, must have at most %d: shorten it, or give a wider spacing", n, spacing, mostSegments)
	}
	c.X = alongLine(corners, spacing)
	if thick := p.Units.ToLatticeLength(b.Motion.Beam.Thickness); thick > lengthOf(corners)/2 {
		return nil, p.Case.Errorf(b.Key+".motion.thickness", "is %.3g of the line's length, must be at most 0.5: sections of a beam that is thicker do not stay straight; make it thinner, or longer", thick/lengthOf(corners))
	}
	if b.Motion.Beam.Rest == "drawn" {
		if c.Curvature, err = beam.NaturalCurvature(c.X); err != nil {
			return nil, p.Case.Errorf(b.Key+".motion.rest", "%v", err)
		}
	}
	var holds [2]flexible.Hold
	for e, of := range b.Motion.Beam.Hold {
		if of.Body != "" {
			for i, base := range p.Bodies {
				if p.Case.Bodies[i].Name == of.Body {
					holds[e].Base = base
				}
			}
		}
	}
	f, err := flexible.NewFilament(c, p.Units.ToLatticeLength(b.Motion.Beam.Thickness), spacing, holds)
	if err != nil {
		return nil, p.Case.Errorf(b.Key+".motion", "%v", err)
	}
	body := f.Body(b.Name, shape)
	p.softStart(body)
	return body, nil
}

// beam is what a line is made of, in lattice units: without its nodes.
func (p *Problem) beam(m *casefile.Beam) beam.Config {
	to, dim := p.Units.ToLattice, p.Flow.Lattice.Dim
	res, speed := p.Case.Reference.Resolution, p.Units.ToLatticeVelocity(1)
	c := beam.Config{
		Dim: dim, Step: 1,
		Mass: to(casefile.LineMass, m.Mass), Bending: to(casefile.BendingStiffness, m.Bending),
		Stretching: to(casefile.Force, m.Stretching), Inextensible: m.Stretching == 0,
		BendingDamping:    m.BendingDamping * speed * math.Pow(res, float64(dim+2)),
		StretchingDamping: m.StretchingDamping * speed * math.Pow(res, float64(dim)),
		First:             beam.End{Kind: endKinds[m.Hold[0].Type]}, Last: beam.End{Kind: endKinds[m.Hold[1].Type]},
	}
	for a, g := range p.Case.Domain.Gravity[:dim] {
		c.Gravity[a] = p.Units.ToLatticeAcceleration(g)
	}
	return c
}

var endKinds = map[string]beam.EndKind{"free": beam.Free, "hinged": beam.Hinged, "clamped": beam.Clamped}

// lengthOf is the length of a polyline.
func lengthOf(corners []geometry.Vec) (length float64) {
	for k := 1; k < len(corners); k++ {
		length += corners[k].Sub(corners[k-1]).Norm()
	}
	return length
}

// alongLine are nodes along a polyline, as near to spacing apart as a whole number of them allows. Corners
// are cut.
func alongLine(corners []geometry.Vec, spacing float64) []geometry.Vec {
	arc := make([]float64, len(corners))
	for k := 1; k < len(corners); k++ {
		arc[k] = arc[k-1] + corners[k].Sub(corners[k-1]).Norm()
	}
	total := arc[len(arc)-1]
	segments := max(leastSegments, int(math.Round(total/spacing)))
	x, k := make([]geometry.Vec, 0, segments+1), 1
	for i := range segments {
		s := total * float64(i) / float64(segments)
		for k < len(corners)-1 && arc[k] < s {
			k++
		}
		share := (s - arc[k-1]) / (arc[k] - arc[k-1])
		x = append(x, corners[k-1].Add(corners[k].Sub(corners[k-1]).Scale(share)))
	}
	return append(x, corners[len(corners)-1])
}

// linesApart refuses lines that bend in the plane and are drawn across themselves or each other.
func (p *Problem) linesApart() error {
	if p.Flow.Lattice.Dim != 2 {
		return nil
	}
	for i, b := range p.Bodies {
		f, bends := b.Structure.(*flexible.Filament)
		for j := 0; bends && j <= i; j++ {
			o, too := p.Bodies[j].Structure.(*flexible.Filament)
			if !too {
				continue
			}
			if at, crossed := geometry.Crossing(f.Line.X(), o.Line.X()); crossed {
				x, whom := p.Place(at), fmt.Sprintf("body %q", p.Bodies[j].Name)
				if i == j {
					whom = "itself"
				}
				return p.Case.Errorf(p.Case.Bodies[i].PlaceKey(), "body %q is drawn across %s at x = %.4g, y = %.4g L, which no line in a plane can be: draw it beside", b.Name, whom, x[0], x[1])
			}
		}
	}
	return nil
}
