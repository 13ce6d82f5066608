package casefile

import (
	"math"
	"slices"
)

// sinusoid is sin(2π·Frequency·t + phase).
func (m *Motion) sinusoid(t, phase float64) float64 {
	return math.Sin(2*math.Pi*m.Frequency*t + phase)
}

// displacement returns how far the body is at t from where it is drawn; ok is
// false where that takes the integral of an expression.
func (m *Motion) displacement(t float64) (x [3]float64, ok bool) {
	for i := range x {
		switch {
		case m.Displacement != nil:
			x[i] = m.Displacement[i].At(t)
		case m.Velocity == nil:
			x[i] = m.Amplitude[i] * m.sinusoid(t, m.Phase)
		case m.Velocity[i].Constant():
			x[i] = m.Velocity[i].Value * t
		default:
			return x, false
		}
	}
	return x, true
}

// turned returns by how many radians the body is turned at t, ok as above.
func (m *Motion) turned(t float64) (angle float64, ok bool) {
	switch {
	case m.Angle != nil:
		return m.Angle.At(t), true
	case m.Spin == nil:
		return m.Swing * math.Pi / 180 * m.sinusoid(t, m.SwingPhase), true
	}
	return m.Spin.Value * t, m.Spin.Constant()
}

// speeds returns the speed of the body's pivot, in U, and the spin, in radians
// per L/U, at t; h is the step of differences.
func (m *Motion) speeds(t, h float64) (speed, spin float64) {
	if m.Velocity != nil {
		speed = norm([3]float64{m.Velocity[0].At(t), m.Velocity[1].At(t), m.Velocity[2].At(t)})
	} else {
		x, _ := m.displacement(t)
		y, _ := m.displacement(t + h)
		speed = norm(plus(y, scaled(x, -1))) / h
	}
	if m.Spin != nil {
		return speed, math.Abs(m.Spin.At(t))
	}
	a, _ := m.turned(t)
	b, _ := m.turned(t + h)
	return speed, math.Abs(b-a) / h
}

// checkPath refuses a prescribed motion that is too fast or takes the body's
// centre out of the domain, as far as samples of the run show. Periodic axes
// lead back in.
func checkPath(t *table, copies []Body) {
	key := t.key("motion")
	if len(copies) == 0 || copies[0].Motion.Type != "prescribed" || !t.r.clean(key, t.key("shape"), "reference", "run.time", "run.steps") {
		return
	}
	middles := make([][3]float64, len(copies))
	for i, b := range copies {
		middles[i] = b.Shape.middle(t.r.c.Reference.Resolution)
	}
	reach := copies[0].Shape.reach(t.r.c.Reference.Resolution)
	if p := copies[0].Motion.Pivot; p != nil && copies[0].Shape.placed() {
		reach += norm(plus(middles[0], scaled(*p, -1)))
	}
	m, dt := &copies[0].Motion, t.r.c.Units().Dt
	fastest := peakOf(t.r.halfSteps(), func(time float64) float64 {
		speed, spin := m.speeds(time, dt)
		return speed + spin*reach // of the farthest point
	})
	t.r.checkPeak(m.fastestKey(key, fastest.t, dt, reach), fastest)
	if !t.r.clean(key) || !copies[0].Shape.placed() {
		return
	}
	outermost := t.r.c.Domain.outermost(middles) // all copies move alike
	for _, time := range t.r.times() {
		by, ok := carried(m, middles[0], time)
		if !ok || !slices.ContainsFunc(outermost, func(x [3]float64) bool { return t.r.c.Domain.leaves(plus(x, by)) >= 0 }) {
			continue
		}
		for i, b := range copies {
			x := plus(middles[i], by)
			if i := t.r.c.Domain.leaves(x); i >= 0 {
				t.r.fail(key, "takes the centre of body %q to %c = %.4g at t = %.4g, outside the domain, which is %s: move less, or enlarge domain.size",
					b.Name, "xyz"[i], x[i], time, t.r.c.Domain.extent())
				return
			}
		}
	}
}

// carried is how far the motion takes a point by t.
func carried(m *Motion, x [3]float64, t float64) (by [3]float64, ok bool) {
	y, ok := m.carry(x, t)
	return plus(y, scaled(x, -1)), ok
}

// outermost are the points that lie farthest out along each axis.
func (d *Domain) outermost(points [][3]float64) (some [][3]float64) {
	for a := range d.Dim {
		least, most := points[0], points[0]
		for _, x := range points {
			if x[a] < least[a] {
				least = x
			}
			if x[a] > most[a] {
				most = x
			}
		}
		some = append(some, least, most)
	}
	return some
}

// carry returns where the motion takes a point by t; ok is false where that is
// not known.
func (m *Motion) carry(x [3]float64, t float64) (_ [3]float64, ok bool) {
	if p := m.Pivot; p != nil {
		angle, ok := m.turned(t)
		if !ok {
			return x, false
		}
		x = plus(*p, turn(m.Axis, angle).apply(plus(x, scaled(*p, -1))))
	}
	by, ok := m.displacement(t)
	return plus(x, by), ok
}

// leaves returns the first axis along which a point is outside the domain, −1
// if none is; along periodic axes none can be.
func (d *Domain) leaves(x [3]float64) int {
	for i := range d.Dim {
		if d.Boundary[2*i].Type != "periodic" && !(d.Origin[i] <= x[i] && x[i] <= d.Origin[i]+d.Size[i]) {
			return i
		}
	}
	return -1
}
