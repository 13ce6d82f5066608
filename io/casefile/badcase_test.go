package casefile

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// edit is a case with one passage replaced.
func edit(text, old, new string) string {
	if strings.Count(text, old) != 1 {
		panic(fmt.Sprintf("%q stands %d times in the case", old, strings.Count(text, old)))
	}
	return strings.Replace(text, old, new, 1)
}

// badCases: the documented case with one fault; where it must be found and
// what must be said of it.
var badCases = []struct {
	name, old, new string
	at             string   // line:col
	says           []string // fragments of the message
}{
	// TOML
	{"syntax", `size    = [40.0, 15.0]`, `size    = [40.0, 15.0`, "12:1", []string{"TOML syntax"}},
	{"a comma in a number", `velocity   = 0.1`, "velocity = 0,1", "5:13", []string{"TOML syntax", "write numbers with a point"}},
	{"text without quotes", `lattice = "D2Q9"`, "lattice = D2Q9", "10:11", []string{"TOML syntax", `put text in quotes, "D2Q9"`}},
	{"a key twice", `velocity   = 0.1`, "velocity   = 0.1\nvelocity = 0.2", "6:1", []string{"TOML syntax", "reference.velocity", "keep one of the two"}},

	// keys and types
	{"unknown key", `collision = "bgk"`, `colision = "bgk"`, "24:1", []string{"fluid.colision: unknown key; did you mean fluid.collision?"}},
	{"unknown key of another table", `precision = "f64"`, `resolution = 40`, "25:1", []string{"did you mean reference.resolution?"}},
	{"unknown key near none", `precision = "f64"`, `zzz = 40`, "25:1", []string{"known here are block, collision, "}},
	{"unknown key of a circle", `diameter = 1.0 }`, `diameter = 1.0, zzz = 3 }`, "36:67", []string{"body.0.shape.zzz: unknown key; known here are center, diameter, type"}},
	{"unknown key of a motion", "diameter = 1.0 }", "diameter = 1.0 }\nmotion = { type = \"fixed\", zzz = 3 }", "37:28", []string{"body.0.motion.zzz: unknown key; known here are type"}},
	{"unknown key of a face", `right  = { type = "outflow" }`, `right = { type = "outflow", zzz = 1 }`, "19:29", []string{"domain.boundary.right.zzz: unknown key; known here are type"}},
	{"unknown table", `[fluid]`, `[flud]`, "23:1", []string{"flud: unknown key; did you mean fluid?"}},
	{"unknown key in an inline table", `center = [10.0, 7.5], diameter`, `centre = [10.0, 7.5], diameter`, "36:29", []string{"did you mean body.0.shape.center?"}},
	{"unknown key in an array of inline tables", `at = [15.0, 7.5], every`, `at = [15.0, 7.5], evry`, "49:51", []string{"did you mean output.probes.0.every?"}},
	{"string for a number", `resolution = 40`, `resolution = "40"`, "4:1", []string{"must be a plain number", `"40"`}},
	{"a word for a length", `size    = [40.0, 15.0]`, `size    = [40.0, "wide"]`, "11:18", []string{`"wide" is not a number with a unit: write a number in reference units, for instance 1.5, or with a unit, for instance "3.91 um"`}},
	{"a word for a time", `time      = 150.0`, `time      = "abc"`, "39:1", []string{`write a number in reference units, for instance 1.5, or with a unit, for instance "2 ms"`}},
	{"a word for an anchor", `reynolds   = 100`, "reynolds = 100\nspeed = \"fast\"", "7:1", []string{`write a number in m.s^-1, for instance 0.01, or with a unit, for instance "1 cm/s"`}},
	{"boolean for a length", `size    = [40.0, 15.0]`, `size    = [40.0, true]`, "11:18", []string{"domain.size.1: must be a length, not the boolean true"}},
	{"number for a string", `lattice = "D2Q9"`, `lattice = 29`, "10:1", []string{"must be one of D2Q9, D3Q19 in quotes, not the number 29"}},
	{"number for a table", `initial = { type = "uniform", velocity = [1.0, 0.0] }`, `initial = 1`, "15:1", []string{"must be a table"}},
	{"table for an array of tables", "[[body]]", "[body]", "34:1", []string{"must be an array of tables", "[[body]]"}},
	{"fraction of a thread", `threads   = 0`, `threads   = 1.5`, "41:1", []string{"must be a whole number"}},
	{"negative threads", `threads   = 0`, `threads   = -1`, "41:1", []string{"-1 must be at least 0: 0 uses all cores"}},
	{"string for a flag", `statistics = { from = 75.0 }`, `plots = "yes"`, "50:1", []string{"must be true or false"}},
	{"not a number", `resolution = 40`, `resolution = nan`, "4:1", []string{"NaN is not a finite number"}},
	{"infinite", `size    = [40.0, 15.0]`, `size    = [inf, 15.0]`, "11:12", []string{"domain.size.0: +Inf is not a finite number"}},
	{"missing key", `resolution = 40`, ``, "3:1", []string{"reference.resolution: is missing: give the number"}},
	{"missing size", `size    = [40.0, 15.0]`, ``, "9:1", []string{"domain.size: is missing"}},
	{"missing shape", `shape  = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, ``, "34:1", []string{"body.0.shape: is missing"}},

	// reference
	{"resolution 0", `resolution = 40`, `resolution = 0`, "4:1", []string{"0 must be greater than 0", "for instance 40"}},
	{"negative velocity", `velocity   = 0.1`, `velocity = -0.1`, "5:1", []string{"-0.1 must be greater than 0"}},
	{"Mach number", `velocity   = 0.1`, `velocity = 0.2`, "5:1", []string{"0.346", "at most 0.3", "use at most 0.173"}},
	{"neither reynolds nor viscosity", `reynolds   = 100`, ``, "3:1", []string{"reference.reynolds: is missing", "viscosity"}},
	{"both reynolds and viscosity", `reynolds   = 100`, "reynolds = 100\nviscosity = 0.01", "7:1", []string{"one of the two", "remove one"}},
	{"inviscid", `reynolds   = 100`, `viscosity = 0.0`, "6:1", []string{"must be greater than 0"}},
	{"τ that f64 cannot hold", `reynolds   = 100`, `reynolds = 1e17`, "6:1", []string{"must exceed 1/2 by at least 5.55e-15", "f64", "use reynolds up to 2.16e+15"}},
	{"τ without bound", `reynolds   = 100`, `viscosity = 1e308`, "6:1", []string{"1e+308 is out of bounds, must be within ±1e+30", "for instance 0.01"}},
	{"wrong anchor", `reynolds   = 100`, "reynolds = 100\nlength = \"1 cm/s\"", "7:1", []string{"is a velocity, must be a length", `"3.91 um"`}},
	{"time without length", `reynolds   = 100`, "reynolds = 100\ntime = \"1 s\"", "7:1", []string{"needs length"}},
	{"speed and time", `reynolds   = 100`, "reynolds = 100\nlength = 1\nspeed = 1\ntime = \"1 s\"", "9:1", []string{"beside speed", "remove one"}},

	// units
	{"no SI scale", `time      = 150.0`, `time = "2 s"`, "39:1", []string{`add length = "1 cm" and speed = "1 cm/s" (or time) to [reference]`}},
	{"wrong dimension", `time      = 150.0`, `time = "2 m"`, "39:1", []string{`"2 m" is a length, must be a time: write for instance "2 ms"`}},
	{"unknown unit", `center = [10.0, 7.5]`, `center = ["3 furlong", 7.5]`, "36:39", []string{`unknown unit "furlong"`, "known are m, s"}},
	{"no unit", `time      = 150.0`, `time = "2"`, "39:1", []string{"has no unit: remove the quotes"}},

	// domain
	{"lattice of later", `lattice = "D2Q9"`, `lattice = "D3Q27"`, "10:1", []string{`"D3Q27" is not available in this version: it has D2Q9, D3Q19`}},
	{"lattice misspelt", `lattice = "D2Q9"`, `lattice = "d2q9"`, "10:1", []string{`did you mean "D2Q9"?`}},
	{"three entries in two dimensions", `size    = [40.0, 15.0]`, `size    = [40.0, 15.0, 1.0]`, "11:1", []string{"has 3 entries, must have 2 entries, x and y, with D2Q9"}},
	{"size 0", `size    = [40.0, 15.0]`, `size    = [40.0, 0]`, "11:18", []string{"domain.size.1: 0 must be greater than 0"}},
	{"less than a node", `size    = [40.0, 15.0]`, `size    = [40.0, 0.01]`, "11:1", []string{"0.01 L along y", "at least 1", "enlarge it to 0.025 L"}},
	{"too many nodes", `size    = [40.0, 15.0]`, `size    = [1e6, 1e6]`, "11:1", []string{"40000000 × 40000000 = 1.6e+15 nodes", "fewer than 2^31"}},
	{"nodes beyond any count", `resolution = 40`, `resolution = 1e9`, "11:1", []string{"at reference.resolution = 1e+09, must be fewer than 2^31", "lower the resolution"}},
	{"initial state from no file", `{ type = "uniform", velocity = [1.0, 0.0] }`, `{ type = "file", path = "x" }`, "15:28", []string{`there is no file "x": paths are relative to the folder of the case file`, "for instance"}},
	{"initial state from a folder", `{ type = "uniform", velocity = [1.0, 0.0] }`, `{ type = "file", path = "../casefile" }`, "15:28", []string{"is a directory, not a regular file"}},
	{"path of no file", `{ type = "uniform", velocity = [1.0, 0.0] }`, `{ type = "shear", path = "x" }`, "15:29", []string{`has no effect with type = "shear"`}},
	{"force without a formula", `force   = [0.0, 0.0]`, `force = ["1 + ", 0]`, "13:10", []string{`domain.force.0: the expression "1 + " has an unexpected end`, "for instance"}},
	{"force of another variable", `force   = [0.0, 0.0]`, `force = [0, "sin(x)"]`, "13:13", []string{`at character 5 it names "x", which is unknown: known are t, Re, pi, e`}},
	{"force that ends", `force   = [0.0, 0.0]`, `force = ["sqrt(100 - t)", 0]`, "13:10", []string{`"sqrt(100 - t)" is NaN at t = 100.`, "must be finite"}},
	{"force of a wrong unit", `force   = [0.0, 0.0]`, `force = ["3 furlong", 0]`, "13:10", []string{`unknown unit "furlong"`}},
	{"initial without velocity", `{ type = "uniform", velocity = [1.0, 0.0] }`, `{ type = "uniform" }`, "15:1", []string{"domain.initial.velocity: is missing"}},
	{"velocity at rest", `type = "uniform", velocity`, `type = "rest", velocity`, "15:28", []string{`has no effect with type = "rest": remove it`}},
	{"bottom of a stream", `type = "uniform", velocity = [1.0, 0.0]`, `type = "uniform", velocity = [1.0, 0.0], bottom = [1, 0]`, "15:54", []string{`initial.bottom: has no effect with type = "uniform": remove it`}},
	{"bottom that is not along x", `type = "uniform", velocity = [1.0, 0.0]`, `type = "couette", bottom = [0, 1]`, "15:31", []string{"y component 1, must be 0"}},
	{"profile that is not across y", `type = "uniform", velocity = [1.0, 0.0]`, `type = "couette", velocity = [1.0, 0.5]`, "15:31", []string{"y component 0.5, must be 0"}},
	{"fast initial state", `type = "uniform", velocity = [1.0, 0.0]`, `type = "uniform", velocity = [3.0, 0.0]`, "15:1", []string{"Mach number 0.52", "lower reference.velocity to 0.0577"}},
	{"wavenumber", `type = "uniform", velocity = [1.0, 0.0]`, `type = "shear", wavenumber = 0`, "15:29", []string{"0 must be at least 1"}},

	// faces
	{"no such face in two dimensions", `top    = { type = "free-slip" }`, "top    = { type = \"free-slip\" }\nfront  = { type = \"free-slip\" }", "22:1", []string{"D2Q9 has no z axis", "D3Q19"}},
	{"one face of a pair", `right  = { type = "outflow" }`, ``, "18:1", []string{"given without right", "add right"}},
	{"one periodic face", `right  = { type = "outflow" }`, `right = { type = "periodic" }`, "19:1", []string{"is periodic but left (line 18) is velocity"}},
	{"face without type", `right  = { type = "outflow" }`, `right = { density = 1 }`, "19:1", []string{"domain.boundary.right.type: is missing"}},
	{"unknown face type", `right  = { type = "outflow" }`, `right = { type = "outlow" }`, "19:11", []string{`did you mean "outflow"?`}},
	{"parabola without peak", `type = "velocity", value = [1.0, 0.0]`, `type = "velocity", profile = "parabolic"`, "18:1", []string{"left.peak: is missing"}},
	{"profile of an unknown name", `type = "velocity", value = [1.0, 0.0]`, `type = "velocity", profile = "y*q"`, "18:31", []string{`it names "q", which is unknown`}},
	{"parabola with value", `type = "velocity", value = [1.0, 0.0]`, `type = "velocity", value = [1.0, 0.0], profile = "parabolic", peak = 1`, "18:31", []string{"has no effect"}},
	{"fast inlet", `type = "velocity", value = [1.0, 0.0]`, `type = "velocity", value = [2.0, 0.0]`, "18:1", []string{"Mach number 0.346", "lower reference.velocity to 0.0866"}},
	{"wall that moves through itself", `bottom = { type = "free-slip" }`, `bottom = { type = "moving-wall", value = [1.0, 1.0] }`, "20:34", []string{"y component 1, must be 0"}},
	{"key of another face type", `right  = { type = "outflow" }`, `right = { type = "outflow", density = 1 }`, "19:29", []string{`no effect with type = "outflow"`}},
	{"pressure 0", `right  = { type = "outflow" }`, `right = { type = "pressure", density = 0 }`, "19:30", []string{"must be greater than 0"}},
	{"phase without period", `value = [1.0, 0.0] }`, `value = [1.0, 0.0], phase = 1 }`, "18:51", []string{"no effect without period"}},
	{"period 0", `value = [1.0, 0.0] }`, `value = [1.0, 0.0], period = 0 }`, "18:51", []string{"must be greater than 0"}},

	// fluid and immersed boundary
	{"collision misspelt", `collision = "bgk"`, `collision = "regularised"`, "24:1", []string{`did you mean "regularized"?`, "bgk, trt, mrt, regularized"}},
	{"magic of mrt", `collision = "bgk"`, "collision = \"mrt\"\nmagic = 0.25", "25:1", []string{`no effect with collision = "mrt"`}},
	{"turbulence model without type", `precision = "f64"`, `les = { constant = 0.1 }`, "25:1", []string{"fluid.les.type: is missing: it must be one of smagorinsky"}},
	{"turbulence constant 0", `precision = "f64"`, `les = { type = "smagorinsky", constant = 0 }`, "25:31", []string{"0 must be greater than 0", "0.1 is usual"}},
	{"turbulence constant in percent", `precision = "f64"`, `les = { type = "smagorinsky", constant = 10 }`, "25:31", []string{"10 must be at most 1"}},
	{"law of viscosity without type", `precision = "f64"`, `rheology = { time = 1 }`, "25:1", []string{"fluid.rheology.type: is missing: it must be one of carreau-yasuda"}},
	{"law of viscosity without time", `precision = "f64"`, `rheology = { type = "carreau-yasuda", zero_viscosity = 1, exponent = 0.3 }`, "25:1", []string{"fluid.rheology.time: is missing: give λ in L/U"}},
	{"law of viscosity that thickens", `precision = "f64"`, `rheology = { type = "carreau-yasuda", zero_viscosity = 1, time = 1, exponent = 1.3 }`, "25:69", []string{"1.3 must be at most 1", "0.2 to 0.4 for blood"}},
	{"law of viscosity below the reference", `precision = "f64"`, `rheology = { type = "carreau-yasuda", zero_viscosity = 1e-9, time = 1, exponent = 0.3 }`, "25:39", []string{"1e-09 UL must be at least reference.viscosity"}},
	{"law of viscosity beside bodies", `precision = "f64"`, `rheology = { type = "carreau-yasuda", zero_viscosity = 1, time = 1, exponent = 0.3 }`, "25:1", []string{"does not go with [[body]]", "let walls be solid"}},
	{"law of viscosity beside a turbulence model", `precision = "f64"`, "rheology = { type = \"carreau-yasuda\", zero_viscosity = 1, time = 1, exponent = 0.3 }\nles = { type = \"smagorinsky\" }", "25:1", []string{"does not go with fluid.les", "remove one"}},
	{"precision misspelt", `precision = "f64"`, `precision = "f32/16"`, "25:1", []string{`did you mean "f32/f16"?`, "f64, f32, f32/f16"}},
	{"magic of bgk", `precision = "f64"`, `magic = 0.25`, "25:1", []string{`no effect with collision = "bgk"`}},
	{"magic 0", `collision = "bgk"`, "collision = \"trt\"\nmagic = 0", "25:1", []string{"0 must be greater than 0"}},
	{"streaming misspelt", `streaming = "auto"`, `streaming = "in-place"`, "27:1", []string{`did you mean "inplace"?`, "auto, ab, inplace"}},
	{"block of no blocks", `streaming = "auto"`, `block = 64`, "27:1", []string{`no effect without layout = "soaos": remove it`}},
	{"block misspelt", `layout    = "auto"`, "layout = \"soaos\"\nblok = 64", "27:1", []string{"did you mean fluid.block?"}},
	{"block of an unknown layout", `layout    = "auto"`, "layout = \"soaso\"\nblock = 64", "26:1", []string{`did you mean "soaos"?`}},
	{"block too short", `layout    = "auto"`, "layout = \"soaos\"\nblock = 16", "27:1", []string{"16 must be at least 32", "for instance 64"}},
	{"block too long", `layout    = "auto"`, "layout = \"soaos\"\nblock = 1e6", "27:1", []string{"1000000 must be at most 4096"}},
	{"block between powers of two", `layout    = "auto"`, "layout = \"soaos\"\nblock = 96", "27:1", []string{"96 nodes must be a power of two: use 64"}},
	{"fraction of a block", `layout    = "auto"`, "layout = \"soaos\"\nblock = 64.5", "27:1", []string{"must be a whole number"}},
	{"delta misspelt", `delta   = "roma3"`, `delta = "rona3"`, "30:1", []string{`did you mean "roma3"?`}},
	{"forcing of later", `forcing = "direct"`, `forcing = "penalty"`, "31:1", []string{"direct, multidirect"}},
	{"retraction in words", `forcing = "direct"`, `retraction = "none"`, "31:1", []string{`not the string "none"`}},
	{"retraction and slip", `forcing = "direct"`, "retraction = 0.5\ncorrection = \"slip\"", "32:1", []string{"retraction = 0.5 would move it", "remove one"}},
	{"retraction too far", `forcing = "direct"`, `retraction = 2.5`, "31:1", []string{"2.5 nodes must be at most 2"}},
	{"contact without force", `forcing = "direct"`, `contact = { stiffness = 0 }`, "31:13", []string{"0 must be greater than 0"}},
	{"contact too far", `forcing = "direct"`, `contact = { distance = 50 }`, "31:13", []string{"50 nodes must be at most 20"}},
	{"iterations of direct", `forcing = "direct"`, `iterations = 3`, "31:1", []string{`no effect with forcing = "direct"`}},

	// bodies
	{"shape misspelt", `type = "circle"`, `type = "elipse"`, "36:12", []string{`did you mean "ellipse"?`}},
	{"shape of three dimensions", `type = "circle"`, `type = "sphere"`, "36:12", []string{"does not fit", "2-dimensional", `"circle"`}},
	{"diameter 0", `diameter = 1.0`, `diameter = 0.0`, "36:51", []string{"0 must be greater than 0"}},
	{"body outside", `center = [10.0, 7.5]`, `center = [10.0, 17.5]`, "36:29", []string{`body "cylinder" lies outside the domain, which is 0..40 × 0..15`, "move the body"}},
	{"spacing too close", `name   = "cylinder"`, `spacing = 0.1`, "35:1", []string{"0.1 nodes must be at least 0.3", "ill-conditioned"}},
	{"spacing too wide", `name   = "cylinder"`, `spacing = 3`, "35:1", []string{"3 nodes must be at most 2", "leaks"}},
	{"spacing 0", `name   = "cylinder"`, `spacing = 0`, "35:1", []string{"0 nodes must be at least 0.3", `use "auto"`}},
	{"spacing in words", `name   = "cylinder"`, `spacing = "close"`, "35:1", []string{`must be a plain number of nodes without quotes or "auto", not the string "close"`}},
	{"name of two bodies", "[run]", "[[body]]\nname = \"cylinder\"\nshape = { type = \"circle\", center = [20, 7], diameter = 1 }\n[run]", "39:1", []string{`"cylinder" is already the name of body 0`}},
	{"name that is no file name", `name   = "cylinder"`, `name = "a/b"`, "35:1", []string{`"a/b" must be 1 to 64 letters`}},
	{"solid outside", "[run]", "[[solid]]\nshape = { type = \"circle\", center = [20, -7], diameter = 1 }\n[run]", "39:1", []string{`solid "solid0" lies outside`}},
	{"solid everywhere", "[run]", "[[solid]]\nshape = { type = \"box\", min = [0, 0], max = [40, 15] }\n[run]", "39:1", []string{"leaves no fluid"}},
	{"box inside out", "[run]", "[[solid]]\nshape = { type = \"box\", min = [2, 2], max = [3, 1] }\n[run]", "39:39", []string{"1 along y must exceed min = 2"}},
	{"key of another shape", "[run]", "[[solid]]\nshape = { type = \"box\", min = [2, 2], max = [3, 3], diameter = 1 }\n[run]", "39:53", []string{`no effect with type = "box"`}},

	// run and output
	{"neither time nor steps", `time      = 150.0`, ``, "38:1", []string{"run.time: is missing", "or steps"}},
	{"both time and steps", `time      = 150.0`, "time = 150.0\nsteps = 7", "40:1", []string{"one of the two"}},
	{"time 0", `time      = 150.0`, "time = 0", "39:1", []string{"0 must be greater than 0"}},
	{"steps 0", `time      = 150.0`, "steps = 0", "39:1", []string{"0 must be at least 1"}},
	{"endless", `time      = 150.0`, "time = 1e17", "39:1", []string{"must be at most 2^53"}},
	{"unknown backend", `backend   = "auto"`, `backend   = "opencl"`, "40:1", []string{"auto, cpu, cuda, hybrid"}},
	{"steady 0", `steady = 1e-6`, `steady = 0`, "42:15", []string{"must be greater than 0"}},
	{"directory without name", `"cylinder.out"`, `" "`, "45:1", []string{"must be the name of a directory"}},
	{"every 0", `forces     = { every = 0.05 }`, `forces = { every = 0 }`, "46:12", []string{"0 must be greater than 0", "in L/U"}},
	{"fields without every", `every = 25.0, `, ``, "47:1", []string{"output.fields.every: is missing"}},
	{"unknown field", `"density", "vorticity"`, `"density", "vortcity"`, "47:67", []string{`did you mean "vorticity"?`}},
	{"field twice", `"density", "vorticity"`, `"density", "density"`, "47:67", []string{"stands twice"}},
	{"no fields", `["velocity", "density", "vorticity"]`, `[]`, "47:30", []string{"not empty"}},
	{"keep none", `keep = 2`, `keep = 0`, "48:30", []string{"0 must be at least 1"}},
	{"probe outside", `at = [15.0, 7.5]`, `at = [-15.0, 7.5]`, "49:33", []string{`probe "wake" lies outside the domain`}},
	{"factor and table", `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], factor = 2, table = "x.csv" }`, "18:51", []string{`factor: given beside table, must be one of the two: remove one`}},
	{"factor and period", `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], factor = 1.1, period = 3 }`, "18:51", []string{`factor: given beside period, must be one of the two`}},
	{"fast factor", `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], factor = "1 + t" }`, "18:51", []string{`prescribes 151 U`}},
	{"factor that ends", `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], factor = "log(50 - t)" }`, "18:51", []string{`at t = 50`, `log(50 - t)`}},
	{"repeat without table", `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], repeat = true }`, "18:51", []string{`no effect without table`}},
	{"pressure that vanishes", `right  = { type = "outflow" }`, `right = { type = "pressure", density = 0.5, factor = "3*step(t)" }`, "19:1", []string{`makes the density -0.5`, `greater than 0`}},
	{"ellipse without axes", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "ellipse", center = [10.0, 7.5] }`, "36:1", []string{`body.0.shape.axes: is missing: give the full axes`}},
	{"axis in the plane", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "ellipse", center = [10.0, 7.5], axes = [1, 2], axis = [0, 1] }`, "36:67", []string{`no effect with type = "ellipse"`}},
	{"angle of a circle", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "circle", center = [10.0, 7.5], diameter = 1, angle = 3 }`, "36:65", []string{`no effect with type = "circle": remove it; circle takes center, diameter`}},
	{"polygon of two points", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "polygon", points = [[1, 1], [2, 2]] }`, "36:30", []string{`has 2 points, must have 3 to 10000`}},
	{"polygon closed twice", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "polygon", points = [[1, 1], [2, 2], [1, 2], [1, 1]] }`, "36:64", []string{`points.3: is the same point as its neighbour`, `closes by itself`}},
	{"point in space", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "line", points = [[1, 1], [2, 2, 3]] }`, "36:45", []string{`points.1: has 3 entries, must have 2`}},
	{"point outside", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "line", points = [[-11, 1], [2, 2]] }`, "36:1", []string{`lies outside the domain`}},
	{"profile of five digits", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "naca", center = [10, 7.5], chord = 1, digits = "23012" }`, "36:58", []string{`"23012" must be the four digits`, `for instance "0012"`}},
	{"profile without thickness", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "naca", center = [10, 7.5], chord = 1, digits = "2400" }`, "36:58", []string{`has thickness 0`}},
	{"profile with camber nowhere", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "naca", center = [10, 7.5], chord = 1, digits = "2012" }`, "36:58", []string{`camber at 0 tenths`}},
	{"union of nothing", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "union", of = [] }`, "36:28", []string{`has 0 parts, must have 1 to 1000`}},
	{"part of a union", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "union", of = [ { type = "circle", center = [10, 7], diameter = 0 } ] }`, "36:72", []string{`body.0.shape.of.0.diameter: 0 must be greater than 0`}},
	{"union of unions", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "union", of = [ { type = "union", of = [] } ] }`, "36:37", []string{`"union" is not a part of a union`}},
	{"axis of no size", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "union", of = [ { type = "ellipse", center = [10, 7], axes = [1, 1e-12] } ] }`, "36:73", []string{`body.0.shape.of.0.axes: 1e-12 L is 4e-11 nodes, must be 1e-06 to 2.15e+09 nodes`}},
	{"diameter of no size", `diameter = 1.0`, `diameter = 5e-324`, "36:51", []string{`body.0.shape.diameter: 5e-324 L is`, `nodes: change it, or reference.resolution`}},
	{"chord of no size", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "naca", center = [10, 7.5], chord = 1e-9, digits = "0012" }`, "36:47", []string{`1e-09 L is 4e-08 nodes`}},
	{"diameter without bounds", `diameter = 1.0`, `diameter = 1e300`, "36:51", []string{`1e+300 is out of bounds, must be within ±1e+12 in reference units: give the diameter`}},
	{"point without bounds", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "polygon", points = [[1, 1], [2, 2], [1, 1e300]] }`, "36:60", []string{`points.2.1: 1e+300 is out of bounds`}},
	{"velocity without bounds", `velocity = [1.0, 0.0] }
