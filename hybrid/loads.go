package hybrid

import (
	"math"

	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// Load is what the fluid does to a body in one step: minus what the markers do to
// the fluid, plus the change of momentum of the fluid inside, which moves with the
// body but is no part of it.
type Load struct {
	Force   [3]float64
	Torque  [3]float64 // about the body's centre
	Inner   [3]float64 // the inside fluid's part of Force, and of Balance
	Slip    float64    // largest |U_d − u| over the markers after the correction
	Granted float64    // mean over the markers of the slip along the wall that the correction of smeared walls grants, e/(ρν) |f_t|; it is no part of Slip
	Balance [3]float64 // the force again, from the momentum balance of the fluid around it; NaN where it has no box of its own
	Outer   [3]float64 // and from that of the fluid outside alone: the inside's part is what the body's motion makes of it, not what is found there
}

// readMarkerSums has the host find what the last correction did, after a flush.
func (m *measuring[T]) readMarkerSums() lbm.Pending[*MarkerSums] {
	s := m.of
	s.Flush()
	c := s.coupling.direct
	s.coupling.sharing.tell(togetherSlip)
	c.slip()
	for i, b := range c.bodies {
		var of BodySums
		of.Force, of.Moment = c.sum(b)
		for k := range b.Markers.X {
			of.Slip = math.Max(of.Slip, c.slipOf(b.First()+k))
			if c.wall != nil {
				of.Granted += c.wall.granted(b.First()+k) / float64(len(b.Markers.X))
			}
		}
		m.onHost.Bodies[i] = of
	}
	s.measures.watch.read(s, &m.onHost)
	return lbm.Done(&m.onHost)
}

// addInner adds the change of the inside fluid's momentum over a step.
func (l *Load) addInner(change rigid.Momentum) {
	l.Inner = change.Linear
	for a := range 3 {
		l.Force[a] += change.Linear[a]
		l.Balance[a] += change.Linear[a]
		l.Torque[a] += change.Angular[a]
	}
}
