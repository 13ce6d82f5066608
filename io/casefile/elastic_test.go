package casefile

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lbmib/ib/elastic"
	"lbmib/ib/elastic/ring"
)

// elasticCase is a capsule in shear; MOTION stands for what follows type = "elastic".
const elasticCase = `
[reference]
resolution = 8
velocity = 0.02
reynolds = 0.05
length = "4 um"
speed = "1 mm/s"
density = "1000 kg/m^3"
[domain]
lattice = "D3Q19"
size = [8, 8, 8]
[[body]]
shape = { type = "rbc", center = [4, 4, 4], diameter = 2, angle = 30, axis = [1, 0, 0] }
motion = { type = "elastic"MOTION }
[run]
steps = 10
`

func withMembrane(keys string) string {
	if keys != "" {
		keys = ", " + keys
	}
	return strings.Replace(elasticCase, "MOTION", keys, 1)
}

func membraneOf(t *testing.T, keys string) Elastic {
	t.Helper()
	c := mustParse(t, withMembrane(keys))
	if len(c.Bodies) != 0 || len(c.Cells) != 1 || c.Cells[0].Motion.Type != "elastic" {
		t.Fatalf("%s: %d rigid and %d elastic bodies, want one elastic", keys, len(c.Bodies), len(c.Cells))
	}
	return *c.Cells[0].Motion.Elastic
}

func TestMembranesAreReadAsWritten(t *testing.T) {
	for keys, want := range map[string]Elastic{
		`shear = 3`: {Law: "skalak", Shear: 3, Area: 1, Prestress: 1, Rate: 1, ViscosityRatio: 1},
		`law = "hooke", shear = 3, poisson = 0.5, prestress = 1.05, mesh = 642, viscosity_ratio = 5`: {Law: "hooke", Shear: 3, Poisson: 0.5, Prestress: 1.05, Mesh: 642, Rate: 1, ViscosityRatio: 5},
		`law = "skalak", shear = 3, area = 100, bending = 0.5, bending_model = "dihedral", curvature = -1, area_penalty = 7, volume_penalty = 8, shear_viscosity = 9`: {
			Law: "skalak", Shear: 3, Area: 100, Bending: 0.5, BendingModel: "dihedral", Curvature: -1, AreaPenalty: 7, VolumePenalty: 8, ShearViscosity: 9, Prestress: 1, Rate: 1, ViscosityRatio: 1},
	} {
		if got := membraneOf(t, keys); got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", keys, got, want)
		}
	}
}

// ρ = 1000 kg/m³, U = 1e-3 m/s, L = 4e-6 m: surface moduli are in ρU²L = 4e-9 N/m, energies in
// ρU²L³ = 6.4e-20 J, curvatures in 2.5e5 /m, surface viscosities in ρUL² = 1.6e-11 N s/m.
func TestMembranesHaveUnits(t *testing.T) {
	e := membraneOf(t, `shear = "2.5e-3 dyn/cm", bending = "2e-12 erg", curvature = "0.5 /um", area_penalty = "0.4 uN/m", volume_penalty = "1 Pa", shear_viscosity = "0.8 uN.s/m"`)
	for _, v := range []struct {
		name      string
		got, want float64
	}{{"shear", e.Shear, 2.5e-6 / 4e-9}, {"bending", e.Bending, 2e-19 / 6.4e-20}, {"curvature", e.Curvature, 2}, {"area penalty", e.AreaPenalty, 100},
		{"volume penalty", e.VolumePenalty, 1e3}, {"shear viscosity", e.ShearViscosity, 5e4}} {
		if !(math.Abs(v.got/v.want-1) < 1e-12) {
			t.Errorf("%s is %v, want %v", v.name, v.got, v.want)
		}
	}
}

// Ca = μγ̇a/G_s in reference units is (1/Re)·rate·(D/2)/G_s, here 20·rate/G_s; that by Young's
// modulus has the law's own E_s at small strain.
func TestCapillaryNumbersGiveTheModulus(t *testing.T) {
	for keys, ca := range map[string]float64{
		`capillary = 0.15`:                                           0.15,
		`capillary = { shear = 0.15, rate = 2 }`:                     0.15 / 2,
		`law = "neo-hookean", capillary = { young = 0.05 }`:          0,
		`law = "skalak", area = 3, capillary = { young = 0.05 }`:     0,
		`law = "hooke", poisson = 0.4, capillary = { young = 0.05 }`: 0,
	} {
		e := membraneOf(t, keys)
		if ca > 0 {
			if got := 20 / e.Shear; !(math.Abs(got/ca-1) < 1e-12) {
				t.Errorf("%s: the capillary number at rate 1 is %v, want %v", keys, got, ca)
			}
			continue
		}
		law, err := elastic.NewLaw(elastic.Material{Law: e.Law, Shear: e.Shear, Area: e.Area, Poisson: e.Poisson})
		if err != nil {
			t.Fatal(err)
		}
		_, _, young, _ := elastic.Moduli(law) // by differences, to 1e-7
		if got := 20 / young; !(math.Abs(got/0.05-1) < 1e-6) {
			t.Errorf("%s: the capillary number by the law's Young's modulus is %v, want 0.05", keys, got)
		}
	}
}

