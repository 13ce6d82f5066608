package casefile

// keyTexts are what the keys of a case file mean, in the order of the reference: a text for each key that
// the reader knows, and none for others, which a test holds.
var keyTexts = []keyText{
	{"", "title", "A line that reports and pictures bear.", "", "the file's name"},
	{"", "reference", "The scales L, U and ν.", "", ""},
	{"", "constants", "Names for expressions, each a number or an expression of `Re`.", "", ""},
	{"", "domain", "The lattice, what drives the flow, its initial state and its faces.", "", ""},
	{"", "port", "Discs that cut off a vessel and let fluid in and out.", "", ""},
	{"", "fluid", "How the fluid is computed.", "", "its defaults"},
	{"", "ib", "How bodies are coupled to the fluid.", "", "its defaults"},
	{"", "solid", "Nodes that are walls.", "", ""},
	{"", "body", "Immersed bodies.", "", ""},
	{"", "refine", "Finer nodes in a part of the domain.", "", ""},
	{"", "suspension", "Particles or cells, as many as fill the fluid to a haematocrit.", "", ""},
	{"", "run", "How long, and on what.", "", ""},
	{"", "output", "What is written, and how often.", "", "its defaults"},

	{"constants", "NAME", "Letters, digits and `_`; not those of functions, units and `t`, `x`, `y`, `z`.", "", "none"},

	{"reference", "resolution", "Lattice nodes per reference length L. Changing it alone refines a case.", "nodes", ""},
	{"reference", "velocity", "The lattice velocity that stands for U: the Mach number is √3 times it and at most 0.3; 0.1 is usual.", "lattice units", ""},
	{"reference", "reynolds", "U L/ν.", "", "or viscosity"},
	{"reference", "viscosity", "The fluid's kinematic viscosity; beside `density` a dynamic one with its unit will do.", "", "or reynolds"},
	{"reference", "length", "L in SI, for quantities with units and results in SI. A plain number is in metres.", "m", ""},
	{"reference", "speed", "U in SI. A plain number is in m/s.", "m/s", "or time"},
	{"reference", "time", "L/U in SI, in place of `speed`. A plain number is in seconds.", "s", "or speed"},
	{"reference", "density", "The fluid's density in SI, for what has a mass. A plain number is in kg/m³.", "kg/m³", ""},

	{"domain", "lattice", "The plane lattice D2Q9 or the spatial D3Q19.", "", ""},
	{"domain", "size", "Extent along each axis; round(size · resolution) nodes, in the middle of cells. Not beside `vessel`.", "", ""},
	{"domain", "origin", "The lower corner.", "", ""},
	{"domain", "force", "A body force per mass on all fluid, as a pressure gradient −∂p/∂x /ρ.", "", ""},
	{"domain", "flow", "A flow rate that is held in a periodic channel, in place of `force`, which is found.", "", ""},
	{"domain", "follow", "The domain goes along with a body that moves freely, by whole nodes.", "", ""},
	{"domain", "gravity", "Acts on bodies that move, by their density less that of the fluid.", "", ""},
	{"domain", "initial", "The state at t = 0.", "", "at rest"},
	{"domain", "boundary", "The faces of the domain; a pair that is not given is periodic.", "", "periodic"},
	{"domain", "vessel", "The fluid is inside a surface, or inside what an image of voxels shows; D3Q19.", "", ""},

	{"domain.flow", "axis", "Along which the flow goes; its faces are periodic.", "", ""},
	{"domain.flow", "speed", "The mean speed over the section of the fluid.", "", "or flow_rate"},
	{"domain.flow", "flow_rate", "What goes through the section.", "", "or speed"},

	{"domain.follow", "body", "The name of the body, which moves freely.", "", "the only free body"},
	{"domain.follow", "axis", "Along which the domain goes.", "", "that of domain.gravity"},

	{"domain.initial", "type", "The kind of state.", "", ""},
	{"domain.initial", "velocity", "Of the stream; of `couette` that at the top, of `poiseuille` that in the middle, of others what is added. Required with `uniform`, else [1, 0] of `couette` and `poiseuille`, and 0.", "", "as told"},
	{"domain.initial", "bottom", "Of `couette`, the velocity at the bottom.", "", "[0, 0]"},
	{"domain.initial", "amplitude", "Of the shear or of the vortices.", "", ""},
	{"domain.initial", "wavenumber", "Whole periods in the domain.", "", ""},
	{"domain.initial", "path", "A field file (`.vtkhdf`) of an earlier run on as many nodes.", "", ""},

	{"domain.boundary", "left", "The face at the least x.", "", "periodic"},
	{"domain.boundary", "right", "The face at the largest x.", "", "periodic"},
	{"domain.boundary", "bottom", "The face at the least y.", "", "periodic"},
	{"domain.boundary", "top", "The face at the largest y.", "", "periodic"},
	{"domain.boundary", "front", "The face at the least z, in 3D.", "", "periodic"},
	{"domain.boundary", "back", "The face at the largest z, in 3D.", "", "periodic"},

	{"domain.boundary.FACE", "type", "What the face does: see [the case file](case-file.md#domainboundary).", "", ""},
	{"domain.boundary.FACE", "value", "The velocity of the wall, in its plane, or that of the fluid that comes in.", "", "required of a wall, and without profile"},
	{"domain.boundary.FACE", "profile", "How the velocity is over the face: even, a parabola, an expression of the place in L for the velocity into the domain in U, or a table.", "", ""},
	{"domain.boundary.FACE", "peak", "In the middle of the parabola, into the domain.", "", "required with \"parabolic\""},
	{"domain.boundary.FACE", "density", "At a pressure face, in the reference density: p = (density − 1)/(3 velocity²) in ρU².", "", ""},
	{"domain.boundary.FACE", "ramp", "A smooth start from 0 that takes so long.", "", ""},
	{"domain.boundary.FACE", "period", "Multiplies by sin(2πt/period + phase).", "", ""},
	{"domain.boundary.FACE", "phase", "Of that sine.", "radians", ""},
	{"domain.boundary.FACE", "factor", "Multiplies the velocity, or density − 1.", "", ""},
	{"domain.boundary.FACE", "table", "A CSV file with the header `t,factor`, which multiplies, linear between rows.", "", ""},
	{"domain.boundary.FACE", "repeat", "The table begins again after its last row.", "", ""},
	{"domain.boundary.FACE.profile", "file", "A CSV file of places along the face and velocities there.", "", ""},
	{"domain.boundary.FACE.profile", "length", "L per unit of the file's places, or that unit.", "", ""},
	{"domain.boundary.FACE.profile", "speed", "U per unit of the file's velocities, or that unit.", "", ""},

	{"domain.vessel", "file", "A closed or open surface of triangles (`.stl`), or an image of voxels (`.nrrd`).", "", ""},
	{"domain.vessel", "scale", "L per unit of the file, or that unit.", "", ""},
	{"domain.vessel", "threshold", "Of an image: the value at the wall.", "", "required of an image"},
	{"domain.vessel", "inside", "Of an image: the side of the threshold where the fluid is.", "", ""},

	{"port", "name", "Unique.", "", "portN"},
	{"port", "plane", "Where the port cuts the vessel.", "", ""},
	{"port", "type", "What is prescribed there.", "", ""},
	{"port", "speed", "The mean speed, positive into the vessel.", "", "or flow_rate, or flow"},
	{"port", "flow_rate", "What goes into the vessel.", "", "or speed, or flow"},
	{"port", "flow", "A file of the flow rate over time.", "", "or speed, or flow_rate"},
	{"port", "profile", "Over the disc: a parabola along every ray, the developed flow of a pipe of that section, or even.", "", ""},
	{"port", "pressure", "Over that at rest; of `windkessel`, that beyond the resistance.", "", ""},
	{"port", "resistance", "R of C dp/dt = Q − (p − pressure)/R.", "", ""},
	{"port", "capacitance", "C of it.", "", ""},
	{"port", "factor", "Multiplies what is prescribed.", "", ""},
	{"port", "ramp", "A smooth start from 0 that takes so long.", "", ""},
	{"port.plane", "point", "A point of the port's disc.", "", ""},
	{"port.plane", "normal", "Points into the fluid; any length.", "", ""},
	{"port.flow", "file", "A CSV file with the header `t,flow_rate`, linear between rows.", "", ""},
	{"port.flow", "period", "After which it begins again.", "", "never"},
	{"port.flow", "time", "L/U per unit of the column t, or that unit.", "", ""},
	{"port.flow", "rate", "UL² per unit of the column flow_rate, or that unit.", "", ""},

	{"fluid", "collision", "The collision operator. `lbmib check` advises.", "", ""},
	{"fluid", "magic", "Λ of `trt`. At faces where fluid enters the default falls from a grid Reynolds number of 6.5 on.", "", "0.1875, or less"},
	{"fluid", "les", "A turbulence model.", "", ""},
	{"fluid", "precision", "Of arithmetic, and after a slash of the populations in memory.", "", ""},
	{"fluid", "streaming", "One lattice in place, or two; the results are the same bits.", "", ""},
	{"fluid", "storage", "All nodes, or only those of the fluid; the results are the same bits.", "", ""},
	{"fluid", "steps_per_sweep", "Time steps that share a sweep over memory; the results are the same bits.", "", ""},
	{"fluid", "layout", "How populations lie in memory; the results are the same bits.", "", ""},
	{"fluid", "block", "Nodes per block of the layout soaos, a power of two.", "nodes", "auto"},
	{"fluid.les", "type", "The model.", "", ""},
	{"fluid.les", "constant", "Smagorinsky's, at most 1.", "", ""},
	{"fluid", "rheology", "A viscosity that falls as the rate of strain grows, as blood's.", "", "one viscosity"},
	{"fluid.rheology", "type", "The law: ν∞ + (ν₀ − ν∞)(1 + (λ|S|)^a)^((n − 1)/a), ν∞ being `reference.viscosity`.", "", ""},
	{"fluid.rheology", "zero_viscosity", "ν₀, of fluid at rest; beside `density` a dynamic one with its unit will do.", "", ""},
	{"fluid.rheology", "time", "λ.", "", ""},
	{"fluid.rheology", "exponent", "n, at most 1.", "", ""},
	{"fluid.rheology", "transition", "a; 2 is Carreau's law.", "", ""},

	{"ib", "delta", "The regularised delta by which markers and nodes exchange values.", "", ""},
	{"ib", "forcing", "Once with Pinelli's weights, or in rounds until the slip is small.", "", ""},
	{"ib", "iterations", "Rounds of `multidirect`, at most.", "", ""},
	{"ib", "tolerance", "The slip over U below which rounds end.", "", ""},
	{"ib", "correction", "Puts the wall, which a delta smears, where it is drawn.", "", ""},
	{"ib", "retraction", "By which markers are set back instead; correction is \"none\" then.", "nodes", ""},
	{"ib", "inside", "The fluid inside bodies: left to itself, or made to move with the body.", "", ""},
	{"ib", "spread", "How forces get from markers to nodes.", "", ""},
	{"ib", "contact", "Repulsion that keeps surfaces apart.", "", "its defaults"},
	{"ib.contact", "distance", "Between surfaces, within which they repel each other; 0: none. At most 20.", "nodes", ""},
	{"ib.contact", "stiffness", "A multiple of the default force.", "", ""},

	{"solid", "name", "Unique.", "", "solidN"},
	{"solid", "shape", "A shape with an inside.", "", ""},
	{"solid", "fluid", "The side where the fluid is: \"inside\" makes a tube or a box.", "", ""},

	{"body", "name", "Unique; becomes part of file names.", "", "bodyN"},
	{"body", "shape", "What it looks like at t = 0.", "", ""},
	{"body", "motion", "How it moves.", "", "fixed"},
	{"body", "fluid", "The side whose flow counts; of shapes without an inside \"both\".", "", ""},
	{"body", "spacing", "Distance of markers, 0.3 to 2.", "nodes", ""},
	{"body", "array", "Copies of it: `NAME-0`, `NAME-1` and so on.", "", ""},
	{"body.array", "count", "Copies along each axis.", "", ""},
	{"body.array", "step", "How far apart they are.", "", ""},

	{"shape", "type", "The kind of shape.", "", ""},
	{"shape", "center", "Of an STL file: where its centroid goes. The suspended have none.", "", "required; of an STL file as in the file"},
	{"shape", "diameter", "Of a circle, a sphere, a cylinder or a red cell.", "", ""},
	{"shape", "axes", "The full axes.", "", ""},
	{"shape", "points", "Corners, in L. A polygon closes by itself, a line is open.", "L", ""},
	{"shape", "digits", "Four digits of a NACA profile, in quotes.", "", ""},
	{"shape", "chord", "Of the profile.", "", ""},
	{"shape", "length", "Of a cylinder, or of a rectangle along x.", "", ""},
	{"shape", "width", "Of a rectangle along y.", "", ""},
	{"shape", "direction", "Of a cylinder's axis.", "", ""},
	{"shape", "caps", "Whether a cylinder is closed; false: an open tube.", "", ""},
	{"shape", "file", "An STL file, in text or binary.", "", ""},
	{"shape", "scale", "L per unit of the file, or that unit.", "", ""},
	{"shape", "open", "The surface need not be watertight.", "", ""},
	{"shape", "thickness", "Of the shell that an open surface becomes, half of it on either side.", "L", ""},
	{"shape", "min", "The lower corner of a box.", "", ""},
	{"shape", "max", "The upper corner of a box.", "", ""},
	{"shape", "of", "The parts of a union.", "", ""},
	{"shape", "angle", "By which it is turned, anticlockwise.", "degrees", ""},
	{"shape", "axis", "About which it is turned, in 3D.", "", ""},

	{"body.motion", "type", "Fixed, prescribed, moved by the flow, or elastic.", "", "\"fixed\" without a table"},
	{"body.motion", "displacement", "From where the shape is drawn.", "", "or velocity, or amplitude"},
	{"body.motion", "velocity", "Prescribed: integrated from t = 0. Free: at the release.", "", "free: 0"},
	{"body.motion", "amplitude", "Displacement amplitude · sin(2π frequency t + phase).", "", "or displacement, or velocity"},
	{"body.motion", "frequency", "Of `amplitude` and `swing`.", "", "required beside these"},
	{"body.motion", "phase", "Of `amplitude`.", "radians", ""},
	{"body.motion", "angle", "By which it is turned from how the shape is drawn.", "radians", "or spin, or swing"},
	{"body.motion", "spin", "Prescribed: integrated from t = 0. Free: at the release, in 3D a vector.", "radians per L/U", "free: 0"},
	{"body.motion", "swing", "Angle swing · sin(2π frequency t + swing_phase).", "degrees", "or angle, or spin"},
	{"body.motion", "swing_phase", "Of `swing`.", "radians", ""},
	{"body.motion", "axis", "Of the rotation, in 3D.", "", ""},
	{"body.motion", "pivot", "Of the rotation; it moves with the translation.", "", "the centre"},
	{"body.motion", "density", "ρs/ρf.", "ρ", ""},
	{"body.motion", "release", "Held until then.", "", ""},
	{"body.motion", "fix", "What is held for good.", "", ""},
	{"body.motion", "inertia", "Moment of inertia about the centre.", "ρL^(d+2)", "the shape's"},
	{"body.motion", "spring", "To the drawn place: force per displacement.", "ρU²L^(d−2)", ""},
	{"body.motion", "damper", "Force per velocity.", "ρUL^(d−1)", ""},
	{"body.motion", "spring_rotation", "Torque per radian.", "ρU²L^d", ""},
	{"body.motion", "damper_rotation", "Torque per spin.", "ρUL^(d+1)", ""},
	{"body.motion", "law", "The law of strain of a surface; of a line \"beam\", of a rectangle \"plate\".", "", "\"skalak\"; of lines and rectangles theirs"},
	{"body.motion", "shear", "The surface's shear modulus G_s; of a plate G h.", "", "required, or capillary; of a plate E h/(2 (1 + ν))"},
	{"body.motion", "capillary", "μγ̇a/G_s in place of `shear`: a number, or a table.", "", "or shear"},
	{"body.motion", "area", "Skalak's C.", "", ""},
	{"body.motion", "poisson", "Of law hooke the surface's; of a plate that of bending.", "", "1/3; of a plate 0.3"},
	{"body.motion", "bending", "Of a surface κ, of a beam E I (ρU²L^(d+1)), of a plate D.", "", "0; required of beams and plates"},
	{"body.motion", "bending_model", "How bending of a surface in 3D is computed.", "", ""},
	{"body.motion", "curvature", "Free of bending: in 3D the mean one, positive where a sphere's is.", "", ""},
	{"body.motion", "area_penalty", "k_A of the energy k_A (A − A₀)²/(2 A₀).", "", ""},
	{"body.motion", "volume_penalty", "k_V of the energy k_V (V − V₀)²/(2 V₀).", "", ""},
	{"body.motion", "shear_viscosity", "Of the membrane.", "", ""},
	{"body.motion", "prestress", "Length of every edge as drawn over that free of stress.", "", ""},
	{"body.motion", "viscosity_ratio", "Of the fluid inside over that outside, 3D.", "", ""},
	{"body.motion", "mesh", "Number of vertices, about.", "", "edges of about a node"},
	{"body.motion", "loads", "Forces from outside on the ends of a surface.", "", ""},
	{"body.motion", "mass", "Of a line per length, of a plate per area (ρL).", "", ""},
	{"body.motion", "stretching", "Of a line E A, of a plate E h (ρU²L).", "", "a line keeps its length; required of a plate"},
	{"body.motion", "thickness", "Of a line in 2D, at whose faces the fluid feels it.", "", ""},
	{"body.motion", "bending_damping", "Of a line's material: moment over rate of curvature.", "ρUL^(d+2)", ""},
	{"body.motion", "stretching_damping", "Of the material: tension over rate of strain.", "of a line ρUL^d, of a plate ρUL²", ""},
	{"body.motion", "rest", "The shape free of bending: straight, or as drawn.", "", ""},
	{"body.motion", "hold", "How ends or edges are held.", "", "all free"},
	{"body.motion.capillary", "shear", "μγ̇a/G_s.", "", "or young"},
	{"body.motion.capillary", "young", "μγ̇a/E_s, by Young's modulus.", "", "or shear"},
	{"body.motion.capillary", "rate", "γ̇, the rate of shear.", "", ""},
	{"body.motion.loads", "at", "The end of the body, as it is drawn.", "", ""},
	{"body.motion.loads", "part", "So large a part of all vertices, those farthest out.", "", ""},
	{"body.motion.loads", "force", "On all of these together.", "", ""},
	{"body.motion.loads", "ramp", "Comes smoothly from 0 within it.", "", ""},
	{"body.motion.hold", "start", "The first point of a line; as a table held by a body.", "", ""},
	{"body.motion.hold", "end", "The last point of a line; as a table held by a body.", "", ""},
	{"body.motion.hold", "left", "The edge of a plate where its length begins.", "", ""},
	{"body.motion.hold", "right", "The edge where it ends.", "", ""},
	{"body.motion.hold", "bottom", "The edge of a plate where its width begins.", "", ""},
	{"body.motion.hold", "top", "The edge where it ends.", "", ""},
	{"body.motion.hold.END", "type", "How it is held.", "", ""},
	{"body.motion.hold.END", "body", "The name of the body that holds it, fixed or prescribed.", "", "held where it is drawn"},

	{"refine", "around", "The name of a body.", "", "or box"},
	{"refine", "box", "A box in L.", "", "or around"},
	{"refine", "margin", "By which finer nodes reach beyond it: one number, or one for each face.", "", "1 around a body, 0 of a box"},
	{"refine", "level", "How many times nodes are halved.", "", ""},
	{"refine.box", "min", "The lower corner.", "", ""},
	{"refine.box", "max", "The upper corner.", "", ""},

	{"suspension", "model", "Rigid ellipsoids at a point each, or elastic cells.", "", ""},
	{"suspension", "name", "Cells are NAME-0, NAME-1, …; a second table needs one.", "", "\"cell\""},
	{"suspension", "hematocrit", "The share of the fluid's volume; of ellipsoids at most 0.5, of cells 0.6.", "", "required; of cells, or discharge_hematocrit"},
	{"suspension", "discharge_hematocrit", "The share of the volume that flows, in round tubes.", "", "or hematocrit"},
	{"suspension", "seed", "Of places and directions.", "", ""},
	{"suspension", "semi_axes", "Of an ellipsoid of revolution: the first two alike.", "", ""},
	{"suspension", "density", "ρs/ρf.", "ρ", ""},
	{"suspension", "strength", "The energy of two that touch.", "", ""},
	{"suspension", "ratio", "That energy side by side over end to end.", "", ""},
	{"suspension", "friction", "Drag and torque over those of a sphere of the same volume.", "", ""},
	{"suspension", "shape", "Of a cell, without `center`: \"rbc\", \"sphere\" or \"ellipsoid\".", "", ""},
	{"suspension", "material", "Its membrane, with the keys of an elastic `body.motion` but `type` and `loads`.", "", ""},
	{"suspension", "region", "A box in L in which cells are packed.", "", "all of the fluid"},
	{"suspension.region", "min", "The lower corner.", "", ""},
	{"suspension.region", "max", "The upper corner.", "", ""},

	{"run", "time", "The duration.", "", "or steps"},
	{"run", "steps", "The duration in time steps.", "steps", "or time"},
	{"run", "stop_when", "Ends a run early.", "", "never"},
	{"run", "soft_start", "In which the surfaces of fixed and prescribed bodies come from the initial flow's velocity to their own.", "", ""},
	{"run", "backend", "The processor, a GPU, or both.", "", ""},
	{"run", "threads", "0: all cores. The results are the same bits.", "", ""},
	{"run", "parts", "Boxes that the grid is divided into. The results are the same bits.", "", ""},
	{"run", "seed", "Of random numbers.", "", ""},
	{"run.stop_when", "steady", "When |∂u/∂t| is below it everywhere.", "U²/L", ""},
	{"run.stop_when", "cd_interval", "When the 95 % confidence interval of the mean drag is ± this share of it.", "", ""},
	{"run.stop_when", "body", "Whose drag that is.", "", "the only one"},

	{"output", "directory", "Where to, below the working directory.", "", "CASE.out"},
	{"output", "forces", "`forces.csv`: force, torque and coefficients of every body.", "", "its defaults"},
	{"output", "bodies", "`bodies.csv`: place, velocity, angle and spin of bodies.", "", "where a body moves"},
	{"output", "cells", "`cells.csv`: place, deformation and energy of elastic surfaces.", "", "where a body is elastic"},
	{"output", "filaments", "`filaments.csv`: lines that bend.", "", "where a line bends"},
	{"output", "sheets", "`sheets.csv`: sheets that bend.", "", "where there is a sheet"},
	{"output", "suspension", "`suspension.csv`, and profiles.", "", "where there is one"},
	{"output", "probes", "`probes.csv`: density, velocity and pressure at points.", "", ""},
	{"output", "lines", "`lines/NAME.csv`: the same along lines.", "", ""},
	{"output", "sections", "`sections.csv`: what goes through planes from face to face.", "", ""},
	{"output", "flow", "`flow.csv`: the flow rate that is held and its force.", "", "where domain.flow is given"},
	{"output", "ports", "`ports.csv`: flow rate and pressure at ports.", "", "of a vessel"},
	{"output", "wall", "`wall/`: the shear stress on a vessel's wall.", "", ""},
	{"output", "surfaces", "`surfaces/`: traction, C_p and C_f on bodies from STL files.", "", ""},
	{"output", "means", "`fields/means.vtkhdf`: means and variances.", "", ""},
	{"output", "fields", "`fields/`: whole fields for ParaView.", "", ""},
	{"output", "slices", "`slices/`: planes, in 3D.", "", ""},
	{"output", "boxes", "`boxes/`: parts of the domain.", "", ""},
	{"output", "checkpoint", "`checkpoint/`: the state to go on from.", "", "five a run"},
	{"output", "statistics", "The window of means and frequencies.", "", ""},
	{"output", "plots", "Pictures and `report.html` at the end.", "", ""},
}

