package setup_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// tubeCase is a tube of diameter 1 along (1, 2, 2)/3 in millimetres, five long, with L = 1 mm.
const tubeCase = `
[reference]
resolution = 16
velocity = 0.05
reynolds = 20
length = "1 mm"
speed = "10 mm/s"
density = "1000 kg/m^3"
[domain]
lattice = "D3Q19"
vessel = { file = "tube.stl", scale = "1 mm" }
[[port]]
name = "in"
plane = { point = [0, 0, 0], normal = [1, 2, 2] }
type = "velocity"
flow_rate = 0.5
factor = "1 + 0.2*sin(2*pi*t)"
[[port]]
name = "out"
plane = { point = [1.6666667, 3.3333333, 3.3333333], normal = [-1, -2, -2] }
type = "windkessel"
resistance = 3
capacitance = 0.25
pressure = 0.5
[run]
time = 5
`

// tubeProblem is the problem of a case beside the tube's file.
func tubeProblem(t *testing.T, text string, flip bool) (*setup.Problem, error) {
	t.Helper()
	m := models.Tube(geometry.Vec{1. / 3, 2. / 3, 2. / 3}, 5, 96)
	if flip {
		for i, c := range m.Triangles {
			m.Triangles[i] = [3]int{c[0], c[2], c[1]}
		}
	}
	var file bytes.Buffer
	if err := geometry.WriteSTL(&file, "tube", m.Points, m.Triangles); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tube.stl"), file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := casefile.Parse(filepath.Join(dir, "case.toml"), []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return setup.New(c)
}

