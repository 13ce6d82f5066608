package gpureport

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"lbmib/cuda/transfer"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/ib/elastic"
	transfers "lbmib/ib/ibtest/conformance"
	"lbmib/internal/checking"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	fluids "lbmib/lbm/lbmtest/conformance"
	"lbmib/run/backend"
)

// suiteResult is what came of a suite.
type suiteResult struct {
	Suite    string   `json:"suite"`
	Passed   int      `json:"passed"`
	Failures []string `json:"failures"`
	LeftOut  int      `json:"left_out"` // for lack of time
}

// fewChecks are those of the suites that a stand-in makes.
var fewChecks = []string{"collision conserves", "health finds", "spreading conserves force", "hybrid", "a vessel with ports"}

// conformanceUnits are the suites of the packages lbm and ib on the device, after those
// of bodies that are stepped on device and processor, which take the least time.
func conformanceUnits(scope) (all []unit) {
	add := func(name string, suite func(*job, checking.T)) {
		all = append(all, unit{name, func(j *job) error { j.suite(name, func(t checking.T) { suite(j, t) }); return nil }})
	}
	add("coupling f64", func(j *job, t checking.T) { couplings[float64](j, t, 1e-11) })
	add("coupling f32", func(j *job, t checking.T) { couplings[float32](j, t, 2e-5) })
	for _, streaming := range lbm.StreamingNames {
		add("fluid f64 "+streaming, func(j *job, t checking.T) { fluids.Fluid(t, onDevice[float64](j, streaming, "")) })
		add("fluid f32 "+streaming, func(j *job, t checking.T) { fluids.Fluid(t, onDevice[float32](j, streaming, "")) })
		add("fluid f32/f16 "+streaming, func(j *job, t checking.T) { fluids.FluidTo(t, onDevice[float32](j, streaming, "f16"), 1./(1<<10)) }) // 11 bits
	}
	add("vessels f64", func(j *job, t checking.T) { sparse[float64](j, t, 1e-13) })
	add("vessels f32", func(j *job, t checking.T) { sparse[float32](j, t, 5e-6) })
	for _, strategy := range transfer.Names()[1:] {
		add("transfer f64 "+strategy, func(j *job, t checking.T) { transferSuite[float64](j, t, strategy) })
		add("transfer f32 "+strategy, func(j *job, t checking.T) { transferSuite[float32](j, t, strategy) })
	}
	return all
}

// gatherConformance counts. The target is met only where no check was left out.
func gatherConformance(g *gathering) {
	var all []suiteResult
	failures := 0
	g.printf("| suite | passed | failed | not run | processes |\n|---|---|---|---|---|\n")
	for _, u := range g.Units {
		r := suiteResult{Suite: u.Name, Failures: []string{}, LeftOut: len(u.LeftOut)}
		for _, i := range u.Items {
			if i.wrong() {
				r.Failures = append(r.Failures, i.Name+": "+i.Note)
			} else {
				r.Passed++
			}
		}
		missing := fmt.Sprint(r.LeftOut)
		if u.Status == notRun || u.Status == incomplete && r.LeftOut == 0 {
			missing = "all that is left"
		}
		g.printf("| %s | %d | %d | %s | %d |\n", r.Suite, r.Passed, len(r.Failures), missing, u.Processes)
		all, failures = append(all, r), failures+len(r.Failures)
		if u.Status == failed && len(r.Failures) == 0 { // not one check could be made
			failures++
		}
	}
	if text, err := json.Marshal(all); err == nil {
		g.Data = text
	}
	if failures > 0 || g.whole() && len(all) == len(conformanceUnits(g.scope)) {
		g.Values["conformance"] = float64(failures)
	}
}

// suite runs one: its checks are the unit's items.
func (j *job) suite(name string, suite func(checking.T)) {
	p := checking.Program{
		Skip: func(check string) bool {
			few := false
			for _, c := range fewChecks {
				few = few || strings.HasPrefix(check, c)
			}
			return j.tiny && !few || !j.begin(check)
		},
		Each: func(f checking.Finding) {
			if j.unit.Running == "" && !j.begin(f.Name) { // beside all checks, and told before
				return
			}
			var err error
			if len(f.Failed) > 0 {
				err = errors.New(strings.Join(f.Failed, "; "))
			}
			j.end(nil, err)
		},
	}
	p.Run(name, suite)
}

