// Package tunnel writes the case of a part from an STL file in a stream: a box, a resolution, an operator and levels of refinement that fit
// the part, its speed and its fluid, with a word on what of it can be resolved.
package tunnel

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbmib/geometry"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
)

// Fluid is one that parts are in.
type Fluid struct {
	Name      string
	Density   float64 // kg/m³
	Viscosity float64 // kinematic, m²/s
}

// fluids are known by their name: dry air and water at 20 °C and 1 atm.
var fluids = []Fluid{{"air", 1.204, 1.516e-5}, {"water", 998.2, 1.004e-6}}

// FluidNames are the names of known fluids.
func FluidNames() (names []string) {
	for _, f := range fluids {
		names = append(names, f.Name)
	}
	return names
}

// FindFluid is the fluid of a name.
func FindFluid(name string) (f Fluid, ok bool) {
	i := slices.IndexFunc(fluids, func(f Fluid) bool { return f.Name == name })
	if i < 0 {
		return Fluid{}, false
	}
	return fluids[i], true
}

// Part is what is to be tested.
type Part struct {
	File  string // of its surface
	Unit  string // of the file, "1 mm"
	Speed string // of the stream along +x, "10 m/s"
	Fluid Fluid
	Case  string  // file of the case, for whose folder the path of the surface is written
	Nodes float64 // nodes along the part that are asked for; 0: as many as usual
	Full  bool    // at the Reynolds number of the speed, though the grid resolves less
}

// Tunnel is a part in its box.
type Tunnel struct {
	of       Part
	Report   geometry.STLReport
	Length   float64    // L, the part's largest extent, m
	Speed    float64    // m/s
	Reynolds float64    // U L/ν
	Extent   [3]float64 // of the part, in L
	Shadow   float64    // of the part along x, L²
	Size     [3]float64 // of the box, L
	Center   [3]float64 // where the part's centroid goes, L
	Nodes    float64    // per L
	Resolved float64    // the Reynolds number up to which layers have enough nodes

	centroid geometry.Vec // from the part's lower corner, L
}

// What the box leaves beside the part, in L, and how much of its section the part covers at most.
const (
	ahead, behind, beside = 2.5, 6.0, 1.75
	mostBlocked           = 0.05
)

// widest is how many times as wide as the part a box is that levels of refinement make cheap: slip walls so far away do not raise the drag.
const widest = 10

// usualNodes are the nodes along the part: with levels of refinement a million or two in all.
const usualNodes = 32

// layerNodes is how many nodes a laminar boundary layer, L/√Re, has at least where forces are meant (docs/method.md, 2).
const layerNodes = 1.5

// leastAcross is the least extent along y, over the largest: less is a plate along x and z.
const leastAcross = 1e-6

// New measures the part and finds its box.
func New(p Part) (*Tunnel, error) {
	t := &Tunnel{of: p, Nodes: p.Nodes}
	f, size, err := regular.Open(p.File)
	if err != nil {
		return nil, fmt.Errorf("the surface cannot be read: %w: %s", durable.Cause(err), durable.Remedy(err, "give the path of an STL file"))
	}
	defer f.Close()
	mesh, report, err := geometry.ReadSTL(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File, err)
	}
	unit, err := casefile.SI(p.Unit, casefile.Length)
	if err != nil {
		return nil, fmt.Errorf("--unit %w", err)
	}
	if t.Speed, err = casefile.SI(p.Speed, casefile.Velocity); err != nil {
		return nil, fmt.Errorf("--speed %w", err)
	}
	if !(unit > 0) || !(t.Speed > 0) {
		return nil, fmt.Errorf("--unit %q and --speed %q must be greater than 0", p.Unit, p.Speed)
	}
	t.Report = report
	extent := report.Hi.Sub(report.Lo)
	longest := max(extent[0], extent[1], extent[2])
	t.Length = longest * unit
	t.Reynolds = t.Speed * t.Length / p.Fluid.Viscosity
	t.Extent = extent.Scale(1 / longest)
	if !(t.Extent[1] > leastAcross) {
		return nil, fmt.Errorf("%s: the part has no extent along y (%.3g of its largest), by which its boundary layers are measured, must have more than %g: turn it in the program that it comes from, so that it has, the stream going along +x", p.File, t.Extent[1], leastAcross)
	}
	t.Shadow = mesh.Frontal() / (longest * longest)
	if t.Nodes == 0 {
		t.Nodes = usualNodes
	}
	t.Nodes = 8 * math.Max(2, math.Round(t.Nodes/8)) // whole cells of three levels
	t.centroid = mesh.Center().Sub(report.Lo).Scale(1 / longest)
	t.box(widest)
	t.Resolved = floor2(t.Extent[1] * math.Pow(t.Nodes/layerNodes, 2))
	return t, nil
}