// The fluid is what is not solid; links out of it are cut, and what ports do is in lattice units.
func TestVesselOnTheLattice(t *testing.T) {
	p, err := tubeProblem(t, tubeCase, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.MarkSolids(); err != nil {
		t.Fatal(err)
	}
	if p.Flow.Solid != nil || p.Flow.Inside == nil {
		t.Fatal("a mask of the box is made")
	}
	if err := p.TakeMask(); err != nil {
		t.Fatal(err)
	}
	fluid, next := int64(0), 0
	cuts := p.Flow.Cuts
	for node, solid := range p.Flow.Solid {
		if solid {
			continue
		}
		fluid++
		x := p.Flow.Position(node)
		for i, c := range p.Flow.Lattice.C {
			if n := p.Flow.Node([3]int{x[0] - c[0], x[1] - c[1], x[2] - c[2]}); p.Flow.Solid[n] {
				if next == len(cuts) || int(cuts[next].Node) != node || int(cuts[next].I) != i {
					t.Fatalf("the link of node %v along %v is not cut, or not in order", x, c)
				}
				next++
			}
		}
	}
	if next != len(cuts) || fluid != p.Vessel.Fluid.Nodes {
		t.Errorf("%d links, %d are cut; %d nodes, %d are told", next, len(cuts), fluid, p.Vessel.Fluid.Nodes)
	}
	s := &p.Vessel.Sections[0]
	in := p.Flow.Ports[0].Velocity(p.Node(s.Center))
	for a, n := range s.Normal { // a parabola has twice the mean in its middle
		if want := 2 * 0.5 / s.Area * 0.05 * n; math.Abs(in[a]-want) > 1e-3*math.Abs(want) {
			t.Errorf("the velocity in the middle of the inlet is %v, want %v along %d", in, want, a)
		}
	}
	if a := p.Flow.Ports[0].Amplitude(0.25 * 16 / 0.05); math.Abs(a-1.2) > 1e-12 {
		t.Errorf("the factor a quarter of a period on is %v, want 1.2", a)
	}
	out := p.Flow.Ports[1]
	for _, q := range []struct {
		what      string
		got, want float64
	}{
		{"flow rate", p.Flow.Ports[0].FlowRate, 0.5 * 16 * 16 * 0.05},
		{"density for p = 0.5 ρU²", out.Density, 1 + 3*0.5*0.05*0.05},
		{"resistance in ρU/L²", out.Resistance, 3 * 0.05 / (16 * 16)},
		{"capacitance in L³/(ρU²)", out.Capacitance, 0.25 * 16 * 16 * 16 / (0.05 * 0.05)},
		{"fastest", p.Vessel.Fastest[0], 1.2 * 2 * 0.5 / s.Area},
	} {
		if math.Abs(q.got/q.want-1) > 1e-3 {
			t.Errorf("%s: %v, want %v", q.what, q.got, q.want)
		}
	}
}

func TestVesselsThatCannotBe(t *testing.T) {
	for _, bad := range []struct {
		name, old, new string
		flip           bool
		says           string
	}{
		{"an end without a port", `
[[port]]
name = "out"
plane = { point = [1.6666667, 3.3333333, 3.3333333], normal = [-1, -2, -2] }
type = "windkessel"
resistance = 3
capacitance = 0.25
pressure = 0.5`, "", false, ":11:1: domain.vessel: the surface has a hole around (1.667, 3.333, 3.333)"},
		{"a port elsewhere", "point = [0, 0, 0]", "point = [2, 0, 0]", false, `:14:1: port.0.plane: port "in": its point`},
		{"a port the wrong way round", "normal = [-1, -2, -2]", "normal = [1, 2, 2]", false, `port.1.plane: port "out": its plane through (1.667, 3.333, 3.333) cuts nothing`},
		{"another unit", `scale = "1 mm"`, `scale = "1 um"`, false, `is the scale right?`},
		{"inverted", "", "", true, "domain.vessel: the surface is inverted"},
		{"too fast", "flow_rate = 0.5", "flow_rate = 5", false, `port.0: port "in" reaches 15.`},
		{"too dense", "pressure = 0.5", "pressure = 50", false, `port.1.pressure: port "out" prescribes 50 ρU², with which the density deviates by 0.375`},
	} {
		t.Run(bad.name, func(t *testing.T) {
			_, err := tubeProblem(t, strings.Replace(tubeCase, bad.old, bad.new, 1), bad.flip)
			if err == nil || !strings.Contains(err.Error(), bad.says) {
				t.Errorf("%v\nwant %q", err, bad.says)
			}
		})
	}
}

// A mask of voxels, in which the vessel goes from edge to edge, is a vessel between ports before the edges.
func TestVesselOfAnImage(t *testing.T) {
	const nx, ny = 40, 21
	file := bytes.NewBufferString("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 40 21 21\nspacings: 0.1 0.1 0.1\nencoding: raw\n\n")
	for z := range ny {
		for y := range ny {
			for range nx {
				if (y-10)*(y-10)+(z-10)*(z-10) <= 36 {
					file.WriteByte(1)
				} else {
					file.WriteByte(0)
				}
			}
		}
	}
	header, voxels, _ := bytes.Cut(file.Bytes(), []byte("\n\n"))
	dir := t.TempDir()
	for name, content := range map[string][]byte{"mask.nrrd": file.Bytes(), "mask.nhdr": append(header, "\ndata file: mask.raw\n"...), "mask.raw": voxels} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"mask.nrrd", "mask.nhdr"} {
		t.Run(name, func(t *testing.T) { checkMask(t, dir, name) })
	}
	with := func() string {
		c, err := casefile.Parse(filepath.Join(dir, "case.toml"), []byte(strings.Replace(tubeCase, `"tube.stl"`, `"mask.nhdr", threshold = 0.5`, 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c.Domain.Vessel.SHA256
	}
	before := with()
	voxels[len(voxels)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "mask.raw"), voxels, 0o666); err != nil {
		t.Fatal(err)
	}
	if with() == before {
		t.Error("the sum of an image does not tell that its data is other than before")
	}
}

// checkMask holds a tube of voxels in a file of a folder.
func checkMask(t *testing.T, dir, name string) {
	text := strings.NewReplacer(`"tube.stl", scale = "1 mm"`, `"`+name+`", threshold = 0.5, scale = "1 mm"`, "[0, 0, 0], normal = [1, 2, 2]", "[0.2, 1, 1], normal = [1, 0, 0]",
		"[1.6666667, 3.3333333, 3.3333333], normal = [-1, -2, -2]", "[3.7, 1, 1], normal = [-1, 0, 0]").Replace(tubeCase)
	c, err := casefile.Parse(filepath.Join(dir, "case.toml"), []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.MarkSolids(); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Vessel.Sections { // 113 voxels have their middles inside
		if math.Abs(s.Area/1.13-1) > 0.04 {
			t.Errorf("port %s has the area %v, want about 1.13", s.Name, s.Area)
		}
	}
	if want := 3.5 * 1.13; math.Abs(p.Vessel.Volume()/want-1) > 0.05 || p.Vessel.Links.Guessed > 18*p.Vessel.Links.Thin || p.Vessel.Links.Thin > 100 {
		t.Errorf("volume %v, want about %v; %d nodes are left out, %d links guessed", p.Vessel.Volume(), want, p.Vessel.Links.Thin, p.Vessel.Links.Guessed)
	}
}
