package cuda

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// What a step asks of the driver is counted for every way to make steps, and held by the
// table in validation/gpu/kernels.md: a change of any count fails until the table is
// written anew, which shows it in the change:
//
//	go test ./cuda -run TestLaunchesOfAStep -update-launches
//
// Names of kernels are those of the kernels' files without lattice, precision and support;
// each has a formula of the bytes that it moves in launches_model_test.go.

var updateLaunches = flag.Bool("update-launches", false, "write the tables of launches in validation/gpu/kernels.md anew")

// stepKind is a way to make steps.
type stepKind struct {
	schedule string // "" for a fluid alone
	bodies   string // fixed, prescribed, free, elastic
	forcing  string
	spread   string // of the device
	lattice  string
}

// storing is how populations are stored, on which counts hardly depend.
type storing struct{ precision, streaming string }

// element is the bytes of a stored population.
func (s storing) element() int {
	return map[string]int{"f64": 8, "f32": 4, "f16": 2}[s.precision]
}

var storings = []storing{{"f64", "ab"}, {"f32", "ab"}, {"f16", "ab"}, {"f64", "inplace"}, {"f32", "inplace"}, {"f16", "inplace"}}

func stepKinds() (all []stepKind) {
	for _, lattice := range []string{"D2Q9", "D3Q19"} {
		all = append(all, stepKind{lattice: lattice})
	}
	for _, bodies := range []string{"fixed", "prescribed", "free"} {
		for _, forcing := range []string{"direct", "multidirect"} {
			for _, spread := range []string{"sort-reduce", "atomic", "buffered"} {
				all = append(all, stepKind{"device", bodies, forcing, spread, "D2Q9"})
			}
		}
	}
	all = append(all, stepKind{"device", "3,000 markers, prescribed", "direct", "sort-reduce", "D2Q9"})
	for _, schedule := range []string{"pipelined", "serial"} {
		for _, bodies := range []string{"fixed", "prescribed", "free"} {
			all = append(all, stepKind{schedule, bodies, "direct", "", "D2Q9"})
		}
	}
	for _, schedule := range []string{"device", "pipelined", "serial"} {
		all = append(all, stepKind{schedule: schedule, bodies: "elastic", lattice: "D3Q19"})
	}
	return all
}

// What is counted: steps after the first, whole batches of them, so many that sets of nodes
// that follow moving bodies change at their usual rate.
const (
	countedAfter = 50
	countedSteps = 8 * batchSteps
)

// stepCount is what countedSteps steps were counted to do.
type stepCount struct {
	driver.Counts
	kernels map[string]int64 // launches of each
	size    stepSize
}

// countedFlow is a stream past bodies, with the faces of cases/cylinder.toml.
func countedFlow(t testing.TB, k stepKind, how storing) lbm.Config {
	cfg := flow(t, lbm.D2Q9, [3]int{96, 64, 1}, lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }},
		lbm.Face{Kind: lbm.Outflow}, lbm.Face{Kind: lbm.FreeSlip}, lbm.Face{Kind: lbm.FreeSlip})
	if k.lattice == "D3Q19" {
		cfg = flow(t, lbm.D3Q19, [3]int{24, 16, 12}) // periodic
	}
	if strings.HasPrefix(k.bodies, "3,000") {
		cfg.Size = [3]int{230, 180, 1}
	}
	if k.bodies == "elastic" {
		cfg.Size = [3]int{40, 24, 22}
	}
	if cfg.Streaming = how.streaming; how.precision == "f16" {
		cfg.Store = "f16"
	}
	return cfg
}

