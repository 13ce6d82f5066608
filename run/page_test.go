package run

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/cookiejar"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lbmib/io/casefile"
	"lbmib/io/page"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// watcher is a reader of a page.
type watcher struct {
	http.Client
	folder string
	got    atomic.Int32 // answers with something in them
}

// watch opens a page for a test, and comes in.
func watch(t testing.TB) (*page.Server, *watcher) {
	t.Helper()
	return watchWith(t, page.Buttons{})
}

// watchWith is watch of a page whose buttons do something.
func watchWith(t testing.TB, b page.Buttons) (*page.Server, *watcher) {
	t.Helper()
	s, err := page.Listen(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	w := &watcher{}
	w.Jar, _ = cookiejar.New(nil)
	answer, err := w.Get(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	w.folder = answer.Request.URL.String()
	return s, w
}

// ask asks for the same again and again until the context ends.
func (w *watcher) ask(ctx context.Context, path string) {
	for ctx.Err() == nil {
		r, _ := http.NewRequestWithContext(ctx, "GET", w.folder+path, nil)
		answer, err := w.Do(r)
		if err != nil {
			continue
		}
		if n, _ := io.Copy(io.Discard, answer.Body); n > 0 && answer.StatusCode == 200 {
			w.got.Add(1)
		}
		answer.Body.Close()
	}
}

func TestAPageChangesNoBitOfTheResults(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		sets []string
	}{
		"a cylinder":        {text: watchedCase},
		"nested grids":      {text: watchedCase + "[[refine]]\naround = \"cylinder\"\nmargin = 0.5\n"},
		"a sphere in space": {text: watchedSphere},
		"capsules":          {text: setuptest.CapsuleCase, sets: []string{"run.steps=60"}},
	} {
		t.Run(name, func(t *testing.T) {
			load := func() *casefile.Case { return setuptest.Load(t, c.text, append(c.sets, "output.plots=false")...) }
			plain := leftBy(t, load(), Options{})
			s, w := watch(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for _, path := range []string{"slice?quantity=vorticity&axis=2&at=1.5", "slice?quantity=speed&axis=2&at=2", "bodies", "scene", "events"} {
				go w.ask(ctx, path)
			}
			looks := 0
			look := func() { // a run of few steps may be over before a reader has asked: its first steps wait for them
				looks++
				for waited := 0; looks <= 10 && waited < 10_000 && !s.Wanted(); waited++ {
					time.Sleep(time.Millisecond)
				}
			}
			watched := leftBy(t, load(), Options{Page: s, viewEvery: time.Nanosecond, look: look})
			cancel()
			if w.got.Load() <= 5 {
				t.Fatalf("%d answers: too few to disturb anything", w.got.Load())
			}
			if len(watched) != len(plain) {
				t.Errorf("%d results with a page, %d without", len(watched), len(plain))
			}
			for name, want := range plain {
				if !reflect.DeepEqual(watched[name], want) {
					t.Errorf("%s differs with a page", name)
				}
			}
		})
	}
}

// planeNodes is the quantity on the nodes of a layer, made from the state of the whole domain.
func planeNodes(r *run[float64], quantity string, axis int) func(n [3]int) float64 {
	var now observe.Snapshot[float64]
	now.Take(&r.State)
	now.Settle(r.Flow.Solid)
	spin := observe.Vorticity(&r.Flow, now.U)
	toU := r.Units.FromLatticeVelocity(1)
	return func(p [3]int) float64 {
		n := r.Flow.Node(p)
		switch quantity {
		case "speed":
			sum := 0.
			for _, u := range now.U {
				sum += u[n] * u[n]
			}
			return toU * math.Sqrt(sum)
		case "v":
			return toU * now.U[1][n]
		case "density":
			return now.Rho[n]
		case "pressure":
			return r.Units.PressureOf(now.Rho[n])
		case "vorticity":
			if len(spin) == 1 {
				return spin[0][n] * toU / r.Units.Dx
			}
			return spin[axis][n] * toU / r.Units.Dx
		}
		panic(quantity)
	}
}

func TestPicturesAreTheStateAtHand(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		axes []int
	}{"in the plane": {watchedCase, []int{2}}, "in space, with a wall": {watchedSphere, []int{0, 1, 2}}, "nested grids": {watchedCase + "[[refine]]\naround = \"cylinder\"\nmargin = 0.5\n", []int{2}}} {
		t.Run(name, func(t *testing.T) {
			r := setUp(t, setuptest.Load(t, c.text), 24)
			for _, quantity := range []string{"speed", "v", "density", "pressure", "vorticity"} {
				for _, axis := range c.axes {
					for _, most := range []int{1000, 40, 17, 5} { // nodes that are left out between points
						at := r.Case.Domain.Origin[axis] + 0.37*r.Case.Domain.Size[axis]
						p, ok := r.ReadPlane(quantity, axis, at, most)
						if !ok || max(p.Size[0], p.Size[1]) > most || len(p.Values) != p.Size[0]*p.Size[1] {
							t.Fatalf("%s across %d: %v, %v with %d values", quantity, axis, ok, p.Size, len(p.Values))
						}
						want, walls := planeNodes(r, quantity, axis), 0
						var node [3]int
						if r.Flow.Lattice.Dim == 3 {
							node[axis] = int(math.Round(r.Node([3]float64{at, at, at})[axis]))
						}
						for k, got := range p.Values {
							node[p.Axes[0]], node[p.Axes[1]] = k%p.Size[0]*p.Every, k/p.Size[0]*p.Every
							if r.Flow.Solid != nil && r.Flow.Solid[r.Flow.Node(node)] {
								if walls++; got == got {
									t.Fatalf("%s: node %v is wall and has %v", quantity, node, got)
								}
								continue
							}
							if w := want(node); math.Abs(float64(got)-w) > 1e-5*math.Max(1, math.Abs(w)) {
								t.Fatalf("%s across %d, at most %d points: node %v has %v, want %v", quantity, axis, most, node, got, w)
							}
						}
						if (walls > 0) != (r.Flow.Solid != nil) && axis == 2 {
							t.Errorf("%d nodes of wall were seen", walls)
						}
					}
				}
			}
			for _, bad := range []string{"", "temperature"} {
				if _, ok := r.ReadPlane(bad, 2, 0, 10); ok {
					t.Errorf("there is a picture of %q", bad)
				}
			}
			if _, ok := r.ReadPlane("w", 2, 0, 10); ok != (r.Flow.Lattice.Dim == 3) {
				t.Errorf("w in %d dimensions: %v", r.Flow.Lattice.Dim, ok)
			}
		})
	}
}

func TestScenesHaveWhatThereIs(t *testing.T) {
	for name, c := range map[string]struct {
		text                          string
		rigid, walls, elastic, moving int
	}{
		"a sphere and a wall": {watchedSphere, 1, 1, 0, 0},
		"a capsule":           {setuptest.CapsuleCase, 0, 0, 1, 0},
		"what swims":          {setuptest.SwimmingSphere, 1, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			r := setUp(t, setuptest.Load(t, c.text), 2)
			s, _ := watch(t)
			r.opts.Page = s
			v := newLivePage(r)
			scene, bodies := v.scene(), v.bodies()
			if len(scene.Rigid) != c.rigid || len(scene.Walls) != c.walls || (scene.Elastic > 0) != (c.elastic > 0) || len(bodies.Rigid) != 12*c.moving || len(bodies.Elastic) != 3*scene.Elastic || len(bodies.Tension) != scene.Elastic || scene.Note != "" {
				t.Fatalf("%d rigid, %d walls, %d points that bend, %d places: %q", len(scene.Rigid), len(scene.Walls), scene.Elastic, len(bodies.Rigid), scene.Note)
			}
			for _, of := range scene.Rigid {
				b := r.Bodies[0]
				var at [3]float64 // which places are from
				if at = r.Place(b.State().Position); of.Moves >= 0 {
					at = [3]float64{}
				}
				radius := b.Shape.Reach() * r.Units.Dx
				for k := 0; k < len(of.Points); k += 3 {
					d := 0.
					for a := range at {
						d += math.Pow(float64(of.Points[k+a])-at[a], 2)
					}
					if math.Abs(math.Sqrt(d)-radius) > 1e-3*radius {
						t.Fatalf("point %d of the sphere is %v from its centre, want %v", k/3, math.Sqrt(d), radius)
					}
				}
			}
		})
	}
}

