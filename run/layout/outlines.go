package layout

import (
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// outlinePoints is the number of segments that a body is drawn with.
const outlinePoints = 180

// Plane is the z of the nodes that pictures show: through the first body's
// centre, of elastic surfaces alone that of the first, or the middle.
func Plane(p *setup.Problem) int {
	if p.Flow.Lattice.Dim == 3 && len(p.Bodies)+len(p.Coupling.Cells) > 0 {
		var center geometry.Vec
		if len(p.Bodies) > 0 {
			center = p.Bodies[0].State().Position
		} else {
			center = p.Coupling.Cells[0].Measure().Center
		}
		z := int(math.Round(center[2]))
		if n := p.Flow.Size[2]; p.Flow.Faces[4].Kind == lbm.Periodic {
			z = (z%n + n) % n
		}
		return min(max(z, 0), p.Flow.Size[2]-1)
	}
	return p.Flow.Size[2] / 2
}

// Outlines are the bodies that the plane cuts, their points given by to from
// node coordinates; lines are those that hold the flow, elastic ones in the plane, and open ones.
func Outlines(p *setup.Problem, plane int, to func(x [3]float64) [3]float64) (all, lines [][][2]float64) {
	for _, c := range p.Coupling.Cells {
		if c.Ring == nil {
			continue
		}
		for _, by := range imagesOf(p, c.Points()) {
			line := make([][2]float64, 0, len(c.Points())+1)
			for _, x := range c.Points() {
				q := to(x.Add(by))
				line = append(line, [2]float64{q[0], q[1]})
			}
			lines = append(lines, append(line, line[0]))
		}
	}
	for _, b := range p.Bodies {
		if _, sheet := b.Structure.(*flexible.Sheet); sheet || !cutsPlane(p, plane, b) {
			continue // of sheets the section is drawn
		}
		points := b.Outline(outlinePoints)
		for _, by := range imagesOf(p, points) {
			var line [][2]float64
			for _, x := range points {
				q := to(x.Add(by))
				line = append(line, [2]float64{q[0], q[1]})
			}
			switch last := len(points) - 1; {
			case b.Hollow:
				lines = append(lines, pieces(line)...)
			case last > 0 && points[0] != points[last]: // an open line, there and back
				back := slices.Clone(line)
				slices.Reverse(back)
				lines = append(lines, append(line, back[1:]...))
			default:
				all = append(all, pieces(line)...)
			}
		}
	}
	return all, lines
}

// imagesOf are the shifts, by whole domains along periodic axes, that bring some of
// an outline into the domain.
func imagesOf(p *setup.Problem, outline []geometry.Vec) (all []geometry.Vec) {
	if len(outline) == 0 {
		return nil
	}
	lo, hi := outline[0], outline[0]
	for _, x := range outline {
		for a := range x {
			lo[a], hi[a] = math.Min(lo[a], x[a]), math.Max(hi[a], x[a])
		}
	}
	var first, last [2]float64
	for a := range first {
		if n := float64(p.Flow.Size[a]); p.Flow.Periodic(a) {
			first[a], last[a] = math.Ceil((-0.5-hi[a])/n), math.Floor((n-0.5-lo[a])/n)
		}
	}
	for j := first[1]; j <= last[1]; j++ {
		for i := first[0]; i <= last[0]; i++ {
			all = append(all, geometry.Vec{i * float64(p.Flow.Size[0]), j * float64(p.Flow.Size[1])})
		}
	}
	return all
}

// pieces parts an outline that goes through several closed lines, from one to the
// next and back in the end: each ends where it began.
func pieces(line [][2]float64) (all [][][2]float64) {
	for len(line) > 2 {
		end := 1 + slices.Index(line[1:], line[0])
		if end == 0 && len(all) == 0 {
			return append(all, line) // one, without its first point at the end
		}
		if end == 0 {
			break // the way back
		}
		if end > 2 {
			all = append(all, line[:end+1])
		}
		line = line[end+1:]
	}
	return all
}

// cutsPlane tells whether the plane of nodes cuts a body where it is now. A section is
// drawn through the body's centre.
func cutsPlane(p *setup.Problem, plane int, b *rigid.Body) bool {
	if p.Flow.Lattice.Dim == 2 {
		return true
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range b.Markers.X {
		lo, hi = math.Min(lo, x[2]), math.Max(hi, x[2])
	}
	return float64(plane) >= math.Floor(lo) && float64(plane) <= math.Ceil(hi)
}
