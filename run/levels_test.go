package run

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lbmib/cuda/standin"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/table"
	levels "lbmib/lbm/joined"
	"lbmib/run/capacity"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// around refines a cylinder in a stream twice.
const around = "\n[[refine]]\naround = \"rod\"\nmargin = [1.5, 4.0, 1.5, 1.5]\nlevel = 2\n"

func TestBoxesEndBetweenCoarseCells(t *testing.T) {
	p := setuptest.Problem(t, setuptest.StreamCase+around) // 320 × 240 nodes of the finest
	want := []levels.Box{{Level: 2, Lo: [3]int{60, 80, 0}, Hi: [3]int{190, 160, 1}}, {Level: 1, Lo: [3]int{56, 76, 0}, Hi: [3]int{196, 164, 1}}}
	if len(p.Boxes) != 2 || p.Boxes[0] != want[0] || p.Boxes[1] != want[1] {
		t.Errorf("boxes %+v", p.Boxes)
	}
	nodes := int64(130*80 + (140*88-130*80)/4 + (320*240-140*88)/16)
	text, err := json.Marshal(p.Levels())
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"level":2,"width":1,"nodes":10400,"boxes":[[[3,4],[9.5,8]]]}]`; !strings.HasSuffix(string(text), want) {
		t.Errorf("levels %s, want %s at their end", text, want)
	}
	if p.Nodes() != nodes {
		t.Errorf("%d nodes, want %d", p.Nodes(), nodes)
	}
}

func TestLevelsThatCannotBeAreRefused(t *testing.T) {
	odd := strings.Replace(setuptest.StreamCase, "[16.0, 12.0]", "[16.05, 12.0]", 1) + around
	for says, of := range map[string]struct {
		text string
		sets []string
	}{
		"domain.size.0: 16.05 L along x are 321 nodes, which coarsest cells 4 nodes wide do not fill: use 16 or 16.2, or fewer levels": {odd, nil},
		"the fluid of backend hybrid is not divided into parts or among ranks: run it on one process, without parts":                   {setuptest.StreamCase + around, []string{"run.backend=hybrid", "run.parts=2"}},
		`level 2 makes the relaxation time τ = 1/2 + 1.5e-06 on the coarsest nodes, 4 times as wide as the finest, must exceed 1/2 by at least 2.98e-06 to be held by f32: use level = 1, reynolds up to 5.03e+05, a higher resolution or precision = "f64"`: {
			setuptest.StreamCase + around, []string{"fluid.precision=f32", "reference.reynolds=1e6"}},
		`makes the relaxation time τ = 1/2 + 1.5e-06 on the coarsest nodes, 2 times as wide as the finest, must exceed 1/2 by at least 2.98e-06 to be held by f32: use one grid, reynolds up to`: {
			setuptest.StreamCase + "\n[[refine]]\naround = \"rod\"\n", []string{"fluid.precision=f32", "reference.reynolds=2e6"}},
		"the finest level does not have: give its box a wider margin": {setuptest.StreamCase + "\n[[refine]]\nbox = { min = [8, 2], max = [10, 4] }\n", nil},
	} {
		_, err := Run(t.Context(), setuptest.Load(t, of.text, append(of.sets, "output.fields.every=0")...), Options{Out: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

// A cylinder at Re = 100 has the forces on three levels that it has on one grid, and the same bits on any threads and after a resume in the middle
// of a coarse step.
func TestCylinderOnLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	drag := func(text, dir string, o Options, sets ...string) (cd float64, csv string) {
		t.Helper()
		o.Out = dir
		sets = append(sets, "output.fields.every=0", "output.plots=false", "output.forces.every=0.1")
		s, err := Run(t.Context(), setuptest.Load(t, text, sets...), o)
		if err != nil {
			t.Fatal(err)
		}
		all, err := os.ReadFile(filepath.Join(dir, "forces.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return float64(s.Bodies["rod"].CdMean), string(all)
	}
	one, _ := drag(setuptest.StreamCase, t.TempDir(), Options{}, "run.time=4")
	refined, csv := drag(setuptest.StreamCase+around, t.TempDir(), Options{}, "run.time=4", "run.threads=1")
	if d := math.Abs(refined/one - 1); !(d < 0.005) {
		t.Errorf("mean drag %g on levels, %g on one grid", refined, one)
	}
	if _, threads := drag(setuptest.StreamCase+around, t.TempDir(), Options{}, "run.time=4", "run.threads=3"); threads != csv {
		t.Error("three threads make other bits than one")
	}
	dir := t.TempDir()
	drag(setuptest.StreamCase+around, dir, Options{}, "run.steps=361", "output.checkpoint.every=1")
	if _, resumed := drag(setuptest.StreamCase+around, dir, Options{Resume: true}, "run.steps=800", "output.checkpoint.every=1"); resumed != csv {
		t.Error("a run that was resumed has other bits")
	}
}

// On a device a run of levels has the forces that it has on the processor, to rounding; a resume in the middle of a coarse step has the same bits, and the
// processor's checkpoint goes on there.
func TestLevelsOnADevice(t *testing.T) {
	standin.Use(t)
	forces := func(dir, backend string, resume bool, sets ...string) string {
		t.Helper()
		sets = append(sets, "run.backend="+backend, "output.fields.every=0", "output.plots=false", "output.forces.every=0.1", "output.checkpoint.every=1")
		s, err := Run(t.Context(), setuptest.Load(t, setuptest.StreamCase+around, sets...), Options{Out: dir, Resume: resume})
		if err != nil {
			t.Fatal(err)
		}
		if string(s.Backend) != backend {
			t.Errorf("computed on %s", s.Backend)
		}
		all, err := os.ReadFile(filepath.Join(dir, "forces.csv"))
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	cut, moved := t.TempDir(), t.TempDir()
	want := forces(t.TempDir(), "cuda", false, "run.steps=260")
	forces(cut, "cuda", false, "run.steps=161")
	if got := forces(cut, "cuda", true, "run.steps=260"); got != want {
		t.Error("a run that was resumed has other bits")
	}
	beside := t.TempDir() // the host couples the body beside the next step
	forces(beside, "hybrid", false, "run.steps=161")
	forces(moved, "cpu", false, "run.steps=161")
	drag := func(csv string) (cd []float64) {
		rows := strings.Split(strings.TrimSpace(csv), "\n")
		column := slices.Index(strings.Split(rows[0], ","), "cd")
		for _, row := range rows[1:] {
			v, err := strconv.ParseFloat(strings.Split(row, ",")[column], 64)
			if err != nil {
				t.Fatal(err)
			}
			cd = append(cd, v)
		}
		return cd
	}
	on := drag(want)
	for name, csv := range map[string]string{
		"from the processor's checkpoint on":         forces(moved, "cuda", true, "run.steps=260"),
		"with the processor beside, once resumed so": forces(beside, "hybrid", true, "run.steps=260"),
	} {
		other := drag(csv)
		if len(on) != len(other) {
			t.Fatalf("%d rows of forces, %s %d", len(on), name, len(other))
		}
		for k := range on {
			if d := math.Abs(other[k]/on[k] - 1); !(d < 1e-9) { // rounding, of sums in another order
				t.Errorf("row %d: the drag is %g, %s %g", k+1, on[k], name, other[k])
			}
		}
	}
}

// A body that moves out of the finest level stops the run with a checkpoint, from which it goes on: to the same step and the same words.
func TestABodyThatLeavesItsLevelStops(t *testing.T) {
	text := strings.Replace(setuptest.StreamCase, "[run]", "motion = { type = \"free\", density = 1.5 }\n[run]", 1) + "\n[[refine]]\naround = \"rod\"\nmargin = 0.3\n"
	dir := t.TempDir()
	sets := []string{"output.fields.every=0", "output.plots=false", "run.time=20"}
	s, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: dir})
	if exit.Code(err) != exit.Diverged || !strings.Contains(err.Error(), "the finest level does not have") || !strings.Contains(err.Error(), "the last good checkpoint is kept") ||
		s == nil || s.Status != "stopped" || s.StoppedBy != "body" {
		t.Fatalf("%+v, %v", s, err)
	}
	kept := filepath.Join(dir, "checkpoint", fmt.Sprintf("%012d.ckpt", s.Steps))
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("the last good checkpoint is missing: %v", err)
	}
	again, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: dir, Resume: true})
	if exit.Code(err) != exit.Diverged || again == nil || again.Status != "stopped" || again.Steps != s.Steps || again.Reason != s.Reason {
		t.Errorf("resumed: %+v, %v, want what stopped the run before: %s", again, err, s.Reason)
	}
}

// A run on levels stops where its mean drag is known, and its mean is one grid's.
func TestARunOnLevelsStopsWhereItsMeanDragIsKnown(t *testing.T) {
	refined := watchedCase + "\n[[refine]]\naround = \"cylinder\"\nmargin = [1.0, 2.0, 1.0, 1.0]\n"
	run := func(text string) *Summary {
		s, err := Run(t.Context(), setuptest.Load(t, text, append(settling, "run.stop_when.cd_interval=0.01")...), Options{Out: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if b := s.Bodies["cylinder"]; s.StoppedBy != "cd_interval" || !(float64(b.CdInterval) <= 0.01*float64(b.CdMean)) || math.Mod(s.Time, observe.DragLook) > 1e-9 {
			t.Errorf("%s by %q at t = %g, drag %g ± %g", s.Status, s.StoppedBy, s.Time, b.CdMean, b.CdInterval)
		}
		return s
	}
	one, levels := run(watchedCase), run(refined)
	a, b := float64(one.Bodies["cylinder"].CdMean), float64(levels.Bodies["cylinder"].CdMean)
	t.Logf("after %g and %g L/U, drag %g and %g", one.Time, levels.Time, a, b)
	if d := math.Abs(b/a - 1); !(d < 0.02) { // either mean is known to 1 %
		t.Errorf("the mean drag is %g on levels, %g on one grid", b, a)
	}
}

// swirling is a vortexCase on 64 nodes, of which a box around its centre of strain is refined: extremes of the pressure, which lie where x and y are
// multiples of a quarter, are all on the coarser level.
const swirling = "\n[[refine]]\nbox = { min = [0.3125, 0.3125], max = [0.4375, 0.4375] }\n"

// The place of a pressure's extreme in a coarse cell is the cell's centre.
func TestExtremesOnCoarseCellsAreAtTheirCentres(t *testing.T) {
	s, err := Run(t.Context(), setuptest.Load(t, vortexCase+swirling, "reference.resolution=64", "run.time=0.2", "output.statistics.from=0"), Options{Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string][]finite.Number{"least": s.Pressure.MinPlace, "largest": s.Pressure.MaxPlace, "least at the end": s.Pressure.EndMinPlace, "largest at the end": s.Pressure.EndMaxPlace} {
		for _, x := range place {
			// centres of cells two nodes wide are odd multiples of 1/64, and those beside a multiple of a quarter are 1/64 from it
			if off := math.Abs(float64(x)*4-math.Round(float64(x)*4)) / 4; math.Abs(off-1./64) > 1e-12 {
				t.Errorf("the %s pressure is at %v, %g L from a multiple of a quarter, want 1/64", name, place, off)
			}
		}
	}
}

// Pictures on levels show the flow of one grid: the same values on the finest level, and on coarser cells what is linear between their centres.
func TestPicturesOfLevelsShowTheFlow(t *testing.T) {
	one, levels := setUp(t, setuptest.Load(t, vortexCase, "reference.resolution=64"), 0), setUp(t, setuptest.Load(t, vortexCase+swirling, "reference.resolution=64"), 0)
	spin := func(r *run[float64]) []float64 {
		all := make([]float64, r.Flow.Nodes())
		row := observe.NewVorticityRows(&r.State, 0).Begin()
		for j := range r.Flow.Size[1] {
			row(j, all[j*r.Flow.Size[0]:][:r.Flow.Size[0]])
		}
		return all
	}
	finest := levels.Boxes[0]
	for name, of := range map[string]func(r *run[float64]) []float64{
		"speed":     func(r *run[float64]) []float64 { return planeSpeed(&r.State, 0) },
		"vorticity": spin,
	} {
		want, got := of(one), of(levels)
		most, off, inside := 0., 0., 0.
		for k, v := range want {
			x, y := k%64, k/64
			most, off = math.Max(most, math.Abs(v)), math.Max(off, math.Abs(got[k]-v))
			if x > finest.Lo[0] && x < finest.Hi[0]-1 && y > finest.Lo[1] && y < finest.Hi[1]-1 {
				inside = math.Max(inside, math.Abs(got[k]-v))
			}
		}
		t.Logf("%s: off by %.3g of the largest, in the finest level by %.3g", name, off/most, inside/most)
		if !(off < 0.02*most) || !(inside < 1e-12*most) { // a cell's own value in all its nodes would be 5 % off
			t.Errorf("%s is off by %.3g of the largest, in the finest level by %.3g", name, off/most, inside/most)
		}
	}
}

// A checkpoint keeps each grid and names it; one of other grids is refused with which.
func TestCheckpointsKeepGrids(t *testing.T) {
	c := func(text string, sets ...string) *casefile.Case {
		return setuptest.Load(t, text, append(sets, "output.fields.every=0", "output.plots=false", "output.checkpoint.every=0.5")...)
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), c(setuptest.StreamCase+around, "run.steps=101"), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	saved, _, err := checkpoint.Latest(filepath.Join(dir, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for _, name := range saved.Names() {
		if f, err := saved.Float64(name); err == nil && strings.HasPrefix(name, "part") {
			values += len(f)
		}
	}
	if want := 9 * (130*80 + 140*88/4 + 320*240/16); values != want || saved.Names()[1] != "part0/f00" {
		t.Errorf("%d values of populations in %v, want %d", values, saved.Names(), want)
	}
	p := setuptest.Problem(t, setuptest.StreamCase+around)
	if got := capacity.CheckpointBytes(p); got != int64(8*values) {
		t.Errorf("a checkpoint is said to take %d bytes, has %d", got, 8*values)
	}
	one := strings.Replace(setuptest.StreamCase+around, "level = 2", "level = 1", 1)
	wider := strings.Replace(setuptest.StreamCase+around, "[1.5, 4.0, 1.5, 1.5]", "[1.5, 5.0, 1.5, 1.5]", 1)
	for says, text := range map[string]string{
		"grid 2 of its 3 is level 1, nodes [56 76 0] … [196 164 1] of the finest, each 2 wide, that of this case level 1, nodes [56 76 0] … [216 164 1]": wider,
		"keeps 3 grids, this case has one: undo the changes of [[refine]]":                                                                               setuptest.StreamCase,
		"keeps 3 grids, this case has 2: undo": one,
	} {
		if _, err := Run(t.Context(), c(text, "run.steps=120"), Options{Out: dir, Resume: true}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "000000000101.ckpt") {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	before := &savedMeta{Version: "0.9", Saved: observe.Saved{From: saved}}
	if err := before.hasGrids(p); err == nil || !strings.Contains(err.Error(), "it was version 0.9); this case has 3 grids") {
		t.Errorf("a checkpoint of all levels together: %v", err)
	}
}

// A box near to a face that fluid passes leaves room for those around it.
func TestBoxesLeaveRoomAtOpenFaces(t *testing.T) {
	text := setuptest.StreamCase + "\n[[refine]]\naround = \"rod\"\nmargin = [9, 20, 1, 1]\nlevel = 3\n"
	p := setuptest.Problem(t, text) // 320 × 240 nodes: coarsest cells are 8 wide
	for _, b := range p.Boxes {
		want := [...]int{1: 16, 2: 24, 3: 28}[b.Level]
		if b.Lo[0] != want || b.Hi[0] != 320-want {
			t.Errorf("the box of level %d is from %d to %d, want %d to %d", b.Level, b.Lo[0], b.Hi[0], want, 320-want)
		}
	}
}

// Each level has the eddy viscosity of its own nodes, (CΔ)²|S|. Couette flow across a seam then has two slopes with one stress between them.
func TestEddyViscosityIsThatOfEachLevel(t *testing.T) {
	const nu, constant, resolution = 1. / 200, 0.3, 16.
	text := `
