package run

import (
	"fmt"
	"math"
	"strings"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/io/casefile"
)

// MeshReport is what the file of a body's surface holds.
type MeshReport struct {
	File       string `json:"file"`
	Triangles  int    `json:"triangles"`
	Watertight bool   `json:"watertight"`
	OpenEdges  int    `json:"open_edges"`
	Flipped    bool   `json:"flipped"`        // it faced inwards and is turned round
	Thinnest   Number `json:"thinnest_nodes"` // thickness of the thinnest place, in nodes; null of an open surface
}

// moves fills in how a body moves and how far its markers are set back.
func (s *BodyReport) moves(p *problem, i int) {
	b, given := p.bodies[i], p.cas.Bodies[i]
	s.Motion = given.Motion.Type
	s.Retraction, s.Smear = Number(p.retraction(given)), Number(p.coupling.Offset)
	s.SoftStart = p.softStartOf(b)
	if !b.Moving() {
		return
	}
	fastest, at := p.fastestOf(i)
	speed := p.units.FromLatticeVelocity(fastest)
	s.Speed, s.SpeedAt = Number(speed), Number(at*p.units.Dt)
	if b.Motion != nil {
		s.Followed, s.until = Number(p.followed*p.units.Dt), Number(float64(p.steps)*p.units.Dt)
	}
	s.Mach = judged(speed*p.units.Mach, machLimits(speed*p.units.Mach))
}

// looks is at how many times of a run a motion is looked at. Rates that are integrated
// are so from the beginning, step by step: over integrated steps of all bodies together,
// which takes some tenths of a second, but at least over a few of each.
const (
	looks          = 400
	farthest       = 1e6
	integrated     = 400_000
	leastIntegrals = 1000
)

// speedAt is a speed and the step of it.
type speedAt struct{ speed, at float64 }

// fastestOf is fastestMarker of body i, found once for all copies of a table, which move
// alike.
func (p *problem) fastestOf(i int) (fastest, at float64) {
	p.findEnds()
	key := p.cas.Bodies[i].Key
	f, known := p.fastest[key]
	if !known {
		f.speed, f.at = fastestMarker(p.bodies[i], p.ends[i])
		p.fastest[key] = f
	}
	return f.speed, f.at
}

// findEnds finds up to which step each body's motion is looked at: to the end of the
// run or, whichever is first, of a period of one that comes again, of what is integrated
// at most, or farthest. Together they are followed as far as all of them are known, or
// over the period that they have in common.
func (p *problem) findEnds() {
	if p.ends != nil {
		return
	}
	tracks := 0
	for i := range p.cas.Bodies {
		tracks += p.cas.Bodies[i].Motion.Integrals()
	}
	whole := math.Min(float64(p.steps), farthest)
	known, periods, common := whole, 0., true // the longest period, and whether it is that of all
	p.ends, p.fastest = make([]float64, len(p.bodies)), map[string]speedAt{}
	for i := range p.bodies {
		m := &p.cas.Bodies[i].Motion
		p.ends[i] = whole
		if m.Integrals() > 0 {
			p.ends[i] = math.Min(whole, math.Max(leastIntegrals, math.Floor(integrated/float64(tracks))))
			known = math.Min(known, p.ends[i])
		}
		if m.Type != "prescribed" {
			continue
		}
		period := math.Ceil(p.units.ToLatticeTime(m.Period()))
		if period > 0 {
			p.ends[i] = math.Min(whole, period)
		}
		common = common && period > 0 && (periods == 0 || period == periods)
		periods = period
	}
	p.followed = known
	if common && periods > 0 {
		p.followed = math.Min(known, periods)
	}
}

// fastestMarker is the largest speed, in lattice units, of a moving body's markers
// that is known before a run, and the step of it: over the run where its motion is
// prescribed, up to step end, at its release where it is free.
func fastestMarker(b *hybrid.Body, end float64) (fastest, at float64) {
	reach, center := 0., b.Shape.Center()
	for _, x := range b.Markers.X {
		reach = math.Max(reach, x.Sub(center).Norm())
	}
	look := func(velocity, spin geometry.Vec, t float64) {
		if v := velocity.Norm() + spin.Norm()*reach; v > fastest {
			fastest, at = v, t
		}
	}
	if b.Free != nil {
		look(b.Free.Velocity, b.Free.Spin, b.Free.Release)
		return fastest, at
	}
	for k := range looks + 1 {
		t := math.Floor(end * float64(k) / looks)
		s := b.Motion.At(t)
		look(s.Velocity, s.Spin, t)
	}
	return fastest, at
}

// mesh reads what a body's file holds again, for the report; nil without a file.
func (p *problem) meshReport(s casefile.Shape) (*MeshReport, error) {
	path, _ := s.File()
	if path == "" {
		return nil, nil
	}
	from, err := p.surface(path)
	if err != nil {
		return nil, err
	}
	found := &from.Report
	m := &MeshReport{File: path, Triangles: found.Triangles, Watertight: found.Watertight, OpenEdges: found.OpenEdges, Flipped: found.Flipped, Thinnest: Number(math.NaN())}
	if found.Watertight {
		m.Thinnest = Number(found.Thinnest * s.Number("scale") * p.cas.Reference.Resolution)
	}
	return m, nil
}

// writeMotion prints what BodyReport.moves and meshReport have found.
func (b *BodyReport) writeMotion(p *page) {
	if b.Smear != 0 {
		p.row("wall", fmt.Sprintf("smeared over %.3g nodes by the delta, corrected", b.Smear))
	}
	if text := softStartText(b.SoftStart); text != "" {
		p.row("soft start", text)
	}
	if b.Retraction != 0 {
		p.row("set back", fmt.Sprintf("%.3g nodes", b.Retraction))
	}
	if m := b.Mesh; m != nil {
		parts := []string{count(float64(m.Triangles)) + " triangles"}
		if m.Watertight {
			parts = append(parts, "watertight", fmt.Sprintf("%.3g nodes thick where thinnest", m.Thinnest))
		} else {
			parts = append(parts, fmt.Sprintf("open along %d edges", m.OpenEdges))
		}
		if m.Flipped {
			parts = append(parts, "turned inside out")
		}
		p.row("surface", strings.Join(parts, ", "))
	}
	if b.Mach != nil {
		text := fmt.Sprintf("%s, markers up to %.3g U", b.Motion, b.Speed)
		if b.SpeedAt > 0 {
			text += fmt.Sprintf(" at t = %.3g", b.SpeedAt)
		}
		text += fmt.Sprintf(", Mach %.2g", b.Mach.Value)
		if b.Motion == "free" {
			text = "free"
			if b.Speed > 0 {
				text += fmt.Sprintf(", released with markers up to %.3g U", b.Speed)
			}
		}
		p.judged("motion", text, *b.Mach)
		if b.Followed > 0 && b.Followed < b.until {
			p.remark(fmt.Sprintf("followed up to t = %.4g, over a period or as far as takes a moment; where it cannot be later, the run stops", b.Followed))
		}
	}
}
