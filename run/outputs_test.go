package run

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/table"
	"lbmib/io/vtkhdf"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

// contents are the files below a run directory that do not tell the time of day,
// and the arrays of the last checkpoint with what it knows beside them.
func contents(t *testing.T, dir string) map[string]any {
	t.Helper()
	all := map[string]any{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".ckpt") {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		text, err := os.ReadFile(path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	saved, _, err := checkpoint.Latest(filepath.Join(dir, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	var m savedMeta
	if err := saved.DecodeMeta(&m); err != nil {
		t.Fatal(err)
	}
	m.Wall = 0
	all["meta"], all["step"] = asJSON(t, m), saved.Step // in which no number is equal to no number
	for _, name := range saved.Names() {
		if all[name], err = saved.Float64(name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// inThePlane are the grids that setuptest.SwimmingCase is run on, with its post and walls on coarser ones, too.
var inThePlane = map[string]string{
	"one grid":     "",
	"two levels":   "\n[[refine]]\naround = \"swimmer\"\nmargin = 0.6\n",
	"three levels": "\n[[refine]]\naround = \"swimmer\"\nmargin = 0.15\nlevel = 2\n",
}

// inSpace are those of setuptest.SwimmingSphere.
var inSpace = map[string]string{"one grid": "", "two levels": "\n[[refine]]\naround = \"ball\"\nmargin = 0.6\n"}

func TestAnInterruptedRunLeavesTheSameBytes(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		after int // steps
		sets  []string
	}{
		"in the plane": {setuptest.SwimmingCase, 300, nil}, "in space": {setuptest.SwimmingSphere, 25, nil},
		"damped inside":                          {setuptest.SwimmingCase, 300, []string{"ib.inside=damped"}},
		"on levels":                              {setuptest.SwimmingCase + inThePlane["three levels"], 301, nil},
		"on levels, within a test of steadiness": {setuptest.SwimmingCase + inThePlane["three levels"], 318, []string{"run.stop_when.steady=1e-9"}},
		"on levels, to their grids":              {setuptest.SwimmingCase + inThePlane["two levels"], 301, []string{"output.fields.format=amr"}},
		"on levels in space":                     {setuptest.SwimmingSphere + inSpace["two levels"], 25, []string{"output.fields.format=amr"}},
		"on levels, large eddies":                {setuptest.SwimmingCase + inThePlane["two levels"], 301, []string{`fluid={ collision="recursive", les={ type="smagorinsky" } }`}},
		"elastic":                                {setuptest.CapsuleCase, 130, nil},
		"a flow that is held":                    {heldArray, 137, nil},
		"a sheet":                                {sheetCase, 60, nil},
		"elastic, beside a rigid one":            {setuptest.CapsuleCase, 130, []string{`body.1.motion={type="free", density=1.2}`}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"in the plane", "on levels in space", "elastic"}, name) {
				t.Skip("not with -short: the stage test runs it")
			}
			whole, parts, file := t.TempDir(), t.TempDir(), setuptest.Load(t, c.text, c.sets...).File
			load := func() *casefile.Case { // the same file, which warnings name
				again, err := casefile.Load(file, c.sets)
				if err != nil {
					t.Fatal(err)
				}
				return again
			}
			want, err := Run(t.Context(), load(), Options{Out: whole})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Run(&cancelledAfter{t.Context(), c.after}, load(), Options{Out: parts}); exit.Code(err) != exit.Interrupted {
				t.Fatalf("error %v with code %d, want %d", err, exit.Code(err), exit.Interrupted)
			}
			got, err := Run(t.Context(), load(), Options{Out: parts, Resume: true})
			if err != nil {
				t.Fatal(err)
			}
			if g, w := asJSON(t, got.Bodies), asJSON(t, want.Bodies); g != w {
				t.Errorf("bodies %s, want %s", g, w)
			}
			if g, w := asJSON(t, got.Cells), asJSON(t, want.Cells); g != w {
				t.Errorf("elastic bodies %s, want %s", g, w)
			}
			a, b := contents(t, parts), contents(t, whole)
			for name, want := range b {
				if !reflect.DeepEqual(a[name], want) {
					t.Errorf("%s differs", name)
				}
			}
			if len(a) != len(b) {
				t.Errorf("%d results, want %d", len(a), len(b))
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fieldOf reads an array of a file of a run.
func fieldOf(t *testing.T, dir, file, name string, size [3]int, components int) []float32 {
	t.Helper()
	v, err := vtkhdf.ReadField(filepath.Join(dir, file), name, size, components)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestBoxesAreCutOutOfTheFields(t *testing.T) {
	for grids, refine := range inThePlane {
		t.Run(grids, func(t *testing.T) {
			checkingtest.NumbersAlone(t)
			dir := t.TempDir()
			c := setuptest.Load(t, setuptest.SwimmingCase+refine)
			if _, err := Run(t.Context(), c, Options{Out: dir}); err != nil {
				t.Fatal(err)
			}
			step := fmt.Sprintf("_%09d.vtkhdf", c.Run.Steps)
			for _, box := range []struct {
				name           string
				lo, size       [3]int
				steps, written int
			}{{name: "near", lo: [3]int{12, 8}, size: [3]int{16, 16, 1}}, {name: "edge", lo: [3]int{40, 0}, size: [3]int{8, 8, 1}}} {
				for _, q := range []struct {
					name       string
					components int
				}{{"velocity", 3}, {"density", 1}, {"vorticity", 1}} {
					whole := fieldOf(t, dir, "fields/case"+step, q.name, [3]int{48, 32, 1}, q.components)
					part := fieldOf(t, dir, "boxes/"+box.name+step, q.name, box.size, q.components)
					for k, v := range part {
						i, j := box.lo[0]+k/q.components%box.size[0], box.lo[1]+k/q.components/box.size[0]
						if want := whole[(i+48*j)*q.components+k%q.components]; v != want { // the same sums, so the same bits
							t.Fatalf("box %s: %s at node %d, %d is %v, in the field %v", box.name, q.name, i, j, v, want)
						}
					}
				}
				entries, err := vtkhdf.ReadSeries(filepath.Join(dir, "boxes", box.name+".vtkhdf.series"))
				if err != nil || len(entries) != 5 || entries[4].Name != box.name+step {
					t.Errorf("box %s: the series lists %v (%v), want 5 files up to %s", box.name, entries, err, box.name+step)
				}
			}
		})
	}
}

func TestSlicesLieWithinTheFields(t *testing.T) {
	for grids, refine := range inSpace {
		t.Run(grids, func(t *testing.T) {
			checkingtest.NumbersAlone(t)
			dir := t.TempDir()
			c := setuptest.Load(t, setuptest.SwimmingSphere+refine)
			if _, err := Run(t.Context(), c, Options{Out: dir}); err != nil {
				t.Fatal(err)
			}
			const n = 18
			step := fmt.Sprintf("_%09d.vtkhdf", c.Run.Steps)
			for _, s := range []struct {
				name  string
				axis  int
				place float64 // nodes
			}{{"middle", 2, 8.5}, {"layer", 0, 1}, {"wall", 2, 0}, {"between", 1, 11.8}} {
				size := [3]int{n, n, n}
				size[s.axis] = 1
				for _, q := range []string{"velocity", "vorticity"} {
					whole := fieldOf(t, dir, "fields/case"+step, q, [3]int{n, n, n}, 3)
					part := fieldOf(t, dir, "slices/"+s.name+step, q, size, 3)
					below := int(s.place)
					w := s.place - float64(below)
					stride := 3 * []int{1, n, n * n}[s.axis]
					for k, v := range part {
						var p [3]int
						rest := k / 3
						for a := range p {
							p[a] = rest % size[a]
							rest /= size[a]
						}
						p[s.axis] = below
						at := 3*(p[0]+n*(p[1]+n*p[2])) + k%3
						want := float64(whole[at])
						if w > 0 {
							want = (1-w)*want + w*float64(whole[at+stride])
						}
						if math.Abs(float64(v)-want) > 1e-6*(1+math.Abs(want)) { // of single precision
							t.Fatalf("slice %s: %s at %v is %v, between the layers %v", s.name, q, p, v, want)
						}
					}
				}
			}
			part := fieldOf(t, dir, "boxes/part"+step, "vorticity", [3]int{6, 6, 12}, 3)
			whole := fieldOf(t, dir, "fields/case"+step, "vorticity", [3]int{n, n, n}, 3)
			if got, want := part[3*(0+6*(5+6*11))+1], whole[3*(0+n*(11+n*17))+1]; got != want || got == 0 {
				t.Errorf("box: vorticity at its corner on two faces, one periodic, is %v, in the field %v", got, want)
			}
		})
	}
}

func TestLinesFollowTheFields(t *testing.T) {
	for grids, refine := range inThePlane {
		t.Run(grids, func(t *testing.T) {
			dir := t.TempDir()
			c := setuptest.Load(t, setuptest.SwimmingCase+refine, `output.lines.0.from=[3.0625, 0.0]`, `output.lines.0.to=[3.0625, 4.0]`)
			if _, err := Run(t.Context(), c, Options{Out: dir}); err != nil {
				t.Fatal(err)
			}
			r, err := table.Read(filepath.Join(dir, "lines", "across.csv"))
			if err != nil {
				t.Fatal(err)
			}
			if r.Rows() != 5*33 || strings.Join(r.Columns, ",") != "t,step,s,x,y,rho,u,v,p" {
				t.Fatalf("%d rows of %v", r.Rows(), r.Columns)
			}
			column := func(name string) []float64 {
				v, err := r.Float(name, func(row int) bool { return row >= 4*33 })
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			y, s, u, rho := column("y"), column("s"), column("u"), column("rho")
			step := fmt.Sprintf("_%09d.vtkhdf", c.Run.Steps)
			velocity := fieldOf(t, dir, "fields/case"+step, "velocity", [3]int{48, 32, 1}, 3)
			density := fieldOf(t, dir, "fields/case"+step, "density", [3]int{48, 32, 1}, 1)
			for k := range y {
				below := min(max(int(math.Floor(y[k]*8-0.5)), 0), 31)
				above := min(below+1, 31)
				w := math.Min(math.Max(y[k]*8-0.5-float64(below), 0), 1)
				at := func(f []float32, n, j int) float64 { return float64(f[n*(24+48*j)]) }
				wantU, wantRho := (1-w)*at(velocity, 3, below)+w*at(velocity, 3, above), (1-w)*at(density, 1, below)+w*at(density, 1, above)
				if s[k] != y[k] || math.Abs(u[k]-wantU) > 1e-6 || math.Abs(rho[k]-wantRho) > 1e-6 { // single precision
					t.Errorf("point %d: s = %g, y = %g, u = %g, ρ = %g, in the fields %g and %g", k, s[k], y[k], u[k], rho[k], wantU, wantRho)
				}
			}
		})
	}
}

func TestMeansAreThoseOfTheFields(t *testing.T) {
	for grids, refine := range inThePlane {
		t.Run(grids, func(t *testing.T) {
			checkingtest.NumbersAlone(t)
			dir := t.TempDir()
			c := setuptest.Load(t, setuptest.SwimmingCase+refine, "output.fields.every=0.2", "run.time=2.0")
			if _, err := Run(t.Context(), c, Options{Out: dir}); err != nil {
				t.Fatal(err)
			}
			n := 48 * 32 * 3
			mean, variance := make([]float64, n), make([]float64, n)
			count := 0.
			for k := 5; k <= 10; k++ { // t = 1.0 … 2.0
				count++
				u := fieldOf(t, dir, fmt.Sprintf("fields/case_%09d.vtkhdf", int64(k)*c.StepsOf(0.2)), "velocity", [3]int{48, 32, 1}, 3)
				for i, v := range u {
					mean[i] += float64(v)
					variance[i] += float64(v) * float64(v)
				}
			}
			got, square := fieldOf(t, dir, observe.MeansFile, "velocity_mean", [3]int{48, 32, 1}, 3), fieldOf(t, dir, observe.MeansFile, "velocity_variance", [3]int{48, 32, 1}, 3)
			largest := 0.
			for i := range mean {
				m := mean[i] / count
				v := variance[i]/count - m*m
				if math.Abs(float64(got[i])-m) > 1e-6 || math.Abs(float64(square[i])-v) > 1e-6 { // the fields' single precision
					t.Fatalf("number %d: mean %g and variance %g, want %g and %g", i, got[i], square[i], m, v)
				}
				largest = math.Max(largest, v)
			}
			if largest < 1e-4 {
				t.Errorf("nothing varies: %g", largest)
			}
		})
	}
}

func TestBodiesAreWhereTheirMotionPutsThem(t *testing.T) {
	dir := t.TempDir()
	c := setuptest.Load(t, setuptest.SwimmingCase)
	s, err := Run(t.Context(), c, Options{Out: dir})
	if err != nil {
		t.Fatal(err)
	}
	r, err := table.Read(filepath.Join(dir, "bodies.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows() != 10 {
		t.Fatalf("%d rows, want one every 0.3 L/U", r.Rows())
	}
	want := func(time float64) map[string]float64 {
		omega := math.Pi
		return map[string]float64{
			"x": 2.5 + 0.25*math.Sin(omega*time), "y": 2 + 0.125*math.Sin(omega*time),
			"vx": 0.25 * omega * math.Cos(omega*time), "vy": 0.125 * omega * math.Cos(omega*time),
			"angle": 4 * time, "spin": 4, // almost two turns, counted
		}
	}
	times, err := r.Float("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want(0) {
		v, err := r.Float(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, time := range times {
			if w := want(time)[name]; math.Abs(v[i]-w) > 1e-9 {
				t.Errorf("t = %g: %s = %g, want %g", time, name, v[i], w)
			}
		}
	}
	end, w := s.Bodies["swimmer"].MotionSummary, want(s.Time)
	if end == nil || math.Abs(float64(end.Position[0])-w["x"]) > 1e-9 || math.Abs(float64(end.Angle.(finite.Number))-w["angle"]) > 1e-9 {
		t.Errorf("the summary ends with %+v, want %v", end, w)
	}
}

// columnOf is a column of a table.
func columnOf(t *testing.T, path, name string) []float64 {
	t.Helper()
	r, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Float(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// C_p is 2 p/ρU², and p/ρ = c_s²(ρ − 1) in lattice units, so that 2(ρ − 1)/(3 u²) with the velocity u of the case. Densities are stored in single precision.
func TestPressureCoefficientsAreThoseOfTheDensity(t *testing.T) {
	dir := t.TempDir()
	c := setuptest.Load(t, setuptest.SwimmingCase, "run.time=1.2", `output.fields.quantities=["density","pressure","pressure_coefficient"]`)
	if _, err := Run(t.Context(), c, Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	file, size := fmt.Sprintf("fields/case_%09d.vtkhdf", c.Run.Steps), [3]int{48, 32, 1}
	density, pressure, coefficient := fieldOf(t, dir, file, "density", size, 1), fieldOf(t, dir, file, "pressure", size, 1), fieldOf(t, dir, file, "pressure_coefficient", size, 1)
	const velocity = 0.05
	largest := 0.
	for n := range density {
		want := 2 * (float64(density[n]) - 1) / (3 * velocity * velocity)
		if math.Abs(float64(coefficient[n])-want) > 2*0x1p-24*2/(3*velocity*velocity) || math.Abs(float64(coefficient[n])-2*float64(pressure[n])) > 1e-6*(1+math.Abs(want)) {
			t.Fatalf("at node %d C_p is %v and the pressure %v ρU², want %v and half of it", n, coefficient[n], pressure[n], want)
		}
		largest = math.Max(largest, math.Abs(want))
	}
	if largest < 0.1 {
		t.Errorf("C_p is at most %v: this test looks at nothing", largest)
	}
}

// A body that turns steadily has that as its mean spin, in SI too: 4 U/L with L = 1 cm and U = 0.5 m/s are 200 rad/s.
func TestTheMeanSpinOfABodyThatTurnsSteadily(t *testing.T) {
	sets := slices.Concat(oil, []string{"run.time=1.5", "run.soft_start=0", "output.bodies.every=0.05", "output.statistics.from=0.5"})
	s, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, sets...), Options{Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	b := s.Bodies["swimmer"]
	if spin, ok := b.SpinMean.(finite.Number); !ok || math.Abs(float64(spin)-4) > 1e-9 {
		t.Errorf("the mean spin is %v, want 4 rad U/L", b.SpinMean)
	}
	if spin, ok := b.SI["spin_mean_rad_per_s"].(finite.Number); !ok || math.Abs(float64(spin)-200) > 1e-6 {
		t.Errorf("in SI it is %v, want 200 rad/s", b.SI["spin_mean_rad_per_s"])
	}
	if amplitude, ok := b.AngleAmplitude.(finite.Number); !ok || math.Abs(float64(amplitude)) > 1e-9 {
		t.Errorf("about that it swings by %v rad, want 0", b.AngleAmplitude)
	}
}
