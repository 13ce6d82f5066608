package setup

import (
	"errors"
	"fmt"

	"lbmib/geometry"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// passageReach is how far, in nodes, the ends of a surface may be from the faces at which it ends.
const passageReach = 0.5

// passage is the wall of what a body of triangles holds, cut open where it leaves the domain: at periodic faces through which it goes on, at walls, and at planes of symmetry.
// Other shapes, and those that reach no face, are as they are.
func (p *Problem) passage(b casefile.Body, s geometry.Shape) (geometry.Shape, error) {
	if _, _, ok := geometry.Triangles(s); !ok {
		return s, nil
	}
	lo, hi := s.Bounds()
	var from, to geometry.Vec
	var ends [3]geometry.Ends
	for a := range ends {
		from[a], to[a] = -0.5, float64(p.Flow.Size[a])-0.5
		ends[a] = p.ends(a, lo[a]-from[a] <= passageReach, to[a]-hi[a] <= passageReach)
		if !s.Open() { // ends of its own, unless these touch the wall
			near := ends[a]
			ends[a] = p.ends(a, lo[a]-from[a] <= 0.02*passageReach, to[a]-hi[a] <= 0.02*passageReach)
			if near == geometry.GoesOn && ends[a] != near {
				return nil, fmt.Errorf("of body %q, whose fluid is inside, is closed %.2g and %.2g nodes before the periodic faces across %c: let it reach them, or go beyond, for the flow to go on there; or make it shorter by a node for a closed room",
					b.Name, max(lo[a]-from[a], 0), max(to[a]-hi[a], 0), "xyz"[a])
			}
		}
	}
	if ends == ([3]geometry.Ends{}) && !s.Open() {
		return s, nil
	}
	cut, err := geometry.Passage(s, from, to, ends, passageReach)
	if open := (*geometry.OpenRim)(nil); errors.As(err, &open) {
		x := p.Place(open.At)
		at := fmt.Sprintf("at %.4g, %.4g, %.4g", x[0], x[1], x[2])
		switch {
		case open.Unmatched:
			return nil, fmt.Errorf("of body %q, whose fluid is inside, goes on through periodic faces, but its section where it enters %s is not that at the other face: make the two alike to half a node, or its ends no-slip", b.Name, at)
		case open.Crossed:
			return nil, fmt.Errorf("of body %q, whose fluid is inside, is cut where two faces meet, %s: enlarge the domain across it, or make it smaller", b.Name, at)
		}
		return nil, fmt.Errorf("of body %q, whose fluid is inside, is open %s, half a node or more from the domain's faces, or at a face that is no wall, no plane of symmetry and not one of two periodic ones that it goes through: let it reach the faces, or close it", b.Name, at)
	}
	if err != nil {
		return nil, fmt.Errorf("of body %q: %w", b.Name, err)
	}
	if b.Motion.Type != "fixed" {
		return nil, fmt.Errorf("of body %q, whose fluid is inside, is cut open by the domain's faces, but it moves: leave its motion out", b.Name)
	}
	return cut, nil
}

// ends is how what reaches the faces across axis a ends there.
func (p *Problem) ends(a int, below, above bool) geometry.Ends {
	if p.Flow.Faces[2*a].Kind == lbm.Periodic {
		if below && above {
			return geometry.GoesOn
		}
		return geometry.NoEnds
	}
	at := func(side int) bool {
		kind := p.Flow.Faces[2*a+side].Kind
		return kind.IsWall() || kind.IsMirror()
	}
	below, above = below && at(0), above && at(1)
	switch {
	case below && above:
		return geometry.EndsBoth
	case below:
		return geometry.EndsBelow
	case above:
		return geometry.EndsAbove
	}
	return geometry.NoEnds
}
