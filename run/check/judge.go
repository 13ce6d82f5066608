package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/geometry"
	"lbmib/internal/finite"
	"lbmib/internal/machine"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/capacity"
	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// limits are the bounds beyond which a value is judged Caution or Unsafe, and
// why, perhaps with a verb for the bound that is passed; least turns them round.
// An unsafe bound of NaN is none.
type limits struct {
	Caution, unsafe float64
	least           bool
	why             string
}

var none = math.NaN()

// Bounds that do not depend on the case.
var (
	// Half a percent of error in drag takes tens of nodes; below 5 the supports
	// of opposite markers overlap.
	nodesLimits = limits{Caution: 10, unsafe: 5, least: true, why: "fewer than %g nodes: forces are rough and the shape is blurred"}
	// Supports of the two sides overlap.
	shellLimits = limits{Caution: 2, unsafe: none, least: true, why: "below %g nodes: markers on both sides reach the same nodes; raise reference.resolution or the thickness, or leave thickness out for a sheet (open = true)"}
	// Fluid passes between markers more than about 1.5 nodes apart.
	spacingLimits = limits{Caution: 1.5, unsafe: none, why: "wider than %g nodes: fluid leaks between markers"}
	// Weights with all signs right have condition numbers below 10⁴ on circles
	// and spheres; 10⁸ is refused.
	conditionLimits = limits{Caution: 1e4, unsafe: none, why: "above %.0e: weights differ much from marker to marker; widen the spacing"}
	// Images of a body in slip walls closer than ten diameters change its drag by
	// several percent.
	blockageLimits = limits{Caution: 0.1, unsafe: none, why: "above %g: free-slip walls this near raise the drag by several percent; widen the domain"}
	// Less, and the initial state has not left the domain.
	flowThroughLimits = limits{Caution: 1, unsafe: none, least: true, why: "less than %g: the initial state has not left the domain; run longer"}
	memoryLimits      = limits{Caution: 0.8, unsafe: none, why: "more than %g of this machine's memory: other programs may not fit beside it"}
	diskLimits        = limits{Caution: 0.9, unsafe: none, why: "more than %g of the free space, before compression: the disk may fill up"}
	timeLimits        = limits{Caution: 86400, unsafe: none, why: "more than a day: consider a coarser resolution, or f32"}
)

// MachCaution is the Mach number above which a caution is given.
const MachCaution = 0.1

// machLimits are the bounds on a Mach number, of a case with bodies or without. The compressibility error grows as Ma², a percent of
// drag at 0.17; case files refuse 0.3.
func machLimits(ma float64, bodies bool) limits {
	drag := ""
	if bodies {
		drag = fmt.Sprintf(", by themselves about %.2g %%%% of drag", 100*machCost(ma))
	}
	return limits{Caution: 0.1, unsafe: 0.3, why: "above %g: errors grow as Ma²" + drag + "; lower reference.velocity where that matters"}
}

// tauLimits are bounds on τ: below, small scales are hardly damped, unless a
// turbulence model does it, with bgk. With the other operators the moments that it does not reach
// grow as without it. All operators misplace boundaries as τ grows.
func tauLimits(f *casefile.Fluid) (low, high limits) {
	low = limits{Caution: 0.505, unsafe: 0.501, least: true, why: "below %g: " + f.Collision + " hardly damps small scales here and may diverge"}
	switch {
	case f.LES > 0 && f.Collision == "bgk":
		low = limits{Caution: none, unsafe: none, least: true}
	case f.Collision == "bgk":
		low.Caution, low.unsafe = 0.51, 0.503
	case f.Collision == "recursive": // stable however small τ − ½ is
		low.Caution, low.unsafe = none, none
	case f.Collision != "trt": // built to damp what bgk does not
		low.unsafe = none
	}
	return low, limits{Caution: largestTau[placesWalls(f.Collision)], unsafe: none, why: "above %g: " + tauReasons[placesWalls(f.Collision)] + "; lower reference.velocity"}
}

// placesWalls tells of the operators that put walls where they are whatever τ is: those that hold
// Λ, on which alone steady slow flows depend (Ginzburg et al. 2008). At τ = 2.4 they were to 0.1 %.
func placesWalls(collision string) bool { return collision == "trt" || collision == "mrt" }

