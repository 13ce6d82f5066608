package statistics

import "math"

// cycle is a part of the record, whole periods long, and what the force does in it.
type cycle struct {
	from, to                 float64
	t, w, f, v, a, quadratic []float64 // at the samples of the force and both ends, with weights of the trapezoidal rule
	linear, morison          []float64 // factors of 1, V (or V|V|) and dV/dt
	rms                      float64   // of the force about its mean
}

// cycle samples a part of the record.
func (s *Swinging) cycle(k *track, from, to float64) cycle {
	force := series{s.FT, s.F}
	times := []float64{from}
	for i := force.index(from); i < len(s.FT) && s.FT[i] < to; i++ {
		if s.FT[i] > from {
			times = append(times, s.FT[i])
		}
	}
	times = append(times, to)
	n := len(times)
	c := cycle{from: from, to: to, t: times, w: make([]float64, n), f: make([]float64, n), v: make([]float64, n), a: make([]float64, n), quadratic: make([]float64, n)}
	for i, t := range times {
		c.w[i] = (times[min(i+1, n-1)] - times[max(i-1, 0)]) / 2
		c.f[i] = force.onLine(t)
		c.v[i], c.a[i] = k.at(t)
		c.quadratic[i] = c.v[i] * math.Abs(c.v[i])
	}
	c.fit()
	return c
}

func (c *cycle) fit() {
	constant := ones(len(c.f))
	c.linear = leastSquares(c.w, c.f, constant, c.v, c.a)
	c.morison = leastSquares(c.w, c.f, constant, c.quadratic, c.a)
	mean := c.mean(func(i int) float64 { return c.f[i] })
	c.rms = math.Sqrt(c.mean(func(i int) float64 { return (c.f[i] - mean) * (c.f[i] - mean) }))
}

// mean is the time average of a function of the samples.
func (c *cycle) mean(of func(i int) float64) float64 {
	sum, all := 0., 0.
	for i, w := range c.w {
		sum += w * of(i)
		all += w
	}
	return sum / all
}

// root is the size of a function of the samples: √2 times its root mean square.
func (c *cycle) root(v []float64) float64 {
	mean := c.mean(func(i int) float64 { return v[i] })
	return math.Sqrt2 * math.Sqrt(c.mean(func(i int) float64 { return (v[i] - mean) * (v[i] - mean) }))
}

// agreeingCycles is the number of cycles at the end that agree with each other, and in what the one before them does not.
func agreeingCycles(list []cycle) (n int, differs string) {
	last := &list[len(list)-1]
	width := agreeLift * math.Sqrt2 * last.rms
	v, a := last.root(last.v), last.root(last.a)
	aspects := []struct {
		name string
		of   func(c *cycle) float64
		extent
	}{
		{"mean of the force", func(c *cycle) float64 { return c.linear[0] }, newExtent()},
		{"force in phase with the velocity", func(c *cycle) float64 { return c.linear[1] * v }, newExtent()},
		{"force in phase with the acceleration", func(c *cycle) float64 { return c.linear[2] * a }, newExtent()},
		{"size of the force", func(c *cycle) float64 { return math.Sqrt2 * c.rms }, newExtent()},
	}
	for n < len(list) {
		for i := range aspects {
			q := &aspects[i]
			q.include(q.of(&list[len(list)-1-n]))
			if q.width() > width {
				return n, q.name
			}
		}
		n++
	}
	return n, ""
}

// fitted is a fit to all samples, of which cycles one by one have their own; linear or in the square of the velocity.
func (c *cycle) fitted(cycles []cycle, square bool) (f ForceFit) {
	factors, g := c.linear, c.v
	if square {
		factors, g = c.morison, c.quadratic
	}
	f.Mean, f.Drag, f.Mass = factors[0], -factors[1], -factors[2]
	left := c.mean(func(i int) float64 {
		d := c.f[i] - f.Mean + f.Drag*g[i] + f.Mass*c.a[i]
		return d * d
	})
	f.Rest = math.Sqrt(left) / c.rms
	var drag, mass []float64
	for i := range cycles {
		own := cycles[i].linear
		if square {
			own = cycles[i].morison
		}
		drag, mass = append(drag, own[1]), append(mass, own[2])
	}
	f.DragSpread, f.MassSpread = deviation(drag), deviation(mass)
	return f
}

// deviation is the standard deviation of a sample; 0 of one value.
func deviation(v []float64) float64 {
	mean, square := 0., 0.
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - mean) * (x - mean)
	}
	if len(v) < 2 {
		return 0
	}
	return math.Sqrt(square / float64(len(v)-1))
}

// over is what the force does over cycles of a mean period.
func (s *Swinging) over(k *track, cycles []cycle, period float64) *Oscillation {
	n := len(cycles)
	all := s.cycle(k, cycles[0].from, cycles[n-1].to)
	o := &Oscillation{From: all.from, To: all.to, Period: period, Periods: n, motion: k}
	o.VelocityMean = all.mean(func(i int) float64 { return all.v[i] })
	o.ForceMean = all.mean(func(i int) float64 { return all.f[i] })
	o.Velocity = series{k.t, k.v}.amplitude(all.from, all.to)
	o.Acceleration = series{k.t, k.a}.amplitude(all.from, all.to)
	o.Linear, o.Morison = all.fitted(cycles, false), all.fitted(cycles, true)
	o.Work = -all.mean(func(i int) float64 { return all.f[i] * all.v[i] }) / all.mean(func(i int) float64 { return all.quadratic[i] * all.v[i] })
	omega := 2 * math.Pi / o.Period
	a, b, _ := Harmonic(all.t, all.v, omega) // V ≈ a cos ωt + b sin ωt
	o.Zero = math.Atan2(b, a) / omega
	o.Zero += math.Ceil((all.from-o.Zero)/o.Period) * o.Period
	return o
}

// Phases are means over the periods of samples y at increasing times t, at n phases evenly from 0 on, and their standard deviations
// among the periods. Between samples are straight lines or, with the slopes dy/dt there, cubics.
func (o *Oscillation) Phases(t, y, slopes []float64, n int) (mean, spread []float64) {
	at := series{t, y}.onLine
	if slopes != nil {
		cubic := track{t, y, slopes}
		at = func(time float64) float64 { v, _ := cubic.at(time); return v }
	}
	mean, spread = make([]float64, n), make([]float64, n)
	for k := range n {
		var all []float64
		first := o.Zero + float64(k)/float64(n)*o.Period
		if first >= o.From+o.Period {
			first -= o.Period
		}
		for i := range o.Periods {
			all = append(all, at(first+float64(i)*o.Period))
		}
		for _, v := range all {
			mean[k] += v / float64(len(all))
		}
		spread[k] = deviation(all)
	}
	return mean, spread
}

// Motion is the track of velocity and acceleration that the fits were made with.
func (o *Oscillation) Motion() (t, velocity, acceleration []float64) {
	return o.motion.t, o.motion.v, o.motion.a
}

// At is the force that a fit has at a velocity and an acceleration; square: it is Morison's.
func (f *ForceFit) At(velocity, acceleration float64, square bool) float64 {
	if square {
		velocity *= math.Abs(velocity)
	}
	return f.Mean - f.Drag*velocity - f.Mass*acceleration
}

// onLine is the value at a time, before the first sample on the line through the first two.
func (s series) onLine(time float64) float64 {
	if len(s.t) < 2 || time >= s.t[0] {
		return s.at(time)
	}
	return s.y[0] + (s.y[1]-s.y[0])/(s.t[1]-s.t[0])*(time-s.t[0])
}
