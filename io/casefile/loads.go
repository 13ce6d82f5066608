package casefile

import "strings"

// EndLoad is a force from outside on the vertices at one end of an elastic surface, in reference units.
type EndLoad struct {
	At    string     // x-min … z-max: the end, of the body as it is drawn
	Part  float64    // of all vertices, 0 to 1
	Force [3]float64 // on all of them together, ρU²L^(d−1)
	Ramp  float64    // L/U in which it comes smoothly from 0; 0: it is there at once
}

// Axis is that along which the end lies, 0 to 2; upper tells that it is where the coordinate is largest.
func (l *EndLoad) Axis() (axis int, upper bool) {
	return strings.IndexByte("xyz", l.At[0]), l.At[1:] == "-max"
}

// mostLoads bounds the loads of a body: there are six ends.
const mostLoads = 64

// readLoads reads the forces from outside on an elastic surface.
func readLoads(t *table) (loads []EndLoad) {
	if !t.has("loads") {
		return nil
	}
	all := t.tables("loads")
	if len(all) > mostLoads {
		t.fail("loads", "are %d, must be at most %d on a body: put those at one end together", len(all), mostLoads)
		all = all[:mostLoads]
	}
	share := bound{func(x float64) bool { return x > 0 && x <= 1 }, "must be above 0 and at most 1"}
	for _, of := range all {
		l := EndLoad{At: of.choice("at", "")}
		if t.r.c.Domain.Dim == 2 && strings.HasPrefix(l.At, "z") {
			of.fail("at", "%q does not exist with %s: use an end along x or y", l.At, t.r.c.Domain.Lattice)
		}
		l.Part = of.requiredNumber("part", spec{Number, share, "give the part of the vertices that it acts on, for instance 0.05"})
		l.Force = of.requiredVector("force", spec{quantity: Force, remedy: "give the force on all of them together in ρU²L^(d−1), or with units, for instance [\"100 pN\", 0, 0]"})
		if of.has("force") && l.Force == ([3]float64{}) && t.r.clean(of.key("force")) {
			of.fail("force", "is 0 along all axes: give a force, or remove the load")
		}
		l.Ramp = of.number("ramp", spec{Time, notNegative, "give the time in L/U in which it comes from 0, or 0 for at once"}, 0)
		loads = append(loads, l)
	}
	return loads
}
