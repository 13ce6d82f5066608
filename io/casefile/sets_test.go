package casefile

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A case with further overrides is the one that its file gives with all of them, and the
// case itself stays what it is.
func TestCaseWithFurtherOverrides(t *testing.T) {
	second := `body.1={name="second", shape={type="circle", center=[12,7], diameter=1}}`
	before, further := []string{"run.steps=500", second}, []string{"reference.resolution=20", "fluid.collision=trt", "run.time=3"}
	c := mustParse(t, cylinder, before...)
	for tables, want := range map[int]*Case{
		1: mustParse(t, cylinder, "run.steps=500", further[0], further[1]),
		9: mustParse(t, cylinder, append(before, further[:2]...)...),
	} {
		got, err := c.With(further[:2], tables)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*Case{got, want} {
			c.positions, c.overrides = nil, nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d tables: got\n%+v\nwant\n%+v", tables, got, want)
		}
	}
	if _, err := c.With(further, 9); err == nil || !strings.Contains(err.Error(), "run.") {
		t.Errorf("time beside steps, both set: %v", err)
	}
	if again := mustParse(t, cylinder, before...); !reflect.DeepEqual(c, again) {
		t.Errorf("the case has changed to\n%+v", c)
	}
}

func TestOverridesReachEveryLevel(t *testing.T) {
	c := mustParse(t, cylinder,
		"reference.resolution = 20",  // a number, with spaces
		"fluid.collision=trt",        // a bare word
		`ib.delta="peskin4"`,         // a TOML string
		"domain.size=[20, 15.0]",     // an array
		"body.0.shape.center.1=7.25", // an element of an array
		"body.0.spacing=0.75",        // a key that the file has not
		"body.1.name=second",         // a table appended …
		"body.1.shape={type='circle', center=[12,7], diameter=1}",
		"body.1.shape.diameter=2", // … and changed
		"domain.boundary.top.type=no-slip",
		"domain.boundary.bottom.type=symmetry",
		"output.probes=[]",
		"output.statistics.from=auto",
		"title=two bodies, a = b", // the first = separates
	)
	if c.Domain.Nodes != [3]int{400, 300, 1} || c.Fluid.Collision != "trt" || c.IB.Delta != "peskin4" {
		t.Errorf("nodes %v, collision %q, delta %q", c.Domain.Nodes, c.Fluid.Collision, c.IB.Delta)
	}
	if len(c.Bodies) != 2 || c.Bodies[0].Shape.Place("center") != [3]float64{10, 7.25} || c.Bodies[0].Spacing != 0.75 ||
		c.Bodies[1].Name != "second" || c.Bodies[1].Shape.Number("diameter") != 2 {
		t.Errorf("bodies %+v", c.Bodies)
	}
	if c.Domain.Boundary[3].Type != "no-slip" || c.Domain.Boundary[2].Type != "symmetry" || len(c.Output.Probes) != 0 {
		t.Errorf("boundary %+v, probes %v", c.Domain.Boundary, c.Output.Probes)
	}
	if c.Title != "two bodies, a = b" {
		t.Errorf("title %q", c.Title)
	}
}

func TestLaterOverridesWin(t *testing.T) {
	c := mustParse(t, cylinder, "run.time=10", "output.statistics.from=1", "run.time=20")
	if c.Run.Time != 20 {
		t.Errorf("time = %v, want 20", c.Run.Time)
	}
}

func TestOverrideTakesThePlaceOfItsAlternativeInTheFile(t *testing.T) {
	c := mustParse(t, cylinder, "run.steps=40000", "reference.viscosity=0.05")
	if c.Run.Steps != 40000 || c.Run.Time != 100 || c.Reference.Reynolds != 20 {
		t.Errorf("steps %d, time %v, Re %v; want 40000, 100, 20", c.Run.Steps, c.Run.Time, c.Reference.Reynolds)
	}
	_, err := Parse("case.toml", []byte(cylinder), []string{"run.time=100", "run.steps=40000"})
	if err == nil || !strings.HasPrefix(err.Error(), "--set run.steps=40000: given beside time") {
		t.Errorf("two alternatives by --set give %v", err)
	}
}

