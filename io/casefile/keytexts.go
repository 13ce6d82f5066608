package casefile

// keyTexts are what the keys of a case file mean, in the order of the reference: a text for each key that
// the reader knows, and none for others, which a test holds.
var keyTexts = []keyText{
	{"", "title", "A line that reports and pictures show.", "", "the file's name"},
	{"", "reference", "The scales L, U and ν.", "", ""},
	{"", "constants", "Names for expressions, each a number or an expression of `Re`.", "", ""},
	{"", "domain", "The lattice, what drives the flow, its initial state and its faces.", "", ""},
	{"", "port", "Openings where a vessel is cut, through which fluid flows in and out.", "", ""},
	{"", "fluid", "How the fluid is computed.", "", "its defaults"},
	{"", "ib", "How bodies are coupled to the fluid.", "", "its defaults"},
	{"", "solid", "Nodes that are walls.", "", ""},
	{"", "body", "Immersed bodies.", "", ""},
	{"", "refine", "Finer nodes in a part of the domain.", "", ""},
	{"", "suspension", "Particles or cells, as many as fill the fluid to a haematocrit.", "", ""},
	{"", "run", "How long the case runs, and where it is computed.", "", ""},
	{"", "output", "What is written, and how often.", "", "its defaults"},

	{"constants", "NAME", "Letters, digits and `_`; not the name of a function, of a unit, or `t`, `x`, `y`, `z`.", "", "none"},

	{"reference", "resolution", "Lattice nodes per reference length L. Changing it alone refines a case.", "nodes", ""},
	{"reference", "velocity", "The lattice velocity that stands for U: the Mach number is √3 times it and at most 0.3; 0.1 is usual.", "lattice units", ""},
	{"reference", "reynolds", "U L/ν.", "", "or viscosity"},
	{"reference", "viscosity", "The fluid's kinematic viscosity; beside `density` a dynamic one with its unit will do.", "", "or reynolds"},
	{"reference", "length", "L in SI, for quantities with units and results in SI. A plain number is in metres.", "m", ""},
	{"reference", "speed", "U in SI. A plain number is in m/s.", "m/s", "or time"},
	{"reference", "time", "L/U in SI, in place of `speed`. A plain number is in seconds.", "s", "or speed"},
	{"reference", "density", "The fluid's density in SI, for what has a mass. A plain number is in kg/m³.", "kg/m³", ""},

	{"domain", "lattice", "The plane lattice D2Q9 or the spatial D3Q19.", "", ""},
	{"domain", "size", "Extent along each axis: round(size · resolution) nodes, each in the middle of a cell. Not with `vessel`.", "", ""},
	{"domain", "origin", "The lower corner.", "", ""},
	{"domain", "force", "A body force per mass on all fluid; it acts as a pressure gradient −∂p/∂x / ρ.", "", ""},
	{"domain", "flow", "A flow rate that is held in a periodic channel. The force that it takes is found, in place of `force`.", "", ""},
	{"domain", "follow", "The domain moves along with a free body, by whole nodes.", "", ""},
	{"domain", "gravity", "Acts on free bodies, by the difference between their density and that of the fluid.", "", ""},
	{"domain", "initial", "The state at t = 0.", "", "at rest"},
	{"domain", "boundary", "The faces of the domain; a pair that is not given is periodic.", "", "periodic"},
	{"domain", "vessel", "The fluid is inside a surface, or inside a region of an image of voxels; D3Q19 only.", "", ""},

	{"domain.flow", "axis", "The axis along which the fluid flows; its faces are periodic.", "", ""},
	{"domain.flow", "speed", "The mean speed over the cross-section of the fluid.", "", "or flow_rate"},
	{"domain.flow", "flow_rate", "The flow rate through the cross-section.", "", "or speed"},

	{"domain.follow", "body", "The name of the body, which moves freely.", "", "the only free body"},
	{"domain.follow", "axis", "The axis along which the domain moves.", "", "that of domain.gravity"},

	{"domain.initial", "type", "The kind of initial state.", "", ""},
	{"domain.initial", "velocity", "The velocity of the stream; with `couette` that at the top, with `poiseuille` that in the middle, with the others one that is added. Required with `uniform`; by default [1, 0] with `couette` and `poiseuille`, else 0.", "", "as told"},
	{"domain.initial", "bottom", "With `couette`: the velocity at the bottom.", "", "[0, 0]"},
	{"domain.initial", "amplitude", "The velocity amplitude of the shear or of the vortices.", "", ""},
	{"domain.initial", "wavenumber", "The number of whole periods in the domain.", "", ""},
	{"domain.initial", "path", "A field file (`.vtkhdf`) of an earlier run on as many nodes.", "", ""},

	{"domain.boundary", "left", "The face at the smallest x.", "", "periodic"},
	{"domain.boundary", "right", "The face at the largest x.", "", "periodic"},
	{"domain.boundary", "bottom", "The face at the smallest y.", "", "periodic"},
	{"domain.boundary", "top", "The face at the largest y.", "", "periodic"},
	{"domain.boundary", "front", "The face at the smallest z, in 3D.", "", "periodic"},
	{"domain.boundary", "back", "The face at the largest z, in 3D.", "", "periodic"},

	{"domain.boundary.FACE", "type", "What the face does: see [the case file](case-file.md#domainboundary).", "", ""},
	{"domain.boundary.FACE", "value", "The velocity of the wall, in its plane, or of the fluid that enters.", "", "required of a wall, and without profile"},
	{"domain.boundary.FACE", "profile", "How the velocity is distributed over the face: uniform, a parabola, an expression of the place in L for the velocity into the domain in U, or a table.", "", ""},
	{"domain.boundary.FACE", "peak", "The velocity in the middle of the parabola, into the domain.", "", "required with \"parabolic\""},
	{"domain.boundary.FACE", "density", "The density at a pressure face, over the reference density: p = (density − 1)/(3 velocity²) in ρU².", "", ""},
	{"domain.boundary.FACE", "ramp", "The time over which it rises smoothly from 0.", "", ""},
	{"domain.boundary.FACE", "period", "The period of an oscillation: multiplies by sin(2πt/period + phase).", "", ""},
	{"domain.boundary.FACE", "phase", "The phase of that sine.", "radians", ""},
	{"domain.boundary.FACE", "factor", "Multiplies the velocity, or density − 1.", "", ""},
	{"domain.boundary.FACE", "table", "A CSV file with the header `t,factor`: a factor over time, linear between rows.", "", ""},
	{"domain.boundary.FACE", "repeat", "The table begins again after its last row.", "", ""},
	{"domain.boundary.FACE.profile", "file", "A CSV file of places along the face and velocities there.", "", ""},
	{"domain.boundary.FACE.profile", "length", "The unit of the places in the file: a length, or a number of L.", "", ""},
	{"domain.boundary.FACE.profile", "speed", "The unit of the velocities in the file: a speed, or a number of U.", "", ""},

	{"domain.vessel", "file", "A closed or open surface of triangles (`.stl`), or an image of voxels (`.nrrd`, `.nhdr`).", "", ""},
	{"domain.vessel", "scale", "The unit of the file: a length such as \"1 mm\", or a number of L.", "", ""},
	{"domain.vessel", "threshold", "For an image: the value of voxels at the wall.", "", "required of an image"},
	{"domain.vessel", "inside", "For an image: the side of the threshold on which the fluid is.", "", ""},

	{"port", "name", "Unique.", "", "portN"},
	{"port", "plane", "Where the port cuts the vessel.", "", ""},
	{"port", "type", "What is prescribed at the port.", "", ""},
	{"port", "speed", "The mean speed, positive into the vessel.", "", "or flow_rate, or flow"},
	{"port", "flow_rate", "The flow rate into the vessel.", "", "or speed, or flow"},
	{"port", "flow", "A file of the flow rate over time.", "", "or speed, or flow_rate"},
	{"port", "profile", "The velocity over the opening: a parabola along every ray from its middle, the developed flow of a pipe of that section, or uniform.", "", ""},
	{"port", "pressure", "The pressure above that at rest; with `windkessel`, the pressure behind the resistance.", "", ""},
	{"port", "resistance", "The resistance R in C dp/dt = Q − (p − pressure)/R.", "", ""},
	{"port", "capacitance", "The capacitance C in that equation.", "", ""},
	{"port", "factor", "A factor on what is prescribed.", "", ""},
	{"port", "ramp", "The time over which it rises smoothly from 0.", "", ""},
	{"port.plane", "point", "A point in the opening.", "", ""},
	{"port.plane", "normal", "A vector of any length that points into the fluid.", "", ""},
	{"port.flow", "file", "A CSV file with the header `t,flow_rate`, linear between rows.", "", ""},
	{"port.flow", "period", "The time after which the file begins again.", "", "never"},
	{"port.flow", "time", "The unit of the column t: a time, or a number of L/U.", "", ""},
	{"port.flow", "rate", "The unit of the column flow_rate: a flow rate, or a number of UL².", "", ""},

	{"fluid", "collision", "The collision operator. `lbmib check` advises.", "", ""},
	{"fluid", "magic", "The magic parameter Λ of `trt`. Where fluid enters through a face, the default is lower from a grid Reynolds number of 6.5 on.", "", "0.1875, or less"},
	{"fluid", "les", "A turbulence model.", "", ""},
	{"fluid", "precision", "The precision of the arithmetic and, after a slash, of the stored populations.", "", ""},
	{"fluid", "streaming", "One lattice that is updated in place, or two; the results are the same bits.", "", ""},
	{"fluid", "storage", "Whether all nodes of the box are stored, or only those of the fluid; the results are the same bits.", "", ""},
	{"fluid", "steps_per_sweep", "How many time steps one sweep over memory makes; the results are the same bits.", "", ""},
	{"fluid", "layout", "How populations lie in memory; the results are the same bits.", "", ""},
	{"fluid", "block", "Nodes per block of the layout soaos, a power of two.", "nodes", "auto"},
	{"fluid.les", "type", "The model.", "", ""},
	{"fluid.les", "constant", "Smagorinsky's constant, at most 1.", "", ""},
	{"fluid", "rheology", "A viscosity that falls as the rate of strain grows, as blood's.", "", "one viscosity"},
	{"fluid.rheology", "type", "The law: ν∞ + (ν₀ − ν∞)(1 + (λ|S|)^a)^((n − 1)/a), ν∞ being `reference.viscosity`.", "", ""},
	{"fluid.rheology", "zero_viscosity", "ν₀, of fluid at rest; beside `density` a dynamic one with its unit will do.", "", ""},
	{"fluid.rheology", "time", "The time λ of the law.", "", ""},
	{"fluid.rheology", "exponent", "The exponent n of the law, at most 1.", "", ""},
	{"fluid.rheology", "transition", "The exponent a of the law; 2 is Carreau's.", "", ""},

	{"ib", "delta", "The regularised delta by which markers and nodes exchange values.", "", ""},
	{"ib", "forcing", "Direct forcing once a step with Pinelli's weights, or in several rounds until the slip is small.", "", ""},
	{"ib", "iterations", "The largest number of rounds of `multidirect`.", "", ""},
	{"ib", "tolerance", "The slip, over U, at which the rounds end.", "", ""},
	{"ib", "correction", "Corrects for the smearing by the delta, so that the flow meets the wall where it is drawn, and elastic bodies slide along each other as they should.", "", ""},
	{"ib", "retraction", "The distance by which markers are set back from the surface instead; correction is \"none\" then.", "nodes", ""},
	{"ib", "inside", "The fluid inside bodies: left to itself, or made to move with the body.", "", ""},
	{"ib", "spread", "How forces are spread from markers to nodes.", "", ""},
	{"ib", "contact", "Repulsion that keeps surfaces apart.", "", "its defaults"},
	{"ib.contact", "distance", "The distance between surfaces below which they repel each other, at most 20; 0: no repulsion.", "nodes", ""},
	{"ib.contact", "stiffness", "A factor on the default force.", "", ""},

	{"solid", "name", "Unique.", "", "solidN"},
	{"solid", "shape", "A shape with an inside.", "", ""},
	{"solid", "fluid", "The side of the surface where the fluid is: \"inside\" makes a tube or a box.", "", ""},

	{"body", "name", "Unique; becomes part of file names.", "", "bodyN"},
	{"body", "shape", "The shape at t = 0.", "", ""},
	{"body", "motion", "How it moves.", "", "fixed"},
	{"body", "fluid", "The side of the surface whose flow counts; for shapes without an inside \"both\".", "", ""},
	{"body", "spacing", "The distance between markers, 0.3 to 2.", "nodes", ""},
	{"body", "array", "Copies of the body, named `NAME-0`, `NAME-1` and so on.", "", ""},
	{"body.array", "count", "The number of copies along each axis.", "", ""},
	{"body.array", "step", "The distance between copies along each axis.", "", ""},

	{"shape", "type", "The kind of shape.", "", ""},
	{"shape", "center", "The centre; for an STL file, where its centroid goes. Shapes of suspended cells have none.", "", "required; of an STL file as in the file"},
	{"shape", "diameter", "The diameter of a circle, a sphere, a cylinder or a red cell.", "", ""},
	{"shape", "axes", "The full axes of an ellipse or an ellipsoid.", "", ""},
	{"shape", "points", "The corners, in L. A polygon closes by itself, a line is open.", "L", ""},
	{"shape", "digits", "The four digits of a NACA profile, in quotes.", "", ""},
	{"shape", "chord", "The chord of the profile.", "", ""},
	{"shape", "length", "The length of a cylinder, or of a rectangle along x.", "", ""},
	{"shape", "width", "The width of a rectangle, along y.", "", ""},
	{"shape", "direction", "The direction of a cylinder's axis.", "", ""},
	{"shape", "caps", "Whether a cylinder has caps; false: an open tube.", "", ""},
	{"shape", "file", "An STL file, in text or binary.", "", ""},
	{"shape", "scale", "The unit of the file: a length such as \"1 mm\", or a number of L.", "", ""},
	{"shape", "open", "Takes a surface that is not watertight.", "", ""},
	{"shape", "thickness", "The thickness of the shell that is made of an open surface, half of it on either side.", "L", ""},
	{"shape", "min", "The lower corner of a box.", "", ""},
	{"shape", "max", "The upper corner of a box.", "", ""},
	{"shape", "of", "The parts of a union.", "", ""},
	{"shape", "angle", "The angle by which the shape is turned, anticlockwise.", "degrees", ""},
	{"shape", "axis", "The axis about which it is turned, in 3D.", "", ""},

	{"body.motion", "type", "Fixed, prescribed, free (moved by the flow), or elastic.", "", "\"fixed\" without a table"},
	{"body.motion", "displacement", "The displacement from where the shape is drawn.", "", "or velocity, or amplitude"},
	{"body.motion", "velocity", "The velocity. Prescribed: integrated from t = 0. Free: at the release.", "", "free: 0"},
	{"body.motion", "amplitude", "The amplitude of the displacement amplitude · sin(2π frequency t + phase).", "", "or displacement, or velocity"},
	{"body.motion", "frequency", "The frequency of `amplitude` and `swing`.", "", "required beside these"},
	{"body.motion", "phase", "The phase of `amplitude`.", "radians", ""},
	{"body.motion", "angle", "The angle by which the body is turned from how it is drawn.", "radians", "or spin, or swing"},
	{"body.motion", "spin", "The angular velocity. Prescribed: integrated from t = 0. Free: at the release, in 3D a vector.", "radians per L/U", "free: 0"},
	{"body.motion", "swing", "The amplitude of the angle swing · sin(2π frequency t + swing_phase).", "degrees", "or angle, or spin"},
	{"body.motion", "swing_phase", "The phase of `swing`.", "radians", ""},
	{"body.motion", "axis", "The axis of rotation, in 3D.", "", ""},
	{"body.motion", "pivot", "The point about which the body turns; it moves with the translation.", "", "the centre"},
	{"body.motion", "density", "The density of the body over that of the fluid.", "ρ", ""},
	{"body.motion", "release", "The time until which the body is held.", "", ""},
	{"body.motion", "fix", "Directions in which the body is held for good.", "", ""},
	{"body.motion", "inertia", "Moment of inertia about the centre.", "ρL^(d+2)", "the shape's"},
	{"body.motion", "spring", "A spring to the place where the body is drawn: force per displacement.", "ρU²L^(d−2)", ""},
	{"body.motion", "damper", "A damper: force per velocity.", "ρUL^(d−1)", ""},
	{"body.motion", "spring_rotation", "A torsion spring: torque per radian.", "ρU²L^d", ""},
	{"body.motion", "damper_rotation", "A rotational damper: torque per angular velocity.", "ρUL^(d+1)", ""},
	{"body.motion", "law", "The strain law of a surface; \"beam\" of a line, \"plate\" of a rectangle.", "", "\"skalak\"; of lines and rectangles theirs"},
	{"body.motion", "shear", "The shear modulus: G_s of a surface, G h of a plate.", "", "required, or capillary; of a plate E h/(2 (1 + ν))"},
	{"body.motion", "capillary", "The capillary number μγ̇a/G_s in place of `shear`: a number, or a table.", "", "or shear"},
	{"body.motion", "area", "The constant C of Skalak's law.", "", ""},
	{"body.motion", "poisson", "Poisson's ratio of a surface with law hooke, or of the bending of a plate.", "", "1/3; of a plate 0.3"},
	{"body.motion", "bending", "The bending stiffness: κ of a surface, E I of a beam (ρU²L^(d+1)), D of a plate.", "", "0; required of beams and plates"},
	{"body.motion", "bending_model", "How bending of a surface in 3D is computed.", "", ""},
	{"body.motion", "curvature", "The curvature that is free of bending; in 3D the mean curvature, positive for a sphere.", "", ""},
	{"body.motion", "area_penalty", "k_A in the energy k_A (A − A₀)²/(2 A₀).", "", ""},
	{"body.motion", "volume_penalty", "k_V in the energy k_V (V − V₀)²/(2 V₀).", "", ""},
	{"body.motion", "shear_viscosity", "The viscosity of the membrane.", "", ""},
	{"body.motion", "prestress", "The length of every edge as drawn over its length free of stress.", "", ""},
	{"body.motion", "viscosity_ratio", "The viscosity of the fluid inside over that outside.", "", ""},
	{"body.motion", "mesh", "The number of vertices, about.", "", "edges of about a node"},
	{"body.motion", "loads", "External forces on the ends of a surface.", "", ""},
	{"body.motion", "mass", "The mass: of a line per length, of a plate per area (ρL).", "", ""},
	{"body.motion", "stretching", "The stretching stiffness: E A of a line, E h of a plate (ρU²L).", "", "a line keeps its length; required of a plate"},
	{"body.motion", "thickness", "The thickness of a line in 2D, which the fluid feels at both faces.", "", ""},
	{"body.motion", "bending_damping", "The damping of bending in a line's material: moment over rate of curvature.", "ρUL^(d+2)", ""},
	{"body.motion", "stretching_damping", "The damping of stretching in the material: tension over rate of strain.", "of a line ρUL^d, of a plate ρUL²", ""},
	{"body.motion", "rest", "The shape free of bending: straight, or as drawn.", "", ""},
	{"body.motion", "hold", "How ends or edges are held.", "", "all free"},
	{"body.motion.capillary", "shear", "The capillary number μγ̇a/G_s, by the shear modulus.", "", "or young"},
	{"body.motion.capillary", "young", "The capillary number μγ̇a/E_s, by Young's modulus.", "", "or shear"},
	{"body.motion.capillary", "rate", "The shear rate γ̇.", "", ""},
	{"body.motion.loads", "at", "The end of the body that is loaded, as it is drawn.", "", ""},
	{"body.motion.loads", "part", "The part of all vertices that is loaded: those farthest out.", "", ""},
	{"body.motion.loads", "force", "The force on all of them together.", "", ""},
	{"body.motion.loads", "ramp", "The time over which it rises smoothly from 0.", "", ""},
	{"body.motion.hold", "start", "How the first point of a line is held; a table where a body holds it.", "", ""},
	{"body.motion.hold", "end", "How the last point of a line is held; a table where a body holds it.", "", ""},
	{"body.motion.hold", "left", "How the edge of a plate is held where its length begins.", "", ""},
	{"body.motion.hold", "right", "How the edge is held where it ends.", "", ""},
	{"body.motion.hold", "bottom", "How the edge of a plate is held where its width begins.", "", ""},
	{"body.motion.hold", "top", "How the edge is held where it ends.", "", ""},
	{"body.motion.hold.END", "type", "How the end is held.", "", ""},
	{"body.motion.hold.END", "body", "The name of the rigid body that holds it; one that is free is pulled by it.", "", "held where it is drawn"},

	{"refine", "around", "The name of a body.", "", "or box"},
	{"refine", "box", "A box in L.", "", "or around"},
	{"refine", "margin", "How far the finer nodes reach beyond it: one number, or one for each face.", "", "1 around a body, 0 of a box"},
	{"refine", "level", "How many times the spacing of nodes is halved.", "", ""},
	{"refine.box", "min", "The lower corner.", "", ""},
	{"refine.box", "max", "The upper corner.", "", ""},

	{"suspension", "model", "Rigid ellipsoids, each coupled at one point, or elastic cells.", "", ""},
	{"suspension", "name", "Cells are named NAME-0, NAME-1, …; a second table needs a name of its own.", "", "\"cell\""},
	{"suspension", "hematocrit", "The share of the fluid's volume that they fill; at most 0.5 for ellipsoids, 0.6 for cells.", "", "required; of cells, or discharge_hematocrit"},
	{"suspension", "discharge_hematocrit", "The haematocrit of the volume that flows, in round tubes.", "", "or hematocrit"},
	{"suspension", "seed", "The seed of random places and directions.", "", ""},
	{"suspension", "semi_axes", "The semi-axes of an ellipsoid of revolution, the first two alike.", "", ""},
	{"suspension", "density", "The density of the particles over that of the fluid.", "ρ", ""},
	{"suspension", "strength", "The energy of repulsion of two that touch.", "", ""},
	{"suspension", "ratio", "That energy side by side over the energy end to end.", "", ""},
	{"suspension", "friction", "Drag and torque over those of a sphere of the same volume.", "", ""},
	{"suspension", "shape", "The shape of a cell, without `center`: \"rbc\", \"sphere\" or \"ellipsoid\".", "", ""},
	{"suspension", "material", "The membrane of cells, with the keys of an elastic `body.motion` except `type` and `loads`.", "", ""},
	{"suspension", "region", "A box in L in which cells are packed.", "", "all of the fluid"},
	{"suspension", "feed", "In a vessel: the share of what flows in at velocity ports, with which cells enter; at most 0.4, 0: none.", "", "as hematocrit"},
	{"suspension.region", "min", "The lower corner.", "", ""},
	{"suspension.region", "max", "The upper corner.", "", ""},

	{"run", "time", "The duration.", "", "or steps"},
	{"run", "steps", "The duration in time steps.", "steps", "or time"},
	{"run", "stop_when", "Ends a run early.", "", "never"},
	{"run", "soft_start", "The time over which the surfaces of fixed and prescribed bodies pass from the velocity of the initial flow to their own.", "", ""},
	{"run", "backend", "Where the case is computed: the CPU, a GPU, or both.", "", ""},
	{"run", "threads", "The number of threads; 0: all cores. The results are the same bits.", "", ""},
	{"run", "parts", "The number of boxes that the grid is divided into. The results are the same bits.", "", ""},
	{"run", "seed", "The seed of random numbers.", "", ""},
	{"run.stop_when", "steady", "Stops when |∂u/∂t| is below it everywhere.", "U²/L", ""},
	{"run.stop_when", "cd_interval", "Stops when the 95 % confidence interval of the mean drag is ± this share of it.", "", ""},
	{"run.stop_when", "body", "The body whose drag is meant.", "", "the only one"},

	{"output", "directory", "The directory of the results, below the working directory.", "", "CASE.out"},
	{"output", "forces", "`forces.csv`: force, torque and coefficients of every body.", "", "its defaults"},
	{"output", "bodies", "`bodies.csv`: place, velocity, angle and spin of bodies.", "", "where a body moves"},
	{"output", "cells", "`cells.csv`: place, deformation and energy of elastic surfaces.", "", "where a body is elastic"},
	{"output", "filaments", "`filaments.csv`: lines that bend.", "", "where a line bends"},
	{"output", "sheets", "`sheets.csv`: sheets that bend.", "", "where there is a sheet"},
	{"output", "suspension", "`suspension.csv`: means over particles or cells, and profiles.", "", "where there is one"},
	{"output", "probes", "`probes.csv`: density, velocity and pressure at points.", "", ""},
	{"output", "lines", "`lines/NAME.csv`: density, velocity and pressure along lines.", "", ""},
	{"output", "sections", "`sections.csv`: flow rate, mean velocity and pressure through planes from face to face.", "", ""},
	{"output", "flow", "`flow.csv`: the flow rate that is held and its force.", "", "where domain.flow is given"},
	{"output", "ports", "`ports.csv`: flow rate and pressure at ports.", "", "of a vessel"},
	{"output", "wall", "`wall/`: the shear stress on a vessel's wall.", "", ""},
	{"output", "surfaces", "`surfaces/`: traction, C_p and C_f on rigid bodies; in the plane also `pressure.csv`.", "", ""},
	{"output", "means", "`fields/means.vtkhdf`: means and variances.", "", ""},
	{"output", "fields", "`fields/`: whole fields for ParaView.", "", ""},
	{"output", "slices", "`slices/`: planes, in 3D.", "", ""},
	{"output", "boxes", "`boxes/`: parts of the domain.", "", ""},
	{"output", "checkpoint", "`checkpoint/`: the state from which a run is resumed.", "", "five a run"},
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
	across := keyText{name: "axis", means: "The axis that it is perpendicular to."}
	add("output.forces", every)
	add("output.bodies", asForces)
	add("output.cells", keyText{name: "every", means: every.means, def: "as forces; 0.5 for a suspension"})
	add("output.filaments", keyText{name: "every", means: every.means, def: "as forces"})
	add("output.sheets", keyText{name: "every", means: every.means, def: "as forces"})
	add("output.suspension", every, keyText{name: "profile", means: "Also `suspension_profile.csv`: layers across an axis, or by the distance from the axis of a round tube."})
	add("output.probes", name("probe"), at("The place."), every)
	add("output.lines", name("line"), keyText{name: "from", means: "The first point."}, keyText{name: "to", means: "The last point."}, keyText{name: "points", means: "Points along it, both ends included."}, every)
	add("output.sections", name("section"), across, at("The coordinate on that axis."), every)
	add("output.flow", every)
	add("output.ports", every)
	add("output.wall", every, keyText{name: "from", means: "The time from which means are taken.", def: "no means"}, keyText{name: "sample", means: "The interval between their samples.", def: "every/20"})
	add("output.surfaces", every)
	add("output.means", keyText{name: "from", means: "The time at which averaging begins."}, every)
	add("output.fields", keyText{name: "every", means: "The interval; 0: none."}, keyText{name: "quantities", means: "The quantities of fields, slices and boxes."},
		keyText{name: "format", means: "Whether fields are on all nodes of the finest grid, or on the cells of each grid."})
	add("output.slices", name("slice"), across, at("The coordinate on that axis."), every)
	add("output.boxes", append([]keyText{name("box")}, append(corners, every)...)...)
	add("output.checkpoint", keyText{name: "every", means: "The interval; 0: none.", def: "a fifth of run.time"}, keyText{name: "keep", means: "How many of the latest are kept."})
	add("output.statistics", keyText{name: "from", means: "The time at which the window begins.", def: "\"auto\": found from the history"})
}
