package reference

import (
	"fmt"
	"math"
	"testing"
)

// width is how wide a gate may be, told apart from gates.csv, so that neither is widened alone.
type width struct {
	group, quantity string
	low, high       float64
	reference       float64 // NaN where low and high are published
	of              string  // the source that promises it, or what of our own it holds
}

// between is a published interval, or one of our own.
func between(group, quantity string, low, high float64, of string) width {
	return width{group, quantity, low, high, math.NaN(), of}
}

// about is a share of a published value on both sides of it.
func about(group, quantity string, reference, share float64, of string) width {
	d := math.Abs(share * reference)
	return width{group, quantity, reference - d, reference + d, reference, of}
}

// upTo is an error whose reference is zero.
func upTo(group, quantity string, high float64, of string) width {
	return width{group, quantity, 0, high, 0, of}
}

// What a width is of, where it is of no published tolerance.
const (
	rounding = "rounding: holds an identity"
	exact    = "an exact solution; the share is what the method promises on these nodes"
	order    = "order of convergence: ours"
	sharp    = "a sharp boundary in the same domain, how far it has converged"
	symmetry = "an invariance: ours"
	trend    = "a trend: published widths are for 256³"
	gain     = "what nested grids are to bring: ours"
	balance  = "what is lost at ports and walls, a thousandth of the flow: ours"
	torus    = "the equations in a torus, without a lattice; the share is what the method promises on these nodes"
	network  = "resistances of round tubes; the share is what the fork itself may be"
)

// Published sources, and what they promise.
const (
	spanned    = "what the literature spans at a blockage below 2.5 %"
	marchi     = "Marchi et al. (2009), converged: ±1 %"
	botella    = "Botella & Peyret (1998), converged: ±1 %"
	biharmonic = "converged finite differences: ±1 %"
	turek      = "Schäfer & Turek (1996), interval"
	nabh       = "Nabh (1998); Schäfer & Turek (1996), interval"
	featFlow   = "FeatFlow, finest; Schäfer & Turek (1996), interval"
	john       = "John (2004); Schäfer & Turek (1996), interval"
	leonard    = "Koumoutsakos & Leonard (1995), digitised: ±3 % at Re = 40, ±5 % at 550"
	coutanceau = "Coutanceau & Bouard (1977), measured and digitised: ±5 %"
	dutsch     = "Dütsch et al. (1998), what repetitions span"
	measured   = "Dütsch et al. (1998), measured: 0.04 Um (rms)"
	sangani    = "Sangani & Acrivos (1982): ±2 % to c = 0.3, ±5 % at 0.5"
	zick       = "Zick & Homsy (1982): ±2 % to c = 0.064, ±4 % above"
	glass      = "Pries et al. (1992), fits to measurements, recalled; the share is ours"
	jeffery    = "Jeffery (1922), exact; the share is ours"
	cate       = "ten Cate et al. (2002), measured: ±2 % (E1), ±1.5 % (E4)"
	brenner    = "Brenner (1961), series: ±2 % to a gap of two nodes"
	johnson    = "Johnson & Patel (1999), digitised: ±2 %"
)

// widths are those of all gates, in the order of gates.csv.
func widths() (all []width) {
	for _, w := range []struct {
		quantity string
		high     float64
	}{
		{"deltas: largest |Σφ − 1|", 1e-14},
		{"deltas but cosine4: largest |Σ(x−j)φ|", 1e-13},
		{"m4prime: largest |Σ(x−j)²φ|", 1e-13},
		{"roma3: largest |Σφ² − 1/2|", 1e-14},
		{"peskin4, cosine4: largest |Σφ² − 3/8|", 1e-14},
		{"ib6: largest |Σφ² − 0.325778|", 1e-14},
		{"transfers: adjointness, relative", 1e-14},
		{"transfers: total force, relative", 1e-14},
		{"transfers: strategies against serial, relative", 1e-14},
		{"Pinelli's weights: slip left of a uniform one", 1e-10},
		{"correction against a forced collision, per population", 1e-15},
	} {
		all = append(all, upTo("kernels", w.quantity, w.high, rounding))
	}
	all = append(all, membraneWidths()...)
	all = append(all, capsuleWidths()...)
	all = append(all, filamentWidths()...)
	all = append(all, channelWidths()...)
	all = append(all, cavityWidths()...)
	all = append(all, vortexWidths()...)
	all = append(all, cylinderWidths()...)
	all = append(all, channelCylinderWidths()...)
	all = append(all, levelWidths()...)
	return append(all, bodyWidths()...)
}