// Narrow makes the box as narrow as goes, for a part on one grid.
func (t *Tunnel) Narrow() { t.box(0) }

// box finds its size: at least so many times as wide as the part along each axis, and where the centroid goes.
func (t *Tunnel) box(times float64) {
	t.Size[0] = math.Ceil(2*(ahead+t.Extent[0]+behind)) / 2
	grow := 1.
	for range 100 { // sides grow together until the part covers little of the section
		for a := 1; a < 3; a++ {
			t.Size[a] = math.Ceil(2*max(times*t.Extent[a], t.Extent[a]+2*beside*grow)) / 2
		}
		if t.Shadow <= mostBlocked*t.Size[1]*t.Size[2] {
			break
		}
		grow *= 1.05
	}
	t.Center[0] = ahead + t.centroid[0]
	for a := 1; a < 3; a++ {
		t.Center[a] = (t.Size[a]-t.Extent[a])/2 + t.centroid[a]
	}
	for a := range t.Center {
		t.Center[a] = math.Round(1000*t.Center[a]) / 1000
	}
}

// floor2 keeps two digits, downwards.
func floor2(x float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(x))) - 1)
	return math.Floor(x/unit) * unit
}

// round2 keeps two digits.
func round2(x float64) float64 {
	unit := math.Pow10(int(math.Floor(math.Log10(x))) - 1)
	return math.Round(x/unit) * unit
}

// IsResolved tells whether the grid resolves the part's boundary layers at its speed.
func (t *Tunnel) IsResolved() bool { return t.Reynolds <= t.Resolved }

// modelled tells whether the case leaves to a model what the grid does not resolve.
func (t *Tunnel) modelled() bool { return t.of.Full && !t.IsResolved() }

// mostTRT is the grid Reynolds number up to which trt is taken: on three levels it is four times as large on the coarsest (docs/case-file.md, fluid.collision).
const mostTRT = 4

// runs is the Reynolds number of the case.
func (t *Tunnel) runs() float64 {
	if t.IsResolved() || t.of.Full {
		return t.Reynolds
	}
	return t.Resolved
}

// number is one with two digits.
func number(x float64) string { return strconv.FormatFloat(round2(x), 'f', -1, 64) }

// Word is what the grid can and cannot do, in plain words.
func (t *Tunnel) Word() string {
	if t.IsResolved() {
		return fmt.Sprintf("Re = %s: %g nodes along the part resolve its boundary layers (up to Re = %s), so that forces are meant as numbers.", number(t.Reynolds), t.Nodes, number(t.Resolved))
	}
	text := fmt.Sprintf("At this speed Re = %s; %g nodes along the part resolve boundary layers up to Re = %s, and %s nodes would be needed. ",
		number(t.Reynolds), t.Nodes, number(t.Resolved), number(layerNodes*math.Sqrt(t.Reynolds/t.Extent[1])))
	if t.modelled() {
		return text + "The case is at the full Reynolds number, a large-eddy simulation without a wall model: it shows the separated flow and the wake of bluff parts with sharp edges, whose drag depends little on Re. " +
			"Friction, the drag of streamlined parts, and where the flow leaves smooth walls, are not to be relied on; no force is known to a percent."
	}
	return text + "So the case is at the Reynolds number that is resolved: its coefficients are those of a slower or more viscous stream, and forces in newtons are these coefficients at the speed and density asked for. " +
		"Of bluff parts with sharp edges they are near to those at the full Reynolds number, of streamlined and smooth ones they are not. --full-reynolds writes the case at the full one, as a large-eddy simulation."
}

