package check

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// SoundReport is something that is driven with a frequency at which the domain rings.
type SoundReport struct {
	Of        string        `json:"of"` // a body, a face or a force
	Frequency finite.Number `json:"frequency"`
	Mode      string        `json:"mode"`
	Ratio     Judged        `json:"ratio"` // of the frequency to that of the mode
}

// ProbeReport is a probe near the surface of a body.
type ProbeReport struct {
	Name     string `json:"name"`
	Body     string `json:"body"`
	Distance Judged `json:"distance_nodes"` // of the nearest marker
}

const (
	// resonance is how near to a mode a frequency is judged: there an undamped standing wave
	// answers 2.5 times as strongly as the fluid that does not ring.
	resonance = 0.22
	// smearedReach is within how many nodes of a surface the flow is that of the smeared wall.
	smearedReach = 2
	// probePairs bounds the distances that are looked at.
	probePairs = 20_000_000
)

// modeNear is the standing wave along an axis whose frequency is nearest to f, of the lowest
// few, and that frequency, all in U/L; how far it is relative to it.
func modeNear(p *setup.Problem, axis int, f float64) (mode, off float64) {
	low, high := p.Flow.Faces[2*axis].Kind, p.Flow.Faces[2*axis+1].Kind
	if low == lbm.Outflow || high == lbm.Outflow { // which let sound out
		return 0, math.Inf(1)
	}
	sound, size := 1/p.Units.Mach, p.Units.FromLatticeLength(float64(p.Flow.Size[axis]))
	off = math.Inf(1)
	for n := range soundModes {
		m := float64(n+1) * sound / (2 * size)
		switch {
		case low == lbm.Periodic:
			m *= 2
		case low.HoldsPressure() != high.HoldsPressure():
			m = float64(2*n+1) * sound / (4 * size)
		}
		if d := math.Abs(f-m) / m; d < off {
			mode, off = m, d
		}
	}
	return mode, off
}

// sounds tells of what the case drives with a frequency near a mode of the box, with what works.
func (r *Report) sounds(p *setup.Problem) {
	add := func(of string, axis int, f float64) {
		mode, off := modeNear(p, axis, f)
		if off > resonance {
			return
		}
		ends := lbm.FaceNames[2*axis] + " and " + lbm.FaceNames[2*axis+1]
		size := p.Case.Domain.Size[axis]
		s := SoundReport{Of: of, Frequency: finite.Number(f), Mode: fmt.Sprintf("sound between %s, %.3g U/L", ends, mode)}
		s.Ratio = Judged{Value: finite.Number(f / mode), Verdict: Caution, Reason: fmt.Sprintf(
			"near an acoustic mode of the domain: sound between %s resonates at %.3g U/L and adds to the forces: use outflow faces there, or lower reference.velocity to %.2g, which puts the lowest mode at twice this frequency or above",
			ends, mode, roundDown(1/(math.Sqrt(3)*4*f*size)))}
		r.Sounds = append(r.Sounds, s)
	}
	for _, d := range p.Drives() {
		if d.Axis >= 0 {
			add(d.Of, d.Axis, d.Frequency)
		}
	}
}

// probes tells of probes within the smeared surface of a body that does not move.
func (r *Report) probes(p *setup.Problem) {
	budget := probePairs
	for _, q := range p.Case.Output.Probes {
		at, nearest, of := geometry.Vec(p.Node(q.At)), math.Inf(1), ""
		for _, b := range p.Bodies {
			if b.Moving() || budget < b.Markers.Len() {
				continue
			}
			budget -= b.Markers.Len()
			for _, x := range b.Markers.X {
				if d := x.Sub(at).Norm(); d < nearest {
					nearest, of = d, b.Name
				}
			}
		}
		if nearest < smearedReach {
			r.Probes = append(r.Probes, ProbeReport{q.Name, of, Judged{finite.Number(nearest), Caution,
				fmt.Sprintf("within %d nodes of the surface: velocity and pressure are those of the wall that the delta smears; move the probe, or raise reference.resolution", smearedReach)}})
		}
	}
}

// writeSounds prints what sounds and probes have found.
func (p *page) writeSounds(r *Report) {
	for _, s := range r.Sounds {
		p.judged("sound", fmt.Sprintf("%s at %.3g U/L", s.Of, s.Frequency), s.Ratio)
	}
	for _, q := range r.Probes {
		p.judged("probe", fmt.Sprintf("%s, %.2g nodes from %s", q.Name, q.Distance.Value, q.Body), q.Distance)
	}
}
