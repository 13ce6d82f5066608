package run

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
	"lbmib/io/table"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup/setuptest"
)

// ballFile is a ball of diameter 1 about the origin, of triangles, in a unit that is a tenth of it.
func ballFile(t *testing.T) string {
	t.Helper()
	const rings, around = 24, 48
	var points []geometry.Vec
	var triangles [][3]int
	at := func(i, j int) int { return i*around + j%around }
	for i := range rings + 1 {
		for j := range around {
			theta, phi := math.Pi*float64(i)/rings, 2*math.Pi*float64(j)/around
			points = append(points, geometry.Vec{math.Sin(theta) * math.Cos(phi), math.Sin(theta) * math.Sin(phi), math.Cos(theta)}.Scale(5))
		}
	}
	for i := range rings {
		for j := range around {
			if i > 0 {
				triangles = append(triangles, [3]int{at(i, j), at(i+1, j), at(i, j+1)})
			}
			if i < rings-1 {
				triangles = append(triangles, [3]int{at(i, j+1), at(i+1, j), at(i+1, j+1)})
			}
		}
	}
	for k := range around { // the poles are points
		points[k], points[rings*around+k] = geometry.Vec{0, 0, 5}, geometry.Vec{0, 0, -5}
	}
	file := filepath.Join(t.TempDir(), "ball.stl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := geometry.WriteSTL(f, "a ball", points, triangles); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// ballCase is that ball in a stream.
func ballCase(t *testing.T) string {
	return `
[reference]
resolution = 12
velocity = 0.1
reynolds = 40
[domain]
lattice = "D3Q19"
size = [6.0, 4.0, 4.0]
initial = { type = "uniform", velocity = [1.0, 0.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
front  = { type = "free-slip" }
back   = { type = "free-slip" }
[fluid]
collision = "trt"
[[body]]
name = "ball"
shape = { type = "stl", file = "` + ballFile(t) + `", scale = 0.1, center = [2.0, 2.0, 2.0] }
[run]
time = 6.0
[output]
surfaces = { every = 3.0 }
`
}

// The surface of a body from a file has the force of the body on it, its stagnation pressure in front, and friction along it.
func TestSurfacesHaveWhatTheFlowDoesToThem(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := t.TempDir()
	var said strings.Builder
	s, err := Run(t.Context(), setuptest.Load(t, ballCase(t)), Options{Out: dir, Progress: &said})
	if err != nil {
		t.Fatal(err)
	}
	if want := `body "ball": −5…5 × −5…5 × −5…5 in its file, placed at 1.5…2.5 × 1.5…2.5 × 1.5…2.5 L`; !strings.Contains(strings.Join(strings.Fields(said.String()), " "), want) {
		t.Errorf("the run begins with %s", said.String())
	}
	poly, err := vtkhdf.ReadPoly(filepath.Join(dir, "surfaces", "surfaces_000000720.vtkhdf"), "traction", "friction_coefficient", "pressure_coefficient")
	if err != nil {
		t.Fatal(err)
	}
	array := func(name string) []float32 {
		for _, a := range poly.Arrays {
			if a.Name == name {
				return a.Data.([]float32)
			}
		}
		t.Fatalf("there is no %s", name)
		return nil
	}
	traction, friction, pressure := array("traction"), array("friction_coefficient"), array("pressure_coefficient")
	var force, viscous, by, area float64 // along x
	for _, c := range poly.Triangles {
		p, q, r := geometry.Vec(poly.Points[c[0]]), geometry.Vec(poly.Points[c[1]]), geometry.Vec(poly.Points[c[2]])
		n := q.Sub(p).Cross(r.Sub(p)).Scale(0.5)
		area += n.Norm()
		for _, k := range c {
			force += n.Norm() * float64(traction[3*k]) / 3
			viscous += n.Norm() * float64(friction[3*k]) / 3
			by -= n[0] * float64(pressure[k]) / 3
		}
	}
	frontal := math.Pi / 4
	cd := cellsOf(t, dir, "forces.csv", "cd")
	if last := cd[len(cd)-1]; math.Abs(force/frontal/last-1) > 0.03 {
		t.Errorf("the traction sums to a drag of %v, want %v", force/frontal, last)
	}
	if got := (viscous + by) / frontal / cd[len(cd)-1]; math.Abs(got-1) > 0.15 { // the pressure is that a node or two away
		t.Errorf("friction and pressure sum to %v of the drag: %v and %v", got, viscous/frontal, by/frontal)
	}
	front, most := math.NaN(), math.Inf(-1)
	for k, x := range poly.Points {
		if x[0] < 1.501 {
			front = float64(pressure[k])
		}
		most = math.Max(most, float64(pressure[k]))
	}
	if !(front > 0.9 && front < 1.6) || most > front+0.05 { // 1 + 6/Re and more: viscosity, and walls beside it
		t.Errorf("C_p in front is %v, at most %v", front, most)
	}
	if math.Abs(area-math.Pi) > 0.03 || s.Bodies["ball"].CdMean < 1.5 {
		t.Errorf("the surface is %v, the drag %v", area, s.Bodies["ball"].CdMean)
	}
}

// streamCase is a cylinder in a stream at Re = 20.
const streamCase = `
[reference]
resolution = 12
velocity = 0.1
reynolds = 20
[domain]
lattice = "D2Q9"
size = [12.0, 12.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[fluid]
collision = "trt"
[[body]]
name = "cylinder"
shape = { type = "circle", center = [5.0, 6.0], diameter = 1.0 }
[run]
time = 14.0
[output]
surfaces = { every = 14.0 }
fields = { every = 14.0, quantities = ["density"] }
`

// onPoints is an array of a file of surfaces or markers.
func onPoints(t *testing.T, file, name string) []float32 {
	t.Helper()
	poly, err := vtkhdf.ReadPoly(file, name)
	if err != nil {
		t.Fatal(err)
	}
	return poly.Arrays[0].Data.([]float32)
}

// The pressure in front of a cylinder is that of the literature, pressure and friction sum to its drag, and the table, the surfaces and the markers beside fields tell the same.
func TestPressureAndFrictionOnACylinderMakeItsDrag(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, streamCase), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	column := func(name string) []float64 { return cellsOf(t, dir, "pressure.csv", name) }
	angle, s, cp, cf, cfx, length, nx := column("angle"), column("s"), column("cp"), column("cf"), column("cf_x"), column("length"), column("nx")
	pressure, friction, front := 0., 0., math.NaN()
	for k := range angle {
		pressure -= cp[k] * nx[k] * length[k]
		friction += cfx[k] * length[k]
		if math.Abs(angle[k]-180) < 5 {
			front = cp[k]
		}
		if a := angle[k]; a > 100 && a < 170 && !(cf[k] < 0) || a > 190 && a < 260 && !(cf[k] > 0) { // along the flow: clockwise above
			t.Errorf("at %v degrees the friction is %v, anticlockwise", a, cf[k])
		}
		if want := angle[k] * math.Pi / 360; math.Abs(s[k]-s[0]-want) > 1e-9 {
			t.Errorf("at %v degrees s is %v behind the first marker, want %v", angle[k], s[k]-s[0], want)
		}
	}
	cd := cellsOf(t, dir, "forces.csv", "cd")
	last := cd[len(cd)-1]
	// 1.269 of Dennis & Chang, J. Fluid Mech. 42 (1970) 471, table 5, in an unbounded stream; the pressure is that two nodes of 12 to a diameter away, and faces
	// six diameters away raise it.
	if math.Abs(front/1.269-1) > 0.08 {
		t.Errorf("C_p in front is %v, want 1.269", front)
	}
	if got := (pressure + friction) / last; math.Abs(got-1) > 0.1 { // the pressure two nodes away, at 1.3 radii, is less
		t.Errorf("pressure %v and friction %v sum to %v of the drag, %v", pressure, friction, got, last)
	}
	surface, markers := filepath.Join(dir, "surfaces", "surfaces_000001680.vtkhdf"), filepath.Join(dir, "fields", "case_markers_000001680.vtkhdf")
	for _, name := range []string{"normal", "area", "traction", "friction_coefficient", "pressure_coefficient"} {
		a, b := onPoints(t, surface, name), onPoints(t, markers, name)
		differ := len(a) != len(b)
		for k := 0; k < len(a) && !differ; k++ {
			differ = !(math.Abs(float64(a[k]-b[k])) < 1e-6) // single precision
		}
		if len(a) == 0 || differ {
			t.Errorf("%s is %v on the surface and %v on the markers", name, a, b)
		}
		if name == "pressure_coefficient" && (len(a) != len(cp) || a[0] != float32(cp[0])) {
			t.Errorf("C_p is %v in the table and %v in the file", cp, a)
		}
	}
	poly, err := vtkhdf.ReadPoly(surface)
	if err != nil {
		t.Fatal(err)
	}
	if len(poly.Lines) != 1 || len(poly.Lines[0]) != len(cp)+1 || poly.Lines[0][len(cp)] != 0 {
		t.Errorf("the surface is lines of %v", poly.Lines)
	}
	if _, err := os.Stat(filepath.Join(dir, "plots", "body_pressure.png")); err != nil {
		t.Error(err)
	}
}

// couetteCase is a shaft that turns in a fixed ring.
const couetteCase = `
[reference]
resolution = 20
velocity = 0.05
reynolds = 5
[domain]
lattice = "D2Q9"
size = [3.0, 3.0]
[domain.boundary]
left   = { type = "no-slip" }
right  = { type = "no-slip" }
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "trt"
[[body]]
name = "shaft"
shape = { type = "circle", center = [1.5, 1.5], diameter = 1.0 }
motion = { type = "prescribed", spin = 2.0 }
[[body]]
name = "ring"
shape = { type = "circle", center = [1.5, 1.5], diameter = 2.4 }
fluid = "inside"
[run]
time = 8.0
[output]
surfaces = { every = 8.0 }
`

// Between a shaft that turns and a ring around it u = Ar + B/r: friction on both is 2νB/r² and the pressure grows outwards by ρu²/r.
func TestFrictionAndPressureBetweenTurningCylindersAreExact(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, couetteCase), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	const r1, r2, nu = 0.5, 1.2, 1. / 5 // L, and UL
	a := -r1 * r1 / (r2*r2 - r1*r1) * 2 // at the rate 2
	b := -a * r2 * r2
	head := func(r float64) float64 { return a*a*r*r/2 + 2*a*b*math.Log(r) - b*b/(2*r*r) } // ∫u²/r, in ρU²
	cp, cf, step := cellsOf(t, dir, "pressure.csv", "cp"), cellsOf(t, dir, "pressure.csv", "cf"), cellsOf(t, dir, "pressure.csv", "step")
	var mean, friction [2]float64
	rows, err := table.Read(filepath.Join(dir, "pressure.csv"))
	if err != nil {
		t.Fatal(err)
	}
	bodies, err := rows.Text("body", nil)
	if err != nil {
		t.Fatal(err)
	}
	var n [2]float64
	for k := range cp {
		if step[k] == step[len(step)-1] {
			i := map[string]int{"shaft": 0, "ring": 1}[bodies[k]]
			mean[i], friction[i], n[i] = mean[i]+cp[k], friction[i]+cf[k], n[i]+1
		}
	}
	for i := range n {
		mean[i], friction[i] = mean[i]/n[i], friction[i]/n[i]
	}
	// On the shaft against its turning, clockwise; on the ring with it, and anticlockwise around a wall with the fluid inside is clockwise.
	want := [2]float64{-2 * 2 * nu * b / (r1 * r1), -2 * 2 * nu * b / (r2 * r2)}
	for i, name := range []string{"shaft", "ring"} {
		if math.Abs(friction[i]/want[i]-1) > 0.005 { // second order in a gap of 14 nodes
			t.Errorf("C_f on the %s is %v, want %v", name, friction[i], want[i])
		}
	}
	const away = 1.5 * 4 / math.Pi / 20 // where the supports of roma3 end, 1.5 nodes along each axis, in the mean around a circle
	if got, want := mean[1]-mean[0], 2*(head(r2-away)-head(r1+away)); math.Abs(got/want-1) > 0.02 {
		t.Errorf("C_p grows by %v from the shaft to the ring, want %v", got, want)
	}
}