// The keys of outputs are alike.
func init() {
	add := func(table string, texts ...keyText) {
		for _, text := range texts {
			text.table = table
			keyTexts = append(keyTexts, text)
		}
	}
	every := keyText{name: "every", means: "The interval."}
	asForces := keyText{name: "every", means: "The interval; 0: none.", def: "as forces where a body moves, else none"}
	name := func(kind string) keyText {
		return keyText{name: "name", means: "Unique among its kind.", def: kind + "N"}
	}
	at := func(means string) keyText { return keyText{name: "at", means: means} }
	corners := []keyText{{name: "min", means: "The lower corner."}, {name: "max", means: "The upper corner."}}
	across := keyText{name: "axis", means: "The axis that it lies across."}
	add("output.forces", every)
	add("output.bodies", asForces)
	add("output.cells", keyText{name: "every", means: every.means, def: "as forces; 0.5 of a suspension"})
	add("output.filaments", keyText{name: "every", means: every.means, def: "as forces"})
	add("output.sheets", keyText{name: "every", means: every.means, def: "as forces"})
	add("output.suspension", every, keyText{name: "profile", means: "Also `suspension_profile.csv`: layers across an axis, or by the distance from the axis of a round tube."})
	add("output.probes", name("probe"), at("The place."), every)
	add("output.lines", name("line"), keyText{name: "from", means: "The first point."}, keyText{name: "to", means: "The last point."}, keyText{name: "points", means: "Points along it, both ends included."}, every)
	add("output.sections", name("section"), across, at("Where on that axis."), every)
	add("output.flow", every)
	add("output.ports", every)
	add("output.wall", every, keyText{name: "from", means: "From when on means are taken.", def: "no means"}, keyText{name: "sample", means: "The interval of their samples.", def: "every/20"})
	add("output.surfaces", every)
	add("output.means", keyText{name: "from", means: "When averaging begins."}, every)
	add("output.fields", keyText{name: "every", means: "The interval; 0: none."}, keyText{name: "quantities", means: "What fields, slices and boxes hold."},
		keyText{name: "format", means: "On all nodes of the finest grid, or on the cells of each grid."})
	add("output.slices", name("slice"), across, at("Where on that axis."), every)
	add("output.boxes", append([]keyText{name("box")}, append(corners, every)...)...)
	add("output.checkpoint", keyText{name: "every", means: "The interval; 0: none.", def: "a fifth of run.time"}, keyText{name: "keep", means: "The latest that stay."})
	add("output.statistics", keyText{name: "from", means: "When the window begins.", def: "\"auto\", found by itself"})
}
