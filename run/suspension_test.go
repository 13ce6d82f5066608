package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/table"
	"lbmib/run/check"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

const suspensionCase = `
[reference]
resolution = 16
velocity   = 0.05
reynolds   = 5
[domain]
lattice = "D3Q19"
size    = [1, 1, 1]
force   = [1.6, 0, 0]
initial = { type = "rest" }
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[fluid]
collision = "trt"
[[suspension]]
hematocrit = 0.3
seed       = 3
semi_axes  = [0.1, 0.1, 0.03125]
strength   = 1e-4
[run]
time = 0.2
[output]
suspension = { every = 0.02, profile = "y" }
checkpoint = { every = 0.1 }
plots = false
`

// TestASuspensionGoesOnWhereItWasInterrupted with the same bytes, on another number of threads, and fills what it is asked for.
func TestASuspensionGoesOnWhereItWasInterrupted(t *testing.T) {
	whole, half := t.TempDir(), t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, suspensionCase, "run.threads=1"), Options{Out: whole}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, suspensionCase, "run.time=0.1", "run.threads=2"), Options{Out: half}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, suspensionCase, "run.threads=2"), Options{Out: half, Resume: true}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"suspension.csv", "suspension_profile.csv"} {
		one, err := os.ReadFile(filepath.Join(whole, name))
		two, e := os.ReadFile(filepath.Join(half, name))
		if err != nil || e != nil || !bytes.Equal(one, two) {
			t.Errorf("%s of a run that was interrupted differs (%v, %v)", name, err, e)
		}
	}
	rows, err := table.Read(filepath.Join(whole, "suspension.csv"))
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) float64 {
		v, err := rows.Float(name, nil)
		if err != nil || len(v) != 10 {
			t.Fatalf("%s: %d values, %v", name, len(v), err)
		}
		return v[len(v)-1]
	}
	if h := of("hematocrit"); math.Abs(h-0.3) > 0.005 {
		t.Errorf("haematocrit %g", h)
	}
	if !(of("vx") > 0.1) || !(math.Abs(of("vy")) < 0.01) || math.Abs(of("order_x")+of("order_y")+of("order_z")-1) > 1e-12 {
		t.Errorf("vx %g, vy %g, order %g", of("vx"), of("vy"), of("order_x"))
	}
	profile, err := table.Read(filepath.Join(whole, "suspension_profile.csv"))
	if err != nil {
		t.Fatal(err)
	}
	filled, err := profile.Float("hematocrit", nil)
	if err != nil || len(filled) != 160 {
		t.Fatalf("%d layers, %v", len(filled), err)
	}
	sum := 0.
	for _, h := range filled[144:] {
		sum += h / 16
	}
	if math.Abs(sum-of("hematocrit")) > 1e-12 {
		t.Errorf("the layers are filled by %g on average", sum)
	}
}

// TestSuspensionsAreChecked: what cannot be is refused, with its place and the remedy.
func TestSuspensionsAreChecked(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, suspensionCase)
	for says, set := range map[string]string{
		"Suspended ellipsoids":                               "run.seed=0",
		"must be more than 0 and at most 0.5":                "suspension.0.hematocrit=0.9",
		"so stiff that":                                      "suspension.0.strength=1.0",
		"the first two must be alike":                        "suspension.0.semi_axes=[0.1, 0.2, 0.1]",
		"must have at least":                                 "suspension.0.semi_axes=[0.4, 0.4, 0.1]",
		"by which no torque of ellipsoids acts":              `ib.delta="hat2"`,
		"is open, where ellipsoids would leave":              `domain.boundary.top={type="pressure", density=1}`,
		"suspension.0.shape: is missing":                     `suspension.0.model="elastic"`,
		"use backend cpu or auto":                            `run.backend="cuda"`,
		"beside [[solid]]":                                   `solid=[{name="s", shape={type="sphere", center=[0.5,0.5,0.5], diameter=0.2}}]`,
		"unknown key; did you mean suspension.0.hematocrit?": "suspension.0.hematocrite=0.1",
	} {
		var page bytes.Buffer
		r := check.Check(path, []string{set}, setup.Kernel{})
		r.Write(&page, nil)
		if all := page.String() + strings.Join(r.Errors, "\n"); !strings.Contains(all, says) {
			t.Errorf("%s: %q is not in\n%s", set, says, all)
		}
	}
}
