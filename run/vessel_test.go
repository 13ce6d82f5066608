package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
	"lbmib/io/hdf5"
	"lbmib/io/table"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// tubeCase is developed flow through a tube of diameter 1 and a length along a direction, between a velocity and a pressure port.
func tubeCase(t *testing.T, along geometry.Vec, length float64, resolution int, more string) string {
	t.Helper()
	return inModel(t, models.Tube(along.Scale(1/along.Norm()), length, 256), resolution, more)
}

// inModel is flow in a model between its ports, likewise.
func inModel(t *testing.T, m *models.Model, resolution int, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tube.stl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := geometry.WriteSTL(f, "a tube", m.Points, m.Triangles); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`
[reference]
resolution = %d
velocity   = 0.02
reynolds   = 5
[domain]
lattice = "D3Q19"
vessel = { file = %q }
initial = { type = "rest" }
[fluid]
collision = "trt"
`, resolution, file)
	for k, kind := range []string{"type = \"velocity\"\nspeed = 1.0\n", "type = \"pressure\"\n"} {
		p := m.Ports[k]
		text += fmt.Sprintf("[[port]]\nname = %q\nplane = { point = [%v, %v, %v], normal = [%v, %v, %v] }\n%s",
			[]string{"in", "out"}[k], p.Point[0], p.Point[1], p.Point[2], p.Normal[0], p.Normal[1], p.Normal[2], kind)
	}
	return text + more
}

// TestFlowThroughAnObliqueTube has the flow rate, the pressure drop and the wall shear stress of Poiseuille's law: 20 nodes in the diameter.
func TestFlowThroughAnObliqueTube(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand steps of 30,000 nodes")
	}
	const length = 4.
	for _, along := range []geometry.Vec{{3, 2, 1}, {0, 0, 1}} {
		text := tubeCase(t, along, length, 20, "[run]\ntime = 6\n[output]\nplots = false\nports = { every = 1 }\nwall = { every = 3, from = 3, sample = 0.5 }\n")
		out := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, text), Options{Out: out}); err != nil {
			t.Fatal(err)
		}
		ports, err := table.Read(filepath.Join(out, "ports.csv"))
		if err != nil {
			t.Fatal(err)
		}
		n := ports.Rows()
		value := func(column string, row int) float64 {
			v, err := ports.Float(column, func(r int) bool { return r == row })
			if err != nil {
				t.Fatal(err)
			}
			return v[0]
		}
		in, leaves, area := value("flow_rate", n-2), value("flow_rate", n-1), math.Pi/4
		drop := value("p", n-2) - value("p", n-1)
		// Between the nodes next to the ports there is most of a spacing less than the length.
		want := 32. / 5 * (length - 1./20)
		t.Logf("along %v: %.5f enters, %.5f leaves of %.5f; the pressure falls by %.4f of %.4f", along, in, -leaves, area, drop, want)
		if math.Abs(in/area-1) > 0.005 || math.Abs(leaves/in+1) > 1e-4 {
			t.Errorf("along %v: %g enters and %g leaves, want %g within 0.5 %%", along, in, -leaves, area)
		}
		if math.Abs(drop/want-1) > 0.03 {
			t.Errorf("along %v: the pressure falls by %g, by Poiseuille's law %g", along, drop, want)
		}
		checkWall(t, out, along, length, 8./5, 0.02)
	}
}

// TestStressOnTheWallHasThatOfEddies: with an eddy viscosity C²|S| developed flow has the slope γ of (ν + C²γ)γ = G r/2, and the stress G R/2 on
// its wall, a sixth of which is that of the eddies here.
func TestStressOnTheWallHasThatOfEddies(t *testing.T) {
	const constant, resolution, speed, reynolds = 1., 14, 0.03, 5.
	nu, square := speed/reynolds*resolution, constant*constant // lattice units
	wall := func(g float64) (stress, flow float64) {
		const n, radius = 1000, resolution / 2.
		for k := range n {
			r := radius * (float64(k) + 0.5) / n
			slope := (math.Sqrt(nu*nu+2*square*g*r) - nu) / (2 * square)
			flow += math.Pi * r * r * slope * radius / n
		}
		return g * radius / 2, flow
	}
	lo, hi, stress := 0., 1., 0.
	for range 60 {
		mid := (lo + hi) / 2
		s, flow := wall(mid)
		if stress = s; flow < math.Pi/4*resolution*resolution*speed {
			lo = mid
		} else {
			hi = mid
		}
	}
	along := geometry.Vec{2, 1, 0}
	const length = 2.
	text := tubeCase(t, along, length, resolution, "[run]\ntime = 2\n[output]\nplots = false\nwall = { every = 2, from = 1.5, sample = 0.5 }\n")
	out := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, text, fmt.Sprintf(`fluid.les={ type = "smagorinsky", constant = %v }`, constant), fmt.Sprintf("reference.velocity=%v", speed)), Options{Out: out}); err != nil {
		t.Fatal(err)
	}
	checkWall(t, out, along, length, stress/(speed*speed), 0.04)
}