`, `velocity = [1e300, 0.0] }
`, "15:43", []string{`1e+300 is out of bounds`}},
	{"frequency without bounds", `name   = "cylinder"`, `motion = { type = "prescribed", amplitude = [0, 0.1], frequency = 1e200 }`, "35:55", []string{`1e+200 is out of bounds`}},
	{"expression that is a number without bounds", `force   = [0.0, 0.0]`, `force = ["10^300", 0]`, "13:10", []string{`e+300 is out of bounds`}},
	{"resolution without bounds", `resolution = 40`, `resolution = 1e300`, "4:1", []string{`1e+300 is out of bounds, must be within ±1e+30`}},
	{"file in the plane", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "stl", file = "x.stl" }`, "36:12", []string{`does not fit`, `2-dimensional`}},
	{"motion that says nothing", `name   = "cylinder"`, `motion = { type = "prescribed" }`, "35:12", []string{`says neither translation nor rotation`, `velocity = [0.1, 0.0]`}},
	{"two translations", `name   = "cylinder"`, `motion = { type = "prescribed", velocity = [0, 0.01], displacement = [0, 0] }`, "35:33", []string{`velocity: given beside displacement, must be one translation`}},
	{"two rotations", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 0.1, angle = "t" }`, "35:33", []string{`spin: given beside angle, must be one rotation`}},
	{"frequency of nothing", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 0.1, frequency = 1 }`, "35:45", []string{`no effect without amplitude or swing`}},
	{"amplitude without frequency", `name   = "cylinder"`, `motion = { type = "prescribed", amplitude = [0, 0.1] }`, "35:1", []string{`motion.frequency: is missing`}},
	{"phase of nothing", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 0.1, phase = 1 }`, "35:45", []string{`no effect without amplitude`}},
	{"pivot of nothing", `name   = "cylinder"`, `motion = { type = "prescribed", velocity = [0.01, 0], pivot = [1, 1] }`, "35:55", []string{`no effect without angle, spin or swing`}},
	{"axis in two dimensions", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 0.1, axis = [0, 1] }`, "35:45", []string{`all turns are about z`}},
	{"key of another motion", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 0.1, density = 2 }`, "35:45", []string{`no effect with type = "prescribed"`}},
	{"motion out of the domain", `name   = "cylinder"`, `motion = { type = "prescribed", displacement = ["0.1*t", "0.06*t"] }`, "35:1", []string{`takes the centre of body "body0" to y = `, `t = 125.2`, `0..40 × 0..15`}},
	{"steady motion out of the domain", `name   = "cylinder"`, `motion = { type = "prescribed", velocity = [0.3, 0] }`, "35:1", []string{`to x = 40.04 at t = 100.1`}},
	{"rotation out of the domain", `name   = "cylinder"`, `motion = { type = "prescribed", angle = "0.03*t", pivot = [10, 0] }`, "35:1", []string{`to y = -0.0`, `at t = 52.5`}},
	{"fast motion", `name   = "cylinder"`, `motion = { type = "prescribed", amplitude = [1, 0], frequency = 1 }`, "35:1", []string{`prescribes 6.28`, `Mach number`}},
	{"fast rotation", `name   = "cylinder"`, `motion = { type = "prescribed", spin = 6 }`, "35:33", []string{`prescribes 3 U`}},
	{"velocity that is not finite", `name   = "cylinder"`, `motion = { type = "prescribed", velocity = ["0.01/(t - 75)", 0] }`, "35:45", []string{`motion.velocity.0`, `is +Inf at t = 75`}},
	{"free without density", `name   = "cylinder"`, `motion = { type = "free" }`, "35:1", []string{`motion.density: is missing: give ρs/ρf`}},
	{"free vessel", `name   = "cylinder"`, "motion = { type = \"free\", density = 2 }\nfluid = \"inside\"", "36:1", []string{`is inside, but the body is free`}},
	{"free without mass", `name   = "cylinder"`, `motion = { type = "free", density = 0 }`, "35:27", []string{`0 must be greater than 0`}},
	{"fix nothing known", `name   = "cylinder"`, `motion = { type = "free", density = 2, fix = ["w"] }`, "35:47", []string{`"w" is not a direction that a body can be held in`, `x, y, z, rotation`}},
	{"fix z in the plane", `name   = "cylinder"`, `motion = { type = "free", density = 2, fix = ["x", "z"] }`, "35:52", []string{`"z" does not exist with D2Q9`}},
	{"negative spring", `name   = "cylinder"`, `motion = { type = "free", density = 2, spring = [-1, 0] }`, "35:50", []string{`-1 must not be negative`}},
	{"negative release", `name   = "cylinder"`, `motion = { type = "free", density = 2, release = -1 }`, "35:40", []string{`-1 must not be negative`}},
	{"inertia 0", `name   = "cylinder"`, `motion = { type = "free", density = 2, inertia = 0 }`, "35:40", []string{`0 must be greater than 0`}},
	{"array without step", `name   = "cylinder"`, `array = { count = [2, 1] }`, "35:1", []string{`array.step: is missing`}},
	{"fraction of a copy", `name   = "cylinder"`, `array = { count = [1.5, 1], step = [2, 2] }`, "35:20", []string{`must be a whole number from 1`}},
	{"copies that overlap", `name   = "cylinder"`, `array = { count = [2, 2], step = [2, 0.9] }`, "35:27", []string{`0.9 along y must be at least the shape's extent there, 1`, `overlap`}},
	{"copies that leave the domain", `name   = "cylinder"`, `array = { count = [2, 2], step = [31, 2] }`, "36:29", []string{`body "body0-1" lies outside`}},
	{"too many copies", `name   = "cylinder"`, `array = { count = [1000, 1000], step = [2, 2] }`, "35:11", []string{`more than 100000 copies`}},
	{"name of a copy taken", "[run]", "[[body]]\nname = \"b\"\nshape = { type = \"circle\", center = [20, 7], diameter = 1 }\narray = { count = [2, 1], step = [2, 0] }\n[[body]]\nname = \"b-1\"\nshape = { type = \"circle\", center = [30, 7], diameter = 1 }\n[run]", "43:1", []string{`"b-1" is already the name of body 1`}},
	{"inside of a line", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "line", points = [[1, 1], [2, 2]] }
