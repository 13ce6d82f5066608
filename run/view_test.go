package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lbmib/hybrid"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/view"
	"lbmib/lbm"
	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// watchedCase is a small cylinder with outputs of every kind.
const watchedCase = `
[reference]
resolution = 8
velocity = 0.1
reynolds = 60
[domain]
lattice = "D2Q9"
size = [10.0, 6.0]
initial = { type = "shear", velocity = [1.0, 0.0], amplitude = 0.05 }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name  = "cylinder"
spacing = 1.0
shape = { type = "circle", center = [3.0, 3.0], diameter = 1.0 }
[run]
time = 3.0
threads = 2
[output]
forces     = { every = 0.05 }
fields     = { every = 1.5, quantities = ["velocity", "density", "vorticity"] }
plots      = false # drawn from what is compared here, and slow
checkpoint = { every = 1.5, keep = 2 }
probes     = [ { name = "wake", at = [5.0, 3.0], every = 0.1 } ]
`

// watchedSphere is its counterpart in space, periodic, with a wall inside.
const watchedSphere = `
[reference]
resolution = 6
velocity = 0.1
reynolds = 40
[domain]
lattice = "D3Q19"
size = [4.0, 6.5, 3.0]
initial = { type = "uniform", velocity = [1.0, 0.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0, 0.0] }
right  = { type = "outflow" }
[[solid]]
name  = "block"
shape = { type = "box", min = [2.5, 3.0, 0.0], max = [3.0, 6.5, 3.0] }
[[body]]
name  = "sphere"
spacing = 1.2
shape = { type = "sphere", center = [1.4, 1.5, 1.2], diameter = 1.0 }
[run]
time = 2.0
`

// onScreen is a screen of 60 × 20 characters that writes to buf.
func onScreen(buf *bytes.Buffer) *view.Screen {
	return view.NewScreen(buf, func() (int, int, error) { return 60, 20, nil }, view.TrueColor)
}

