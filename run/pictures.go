package run

import (
	"fmt"
	"math"

	"lbmib/io/plot"
	"lbmib/io/table"
	"lbmib/lbm"
	"lbmib/run/drawing"
	"lbmib/run/layout"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

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
	if r.Grids != nil {
		if err := layout.Draw(r.Dir.File("plots", layout.Picture), r.Problem, r.Case.Title); err != nil {
			return err
		}
	}
	if err := r.trackPicture(); err != nil {
		return err
	}
	if err := r.phasePicture(s); err != nil {
		return err
	}
	if err := r.flowPicture(); err != nil {
		return err
	}
	if err := r.pressurePicture(); err != nil {
		return err
	}
	if err := r.elasticPictures(); err != nil {
		return err
	}
	if err := r.suspensionPictures(); err != nil {
		return err
	}
	if err := linePictures(r.State); err != nil {
		return err
	}
	plane := layout.Plane(r.Problem)
	f := plot.Field{Nx: r.Flow.Size[0], Ny: r.Flow.Size[1], Spacing: [2]float64{r.Units.Dx, r.Units.Dx}}
	origin := r.Place([3]float64{})
	f.Origin = [2]float64{origin[0], origin[1]}
	f.Outlines, f.Lines = layout.Outlines(r.Problem, plane, r.Place)
	elastic, box, height := (*drawing.Elastics)(nil), boxOf(r.State), r.Place([3]float64{0, 0, float64(plane)})[2]
	if r.Flow.Lattice.Dim == 3 && observe.HasSurfaces(r.Problem) {
		elastic = (*drawing.Elastics)(observe.SurfacesOf(r.State, false))
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
	if w := r.out.Wall; w != nil {
		surface, label := w.Picture()
		scene := plot.Scene{Title: f.Title, Label: label, Low: box.Low, High: box.High, Surfaces: []plot.Surface{surface}}
		if err := plot.SceneView(r.Dir.File("plots", wallPicture), &scene); err != nil {
			return fmt.Errorf("the picture of the wall: %w", err)
		}
	}
	if err := plot.FieldMap(r.Dir.File("plots", "speed.png"), &f); err != nil {
		return err
	}
	f.Label, f.Values, f.Diverging = "vorticity L / U", spin, true
	return plot.FieldMap(r.Dir.File("plots", "vorticity.png"), &f)
}

// wallPicture is that of the shear stress on a vessel's wall.
const wallPicture = "wall.png"

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
		if r.Flow.Wall([3]int{k % r.Flow.Size[0], k / r.Flow.Size[0], plane}) {
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

// pictureFiles are the pictures that a run leaves in plots.
func pictureFiles[T lbm.Float](r *observe.State[T]) []string {
	if !r.Case.Output.Plots {
		return nil
	}
	all := []string{"speed.png", "vorticity.png"}
	if r.Flow.Lattice.Dim == 3 && observe.HasSurfaces(r.Problem) {
		all = append(all, drawing.SurfacesPicture)
	}
	if r.Case.Output.Wall != nil {
		all = append(all, wallPicture)
	}
	if r.Grids != nil {
		all = append(all, layout.Picture)
	}
	if len(r.Case.Suspensions) > 0 {
		all = append(all, drawing.SuspensionPicture)
		if r.Case.Output.Suspension.Profile != "" {
			all = append(all, drawing.ProfilePicture)
		}
	}
	if len(r.Bodies) > 0 {
		all = append(all, "forces.png")
	}
	if surfacesInPlane(r) {
		all = append(all, drawing.PressurePicture)
	}
	if r.Problem.Moving() {
		all = append(all, "bodies.png", drawing.MotionPicture)
	}
	for _, l := range r.Case.Output.Lines {
		all = append(all, linePicture(l))
	}
	return all
}