// levelWidths are those of flows on nested grids: of one grid where there is one.
func levelWidths() []width {
	const one = "one grid of the finest nodes"
	const pressure = 0.2 * 0.2 // ρU² of 2D-1, by which its pressures are divided
	all := []width{
		between("levels", "2D-1 drag, D = 20, two levels", 5.57, 5.59, nabh),
		between("levels", "2D-1 lift, D = 20, two levels", 0.0104, 0.0110, nabh),
		between("levels", "2D-1 pressure drop over ρU², D = 20, two levels", 0.1172/pressure, 0.1176/pressure, nabh),
		between("levels", "2D-1 drag, D = 40, three levels", 5.57, 5.59, nabh),
		between("levels", "2D-1 lift, D = 40, three levels", 0.0104, 0.0110, nabh),
		between("levels", "2D-1 pressure drop over ρU², D = 40, three levels", 0.1172/pressure, 0.1176/pressure, nabh),
		between("levels", "2D-1 recirculation, D = 40, three levels", 0.842, 0.852, turek),
		about("levels", "2D-2 lift, peak to peak, D = 40, three levels", 2.007871, 0.02, "FeatFlow, finest: ±2 %"),
		between("levels", "2D-2 Strouhal number, D = 40, three levels", 0.301841*0.985, 0.305, featFlow),
		between("levels", "2D-2 largest drag, D = 80, four levels", 3.22, 3.24, featFlow),
		between("levels", "2D-2 largest lift, D = 80, four levels", 0.98, 1.01, featFlow), // the finest series is 0.987
		between("levels", "2D-2 pressure drop half a period after the largest lift, D = 80, four levels", 2.46, 2.50, turek),
		between("levels", "3D-1Z drag, D = 20, two levels", 6.18533*0.985, 6.25, "Braack & Richter (2006); Schäfer & Turek (1996), interval above"),
		between("levels", "DFG: updates of one grid over those of levels, the least", 5, 20, gain),
		about("levels", "sphere: drag on three levels over one grid's, Re = 100, D = 12", 1, 0.01, one),
		about("levels", "sphere: drag, Re = 100, D = 24, four levels", 1.102, 0.02, johnson),
		about("levels", "sphere: drag on three levels over one grid's, Re = 300, D = 12", 1, 0.01, one),
		about("levels", "sphere: drag, Re = 300, D = 24, three levels", 0.656, 0.02, johnson),
		between("levels", "spheres in 20 D × 16 D × 16 D: updates of one grid over those of levels, the least", 20, 1000, gain),
		about("levels", "settling: largest speed on two levels over one grid's, E1", 1, 0.003, one),
		about("levels", "settling: largest speed over U, E4, two levels", 0.955, 0.015, cate),
	}
	for _, quantity := range []string{"drag on three levels over one grid's, Re = 20", "recirculation on three levels over one grid's, Re = 20",
		"drag on three levels over one grid's, Re = 40", "recirculation on three levels over one grid's, Re = 40",
		"mean drag on three levels over one grid's, Re = 100", "lift amplitude on three levels over one grid's, Re = 100", "Strouhal number on three levels over one grid's, Re = 100"} {
		all = append(all, about("levels", quantity, 1, 0.003, one))
	}
	return all
}