// onDevice makes fluids of the device.
func onDevice[T lbm.Float](j *job, streaming, store string) fluids.Factory[T] {
	return func(t checking.T, cfg lbm.Config) lbm.Fluid[T] {
		cfg.Streaming, cfg.Store = streaming, store
		f, err := backend.NewFluid[T](j.device, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Wait(); err != nil {
				t.Errorf("%v", err)
			}
			f.Close()
		})
		return f
	}
}

func transferSuite[T ib.Float](j *job, t checking.T, strategy string) {
	stream, err := j.device.Context().Stream()
	if err != nil {
		t.Fatal(err)
	}
	var made []*transfer.Host[T]
	defer func() {
		for _, m := range made {
			if err := m.Err(); err != nil {
				t.Errorf("%v", err)
			}
			m.Close()
		}
		stream.Close()
	}()
	var options []transfers.Option
	if strategy == "atomic" {
		options = append(options, transfers.ToRounding())
	}
	transfers.Transfer(t, func(grids []ib.Grid, d ib.Delta[T], _ *parallel.Pool) (ib.Transfer[T], error) {
		m, err := transfer.NewHost(j.device.Library(), stream, strategy, grids, d)
		if err != nil {
			return nil, err
		}
		made = append(made, m)
		return m, nil
	}, options...)
}

// scenes are what is stepped on device and processor, by what is said of them.
var scenes = []struct {
	name   string
	make   func(backend string) (backend.Request, error)
	filled bool // bodies leave the pipelined schedule no room
}{
	{"a body in 2 dimensions", func(name string) (backend.Request, error) { return streamPast(name, 2) }, false},
	{"a body in 3 dimensions", func(name string) (backend.Request, error) { return streamPast(name, 3) }, false},
	{"elastic bodies of two kinds", capsules, false},
	{"elastic bodies in contact in a tube", touching, true},
	{"elastic bodies of other viscosities", drops, false},
}

// couplings steps bodies in a stream on device and processor; populations may differ by
// the roundings of some steps.
func couplings[T lbm.Float](j *job, t checking.T, bound float64) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	for _, name := range []string{"cuda", "hybrid"} {
		for _, s := range scenes {
			if s.filled && name == "hybrid" {
				continue
			}
			t.Run(fmt.Sprintf("%s: %s as on the processor", name, s.name), func(t checking.T) {
				want := stepped[T](j, t, "cpu", s.make, pool)
				got := stepped[T](j, t, name, s.make, pool)
				for i := range want {
					for n := range want[i] {
						if off := math.Abs(float64(got[i][n]) - float64(want[i][n])); !(off <= bound) {
							t.Fatalf("population %d of node %d is off by %.3g, bound %g", i, n, off, bound)
						}
					}
				}
			})
		}
	}
}

// stepped is the state of a stream past bodies after some steps.
func stepped[T lbm.Float](j *job, t checking.T, name string, make func(string) (backend.Request, error), pool *parallel.Pool) [][]T {
	r, err := make(name)
	if err != nil {
		t.Fatal(err)
	}
	r.Pool = pool
	if name != "cpu" {
		r.Device = j.device
	}
	c, err := backend.Choose[T](r)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Sim.Fluid.Initialize(func(p [3]float64) (float64, [3]float64) {
		return 1, [3]float64{0.05, 0.01 * math.Sin(0.2*p[0]), 0}
	})
	for range 60 {
		c.Sim.Step()
	}
	state := lbm.StateOf(c.Sim.Fluid)
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := c.Sim.Err(); err != nil {
		t.Fatal(err)
	}
	for n, solid := range r.Flow.Solid {
		for i := range state.Populations {
			if solid { // nobody's
				state.Populations[i][n] = 0
			}
		}
	}
	return state.Populations
}

