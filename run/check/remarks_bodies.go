package check

import (
	"fmt"
	"math"
	"strings"

	"lbmib/run/setup"
)

// Remark is something that lessens the worth of a run's numbers.
type Remark struct {
	Verdict Verdict
	Text    string
}

func (m Remark) String() string { return string(m.Verdict) + ": " + m.Text }

// RemarksOn are what check calls other than ok, of that which decides the worth of the results: told
// before the first step, and kept in summary.json and the report. They are all that check calls unsafe, and its cautions but those about
// the length of the run, the machine, and the weights of markers, which must be solved for. Where the flow has told the slip that is granted at
// a body, the error of its drag is the one by that; nil: not yet.
func RemarksOn(p *setup.Problem, granted func(i int) float64) (all []Remark) {
	in := roomOf(p)
	r := Report{room: in}
	r.scales(p.Case)
	add := func(name, value string, j *Judged) {
		if j != nil && severity[j.Verdict] > severity[OK] {
			all = append(all, Remark{j.Verdict, fmt.Sprintf("%s %s is %s", name, value, j.Reason)})
		}
	}
	add("τ", fmt.Sprintf("%.5g", float64(r.Scales.Tau.Value)), &r.Scales.Tau)
	if j := r.Scales.TauAtRest; j != nil {
		add("τ at rest", fmt.Sprintf("%.5g", float64(j.Value)), j)
	}
	add("Mach number", fmt.Sprintf("%.3g, %s,", float64(r.Scales.Mach.Value), ofSpeed(r.Scales.fastest)), &r.Scales.Mach)
	add("grid Reynolds number", fmt.Sprintf("%.5g", float64(r.Scales.GridReynolds.Value)), &r.Scales.GridReynolds)
	r.levels(p, &all)
	r.vessel(p)
	if v := r.Vessel; v != nil {
		add("thickness of the vessel,", fmt.Sprintf("%.3g nodes where thinnest,", v.Thinnest.Value), &v.Thinnest)
		for i := range v.Ports {
			port := &v.Ports[i]
			add("diameter of port", fmt.Sprintf("%q, %.3g nodes,", port.Name, port.Across.Value), &port.Across)
			if port.Mach != nil {
				add("speed at port", fmt.Sprintf("%q, Mach %.3g,", port.Name, port.Mach.Value), port.Mach)
				add("grid Reynolds number at port", fmt.Sprintf("%q, %.3g,", port.Name, port.GridReynolds.Value), port.GridReynolds)
			}
		}
	}
	if p.Case.Fluid.Precision != "f64" { // there it is far below all else
		rounding := roundingOf(p)
		add("rounding,", fmt.Sprintf("about %.1g %% of pressure,", 100*rounding.Value), &rounding)
	}
	if s := startOf(p.Case); s != nil {
		add("density's change at the start,", fmt.Sprintf("%.2g %%,", 100*float64(s.Value)), s)
	}
	for _, text := range p.Doubled() {
		all = append(all, Remark{Caution, text})
	}
	about := &bodyRemarks{}
	about.rigid(p, in, granted)
	about.elastic(p)
	all = append(all, about.remarks()...)
	r.suspended(p)
	for i := range r.Suspended {
		of := &r.Suspended[i]
		add("stiffness of the cells of suspension", fmt.Sprintf("%q, %.3g,", of.Name, of.Stiffness.Value), &of.Stiffness)
		if of.Feed != nil {
			add("feed of suspension", fmt.Sprintf("%q, %.3g of what flows in,", of.Name, of.Feed.Value), of.Feed)
		}
	}
	r.probes(p)
	for i := range r.Probes {
		q := &r.Probes[i]
		add("probe", fmt.Sprintf("%q, %.2g nodes from body %q,", q.Name, q.Distance.Value, q.Body), &q.Distance)
	}
	r.sounds(p)
	for i := range r.Sounds {
		sound := &r.Sounds[i]
		add("the frequency of", fmt.Sprintf("%s, %.3g U/L,", sound.Of, sound.Frequency), &sound.Ratio)
	}
	return all
}

// levels adds what is to be told of levels of nodes that are not the finest, whose numbers are those of the case.
func (r *Report) levels(p *setup.Problem, all *[]Remark) {
	g := gridsOf(p, r.room)
	if g == nil {
		return
	}
	for i := range g.Levels {
		l := &g.Levels[i]
		for _, of := range []struct {
			name string
			j    *Judged
		}{{"τ", &l.Tau}, {"grid Reynolds number", &l.GridReynolds}} {
			if severity[of.j.Verdict] > severity[OK] {
				*all = append(*all, Remark{of.j.Verdict, fmt.Sprintf("%s on level %d, %.5g, is %s", of.name, l.Level, of.j.Value, of.j.Reason)})
			}
		}
	}
}

// bodyRemarks are remarks about bodies, one of each kind and verdict: of a hundred bodies that are too small there is one.
type bodyRemarks struct{ kinds []*bodyRemark }

// bodyRemark is a remark about some bodies.
type bodyRemark struct {
	kind    string // what it is about
	verdict Verdict
	names   []string                // of the bodies, the worst one first
	worst   float64                 // how bad that is; the larger the worse
	text    func(who string) string // of that, given the bodies in words
}