// checkWall holds the mean over time of the stress on the middle half of a tube against a value: at every vertex within share, on average within half of that.
func checkWall(t *testing.T, out string, along geometry.Vec, length, want, share float64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "wall", "*.vtkhdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file of the wall: %v", err)
	}
	p, err := vtkhdf.ReadPoly(files[len(files)-1], "wall_shear_stress_mean", "oscillatory_index")
	if err != nil {
		t.Fatal(err)
	}
	means, index := p.Arrays[0].Data.([]float32), p.Arrays[1].Data.([]float32)
	unit := along.Scale(1 / along.Norm())
	count, sum, worst := 0, 0., 0.
	for k, x := range p.Points {
		s := geometry.Vec(x).Dot(unit)
		if s < length/4 || s > 3*length/4 {
			continue
		}
		tau := float64(means[k])
		count, sum, worst = count+1, sum+tau, max(worst, math.Abs(tau/want-1))
		if index[k] > 0.001 {
			t.Errorf("the oscillatory index at %v is %g, want 0 in a steady flow", x, index[k])
			return
		}
	}
	if count == 0 {
		t.Fatal("no vertex in the middle")
	}
	t.Logf("the mean of %d stresses is %.4f of %.4f, the worst is off by %.2f %%", count, sum/float64(count), want, 100*worst)
	if mean := sum / float64(count); math.Abs(mean/want-1) > share/2 || worst > share {
		t.Errorf("the stress on the wall is %g on average, want %g within %g %%; the worst is off by %.2g, want at most %g", mean, want, 50*share, worst, share)
	}
}

// TestAVesselGoesOnWhereItWasInterrupted with the same bytes, on another number of threads.
func TestAVesselGoesOnWhereItWasInterrupted(t *testing.T) {
	text := tubeCase(t, geometry.Vec{2, 1, 0}, 1.5, 10, "[run]\ntime = 1\n[output]\nplots = false\nports = { every = 0.1 }\nwall = { every = 0.5, from = 0, sample = 0.05 }\ncheckpoint = { every = 0.5 }\n")
	text = string(bytes.Replace([]byte(text), []byte("type = \"pressure\"\n"), []byte("type = \"windkessel\"\nresistance = 2.0\ncapacitance = 0.05\n"), 1))
	whole, half := t.TempDir(), t.TempDir()
	for _, step := range []struct {
		out    string
		resume bool
		sets   []string
	}{{whole, false, []string{"run.threads=1"}}, {half, false, []string{"run.time=0.5", "run.threads=2"}}, {half, true, []string{"run.threads=2"}}} {
		if _, err := Run(t.Context(), setuptest.Load(t, text, step.sets...), Options{Out: step.out, Resume: step.resume}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ports.csv", "wall.vtkhdf.series"} {
		one, err := os.ReadFile(filepath.Join(whole, name))
		two, e := os.ReadFile(filepath.Join(half, name))
		if err != nil || e != nil || len(one) == 0 || !bytes.Equal(one, two) {
			t.Errorf("%s is another after an interruption: %v, %v\n%s\n%s", name, err, e, one, two)
		}
	}
	last := func(dir string) []float32 {
		files, _ := filepath.Glob(filepath.Join(dir, "wall", "*.vtkhdf"))
		p, err := vtkhdf.ReadPoly(files[len(files)-1], "wall_shear_stress_mean")
		if err != nil {
			t.Fatal(err)
		}
		return p.Arrays[0].Data.([]float32)
	}
	a, b := last(whole), last(half)
	for k := range a {
		if a[k] != b[k] {
			t.Fatalf("the mean stress at vertex %d is %g, without an interruption %g", k, b[k], a[k])
		}
	}
}

// TestATubeInABoxOfMoreNodesThanAreCounted runs, looks at all that it can, and goes on: of the 2.2·10⁹ nodes of the box 1.1·10⁵ are fluid.
func TestATubeInABoxOfMoreNodesThanAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	third := 1 / math.Sqrt(3)
	m := models.Tube(geometry.Vec{third, third, third}, 280, 16)
	text := inModel(t, m, 8, `[run]
time = 0.0125
threads = 2
[output]
plots = false
ports = { every = 0.0025 }
probes = [{ name = "middle", at = [80.0, 80.0, 80.0], every = 0.0025 }]
sections = [{ name = "across", axis = "z", at = 80.0, every = 0.0125 }]
checkpoint = { every = 0.005 }
`)
	whole, half := t.TempDir(), t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, text), Options{Out: whole})
	if err != nil {
		t.Fatal(err)
	}
	if s.Storage != "runs" || s.Steps != 5 || s.Nodes < 100_000 || s.Nodes > 120_000 {
		t.Errorf("%d steps of %d nodes stored by %s", s.Steps, s.Nodes, s.Storage)
	}
	for _, step := range []struct {
		time   string
		resume bool
	}{{"run.time=0.005", false}, {"run.time=0.0125", true}} {
		if _, err := Run(t.Context(), setuptest.Load(t, text, step.time), Options{Out: half, Resume: step.resume}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"ports.csv", "probes.csv", "sections.csv"} {
		one, err := os.ReadFile(filepath.Join(whole, name))
		two, e := os.ReadFile(filepath.Join(half, name))
		if err != nil || e != nil || len(one) < 60 || !bytes.Equal(one, two) {
			t.Errorf("%s is another after an interruption: %v, %v\n%s\n%s", name, err, e, one, two)
		}
	}
	c := setuptest.Load(t, text, "output.fields.every=0.005")
	if _, err := Run(t.Context(), c, Options{Out: t.TempDir()}); err == nil || !strings.Contains(err.Error(), `use output.fields.format = "fluid"`) {
		t.Errorf("fields of the whole box are written: %v", err)
	}
}

