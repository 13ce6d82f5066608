package check

import (
	"fmt"
	"math"
	"strings"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// MeshReport is what the file of a body's surface holds.
type MeshReport struct {
	File       string        `json:"file"`
	Triangles  int           `json:"triangles"`
	Watertight bool          `json:"watertight"`
	OpenEdges  int           `json:"open_edges"`
	Open       *Judged       `json:"open,omitempty"` // those edges, of a surface that encloses nothing
	Flipped    bool          `json:"flipped"`        // it faced inwards and is turned round
	Shells     int           `json:"shells"`
	Overlap    *Judged       `json:"overlap,omitempty"` // shells that lie within each other, or touch
	FileMin    [3]float64    `json:"file_min"`          // the box around it in the file's unit,
	FileMax    [3]float64    `json:"file_max"`
	Min        [3]float64    `json:"min"` // and where it is placed, in L
	Max        [3]float64    `json:"max"`
	Thinnest   finite.Number `json:"thinnest_nodes"`        // thickness of the thinnest place, in nodes; null of an open surface
	Shell      *Judged       `json:"shell_nodes,omitempty"` // thickness that an open surface is given
}

// moves fills in how a body moves and how far its markers are set back.
func (s *BodyReport) moves(p *setup.Problem, i int) {
	b, given := p.Bodies[i], p.Case.Bodies[i]
	s.Motion = given.Motion.Type
	s.Retraction, s.Smear = finite.Number(p.Retraction(given)), finite.Number(smearOf(p, i))
	s.Drives = drivesOf(p, float64(s.Smear))
	s.SoftStart, s.Started = p.SoftStartOf(b), softStartOf(p, i)
	s.Inside, s.rings, s.shallow = p.InsideOf(i), p.Rings(i), p.Bodies[i].Damped
	if !b.Moving() || b.Structure != nil { // what bends begins at rest, and the flow moves it
		return
	}
	speed, at := fastestOf(p, i)
	s.Speed, s.SpeedAt = finite.Number(speed), finite.Number(at)
	if b.Motion != nil {
		s.Followed, s.until = finite.Number(p.Followed*p.Units.Dt), finite.Number(float64(p.Steps)*p.Units.Dt)
	}
	s.Mach = judged(speed*p.Units.Mach, machLimits(speed*p.Units.Mach, true))
}

// fastestOf is the speed of the fastest marker of body i, in U, and when that is, in L/U.
func fastestOf(p *setup.Problem, i int) (speed, at float64) {
	fastest, step := p.FastestOf(i)
	return p.Units.FromLatticeVelocity(fastest), step * p.Units.Dt
}

// smearOf is by how many nodes the wall of body i would be felt in front of its markers.
func smearOf(p *setup.Problem, i int) float64 {
	if _, bends := p.Bodies[i].Structure.(*flexible.Filament); bends && p.Flow.Lattice.Dim == 3 { // a thread has no wall
		return 0
	}
	return p.Coupling.Offset
}

// mesh reads what a body's file holds again, for the report; nil without a file.
func meshReport(p *setup.Problem, b *casefile.Body, made geometry.Shape) (*MeshReport, error) {
	s := b.Shape
	path, _ := s.File()
	if path == "" {
		return nil, nil
	}
	from, err := p.Surface(path)
	if err != nil {
		return nil, err
	}
	found := &from.Report
	m := &MeshReport{File: path, Triangles: found.Triangles, Watertight: found.Watertight, OpenEdges: found.OpenEdges, Flipped: found.Flipped, Thinnest: finite.Number(math.NaN())}
	m.Shells, m.FileMin, m.FileMax = found.Shells, found.Lo, found.Hi
	lo, hi := made.Bounds()
	m.Min, m.Max = p.Place(lo), p.Place(hi)
	if at := found.Overlap; at != nil {
		m.Overlap = &Judged{Verdict: Caution, Reason: fmt.Sprintf("some cross or enclose each other, for instance at %.4g, %.4g, %.4g of the file: markers there are inside the body, and areas are counted twice; unite the shells in the program that wrote the file", at[0], at[1], at[2])}
	} else if at := found.Touch; at != nil {
		which := "two touch"
		if m.Shells == 1 {
			which = "it touches itself"
		}
		m.Overlap = &Judged{Verdict: Caution, Reason: fmt.Sprintf("%s, for instance at %.4g, %.4g, %.4g of the file: markers between them are inside the body, and the area between them counts as surface; unite the shells in the program that wrote the file", which, at[0], at[1], at[2])}
	}
	switch t := s.Number("thickness"); {
	case found.Watertight:
	case t > 0:
		m.Shell = judged(t*p.Case.Reference.Resolution, shellLimits)
	case b.Fluid != "inside": // which is cut open by the domain's faces
		m.Open = &Judged{finite.Number(found.OpenEdges), Caution, fmt.Sprintf("open, along %d edges: it encloses nothing, the fluid is on both sides, and forces are those on both; if the part is solid, close its surface in the program that wrote the file; if it is a thin sheet with flow on both sides, this is as it should be, and %s.shape.thickness = T (in L, two nodes or more) in place of open = true gives it a thickness", found.OpenEdges, b.Key)}
	}
	if found.Watertight {
		m.Thinnest = finite.Number(found.Thinnest * s.Number("scale") * p.Case.Reference.Resolution)
	}
	return m, nil
}

// writeMotion prints what BodyReport.moves and meshReport have found.
func (b *BodyReport) writeMotion(p *page) {
	if text := fmt.Sprintf("smeared over %.3g nodes by the delta, corrected", b.Smear); b.Drives != nil {
		p.judged("wall", text, *b.Drives)
	} else if b.Smear != 0 {
		p.row("wall", text)
	}
	if text := setup.SoftStartText(b.SoftStart); b.Started != nil {
		p.judged("soft start", text, *b.Started)
	} else if text != "" {
		p.row("soft start", text)
	}
	switch {
	case b.Inside == "damped":
		p.row("inside", "damped: the fluid there is made to move with the body")
	case b.shallow:
		p.row("inside", "free, though ib.inside asks for damped: markers reach all of the inside")
	case b.rings:
		p.row("inside", "free: sound of the start rings there for several D/U, and in the forces;")
		p.remark(`ib.inside = "damped" ends it, and so does a slower start (run.soft_start) where the motion allows one`)
	}
	if b.Retraction != 0 {
		p.row("set back", fmt.Sprintf("%.3g nodes", b.Retraction))
	}
	if m := b.Mesh; m != nil {
		parts := []string{count(float64(m.Triangles)) + " triangles"}
		if m.Watertight {
			parts = append(parts, "watertight", fmt.Sprintf("%.3g nodes thick where thinnest", m.Thinnest))
		} else {
			parts = append(parts, fmt.Sprintf("open along %d edges in the file", m.OpenEdges))
		}
		if m.Flipped {
			parts = append(parts, "with normals that pointed inwards, and were turned")
		}
		if m.Open != nil {
			p.judged("surface", strings.Join(parts, ", "), *m.Open)
		} else {
			p.row("surface", strings.Join(parts, ", "))
		}
		p.row("in the file", setup.BoxText(m.FileMin, m.FileMax)+" of its units")
		p.row("placed", setup.BoxText(m.Min, m.Max)+" L")
		if m.Shell != nil {
			p.judged("thickness", fmt.Sprintf("%.3g nodes, of the closed shell that the surface is thickened to", m.Shell.Value), *m.Shell)
		}
		if m.Overlap != nil {
			p.judged("shells", fmt.Sprint(m.Shells), *m.Overlap)
		}
	}
	if b.Line != nil || b.Sheet != nil {
		p.row("motion", "elastic, from rest")
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
			p.remark(fmt.Sprintf("motion checked up to t = %.4g L/U, one period or what a short check allows; the run stops if the body later leaves the domain or meets another", b.Followed))
		}
	}
}
