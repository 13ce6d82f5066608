package cases_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run"
	"lbmib/run/check"
)

// whole is a case that is run to its end as it is shipped, and the number that its comment or the README has for it.
type whole struct {
	file     string
	number   string // what it is; empty: none is told of the case
	lo, hi   float64
	bySource string // of the bounds
	of       func(t *testing.T, s *run.Summary, dir string) float64
}

// row is a row of the README's table of drag, and what the README says of the main job: what is set in a case, the body, and what it gives, to the digits that the README has.
type row struct {
	file   string
	sets   []string
	body   string
	number string // of summary.json
	told   float64
	digits int // behind the point
}

// uncorrected is how walls are not put right.
const uncorrected = "ib.correction=none"

// readmeRows are those that two cores compute within minutes, except that of the duct (validation/cases/dfg-3d.toml) and of the array of spheres, which group array-spheres of lbmib validate has.
// cylinder-re20 as it is shipped is one of wholeCases.
var readmeRows = []row{
	{"../validation/cases/taylor-couette.toml", []string{"reference.resolution=10"}, "inner", "torque", 1.673, 3},
	{"../validation/cases/taylor-couette.toml", []string{"reference.resolution=10", uncorrected}, "inner", "torque", 2.094, 3},
	{"templates/dfg.toml", nil, "cylinder", "drag", 5.581, 3},
	{"templates/dfg.toml", []string{uncorrected}, "cylinder", "drag", 5.800, 3},
	{"templates/dfg.toml", []string{"reference.resolution=40"}, "cylinder", "drag", 5.578, 3},
	{"templates/dfg.toml", []string{"reference.resolution=40", uncorrected}, "cylinder", "drag", 5.684, 3},
	{"cylinder-re20.toml", []string{"reference.resolution=20"}, "cylinder", "drag", 2.235, 3},
	{"cylinder-re20.toml", []string{"reference.resolution=20", uncorrected}, "cylinder", "drag", 2.292, 3},
	{"cylinder-re20.toml", []string{uncorrected}, "cylinder", "drag", 2.255, 3},
	{"cylinder.toml", nil, "cylinder", "drag", 1.47, 2},
}

// whole is the row as a case that is run to its end: the number is what the README has where it rounds to it.
func (r *row) whole() whole {
	half := 0.5 * math.Pow10(-r.digits)
	return whole{r.file, r.number, r.told - half, r.told + half, fmt.Sprintf("README, %.*f", r.digits, r.told), func(t *testing.T, s *run.Summary, dir string) float64 {
		b := s.Bodies[r.body]
		if r.number == "torque" {
			torque, ok := b.TorqueMean.(finite.Number)
			if !ok {
				t.Errorf("the mean torque on %q is %v", r.body, b.TorqueMean)
			}
			return math.Abs(float64(torque))
		}
		return float64(b.CdMean)
	}}
}

// wholeCases are all that are shipped, those of the fewest updates first.
var wholeCases = []whole{
	{"poiseuille.toml", "largest error of the parabola, U", 0, 1e-12, "exact", func(t *testing.T, s *run.Summary, dir string) float64 {
		c, err := casefile.Load("poiseuille.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.
		for _, p := range c.Output.Probes {
			y := p.At[1]
			worst = math.Max(worst, math.Abs(last(t, dir, p.Name, "u")-4*y*(1-y)))
		}
		return worst
	}},
	{"taylor-green.toml", "speed at the peak over the exact one", 0.99, 1.01, "exact; second order, 32 nodes", func(t *testing.T, s *run.Summary, dir string) float64 {
		k := 2 * math.Pi
		return last(t, dir, "peak", "u") / (math.Cos(k*0.015625) * math.Sin(k*0.234375) * math.Exp(-2*k*k*0.1*0.1))
	}},
	{file: "flag.toml"},
	{file: "tandem-flags.toml"},
	{file: "rings.toml"},
	{file: "stirred-vessel.toml"},
	{file: "turbine.toml"},
	{file: "sinking-discs.toml"},
	{file: "red-cells.toml"},
	{"refined-cylinder.toml", "drag", 1.374, 1.459, "gate of group cylinder, ±3 %", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["cylinder"].CdMean) }},
	{file: "counter-rotating.toml"},
	{"oscillating-cylinder.toml", "drag coefficient by Morison's equation", 2.28, 2.32, "its comment, 2.30", func(t *testing.T, s *run.Summary, dir string) float64 {
		o := s.Bodies["cylinder"].Oscillation
		if o == nil || !o.Converged {
			t.Errorf("the oscillation is not converged: %+v", o)
			return math.NaN()
		}
		return float64(o.Cd)
	}},
	{file: "suspension.toml"},
	{file: "blood-tube.toml"},
	{file: "airfoil.toml"},
	{"stretched-cell.toml", "length, µm", 14.8, 15, "its comment, 14.9", func(t *testing.T, s *run.Summary, dir string) float64 {
		return 7.82 * float64(s.Cells["cell"].Extent[0])
	}},
	{"tank-treading.toml", "turns of the membrane in 1/γ̇", 0.052, 0.057, "its comment, 0.054", func(t *testing.T, s *run.Summary, dir string) float64 {
		return -float64(s.Cells["cell"].TreadFrequency)
	}},
	{"cavity.toml", "least u on the centreline", -0.2162, -0.2119, "Marchi et al. 2009, −0.21404 ± 1 %", func(t *testing.T, s *run.Summary, dir string) float64 { return last(t, dir, "u_min", "u") }},
	{"capsule.toml", "D after γ̇t = 3", 0.275, 0.285, "its comment, 0.28", func(t *testing.T, s *run.Summary, dir string) float64 {
		return float64(s.Cells["capsule"].Deformation)
	}},
	{"cylinder.toml", "Strouhal number", 0.158, 0.182, "TestMainJobSheds, 0.170 ± 0.012", func(t *testing.T, s *run.Summary, dir string) float64 {
		return float64(s.Bodies["cylinder"].Strouhal)
	}},
	{"refined-settling-sphere.toml", "largest speed, U", 0.936, 0.946, "README, 0.9415; ±0.5 %", func(t *testing.T, s *run.Summary, dir string) float64 {
		rows, err := table.Read(filepath.Join(dir, "bodies.csv"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := rows.Float("vy", nil)
		if err != nil {
			t.Fatal(err)
		}
		return -slices.Min(v)
	}},
	{"refined-channel.toml", "largest lift", 0.98, 1.01, "Schäfer & Turek 1996", func(t *testing.T, s *run.Summary, dir string) float64 {
		return float64(s.Bodies["cylinder"].Extremes["cl"].Max)
	}},
	{file: "stenosis.toml"},
	{file: "capsule-constriction.toml"},
	{file: "torus.toml"},
	{file: "flag3d.toml"},
	{"refined-sphere.toml", "drag", 1.080, 1.124, "Johnson & Patel 1999, ±2 %", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["sphere"].CdMean) }},
	{file: "coronary.toml"},
	{"cylinder-re20.toml", "drag", 2.2325, 2.2375, "README, 2.235; the gate of group cylinder is wider", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["cylinder"].CdMean) }},
	{"cylinder-re40.toml", "drag", 1.628, 1.662, "gate of group cylinder, ±1 %", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["cylinder"].CdMean) }},
	{"cylinder-re100.toml", "drag", 1.374, 1.460, "gate of group cylinder, ±3 %", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["cylinder"].CdMean) }},
	{"sphere.toml", "drag", 1.080, 1.124, "Johnson & Patel 1999, ±2 %", func(t *testing.T, s *run.Summary, dir string) float64 { return float64(s.Bodies["sphere"].CdMean) }},
}