func membraneWidths() []width {
	const linear = "Barthès-Biesel"
	all := []width{
		upTo("membrane", "laws: largest relative error of the tension", 1e-6, exact),
		upTo("membrane", "net force over the sum of magnitudes, all laws and bending models", 1e-12, rounding),
		upTo("membrane", "net torque over the sum of magnitudes and radii, all laws and bending models", 1e-12, rounding),
		about("membrane", "bending energy of a sphere over 8πκ, 642 vertices", 1, 0.005, exact),
	}
	for name, slope := range map[string]float64{"neo-Hookean": 2.083333, "Skalak C = 0": 2.5, "Skalak C = 1": 2.083333, "Skalak C = 10": 1.904762} {
		all = append(all, about("capsule", "D/Ca at Ca = 0.01, "+name+", radii of 6, 8 and 10 nodes extrapolated", slope, 0.02, linear))
	}
	const tweezers = "error bars of Mills et al. (2004)"
	all = append(all, upTo("stretching", "largest change of a diameter over the last quarter of a run, relative", 0.01, "a tenth of the error bars"))
	for quantity, of := range map[string][2]float64{
		"axial diameter at 15.96 pN, µm":      {8.352, 10.1},
		"axial diameter at 19.51 pN, µm":      {8.701, 10.45},
		"axial diameter at 30.61 pN, µm":      {9.625, 11.39},
		"axial diameter at 37.98 pN, µm":      {10.08, 12.29},
		"axial diameter at 46.61 pN, µm":      {10.82, 12.97},
		"axial diameter at 67.62 pN, µm":      {11.88, 13.87},
		"axial diameter at 87.6 pN, µm":       {12.58, 14.98},
		"axial diameter at 108.8 pN, µm":      {12.87, 15.82},
		"axial diameter at 130 pN, µm":        {13.89, 16.62},
		"axial diameter at 151 pN, µm":        {14.43, 16.87},
		"axial diameter at 172.8 pN, µm":      {14.26, 17.88},
		"axial diameter at 193 pN, µm":        {14.49, 18.02},
		"transverse diameter at 15.96 pN, µm": {5.581, 6.813},
		"transverse diameter at 19.51 pN, µm": {5.643, 6.915},
		"transverse diameter at 30.61 pN, µm": {5.13, 6.32},
		"transverse diameter at 37.98 pN, µm": {4.822, 5.992},
		"transverse diameter at 46.61 pN, µm": {4.288, 5.828},
		"transverse diameter at 67.62 pN, µm": {3.939, 5.356},
		"transverse diameter at 87.6 pN, µm":  {4.001, 5.273},
		"transverse diameter at 108.8 pN, µm": {3.98, 5.232},
		"transverse diameter at 130 pN, µm":   {3.878, 5.191},
		"transverse diameter at 151 pN, µm":   {3.775, 4.986},
		"transverse diameter at 172.8 pN, µm": {4.083, 5.048},
		"transverse diameter at 193 pN, µm":   {3.755, 4.945},
	} {
		all = append(all, between("stretching", quantity, of[0], of[1], tweezers))
	}
	const theory = "linear theory of a stretched circle in an unbounded fluid"
	all = append(all,
		about("ring", "D T/(μγ̇a) of a stretched circle, radii of 8 and 16 nodes extrapolated", 1, 0.02, theory),
		about("ring", "D (T + 3κ/a²)/(μγ̇a) of one that bends, radii of 6 and 12 nodes extrapolated", 1, 0.02, theory),
		about("ring", "an ellipse becomes a circle: rate over T/(2μa), radius of 10 nodes", 1, 0.03, theory),
		upTo("ring", "an ellipse becomes a circle: drift of the enclosed area", 0.002, exact))
	return all
}

// capsuleWidths are those of capsules at finite capillary numbers.
func capsuleWidths() (all []width) {
	const integral, pozrikidis = "a boundary integral of this project: ±3 % asked for, ±5 % of Skalak's law", "Ramanujan & Pozrikidis (1998), digitised: ±3 %"
	for _, c := range []struct {
		name, until string
		share       float64
		published   bool
	}{
		{"neo-Hookean, Ca = 0.075", "1.5", 0.03, false}, {"neo-Hookean, Ca = 0.15", "2.5", 0.03, true},
		{"neo-Hookean, Ca = 0.3", "2.5", 0.03, true}, {"neo-Hookean, Ca = 0.6", "3", 0.03, true},
		{"Skalak C = 1, Ca = 0.15", "1.75", 0.05, false}, {"Skalak C = 1, Ca = 0.3", "2", 0.05, false}, {"Skalak C = 1, Ca = 0.6", "3", 0.05, false},
	} {
		all = append(all,
			about("capsule-shear", c.name+": D at γ̇t = "+c.until+" over a boundary integral's", 1, c.share, integral),
			upTo("capsule-shear", c.name+": D to γ̇t = "+c.until+", rms difference from a boundary integral over its last", c.share, integral))
		if c.published {
			all = append(all, about("capsule-shear", c.name+": D at γ̇t = "+c.until+" over Ramanujan & Pozrikidis's", 1, 0.03, pozrikidis))
		}
	}
	const lac = "Lac, Morel & Barthès-Biesel (2007), digitised: 1 % of both axes, ±0.02"
	return append(all,
		upTo("capsule-shear", "neo-Hookean, Ca = 0.15, radius of 5 nodes: drift of the volume to γ̇t = 10, run volume", 0.001, "incompressible: 0.1 % asked for"),
		upTo("capsule-shear", "neo-Hookean, Ca = 0.15, radius of 5 nodes: drift of the volume to γ̇t = 10, run volume-ib6", 0.001, "incompressible: 0.1 % asked for"),
		upTo("capsule-pair", "distance across the flow over 2a, extrapolated, rms difference", 0.02, lac),
		about("capsule-pair", "distance across the flow over 2a, extrapolated, 3 diameters behind", 0.5544, 0.02/0.5544, lac))
}