// largestTau are the bounds on τ by whether walls keep their place; tauReasons are why.
var (
	largestTau = map[bool]float64{false: 1, true: 3}
	tauReasons = map[bool]string{false: "walls act away from their place", true: "viscosity carries changes over a node in a step, and what varies in time is blurred"}
)

// gridReynoldsLimits are bounds on U Δx/ν, with remedies that there is room for.
func gridReynoldsLimits(c *casefile.Case, in room) limits {
	l := operatorLimits(c, in)
	name := c.Fluid.Collision
	if to := pressureToOutflow[name]; to > 0 && c.Fluid.LES == 0 && l.unsafe > to && entersByPressure(c) {
		l = limits{Caution: math.Min(l.Caution, to), unsafe: to, why: "above %.3g: " + fmt.Sprintf("with %s waves grow between a pressure and an outflow face that face each other from %.3g on; use recursive, or give the velocity where fluid enters, or take a finer grid", name, to)}
	}
	return l
}

// pressureToOutflow is up to which grid Reynolds number nothing grows in a stream from a pressure face
// to an outflow (validation/stability/results.md, U = 0.1 and 0.05, the least); those not named are stable to 10⁴,
// or judged by lower bounds.
var pressureToOutflow = map[string]float64{"bgk": 21.2, "regularized": 20.9}

// entersByPressure reports whether a pressure face is opposite an outflow.
func entersByPressure(c *casefile.Case) bool {
	for a := range c.Domain.Dim {
		low, high := lbm.FaceKinds[c.Domain.Boundary[2*a].Type], lbm.FaceKinds[c.Domain.Boundary[2*a+1].Type]
		if low.HoldsPressure() && high.HoldsPressure() && low != high {
			return true
		}
	}
	return false
}