func countedBodies(t testing.TB, k stepKind) (all []*rigid.Body) {
	if k.bodies == "elastic" {
		return nil
	}
	if !strings.HasPrefix(k.bodies, "3,000") {
		all = append(all, circle(t, 40.3, 31.6, 12))
	} else {
		for i := range 80 {
			all = append(all, circle(t, 15.3+22*float64(i%10), 12.6+22*float64(i/10), 12))
		}
	}
	for i, b := range all {
		b.Name = fmt.Sprint("ball ", i)
		switch {
		case k.bodies == "free":
			b.Free = &rigid.Free{Density: 1.5, Gravity: geometry.Vec{1e-5, -2e-5}}
		case k.bodies != "fixed":
			c := b.Shape.Center()
			b.Motion = &kinematics.Rigid{Center: c, Pivot: c, Shift: [3]kinematics.Track{kinematics.Steady{Rate: 0.05}, nil, nil}}
		}
	}
	return all
}

// countSteps makes steps of a kind and counts.
func countSteps[T lbm.Float](t *testing.T, l *device.Library, k stepKind, how storing) *stepCount {
	t.Helper()
	f, err := NewFluid[T](l, countedFlow(t, k, how))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.05} })
	step, size := f.Step, f.stepSize()
	host := &watchedFluid[T]{Fluid: f}
	if k.schedule != "" {
		cfg := hybrid.CouplingConfig{Delta: "roma3", Forcing: k.forcing, Kernel: "go", Transfer: "serial"}
		if k.forcing == "multidirect" {
			cfg.Iterations, cfg.Tolerance = 3, 1e-9
		}
		if k.bodies == "elastic" {
			cfg.Cells, cfg.Offset = kindsOfCells(t).Cells(t), 0.3
		}
		sim, c := countedSimulation(t, l, host, k, cfg)
		if c != nil {
			defer c.Close()
		}
		defer sim.Close() // first
		step = sim.Step
		defer func() {
			if err := sim.Err(); err != nil {
				t.Errorf("%v, %v: %v", k, how, err)
			}
		}()
		size.reach = 3
		if c != nil {
			size.support, size.markers = c.support.count, c.markers.count
		}
		if k.bodies == "elastic" {
			size.support, size.markers = sim.SupportNodes(), sim.Markers()
		}
	}
	for range countedAfter {
		step()
	}
	f.settle()
	host.fetched, host.put, host.corrected = 0, 0, 0
	n := &stepCount{Counts: l.Context.Counts(), kernels: launchesOf(l), size: size}
	for range countedSteps {
		step()
	}
	f.settle()
	n.Counts = l.Context.Counts().Sub(n.Counts)
	for name, after := range launchesOf(l) {
		if n.kernels[name] = after - n.kernels[name]; n.kernels[name] == 0 {
			delete(n.kernels, name)
		}
	}
	n.size.fetched, n.size.put = host.fetched/countedSteps, host.put/countedSteps
	if k.schedule == "serial" && k.bodies != "elastic" {
		n.size.support = host.corrected / countedSteps
	}
	return n
}

// watchedFluid counts the nodes that a host's part asks for.
type watchedFluid[T lbm.Float] struct {
	*Fluid[T]
	fetched, put, corrected int
}

func (f *watchedFluid[T]) StepFetching(nodes []int32, g [][]T) {
	f.fetched += len(nodes) / f.Config().Lattice.Q
	f.Fluid.StepFetching(nodes, g)
}

func (f *watchedFluid[T]) Put(nodes []int32, g [][]T) {
	f.put += len(nodes)
	f.Fluid.Put(nodes, g)
}

func (f *watchedFluid[T]) Correct(nodes, at []int32, force [][]T) {
	f.corrected += len(nodes)
	f.Fluid.Correct(nodes, at, force)
}

func countedSimulation[T lbm.Float](t *testing.T, l *device.Library, f *watchedFluid[T], k stepKind, cfg hybrid.CouplingConfig) (*hybrid.Simulation[T], *Coupling[T]) {
	t.Helper()
	pool := parallel.NewPool(1)
	t.Cleanup(pool.Close)
	plan := hybrid.Plan[T]{Schedule: k.schedule}
	var c *Coupling[T]
	if k.schedule == "device" && k.bodies == "elastic" {
		cfg.Transfer = "auto"
		cells, err := NewCells(l, f.Fluid, cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cells.Close)
		plan.Cells = cells
	} else if k.schedule == "device" {
		var err error
		if c, err = NewCoupling(l, f.Fluid, withTransfer(cfg, k.spread)); err != nil {
			t.Fatal(err)
		}
		plan.Device = c
	}
	sim, err := hybrid.NewScheduled(f, cfg, countedBodies(t, k), pool, plan)
	if err != nil {
		t.Fatal(err)
	}
	return sim, c
}