func filamentWidths() []width {
	const hron = "Turek & Hron (2006), FeatFlow level 4: ±2 % without a fluid; FSI1 drag ±3 %, lift ±5 %, u_y ±2 %; FSI3 frequency ±4 %, amplitude ±6 %"
	all := []width{
		about("filament", "cantilever: first frequency over Euler's and Bernoulli's", 1, 0.02, exact),
		about("filament", "cantilever: second frequency over Euler's and Bernoulli's", 1, 0.02, exact),
		about("filament", "hanging filament: first frequency over Bernoulli's", 1, 0.02, exact),
		upTo("filament", "hanging filament: largest relative error of the tension", 0.01, exact),
		about("filament", "CSM3: u_x of the tip, mean, mm", -14.305, 0.02, hron),
		about("filament", "CSM3: u_x of the tip, amplitude, mm", 14.305, 0.02, hron),
		about("filament", "CSM3: u_y of the tip, mean, mm", -63.607, 0.02, hron),
		about("filament", "CSM3: u_y of the tip, amplitude, mm", 65.16, 0.02, hron),
		about("filament", "CSM3: frequency, Hz", 1.0995, 0.02, hron),
		about("turek-hron", "FSI3 frequency, Hz, D56", 5.46, 0.04, hron),
		about("turek-hron", "FSI3 amplitude of u_y, mm, D56", 34.99, 0.06, hron),
	}
	for _, nodes := range []string{"D20", "D30"} {
		all = append(all,
			about("turek-hron", "FSI1 drag, N/m, "+nodes, 14.29426, 0.03, hron),
			about("turek-hron", "FSI1 lift, N/m, "+nodes, 0.763746, 0.05, hron),
			about("turek-hron", "FSI1 u_y of the tip, mm, "+nodes, 0.8208773, 0.02, hron))
	}
	return all
}

func channelWidths() []width {
	return []width{
		upTo("poiseuille", "largest error, trt, 4 nodes across", 1e-12, rounding),
		upTo("poiseuille", "largest error, trt, 16 nodes across", 1e-12, rounding),
		upTo("poiseuille", "force that holds a mean speed of U: relative error", 1e-9, rounding),
		between("poiseuille", "order of the error, bgk", 1.95, 2.05, order),
		between("poiseuille", "order of the error, recursive", 1.95, 2.05, order),
		upTo("rheology", "plates: largest error over the peak, 32 nodes across", 0.002, exact),
		between("rheology", "plates: order of the error", 1.95, 2.05, order),
		between("rheology", "pipe: velocity on the axis over the law's", 0.995, 1.005, exact),
		between("rheology", "pipe: fall of the pressure over the law's", 0.995, 1.005, exact),
		between("rheology", "pipe: wall shear stress over the law's, mean", 0.98, 1.02, exact),
		upTo("couette", "largest error at νt/H² = 0.1", 0.005, exact),
		upTo("couette", "largest error of the steady flow", 1e-12, rounding),
		about("womersley", "amplitude in the middle, α = 4", 0.06955, 0.01, exact),
		between("womersley", "phase in the middle, α = 4, degrees", -88.142-2, -88.142+2, exact),
		about("womersley", "amplitude in the middle, α = 10", 0.009988, 0.01, exact),
		between("womersley", "phase in the middle, α = 10, degrees", -89.931-2, -89.931+2, exact),
		about("duct", "largest velocity", 0.0736713, 0.005, exact),
		about("duct", "mean velocity", 0.0351443, 0.005, exact),
		upTo("stokes2", "largest error over U", 0.01, exact),
		about("taylor-couette", "torque on the inner cylinder, D = 20", 1.6755161, 0.04, exact),
		about("taylor-couette", "torque on the inner cylinder, D = 40", 1.6755161, 0.02, exact),
		between("taylor-couette", "order of the velocity's rms error in the gap, D = 10 to 40", 1, 2, order),
		between("taylor-couette", "torque on both over that on one, D = 40", -0.005, 0.005, symmetry),
	}
}