// Every case is on the list, so that none is left out of a whole run unseen.
func TestWholeCasesAreAll(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f != "unstructured.toml" && !slices.ContainsFunc(wholeCases, func(w whole) bool { return w.file == f }) { // that is of bench ib, and is not run
			t.Errorf("%s is not in wholeCases", f)
		}
	}
}

// LBMIB_CASES=whole runs every shipped case to its end, as it is, and the rows of the README's table of drag, which takes hours; LBMIB_CASES=flag.toml,rings.toml these
// cases, LBMIB_CASES=README these rows. Each must end, with finite numbers, and have the number that is told of it; a row of the tables in validation/whole.md is printed of each.
//
//	LBMIB_CASES=whole go test ./cases -run TestWholeCases -v -timeout 0
func TestWholeCases(t *testing.T) {
	asked := os.Getenv("LBMIB_CASES")
	if asked == "" {
		t.Skip("LBMIB_CASES is not set: shipped cases are not run to their end")
	}
	names := strings.Split(asked, ",")
	for _, name := range names {
		if name != "whole" && name != "README" && !slices.ContainsFunc(wholeCases, func(w whole) bool { return w.file == name }) {
			t.Errorf("LBMIB_CASES has %q, must be whole, README or names of cases with commas between them", name)
		}
	}
	for _, w := range wholeCases {
		if asked == "whole" || slices.Contains(names, w.file) {
			t.Run(w.file, func(t *testing.T) { w.run(t) })
		}
	}
	for _, r := range readmeRows {
		if asked == "whole" || slices.Contains(names, "README") {
			w := r.whole()
			t.Run(strings.Join(append([]string{filepath.Base(r.file)}, r.sets...), " "), func(t *testing.T) { w.run(t, r.sets...) })
		}
	}
}

// run runs the case to its end, with what is set in it, and prints its row.
func (w *whole) run(t *testing.T, sets ...string) {
	begin, before := time.Now(), processorTime(t)
	s, dir := runCase(t, w.file, sets...)
	took, worked := time.Since(begin), processorTime(t)-before
	for what, v := range map[string]float64{"largest Mach number": float64(s.MachMax), "departure of the density": float64(s.DensityDeviation)} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%s: its %s is %v at the end", w.file, what, v)
		}
	}
	if s.Status != "done" && s.Status != "steady" {
		t.Errorf("%s ended %s (%s)", w.file, s.Status, s.Reason)
	}
	told := "ended, finite"
	if w.number != "" {
		v := w.of(t, s, dir)
		told = fmt.Sprintf("%s %.5g, %.5g to %.5g (%s)", w.number, v, w.lo, w.hi, w.bySource)
		if !(v >= w.lo && v <= w.hi) {
			t.Errorf("%s: %s", w.file, told)
		}
	}
	verdict := "holds"
	if t.Failed() {
		verdict = "fails"
	}
	name := strings.TrimSuffix(filepath.Base(w.file), ".toml")
	if len(sets) > 0 {
		name += ", " + strings.Join(sets, ", ")
	}
	fmt.Printf("| %s | %d | %d | %s | %s | %s | %s |\n", name, s.Nodes, s.Steps, check.Clock(took), check.Clock(worked), told, verdict)
}

// processorTime is that of the process so far, on all its cores.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