fluid = "inside"`, "37:1", []string{`is inside, but the shape "line" is open`}},
	{"free line", `{ type = "circle", center = [10.0, 7.5], diameter = 1.0 }`, `{ type = "line", points = [[1, 1], [2, 2]] }
motion = { type = "free", density = 2 }`, "37:12", []string{`has neither volume nor mass`}},
	{"side misspelt", `name   = "cylinder"`, `fluid = "outsides"`, "35:1", []string{`did you mean "outside"?`}},
	{"stop for nothing", `stop_when = { steady = 1e-6 }`, `stop_when = { }`, "42:1", []string{`stop_when.steady: is missing`, `cd_interval`}},
	{"certain Cd", `stop_when = { steady = 1e-6 }`, `stop_when = { cd_interval = 1.5 }`, "42:15", []string{`1.5 must be between 0 and 1`}},
	{"Cd of nobody", `stop_when = { steady = 1e-6 }`, `stop_when = { cd_interval = 0.01, body = "cylnder" }`, "42:35", []string{`"cylnder" is no body (did you mean "cylinder"?)`}},
	{"body of no interval", `stop_when = { steady = 1e-6 }`, `stop_when = { steady = 1e-6, body = "cylinder" }`, "42:30", []string{`no effect without cd_interval`}},
	{"line outside", `statistics = { from = 75.0 }`, `lines = [ { from = [0, 0], to = [50, 0], every = 1 } ]`, "50:28", []string{`to: of line "line0" lies outside`}},
	{"line without length", `statistics = { from = 75.0 }`, `lines = [ { from = [1, 1], to = [1, 1], every = 1 } ]`, "50:28", []string{`same point as from`}},
	{"line of one point", `statistics = { from = 75.0 }`, `lines = [ { from = [1, 1], to = [1, 2], points = 1, every = 1 } ]`, "50:41", []string{`1 must be at least 2`}},
	{"line at no time", `statistics = { from = 75.0 }`, `lines = [ { from = [1, 1], to = [1, 2] } ]`, "50:11", []string{`lines.0.every: is missing`}},
	{"section across z of a plane", `statistics = { from = 75.0 }`, `sections = [ { axis = "z", at = 0.5, every = 1 } ]`, "50:16", []string{`"z" of section "section0" does not exist with D2Q9: use "x" or "y"`}},
	{"section outside", `statistics = { from = 75.0 }`, `sections = [ { axis = "x", at = 41, every = 1 } ]`, "50:28", []string{`41 of section "section0" lies outside the domain along x, which is 0..40`}},
	{"slice of a plane", `statistics = { from = 75.0 }`, `slices = [ { axis = "z", at = 0.5, every = 1 } ]`, "50:1", []string{`do not exist with D2Q9`}},
	{"box outside", `statistics = { from = 75.0 }`, `boxes = [ { min = [1, 1], max = [50, 2], every = 1 } ]`, "50:27", []string{`lies outside the domain`}},
	{"box of fields inside out", `statistics = { from = 75.0 }`, `boxes = [ { min = [3, 1], max = [2, 2], every = 1 } ]`, "50:27", []string{`2 along x must exceed min = 3`}},
	{"means after the end", `statistics = { from = 75.0 }`, `means = { from = 150, every = 1 }`, "50:11", []string{`150 is not before the end of the run`}},
	{"places at negative intervals", `statistics = { from = 75.0 }`, `bodies = { every = -1 }`, "50:12", []string{`must not be negative`, `or 0 for none`}},
	{"statistics before the start", `from = 75.0`, `from = -1`, "50:16", []string{"must not be negative"}},
}

func TestBadCasesAreRefusedWithPlaceBoundAndRemedy(t *testing.T) {
	for _, bad := range badCases {
		_, err := Parse("case.toml", []byte(edit(cylinder, bad.old, bad.new)), nil)
		var list Errors
		if !errors.As(err, &list) || len(list) != 1 {
			t.Errorf("%s: want one problem, got %d:\n%v", bad.name, len(list), err)
			continue
		}
		if got := fmt.Sprintf("%d:%d", list[0].Line, list[0].Col); got != bad.at {
			t.Errorf("%s: found at %s, want %s: %v", bad.name, got, bad.at, err)
		}
		for _, s := range bad.says {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%s: %q is not in %q", bad.name, s, err)
			}
		}
	}
}

// Storage in half precision changes nothing here: rates are those of arithmetic.
func TestSinglePrecisionHoldsALargerRelaxationOnly(t *testing.T) {
	const re = 1e7 // 3ν = 1.2e-6: 10 ulp of f32, 1e10 of f64
	text := edit(cylinder, "reynolds   = 100", fmt.Sprintf("reynolds = %v", re))
	mustParse(t, text)
	for _, precision := range []string{"f32", "f32/f16"} {
		set := "fluid.precision=" + precision
		_, err := Parse("case.toml", []byte(text), []string{set})
		for _, says := range []string{`case.toml:6:1: reference.reynolds: makes the relaxation time`, " to be held by " + precision + ":", "use reynolds up to 4.02e+06", `or precision = "f64"`} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %q is not in %v", precision, says, err)
			}
		}
		mustParse(t, text, set, "reference.reynolds=4.02e6") // the remedy that the message names
	}
}

func TestAllProblemsAreReportedInFileOrder(t *testing.T) {
	text := edit(edit(edit(cylinder, "resolution = 40", "resolution = -40"), `delta   = "roma3"`, `delta = "x"`), "keep = 2", "kep = 2")
	_, err := Parse("case.toml", []byte(text), []string{"run.threads=-2", "fluid.magik=1"})
	want := []string{"case.toml:4:1: ", "case.toml:30:1: ", "case.toml:48:30: ", "--set run.threads=-2: ", "--set fluid.magik=1: unknown key; did you mean fluid.magic?"}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) {
		t.Fatalf("want %d problems, got\n%v", len(want), err)
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("problem %d: got %q, want %q…", i, lines[i], w)
		}
	}
	var first *Error
	if !errors.As(err, &first) || first.Key != "reference.resolution" || first.File != "case.toml" {
		t.Errorf("errors.As finds %+v", first)
	}
}

func TestProblemsBeyondFiftyAreCounted(t *testing.T) {
	var text strings.Builder
	text.WriteString(edit(cylinder, "resolution = 40", "resolution = -40"))
	for i := range 1000 {
		fmt.Fprintf(&text, "k%04d = 1\n", i)
	}
	_, err := Parse("case.toml", []byte(text.String()), []string{"run.threads=-2"})
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != 51 || !strings.HasPrefix(lines[0], "case.toml:4:1: ") || !strings.Contains(lines[49], "k0048: unknown key") {
		t.Fatalf("%d lines: %v", len(lines), lines[0])
	}
	at := strings.Count(cylinder, "\n") + 50
	if want := fmt.Sprintf("case.toml:%d:1: and 952 more problems from here on: correct those above first", at); lines[50] != want {
		t.Errorf("got  %s\nwant %s", lines[50], want)
	}
}

// What a case holds is not obeyed by the terminal that shows it.
func TestControlCharactersAreRefusedAndShownAsEscapes(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"title":       {`title = "Flow past`, `title = "\u001b]0;owned\u0007Flow past`, "case.toml:1:1: title: has the control character U+001B at byte 0, must be a line that can be shown: remove it"},
		"two lines":   {`title = "Flow past`, `title = "Flow\npast`, "U+000A at byte 4"},
		"turned":      {`title = "Flow past`, `title = "Flow \u202epast`, "U+202E"},
		"directory":   {`directory  = "cylinder.out"`, `directory = "a\u001b[2Jb"`, "output.directory: has the control character U+001B at byte 1"},
		"file":        {`left   = { type = "velocity", value = [1.0, 0.0] }`, `left = { type = "velocity", value = [1.0, 0.0], table = "\u009b2J.csv" }`, "U+009B"},
		"unknown key": {`precision = "f64"`, `"\u001b[2J" = 1`, `fluid."\x1b[2J": unknown key`},
		"value":       {`time      = 150.0`, `time = "1 \u001b[2J"`, `\x1b[2J`},
		"expression":  {`force   = [0.0, 0.0]`, `force = ["t + \u001b[2J", 0]`, ""},
		"choice":      {`delta   = "roma3"`, `delta = "\u001b[2J"`, ""},
		"name":        {`name   = "cylinder"`, `name = "\u001b[2J"`, ""},
		"long":        {`time      = 150.0`, `time = "` + strings.Repeat("x", 100_000) + `"`, " …"},
	} {
		_, err := Parse("case.toml", []byte(edit(cylinder, c.old, c.new)), nil)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.ContainsAny(err.Error(), "\x1b\u009b\u202e\x07") || len(err.Error()) > 3000 {
			t.Errorf("%s: %q, want %q", name, err, c.says)
		}
	}
	if c := mustParse(t, edit(cylinder, `title = "Flow past`, `title = "Écoulement — 流れ, Re = 1:`)); !strings.HasPrefix(c.Title, "Écoulement — 流れ") {
		t.Errorf("title %q", c.Title)
	}
}

func TestAnEmptyCaseIsToldWhatItNeeds(t *testing.T) {
	_, err := Parse("case.toml", nil, nil)
	for i, table := range []string{"reference", "domain", "run"} {
		want := fmt.Sprintf("case.toml:1:1: %s: the table [%s] is missing: add it", table, table)
		if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[i], want) {
			t.Errorf("got\n%v\nwant line %d: %s", err, i, want)
		}
	}
}

func TestVectorsHaveTheDimensionOfTheLattice(t *testing.T) {
	_, err := Parse("case.toml", []byte(minimal), []string{"domain.lattice=D3Q19"})
	if want := "case.toml:7:1: domain.size: has 2 entries, must have 3 entries, x, y and z, with D3Q19"; fmt.Sprint(err) != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