func cavityWidths() (all []width) {
	for _, c := range []struct {
		of             string
		u, most, least float64
		by             string
	}{
		{"Re = 100", -0.2140417, 0.1795728, -0.253803, marchi},
		{"Re = 400", -0.328732, 0.303835, -0.454067, biharmonic},
		{"Re = 1000", -0.3885698, 0.3769447, -0.5270771, botella},
		{"Re = 100, recursive", -0.2140417, 0.1795728, -0.253803, marchi},
	} {
		all = append(all,
			about("cavity", "least u, "+c.of, c.u, 0.01, c.by),
			about("cavity", "largest v, "+c.of, c.most, 0.01, c.by),
			about("cavity", "least v, "+c.of, c.least, 0.01, c.by))
	}
	return all
}

func vortexWidths() (all []width) {
	for _, of := range []string{"", ", recursive"} {
		all = append(all,
			about("taylor-green", "decay rate over 2νk², 32²"+of, 1, 0.01, exact),
			about("taylor-green", "decay rate over 2νk², 32², in a stream"+of, 1, 0.01, exact),
			between("taylor-green", "order of the error"+of, 1.9, 2.1, order))
	}
	for _, of := range []string{"", ", Smagorinsky"} {
		all = append(all,
			about("tgv3d", "energy at t = 4, 64³"+of, 0.12150819, 0.01, trend),
			between("tgv3d", "time of the largest dissipation, 64³"+of, 8, 10, trend),
			about("tgv3d", "largest dissipation, 64³"+of, 0.0128575, 0.2, trend))
	}
	return all
}

func cylinderWidths() []width {
	const fixed, free = "cylinder", "cylinder-unbounded"
	return []width{
		about(fixed, "drag, Re = 20, D = 20", 2.2183, 0.01, sharp),
		about(fixed, "drag, Re = 20, D = 20, recursive", 2.2183, 0.01, sharp),
		about(fixed, "drag, Re = 20, D = 40", 2.2183, 0.01, sharp),
		about(fixed, "drag, Re = 40, D = 20", 1.6447, 0.01, sharp),
		about(fixed, "drag, Re = 40, D = 40", 1.6447, 0.01, sharp),
		about(fixed, "recirculation, Re = 20, D = 20", 0.9234, 0.03, sharp),
		about(fixed, "recirculation, Re = 40, D = 20", 2.2303, 0.03, sharp),
		about(fixed, "mean drag, Re = 100, D = 20", 1.4169, 0.03, sharp),
		about(fixed, "lift amplitude, Re = 100, D = 20", 0.3522, 0.06, sharp),
		about(fixed, "Strouhal number, Re = 100, D = 20", 0.17, 0.02, sharp),
		upTo(fixed, "markers against momentum balance, Re = 20, D = 20", 1e-9, rounding),
		between(free, "drag, Re = 20", 2, 2.1, spanned),
		between(free, "recirculation, Re = 20", 0.9, 0.97, spanned),
		between(free, "drag, Re = 40", 1.48, 1.58, spanned),
		between(free, "recirculation, Re = 40", 2.13, 2.35, spanned),
		between(free, "drag, Re = 100", 1.32, 1.38, spanned),
		between(free, "lift amplitude, Re = 100", 0.31, 0.35, spanned),
		between(free, "Strouhal number, Re = 100", 0.162, 0.168, spanned),
		between(free, "drag, Re = 200", 1.29, 1.4, spanned),
		between(free, "lift amplitude, Re = 200", 0.64, 0.72, spanned),
		between(free, "Strouhal number, Re = 200", 0.192, 0.2, spanned),
		upTo("impulsive", "drag from tU/R = 0.5 to 7, Re = 40, rms difference", 0.03, leonard),
		upTo("impulsive", "drag from tU/R = 0.5 to 5, Re = 550, rms difference", 0.05, leonard),
		upTo("impulsive", "bubble from tU/D = 1 to 3.5, Re = 40, rms difference", 0.05, coutanceau),
	}
}