func TestBadMembranesAreRefused(t *testing.T) {
	for keys, says := range map[string]string{
		``:                           `case.toml:14:1: body.0.motion.shear: is missing: give G_s in ρU²L`,
		`shear = 0`:                  `case.toml:14:30: body.0.motion.shear: 0 must be greater than 0: give G_s`,
		`shear = "2 dyn"`:            `"2 dyn" is a force, must be a surface tension or elasticity: write for instance "0.5 dyn/cm"`,
		`shear = 1, capillary = 0.1`: `body.0.motion.capillary: given beside shear, must be one measure of stiffness: remove one`,
		`capillary = -1`:             `-1 must be greater than 0: give the capillary number μγ̇a/G_s`,
		`capillary = { shear = 0.1, young = 0.1 }`:                           `capillary.young: given beside shear, must be one modulus: remove one`,
		`capillary = { rate = 1 }`:                                           `capillary.shear: is missing: give the capillary number`,
		`capillary = { shear = 1, rate = 0 }`:                                `capillary.rate: 0 must be greater than 0`,
		`shear = 1, law = "skalac"`:                                          `"skalac" is not a law of elastic bodies (did you mean "skalak"?)`,
		`shear = 1, law = "hooke", area = 1`:                                 `body.0.motion.area: has no effect with law = "hooke": it belongs to law "skalak": remove it`,
		`shear = 1, law = "hooke", poisson = 1`:                              `1 must be between -1 and 1`,
		`shear = 1, poisson = 0.3`:                                           `body.0.motion.poisson: has no effect with law = "skalak"`,
		`shear = 1, area = -1`:                                               `-1 must not be negative: give Skalak's C`,
		`shear = 1, bending_model = "dihedral"`:                              `bending_model: has no effect without bending`,
		`shear = 1, bending = 1, bending_model = "cotangent", curvature = 1`: `curvature: has no effect with bending_model = "cotangent"`,
		`shear = 1, bending = "1 N"`:                                         `"1 N" is a force, must be an energy: write for instance "2e-12 erg"`,
		`shear = 1, prestress = 3`:                                           `3 must be 0.5 to 2`,
		`shear = 1, viscosity_ratio = 0`:                                     `viscosity_ratio: 0 must be greater than 0: give the viscosity of the fluid inside over that outside`,
		`shear = 1, mesh = 41`:                                               `41 must be at least 42: give the number of vertices`,
		`shear = 1, mesh = 1_000_000`:                                        `1000000 must be at most 40962`,
		`shear = 1, density = 2`:                                             `body.0.motion.density: has no effect with type = "elastic": remove it; elastic takes law, shear`,
		`shear = 1 }
spacing = 1
name = { a = 1`: `body.0.spacing: has no effect on an elastic body, whose markers are the vertices of motion.mesh`,
		`shear = 1 }
fluid = "inside"
name = { a = 1`: `body.0.fluid: has no effect on an elastic body`,
	} {
		if _, err := Parse("case.toml", []byte(withMembrane(keys)), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
	box := strings.Replace(withMembrane("shear = 1"), `type = "rbc", center = [4, 4, 4], diameter = 2`, `type = "cylinder", center = [4, 4, 4], diameter = 2, length = 2`, 1)
	if _, err := Parse("case.toml", []byte(box), nil); err == nil || !strings.Contains(err.Error(), `is elastic, but the shape is "cylinder", must be a line or one of sphere, rbc, ellipsoid, stl`) {
		t.Errorf("an elastic cylinder: %v", err)
	}
	wing := withBody(`shape = { type = "naca", digits = "0012", center = [10, 7.5], chord = 1 }
motion = { type = "elastic", shear = 1 }`)
	var list Errors
	if _, err := Parse("case.toml", []byte(wing), nil); !errors.As(err, &list) || len(list) != 1 || !strings.Contains(err.Error(), `is elastic, but the shape is "naca", must be a line or one of circle, ellipse, polygon`) {
		t.Errorf("in the plane: %v", err)
	}
	if _, err := Parse("case.toml", []byte(cylinder), []string{"output.cells.every=1"}); err == nil || !strings.Contains(err.Error(), "has no effect without a body whose motion is elastic") {
		t.Errorf("cells of a case without any: %v", err)
	}
}

// Copies are cells, each in its place, and stand among the bodies of the resolved case in the
// order of the file.
func TestElasticBodiesStandBesideRigidOnes(t *testing.T) {
	text := strings.Replace(withMembrane("shear = 1"), "[run]", `array = { count = [1, 2, 1], step = [0, 3, 0] }
[[body]]
name = "ball"
shape = { type = "sphere", center = [1, 1, 1], diameter = 1 }
[run]`, 1)
	text = strings.Replace(text, "center = [4, 4, 4]", "center = [4, 2, 4]", 1)
	c := mustParse(t, text)
	if len(c.Cells) != 2 || c.Cells[1].Shape.Place("center") != [3]float64{4, 5, 4} || len(c.Bodies) != 1 || c.Bodies[0].Name != "ball" {
		t.Fatalf("cells %+v, bodies %+v", c.Cells, c.Bodies)
	}
	var names []string
	for _, b := range c.Resolved()["body"].([]any) {
		names = append(names, b.(map[string]any)["name"].(string))
	}
	if got := strings.Join(names, " "); got != "body0-0 body0-1 ball" {
		t.Errorf("the resolved case has the bodies %s", got)
	}
	if every := c.Output.Every("cells"); every != 0.05 {
		t.Errorf("cells every %v, want as forces, 0.05", every)
	}
	softer := mustParse(t, strings.Replace(text, "shear = 1", "shear = 0.9", 1))
	if softer.Hash() == c.Hash() {
		t.Error("a softer membrane has the same hash")
	}
	if elastic.Frequency(mostVertices) != elastic.MaxFrequency {
		t.Errorf("%d vertices are frequency %d, the finest is %d", mostVertices, elastic.Frequency(mostVertices), elastic.MaxFrequency)
	}
}

// ringCase is a ring in the plane; MOTION stands for what follows type = "elastic".
func ringCase(keys string) string {
	return withBody(`shape = { type = "ellipse", center = [10, 7.5], axes = [4, 1], angle = 30 }
motion = { type = "elastic", ` + keys + ` }`)
}

// In the plane circles, ellipses and polygons are rings. Their radius in capillary numbers is that of the circle as large, here 1, and Young's modulus that
// of the tension along them.
func TestRingsAreReadAsWritten(t *testing.T) {
	for keys, want := range map[string]Elastic{
		`shear = 3`: {Law: "skalak", Shear: 3, Area: 1, Prestress: 1, Rate: 1, ViscosityRatio: 1},
		`law = "hooke", shear = 3, poisson = 0.5, bending = 2, curvature = 1.5, mesh = 77, area_penalty = 7, volume_penalty = 8, shear_viscosity = 9, prestress = 1.2`: {
			Law: "hooke", Shear: 3, Poisson: 0.5, Bending: 2, Curvature: 1.5, Mesh: 77, AreaPenalty: 7, VolumePenalty: 8, ShearViscosity: 9, Prestress: 1.2, Rate: 1, ViscosityRatio: 1},
		`law = "neo-hookean", shear = 3, bending = 2, rest = "drawn"`: {Law: "neo-hookean", Shear: 3, Bending: 2, Drawn: true, Prestress: 1, Rate: 1, ViscosityRatio: 1},
	} {
		c := mustParse(t, ringCase(keys))
		if len(c.Cells) != 1 || *c.Cells[0].Motion.Elastic != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", keys, c.Cells[0].Motion.Elastic, want)
		}
	}
	for keys, m := range map[string]ring.Material{
		`capillary = 0.1`: {},
		`law = "neo-hookean", capillary = { young = 0.1 }`:           {Law: "neo-hookean"},
		`law = "skalak", area = 3, capillary = { young = 0.1 }`:      {Law: "skalak", Area: 3},
		`law = "hooke", poisson = -0.5, capillary = { young = 0.1 }`: {Law: "hooke", Poisson: -0.5},
	} {
		c := mustParse(t, ringCase(keys))
		e := c.Cells[0].Motion.Elastic
		modulus := e.Shear
		if m.Law != "" {
			m.Shear = e.Shear
			modulus = m.Modulus()
		}
		if got := c.Reference.Viscosity / modulus; math.Abs(got/0.1-1) > 1e-6 { // the polygon that stands for the ellipse is 1e-7 smaller
			t.Errorf("%s: the capillary number is %v, want 0.1", keys, got)
		}
	}
}

func TestBadRingsAreRefused(t *testing.T) {
	for keys, says := range map[string]string{
		`shear = 1, bending = 1, bending_model = "cotangent"`:   "bending_model: has no effect in two dimensions",
		`shear = 1, bending = 1, rest = "drawn", curvature = 1`: `curvature: has no effect with rest = "drawn"`,
		`shear = 1, rest = "drawn"`:                             "rest: has no effect without bending",
		`shear = 1, viscosity_ratio = 0`:                        "viscosity_ratio: 0 must be greater than 0",
		`shear = 1, mesh = 7`:                                   "7 must be at least 8: give the number of vertices",
		`shear = 1, mass = 1`:                                   "mass: has no effect on a surface: it belongs to lines",
		`law = "beam", shear = 1`:                               `law: is "beam", that of lines, but the shape is "ellipse"`,
		`law = "neo-hookean", area = 1, shear = 1`:              `area: has no effect with law = "neo-hookean"`,
		`shear = 1, capillary = 0.1`:                            "given beside shear, must be one measure of stiffness",
		`shear = 1, curvature = 0.5`:                            "curvature: has no effect without bending",
	} {
		if _, err := Parse("case.toml", []byte(ringCase(keys)), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q is not in %v", keys, says, err)
		}
	}
	if ring.MinVertices != leastRing || ring.MaxVertices != mostRing {
		t.Errorf("a ring may have %d to %d vertices, a case file gives %d to %d", ring.MinVertices, ring.MaxVertices, leastRing, mostRing)
	}
}
