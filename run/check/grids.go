package check

import (
	"fmt"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// GridsReport is what [[refine]] makes of the domain.
type GridsReport struct {
	Levels  []LevelReport `json:"levels"`
	Nodes   int64         `json:"nodes"`   // that make up the domain
	Updates finite.Number `json:"updates"` // of nodes in a step of the finest grid
	Gain    finite.Number `json:"gain"`    // updates of one grid of the finest nodes over these
}

// LevelReport is a level of nodes, the coarsest first.
type LevelReport struct {
	Level        int    `json:"level"`
	Width        int    `json:"width"` // of its nodes in those of the finest
	Boxes        int    `json:"boxes"`
	Nodes        int64  `json:"nodes"` // that no finer box covers
	Tau          Judged `json:"tau"`
	GridReynolds Judged `json:"grid_reynolds"`

	Filter finite.Number `json:"filter,omitempty"` // of the turbulence model: Smagorinsky's constant times the width of nodes, L
}

// gridsOf are the levels of a problem; nil: it has one grid. Viscosity is smallest, in nodes and steps, on the coarsest.
func gridsOf(p *setup.Problem, in room) *GridsReport {
	if p.Grids == nil {
		return nil
	}
	c := p.Case
	outlet := outletOf(p)
	g := &GridsReport{Nodes: p.Grids.Nodes(), Updates: finite.Number(p.Updates())}
	g.Gain = finite.Number(float64(p.Flow.Nodes()) / p.Updates())
	for i, l := range p.Grids.Levels {
		level := LevelReport{Level: i, Width: l.Width, Boxes: len(l.Parts), Nodes: l.Nodes}
		level.Tau.Value, level.GridReynolds.Value = finite.Number(l.Flow.Collision.Tau()), finite.Number(c.GridReynolds()*float64(l.Width))
		level.Filter = finite.Number(c.Fluid.LES * float64(l.Width) * p.Units.Dx)
		if l.Width > 1 {
			level.judge(c, in)
		}
		if i == 0 {
			level.judgeOutlet(c, outlet)
		}
		g.Levels = append(g.Levels, level)
	}
	return g
}

// judge judges a level that is not the finest, which is judged with the scales.
func (l *LevelReport) judge(c *casefile.Case, in room) {
	low, _ := tauLimits(&c.Fluid)
	l.Tau.judge(low)
	own := *c
	own.Fluid.Magic /= float64(l.Width * l.Width) // as on this level
	of := gridReynoldsLimits(&own, in)
	if c.Fluid.LES == 0 && !hasWalls(c) { // layers, of bodies, are on the finest level alone: a cylinder and a sphere at 33 with bgk were what they are on one grid
		if most := 0.75 * of.unsafe; most > of.Caution {
			of.Caution = most
		}
	}
	l.GridReynolds.judge(of)
	for _, j := range [2]*Judged{&l.Tau, &l.GridReynolds} {
		if j.Verdict != OK {
			j.Reason += fmt.Sprintf("; or fewer levels: level %d has nodes %d times as wide as the finest", l.Level, l.Width)
		}
	}
}

// judgements are those of all levels.
func (g *GridsReport) judgements() (all []*Judged) {
	if g == nil {
		return nil
	}
	for i := range g.Levels {
		all = append(all, &g.Levels[i].Tau, &g.Levels[i].GridReynolds)
	}
	return all
}

func (p *page) writeGrids(r *Report) {
	g := r.Grids
	if g == nil {
		return
	}
	p.section("Grids")
	for _, l := range g.Levels {
		boxes := "the domain"
		if l.Level > 0 {
			boxes = fmt.Sprintf("%d box", l.Boxes)
			if l.Boxes > 1 {
				boxes += "es"
			}
		}
		p.row(fmt.Sprintf("level %d", l.Level), fmt.Sprintf("%s: %s nodes, %d of the finest wide", boxes, count(float64(l.Nodes)), l.Width))
		if l.Width > 1 {
			p.judged("  τ", fmt.Sprintf("%.5g", l.Tau.Value), l.Tau)
			p.judged("  grid Reynolds", fmt.Sprintf("%.3g", l.GridReynolds.Value), l.GridReynolds)
		}
		if l.Filter > 0 {
			p.row("  eddies", fmt.Sprintf("modelled by ν = ℓ²|S| with ℓ = %.3g L", l.Filter))
		}
	}
	p.row("work", fmt.Sprintf("%s updates a step, of one grid %s: %.1f times as many", count(float64(g.Updates)), count(float64(r.Domain.Total)), g.Gain))
}