func TestBadOverridesAreBlamedThemselves(t *testing.T) {
	for set, want := range map[string]string{
		"run.time":                             "--set run.time: must be key=value",
		"=3":                                   "--set =3: must be key=value",
		"run..time=3":                          "--set run..time=3: must be key=value",
		"run.time=-3":                          "--set run.time=-3: -3 must be greater than 0",
		"run.tme=3":                            "--set run.tme=3: unknown key; did you mean run.time?",
		"run.time.x=3":                         "--set run.time.x=3: run.time is the number 150 and has no keys",
		"body.3.name=x":                        "--set body.3.name=x: body has 1 elements, numbered from 0",
		"body.first.name=x":                    `--set body.first.name=x: body has 1 elements, numbered from 0: "first" is none of them`,
		"domain.size=[40":                      "--set domain.size=[40: the value is not valid TOML",
		"domain.size=[40,-1]":                  "--set domain.size=[40,-1]: domain.size.1: -1 must be greater than 0",
		"title=a\nb = 1":                       "--set title=a\nb = 1: the value is not valid TOML",
		"body.0.shape={type='circle'}":         "--set body.0.shape={type='circle'}: body.0.shape.center: is missing",
		"ib.delta=rona3":                       `--set ib.delta=rona3: "rona3" is not a delta function (did you mean "roma3"?)`,
		"title=7":                              "--set title=7: must be a string in quotes, not the number 7",
		"reference=7":                          "--set reference=7: must be a table",
		"forces.every=1":                       "--set forces.every=1: forces: unknown key; did you mean output.forces?",
		"body.0.shape.center=[10, 1e3]":        "--set body.0.shape.center=[10, 1e3]: body \"cylinder\" lies outside",
		"output.probes.0.at.0=99":              "case.toml:49:33: output.probes.0.at: probe",
		"reference.length=1 cm":                "",
		"run.time=0x10":                        "", // hexadecimal is TOML
		"output.directory=runs/a b.out":        "",
		"output.fields.quantities.1=vorticity": `case.toml:47:67: output.fields.quantities.2: "vorticity" stands twice`,
	} {
		sets := []string{set}
		if set == "run.time=0x10" {
			sets = append(sets, "output.statistics.from=3")
		}
		_, err := Parse("case.toml", []byte(cylinder), sets)
		if want == "" && err != nil {
			t.Errorf("%s: refused: %v", set, err)
		}
		if want != "" && !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%s\ngot  %v\nwant %s …", set, err, want)
		}
	}
}

// What overrides change of the flow stands in the title; how long a run is does not.
func TestATitleTellsWhatWasOverridden(t *testing.T) {
	plain := mustParse(t, cylinder).Title
	for _, c := range []struct {
		sets []string
		want string
	}{
		{nil, plain},
		{[]string{"run.time=3", "output.directory=x", "fluid.layout=aos"}, plain},
		{[]string{"reference.reynolds=40", "run.time=3"}, strings.Replace(plain, "Re = 100", "Re = 40", 1)},
		{[]string{"reference.resolution=20", "fluid.collision=trt"}, plain + " (resolution = 20, collision = trt)"},
		{[]string{"domain.size.0=41"}, plain + " (domain.size.0 = …)"},
		{[]string{"title=mine"}, "mine"},
	} {
		x := mustParse(t, cylinder, c.sets...)
		if x.Title != c.want || x.Resolved()["title"] != c.want {
			t.Errorf("%q: the title is %q and %q, want %q", c.sets, x.Title, x.Resolved()["title"], c.want)
		}
	}
}

// A title does not go on telling the Reynolds number of the file where another is run; other numbers in it stay.
func TestTitlesTellTheReynoldsNumberThatIsRun(t *testing.T) {
	text := strings.Replace(cylinder, `title = "Flow past a circular cylinder, Re = 100"`, `title = "Cylinder, Re = 100, 40 D, Re = 7"`, 1)
	for _, of := range []struct {
		sets []string
		want string
	}{
		{nil, "Cylinder, Re = 100, 40 D, Re = 7"},
		{[]string{"reference.reynolds=40"}, "Cylinder, Re = 40, 40 D, Re = 7"},
		{[]string{"reference.reynolds=30", "reference.reynolds=40"}, "Cylinder, Re = 40, 40 D, Re = 7"},
		{[]string{"reference.reynolds=40", "reference.resolution=12"}, "Cylinder, Re = 40, 40 D, Re = 7 (resolution = 12)"},
		{[]string{"reference.reynolds=40", "title=Mine at Re = 100"}, "Mine at Re = 100"},
	} {
		c, err := Parse("case.toml", []byte(text), of.sets)
		if err != nil {
			t.Fatal(err)
		}
		if c.Title != of.want {
			t.Errorf("with %q the title is %q, want %q", of.sets, c.Title, of.want)
		}
	}
}