// TestFieldsOfTheFluidAlone are those of the box at its nodes, between which voxels have all of their corners in the fluid.
func TestFieldsOfTheFluidAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	text := tubeCase(t, geometry.Vec{2, 1, 0}, 1.5, 8, "[run]\ntime = 0.1\n[output]\nplots = false\nfields = { every = 0.1, quantities = [\"density\", \"velocity\", \"vorticity\", \"q_criterion\", \"pressure\", \"body\"] }\n")
	var names [2]string
	for k, format := range []string{"image", "fluid"} {
		out := t.TempDir()
		c := setuptest.Load(t, text, "output.fields.format="+format, "run.backend=cpu")
		if _, err := Run(t.Context(), c, Options{Out: out}); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(out, "fields", "*.vtkhdf"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		names[k] = files[len(files)-1]
	}
	p, err := setup.New(setuptest.Load(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.MarkSolids(); err != nil {
		t.Fatal(err)
	}
	fluid, err := hdf5.Open(names[1])
	if err != nil {
		t.Fatal(err)
	}
	defer fluid.Close()
	for quantity, components := range map[string]int{"density": 1, "velocity": 3, "vorticity": 3, "q_criterion": 1, "pressure": 1, "body": 1} {
		box, err := vtkhdf.ReadField(names[0], quantity, p.Flow.Size, components)
		if err != nil {
			t.Fatal(err)
		}
		name := "/VTKHDF/PointData/" + quantity
		if shape, err := fluid.Shape(name); err != nil || shape[0] != p.Flow.Nodes() {
			t.Fatalf("%s has the shape %v, %d nodes, %v", quantity, shape, p.Flow.Nodes(), err)
		}
		some := make([]float32, components*p.Flow.Nodes())
		if err := hdf5.ReadDataset(fluid, name, some); err != nil {
			t.Fatal(err)
		}
		for n := range p.Flow.Nodes() {
			x := p.Flow.Position(n)
			at := x[0] + p.Flow.Size[0]*(x[1]+p.Flow.Size[1]*x[2])
			for i := range components {
				a, b := some[components*n+i], box[components*at+i]
				if math.Abs(float64(a-b)) > 1e-6*(1+math.Abs(float64(b))) {
					t.Fatalf("%s at node %v is %g, on the image %g", quantity, x, a, b)
				}
			}
		}
	}
}
