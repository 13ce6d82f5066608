package reference

import "testing"

// Bounds that once were wider than what is published: the source's, nothing more.
func TestGatesAreNoWiderThanTheirSources(t *testing.T) {
	for _, c := range []struct {
		group, quantity string
		low, high       float64
	}{
		{"cylinder", "drag, Re = 20, D = 20", 2.2183 * 0.99, 2.2183 * 1.01},
		{"cylinder", "drag, Re = 40, D = 20", 1.6447 * 0.99, 1.6447 * 1.01},
		{"cylinder", "drag, Re = 40, D = 40", 1.6447 * 0.99, 1.6447 * 1.01},
		{"dfg", "2D-1 drag, D = 20", 5.57, 5.59}, // Schäfer & Turek (1996), as all of dfg
		{"dfg", "2D-1 drag, D = 40", 5.57, 5.59},
		{"dfg", "2D-1 lift, D = 40", 0.0104, 0.0110},
		{"dfg", "2D-1 recirculation, D = 40", 0.842, 0.852},
		{"dfg", "2D-2 largest drag, D = 40", 3.22, 3.24},
		{"dfg", "2D-2 largest lift, D = 40", 0.98, 1.01},
		{"dfg", "2D-2 Strouhal number, D = 40", 0.295, 0.305},
		{"dfg", "2D-2 pressure drop half a period after the largest lift, D = 40", 2.46, 2.50},
		{"dfg3d", "3D-1Z drag, D = 20", 6.05, 6.25},
		{"dfg", "2D-1 order of the drag's error, D = 10 to 40", 1.5, 2.5},
		{"impulsive", "drag from tU/R = 0.5 to 7, Re = 40, rms difference", 0, 0.03},
		{"impulsive", "drag from tU/R = 0.5 to 5, Re = 550, rms difference", 0, 0.05},
		{"impulsive", "bubble from tU/D = 1 to 3.5, Re = 40, rms difference", 0, 0.05},
		{"dutsch", "velocity profiles, rms difference over Um, D = 20", 0, 0.04},
		{"taylor-couette", "torque on both over that on one, D = 40", -0.005, 0.005},
		{"settling", "largest speed over U, E1", 0.947 * 0.98, 0.947 * 1.02},
		{"settling", "largest speed over U, E4", 0.955 * 0.985, 0.955 * 1.015},
		{"sphere", "drag, Re = 50", 1.581 * 0.98, 1.581 * 1.02},
		{"sphere", "drag, Re = 100", 1.102 * 0.98, 1.102 * 1.02},
		{"sphere", "drag, Re = 300", 0.656 * 0.98, 0.656 * 1.02},
		{"tgv3d", "energy at t = 4, 64³, Smagorinsky", 0.12150819 * 0.99, 0.12150819 * 1.01},
	} {
		found := false
		for _, g := range Gates() {
			if g.Group == c.group && g.Quantity == c.quantity {
				found = true
				if slack := 1e-4 * (c.high - c.low); g.Low < c.low-slack || g.High > c.high+slack {
					t.Errorf("%s, %s passes in %g … %g, the source's width is %g … %g", g.Group, g.Quantity, g.Low, g.High, c.low, c.high)
				}
			}
		}
		if !found {
			t.Errorf("%s, %s is not asked for", c.group, c.quantity)
		}
	}
}
