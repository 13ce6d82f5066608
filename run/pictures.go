package run

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/io/plot"
	"lbmib/io/table"
	"lbmib/lbm"
	"lbmib/run/drawing"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// outlinePoints is the number of segments that a body is drawn with.
const outlinePoints = 180

// pictures draws the force history, and speed and vorticity of the last state;
// in 3D on the plane through the first body's centre, or the middle, and elastic bodies in space beside that plane.
func (r *results[T]) pictures(s *Summary) error {
	if len(r.Bodies) > 0 {
		t, err := table.Read(r.Dir.File("forces.csv"))
		if err != nil {
			return err
		}
		var all []plot.Forces
		window := [2]float64{math.NaN(), math.NaN()}
		for i, b := range r.Bodies {
			h, err := readHistory(t, b.Name, r.Flow.Lattice.Dim)
			if err != nil {
				return err
			}
			all = append(all, plot.Forces{Name: b.Name, T: h.T, Cd: h.Cd, Cl: h.Cl, ByAxes: setup.HeadingOf(r.Case, &r.Case.Bodies[i]).Axis != 0})
			if i == 0 {
				w := s.Bodies[b.Name].Window
				window = [2]float64{float64(w[0]), float64(w[1])}
			}
		}
		if err := plot.ForceHistory(r.Dir.File("plots", "forces.png"), r.Case.Title, all, window); err != nil {
			return err
		}
	}
	if err := r.trackPicture(); err != nil {
		return err
	}
	if err := r.elasticPictures(); err != nil {
		return err
	}
	if err := linePictures(r.State); err != nil {
		return err
	}
	plane := planeOf(r.Problem)
	f := plot.Field{Nx: r.Flow.Size[0], Ny: r.Flow.Size[1], Spacing: [2]float64{r.Units.Dx, r.Units.Dx}}
	origin := r.Place([3]float64{})
	f.Origin = [2]float64{origin[0], origin[1]}
	f.Outlines, f.Lines = outlinesOf(r.Problem, plane, r.Place)
	elastic, box, height := (*drawing.Elastics)(nil), boxOf(r.State), r.Place([3]float64{0, 0, float64(plane)})[2]
	if r.Flow.Lattice.Dim == 3 && observe.HasSurfaces(r.Problem) {
		elastic = (*drawing.Elastics)(observe.SurfacesOf(r.State))
		f.Lines = append(f.Lines, elastic.Sections(box, height)...)
	}
	speed, spin := planeSpeed(r.State, plane), make([]float64, f.Nx*f.Ny)
	row := observe.NewVorticityRows(r.State, plane).Begin()
	for j := range f.Ny {
		row(j, spin[j*f.Nx:][:f.Nx])
	}
	f.Title, f.Label, f.Values = fmt.Sprintf("%s, t = %.4g L/U", r.Case.Title, r.Time()), "speed / U", speed
	if elastic != nil {
		if _, err := elastic.Scene(r.Dir.File("plots", drawing.SurfacesPicture), f.Title, box, &f, height); err != nil {
			return err
		}
	}
	if err := plot.FieldMap(r.Dir.File("plots", "speed.png"), &f); err != nil {
		return err
	}
	f.Label, f.Values, f.Diverging = "vorticity L / U", spin, true
	return plot.FieldMap(r.Dir.File("plots", "vorticity.png"), &f)
}

// boxOf is the domain, in L.
func boxOf[T lbm.Float](r *observe.State[T]) (b drawing.Box) {
	var far [3]float64
	for a, n := range r.Flow.Size {
		far[a] = float64(n) - 0.5
		b.Periodic[a] = r.Flow.Periodic(a)
	}
	b.Low, b.High = r.Place([3]float64{-0.5, -0.5, -0.5}), r.Place(far)
	return b
}

// planeSpeed is the speed on a plane, in U; NaN in walls.
func planeSpeed[T lbm.Float](r *observe.State[T], plane int) []float64 {
	n := r.Flow.Size[0] * r.Flow.Size[1]
	u := make([][]T, r.Flow.Lattice.Dim)
	for a := range u {
		u[a] = make([]T, n)
	}
	r.Sim.Box([3]int{0, 0, plane}, [3]int{r.Flow.Size[0], r.Flow.Size[1], plane + 1}, nil, u)
	speed := make([]float64, n)
	for k := range speed {
		if r.Flow.Solid != nil && r.Flow.Solid[plane*n+k] {
			speed[k] = math.NaN()
			continue
		}
		for a := range u {
			speed[k] += float64(u[a][k]) * float64(u[a][k])
		}
		speed[k] = r.Units.FromLatticeVelocity(math.Sqrt(speed[k]))
	}
	return speed
}

// planeOf is the z of the nodes that pictures show: through the first body's
// centre, of elastic surfaces alone that of the first, or the middle.
func planeOf(p *setup.Problem) int {
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

// outlinesOf are the bodies that the plane cuts, their points given by to from
// node coordinates; lines are those that hold the flow, elastic ones in the plane, and open ones.
func outlinesOf(p *setup.Problem, plane int, to func(x [3]float64) [3]float64) (all, lines [][][2]float64) {
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

// pictureFiles are the pictures that a run leaves in plots.
func pictureFiles[T lbm.Float](r *observe.State[T]) []string {
	if !r.Case.Output.Plots {
		return nil
	}
	all := []string{"speed.png", "vorticity.png"}
	if r.Flow.Lattice.Dim == 3 && observe.HasSurfaces(r.Problem) {
		all = append(all, drawing.SurfacesPicture)
	}
	if len(r.Bodies) > 0 {
		all = append(all, "forces.png")
	}
	if r.Moving() {
		all = append(all, "bodies.png")
	}
	for _, l := range r.Case.Output.Lines {
		all = append(all, linePicture(l))
	}
	return all
}