// shownNames is how many bodies a remark names; the others are counted.
const shownNames = 2

// mostMeshes bounds the files whose shells are looked at.
const mostMeshes = 8

// add takes in a remark about a body, and others of its table that are like it.
func (r *bodyRemarks) add(kind string, v Verdict, worst float64, names []string, text func(who string) string) {
	for _, k := range r.kinds {
		if k.kind != kind || k.verdict != v {
			continue
		}
		if worst > k.worst {
			k.names, k.worst, k.text = append(append([]string{}, names...), k.names...), worst, text
		} else {
			k.names = append(k.names, names...)
		}
		return
	}
	r.kinds = append(r.kinds, &bodyRemark{kind, v, append([]string{}, names...), worst, text})
}

// judged takes in a verdict other than ok on a value of a body, in a sentence: value of the bodies, so much, is reason.
func (r *bodyRemarks) judged(value, number, bodies string, j *Judged, least bool, names []string) {
	if j == nil || severity[j.Verdict] <= severity[OK] {
		return
	}
	worst := float64(j.Value)
	if least {
		worst = -worst
	}
	r.add(value, j.Verdict, worst, names, func(who string) string {
		return fmt.Sprintf("%s of %s%s, %s, is %s", value, bodies, who, number, j.Reason)
	})
}

// remarks are all of them, in words.
func (r *bodyRemarks) remarks() (all []Remark) {
	for _, k := range r.kinds {
		all = append(all, Remark{k.verdict, k.text(whoText(k.names))})
	}
	return all
}

// whoText names bodies: body "a"; bodies "a" and "b"; bodies "a", "b" and 98 others, of which the first is the worst.
func whoText(names []string) string {
	switch n := len(names); {
	case n == 1:
		return fmt.Sprintf("body %q", names[0])
	case n == 2:
		return fmt.Sprintf("bodies %q (the worst) and %q", names[0], names[1])
	case n == shownNames+1:
		return fmt.Sprintf("bodies %q (the worst), %q and %q", names[0], names[1], names[2])
	}
	return fmt.Sprintf("bodies %q (the worst), %q and %d others", names[0], names[1], len(names)-shownNames)
}

// copies are the names of the bodies of each table, by its key: they are alike.
func copies(n int, key, name func(i int) string) map[string][]string {
	all := map[string][]string{}
	for i := range n {
		all[key(i)] = append(all[key(i)], name(i))
	}
	return all
}

// rigid looks at all rigid bodies: at what the flow tells of each, and at the rest once for all copies of a table.
func (r *bodyRemarks) rigid(p *setup.Problem, in room, granted func(i int) float64) {
	bodies := p.Case.Bodies
	alike := copies(len(bodies), func(i int) string { return bodies[i].Key }, func(i int) string { return bodies[i].Name })
	looked, meshes := map[string]bool{}, 0
	before := granted == nil
	if before {
		granted = func(int) float64 { return math.NaN() }
	}
	for i, b := range bodies {
		first := !looked[b.Key]
		slip := granted(i)
		if !first && math.IsNaN(slip) { // as the first
			continue
		}
		looked[b.Key] = true
		names := alike[b.Key]
		if !math.IsNaN(slip) {
			names = []string{b.Name}
		}
		l := layerOf(p, i, in.holds, slip)
		r.judged("boundary layer", fmt.Sprintf("about %.2g nodes", value(l)), "", l, true, names)
		if e := DragError(p, i, slip); e > ErrorTold && (l == nil || l.Verdict == OK) {
			r.add("drag", Caution, e, names, func(who string) string {
				return fmt.Sprintf("of %s, %s: %s", who, DragWords(e, FromSlip(p, slip)), finer(p.Case, 1.5*p.Case.Reference.Resolution, in.holds))
			})
		}
		if !first {
			continue
		}
		names = alike[b.Key]
		nodes := p.Bodies[i].Shape.Length()
		r.judged("length", fmt.Sprintf("%.3g nodes", nodes), "", judged(nodes, nodesLimits), true, names)
		if ask := p.AskScale(b.Shape); ask != "" {
			r.add("scale", Caution, -nodes, names, func(who string) string {
				if strings.HasPrefix(who, "bodies") {
					return who + " are tiny" + ask
				}
				return who + " is tiny" + ask
			})
		}
		if meshes < mostMeshes {
			m, err := meshReport(p, &b, p.Bodies[i].Shape)
			if m != nil {
				meshes++
			}
			if err == nil && m != nil {
				r.judged("thickness", fmt.Sprintf("%.3g nodes", value(m.Shell)), "", m.Shell, true, names)
				r.judged("surface", m.File, "", m.Open, false, names)
			}
			if err == nil && m != nil && m.Overlap != nil {
				r.add("shells of "+b.Key, Caution, 0, names, func(who string) string {
					if m.Shells == 1 {
						return fmt.Sprintf("of the surface of %s, one shell: %s", who, m.Overlap.Reason)
					}
					return fmt.Sprintf("of the %d shells of %s %s", m.Shells, who, m.Overlap.Reason)
				})
			}
		}
		if before { // afterwards the flow has told whether it sheds
			if j := slowSheddingOf(p, i); j != nil {
				r.judged("Reynolds number", fmt.Sprintf("%.4g by its width", float64(j.Value)), "", j, false, names)
			}
		}
		if j := releaseOf(p, i); j != nil {
			r.judged("release", fmt.Sprintf("with a jump of density by %.2g %%", 100*float64(j.Value)), "", j, false, names)
		}
		r.outline(p, i, names)
		r.judged("soft start", fmt.Sprintf("%.3g L/U", p.Case.Run.SoftStart), "", softStartOf(p, i), false, names)
	}
}

