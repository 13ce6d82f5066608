package casefile

// Motion says how a body moves.
//
// A prescribed motion has one translation (Displacement, Velocity or Amplitude)
// or none, and one rotation (Angle, Spin or Swing) or none:
//
//	displacement   Displacement(t), from where the shape is drawn
//	velocity       the integral of Velocity from t = 0
//	amplitude      Amplitude·sin(2π·Frequency·t + Phase)
//	angle          Angle(t), anticlockwise about Axis through Pivot
//	spin           the integral of Spin from t = 0
//	swing          Swing·sin(2π·Frequency·t + SwingPhase)
//
// A free body obeys Newton and Euler under the forces of the fluid, gravity,
// Spring, Damper and contact. An elastic one moves and deforms with the fluid.
type Motion struct {
	Type string // fixed | prescribed | free | elastic

	Displacement, Velocity *[3]Varying // L and U; nil: not given
	Amplitude              [3]float64  // L
	Frequency, Phase       float64     // U/L and radians
	Angle, Spin            *Varying    // radians and radians per L/U; nil: not given
	Swing, SwingPhase      float64     // degrees and radians
	Axis                   [3]float64  // of rotation, of unit length
	Pivot                  *[3]float64 // L, where the shape is drawn; nil: its centre

	Density                        float64    // ρs/ρf
	InitialVelocity, InitialSpin   [3]float64 // U and radians per L/U, at t = Release
	Release                        float64    // L/U; held until then
	Fix                            [6]bool    // x y z rx ry rz
	Inertia                        float64    // ρf·L^(d+2) about the centre; 0: from shape and density
	Spring, Damper                 [3]float64 // ρf·U²·L^(d−1) per L and per U, about the drawn place
	SpringRotation, DamperRotation float64    // ρf·U²·L^d per radian and per radian/(L/U)

	Elastic *Elastic  // of an elastic surface; nil of others
	Beam    *Beam     // of an elastic line; nil of others
	Plate   *Plate    // of an elastic rectangle; nil of others
	Loads   []EndLoad // on an elastic surface, from outside
}

// Integrals is the number of coordinates of a prescribed motion that are integrals of
// expressions.
func (m *Motion) Integrals() (n int) {
	if m.Velocity != nil {
		for _, v := range m.Velocity {
			if !v.Constant() {
				n++
			}
		}
	}
	if m.Spin != nil && !m.Spin.Constant() {
		n++
	}
	return n
}

// Period is the time, in L/U, after which a motion that is not free comes again as a
// whole; 0: it does not, or is not known to.
func (m *Motion) Period() float64 {
	if m.Type != "prescribed" || m.Frequency == 0 || m.Displacement != nil || m.Velocity != nil || m.Angle != nil || m.Spin != nil {
		return 0
	}
	return 1 / m.Frequency
}
