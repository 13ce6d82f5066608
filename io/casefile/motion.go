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
// Spring, Damper and contact.
type Motion struct {
	Type string // fixed | prescribed | free

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
}
