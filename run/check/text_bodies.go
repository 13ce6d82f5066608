package check

import (
	"fmt"

	"lbmib/internal/finite"
)

// shownAlike is how many bodies that are alike are printed each; the others are counted.
// The report's JSON has all.
const shownAlike = 3

// likeness is what bodies have in common that are judged alike.
type likeness struct {
	shape, motion string
	markers       int
	verdicts      [11]Verdict
}

func (b *BodyReport) likeness() likeness {
	l := likeness{shape: b.Shape, motion: b.Motion, markers: b.Markers}
	for i, j := range [...]*Judged{&b.Nodes, &b.Spacing, b.Condition, b.Layer, b.Blockage, b.Mach, b.Eddies, b.Started, b.Drives, b.Shedding, b.Release} {
		if j != nil {
			l.verdicts[i] = j.Verdict
		}
	}
	return l
}

// alike are bodies that are judged alike.
type alike struct {
	first, last string // names
	count       int
}

// writeBodies prints the first few bodies of those that are judged alike, and how many
// more there are.
func (p *page) writeBodies(r *Report) {
	known := map[likeness]*alike{}
	var groups []*alike
	for i := range r.Bodies {
		b := &r.Bodies[i]
		l := b.likeness()
		g := known[l]
		if g == nil {
			g = &alike{first: b.Name}
			known[l], groups = g, append(groups, g)
		}
		g.last = b.Name
		if g.count++; g.count <= shownAlike {
			b.write(p)
		}
	}
	titled := false
	for _, g := range groups {
		if g.count <= shownAlike {
			continue
		}
		if !titled {
			p.section("More bodies")
			titled = true
		}
		p.row(count(float64(g.count-shownAlike))+" more", fmt.Sprintf("judged like %s; the last is %s", g.first, g.last))
	}
}

// write prints a body.
func (b *BodyReport) write(p *page) {
	p.section(fmt.Sprintf("Body %s (%s)", b.Name, b.Shape))
	p.judged("diameter", fmt.Sprintf("%.4g nodes", b.Nodes.Value), b.Nodes)
	asked := "automatic"
	if finite.Is(float64(b.SpacingAsked)) {
		asked = fmt.Sprintf("%.4g asked", b.SpacingAsked)
	}
	p.row("markers", count(float64(b.Markers)))
	p.judged("spacing", fmt.Sprintf("%.4g nodes (%s)", b.Spacing.Value, asked), b.Spacing)
	if b.Condition != nil {
		text := "approximate"
		switch {
		case b.Condition.Reason == rowReason:
			text = "even"
		case finite.Is(float64(b.Condition.Value)):
			text = fmt.Sprintf("condition number %.2g", b.Condition.Value)
		}
		p.judged("marker weights", text, *b.Condition)
	}
	b.writeMotion(p)
	if b.Line != nil {
		p.writeLine(b.Line)
	}
	if b.Sheet != nil {
		p.writeSheet(b.Sheet)
	}
	if b.Layer != nil {
		p.judged("boundary layer", fmt.Sprintf("about %.2g nodes", b.Layer.Value), *b.Layer)
	}
	if b.Eddies != nil {
		p.judged("plate in eddies", fmt.Sprintf("Smagorinsky's constant %g", b.Eddies.Value), *b.Eddies)
	}
	if b.Blockage != nil {
		p.judged("blockage", fmt.Sprintf("%.3g %% of the width", 100*b.Blockage.Value), *b.Blockage)
	}
	if b.Release != nil && b.Release.Verdict != OK {
		p.judged("release", fmt.Sprintf("density jumps by %.2g %%", 100*b.Release.Value), *b.Release)
	}
	if b.Shedding != nil {
		p.judged("shedding", fmt.Sprintf("at Re = %.4g by its width", b.Shedding.Value), *b.Shedding)
	}
}
