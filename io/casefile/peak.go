package casefile

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// peak is where a prescribed speed is largest over the run.
type peak struct {
	t, speed float64 // L/U and U
	usual    float64 // what it stays below for nine tenths of the time
}

// peakOf finds the peak over times.
func peakOf(times iter.Seq[float64], speed func(t float64) float64) (p peak) {
	var all []float64
	for t := range times {
		v := speed(t)
		all = append(all, v)
		if v > p.speed {
			p.t, p.speed = t, v
		}
	}
	slices.Sort(all)
	p.usual = all[len(all)*9/10]
	return p
}

// checkPeak refuses a prescribed speed whose Mach number is too high at its peak. A
// pole or a jump of a formula is short, and a slower lattice does not help; it is
// told by its time.
func (r *reader) checkPeak(key string, p peak) {
	const short = 5 // times what is usual
	if !r.clean(key, "reference.velocity") {
		return
	}
	mach := p.speed * r.c.Reference.Velocity * math.Sqrt(3)
	if mach <= maxMach {
		return
	}
	remedy := "lower reference.velocity to " + formatDown(maxMach/math.Sqrt(3)/p.speed)
	if p.speed > short*p.usual {
		remedy = fmt.Sprintf("it is short, most of the time it stays below %.3g U: look for a jump or a division by nearly 0 there, and smooth or bound it, for instance by min(…, 2)", p.usual)
	}
	at := ""
	if p.speed > p.usual {
		at = fmt.Sprintf(" at t = %.5g", p.t)
	}
	r.fail(key, "prescribes %.4g U%s, which has Mach number %.3g, must be at most %v: %s", p.speed, at, mach, maxMach, remedy)
}

// fastestKey is the key, below that of a motion, of what moves the body fastest at t.
func (m *Motion) fastestKey(key string, t, h, reach float64) string {
	speed, spin := m.speeds(t, h)
	if spin*reach > speed {
		for name, v := range map[string]*Varying{"angle": m.Angle, "spin": m.Spin} {
			if v != nil {
				return join(key, name)
			}
		}
		return key
	}
	name, of := "displacement", m.Displacement
	if m.Velocity != nil {
		name, of = "velocity", m.Velocity
	}
	if of == nil {
		return key
	}
	best, most := 0, -1.0
	for i, v := range of {
		size := math.Abs(v.At(t))
		if m.Velocity == nil {
			size = math.Abs(v.At(t+h) - v.At(t))
		}
		if size > most {
			best, most = i, size
		}
	}
	return fmt.Sprintf("%s.%d", join(key, name), best)
}
