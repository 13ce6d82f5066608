package report

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/run"
	"lbmib/run/rundir"
)

// ball is a sphere of which a run leaves slices and no fields.
const ball = `
[reference]
resolution = 6
velocity   = 0.05
reynolds   = 20
[domain]
lattice = "D3Q19"
size    = [4.0, 3.0, 3.0]
initial = { type = "uniform", velocity = [1.0, 0.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
front  = { type = "free-slip" }
back   = { type = "free-slip" }
[[body]]
name   = "ball"
shape  = { type = "sphere", center = [1.5, 1.5, 1.5], diameter = 1.0 }
[run]
steps = 12
[output]
slices = [ { name = "middle", axis = "z", at = 1.5, every = 0.1 } ]
`

// ran runs a case and opens its directory.
func ran(t *testing.T, sets ...string) *Directory {
	t.Helper()
	c, err := casefile.Parse("ball.toml", []byte(ball), sets)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := run.Run(context.Background(), c, run.Options{Out: dir, Quiet: true, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir)
}

func opened(t *testing.T, dir string) *Directory {
	t.Helper()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Nodes of a slice that are in a body are known by its shape and place, whether it stands or moves, and are not drawn as fluid.
func TestNodesOfASliceInABodyAreNotDrawn(t *testing.T) {
	for _, c := range []struct {
		name    string
		sets    []string
		center  func(time float64) [3]float64
		outline bool // that of the run's own picture
	}{
		{"through the centre", nil, func(float64) [3]float64 { return [3]float64{1.5, 1.5, 1.5} }, true},
		{"aside", []string{"output.slices.0.at=1.84"}, func(float64) [3]float64 { return [3]float64{1.5, 1.5, 1.5} }, false},
		{"moving", []string{`body.0.motion={type="prescribed", velocity=[-1.0, 0.5, 0.0]}`, "output.bodies.every=0.01"},
			func(t float64) [3]float64 { return [3]float64{1.5 - t, 1.5 + t/2, 1.5} }, false},
		{"moving, not recorded", []string{`body.0.motion={type="prescribed", velocity=[-1.0, 0.5, 0.0]}`, "output.bodies.every=5", "output.forces.every=5"},
			func(t float64) [3]float64 { return [3]float64{1.5 - t, 1.5 + t/2, 1.5} }, false},
	} {
		d := ran(t, append(c.sets, "output.plots=false")...)
		p, _, err := d.find(Choice{Step: -1})
		if err != nil || p == nil || p.unknown || len(p.inside) != p.size[0]*p.size[1] || (len(p.outlines) > 0) != c.outline {
			t.Fatalf("%s: %+v, %v", c.name, p, err)
		}
		m := plot.Field{Nx: p.size[0], Ny: p.size[1]}
		if err := p.field(&m, "speed"); err != nil {
			t.Fatal(err)
		}
		at, count := c.center(p.time), 0
		for n, in := range p.inside {
			x, y := p.origin[0]+float64(n%m.Nx)*p.dx, p.origin[1]+float64(n/m.Nx)*p.dx
			far := math.Sqrt((x-at[0])*(x-at[0])+(y-at[1])*(y-at[1])+(p.height-at[2])*(p.height-at[2])) - 0.5
			if math.Abs(far) > 0.6*p.dx && in != (far < 0) { // a slice may lie between two layers
				t.Errorf("%s: (%.3g, %.3g) is %.3g L outside, in the body: %v", c.name, x, y, far, in)
			}
			if math.IsNaN(m.Values[n]) != in || m.Bodies[n] != in {
				t.Errorf("%s: the speed at (%.3g, %.3g) is %v, in the body: %v", c.name, x, y, m.Values[n], in)
			}
			if in {
				count++
			}
		}
		if count < 8 {
			t.Errorf("%s: %d nodes are in the body", c.name, count)
		}
	}
}

// Where it is not known any more where bodies are the run's own pictures, which have them, stay.
func TestPicturesOfARunStayWhereItsBodiesAreLost(t *testing.T) {
	d := ran(t)
	own := d.file("plots", "speed.png")
	before, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	if files, err := Pictures(d, Choice{Fields: []string{"speed"}, Step: -1}); err != nil || !slices.Contains(files, own) {
		t.Errorf("drawn %q, %v", files, err)
	}
	if err := os.WriteFile(own, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(d.file(rundir.CaseCopy)); err != nil {
		t.Fatal(err)
	}
	files, err := Pictures(opened(t, d.Path), Choice{Fields: []string{"speed"}, Step: -1})
	if err != nil || !slices.Contains(files, d.file("plots", "speed_000000012.png")) || slices.Contains(files, own) {
		t.Errorf("drawn %q, %v", files, err)
	}
	if after, err := os.ReadFile(own); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the run's own picture is another: %v", err)
	}
}