// outline looks at the markers of body i, at what is around it and at how it moves.
func (r *bodyRemarks) outline(p *setup.Problem, i int, names []string) {
	given, line, sheet := &p.Case.Bodies[i], lineOf(p, i), sheetOf(p, i)
	spacing := spacingOf(p, i, line, sheet)
	r.judged("spacing of the markers", fmt.Sprintf("%.3g nodes", spacing.Value), "", &spacing, false, names)
	side := blockage(p, p.Bodies[i].Shape, setup.HeadingOf(p.Case, given).Axis)
	r.judged("blockage", fmt.Sprintf("%.3g %% of the domain's width", 100*value(side)), "", side, false, names)
	eddies := plateEddies(p, i)
	r.judged("Smagorinsky's constant beside the plate", fmt.Sprintf("%g", value(eddies)), "", eddies, false, names)
	drives := drivesOf(p, smearOf(p, i))
	r.judged("smear of the wall", fmt.Sprintf("%.3g nodes", value(drives)), "", drives, true, names)
	if p.Bodies[i].Moving() && p.Bodies[i].Structure == nil {
		speed, _ := fastestOf(p, i)
		mach := judged(speed*p.Units.Mach, machLimits(speed*p.Units.Mach, true))
		r.judged("speed of the markers", fmt.Sprintf("Mach %.3g", mach.Value), "", mach, false, names)
	}
	if line != nil {
		r.judged("thickness", fmt.Sprintf("%.3g nodes", value(line.Faces)), "", line.Faces, true, names)
		r.judged("slowest vibration", fmt.Sprintf("%.3g steps", value(line.Steps)), "", line.Steps, true, names)
	}
	if sheet != nil {
		r.judged("motion in a step", fmt.Sprintf("%.3g of the distance of nodes", value(sheet.Moves)), "", sheet.Moves, false, names)
		r.judged("slowest vibration", fmt.Sprintf("%.3g steps", value(sheet.Steps)), "", sheet.Steps, true, names)
	}
}

// value is that of what is judged, NaN without.
func value(j *Judged) float64 {
	if j == nil {
		return math.NaN()
	}
	return float64(j.Value)
}

// elastic looks at the elastic bodies, once for all of a table.
func (r *bodyRemarks) elastic(p *setup.Problem) {
	alike := copies(len(p.Drawn), func(i int) string { return p.Drawn[i].Key }, func(i int) string { return p.Drawn[i].Name })
	looked := map[string]bool{}
	for i, b := range p.Drawn {
		if looked[b.Key] {
			continue
		}
		looked[b.Key] = true
		c := cellOf(p, i)
		for _, of := range []struct {
			value, number string
			j             *Judged
			least         bool
		}{
			{"diameter", fmt.Sprintf("%.3g nodes", c.Nodes.Value), &c.Nodes, true},
			{"edges", fmt.Sprintf("%.3g nodes", c.Edge.Value), &c.Edge, false},
			{"stiffness", fmt.Sprintf("%.3g", c.Stiffness.Value), &c.Stiffness, false},
		} {
			r.judged(of.value, of.number, "elastic ", of.j, of.least, alike[b.Key])
		}
		r.judged("stiffness of bending and viscosity", fmt.Sprintf("%.3g", value(c.Explicit)), "elastic ", c.Explicit, false, alike[b.Key])
		r.judged("least angle", fmt.Sprintf("%.3g°", value(c.Angle)), "elastic ", c.Angle, true, alike[b.Key])
		if c.Contact != nil {
			r.judged("contact", fmt.Sprintf("K Δt/(ρνΔx) = %.3g", c.Contact.Stiffness.Value), "elastic ", &c.Contact.Stiffness, false, alike[b.Key])
		}
		if c.Inside != nil {
			r.judged("τ", fmt.Sprintf("%.5g", c.Inside.Tau.Value), "elastic ", &c.Inside.Tau, false, alike[b.Key])
		}
		if c.Loads != nil {
			for k := range c.Loads.Each {
				load := &c.Loads.Each[k]
				r.judged("load "+load.At, fmt.Sprintf("Mach %.3g", load.Mach.Value), "elastic ", &load.Mach, false, alike[b.Key])
			}
			r.judged("sum of the loads", fmt.Sprintf("%.3g U²/L of all fluid", value(c.Loads.Pull)), "elastic ", c.Loads.Pull, false, alike[b.Key])
		}
	}
}