// capsules are two in a periodic box, one of them across its seams, with all that kernels of membranes know.
func capsules(name string) (r backend.Request, err error) {
	r = backend.Request{
		Backend:  name,
		Flow:     lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{37, 26, 23}},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Offset: 0.3},
	}
	if r.Flow.Collision, err = lbm.NewCollision("trt", 0.04, lbm.MagicPoiseuille); err != nil {
		return r, err
	}
	r.Coupling.Cells, err = cells(8, []capsule{
		{geometry.Vec{36.1, 8.4, 22.3}, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3, VolumePenalty: 0.01}},
		{geometry.Vec{15.2, 16.7, 9.1}, elastic.Material{Law: "neo-hookean", Shear: 4e-3, AreaPenalty: 0.01, ShearViscosity: 1e-3}},
	})
	return r, err
}

// drops are capsules of other viscosities inside.
func drops(name string) (r backend.Request, err error) {
	if r, err = capsules(name); err != nil {
		return r, err
	}
	r.Coupling.Cells[0].Lambda, r.Coupling.Cells[1].Lambda = 5, 0.3
	return r, nil
}

// touching are four capsules in a periodic tube of solid nodes, which repel each other, across the seam too, and the wall.
func touching(name string) (r backend.Request, err error) {
	r = backend.Request{
		Backend:  name,
		Flow:     lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{31, 26, 26}, Storage: "box", Force: [3]float64{2e-4}},
		Coupling: hybrid.CouplingConfig{Delta: "peskin4", Transfer: "auto", Forcing: "direct", Contact: rigid.Contact{Distance: 2, Stiffness: 1}, Offset: 0.4},
	}
	if r.Flow.Collision, err = lbm.NewCollision("trt", 0.04, lbm.MagicPoiseuille); err != nil {
		return r, err
	}
	r.Flow.Solid = make([]bool, r.Flow.Nodes())
	for n := range r.Flow.Solid {
		p := r.Flow.Position(n)
		r.Flow.Solid[n] = math.Hypot(float64(p[1])-12.5, float64(p[2])-12.5) > 12
	}
	skalak := elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3, VolumePenalty: 0.01}
	r.Coupling.Cells, err = cells(7, []capsule{
		{geometry.Vec{29.8, 12.4, 12.9}, skalak}, {geometry.Vec{6.9, 13.1, 11.8}, skalak},
		{geometry.Vec{14.7, 8.2, 12.9}, elastic.Material{Law: "neo-hookean", Shear: 4e-3}}, {geometry.Vec{22.3, 15.9, 14.1}, skalak},
	})
	return r, err
}

// capsule is where one is, and of what.
type capsule struct {
	at       geometry.Vec
	material elastic.Material
}

// cells are capsules of a diameter in nodes.
func cells(diameter float64, all []capsule) (made []*flexible.Cell, err error) {
	for _, c := range all {
		mesh, err := elastic.NewSphere(4, geometry.Vec{}, diameter)
		if err != nil {
			return nil, err
		}
		m, err := elastic.NewMembrane(mesh, c.material)
		if err != nil {
			return nil, err
		}
		cell, err := flexible.NewCell("capsule", m, c.at, geometry.Identity())
		if err != nil {
			return nil, err
		}
		made = append(made, cell)
	}
	return made, nil
}

// streamPast is a cylinder or a sphere between walls.
func streamPast(name string, dim int) (r backend.Request, err error) {
	r = backend.Request{
		Backend:  name,
		Flow:     lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{61, 47, 1}},
		Coupling: hybrid.CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Offset: 0.2},
	}
	if r.Flow.Collision, err = lbm.NewCollision("trt", 0.04, lbm.MagicPoiseuille); err != nil {
		return r, err
	}
	r.Flow.Faces[2].Kind, r.Flow.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip
	var shape geometry.Shape
	if dim == 2 {
		shape, err = geometry.NewCircle(geometry.Vec{25.3, 22.6}, 12)
	} else {
		r.Flow.Lattice, r.Flow.Size = lbm.D3Q19, [3]int{31, 27, 23}
		shape, err = geometry.NewSphere(geometry.Vec{12.3, 13.6, 11.2}, 9)
	}
	if err != nil {
		return r, err
	}
	body, err := rigid.NewBody("body", shape, 1.2, 0.3)
	r.Bodies = []*rigid.Body{body}
	return r, err
}
