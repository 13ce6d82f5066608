// Package setuptest has cases for tests of what runs and judges them.
package setuptest

import (
	"os"
	"path/filepath"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// StreamFaces are those of a stream from the left between slip walls, which is the initial state, too.
const StreamFaces = `initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
`

// StreamCase is a cylinder between slip walls: a sound case.
const StreamCase = `
[reference]
resolution = 20
velocity = 0.1
reynolds = 100
[domain]
lattice = "D2Q9"
size = [16.0, 12.0]
` + StreamFaces + `[[body]]
name  = "rod"
shape = { type = "circle", center = [5.0, 6.0], diameter = 1.0 }
[run]
time = 40.0
`

// CavityCase is a closed box driven by its lid.
const CavityCase = `
[reference]
resolution = 32
velocity = 0.1
reynolds = 100
[domain]
lattice = "D2Q9"
size = [1.0, 1.0]
[domain.boundary]
left   = { type = "no-slip" }
right  = { type = "no-slip" }
bottom = { type = "no-slip" }
top    = { type = "moving-wall", value = [1.0, 0.0] }
[run]
steps = 3200
`

// SphereCase is periodic and three-dimensional, in SI.
const SphereCase = `
[reference]
resolution = 10
velocity = 0.1
reynolds = 50
length = "1 mm"
speed = "2 cm/s"
[domain]
lattice = "D3Q19"
size = [4.0, 3.0, 3.0]
force = [0.01, 0.0, 0.0]
[[body]]
shape = { type = "sphere", center = [0.2, 1.5, 1.5], diameter = 1.0 }
[run]
time = 2.0
`

// CreepingCase changes within Re L/U = 0.05.
const CreepingCase = `
[reference]
resolution = 8
velocity = 0.004
reynolds = 0.05
[domain]
lattice = "D2Q9"
size = [6.0, 5.0]
[domain.boundary]
left = { type = "velocity", value = [1.0, 0.0] }
right = { type = "pressure" }
bottom = { type = "no-slip" }
top = { type = "no-slip" }
[fluid]
collision = "trt"
[[body]]
name = "rod"
shape = { type = "circle", center = [2.5, 2.5], diameter = 1.0 }
[run]
time = 12.0
stop_when = { steady = 1e-6 }
[output]
plots = false
forces = { every = 0.05 }
`

// SwimmingCase is a cylinder that moves and turns, with outputs of every kind.
const SwimmingCase = `
[reference]
resolution = 8
velocity = 0.05
reynolds = 40
[domain]
lattice = "D2Q9"
size = [6.0, 4.0]
force = ["0.01*cos(t)", 0.0]
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[[solid]]
name  = "post"
shape = { type = "box", min = [5.0, 0.0], max = [5.5, 0.5] }
[[body]]
name  = "swimmer"
spacing = 1.0
shape  = { type = "circle", center = [2.5, 2.0], diameter = 1.0 }
motion = { type = "prescribed", amplitude = [0.25, 0.125], frequency = 0.5, spin = 4.0 }
[run]
time = 3.0
threads = 2
[output]
forces     = { every = 0.1 }
bodies     = { every = 0.3 }
fields     = { every = 0.6 }
plots      = false # drawn from what is compared here, and slow
checkpoint = { every = 1.5, keep = 2 }
probes     = [ { name = "wall", at = [5.75, 0.25], every = 0.1 } ]
lines      = [ { name = "across", from = [3.0, 0.0], to = [3.0, 4.0], points = 33, every = 0.6 },
               { name = "beyond", from = [0.0, 0.0625], to = [6.0, 3.9375], points = 50, every = 0.5 } ]
sections   = [ { name = "gate", axis = "x", at = 3.02, every = 0.3 } ]
boxes      = [ { name = "near", min = [1.5, 1.0], max = [3.5, 3.0], every = 0.6 },
               { name = "edge", min = [5.0, 0.0], max = [6.0, 1.0], every = 0.6 } ]
means      = { from = 1.0, every = 0.2 }
`

// SwimmingSphere is its counterpart in space with slices.
const SwimmingSphere = `
[reference]
resolution = 6
velocity = 0.1
reynolds = 20
[domain]
lattice = "D3Q19"
size = [3.0, 3.0, 3.0]
[domain.boundary]
front = { type = "no-slip" }
back  = { type = "no-slip" }
[[body]]
name  = "ball"
shape  = { type = "sphere", center = [1.5, 1.5, 1.5], diameter = 1.0 }
motion = { type = "free", density = 1.5, velocity = [0.3, 0.0, 0.0], spin = [0.0, 0.0, 1.0] }
[run]
time = 0.6
threads = 2
[output]
forces     = { every = 0.1 }
fields     = { every = 0.3 }
plots      = false
checkpoint = { every = 0.3 }
lines      = [ { name = "z", from = [0.5, 0.5, 0.0], to = [0.5, 0.5, 3.0], points = 7, every = 0.1 } ]
slices     = [ { name = "middle", axis = "z", at = 1.5, every = 0.3 }, { name = "layer", axis = "x", at = 0.25, every = 0.3 },
               { name = "wall", axis = "z", at = 0.0, every = 0.3 }, { name = "between", axis = "y", at = 2.05, every = 0.3 } ]
boxes      = [ { name = "part", min = [0.0, 1.0, 1.0], max = [1.0, 2.0, 3.0], every = 0.3 } ]
means      = { from = 0.2, every = 0.1 }
`

// CapsuleCase is two elastic bodies of one kind in the shear of moving walls, coarse; the rate of shear is U/L
// and they are 2 L wide.
const CapsuleCase = `
[reference]
resolution = 4
velocity = 0.004
reynolds = 0.05
[domain]
lattice = "D3Q19"
size = [8.0, 5.0, 4.0]
initial = { type = "couette", velocity = [2.5, 0.0, 0.0], bottom = [-2.5, 0.0, 0.0] }
[domain.boundary]
bottom = { type = "moving-wall", value = [-2.5, 0.0, 0.0] }
top = { type = "moving-wall", value = [2.5, 0.0, 0.0] }
[fluid]
collision = "trt"
[[body]]
name = "a"
shape = { type = "sphere", center = [2.0, 2.5, 2.0], diameter = 2.0 }
motion = { type = "elastic", law = "neo-hookean", capillary = 0.15 }
[[body]]
name = "b"
shape = { type = "sphere", center = [6.0, 2.7, 2.0], diameter = 2.0 }
motion = { type = "elastic", law = "neo-hookean", capillary = 0.15 }
[run]
time = 0.2
threads = 2
[output]
cells = { every = 0.05 }
fields = { every = 0.1 }
plots = false
checkpoint = { every = 0.1 }
`

// RingsCase is two rings of one kind, turned otherwise, in the shear of moving walls, coarse.
const RingsCase = `
[reference]
resolution = 8
velocity = 0.004
reynolds = 0.1
[domain]
lattice = "D2Q9"
size = [10.0, 6.0]
initial = { type = "couette", velocity = [3.0, 0.0], bottom = [-3.0, 0.0] }
[domain.boundary]
bottom = { type = "moving-wall", value = [-3.0, 0.0] }
top = { type = "moving-wall", value = [3.0, 0.0] }
[fluid]
collision = "trt"
[[body]]
name = "a"
shape = { type = "ellipse", center = [2.5, 3.0], axes = [2.4, 1.6] }
motion = { type = "elastic", law = "skalak", area = 10.0, capillary = 2.0, bending = 0.5, rest = "drawn" }
[[body]]
name = "b"
shape = { type = "ellipse", center = [7.5, 3.2], axes = [2.4, 1.6], angle = 60.0 }
motion = { type = "elastic", law = "skalak", area = 10.0, capillary = 2.0, bending = 0.5, rest = "drawn" }
[run]
time = 0.2
threads = 2
[output]
cells = { every = 0.05 }
fields = { every = 0.1 }
checkpoint = { every = 0.1 }
`

// SquareCase is a stream past a square of solid: its walls bounce populations back halfway, and have corners.
const SquareCase = `
[reference]
resolution = 10
velocity = 0.1
reynolds = 16560
[domain]
lattice = "D2Q9"
size = [8.0, 6.0]
` + StreamFaces + `[fluid]
collision = "recursive"
les = { type = "smagorinsky", constant = 0.1 }
[[solid]]
shape = { type = "box", min = [2.5, 2.6], max = [3.5, 3.6] }
[run]
time = 20.0
[output]
plots = false
`

// InEmptyDirectory writes a case into an empty directory and goes there.
func InEmptyDirectory(t *testing.T, text string) (path string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("case.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "case.toml"
}

// Problem is a case in lattice units.
func Problem(t *testing.T, text string, sets ...string) *setup.Problem {
	t.Helper()
	c, err := casefile.Parse("case.toml", []byte(text), sets)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Load reads a case from a text.
func Load(t *testing.T, text string, sets ...string) *casefile.Case {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := casefile.Load(path, sets)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