// operatorLimits are those bounds by operator, model and walls. Beyond 10 the shear layers of a bluff
// body are thinner than the grid. The unsafe bounds keep below where this solver
// was seen to diverge, at U of 0.05 and 0.1: a cylinder of 8 or 10 nodes in a stream
// at 12.5 (trt with Λ = 3/16, mrt) and 100 (bgk), the same in a periodic box at 50 (trt)
// and 100 (bgk), a cylinder of 20 nodes in a stream at 50 (regularized), a cavity of 32 × 32 nodes at 50 (trt, mrt, regularized) and 20 (bgk).
// Where fluid enters, and for mrt in streams and beside faces that move along
// themselves, they are those where perturbations begin to grow (validation/stability).
func operatorLimits(c *casefile.Case, in room) limits {
	l := limits{Caution: 10, unsafe: 40, why: "above %g: shear layers are thinner than the grid, and bgk may diverge"}
	instead := "use recursive or bgk, or a finer grid"
	if c.Fluid.LES > 0 {
		instead = besideModelText(c, in)
	}
	switch {
	case c.Fluid.LES > 0 && c.Fluid.Collision == "bgk":
		to := modelledTo(c, "bgk", c.Fluid.LES)
		l = limits{Caution: math.Min(modelled, to), unsafe: to, why: "above %.3g: " +
			fmt.Sprintf("most of what the flow does is left to the turbulence model, and with the constant %g the flow diverges or is noise of the grid from about %.3g on; ", c.Fluid.LES, to) + instead}
	case c.Fluid.LES > 0 && c.Fluid.Collision == "regularized":
		l = limits{Caution: 10, unsafe: 40, why: "above %g: what is thinner than the grid becomes noise with regularized, which the turbulence model does not reach; " + instead}
	case c.Fluid.Collision == "trt" && isOpen(c):
		unsafe := trtStableTo(c.Fluid.Magic, hasFace(c, func(k lbm.FaceKind) bool { return k == lbm.Velocity }) || givesVelocity(c))
		l = limits{Caution: min(8, unsafe), unsafe: unsafe, why: "above %.3g: " +
			fmt.Sprintf("with trt waves grow where fluid enters from %.3g on; ", unsafe) + instead}
	case c.Fluid.Collision == "mrt" && (isOpen(c) || !hasWalls(c)):
		l = limits{Caution: 8, unsafe: 10, why: "above %g: waves grow in any stream with mrt; " + instead}
	case c.Fluid.Collision == "recursive" && bouncesAlong(c):
		l = limits{Caution: 5, unsafe: 30, why: "above %g: recursive lets waves grow beside walls that move along themselves; use trt, or a finer grid"}
	case c.Fluid.Collision == "recursive" && c.Fluid.LES > 0 && hasCorners(c):
		to := modelledTo(c, "recursive", c.Fluid.LES)
		l = limits{Caution: math.Min(modelled, to), unsafe: to, why: "above %.3g: most of what the flow does is left to the turbulence model" +
			fmt.Sprintf(", and at the corners of walls the constant %g leaves noise of the grid from about %.3g on; ", c.Fluid.LES, to) + instead}
	case c.Fluid.Collision == "recursive" && c.Fluid.LES > 0: // a cylinder of 20 nodes ran without noise at 5,000
		l = limits{Caution: modelled, unsafe: none, why: "above %g: most of what the flow does is left to the turbulence model"}
	case c.Fluid.Collision == "recursive" && (len(c.Bodies) > 0 || hasWalls(c)): // the same without: to 500, or 100 with ib.correction = "none", where 250 diverged
		l = limits{Caution: 10, unsafe: 100, why: "above %g: shear layers are thinner than the grid, and beside bodies the flow may diverge; add fluid.les, or take a finer grid"}
	case c.Fluid.Collision == "recursive": // nothing grows up to 10⁴ at least
		l = limits{Caution: 10, unsafe: none, why: "above %g: shear layers are thinner than the grid, which runs and is not resolved"}
	case (c.Fluid.Collision == "mrt" || c.Fluid.Collision == "regularized") && movesAlong(c):
		l = limits{Caution: 5, unsafe: 30, why: "above %g: " + c.Fluid.Collision + " lets waves grow beside faces that move along themselves; use trt, or a finer grid"}
	case c.Fluid.Collision == "mrt" || c.Fluid.Collision == "regularized":
		l = limits{Caution: 10, unsafe: 40, why: "above %g: shear layers are thinner than the grid, and " + c.Fluid.Collision + " diverges or makes noise of them"}
	case c.Fluid.Collision == "trt" && !hasWalls(c):
		unsafe := trtStreamTo(c.Fluid.Magic)
		l = limits{Caution: 10, unsafe: unsafe, why: "above %.3g: shear layers are thinner than the grid, " +
			fmt.Sprintf("and with trt waves grow in any stream from %.3g on; ", unsafe) + instead}
	case c.Fluid.Collision == "trt":
		l = limits{Caution: 10, unsafe: 30, why: "above %g: shear layers are thinner than the grid, and trt may diverge"}
	case hasWalls(c):
		l = limits{Caution: 10, unsafe: 15, why: "above %g: bgk may diverge beside walls; use trt, or a finer grid"}
		if c.GridReynolds() > 30 || isOpen(c) { // nor does trt hold there
			l.why = "above %g: bgk may diverge beside walls; use a finer grid"
		}
	}
	return l
}

// trtStableTo is the grid Reynolds number up to which perturbations of a stream that enters
// through a velocity face, or through a pressure face, do not grow with TRT: linear between the
// rows of validation/stability/results.md, the least of all directions.
func trtStableTo(magic float64, velocity bool) float64 {
	rows := [...]struct{ magic, velocity, pressure float64 }{
		{0.01, 18.8, 18.8}, {0.043, 13.6, 13.6}, {1. / 12, 14, 10.5}, {3. / 16, 10.6, 7.7}, {1. / 4, 10, 7},
	}
	of := func(k int) float64 {
		if velocity {
			return rows[k].velocity
		}
		return rows[k].pressure
	}
	if magic <= rows[0].magic {
		return of(0)
	}
	for k := 1; k < len(rows); k++ {
		if a, b := rows[k-1].magic, rows[k].magic; magic <= b {
			return of(k-1) + (of(k)-of(k-1))*(magic-a)/(b-a)
		}
	}
	return of(len(rows) - 1)
}

