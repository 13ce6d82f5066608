package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// many is a periodic box with bodies in it.
func many(t *testing.T, size, time string, bodies ...string) *setup.Problem {
	t.Helper()
	text := "[reference]\nresolution = 10\nvelocity = 0.05\nreynolds = 50\n[domain]\nlattice = \"D2Q9\"\nsize = " + size + "\n[run]\ntime = " + time + "\n"
	c, err := casefile.Parse("case.toml", []byte(text+"[[body]]\n"+strings.Join(bodies, "\n[[body]]\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCopiesWholeNodesApartAreWeighedOnce(t *testing.T) {
	const disc = `shape = { type = "circle", center = [2.13, 2.27], diameter = 1.0 }` + "\n"
	for step, want := range map[string]int{"[3.0, 4.0]": 1, "[3.05, 3.0]": 2, "[3.01, 3.0]": 10} {
		p := many(t, "[60.0, 60.0]", "1.0", disc+`array = { count = [10, 10], step = `+step+` }`)
		known, asked := conditions{}, 0
		for _, b := range p.Bodies {
			c := known.of(b, func() condition {
				asked++
				return markerWeights[float64]("roma3", b)
			})
			if alone := markerWeights[float64]("roma3", b); !c.known || c.value < alone.value*(1-1e-6) || c.value > alone.value*(1+1e-6) {
				t.Fatalf("step %s: %s has condition %v, alone %v", step, b.Name, c.value, alone.value)
			}
		}
		if asked != want {
			t.Errorf("step %s: %d of 100 copies are weighed, want %d", step, asked, want)
		}
		if near := closeBodies(p); len(near) != 0 {
			t.Errorf("step %s: %d bodies are near others", step, len(near))
		}
	}
}

// Bodies near each other, or across a periodic face, are weighed together.
func TestBodiesNearOthersAreFound(t *testing.T) {
	disc := func(x, y string) string {
		return `shape = { type = "circle", center = [` + x + `, ` + y + `], diameter = 1.0 }`
	}
	p := many(t, "[30.0, 30.0]", "1.0", disc("5", "5"), disc("6.3", "5"), disc("15", "15"), disc("0.6", "22"), disc("15", "17.9"))
	got := ""
	for _, b := range closeBodies(p) {
		got += b.Name + " "
	}
	if got != "body0 body1 body3 " {
		t.Errorf("near are %s", got)
	}
}

// How far a check follows motions does not grow with the run.
func TestFollowingIsBoundedWhateverTheTime(t *testing.T) {
	checkingtest.NumbersAlone(t)
	disc := func(k int, motion string) string {
		return fmt.Sprintf("shape = { type = \"circle\", center = [%d, 15], diameter = 1.0 }\nmotion = { type = \"prescribed\", %s }", 3+3*k, motion)
	}
	waving, spinning := `amplitude = [0.3, 0.2], frequency = 0.1`, `velocity = ["0.3*sin(t)", "0.2*cos(t)"], spin = "sin(t)/10"`
	for name, c := range map[string]struct {
		bodies         []string
		followed, ends float64 // steps; a step is 0.005
	}{
		"periodic":           {[]string{disc(0, waving)}, 2000, 2000},
		"two periods":        {[]string{disc(0, waving), disc(1, `swing = 30, frequency = 0.3`)}, setup.Farthest, 2000},
		"integrated":         {[]string{disc(0, spinning)}, 133_333, 133_333},
		"many integrated":    {[]string{disc(0, spinning) + "\narray = { count = [9, 1], step = [3, 0] }"}, 14_814, 14_814},
		"without a period":   {[]string{disc(0, `angle = "t/100"`)}, setup.Farthest, setup.Farthest},
		"at rest and moving": {[]string{disc(0, waving), `shape = { type = "circle", center = [20, 20], diameter = 1.0 }`}, 2000, 2000},
	} {
		for _, time := range []string{"1e5", "1e7"} {
			p := many(t, "[33.0, 33.0]", time, c.bodies...)
			p.FindEnds()
			if p.Followed != c.followed || p.Ends[0] != c.ends {
				t.Errorf("%s, time = %s: followed to step %v, the first body to %v; want %v and %v", name, time, p.Followed, p.Ends[0], c.followed, c.ends)
			}
		}
		if p := many(t, "[33.0, 33.0]", "1.0", c.bodies...); true {
			if p.FindEnds(); p.Followed != 200 {
				t.Errorf("%s: a run of 200 steps is followed to %v", name, p.Followed)
			}
		}
	}
}

// A check takes so many allocations for each body, in an array or in tables of their own,
// and hardly any more for the proposals that a case of a coarse grid gets.
func TestAllocationsOfACheckAreBoundedPerBody(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short, which the race detector has: it allocates, too")
	}
	kernel, err := setup.ChooseKernel("go")
	if err != nil {
		t.Fatal(err)
	}
	allocations := func(resolution, rows int, tables bool) float64 {
		text := fmt.Sprintf("[reference]\nresolution = %d\nvelocity = 0.05\nreynolds = 40\n[domain]\nlattice = \"D2Q9\"\nsize = [90.0, %d]\n[run]\ntime = 1.0\n", resolution, 3*rows)
		const disc = "[[body]]\nshape = { type = \"circle\", center = [%v, %v], diameter = 1.0 }\n"
		if !tables {
			text += fmt.Sprintf(disc+"array = { count = [30, %d], step = [3.0, 3.0] }\n", 1.5, 1.5, rows)
		}
		for i := 0; tables && i < 30*rows; i++ {
			text += fmt.Sprintf(disc, 1.5+3*float64(i%30), 1.5+3*float64(i/30))
		}
		path := filepath.Join(t.TempDir(), "case.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var r *Report
		n := testing.AllocsPerRun(1, func() {
			r = check(path, nil, kernel, func(*casefile.Case, *setup.Problem, setup.Kernel) speeds { return speeds{mflups: 100} })
		})
		if len(r.Errors) > 0 || len(r.Bodies) != 30*rows || (len(r.Proposals) > 0) != (resolution < 10) {
			t.Fatalf("%d bodies, %d proposals, errors %v", len(r.Bodies), len(r.Proposals), r.Errors)
		}
		return n
	}
	for _, c := range []struct {
		name       string
		resolution int
		tables     bool
		most       float64
	}{{"array", 10, false, 20}, {"tables", 10, true, 150}, {"array with proposals", 8, false, 40}, {"tables with proposals", 8, true, 150}} {
		few, many := allocations(c.resolution, 40, c.tables), allocations(c.resolution, 80, c.tables)
		if each := (many - few) / 1200; each > c.most {
			t.Errorf("%s: %.0f allocations for each body more, want at most %v", c.name, each, c.most)
		}
	}
}

// Of many bodies near each other those that are nearest are weighed together.
func TestOfManyNearBodiesTheNearestAreWeighedTogether(t *testing.T) {
	const discs = `shape = { type = "circle", center = [1.0, 1.0], diameter = 1.0 }` + "\n" + `array = { count = [30, 20], step = [1.25, 2.0] }`
	p := many(t, "[40.0, 60.0]", "1.0", discs, `shape = { type = "circle", center = [20.0, 50.0], diameter = 1.0 }`, `shape = { type = "circle", center = [21.1, 50.0], diameter = 1.0 }`)
	near := closeBodies(p)
	if n := len(near); n != weighedTogether || near[n-1].Name != "body2" || near[n-2].Name != "body1" {
		t.Errorf("%d bodies are weighed together, the last is %s", n, near[n-1].Name)
	}
}

func TestRefusalsBeyondFiftyAreCounted(t *testing.T) {
	var r Report
	for range 200 {
		r.refuse(errors.New("wrong"))
	}
	if n := len(r.Errors); n != mostErrors+1 || r.Errors[n-1] != "and 149 more: correct those above first" || r.Verdict != Refused {
		t.Errorf("%d messages, the last %q", n, r.Errors[n-1])
	}
}