// leftBy runs a case and returns what it leaves that does not tell the time of
// day: files, the bodies' statistics and the last state.
func leftBy(t *testing.T, c *casefile.Case, o Options) map[string]any {
	t.Helper()
	o.Out = t.TempDir()
	s, err := Run(t.Context(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{"steps": s.Steps, "status": s.Status, "bodies": fmt.Sprint(s.Bodies)}
	err = filepath.WalkDir(o.Out, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".ckpt") || name == rundir.CaseCopy {
			return err
		}
		text, err := os.ReadFile(path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	saved, _, err := checkpoint.Latest(filepath.Join(o.Out, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range saved.Names() {
		if all[name], err = saved.Float64(name); err != nil {
			if all[name], err = saved.Int64(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

func TestAViewChangesNoBitOfTheResults(t *testing.T) {
	plain := leftBy(t, setuptest.Load(t, watchedCase), Options{})
	var terminal bytes.Buffer
	watched := leftBy(t, setuptest.Load(t, watchedCase), Options{View: onScreen(&terminal), viewEvery: time.Nanosecond})
	if frames := strings.Count(terminal.String(), "\x1b[J"); frames < 100 { // of 120 steps
		t.Fatalf("%d pictures were drawn: too few to disturb anything", frames)
	}
	for _, name := range []string{"forces.csv", "probes.csv", "case_000000120.vtkhdf", "f08"} {
		if plain[name] == nil {
			t.Errorf("%s is not compared", name)
		}
	}
	if len(watched) != len(plain) {
		t.Errorf("%d results with a view, %d without", len(watched), len(plain))
	}
	for name, want := range plain {
		if !reflect.DeepEqual(watched[name], want) {
			t.Errorf("%s differs with a view", name)
		}
	}
}

func TestTheViewEndsWithTheLastStateAndProgress(t *testing.T) {
	var terminal bytes.Buffer
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase), Options{Out: t.TempDir(), View: onScreen(&terminal)}); err != nil {
		t.Fatal(err)
	}
	shown := terminal.String()
	last := shown[strings.LastIndex(shown, "\x1b[?2026h"):]
	for _, want := range []string{"▀", "vorticity L/U", "100 %", "\x1b[?25h"} {
		if !strings.Contains(last, want) {
			t.Errorf("the last picture is without %q", want)
		}
	}
	if !strings.HasSuffix(shown, "\r\n") {
		t.Error("the cursor does not end below the picture")
	}
}

// setUp brings a case to the state after some steps.
func setUp(t *testing.T, c *casefile.Case, steps int) *run[float64] {
	t.Helper()
	c.Run.Backend = "cpu"
	o := Options{Threads: 2, Out: t.TempDir()}
	o.apply(c)
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	r := newRun[float64](p, o)
	t.Cleanup(r.close)
	r.Pool = parallel.NewPool(2)
	if err := errors.Join(p.MarkSolids(), p.Stored.Read(&p.Domain), r.simulate()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.open(); err != nil {
		t.Fatal(err)
	}
	r.Sim.Fluid.Initialize(p.Initial())
	for range steps {
		r.Sim.Step()
	}
	r.Step = int64(steps)
	return r
}

func TestTheViewShowsTheVorticityOfTheFields(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		sets  []string
		plane int
	}{
		"between walls": {text: watchedCase},
		"periodic":      {text: watchedCase, sets: []string{"domain.boundary.bottom.type=\"periodic\"", "domain.boundary.top.type=\"periodic\""}},
		"fewer rows than a block": {text: watchedCase, sets: []string{"domain.size=[10.0, 3.0]",
			"body.0.shape.center=[3.0, 1.5]", "output.probes=[]"}},
		"a plane of space with a wall in it": {text: watchedSphere, plane: 7},
	} {
		t.Run(name, func(t *testing.T) {
			r := setUp(t, setuptest.Load(t, c.text, c.sets...), 20)
			r.opts.View = onScreen(new(bytes.Buffer))
			v := newLiveView(&r.State, &r.opts)
			if v.rows.Plane != c.plane {
				t.Fatalf("plane %d, want %d through the sphere's centre", v.rows.Plane, c.plane)
			}
			var now observe.Snapshot[float64]
			now.Take(&r.State)
			now.Settle(r.Flow.Solid)
			w := observe.Vorticity(&r.Flow, now.U)
			row, values := v.rows.Begin(), make([]float64, r.Flow.Size[0])
			greatest, walls := 0., 0
			for j := range r.Flow.Size[1] {
				row(j, values)
				for i, got := range values {
					n := r.Flow.Node([3]int{i, j, c.plane})
					if r.Flow.Solid != nil && r.Flow.Solid[n] {
						if walls++; !math.IsNaN(got) {
							t.Fatalf("node %d, %d is wall and shown as %g", i, j, got)
						}
						continue
					}
					want := w[len(w)-1][n] * v.rows.Scale // the same sums, so the same bits
					if got != want {
						t.Fatalf("node %d, %d: %g, in the fields %g", i, j, got, want)
					}
					greatest = math.Max(greatest, math.Abs(got))
				}
			}
			if greatest < 0.1 {
				t.Errorf("vorticity reaches %g U/L: this flow tells nothing", greatest)
			}
			if (walls > 0) != (r.Flow.Solid != nil) {
				t.Errorf("%d nodes of wall were seen", walls)
			}
		})
	}
}

func TestAFlowThatBurstIsSeen(t *testing.T) {
	r := setUp(t, setuptest.Load(t, watchedCase), 1)
	var terminal bytes.Buffer
	r.opts.View = onScreen(&terminal)
	s := lbm.StateOf(r.Sim.Fluid)
	s.Populations[0][30*r.Flow.Size[0]+60] = math.NaN()
	if err := r.Sim.Fluid.SetState(s); err != nil {
		t.Fatal(err)
	}
	newLiveView(&r.State, &r.opts).draw(1)
	if magenta := "2;255;0;255"; !strings.Contains(terminal.String(), magenta) {
		t.Error("no pixel is magenta")
	}
}

func TestPicturesTakeASmallShareOfTheTime(t *testing.T) {
	for _, cost := range []time.Duration{time.Microsecond, 5 * time.Millisecond, 80 * time.Millisecond, 3 * time.Second} {
		p := pace{least: viewEvery}
		begin := time.Unix(1000, 0)
		now, spent, last := begin, time.Duration(0), time.Time{}
		for frame := range 20 {
			if !p.due(now) {
				t.Fatal("a picture is not due when it should be")
			}
			if gap := now.Sub(last); frame > 0 && gap < viewEvery {
				t.Errorf("cost %v: pictures %v apart", cost, gap)
			}
			last = now
			p.drew(now, now.Add(cost))
			spent += cost
			now = p.next
			if frame > 0 && p.due(now.Add(-1)) {
				t.Error("a picture is due too early")
			}
		}
		if share := spent.Seconds() / now.Sub(begin).Seconds(); share > viewShare+1e-6 {
			t.Errorf("cost %v: pictures take %.2g of the time, want at most %g", cost, share, viewShare)
		}
	}
}

func TestOneStoppedPictureDoesNotEndTheView(t *testing.T) {
	p := pace{least: viewEvery}
	now := time.Unix(1000, 0)
	p.drew(now, now.Add(2*time.Millisecond))
	p.drew(now, now.Add(time.Minute)) // the user stopped the terminal
	if wait := p.next.Sub(now.Add(time.Minute)); wait > time.Second {
		t.Errorf("the next picture comes after %v", wait)
	}
}

func TestTheColourScaleDoesNotFlicker(t *testing.T) {
	var s vorticityScale
	for _, c := range []struct{ size, limit float64 }{{5, 5}, {4, 5}, {6, 6}, {5, 6}, {4, 6}, {2, 2}, {0, 1}, {1e-9, vorticityNoise}} {
		if s.Fit([]float64{c.size, -c.size, math.NaN()}); s.limit != c.limit {
			t.Errorf("after ± %g the limit is %g, want %g", c.size, s.limit, c.limit)
		}
	}
	if lo, hi := s.Range(); lo != -vorticityNoise || hi != vorticityNoise {
		t.Errorf("range %g … %g", lo, hi)
	}
	if blue, red := s.Color(-1), s.Color(1); blue.B < 150 || blue.R > 100 || red.R < 150 || red.B > 100 {
		t.Errorf("%v below zero, %v above", blue, red)
	}
}

func BenchmarkView(b *testing.B) {
	c, err := casefile.Load("../cases/cylinder.toml", nil)
	if err != nil {
		b.Fatal(err)
	}
	o := Options{View: onScreen(new(bytes.Buffer))}
	o.apply(c)
	p, err := setup.New(c)
	if err != nil {
		b.Fatal(err)
	}
	r := newRun[float64](p, o)
	r.Pool = parallel.NewPool(0)
	defer r.Pool.Close()
	fluid, err := lbm.New[float64](p.Flow, r.Pool)
	if err != nil {
		b.Fatal(err)
	}
	if r.Sim, err = hybrid.NewSimulation(fluid, p.Coupling, p.Bodies, r.Pool); err != nil {
		b.Fatal(err)
	}
	fluid.Initialize(p.Initial())
	r.Sim.Step()
	v := newLiveView(&r.State, &r.opts)
	for b.Loop() {
		v.draw(1)
	}
}
