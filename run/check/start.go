package check

import (
	"fmt"
	"math"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// startLimits are bounds on the relative density of the sound that a start sends out: a face
// that lets through another mean velocity than the flow beside it has changes density by Δu·Ma.
var startLimits = limits{Caution: 0.05, unsafe: none, why: "above %g: a face's velocity at t = 0 is not that of the initial state beside it, and sound as strong as that runs through the domain; begin with ramp beside domain.initial = { type = \"rest\" }, or with the full velocity beside a stream"}

// startOf judges the change of density in the first step; nil without a face that prescribes the
// velocity, or where the initial state comes from a file.
func startOf(c *casefile.Case) *Judged {
	in := &c.Domain.Initial
	mean, below := 1., 0. // of the initial velocity over a face, in parts of the given one, and of that at the bottom
	switch in.Type {
	case "file":
		return nil
	case "poiseuille":
		mean = 2. / 3
	case "couette":
		mean, below = 1./2, 1./2
	}
	most, some := 0., false
	for i := range 2 * c.Domain.Dim {
		f := &c.Domain.Boundary[i]
		if f.Type != "velocity" {
			continue
		}
		some = true
		through := c.Domain.Through(i) * float64(1-i%2*2)
		most = math.Max(most, math.Abs(through*f.At(0)-mean*in.Velocity[i/2]-below*in.Bottom[i/2]))
	}
	if !some {
		return nil
	}
	return judged(most*c.Units().Mach, startLimits)
}

// softStartOf judges run.soft_start where the case gives one beside the motion of body i: nil where it is not too long.
func softStartOf(p *setup.Problem, i int) *Judged {
	const slack = 1.1 // looks at the motion are apart
	given := p.Case.Run.SoftStart
	if given == casefile.AutoSoftStart || given == 0 {
		return nil
	}
	limit := p.StartLimit(i)
	if given <= slack*limit {
		return nil
	}
	return &Judged{finite.Number(given), Caution, fmt.Sprintf(
		"longer than %.2g L/U, in which this motion changes by half: until the start is over the surface does not move as bodies.csv tells, and the forces, an added mass among them, are those of another motion; leave run.soft_start out, or begin statistics after it",
		limit)}
}