// trtStreamTo is the grid Reynolds number up to which perturbations of a stream without faces do not grow with TRT: linear
// between the rows of validation/stability/results.md, the least of all directions. With Λ = 3/16 a stream at 22.5° had no noise
// after 40,000 steps at 18.75 and was noise at 25; with 1/12 it diverged at 30.
func trtStreamTo(magic float64) float64 {
	rows := [...]struct{ magic, to float64 }{{0.01, 20.6}, {0.036, 14.9}, {1. / 12, 16.8}, {3. / 16, 20}, {1. / 4, 17.5}}
	for k := 1; k < len(rows); k++ {
		if a, b := rows[k-1], rows[k]; magic <= b.magic {
			return a.to + (b.to-a.to)*math.Max(0, (magic-a.magic)/(b.magic-a.magic))
		}
	}
	return rows[len(rows)-1].to
}

// movesAlong reports whether a face of the domain moves along itself.
func movesAlong(c *casefile.Case) bool {
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		along := f.Value
		along[i/2] = 0
		if lbm.FaceKinds[f.Type].HasVelocity() && setup.Length(along) > 0 {
			return true
		}
	}
	return false
}

// bouncesAlong reports whether populations bounce off a face that moves along itself with
// recursive collision: off moving walls, and off velocity faces of a box that nothing leaves.
func bouncesAlong(c *casefile.Case) bool {
	if !letsOut(c) {
		return movesAlong(c)
	}
	for i := range 2 * c.Domain.Dim {
		if f := &c.Domain.Boundary[i]; f.Type == "moving-wall" && setup.Length(f.Value) > 0 {
			return true
		}
	}
	return false
}

// letsOut reports whether the fluid itself would tell that it leaves the domain somewhere.
func letsOut(c *casefile.Case) bool {
	flow := lbm.Config{Lattice: lbm.Lattices[c.Domain.Lattice], Size: c.Domain.Nodes}
	d := setup.Domain{Grid: setup.Grid{Case: c, Units: c.Units(), Flow: flow}}
	for i := range 2 * c.Domain.Dim {
		d.Flow.Faces[i] = d.Face(i)
	}
	return d.Flow.LetsOut()
}

// givesVelocity reports whether a port of a vessel prescribes velocity. Waves grew in a tree of arteries with Λ = 3/16 where 15 was reached in the middle of its
// inlet, and did not at 10, nor at 15 with 0.05: the bounds are those of velocity faces.
func givesVelocity(c *casefile.Case) bool {
	return slices.ContainsFunc(c.Ports, func(p casefile.Port) bool { return p.Type == "velocity" })
}

// hasFace reports whether a face of the domain is such a one.
func hasFace(c *casefile.Case, such func(lbm.FaceKind) bool) bool {
	for i := range 2 * c.Domain.Dim {
		if such(lbm.FaceKinds[c.Domain.Boundary[i].Type]) {
			return true
		}
	}
	return false
}

// hasWalls reports whether fluid sticks to a face, a solid or a vessel.
func hasWalls(c *casefile.Case) bool {
	return hasFace(c, func(k lbm.FaceKind) bool { return k.IsWall() && !k.IsMirror() }) || len(c.Solids) > 0 || c.Domain.Vessel != nil
}

// isOpen reports whether fluid passes through a face or a port.
func isOpen(c *casefile.Case) bool { return hasFace(c, lbm.FaceKind.IsOpen) || len(c.Ports) > 0 }

// judged is a value with its verdict.
func judged(v float64, l limits) *Judged {
	j := &Judged{Value: finite.Number(v)}
	j.judge(l)
	return j
}

// judge sets the verdict on a value; a worse one from before stays.
func (j *Judged) judge(l limits) {
	passed := func(bound float64) bool {
		if l.least {
			return float64(j.Value) < bound
		}
		return float64(j.Value) > bound
	}
	verdict, bound := OK, 0.
	switch {
	case passed(l.unsafe):
		verdict, bound = Unsafe, l.unsafe
	case passed(l.Caution):
		verdict, bound = Caution, l.Caution
	}
	if severity[verdict] <= severity[j.Verdict] {
		return
	}
	j.Verdict = verdict
	switch {
	case verdict == OK:
	case strings.Contains(l.why, "%"):
		j.Reason = fmt.Sprintf(l.why, bound)
	default:
		j.Reason = l.why
	}
}