func channelCylinderWidths() []width {
	const pressure = 0.2 * 0.2 // ρU² of 2D-1, by which its pressures are divided
	return []width{
		between("dfg", "2D-1 drag, D = 20", 5.57, 5.59, nabh),
		between("dfg", "2D-1 drag, D = 40", 5.57, 5.59, nabh),
		between("dfg", "2D-1 order of the drag's error, D = 10 to 40", 1.5, 2.5, order),
		between("dfg", "2D-1 lift, D = 20", 0.0104, 0.0110, nabh),
		between("dfg", "2D-1 lift, D = 40", 0.0104, 0.0110, nabh),
		between("dfg", "2D-1 pressure drop over ρU², D = 20", 0.1172/pressure, 0.1176/pressure, nabh),
		between("dfg", "2D-1 pressure drop over ρU², D = 40", 0.1172/pressure, 0.1176/pressure, nabh),
		between("dfg", "2D-1 recirculation, D = 20", 0.842, 0.852, turek),
		between("dfg", "2D-1 recirculation, D = 40", 0.842, 0.852, turek),
		between("dfg", "2D-2 largest drag, D = 40", 3.22, 3.24, featFlow),
		between("dfg", "2D-2 largest lift, D = 40", 0.98, 1.01, featFlow), // the finest series is 0.987
		about("dfg", "2D-2 lift, peak to peak, D = 40", 2.007871, 0.02, "FeatFlow, finest: ±2 %"),
		between("dfg", "2D-2 Strouhal number, D = 40", 0.301841*0.985, 0.305, featFlow),
		between("dfg", "2D-2 pressure drop half a period after the largest lift, D = 40", 2.46, 2.50, turek),
		between("dfg", "2D-3 largest drag, D = 20", 2.93, 2.97, john),
		between("dfg", "2D-3 largest lift, D = 20", 0.47, 0.49, john),
		between("dfg", "2D-3 pressure drop at 8 s, D = 20", -0.115, -0.105, john),
		between("dfg3d", "3D-1Z drag, D = 20", 6.18533*0.985, 6.25, "Braack & Richter (2006); Schäfer & Turek (1996), interval above"),
	}
}

