package setup

import "math"

// Blood in glass tubes at high shear, by the fits of Pries, Neuhaus & Gaehtgens, Am. J. Physiol. 263 (1992) H1770, to the measurements of many: d is the diameter in µm,
// 3 to 2000, and the haematocrit that of what flows.

// FahraeusRatio is the haematocrit in the tube over that of what flows.
func FahraeusRatio(d, discharge float64) float64 {
	return discharge + (1-discharge)*(1+1.7*math.Exp(-0.35*d)-0.6*math.Exp(-0.01*d))
}

// BloodViscosity is the apparent viscosity over that of plasma.
func BloodViscosity(d, discharge float64) float64 {
	at45 := 220*math.Exp(-1.3*d) + 3.2 - 2.44*math.Exp(-0.06*math.Pow(d, 0.645))
	wide := 1 / (1 + 1e-11*math.Pow(d, 12))
	c := (0.8+math.Exp(-0.075*d))*(-1+wide) + wide
	return 1 + (at45-1)*(math.Pow(1-discharge, c)-1)/(math.Pow(1-0.45, c)-1)
}