// scales fills in what the reference fixes.
func (r *Report) scales(c *casefile.Case) {
	u := c.Units()
	r.Scales = ScalesReport{}
	s := &r.Scales
	s.Dx, s.Dt = scale(u, casefile.Length, u.Dx), scale(u, casefile.Time, u.Dt)
	s.Viscosity, s.Reynolds, s.Collision = finite.Number(u.Nu), finite.Number(c.Reference.Reynolds), c.Fluid.Collision
	s.Smagorinsky = finite.Number(c.Fluid.LES)
	s.Tau.Value, s.Mach.Value, s.GridReynolds.Value = finite.Number(c.WallTau()), finite.Number(u.Mach*Fastest(c)), finite.Number(c.GridReynolds())
	low, high := tauLimits(&c.Fluid)
	s.Tau.judge(low)
	s.Tau.judge(high)
	if law := c.Fluid.Rheology; law.Type != "" {
		s.TauAtRest = judged(0.5+3*u.Nu*law.Zero/c.Reference.Viscosity, high)
	}
	s.Mach.judge(machLimits(float64(s.Mach.Value), len(c.Bodies) > 0))
	s.fastest = Fastest(c)
	if c.Fluid.Collision == "trt" {
		s.Magic = finite.Number(c.Fluid.Magic)
		if c.Fluid.Magic == c.DefaultMagic() && c.Fluid.Magic < lbm.MagicPoiseuille {
			s.MagicReason = fmt.Sprintf("Λ = %.3g instead of 3/16: with that, waves grow where fluid enters from U Δx/ν = %.3g on; it does not matter away from walls, and fluid.magic = 0.1875 puts straight walls exactly between nodes",
				c.Fluid.Magic, trtStableTo(lbm.MagicPoiseuille, hasFace(c, func(k lbm.FaceKind) bool { return k == lbm.Velocity })))
		}
	}
	s.GridReynolds.judge(gridReynoldsLimits(c, r.room))
}

func scale(u casefile.Units, q casefile.Quantity, v float64) Scale {
	s := Scale{Value: v}
	if si, ok := u.ToSI(q, v); ok {
		n := finite.Number(si)
		s.SI, s.SIUnit = &n, u.SIUnit(q)
	}
	return s
}

// duration compares the run with the time that the flow needs to cross the domain or, where that is
// shorter, viscosity.
func (r *Report) duration(p *setup.Problem) {
	c := p.Case
	r.Run = RunReport{Steps: c.Run.Steps, Time: c.Run.Time, Steady: steadinessOf(p), steadyBound: p.SteadyBound()}
	r.Run.Start = startOf(c)
	if v, axis := setup.StreamOf(c); isOpen(c) && v != 0 {
		least := math.Inf(1)
		for _, s := range c.Domain.Size[:c.Domain.Dim] {
			least = math.Min(least, s)
		}
		r.Run.FlowThroughs = judged(c.Run.Time*math.Abs(v)/c.Domain.Size[axis], flowThroughLimits)
		if across := c.Run.Time * c.WallViscosity() / (least * least); across >= flowThroughLimits.Caution { // the slowest mode has decayed by e^(−π²)
			r.Run.FlowThroughs.Verdict, r.Run.FlowThroughs.Reason = OK, ""
		}
	}
}

// body is how body i is resolved, without its weights.
func (r *Report) body(p *setup.Problem, i int) BodyReport {
	b, given := p.Bodies[i], p.Case.Bodies[i]
	s := BodyReport{Name: b.Name, Shape: given.Shape.Type, Markers: b.Markers.Len(), SpacingAsked: finite.Number(math.NaN())}
	s.Nodes = *judged(b.Shape.Length(), nodesLimits)
	s.Line, s.Sheet = lineOf(p, i), sheetOf(p, i)
	s.Spacing = spacingOf(p, i, s.Line, s.Sheet)
	if given.Spacing > 0 {
		s.SpacingAsked = finite.Number(given.Spacing)
	}
	s.Blockage = blockage(p, b.Shape, setup.HeadingOf(p.Case, &given).Axis)
	s.Layer, s.Eddies = layerOf(p, i, r.room.holds, math.NaN()), plateEddies(p, i)
	s.Shedding, s.Release = slowSheddingOf(p, i), releaseOf(p, i)
	s.moves(p, i)
	var err error
	if ask := p.AskScale(given.Shape); ask != "" {
		if s.Nodes.Reason += ask; severity[s.Nodes.Verdict] < severity[Caution] {
			s.Nodes.Verdict = Caution
		}
	}
	if s.Mesh, err = meshReport(p, &given, b.Shape); err != nil {
		r.refuse(p.Case.Errorf(p.Case.Bodies[i].Key+".shape.file", "%v", err))
	}
	return s
}