func bodyWidths() []width {
	return []width{
		about("moving-frame", "drag when dragged over drag in a stream", 1, 0.01, symmetry),
		upTo("moving-frame", "noise of the force over the drag", 0.02, symmetry),
		between("dutsch", "drag coefficient c_d, D = 20", 2.05, 2.2, dutsch),
		between("dutsch", "added mass c_i, D = 20", 1.42, 1.52, dutsch),
		between("dutsch", "drag coefficient c_d, D = 40", 2.05, 2.2, dutsch),
		between("dutsch", "added mass c_i, D = 40", 1.42, 1.52, dutsch),
		upTo("dutsch", "velocity profiles, rms difference over Um, D = 20", 0.04, measured),
		upTo("dutsch", "velocity profiles, rms difference over Um, D = 40", 0.04, measured),
		about("array-cylinders", "drag F/(μU), c = 0.05", 15.56, 0.02, sangani),
		about("array-cylinders", "drag F/(μU), c = 0.1", 24.83, 0.02, sangani),
		about("array-cylinders", "drag F/(μU), c = 0.2", 51.53, 0.02, sangani),
		about("array-cylinders", "drag F/(μU), c = 0.4", 217.89, 0.035, sangani),
		about("array-spheres", "drag K, c = 0.008", 1.525, 0.02, zick),
		about("array-spheres", "drag K, c = 0.064", 2.81, 0.02, zick),
		about("array-spheres", "drag K, c = 0.125", 4.292, 0.04, zick),
		about("array-spheres", "drag K, c = 0.45", 28.1, 0.04, zick),
		about("jeffery", "period T γ̇, r = 2", 2*math.Pi*(2+1./2), 0.02, jeffery),
		about("jeffery", "period T γ̇, r = 5", 2*math.Pi*(5+1./5), 0.02, jeffery),
		about("settling", "largest speed over U, E1", 0.947, 0.02, cate),
		about("settling", "largest speed over U, E4", 0.955, 0.015, cate),
		about("brenner", "drag over Stokes', gap/a = 1", 2.1255, 0.02, brenner),
		about("brenner", "drag over Stokes', gap/a = 0.5", 3.2054, 0.02, brenner),
		about("brenner", "drag over Stokes', gap/a = 0.3", 4.6107, 0.02, brenner),
		about("blood", "20 µm, H_D 0.30: discharge haematocrit", 0.3, 0.1, "that it is told for: ours"),
		about("blood", "20 µm, H_D 0.30: apparent viscosity over that in glass tubes", 1, 0.15, glass),
		about("blood", "20 µm, H_D 0.30: Fåhræus ratio over that in glass tubes", 1, 0.15, glass),
		upTo("blood", "20 µm, H_D 0.30: largest change of a cell's volume", 0.01, "membranes keep what they enclose: ours"),
		about("blood", "20 µm, H_D 0.45: discharge haematocrit", 0.45, 0.1, "that it is told for: ours"),
		about("blood", "20 µm, H_D 0.45: apparent viscosity over that in glass tubes", 1, 0.15, glass),
		about("blood", "20 µm, H_D 0.45: Fåhræus ratio over that in glass tubes", 1, 0.15, glass),
		upTo("blood", "20 µm, H_D 0.45: largest change of a cell's volume", 0.01, "membranes keep what they enclose: ours"),
		about("blood", "40 µm, H_D 0.30: discharge haematocrit", 0.3, 0.1, "that it is told for: ours"),
		about("blood", "40 µm, H_D 0.30: apparent viscosity over that in glass tubes", 1, 0.15, glass),
		about("blood", "40 µm, H_D 0.30: Fåhræus ratio over that in glass tubes", 1, 0.15, glass),
		upTo("blood", "40 µm, H_D 0.30: largest change of a cell's volume", 0.01, "membranes keep what they enclose: ours"),
		about("vessels", "friction over Poiseuille's, tube along (3, 2, 1)", 1, 0.005, exact),
		about("vessels", "wall shear stress over Poiseuille's, mean, tube along (3, 2, 1)", 1, 0.02, exact),
		upTo("vessels", "wall shear stress over Poiseuille's, worst error at a vertex, tube along (3, 2, 1)", 0.02, exact),
		upTo("vessels", "what leaves less what enters, relative, tube along (3, 2, 1)", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, tube along (3, 2, 1)", 0.001, balance),
		about("vessels", "friction over Poiseuille's, tube along (0, 0, 1)", 1, 0.005, exact),
		about("vessels", "wall shear stress over Poiseuille's, mean, tube along (0, 0, 1)", 1, 0.02, exact),
		upTo("vessels", "wall shear stress over Poiseuille's, worst error at a vertex, tube along (0, 0, 1)", 0.02, exact),
		upTo("vessels", "what leaves less what enters, relative, tube along (0, 0, 1)", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, tube along (0, 0, 1)", 0.001, balance),
		about("vessels", "friction over Poiseuille's, tube along (1, 1, 0)", 1, 0.005, exact),
		about("vessels", "wall shear stress over Poiseuille's, mean, tube along (1, 1, 0)", 1, 0.02, exact),
		upTo("vessels", "wall shear stress over Poiseuille's, worst error at a vertex, tube along (1, 1, 0)", 0.02, exact),
		upTo("vessels", "what leaves less what enters, relative, tube along (1, 1, 0)", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, tube along (1, 1, 0)", 0.001, balance),
		about("vessels", "friction over Poiseuille's, tube along (1, 1, 1)", 1, 0.005, exact),
		about("vessels", "wall shear stress over Poiseuille's, mean, tube along (1, 1, 1)", 1, 0.02, exact),
		upTo("vessels", "wall shear stress over Poiseuille's, worst error at a vertex, tube along (1, 1, 1)", 0.02, exact),
		upTo("vessels", "what leaves less what enters, relative, tube along (1, 1, 1)", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, tube along (1, 1, 1)", 0.001, balance),
		about("vessels", "friction over Poiseuille's, tube along (2, 1, 0)", 1, 0.005, exact),
		about("vessels", "wall shear stress over Poiseuille's, mean, tube along (2, 1, 0)", 1, 0.02, exact),
		upTo("vessels", "wall shear stress over Poiseuille's, worst error at a vertex, tube along (2, 1, 0)", 0.02, exact),
		upTo("vessels", "what leaves less what enters, relative, tube along (2, 1, 0)", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, tube along (2, 1, 0)", 0.001, balance),
		about("vessels", "amplitude of the flow, over the pressure's by Poiseuille's law, α = 4", 0.35309885, 0.01, exact),
		between("vessels", "phase of the flow behind the pressure, α = 4, degrees", 65.5682665-2, 65.5682665+2, exact),
		about("vessels", "amplitude of the flow, over the pressure's by Poiseuille's law, α = 8", 0.104797086, 0.01, exact),
		between("vessels", "phase of the flow behind the pressure, α = 8, degrees", 78.9405451-2, 78.9405451+2, exact),
		between("vessels", "order of the error of the flow, α = 4, 10 to 30 nodes", 1.5, 2.5, order),
		about("vessels", "velocity across the bend in the middle of the tube over U, De = 4.08", 0.04608, 0.02, torus),
		about("vessels", "friction over a straight tube's, De = 4.08", 1.0013, 0.005, torus),
		about("vessels", "velocity across the bend in the middle of the tube over U, De = 60", 0.1997, 0.02, torus),
		about("vessels", "friction over a straight tube's, De = 60", 1.3626, 0.01, torus),
		about("vessels", "largest velocity along the bend over U, De = 60", 1.6967, 0.01, torus),
		between("vessels", "place of the largest velocity over R, De = 60", 0.507-0.05, 0.507+0.05, torus),
		upTo("vessels", "what leaves less what enters, relative, bend", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, bend", 0.001, balance),
		about("vessels", "flow of the larger branch over the smaller's, equal pressures", 1.953125, 0.03, network),
		about("vessels", "flow of the larger branch over the smaller's, behind resistances", 1.1373, 0.02, network),
		about("vessels", "wall shear stress of the larger branch over the trunk's", 1, 0.03, network),
		about("vessels", "wall shear stress of the smaller branch over the trunk's", 1, 0.03, network),
		upTo("vessels", "what leaves less what enters, relative, fork", 0.001, balance),
		upTo("vessels", "walls' interpolation over the flow, fork", 0.001, balance),
		about("sphere", "drag, Re = 50", 1.581, 0.02, johnson),
		about("sphere", "drag, Re = 100", 1.102, 0.02, johnson),
		about("sphere", "drag, Re = 300", 0.656, 0.02, johnson),
	}
}

// hold tells what is wrong with gates beside widths: a gate that has no width, is wider, or
// is about another value; a width without a gate, or given twice.
func hold(gates []Gate, widths []width) (wrong []string) {
	of, used := map[[2]string]width{}, map[[2]string]bool{}
	for _, w := range widths {
		key := [2]string{w.group, w.quantity}
		if _, twice := of[key]; twice || w.of == "" {
			wrong = append(wrong, fmt.Sprintf("%s, %s: its width is given twice, or without a source", w.group, w.quantity))
		}
		of[key] = w
	}
	for _, g := range gates {
		key := [2]string{g.Group, g.Quantity}
		if g.ReportOnly() && g.Confidence == "D" { // no gate
			continue
		}
		w, known := of[key]
		used[key] = true
		slack := 1e-4 * (w.high - w.low)
		switch {
		case !known:
			wrong = append(wrong, fmt.Sprintf("%s, %s has no width: add the source's, or what the gate holds", g.Group, g.Quantity))
		case !(g.Low >= w.low-slack && g.High <= w.high+slack):
			wrong = append(wrong, fmt.Sprintf("%s, %s passes in %g … %g, the width is %g … %g (%s)", g.Group, g.Quantity, g.Low, g.High, w.low, w.high, w.of))
		case math.Abs(g.Reference-w.reference) > slack:
			wrong = append(wrong, fmt.Sprintf("%s, %s: reference %g, published %g (%s)", g.Group, g.Quantity, g.Reference, w.reference, w.of))
		}
	}
	for key := range of {
		if !used[key] {
			wrong = append(wrong, fmt.Sprintf("%v has a width and no gate", key))
		}
	}
	return wrong
}

func TestGatesAreNoWiderThanTheirSources(t *testing.T) {
	for _, text := range hold(Gates(), widths()) {
		t.Error(text)
	}
}

// Every gate is held: one that is a little wider on either side, or new, is told.
func TestNoGateCanBeWidenedUnseen(t *testing.T) {
	gates, all := Gates(), widths()
	for i := range gates {
		if gates[i].ReportOnly() {
			continue
		}
		for what, change := range map[string]func(g *Gate){
			"lower":  func(g *Gate) { g.Low -= 0.02 * (g.High - g.Low) },
			"higher": func(g *Gate) { g.High += 0.02 * (g.High - g.Low) },
			"new":    func(g *Gate) { g.Quantity += ", new" },
		} {
			changed := append([]Gate(nil), gates...)
			change(&changed[i])
			if len(hold(changed, all)) == 0 {
				t.Errorf("%s, %s may be %s unseen", gates[i].Group, gates[i].Quantity, what)
			}
		}
	}
}
