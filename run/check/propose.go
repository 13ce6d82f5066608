package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/capacity"
	"lbmib/run/setup"
)

// aim is what a proposal is made for.
type aim struct {
	name         string
	gridReynolds float64 // at most
	mach         float64 // at most
	nodes        float64 // along the diameter of the smallest body, at least
	refine       float64 // of the case's own resolution, at least
	layer        float64 // nodes in the boundary layers of bodies, at least
}

// aims are made for: never coarser than asked and far from all bounds; as coarse
// and quick as the bounds allow; and a second resolution to see convergence by.
var aims = []aim{
	{"safe", 5, 0.1, 20, 1, 2},
	{"fast", 7.5, 0.19, 12, 0, 1.6},
	{"accurate", 2.5, 0.08, 40, 1.5, 3},
}

// tauShare keeps proposals below the bounds on τ.
const tauShare = 0.95

// slow is a grid Reynolds number up to which trt is stable at all faces with Λ = 3/16.
const slow = 6

// wantsProposals reports whether other scales would help: they are judged, or
// memory is short, or the case is refused as a whole.
func (r *Report) wantsProposals() bool {
	return r.trouble() != OK || len(r.Errors) > 0
}

// proposer adds to the report on a case what to take in its place.
type proposer struct {
	*Report
	c  *casefile.Case
	at speeds
}

// propose adds the proposals that pass the check themselves.
func (r *proposer) propose() {
	beyond, unpacked := false, false
	for _, a := range aims {
		s := a.settings(r.c, r.room.bodies)
		if len(r.c.Suspensions) > 0 && (r.nodesAt(s.resolution) > mostPacked || r.problem != nil && r.problem.Unpacked != nil) {
			unpacked = true
			continue
		}
		if s.resolution > r.largestResolution(r.c) {
			beyond = true
			continue
		}
		p := s.try(r.c)
		if p == nil && s.collision != r.c.Fluid.Collision { // its own has keys, perhaps, that the other refuses
			s.collision = r.c.Fluid.Collision
			p = s.try(r.c)
		}
		if p != nil && a.name == "fast" && r.trouble() == Caution && float64(p.updates)*float64(p.steps) > float64(r.updates())*float64(r.c.Run.Steps) {
			continue // the case as it is takes less
		}
		if p != nil {
			p.Name, p.Seconds = a.name, finite.Number(r.at.seconds(p.updates, p.markers, p.vertices, p.steps)+r.at.seam*p.ghosts*float64(p.steps))
			r.Proposals = append(r.Proposals, *p)
		}
	}
	if unpacked {
		r.Note = "finer variants were not tried: their cells would have to be packed, which takes minutes"
		return
	}
	if r.c.Fluid.LES > 0 && len(r.Proposals) > 0 && r.trouble() == Unsafe { // a larger constant is quicker than a grid that needs none
		r.proposeModel()
	}
	if len(r.Proposals) == 0 && r.proposeModel() {
		return
	}
	r.noteNothing(beyond)
}

// mostPacked is how many nodes of the box a proposal has at most where particles are packed before it can be judged.
const mostPacked = 10_000_000

// nodesAt is how many nodes the box has at a resolution.
func (r *proposer) nodesAt(resolution float64) float64 {
	d := &r.c.Domain
	n := 1.
	for a := range d.Dim {
		n *= d.Size[a] * resolution
	}
	return n
}

// noteNothing says why there are no, or fewer, proposals; beyond: some need more memory than there is.
func (r *proposer) noteNothing(beyond bool) {
	switch {
	case beyond && len(r.Proposals) == 0:
		r.Note = r.no()
	case beyond:
		r.Note = "finer variants need more memory than this machine has"
	case len(r.Proposals) > 0 || r.namesScales(): // the refusals tell which resolution or velocity mends them
	case len(r.Errors) > 0 && !slices.ContainsFunc(r.Errors, func(text string) bool { return !strings.Contains(text, "hdf5:") }):
		// a library that is missing, which the error tells how to install: no case is at fault
	case len(r.Errors) > 0:
		r.Note = "changing the resolution or velocity does not help here: change the case as its errors say"
	default:
		r.Note = "no resolution and velocity were found that avoid all remarks: change the case as the remarks say"
	}
}

// namesScales tells whether a refusal names a resolution or velocity that mends it.
func (r *Report) namesScales() bool {
	return slices.ContainsFunc(r.Errors, func(text string) bool {
		return strings.Contains(text, "reference.resolution") || strings.Contains(text, "reference.velocity")
	})
}

// settings are the values that a proposal sets.
type settings struct {
	resolution, velocity float64
	collision            string
	les                  float64 // Smagorinsky's constant to be set; 0: that of the case
}

