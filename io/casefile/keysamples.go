package casefile

// keySamples are cases in which together every key stands, each in every way that it is read. The
// reference is made by reading them, whole and without each of their keys; they need not be sound, and
// their files are not there.
var keySamples = []string{`
title = "plane"
constants = { amp = 0.1 }
reference = { resolution = 16, velocity = 0.05, reynolds = 40 }
fluid = { collision = "trt", magic = 0.2, precision = "f64", layout = "soaos", block = 64, streaming = "auto", storage = "auto", steps_per_sweep = 2, les = { type = "smagorinsky", constant = 0.1 } }
ib = { delta = "roma3", forcing = "multidirect", iterations = 5, tolerance = 1e-3, correction = "none", retraction = 0.3, inside = "free", spread = "auto", contact = { distance = 2, stiffness = 1 } }
run = { time = 10, backend = "cpu", threads = 1, parts = 1, seed = 1, soft_start = 1, stop_when = { steady = 1e-6, cd_interval = 0.01, body = "b-0" } }
[domain]
lattice = "D2Q9"
size = [20, 10]
origin = [0, 0]
force = [0, 0]
gravity = [0, -1]
flow = { axis = "x", speed = 1 }
follow = { body = "b-0", axis = "y" }
initial = { type = "uniform", velocity = [1, 0] }
[domain.boundary]
left = { type = "velocity", value = [1, 0], ramp = 1, period = 2, phase = 1 }
right = { type = "pressure", density = 1, table = "in.csv", repeat = true }
bottom = { type = "moving-wall", value = [1, 0], ramp = 1, period = 2, phase = 1 }
top = { type = "velocity", profile = "parabolic", peak = 1 }
[[solid]]
name = "s"
fluid = "outside"
shape = { type = "box", min = [0, 0], max = [1, 1] }
[[body]]
name = "b"
spacing = 1
fluid = "outside"
array = { count = [1, 1], step = [2, 2] }
shape = { type = "circle", center = [5, 5], diameter = 1 }
motion = { type = "free", density = 1.5, velocity = [0, 0], spin = 1, release = 1, fix = ["x"], inertia = 1, spring = [1, 1], damper = [1, 1], spring_rotation = 1, damper_rotation = 1 }
[[refine]]
around = "b"
margin = [1, 1, 1, 1]
level = 1
[[refine]]
box = { min = [1, 1], max = [2, 2] }
margin = 1
[output]
directory = "d"
plots = true
forces = { every = 1 }
bodies = { every = 1 }
probes = [ { name = "p", at = [1, 1], every = 1 } ]
lines = [ { name = "l", from = [1, 1], to = [2, 2], points = 3, every = 1 } ]
sections = [ { name = "c", axis = "x", at = 1, every = 1 } ]
flow = { every = 1 }
means = { from = 1, every = 1 }
fields = { every = 1, quantities = ["velocity"], format = "image" }
boxes = [ { name = "x", min = [1, 1], max = [2, 2], every = 1 } ]
checkpoint = { every = 1, keep = 2 }
statistics = { from = 1 }
`, `
reference = { resolution = 16, velocity = 0.05, viscosity = 0.1, length = "1 m", speed = "1 m/s", density = 1 }
fluid = { rheology = { type = "carreau-yasuda", zero_viscosity = 1, time = 1, exponent = 0.3, transition = 2 } }
run = { steps = 10 }
[domain]
lattice = "D2Q9"
size = [20, 10]
flow = { flow_rate = 1 }
initial = { type = "couette", velocity = [1, 0], bottom = [0, 0] }
boundary.left = { type = "velocity", profile = { file = "in.csv", length = 1, speed = 1 } }
boundary.right = { type = "outflow" }
[[body]]
shape = { type = "union", angle = 15, of = [ { type = "polygon", points = [[10, 2], [11, 2], [10, 4]], angle = 1 }, { type = "naca", digits = "0012", center = [15, 4], chord = 2, angle = 1 } ] }
motion = { type = "prescribed", displacement = ["0.1*t", 0], angle = "0.1*sin(t)", pivot = [3, 3] }
[[body]]
shape = { type = "ellipse", center = [3, 2], axes = [1, 0.5], angle = 30 }
motion = { type = "prescribed", velocity = [0, 0], spin = 1 }
[[body]]
shape = { type = "circle", center = [6, 2], diameter = 1 }
motion = { type = "prescribed", amplitude = [0, 0.5], frequency = 0.1, phase = 0.5, swing = 20, swing_phase = 1 }
[[body]]
shape = { type = "circle", center = [9, 2], diameter = 1 }
motion = { type = "elastic", law = "hooke", shear = 1, poisson = 0.3, bending = 1, rest = "straight", curvature = 1, mesh = 50 }
[[body]]
shape = { type = "line", points = [[8, 6], [8, 8]], angle = 5 }
spacing = 1
motion = { type = "elastic", law = "beam", mass = 1, bending = 1, stretching = 1, thickness = 0.1, bending_damping = 1, stretching_damping = 1, rest = "straight", hold = { start = "clamped", end = { type = "hinged", body = "body0" } } }
[output]
filaments = { every = 1 }
cells = { every = 1 }
`, `
reference = { resolution = 8, velocity = 0.05, reynolds = 10, length = "1 m", time = "1 s" }
domain = { lattice = "D3Q19", size = [16, 8, 8], initial = { type = "taylor-green", velocity = [0, 0, 0], amplitude = 1, wavenumber = 1 } }
run.time = 2
[domain.boundary]
left = { type = "velocity", value = [1, 0, 0], factor = 1 }
right = { type = "velocity", profile = "y", table = "in.csv", repeat = true }
bottom = { type = "moving-wall", value = [1, 0, 0], factor = 1 }
top = { type = "moving-wall", value = [1, 0, 0], table = "in.csv", repeat = true }
front = { type = "pressure", factor = 1 }
back = { type = "symmetry" }
[[solid]]
shape = { type = "sphere", center = [2, 2, 2], diameter = 1 }
[[body]]
shape = { type = "cylinder", center = [2, 4, 4], diameter = 1, length = 3, direction = [1, 2, 3], caps = false, angle = 1, axis = [1, 0, 0] }
[[body]]
shape = { type = "stl", file = "part.stl", scale = 0.001, center = [1, 1, 1], open = true, angle = 1, axis = [1, 0, 0] }
motion = { type = "prescribed", spin = 0.1, axis = [1, 2, 2], pivot = [8, 4, 4] }
[[body]]
shape = { type = "stl", file = "sheet.stl", thickness = 0.1 }
[[body]]
shape = { type = "sphere", center = [4, 4, 4], diameter = 1 }
motion = { type = "free", density = 1, spin = [0, 0, 1] }
[[body]]
shape = { type = "ellipsoid", center = [14, 4, 4], axes = [2, 1, 1], angle = 30, axis = [0, 1, 0] }
motion = { type = "elastic", law = "skalak", capillary = { shear = 0.1, rate = 1 }, area = 1, bending = 1, bending_model = "juelicher", curvature = 1, area_penalty = 1, volume_penalty = 1, shear_viscosity = 1, prestress = 1, viscosity_ratio = 1, implicit = true, mesh = 42, loads = [ { at = "x-max", part = 0.1, force = [1, 0, 0], ramp = 1 } ] }
[[body]]
shape = { type = "rbc", center = [5, 4, 4], diameter = 2, angle = 40, axis = [1, 1, 1] }
motion = { type = "elastic", capillary = { young = 0.1 } }
[[body]]
shape = { type = "rectangle", center = [5, 4, 4], length = 2, width = 1, angle = 40, axis = [1, 1, 1] }
motion = { type = "elastic", law = "plate", mass = 1, stretching = 1, bending = 1, poisson = 0.3, shear = 1, stretching_damping = 1, hold = { left = "clamped", right = "free", bottom = "free", top = "free" } }
[[body]]
shape = { type = "sphere", center = [5, 4, 4], diameter = 2 }
motion = { type = "elastic", capillary = 0.1 }
[[body]]
shape = { type = "line", points = [[8, 6, 1], [8, 8, 1]], angle = 5, axis = [1, 0, 0] }
motion = { type = "elastic", law = "beam", bending = 1, hold = { start = { type = "clamped", body = "body0" }, end = "free" } }
[output]
sheets = { every = 1 }
slices = [ { name = "s", axis = "z", at = 1, every = 1 } ]
surfaces = { every = 1 }
`, `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
run.time = 2
domain = { lattice = "D3Q19", vessel = { file = "a.stl", scale = 1 }, initial = { type = "shear", velocity = [0, 0, 0], amplitude = 1, wavenumber = 1 } }
[[port]]
name = "in"
plane = { point = [0, 0, 0], normal = [1, 0, 0] }
type = "velocity"
profile = "plug"
speed = 1
factor = 1
ramp = 1
[[port]]
type = "velocity"
flow_rate = 1
[[port]]
type = "velocity"
flow = { file = "q.csv", period = 1, time = 1, rate = 1 }
[[port]]
type = "pressure"
pressure = 1
factor = 1
ramp = 1
[[port]]
type = "windkessel"
pressure = 1
resistance = 1
capacitance = 1
[output]
ports = { every = 1 }
wall = { every = 1, from = 1, sample = 1 }
`, `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
run.time = 2
domain = { lattice = "D3Q19", vessel = { file = "a.nrrd", threshold = 0.5, inside = "above" }, initial = { type = "file", path = "a.vtkhdf" } }
[[suspension]]
model = "elastic"
hematocrit = 0.1
feed = 0.1
shape = { type = "sphere", diameter = 1 }
material = { shear = 1 }
`, `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
run.time = 2
domain = { lattice = "D3Q19", size = [8, 8, 8], initial = { type = "poiseuille", velocity = [1, 0, 0] } }
[[suspension]]
model = "ellipsoid"
hematocrit = 0.3
seed = 1
semi_axes = [0.5, 0.5, 0.1]
density = 1
strength = 1
ratio = 1
friction = 1
[output]
suspension = { every = 1, profile = "y" }
`, `
reference = { resolution = 8, velocity = 0.05, reynolds = 10 }
run.time = 2
domain = { lattice = "D3Q19", size = [8, 8, 8], initial.type = "rest" }
[[suspension]]
model = "elastic"
name = "cell"
discharge_hematocrit = 0.1
seed = 1
shape = { type = "sphere", diameter = 1 }
material = { law = "skalak", shear = 1 }
region = { min = [0, 0, 0], max = [1, 1, 1] }
[[suspension]]
model = "elastic"
name = "other"
hematocrit = 0.1
shape = { type = "ellipsoid", axes = [1, 1, 1] }
material = { shear = 1 }
`}
