package casefile

import (
	"math"
	"strings"
)

// HeldFlow is a flow rate that a body force holds, along an axis whose faces are periodic.
type HeldFlow struct {
	Axis    int
	BySpeed bool
	Given   Varying // the mean speed in U or, not BySpeed, the flow rate in U·L^(d−1)

	// Found once solids and bodies are known, 0 before: the share of the domain's section that flows, bodies in it included, and the largest speed
	// of the developed flow over the mean one, at the narrowest place.
	Open, Peak float64
}

// readHeldFlow reads the flow rate that is held in place of a force.
func readHeldFlow(t *table) {
	if !t.present {
		return
	}
	d := &t.r.c.Domain
	if d.Vessel != nil {
		t.r.fail(t.path, "has no effect with a vessel, whose ports say what flows: remove it, and give flow_rate to a [[port]]")
		return
	}
	h := &HeldFlow{Axis: max(0, strings.Index("xyz", t.choice("axis", "x"))), BySpeed: t.has("speed")}
	if h.Axis >= d.Dim && d.Dim > 0 {
		t.fail("axis", "\"z\" does not exist with %s: use \"x\" or \"y\"", d.Lattice)
		return
	}
	switch {
	case t.has("speed") && t.has("flow_rate"):
		t.fail("flow_rate", "given beside speed, must be one of the two: remove one")
	case t.has("flow_rate"):
		h.Given = t.varying("flow_rate", spec{quantity: FlowRate, remedy: "give it in U L^(d−1), or an expression of t"}, 0)
	case t.has("speed"):
		h.Given = t.varying("speed", spec{quantity: Velocity, remedy: "give the mean speed in U, or an expression of t"}, 0)
	default:
		t.missing("speed", "give the mean speed in U, for instance 1.0, or flow_rate in U L^(d−1)")
	}
	d.Flow = h
	t.r.atEnd = append(t.r.atEnd, func() { checkHeldFlow(t, h) })
}

// checkHeldFlow refuses what cannot be held: a flow through faces, one that a force is given for, and one that is too fast.
func checkHeldFlow(t *table, h *HeldFlow) {
	d, axis := &t.r.c.Domain, "xyz"[h.Axis:h.Axis+1]
	if t.r.clean("domain.boundary") && d.Boundary[2*h.Axis].Type != "periodic" {
		t.fail("axis", "%q has faces that are %s and %s, must be periodic: faces of other types prescribe what flows through them; remove the faces, or flow",
			axis, d.Boundary[2*h.Axis].Type, d.Boundary[2*h.Axis+1].Type)
	}
	if f := d.Force[h.Axis]; t.r.clean("domain.force") && (!f.Constant() || f.Value != 0) {
		t.r.fail("domain.force", "has a component along %s beside domain.flow, which finds that force: make it 0, or remove flow", axis)
	}
	if t.r.clean(t.path, "domain.size", "reference") {
		key := "flow_rate"
		if h.BySpeed {
			key = "speed"
		}
		t.r.checkPeak(t.key(key), peakOf(t.r.halfSteps(), func(at float64) float64 { return math.Abs(d.HeldSpeed(at)) }))
	}
}

// HeldSpeed is the mean speed of the flow that is held at a time, in U: where a flow rate is given over the section that is open or, before that is known, over all of the
// domain's. 0: none is.
func (d *Domain) HeldSpeed(t float64) float64 {
	h := d.Flow
	if h == nil {
		return 0
	}
	v := h.Given.At(t)
	if h.BySpeed {
		return v
	}
	for a, size := range d.Size[:d.Dim] {
		if a != h.Axis {
			v /= size
		}
	}
	if h.Open > 0 {
		v /= h.Open
	}
	return v
}

// readHeldFlowOut reads the interval of flow.csv: where no flow rate is held there is none.
func readHeldFlowOut(t *table) {
	if t.r.c.Domain.Flow != nil {
		every(t, defaultEvery)
	} else if t.r.clean("domain.flow") {
		t.refuse("has no effect without domain.flow, a flow rate that is held", "every")
	}
}