// launchesOf is how often every kernel has been launched so far, by its plain name.
func launchesOf(l *device.Library) map[string]int64 {
	n := map[string]int64{}
	for name, f := range l.Functions {
		n[plainName(name)] += f.Launched()
	}
	return n
}

// plainName is a kernel's name without lattice, precision and other numbers.
func plainName(name string) string {
	parts := strings.Split(name, "_")
	parts = slices.DeleteFunc(parts, func(p string) bool {
		_, err := strconv.Atoi(strings.TrimLeft(p, "dqfn")) // d2q9 has two numbers
		return err == nil || p == "d2q9" || p == "d3q19"
	})
	switch {
	case parts[0] == "sweep" && parts[1] == "moments":
		return "sweep_moments"
	case parts[0] == "sweep" && parts[1] == "forced":
		return "sweep_forced"
	case parts[0] == "sweep":
		return "sweep"
	}
	return strings.Join(parts, "_")
}

// countAll counts the steps of every kind, with every way to store populations.
func countAll(t *testing.T) map[stepKind][]*stepCount {
	l := devicetest.Open(t)
	all := map[stepKind][]*stepCount{}
	for _, k := range stepKinds() {
		for _, how := range storings {
			switch {
			case strings.HasPrefix(k.bodies, "3,000") && how != storings[0]:
			case how.precision == "f64":
				all[k] = append(all[k], countSteps[float64](t, l, k, how))
			default:
				all[k] = append(all[k], countSteps[float32](t, l, k, how))
			}
		}
	}
	return all
}

const launchesPage = "../validation/gpu/kernels.md"

// The tables of launches, and what follows from them, are what is counted now.
func TestLaunchesOfAStep(t *testing.T) {
	if testing.Short() {
		t.Skip("counts some 10⁴ steps")
	}
	all := countAll(t)
	without := map[string]bool{}
	for _, counts := range all {
		for _, n := range counts {
			for name := range n.kernels {
				without[name] = costOf(name) < 0
			}
		}
	}
	for name, none := range without {
		if none {
			t.Errorf("kernel %s has no formula of the bytes that it moves: add it to kernelCosts in launches_model_test.go", name)
		}
	}
	if t.Failed() {
		return
	}
	page, err := os.ReadFile(launchesPage)
	if err != nil {
		t.Fatal(err)
	}
	next := string(page)
	for name, table := range map[string]string{"launches": launchTable(t, all), "kernels": kernelTable(), "predicted": predictionTable(t, all)} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		i, j := strings.Index(next, begin), strings.Index(next, end)
		if i < 0 || j < i {
			t.Fatalf("%s has no place for a table between the lines %q and %q", launchesPage, begin, end)
		}
		i += len(begin)
		if !*updateLaunches {
			compareTables(t, name, next[i:j], table)
		}
		next = next[:i] + table + next[j:]
	}
	if *updateLaunches && !t.Failed() {
		if err := os.WriteFile(launchesPage, []byte(next), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// compareTables tells the lines that one table has and the other has not.
func compareTables(t *testing.T, name, was, is string) {
	t.Helper()
	old, now := strings.Split(was, "\n"), strings.Split(is, "\n")
	var said []string
	for _, line := range old {
		if !slices.Contains(now, line) {
			said = append(said, "- "+line)
		}
	}
	for _, line := range now {
		if !slices.Contains(old, line) {
			said = append(said, "+ "+line)
		}
	}
	if len(said) > 0 {
		t.Errorf("table %q of %s is not what is counted now; if the change is wanted, run go test ./cuda -run TestLaunchesOfAStep -update-launches, or put the new rows (+) in place of the old ones (-):\n%s",
			name, launchesPage, strings.Join(said, "\n"))
	}
}
