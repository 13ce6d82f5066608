package runner

import (
	"fmt"
	"math"

	"lbmib/io/plot"
	"lbmib/io/table"
)

// outlinePoints is the number of segments that a body is drawn with.
const outlinePoints = 180

// pictures draws the force history, and speed and vorticity of the last state;
// in 3D on the plane through the first body's centre, or the middle.
func (r *run[T]) pictures(s *Summary) error {
	if r.records.forces != nil {
		t, err := table.Read(r.dir.file("forces.csv"))
		if err != nil {
			return err
		}
		var all []plot.Forces
		window := [2]float64{math.NaN(), math.NaN()}
		for i, b := range r.bodies {
			h, err := r.readHistory(t, b.Name)
			if err != nil {
				return err
			}
			all = append(all, plot.Forces{Name: b.Name, T: h.T, Cd: h.Cd, Cl: h.Cl})
			if i == 0 {
				w := s.Bodies[b.Name].Window
				window = [2]float64{float64(w[0]), float64(w[1])}
			}
		}
		if err := plot.ForceHistory(r.dir.file("plots", "forces.png"), r.cas.Title, all, window); err != nil {
			return err
		}
	}
	plane := r.plane()
	f := plot.Field{Nx: r.flow.Size[0], Ny: r.flow.Size[1], Spacing: [2]float64{r.units.Dx, r.units.Dx}}
	origin := r.place([3]float64{})
	f.Origin = [2]float64{origin[0], origin[1]}
	f.Outlines = r.outlines(plane, r.place)
	speed, spin := r.planeSpeed(plane), make([]float64, f.Nx*f.Ny)
	row := newVorticityRows(r, plane).begin()
	for j := range f.Ny {
		row(j, spin[j*f.Nx:][:f.Nx])
	}
	f.Title, f.Label, f.Values = fmt.Sprintf("%s, t = %.4g L/U", r.cas.Title, r.time()), "speed / U", speed
	if err := plot.FieldMap(r.dir.file("plots", "speed.png"), &f); err != nil {
		return err
	}
	f.Label, f.Values, f.Diverging = "vorticity L / U", spin, true
	return plot.FieldMap(r.dir.file("plots", "vorticity.png"), &f)
}

// planeSpeed is the speed on a plane, in U; NaN in walls.
func (r *run[T]) planeSpeed(plane int) []float64 {
	n := r.flow.Size[0] * r.flow.Size[1]
	u := make([][]T, r.flow.Lattice.Dim)
	for a := range u {
		u[a] = make([]T, n)
	}
	r.sim.Box([3]int{0, 0, plane}, [3]int{r.flow.Size[0], r.flow.Size[1], plane + 1}, nil, u)
	speed := make([]float64, n)
	for k := range speed {
		if r.flow.Solid != nil && r.flow.Solid[plane*n+k] {
			speed[k] = math.NaN()
			continue
		}
		for a := range u {
			speed[k] += float64(u[a][k]) * float64(u[a][k])
		}
		speed[k] = r.units.FromLatticeVelocity(math.Sqrt(speed[k]))
	}
	return speed
}

// plane is the z of the nodes that pictures show: through the first body's
// centre, or the middle.
func (p *problem) plane() int {
	if p.flow.Lattice.Dim == 3 && len(p.bodies) > 0 {
		return int(math.Round(p.bodies[0].Shape.Center()[2]))
	}
	return p.flow.Size[2] / 2
}

// outlines are the bodies that the plane cuts, their points given by to from
// node coordinates.
func (p *problem) outlines(plane int, to func(x [3]float64) [3]float64) (all [][][2]float64) {
	for _, b := range p.bodies {
		if lo, hi := b.Shape.Bounds(); float64(plane) < lo[2] || float64(plane) > hi[2] {
			continue
		}
		var line [][2]float64
		for _, x := range b.Shape.Outline(outlinePoints) {
			q := to(x)
			line = append(line, [2]float64{q[0], q[1]})
		}
		all = append(all, line)
	}
	return all
}

// pictureFiles are the pictures that a run leaves in plots.
func (r *run[T]) pictureFiles() []string {
	switch {
	case !r.cas.Output.Plots:
		return nil
	case len(r.bodies) == 0:
		return []string{"speed.png", "vorticity.png"}
	}
	return []string{"forces.png", "speed.png", "vorticity.png"}
}