// Text is the case, with tables of refinement below it, which may be empty.
func (t *Tunnel) Text(refine string) string {
	relative := t.of.File
	if from, err := filepath.Abs(filepath.Dir(t.of.Case)); err == nil {
		if to, err := filepath.Abs(t.of.File); err == nil {
			if rel, err := filepath.Rel(from, to); err == nil {
				relative = rel
			}
		}
	}
	quote := func(s string) string { return strconv.Quote(filepath.ToSlash(s)) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s in %s at %s, along +x", filepath.Base(t.of.File), t.of.Fluid.Name, t.of.Speed)
	for _, w := range wrap(t.Word(), 100) {
		line("# %s", w)
	}
	title := fmt.Sprintf("%s in %s at %s", filepath.Base(t.of.File), t.of.Fluid.Name, t.of.Speed)
	if !t.IsResolved() && !t.of.Full { // told with every result: forces in newtons are those of another flow
		title += fmt.Sprintf(", at Re = %s instead of %s", number(t.Resolved), number(t.Reynolds))
	}
	line("title = %s", strconv.Quote(title))
	line("\n[reference]")
	line("resolution = %-12g # lattice nodes per L, the largest extent of the part, %.4g m", t.Nodes, t.Length)
	line("velocity   = %-12g # lattice velocity that stands for U, the stream: Mach 0.087 of the lattice", 0.05)
	line("length     = %-12s # what comes out comes out in SI, too", strconv.Quote(fmt.Sprintf("%.6g m", t.Length)))
	line("speed      = %s", strconv.Quote(fmt.Sprintf("%.6g m/s", t.Speed)))
	line("density    = %s", strconv.Quote(fmt.Sprintf("%g kg/m^3", t.of.Fluid.Density)))
	if t.IsResolved() || t.of.Full {
		line("viscosity  = %s   # of %s at 20 °C: Re = U L/ν = %.4g", strconv.Quote(fmt.Sprintf("%g m^2/s", t.of.Fluid.Viscosity)), t.of.Fluid.Name, t.Reynolds)
	} else {
		line("reynolds   = %-12s # what this grid resolves; of %s at this speed it is %s", number(t.Resolved), t.of.Fluid.Name, number(t.Reynolds))
	}
	line("\n[domain]")
	line("lattice = \"D3Q19\"")
	line("size    = [%g, %g, %g]  # in L: %g before the part, %g behind it, %.2g %% of the section covered", t.Size[0], t.Size[1], t.Size[2], ahead, behind, 100*t.Shadow/(t.Size[1]*t.Size[2]))
	line("initial = { type = \"uniform\", velocity = [1.0, 0.0, 0.0] }")
	line("\n[domain.boundary]")
	line("left   = { type = \"velocity\", value = [1.0, 0.0, 0.0] }\nright  = { type = \"outflow\" }")
	line("bottom = { type = \"free-slip\" }   # a part on the road: \"moving-wall\", value = [1.0, 0.0, 0.0]")
	line("top    = { type = \"free-slip\" }\nfront  = { type = \"free-slip\" }\nback   = { type = \"free-slip\" }")
	line("\n[fluid]")
	switch grid := t.runs() / t.Nodes; {
	case grid <= mostTRT:
		line("collision = \"trt\"           # two relaxation times")
	default:
		line("collision = \"recursive\"     # stable in streams at the grid Reynolds number that this has, %.3g, and on coarser levels", grid)
	}
	if t.modelled() {
		line("les       = { type = \"smagorinsky\", constant = 0.1 }   # what is smaller than the grid")
	}
	line("precision = \"f32\"           # single: half the memory and twice as fast")
	line("\n[ib]")
	line("forcing = \"multidirect\"     # no slip at the markers, in rounds: they may stand close, as at the edges of triangles")
	line("\n[[body]]\nname  = \"part\"")
	if !t.Report.Watertight {
		line("fluid = \"both\"              # it is open, along %d edges: both sides are wet", t.Report.OpenEdges)
	}
	line("[body.shape]\ntype   = \"stl\"\nfile   = %s", quote(relative))
	line("scale  = %s             # the unit of the file: the part is %s of them large", strconv.Quote(t.of.Unit), sizes(t.Report.Hi.Sub(t.Report.Lo)))
	line("center = [%g, %g, %g]   # where its centroid goes, in L", t.Center[0], t.Center[1], t.Center[2])
	line("axis   = [0.0, 0.0, 1.0]\nangle  = 0.0                 # degrees about that axis: the stream goes along +x")
	if !t.Report.Watertight {
		line("open   = true")
	}
	if refine != "" {
		line("\n%s", strings.TrimSpace(refine))
	}
	line("\n[run]\ntime = 15.0                  # in L/U: the stream passes the box %.2g times", 15/t.Size[0])
	line("\n[output]")
	line("forces     = { every = 0.05 }                        # → forces.csv, in newtons, too")
	line("slices     = [ { name = \"middle\", axis = \"z\", at = %g, every = 1.0 } ]", t.Center[2])
	line("surfaces   = { every = 5.0 }                         # → surfaces/: traction, C_p, C_f on the triangles")
	line("checkpoint = { every = 5.0, keep = 2 }               # to resume from")
	return b.String()
}

// sizes are three for people.
func sizes(v geometry.Vec) string { return fmt.Sprintf("%.4g × %.4g × %.4g", v[0], v[1], v[2]) }

// wrap breaks a text at spaces.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
