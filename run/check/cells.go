package check

import (
	"fmt"
	"math"

	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// CellReport is how an elastic body is resolved.
type CellReport struct {
	Name      string        `json:"name"`
	Shape     string        `json:"shape"`
	Law       string        `json:"law"`
	Ring      bool          `json:"ring"` // in the plane
	Nodes     Judged        `json:"diameter_nodes"`
	Vertices  int           `json:"vertices"`
	Edge      Judged        `json:"edge"`                         // mean, nodes
	Shortest  finite.Number `json:"shortest"`                     // likewise
	Longest   finite.Number `json:"longest"`                      // likewise
	Angle     *Judged       `json:"least_angle,omitempty"`        // of triangles of a file, degrees
	Stiffness Judged        `json:"stiffness"`                    // K Δt/(ρνΔx) of the membrane, its viscosity included
	Most      finite.Number `json:"stiffness_most"`               // its bound, of the delta
	Implicit  bool          `json:"implicit"`                     // it makes implicit steps,
	Explicit  *Judged       `json:"stiffness_explicit,omitempty"` // but for bending and viscosity, of which this is K Δt/(ρνΔx)
	Rate      finite.Number `json:"rate"`                         // U/L, of the numbers below
	Capillary finite.Number `json:"capillary"`                    // μγ̇a/G_s
	Young     finite.Number `json:"capillary_young"`
	Reynolds  finite.Number `json:"reynolds"`           // γ̇a²/ν
	Bend      finite.Number `json:"bending_over_shear"` // κ/(G_s a²)
	Contact   *CellContact  `json:"contact,omitempty"`  // nil: none
	Inside    *CellInside   `json:"inside,omitempty"`   // nil: the fluid around
	Loads     *CellLoads    `json:"loads,omitempty"`    // nil: none
}

// CellContact is what keeps an elastic body away from others and from walls.
type CellContact struct {
	Range     finite.Number `json:"range"`     // nodes
	Bears     finite.Number `json:"bears"`     // at half of that, in μγ̇
	Flattens  finite.Number `json:"over_flat"` // the same in G_s/a
	Stiffness Judged        `json:"stiffness"` // K Δt/(ρνΔx) where surfaces touch
}

// CellInside is the fluid inside an elastic body whose viscosity is another than that outside.
type CellInside struct {
	Ratio finite.Number `json:"viscosity_ratio"` // over that outside
	Tau   Judged        `json:"tau"`             // its relaxation time
	Over  finite.Number `json:"over_volume"`     // what nodes find to be inside, over the volume
}

var (
	// Vertices feel what the delta blurs over two nodes: closer ones only make the membrane
	// stiffer, and fluid leaks between ones farther apart, as between markers.
	shortEdges = limits{Caution: 0.5, unsafe: none, least: true, why: "below %g nodes: the grid does not resolve the forces of vertices so close, and bending comes out stiffer; use a coarser motion.mesh"}
	longEdges  = limits{Caution: 1.5, unsafe: 2.5, why: "above %g nodes: fluid leaks through the membrane; use a finer motion.mesh"}
)

// steps tells that steps are implicit, where they are.
func (c *CellReport) steps() string {
	if c.Implicit {
		return ", implicit"
	}
	return ""
}

// implicitLimits are of the bound of implicit steps, a share of what they were seen to bear.
func implicitLimits(most float64) limits {
	return limits{Caution: 0.8 * most, unsafe: none, why: fmt.Sprintf("above %%.3g: a membrane that is stretched becomes stiffer, and more than %.3g is refused; lower reference.velocity", most)}
}

// stiffnessLimits are of a bound above which a membrane is refused.
func stiffnessLimits(most float64) limits {
	return limits{Caution: 0.8 * most, unsafe: none, why: fmt.Sprintf("above %%.3g: a membrane that is stretched becomes stiffer, and %.3g is where vertices may swing from step to step; lower reference.velocity", most)}
}

// staggeredLimits are of membranes along a periodic axis that keeps momentum which alternates from node to node. A red cell (Skalak, C = 100, on 16
// nodes, roma3) went wrong after 28,000 steps at 2.4 and after 5,500 at 4.7, with whatever collision, and with C = 20 after 38,800 at 0.98; at 0.49 not
// within 64,000, nor at 5.1 within 32,000 with an odd number of nodes along all axes, nor at 4.7 within 16,000 with peskin4. By implicit steps it was well at 5.6, with roma3 and even numbers, for 58,000 steps, when by explicit ones it went
// wrong after 10,000: more was not tried.
func staggeredLimits(axis string, nodes int, implicit bool) limits {
	from := 0.9
	if implicit {
		from = 5.6
	}
	return limits{Caution: from, unsafe: none, why: fmt.Sprintf("above %%.3g: along %s, periodic with %d nodes, an even number, momentum that alternates from node to node is never damped, and stiff membranes amplify it until they fail after some tens of thousands of steps; make the number odd by domain.size, or use ib.delta = \"peskin4\", or a lower reference.velocity", axis, nodes)}
}

// cells says how the elastic bodies are resolved.
func (r *Report) cells(p *setup.Problem) {
	for i := range p.Coupling.Cells {
		r.Cells = append(r.Cells, cellOf(p, i))
	}
}

func cellOf(p *setup.Problem, i int) CellReport {
	given := p.Drawn[i]
	cell, e, a := p.Coupling.Cells[i], given.Motion.Elastic, p.RadiusOf(i)
	q := qualityOf(cell)
	viscosity := p.Case.Reference.Viscosity
	most, _ := p.MostStiffnessOf(i) // its delta is known: the case was set up
	bearable := stiffnessLimits(most)
	if e.Implicit {
		bearable = implicitLimits(most)
	}
	c := CellReport{
		Name: given.Name, Shape: given.Shape.Type, Law: e.Law, Ring: cell.Ring != nil, Vertices: len(cell.Points()),
		Nodes: *judged(2*a*p.Case.Reference.Resolution, nodesLimits),
		Edge:  *judged(q.MeanEdge, shortEdges), Shortest: finite.Number(q.ShortestEdge), Longest: finite.Number(q.LongestEdge),
		Stiffness: *judged(p.StiffnessOf(i), bearable), Most: finite.Number(most), Implicit: e.Implicit,
		Rate: finite.Number(e.Rate), Capillary: finite.Number(viscosity * e.Rate * a / e.Shear),
		Reynolds: finite.Number(e.Rate * a * a / viscosity), Bend: finite.Number(e.Bending / (e.Shear * a * a)),
	}
	c.Young = c.Capillary / finite.Number(e.YoungOverShear(p.Flow.Lattice.Dim))
	c.Edge.judge(longEdges)
	if a := p.StaggeredAxis(); a >= 0 && !c.Ring {
		c.Stiffness.judge(staggeredLimits("xyz"[a:a+1], p.Flow.Size[a], e.Implicit))
	}
	if e.Implicit {
		most := most / setup.MostImplicit
		c.Explicit = judged(p.ExplicitStiffnessOf(i), stiffnessLimits(most))
	}
	c.Loads = loadsOf(p, i)
	if file, _ := given.Shape.File(); file != "" {
		c.judgeFile(q, p.Case.Reference.Resolution)
	}
	if cell.ViscosityRatio() != 1 {
		c.Inside = insideOf(p, cell)
	}
	if k := p.Coupling.Contact; k.Distance > 0 {
		touching := most
		if e.Implicit { // contact is not
			touching, _ = p.MostStiffness()
		}
		bears := k.Stiffness * p.Coupling.Cells[i].ContactPressure(k.Distance) / 8
		rate := p.Units.ToLatticeVelocity(e.Rate) / p.Case.Reference.Resolution
		flat := p.Units.ToLattice(casefile.Tension, e.Shear) / (a * p.Case.Reference.Resolution)
		c.Contact = &CellContact{Range: finite.Number(k.Distance), Bears: finite.Number(bears / (p.Units.Nu * rate)), Flattens: finite.Number(bears / flat),
			Stiffness: *judged(p.ContactStiffnessOf(i), stiffnessLimits(touching))}
	}
	return c
}

// insideOf is the fluid inside an elastic body. That nodes find an inside has been seen to.
func insideOf(p *setup.Problem, c *flexible.Cell) *CellInside {
	var finder flexible.InsideFinder
	var inside flexible.Inside
	_ = finder.Find(c, &inside)
	sum := 0.
	for _, share := range inside.Share {
		sum += share
	}
	low, high := tauLimits(&p.Case.Fluid)
	low.why, high.why = "inside, "+low.why, "inside, "+high.why
	in := &CellInside{Ratio: finite.Number(c.ViscosityRatio()), Tau: *judged(3*c.ViscosityRatio()*p.Units.Nu+0.5, low), Over: finite.Number(sum / c.Measure().Volume)}
	in.Tau.judge(high)
	return in
}

// qualityOf is how even the mesh of an elastic body is, of a ring its segments.
func qualityOf(c *flexible.Cell) (q elastic.Quality) {
	if c.Ring == nil {
		return c.Membrane.Mesh().Quality()
	}
	q.ShortestEdge, q.MeanEdge, q.LongestEdge = c.Ring.Segments()
	return q
}

// A mesh of a file is as even as it is: what is felt is judged by its longest edge, too, and by its narrowest corner.
const longestEdge = 2.

var narrowCorners = limits{Caution: 10, unsafe: none, least: true, why: "below %g°: strain is the mean over a triangle, and slivers are stiff; mesh the file's surface more evenly"}

// judgeFile judges the mesh of a file, which only the resolution can fit to the grid.
func (c *CellReport) judgeFile(q elastic.Quality, resolution float64) {
	finest := digits3(resolution * math.Min(longEdges.Caution/q.MeanEdge, longestEdge/q.LongestEdge))
	coarsest := digits3(resolution * shortEdges.Caution / q.MeanEdge)
	long, short := longEdges, shortEdges
	long.why = "above %g nodes: fluid leaks through the membrane; use a reference.resolution of at most " + finest + ", or a file with shorter edges"
	short.why = "below %g nodes: the grid does not resolve the forces of vertices so close, and bending comes out stiffer; use a reference.resolution of at least " + coarsest + ", or a file with longer edges"
	c.Edge = *judged(q.MeanEdge, short)
	c.Edge.judge(long)
	if longest := judged(q.LongestEdge, limits{Caution: longestEdge, unsafe: none, why: "the longest is " + long.why}); severity[longest.Verdict] > severity[c.Edge.Verdict] {
		c.Edge.Verdict, c.Edge.Reason = longest.Verdict, longest.Reason
	}
	c.Angle = judged(q.LeastAngle, narrowCorners)
}

func digits3(v float64) string { return fmt.Sprintf("%.3g", v) }

// cellLikeness is what elastic bodies have in common that are judged alike.
type cellLikeness struct {
	shape, law string
	vertices   int
	numbers    [3]finite.Number
}

// writeCells prints the first few of the elastic bodies that are alike, and how many more there are.
func (p *page) writeCells(r *Report) {
	seen, shown := map[cellLikeness]int{}, shownAlike
	if len(r.Suspended) > 0 {
		shown = 1
	}
	var more []string
	for i := range r.Cells {
		c := &r.Cells[i]
		l := cellLikeness{c.Shape, c.Law, c.Vertices, [3]finite.Number{c.Nodes.Value, c.Stiffness.Value, c.Capillary}}
		if seen[l]++; seen[l] <= shown {
			c.write(p)
		} else {
			more = append(more, c.Name)
		}
	}
	if len(more) > 0 {
		p.section("More elastic bodies")
		p.row(count(float64(len(more)))+" more", "judged like those above; the last is "+more[len(more)-1])
	}
}

func (c *CellReport) write(p *page) {
	p.section(fmt.Sprintf("Elastic body %s (%s, %s)", c.Name, c.Shape, c.Law))
	p.judged("diameter", fmt.Sprintf("%.4g nodes", c.Nodes.Value), c.Nodes)
	p.row("vertices", count(float64(c.Vertices)))
	p.judged("edges", fmt.Sprintf("%.3g nodes, %.3g to %.3g", c.Edge.Value, c.Shortest, c.Longest), c.Edge)
	if c.Angle != nil {
		p.judged("least angle", fmt.Sprintf("%.3g° of its triangles", c.Angle.Value), *c.Angle)
	}
	p.judged("stiffness", fmt.Sprintf("%.3g = K Δt/(ρνΔx), at most %.3g%s", c.Stiffness.Value, c.Most, c.steps()), c.Stiffness)
	if c.Explicit != nil {
		p.judged("explicit", fmt.Sprintf("%.3g of it: bending and viscosity, at most %.3g", c.Explicit.Value, c.Most/setup.MostImplicit), *c.Explicit)
	}
	young := "E_s"
	if c.Ring {
		young = "the modulus of its tension"
	}
	p.row("capillary", fmt.Sprintf("%.4g = μγ̇a/G_s, %.4g by %s, at γ̇ = %.4g U/L", c.Capillary, c.Young, young, c.Rate))
	if c.Bend > 0 {
		p.row("bending", fmt.Sprintf("%.3g = κ/(G_s a²)", c.Bend))
	}
	p.row("its Reynolds", fmt.Sprintf("%.3g = γ̇a²/ν", c.Reynolds))
	if in := c.Inside; in != nil {
		p.judged("inside", fmt.Sprintf("λ = %.4g, τ = %.4g; nodes find %.3g of V", in.Ratio, in.Tau.Value, in.Over), in.Tau)
	}
	if c.Loads != nil {
		c.Loads.write(p, c.Ring)
	}
	if k := c.Contact; k != nil {
		p.judged("contact", fmt.Sprintf("within %.3g nodes, at %.3g of which it bears %.3g μγ̇ or %.3g G_s/a; K Δt/(ρνΔx) = %.3g", k.Range, k.Range/2, k.Bears, k.Flattens, k.Stiffness.Value), k.Stiffness)
	}
}
