package run

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking/checkingtest"
	"lbmib/io/table"
	"lbmib/run/setup/setuptest"
)

// fedTube is a tube, 16 nodes wide, through which capsules of 3.2 nodes flow that enter with the fluid.
func fedTube(t *testing.T, along geometry.Vec, time float64, region string) string {
	return tubeCase(t, along, 2, 16, fmt.Sprintf(`
[ib]
delta = "peskin4"
[[suspension]]
model = "elastic"
hematocrit = 0.02
feed = 0.04
%s
shape = { type = "sphere", diameter = 0.2 }
material = { law = "neo-hookean", capillary = 0.05, mesh = 42, volume_penalty = 10.0 }
[run]
time = %v
[output]
plots = false
ports = { every = 0.25 }
cells = { every = 0.25 }
suspension = { every = 0.25 }
[output.checkpoint]
every = 1.0
`, region, time))
}

// TestCellsEnterAndLeaveAVessel: of what flows in the share that is asked for enters as cells, all that are in the tube have entered or were there at the start and have not
// left, and as many leave in the end as enter. The tube is oblique, so that no port goes by nodes.
func TestCellsEnterAndLeaveAVessel(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand steps of a suspension")
	}
	out := t.TempDir()
	c := setuptest.Load(t, fedTube(t, geometry.Vec{3, 2, 1}, 4, ""))
	if _, err := Run(t.Context(), c, Options{Out: out}); err != nil {
		t.Fatal(err)
	}
	read := func(file string) *table.Table {
		of, err := table.Read(filepath.Join(out, file))
		if err != nil {
			t.Fatal(err)
		}
		return of
	}
	column := func(of *table.Table, name string, keep func(int) bool) []float64 {
		v, err := of.Float(name, keep)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	suspension, ports := read("suspension.csv"), read("ports.csv")
	cells, in, left, due := column(suspension, "cells", nil), column(suspension, "cells_in", nil), column(suspension, "cells_out", nil), column(suspension, "cells_due", nil)
	time := column(suspension, "t", nil)
	volume := math.Pi / 6 * 0.2 * 0.2 * 0.2 // of a cell; its mesh of 42 vertices has 10 % less
	start := cells[0] - in[0] + left[0]
	for i := range cells {
		if cells[i]-in[i]+left[i] != start {
			t.Errorf("t = %g: %g cells in the tube, of %g at the start, %g that entered and %g that left", time[i], cells[i], start, in[i], left[i])
		}
		entered := 0.04 * math.Pi / 4 * time[i]
		if got := (in[i] + due[i]) * volume; got < entered*0.95 || got > entered*1.25 {
			t.Errorf("t = %g: cells of %.4g L³ have entered or are due, want 0.04 of what flowed in: %.4g", time[i], got, entered)
		}
	}
	last := len(cells) - 1
	if left[last] < 0.5*in[last] || due[last] > 3 {
		t.Errorf("%g cells have entered, %g are due and %g have left after %g L/U in a tube of 2 L", in[last], due[last], left[last], time[last])
	}
	entered, _ := ports.Where("port", "in")
	if v := column(ports, "cells_out", entered); v[len(v)-1] != 0 {
		t.Errorf("%g cells left by the port at which they enter", v[len(v)-1])
	}
	if v := column(ports, "cell_volume", entered); v[len(v)-1] <= 0 {
		t.Errorf("a volume of %g L³ entered", v[len(v)-1])
	}
	x := column(read("cells.csv"), "volume_drift", nil)
	for _, drift := range x {
		if math.Abs(drift) > 0.1 { // of cells three nodes wide
			t.Fatalf("a cell's volume has changed by %g", drift)
		}
	}
	t.Logf("%g cells at the start, %g entered, %g left, %g due", start, in[last], left[last], due[last])
}

// TestFedCellsAreTheSameBits for any number of threads, and in a run that is resumed while cells enter and leave.
func TestFedCellsAreTheSameBits(t *testing.T) {
	for _, ratio := range []string{"5.0", "1.0"} {
		if ratio == "1.0" && !checkingtest.Full() {
			continue // the same without times of nodes
		}
		t.Run("viscosity ratio "+ratio, func(t *testing.T) { fedBits(t, "suspension.0.material.viscosity_ratio="+ratio) })
	}
	if testing.Short() {
		return // physics of code that the above takes through the race detector
	}
	t.Run("implicit", func(t *testing.T) { fedBits(t, "suspension.0.material.implicit=true") })
}

func fedBits(t *testing.T, ratio string) {
	time := 2.0          // L/U
	if testing.Short() { // the race detector needs cells that enter, and no resumed run
		time = 0.5
	}
	text := fedTube(t, geometry.Vec{1, 0, 0}, time, "region = { min = [1, -0.5, -0.5], max = [2, 0.5, 0.5] }") // which bounds the cells of the start alone
	files := func(out string) (all string) {
		for _, name := range []string{"cells.csv", "suspension.csv", "ports.csv"} {
			b, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(b)
		}
		return all
	}
	enter := func(out string, least float64) {
		t.Helper()
		suspension, err := table.Read(filepath.Join(out, "suspension.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if in, err := suspension.Float("cells_in", nil); err != nil || in[len(in)-1] < least {
			t.Errorf("%v: %v cells have entered in front of those of the start, want %g", err, in, least)
		}
	}
	want, out := "", ""
	for _, threads := range []int{1, 3} {
		out = t.TempDir()
		c := setuptest.Load(t, text, ratio)
		c.Run.Threads = threads
		if _, err := Run(t.Context(), c, Options{Out: out}); err != nil {
			t.Fatal(err)
		}
		switch got := files(out); {
		case want == "":
			want = got
		case got != want:
			t.Errorf("%d threads write other numbers than one", threads)
		}
	}
	if testing.Short() {
		enter(out, 2)
		return
	}
	out = t.TempDir()
	c := setuptest.Load(t, text, ratio)
	c.Run.Time, c.Run.Steps = 1, c.Run.Steps/2
	if _, err := Run(t.Context(), c, Options{Out: out}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, text, ratio), Options{Out: out, Resume: true}); err != nil {
		t.Fatal(err)
	}
	enter(out, 10)
	if got := files(out); got != want {
		t.Error("a run that is resumed writes other numbers than one that never stopped")
	}
}