func TestWhatHasLeftThroughAPeriodicFaceIsDrawnInside(t *testing.T) {
	r := setUp(t, setuptest.Load(t, watchedSphere), 1) // periodic across y and z, 39 and 18 nodes
	v := &livePage[float64]{state: &r.State}
	got := v.inside([3]float64{-30, -1, 17.6})
	for a, want := range []float64{-30, 38, -0.4} {
		if math.Abs(got[a]-want) > 1e-12 {
			t.Errorf("along %d it is at %v, want %v", a, got[a], want)
		}
	}
	by := v.shift([][3]float64{{1, -0.2, 3.5}, {1, 0.1, 6.7}}) // in L: 6.5 and 3 long there
	for a, want := range []float64{0, 6.5, -3} {
		if math.Abs(by[a]-want) > 1e-12 {
			t.Errorf("along %d points are moved by %v, want %v", a, by[a], want)
		}
	}
}

func TestRowsOfARunThatIsContinuedAreAllThere(t *testing.T) {
	out := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase, "run.time=1.5"), Options{Out: out}); err != nil {
		t.Fatal(err)
	}
	s, w := watch(t)
	if _, err := Run(t.Context(), setuptest.Load(t, watchedCase), Options{Out: out, Resume: true, Page: s}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, _ := http.NewRequestWithContext(ctx, "GET", w.folder+"events", nil)
	answer, err := w.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var text strings.Builder
	for buffer := make([]byte, 4096); !strings.Contains(text.String(), "probes.csv"); {
		n, err := answer.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	for _, want := range []string{`"Name":"forces.csv","Columns":["fx","fy"`, `"Of":["cylinder"],"Rows":60,`, `"Of":["wake"],"Rows":30,`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("readers are not told %s:\n%s", want, text.String())
		}
	}
}