// settings solves for the values that meet the aim. The grid Reynolds number is
// Re over the nodes per L whatever the velocity, which is left to be as high as
// the Mach number and τ allow.
func (a aim) settings(c *casefile.Case, bodies []extent) settings {
	grid := a.gridReynolds
	if c.Fluid.LES > 0 { // the model carries what the grid does not
		grid = math.Min(math.Min(8*grid, modelled), modelMargin*modelledTo(c, besideModel(c), c.Fluid.LES))
	}
	n := math.Max(c.Reference.Reynolds/grid, a.refine*c.Reference.Resolution)
	for _, b := range bodies {
		n = math.Max(n, math.Max(a.nodes/b.length, a.layer/b.layer))
	}
	s := settings{resolution: roundUp(n), collision: "bgk"}
	switch {
	case c.Fluid.LES > 0: // beside the model the others make noise
		s.collision = besideModel(c)
	case c.Fluid.Collision == "mrt", c.Fluid.Collision == "regularized", c.Fluid.Collision == "recursive":
		s.collision = c.Fluid.Collision // chosen for what it does
	case !isOpen(c), c.Reference.Reynolds/n < 1, c.Fluid.Collision == "trt" && c.Reference.Reynolds/n < slow:
		s.collision = "trt" // beside walls it places them better and is stabler; at open faces it is not where the grid is coarse
	}
	s.velocity = a.mach / math.Sqrt(3) / Fastest(c)
	viscous := (tauShare*largestTau[placesWalls(s.collision)] - 0.5) / 3 * c.Reference.Reynolds / s.resolution // U at which τ is that large
	s.velocity = roundDown(math.Min(s.velocity, viscous))
	return s
}

// triedBodies bounds the bodies that a proposal is tried with, the first of the case; all
// others are counted as being like them.
const triedBodies = 500

// try is the proposal of the settings for a case; nil where they do not pass.
func (s settings) try(c *casefile.Case) *Proposal {
	flags := []string{
		fmt.Sprintf("reference.resolution=%v", s.resolution),
		fmt.Sprintf("reference.velocity=%v", s.velocity),
		fmt.Sprintf("fluid.collision=%s", s.collision),
	}
	if s.les > 0 {
		flags = append(flags, "fluid.les.type=smagorinsky", fmt.Sprintf("fluid.les.constant=%v", s.les))
	}
	parse := func() (*casefile.Case, error) { return c.With(flags, triedBodies) }
	t, err := parse()
	if err == nil && math.Abs(t.Run.Time-c.Run.Time) > 1e-6*c.Run.Time { // the case counts steps, which are shorter now
		flags = append(flags, fmt.Sprintf("run.time=%.6g", c.Run.Time))
		if t, err = parse(); err != nil { // the user set steps, beside which time may not be set
			flags[len(flags)-1] = fmt.Sprintf("run.steps=%.0f", c.Run.Time*s.resolution/s.velocity)
			t, err = parse()
		}
	}
	if err != nil {
		return nil
	}
	share := 1.
	if len(t.Bodies) > 0 {
		t.Bodies = t.Bodies[:min(len(t.Bodies), triedBodies)]
		share = float64(len(c.Bodies)) / float64(len(t.Bodies))
	}
	r := Assess(t, setup.Kernel{})
	r.conclude()
	if trouble := r.trouble(); r.Verdict == Refused || trouble == Unsafe || trouble != OK && s.les == 0 {
		return nil
	}
	memory := r.Memory.Needed + int64((share-1)*float64(capacity.WindowBytes(r.problem)))
	if r.Memory.Available > 0 && memory > r.Memory.Available {
		return nil
	}
	nodes, ghosts := r.Domain.Total, 0.
	if r.Grids != nil {
		nodes, ghosts = int(r.Grids.Nodes), ghostsOf(r.problem)
	}
	return &Proposal{
		Set: flags, Resolution: s.resolution, Velocity: s.velocity, Collision: s.collision,
		Tau: float64(r.Scales.Tau.Value), Mach: float64(r.Scales.Mach.Value), GridReynolds: float64(r.Scales.GridReynolds.Value),
		Nodes: nodes, updates: r.updates(), ghosts: ghosts, Memory: memory, steps: t.Run.Steps, markers: int(share * float64(r.markers())), vertices: r.vertices(),
	}
}

// largestResolution is what the machine's memory holds of the case, with room to
// spare; without bound where it is not known.
func (r *Report) largestResolution(c *casefile.Case) float64 {
	if r.Memory.Available == 0 || r.Memory.Needed == 0 {
		return math.Inf(1)
	}
	room := memoryLimits.Caution * float64(r.Memory.Available) / float64(r.Memory.Needed)
	return c.Reference.Resolution * math.Pow(room, 1/float64(c.Domain.Dim))
}

// roundUp and roundDown keep two digits; roundUp gives whole numbers from 1 on.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Max(0, math.Floor(math.Log10(v))-1))
	if v < 1 {
		unit = math.Pow(10, math.Floor(math.Log10(v))-1)
	}
	return digits(math.Ceil(v/unit*(1-1e-12)) * unit)
}

func roundDown(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return digits(math.Floor(v/unit*(1+1e-12)) * unit)
}

// digits removes what rounding left behind the second digit.
func digits(v float64) float64 {
	var clean float64
	fmt.Sscan(fmt.Sprintf("%.3g", v), &clean)
	return clean
}
