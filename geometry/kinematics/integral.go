package kinematics

// Integral is a coordinate whose rate is given: ∫ Of dt from 0, by Simpson's rule
// over intervals Step, summed one after the other from 0, so that results do not
// depend on where a run was resumed. Going forward costs three evaluations an
// interval. Of the sums it keeps the last and, to go back, some hundreds evenly
// spaced from 0 on: its memory does not grow with time.
type Integral struct {
	Of   func(t float64) float64
	Step float64

	last  sum
	marks []float64 // sums after 0, every, 2·every, … intervals
	every int64     // a power of two
}

// sum is the integral over the first n intervals.
type sum struct {
	n     int64
	value float64
}

// mostMarks bounds the sums that an Integral keeps; half of them go when there are
// as many.
const mostMarks = 1024

// At is the integral and the rate at t.
func (g *Integral) At(t float64) (value, rate float64) {
	n := int64(t / g.Step)
	value = g.upTo(n)
	if from := float64(n) * g.Step; t > from {
		value += g.simpson(from, t-from)
	}
	return value, g.Of(t)
}

// upTo is the sum of the first n intervals.
func (g *Integral) upTo(n int64) float64 {
	if len(g.marks) == 0 {
		g.marks, g.every = append(make([]float64, 0, mostMarks), 0), 1
	}
	if n < g.last.n { // back to the nearest sum before it
		i := max(0, n/g.every)
		g.last = sum{i * g.every, g.marks[i]}
	}
	for g.last.n < n {
		g.last.value += g.simpson(float64(g.last.n)*g.Step, g.Step)
		g.last.n++
		g.mark()
	}
	return g.last.value
}

// mark keeps the last sum where it is the next of the marks.
func (g *Integral) mark() {
	if g.last.n != int64(len(g.marks))*g.every {
		return
	}
	g.marks = append(g.marks, g.last.value)
	if len(g.marks) < mostMarks {
		return
	}
	for i := range mostMarks / 2 {
		g.marks[i] = g.marks[2*i]
	}
	g.marks, g.every = g.marks[:mostMarks/2], 2*g.every
}

func (g *Integral) simpson(from, width float64) float64 {
	return width / 6 * (g.Of(from) + 4*g.Of(from+width/2) + g.Of(from+width))
}
