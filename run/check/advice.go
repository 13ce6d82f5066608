package check

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// Check, run and the note after a divergence take their advice from here, so that it is the same:
// values that pass the check or, where no grid of this machine's memory resolves the flow, the same flow
// with a turbulence model or, where that does not run either, a plain no.

// ModelConstants are Smagorinsky's, in the order in which they are tried: each lets the grid be coarser,
// and leaves more of the flow to the model.
var ModelConstants = []float64{0.1, 0.2, 0.3}

// modelShare is the part of modelledTo that is proposed.
const modelShare = 0.5

// modelLayer is by how much layers of what is proposed with a model are thicker than those that are unsafe.
const modelLayer = 1.05

// modelMargin keeps finer grids below modelledTo, where noise begins.
const modelMargin = 0.75

// proposeModel adds, of a flow that is too fine for this machine, the one with a turbulence model that
// runs with the least of it, on a coarser grid than all that is proposed already; it tells whether there is one.
func (r *proposer) proposeModel() bool {
	if len(r.Errors) > 0 {
		return false
	}
	for _, constant := range ModelConstants {
		if constant < r.c.Fluid.LES {
			continue
		}
		s := modelSettings(r.c, constant, r.room.bodies)
		if s.resolution > r.largestResolution(r.c) || slices.ContainsFunc(r.Proposals, func(p Proposal) bool { return p.Resolution <= s.resolution }) {
			continue
		}
		p := s.try(r.c)
		if p == nil {
			continue
		}
		alone := len(r.Proposals) == 0
		p.Name, p.Seconds = "modelled", finite.Number(r.at.seconds(p.updates, p.markers, p.vertices, p.steps)+r.at.seam*p.ghosts*float64(p.steps))
		r.Proposals = append(r.Proposals, *p)
		if !alone {
			return true
		}
		r.Note = fmt.Sprintf("%.4g nodes per L, the most that this machine's memory holds, do not resolve Re = %.4g: the case runs with a turbulence model, on which forces then depend by more than a percent; for results known better %sshrink domain.size or use a larger machine",
			math.Floor(r.largestResolution(r.c)), r.c.Reference.Reynolds, r.lower())
		return true
	}
	return false
}

// ProposeConstant is what to take with a turbulence model of that constant; nil where it does not help.
func ProposeConstant(c *casefile.Case, constant float64) *Proposal {
	p, err := setup.New(c, setup.PackBriefly)
	if err != nil {
		return nil
	}
	return modelSettings(c, constant, extentsOf(c, p)).try(c)
}

// modelSettings are the values with which a flow runs on a model with a constant.
func modelSettings(c *casefile.Case, constant float64, bodies []extent) settings {
	to := math.Min(modelledTo(c, besideModel(c), constant), recursiveTo)
	n := math.Max(c.Reference.Resolution, c.Reference.Reynolds/(modelShare*to))
	for _, b := range bodies { // with layers that are not unsafe
		n = math.Max(n, math.Max(10/b.length, thickness(c)/b.layer))
	}
	return settings{resolution: roundUp(n), velocity: roundDown(0.1 / math.Sqrt(3) / Fastest(c)), collision: besideModel(c), les: constant}
}

// thickness is how many nodes layers have at least in what is proposed with a model.
func thickness(c *casefile.Case) float64 {
	return modelLayer * layersOf(c.IB.Correction == "slip").unsafe
}

// resolvedTo is the Reynolds number that the finest grid of this machine's memory resolves as
// the first of the aims does.
func (r *proposer) resolvedTo() float64 {
	n, a := r.largestResolution(r.c), aims[0]
	re := n * a.gridReynolds
	for _, b := range r.room.bodies {
		re = math.Min(re, b.resolvedTo(r.c.Reference.Reynolds, n, a.layer))
	}
	return roundDown(re)
}

// lower says to lower the Reynolds number to what this machine resolves; empty where it is as low, and something else hinders.
func (r *proposer) lower() string {
	if to := r.resolvedTo(); to < r.c.Reference.Reynolds {
		return fmt.Sprintf("lower the Reynolds number to %.3g, ", to)
	}
	return ""
}

