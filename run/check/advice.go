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

// modelMargin keeps finer grids below modelledTo, where noise begins.
const modelMargin = 0.75

// proposeModel adds, of a flow that is too fine for this machine, the one with a turbulence model that
// runs with the least of it, on a coarser grid than all that is proposed already; it tells whether there is one.
func (r *Report) proposeModel(c *casefile.Case, at speeds) bool {
	if len(r.Errors) > 0 {
		return false
	}
	for _, constant := range ModelConstants {
		if constant < c.Fluid.LES {
			continue
		}
		s := modelSettings(c, constant)
		if s.resolution > r.largestResolution(c) || slices.ContainsFunc(r.Proposals, func(p Proposal) bool { return p.Resolution <= s.resolution }) {
			continue
		}
		p := s.try(c)
		if p == nil {
			continue
		}
		alone := len(r.Proposals) == 0
		p.Name, p.Seconds = "modelled", finite.Number(at.seconds(p.Nodes, p.markers, p.steps))
		r.Proposals = append(r.Proposals, *p)
		if !alone {
			return true
		}
		r.Note = fmt.Sprintf("no resolution that this machine's memory holds resolves Re = %.4g: it runs with a turbulence model, of which forces are then a part, and no number of it is known to a percent; for one that is, lower the Reynolds number to %.3g, shrink domain.size or use a larger machine",
			c.Reference.Reynolds, r.resolvedTo(c))
		return true
	}
	return false
}

// ProposeConstant is what to take with a turbulence model of that constant; nil where it does not help.
func ProposeConstant(c *casefile.Case, constant float64) *Proposal {
	return modelSettings(c, constant).try(c)
}

// modelSettings are the values with which a flow runs on a model with a constant.
func modelSettings(c *casefile.Case, constant float64) settings {
	to := math.Min(modelledTo(c, besideModel(c), constant), recursiveTo)
	n := math.Max(c.Reference.Resolution, c.Reference.Reynolds/(modelShare*to))
	for _, b := range c.Bodies {
		if l := b.Shape.Length(c.Reference.Resolution); l > 0 {
			n = math.Max(n, 10/l)
			if l*c.Reference.Reynolds > 1 { // a layer that is not unsafe
				n = math.Max(n, 1.05*layersOf(c.IB.Correction == "slip").unsafe*math.Sqrt(c.Reference.Reynolds/l))
			}
		}
	}
	return settings{resolution: roundUp(n), velocity: roundDown(0.1 / math.Sqrt(3) / Fastest(c)), collision: besideModel(c), les: constant}
}

// resolvedTo is the Reynolds number that the finest grid of this machine's memory resolves as
// the first of the aims does.
func (r *Report) resolvedTo(c *casefile.Case) float64 {
	n, a := r.largestResolution(c), aims[0]
	re := n * a.gridReynolds
	for _, b := range c.Bodies {
		if l := b.Shape.Length(c.Reference.Resolution); l > 0 {
			re = math.Min(re, l*n*n/(a.layer*a.layer))
		}
	}
	return roundDown(re)
}

// no says that a case does not run here.
func (r *Report) no(c *casefile.Case) string {
	return fmt.Sprintf("no: at Re = %.4g this case runs on no grid that this machine's memory holds, %.3g nodes per L at most, with a turbulence model neither: lower the Reynolds number to %.3g, shrink domain.size or use a larger machine",
		c.Reference.Reynolds, math.Floor(r.largestResolution(c)), r.resolvedTo(c))
}

// Advice is what to do about a case that is unsafe, or that diverged, in words.
func Advice(c *casefile.Case, diverged bool) string {
	r := Assess(c, setup.Kernel{})
	r.propose(c, speeds{mflups: math.NaN(), marker: math.NaN()})
	for _, p := range r.Proposals {
		if diverged && p.isOf(c) {
			continue
		}
		text := "try: --set " + strings.Join(p.Set, " --set ")
		if p.Name == "modelled" {
			return text + fmt.Sprintf("\n%s\nlbmib check %s shows more", r.Note, c.File)
		}
		return text + fmt.Sprintf("\nlbmib check %s shows more, and faster ones", c.File)
	}
	if len(r.Proposals) > 0 {
		return "try: the scales are those that check proposes: look at faces, initial state and motions for what contradicts"
	}
	return r.Note
}

// isOf tells whether a proposal is what the case has.
func (p *Proposal) isOf(c *casefile.Case) bool {
	return p.Name != "modelled" && p.Resolution == c.Reference.Resolution && p.Velocity == c.Reference.Velocity && p.Collision == c.Fluid.Collision
}
