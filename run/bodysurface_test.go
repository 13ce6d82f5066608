package run

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
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