[reference]
resolution = 16
velocity = 0.1
reynolds = 200
[domain]
lattice = "D2Q9"
size = [0.5, 1.0]
initial = { type = "couette", velocity = [1.0, 0.0] }
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "moving-wall", value = [1.0, 0.0] }
[fluid]
les = { type = "smagorinsky", constant = 0.3 }
[[refine]]
box = { min = [0.0, 0.0], max = [0.5, 0.5] }
[run]
time = 100
[output]
plots  = false
probes = [{ name = "fine", at = [0.25, 0.46875], every = 100 }, { name = "coarse", at = [0.25, 0.5625], every = 100 }]
`
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, text), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	rate := func(stress, width float64) float64 { // of the shear with which (ν + (CΔ)²γ)γ is that
		c := constant * constant * width * width
		return (math.Sqrt(nu*nu+4*c*stress) - nu) / (2 * c)
	}
	low, high := 0., 1.
	for range 60 {
		if s := (low + high) / 2; rate(s, 1/resolution)+rate(s, 2/resolution) < 2 {
			low = s
		} else {
			high = s
		}
	}
	all, err := table.Read(filepath.Join(dir, "probes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"fine": rate(low, 1/resolution) * 0.46875, "coarse": 1 - rate(low, 2/resolution)*0.4375} {
		rows, err := all.Where("probe", name)
		if err != nil {
			t.Fatal(err)
		}
		if u, err := all.Float("u", rows); err != nil || math.Abs(u[len(u)-1]-want) > 2e-4 { // what is left of the start is 10⁻⁵
			t.Errorf("%s: u = %v, want %v (%v)", name, u, want, err)
		}
	}
}

// With large eddies, and where the flow becomes steady and ends the run, forces on levels are those on one grid, and so are the extremes that a look at
// all nodes finds.
func TestLevelsHaveTheFlowOfOneGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for name, c := range map[string]struct {
		sets   []string
		status string
		within float64 // of the drag
	}{
		"large eddies": {[]string{"run.time=4", `fluid={ collision="recursive", les={ type="smagorinsky", constant=0.1 } }`}, "done", 0.005},
		"steady":       {[]string{"reference.reynolds=10", "reference.velocity=0.05", "run.time=60", "run.stop_when.steady=1e-5"}, "steady", 0.005},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(text string) *Summary {
				sets := append(c.sets, "reference.resolution=10", "output.fields.every=0", "output.plots=false", "output.checkpoint.every=0")
				s, err := Run(t.Context(), setuptest.Load(t, text, sets...), Options{Out: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			one, refined := run(setuptest.StreamCase), run(setuptest.StreamCase+around)
			t.Logf("%s and %s after %g and %g L/U, drag %g and %g, Mach numbers to %g and %g, densities to %g and %g off", one.Status, refined.Status, one.Time, refined.Time,
				one.Bodies["rod"].CdMean, refined.Bodies["rod"].CdMean, one.MachMax, refined.MachMax, one.DensityDeviation, refined.DensityDeviation)
			if one.Status != c.status || refined.Status != c.status {
				t.Errorf("one grid is %s, levels are %s, want %s", one.Status, refined.Status, c.status)
			}
			if late := refined.Time - one.Time; late < 0 || late > 4 {
				t.Errorf("levels end %g L/U after one grid", late)
			}
			for what, of := range map[string][3]float64{
				"mean drag":              {float64(one.Bodies["rod"].CdMean), float64(refined.Bodies["rod"].CdMean), c.within},
				"largest Mach number":    {float64(one.MachMax), float64(refined.MachMax), 0.02},
				"deviation of densities": {float64(one.DensityDeviation), float64(refined.DensityDeviation), 0.05},
			} {
				if d := math.Abs(of[1]/of[0] - 1); !(d < of[2]) {
					t.Errorf("the %s is %g on levels, %g on one grid", what, of[1], of[0])
				}
			}
		})
	}
}

// A run is continued with a test of steadiness that it had not, between the steps that are tested, too.
func TestSteadinessIsAskedForLater(t *testing.T) {
	sets := []string{"output.fields.every=0", "output.plots=false"}
	p := setuptest.Problem(t, setuptest.StreamCase+around)
	steps := p.Case.StepsOf(1)
	every := (steps + 3) / 4 * 4
	dir := t.TempDir()
	first := append(sets, fmt.Sprintf("run.steps=%d", every-2))
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.StreamCase+around, first...), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	then := append(sets, fmt.Sprintf("run.steps=%d", 3*every), "run.stop_when.steady=1e3")
	s, err := Run(t.Context(), setuptest.Load(t, setuptest.StreamCase+around, then...), Options{Out: dir, Resume: true})
	if err != nil || s.Status != "steady" || s.Steps != 3*every && s.Steps != 2*every {
		t.Errorf("%+v, %v", s, err)
	}
}
