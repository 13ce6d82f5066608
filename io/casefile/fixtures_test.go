package casefile

// cylinder is the example of the documented case format.
const cylinder = `title = "Flow past a circular cylinder, Re = 100"

[reference]
resolution = 40          # lattice nodes per reference length L
velocity   = 0.1         # lattice velocity that stands for U
reynolds   = 100         # U L / ν
# length = "1 cm"

[domain]
lattice = "D2Q9"
size    = [40.0, 15.0]
origin  = [0.0, 0.0]
force   = [0.0, 0.0]
gravity = [0.0, 0.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }

[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }

[fluid]
collision = "bgk"
precision = "f64"
layout    = "auto"
streaming = "auto"

[ib]
delta   = "roma3"
forcing = "direct"
spread  = "auto"

[[body]]
name   = "cylinder"
shape  = { type = "circle", center = [10.0, 7.5], diameter = 1.0 }

[run]
time      = 150.0
backend   = "auto"
threads   = 0
stop_when = { steady = 1e-6 }

[output]
directory  = "cylinder.out"
forces     = { every = 0.05 }
fields     = { every = 25.0, quantities = ["velocity", "density", "vorticity"] }
checkpoint = { every = 50.0, keep = 2 }
probes     = [ { name = "wake", at = [15.0, 7.5], every = 0.05 } ]
statistics = { from = 75.0 }
`

// channel uses what the cylinder does not: three dimensions, solids, SI
// strings, dotted keys and profiles.
const channel = `
reference.resolution = 16
reference.velocity = 0.05
reference.viscosity = "1 mPa.s"
reference.length = "1 mm"
reference.time = "0.1 s"
reference.density = "1 g/cm^3"
domain.lattice = "D3Q19"
domain.size = ["4 mm", 1, 1]
domain.origin = [-1, 0, 0]
domain.force = ["1 mm/s^2", 0, 0]
domain.initial = { type = "poiseuille", velocity = [1.5, 0, 0] }

[domain.boundary.left]
type = "velocity"
profile = "parabolic"
peak = "15 mm/s"
ramp = "0.2 s"
period = 4
phase = 1.5
[domain.boundary.right]
type = "pressure"
density = "999 kg/m^3"
[domain.boundary]
bottom = { type = "no-slip" }
top = { type = "moving-wall", value = [0.5, 0, 0] }

[[solid]]
shape = { type = "box", min = [0, 0, 0], max = [0.25, 0.25, 1] }

[[solid]]
name = "bump"
shape.type = "sphere"
shape.center = [1.0, -0.2, 0.5]
shape.diameter = 0.8

[[body]]
shape = { type = "sphere", center = [0.5, 0.5, 0.5], diameter = "250 um" }
spacing = 0.8
motion = { type = "fixed" }

[fluid]
collision = "trt"
magic = 0.25
precision = "f32/f16"
layout = "soaos"
block = 128
streaming = "inplace"

[ib]
forcing = "multidirect"

[run]
steps = 6400
`

// plane uses what these do not: shapes of two dimensions, motions, what varies.
const plane = `
reference = { resolution = 16, velocity = 0.05, reynolds = 40 }
run = { time = 10, stop_when = { cd_interval = 0.01, body = "grid-1", steady = 1e-6 } }
fluid = { collision = "regularized", les = { type = "smagorinsky", constant = 0.15 } }
ib = { retraction = 0.25, contact = { distance = 1.5, stiffness = 2 } }

[domain]
lattice = "D2Q9"
size = [20, 10]
force = ["0.01*sin(2*pi*t)", 0.25]
gravity = [0, -1]
initial = { type = "file", path = "start.vtkhdf" }
boundary.left = { type = "velocity", value = [1, 0], table = "in.csv", repeat = true, ramp = 2 }
boundary.right = { type = "pressure", density = 1.01, factor = "1 + 0.1*t" }
boundary.bottom = { type = "moving-wall", value = [1, 0], factor = 0.5 }
boundary.top = { type = "moving-wall", value = [1, 0], period = 3, phase = 1 }

[[solid]]
shape = { type = "naca", digits = "2412", center = [18, 8], chord = 1, angle = -10 }

[[body]]
name = "grid"
shape = { type = "ellipse", center = [3, 2], axes = [1, 0.5], angle = 30 }
array = { count = [2, 2], step = [2, 3] }
motion = { type = "prescribed", displacement = ["0.1*t", 0], angle = "0.1*sin(t)", pivot = [3, 3] }
[[body]]
name = "flap"
shape = { type = "line", points = [[8, 2], [8, 4]], angle = 5 }
motion = { type = "prescribed", amplitude = [0, 0.5], frequency = 0.1, phase = 0.5, swing = 20, swing_phase = 1 }
[[body]]
shape = { type = "polygon", points = [[10, 2], [11, 2], [10, 4]] }
motion = { type = "free", density = 1.5, velocity = [0.1, 0], spin = 1, release = 2, fix = ["x", "rotation"], inertia = 2, spring = [1, 2], damper = [3, 4], spring_rotation = 5, damper_rotation = 6 }
[[body]]
fluid = "both"
shape = { type = "union", angle = 15, of = [ { type = "circle", center = [14, 4], diameter = 1 }, { type = "naca", digits = "0012", center = [15, 4], chord = 2 } ] }
motion = { type = "prescribed", velocity = [0.01, "0.01*cos(t)"], spin = 0.1 }
[[body]]
shape = { type = "circle", center = [16, 8], diameter = 1 }
motion = { type = "prescribed", swing = 0, frequency = 2 }

[output]
bodies = { every = 0.5 }
lines = [ { name = "centre", from = [0, 5], to = [20, 5], points = 11, every = 1 } ]
boxes = [ { name = "near", min = [1, 1], max = [5, 5], every = 1 } ]
means = { from = 2, every = 0.1 }
`

// space uses the shapes of three dimensions.
const space = `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
domain = { lattice = "D3Q19", size = [16, 8, 8] }
run.time = 2
output.slices = [ { axis = "y", at = 4, every = 1 } ]
[[body]]
shape = { type = "cylinder", center = [2, 4, 4], diameter = 1, length = 3, direction = [1, 2, 3], caps = false }
[[body]]
shape = { type = "rbc", center = [5, 4, 4], diameter = 2, angle = 40, axis = [1, 1, 1] }
motion = { type = "free", density = 1, spin = [0, 0, 1], fix = ["rx", "z"] }
[[body]]
shape = { type = "stl", file = "part.stl", scale = 0.001 }
motion = { type = "prescribed", spin = 0.1, axis = [1, 2, 2], pivot = [8, 4, 4] }
[[body]]
shape = { type = "stl", file = "part.stl", center = [11, 4, 4], open = true, angle = 10 }
[[body]]
shape = { type = "ellipsoid", center = [14, 4, 4], axes = [2, 1, 1], angle = 30, axis = [0, 1, 0] }
`
