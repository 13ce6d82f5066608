package setup

// HeldForce is the body force per mass that holds a flow rate along an axis: another from correction to correction, and so known
// for the steps made and the next ones.
type HeldForce struct {
	Axis  int
	Since int64   // the step after which the last correction was made
	Until float64 // force of steps up to then, nodes per step²
	Now   float64 // of those after it
}

// At is the force of the step that ends at a time, in steps.
func (h *HeldForce) At(t float64) float64 {
	if t > float64(h.Since) {
		return h.Now
	}
	return h.Until
}

// Correct makes it another after a step.
func (h *HeldForce) Correct(step int64, force float64) {
	h.Since, h.Until, h.Now = step, h.Now, force
}

// setHeldFlow lets the force that holds a flow rate act beside that of the case.
func (d *Domain) setHeldFlow() {
	flow := d.Case.Domain.Flow
	if flow == nil {
		return
	}
	d.Held = &HeldForce{Axis: flow.Axis}
	given := d.Flow // its force without the one that holds
	d.Flow.Acceleration = func(t float64) [3]float64 {
		force := given.ForceAt(t)
		force[d.Held.Axis] = d.Held.At(t)
		return force
	}
}