// spacingOf is how far the markers of body i are apart, in nodes; automatic spacing is what the weights need, and not judged.
func spacingOf(p *setup.Problem, i int, line *LineReport, sheet *SheetReport) Judged {
	b := p.Bodies[i]
	actual := math.Pow(b.Shape.Surface()/float64(b.Markers.Len()), 1/float64(b.Shape.Dim()-1))
	if line != nil {
		actual = float64(line.Edge)
	}
	if sheet != nil {
		actual = math.Sqrt(float64(sheet.Edge[0] * sheet.Edge[1]))
	}
	j := Judged{Value: finite.Number(actual), Verdict: OK}
	if p.Case.Bodies[i].Spacing > 0 {
		j.judge(spacingLimits)
	}
	return j
}

// blockage is the width of a body over the distance of the nearest pair of walls
// beside its heading; nil without such walls. No-slip walls are taken as part of the
// flow that is wanted.
func blockage(p *setup.Problem, s geometry.Shape, axis int) *Judged {
	c := p.Case
	lo, hi := s.Bounds()
	var out *Judged
	for a := range c.Domain.Dim {
		if a == axis {
			continue
		}
		slip, walls := 0, 0
		for _, f := range c.Domain.Boundary[2*a : 2*a+2] {
			switch kind := lbm.FaceKinds[f.Type]; {
			case kind.IsMirror():
				slip++
				walls++
			case kind.IsWall(), kind == lbm.Velocity:
				walls++
			}
		}
		ratio := (hi[a] - lo[a]) / float64(p.Flow.Size[a])
		if walls < 2 || out != nil && float64(out.Value) >= ratio {
			continue
		}
		out = &Judged{Value: finite.Number(ratio), Verdict: OK}
		if slip > 0 {
			out.judge(blockageLimits)
		}
	}
	return out
}

// outputs counts the files and compares them with the disk.
func (r *Report) outputs(p *setup.Problem) {
	c, o := p.Case, &r.Output
	o.Directory = c.Output.Directory
	d := rundir.New(c)
	d.Outputs = observe.Patterns()
	o.Earlier = d.Clear(false) != nil
	var written float64 // by files of fields
	for _, i := range p.FieldSeries() {
		n, each := p.Steps/i.Interval, i.FileBytes(&p.Domain)
		o.Fields.Count += n
		o.Fields.Kept += n
		o.Fields.Bytes = max(o.Fields.Bytes, each)
		written += float64(n) * float64(each)
	}
	if n := c.StepsOf(c.Output.Checkpoint.Every); n > 0 {
		o.Checkpoints = FilesReport{Count: (p.Steps + n - 1) / n, Bytes: capacity.CheckpointBytes(p)}
		o.Checkpoints.Kept = min(o.Checkpoints.Count, int64(c.Output.Checkpoint.Keep))
	}
	o.Disk = Judged{Value: finite.Number(math.NaN()), Verdict: OK}
	refusal := capacity.HoldsOutput(p)
	dir, err := capacity.ExistingDirectory(c.Output.Directory)
	if err == nil {
		if o.Free, err = machine.FreeDisk(dir); err != nil {
			o.Disk.Verdict, o.Disk.Reason = Caution, err.Error()
		} else {
			o.Disk = *judged((written+float64(o.Checkpoints.Kept)*float64(o.Checkpoints.Bytes))/float64(o.Free), diskLimits)
		}
	}
	if refusal != nil {
		r.refuse(refusal)
		o.Disk.Verdict = Unsafe
	}
}