// What a page costs a run: the pictures take at most pageShare of the time, and telling the progress next to nothing.
func BenchmarkPage(b *testing.B) {
	for _, quantity := range []string{"", "speed", "vorticity"} {
		b.Run("picture of "+quantity, func(b *testing.B) {
			c, err := casefile.Load("../cases/cylinder.toml", nil)
			if err != nil {
				b.Fatal(err)
			}
			s, _ := watch(b)
			o := Options{Out: b.TempDir(), Page: s, Threads: 1}
			o.apply(c)
			j, err := prepare(c, o)
			if err != nil {
				b.Fatal(err)
			}
			r := j.(*run[float64])
			defer r.close()
			if _, _, err := r.open(); err != nil {
				b.Fatal(err)
			}
			r.Sim.Fluid.Initialize(r.Initial())
			r.progress.start(0, r.Units.Dt)
			v := newLivePage(r)
			r.Sim.Step()
			r.Step = 1
			for b.Loop() {
				if quantity == "" {
					v.tell(time.Now())
				} else {
					v.slice(page.Wish{Quantity: quantity, Axis: 2})
				}
			}
		})
	}
}

func TestEveryQuantityOfAPageCanBeLookedAt(t *testing.T) {
	for _, text := range []string{watchedCase, watchedSphere} {
		r := setUp(t, setuptest.Load(t, text), 1)
		var names []string
		for _, q := range quantitiesOf(r.Flow.Lattice.Dim) {
			if _, ok := r.ReadPlane(q.Name, 2, 1, 50); !ok || q.Unit == "" || q.Label == "" {
				t.Errorf("there is no picture of %q", q.Name)
			}
			names = append(names, q.Name)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) < 6 {
			t.Errorf("there is only %s", fmt.Sprint(names))
		}
	}
}

func TestWhatIsGrantedTakesASmallShareOfTheTime(t *testing.T) {
	var c costs
	if c.add(30*time.Millisecond) != 30*time.Millisecond || c.add(4*time.Millisecond) != 4*time.Millisecond || c.add(90*time.Millisecond) != 4*time.Millisecond {
		t.Error("one that was held up counts")
	}
	c.add(90 * time.Millisecond)
	if got := c.add(90 * time.Millisecond); got != 90*time.Millisecond {
		t.Errorf("three that take long count as %v", got)
	}
	p := pace{least: pageEvery, share: pageShare}
	now, spent := time.Unix(1000, 0), time.Duration(0)
	begin := now
	for range 20 {
		p.drew(now, now.Add(4*time.Millisecond))
		spent, now = spent+4*time.Millisecond, p.next
	}
	if share := spent.Seconds() / now.Sub(begin).Seconds(); share > pageShare+1e-6 {
		t.Errorf("pictures take %.2g of the time, want at most %g", share, pageShare)
	}
}

// A page is told where a domain that follows a body is now.
func TestAPageIsToldWhereAFollowingDomainIs(t *testing.T) {
	s, w := watch(t)
	sum, err := Run(t.Context(), setuptest.Load(t, sinkingCase, append(inWindow, "run.time=3")...), Options{Out: t.TempDir(), Page: s, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := w.Get(w.folder + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	at := map[string][]float64{} // lower corner, by what tells it
	for lines, name := bufio.NewScanner(answer.Body), ""; len(at) < 2 && lines.Scan(); {
		if n, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = n
		}
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && (name == "head" || name == "progress") {
			var of struct{ Low []float64 }
			if err := json.Unmarshal([]byte(text), &of); err != nil {
				t.Fatal(err)
			}
			at[name] = of.Low
		}
	}
	disc := float64(sum.Bodies["disc"].Position[1])
	if begin, now := at["head"], at["progress"]; len(begin) != 3 || begin[1] != 24 || len(now) != 3 || !(now[1] < 24) || math.Abs(disc-now[1]-8) > 0.5 {
		t.Errorf("the corner is at %v and comes to %v, the disc to %v", begin, now, disc)
	}
}