// no says that a case does not run here, and what is nearest to it that does.
func (r *proposer) no() string {
	if r.lower() == "" {
		return fmt.Sprintf("no: no finer grid fits this machine's memory, which holds %.4g nodes per L at most, and a lower Reynolds number does not help: shrink domain.size, use a larger machine, or change what the report judges above",
			math.Floor(r.largestResolution(r.c)))
	}
	text := fmt.Sprintf("no: at Re = %.4g this case runs on no grid that fits this machine's memory, which holds %.4g nodes per L at most, not even with a turbulence model: shrink domain.size or use a larger machine; ",
		r.c.Reference.Reynolds, math.Floor(r.largestResolution(r.c)))
	if p, reynolds := r.nearest(); p != nil {
		return text + fmt.Sprintf("what runs here is resolved up to Re = %.3g and, with the model, up to Re = %.3g: --set %s", r.resolvedTo(), reynolds, strings.Join(p.Set, " --set "))
	}
	return text + fmt.Sprintf("or lower the Reynolds number to %.3g", r.resolvedTo())
}

// nearest is the same flow at the highest Reynolds number, of two digits, that passes the check with a turbulence model on
// the finest grid of this machine's memory, and that number; nil where none does.
func (r *proposer) nearest() (best *Proposal, reynolds float64) {
	n := math.Floor(r.largestResolution(r.c))
	for _, constant := range ModelConstants {
		if constant < r.c.Fluid.LES {
			continue
		}
		re := n * modelShare * math.Min(modelledTo(r.c, besideModel(r.c), constant), recursiveTo)
		for _, b := range r.room.bodies {
			re = math.Min(re, b.resolvedTo(r.c.Reference.Reynolds, n, thickness(r.c)))
		}
		re = roundDown(re)
		if !(re > reynolds && re < r.c.Reference.Reynolds) {
			continue
		}
		set := fmt.Sprintf("reference.reynolds=%v", re)
		lower, err := r.c.With([]string{set}, triedBodies)
		if err != nil {
			return best, reynolds
		}
		bodies := slices.Clone(r.room.bodies)
		for i, b := range bodies {
			bodies[i] = b.at(r.c.Reference.Reynolds, re)
		}
		s := modelSettings(lower, constant, bodies)
		s.resolution = math.Min(s.resolution, n) // which is rounded up
		if p := s.try(lower); p != nil {
			p.Set = append([]string{set}, p.Set...)
			best, reynolds = p, re
		}
	}
	return best, reynolds
}

// Advice is what to do about a case that is unsafe, or that diverged, in words.
func Advice(c *casefile.Case, diverged bool) string {
	r := proposed(c)
	for _, p := range r.Proposals {
		if !diverged || !p.isOf(c) {
			return r.try(c, p)
		}
	}
	if len(r.Proposals) > 0 {
		return "try: resolution and velocity are already those that check proposes: look for faces, initial state and motions that contradict each other"
	}
	return r.Note
}

// FinerAdvice is Advice where the flow itself has told that its grid is too coarse: the same, of finer grids alone.
func FinerAdvice(c *casefile.Case) string {
	r := proposed(c)
	for _, p := range r.Proposals {
		if p.Resolution > c.Reference.Resolution {
			return r.try(c, p)
		}
	}
	if n := roundUp(1.5 * c.Reference.Resolution); n <= r.largestResolution(c) {
		return fmt.Sprintf("try: --set reference.resolution=%v", n)
	}
	return fmt.Sprintf("no: finer grids need more memory than this machine has, which holds %.4g nodes per L at most: lower the Reynolds number, shrink domain.size or use a larger machine", math.Floor(r.largestResolution(c)))
}

// proposed is the report on a case with its proposals.
func proposed(c *casefile.Case) *Report {
	r := Assess(c, setup.Kernel{})
	(&proposer{r, c, speeds{mflups: math.NaN(), marker: math.NaN()}}).propose()
	return r
}

// try tells of a proposal and, beside a finer one, of that with a turbulence model.
func (r *Report) try(c *casefile.Case, p Proposal) string {
	text := "try: --set " + strings.Join(p.Set, " --set ")
	last := r.Proposals[len(r.Proposals)-1]
	switch {
	case p.Name == "modelled" && r.Note != "":
		return text + fmt.Sprintf("\n%s\nlbmib check %s shows more", r.Note, c.File)
	case p.Name != "modelled" && last.Name == "modelled":
		text += fmt.Sprintf("\nor, on %.3g %% of the nodes, with more of the flow left to the turbulence model: --set %s", 100*float64(last.Nodes)/float64(p.Nodes), strings.Join(last.Set, " --set "))
	}
	return text + fmt.Sprintf("\nlbmib check %s shows more, and faster ones", c.File)
}

// isOf tells whether a proposal is what the case has.
func (p *Proposal) isOf(c *casefile.Case) bool {
	return p.Name != "modelled" && p.Resolution == c.Reference.Resolution && p.Velocity == c.Reference.Velocity && p.Collision == c.Fluid.Collision
}
