package coupled

import (
	"fmt"
	"math"
	"math/rand/v2"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// A crowd is bodies on a lattice of places in a periodic box.

const (
	mostInCrowd = 100_000
	// least is how far bodies of a crowd are from each other, in nodes.
	least = 1
)

// motions are what bodies do.
var motions = []string{"fixed", "moving", "free"}

// isCrowd tells whether the bodies are one.
func (s *Spec) isCrowd() bool { return s.Size.Dim() == 3 || s.Motion != "fixed" }

// drift moves without turning.
type drift struct{ from, velocity geometry.Vec }

// At is rigid.Motion.
func (d drift) At(t float64) kinematics.State {
	return kinematics.State{Position: d.from.Add(d.velocity.Scale(t)), Velocity: d.velocity, Rotation: geometry.Identity()}
}

// crowd are its bodies, with markers about spacing nodes apart, the same in every run. Those
// that move all move alike; free ones, heavier than the fluid, begin each with a velocity
// of its own.
func (s *Spec) crowd(spacing float64) (all []*rigid.Body, err error) {
	places, pitch, err := s.places()
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(uint64(s.Bodies), 1))
	for i := range s.Bodies {
		var center, velocity geometry.Vec
		for a, n := range places {
			jitter := math.Min(1, pitch[a]-float64(s.Diameter)-least)
			center[a] = (float64(i%n)+0.5)*pitch[a] + jitter*(random.Float64()-0.5)
			velocity[a] = 0.4 * streamVelocity * (random.Float64() - 0.5)
			i /= n
		}
		var shape geometry.Shape
		if len(places) == 3 {
			shape, err = geometry.NewSphere(center, float64(s.Diameter))
		} else {
			shape, err = geometry.NewCircle(center, float64(s.Diameter))
		}
		if err != nil {
			return nil, err
		}
		b, err := rigid.NewBody(fmt.Sprintf("body %d", len(all)+1), shape, spacing, 0)
		if err != nil {
			return nil, err
		}
		switch s.Motion {
		case "moving":
			b.Motion = drift{center, geometry.Vec{-0.3 * streamVelocity, 0.2 * streamVelocity}}
		case "free":
			b.Free = &rigid.Free{Density: 1.5, Velocity: velocity}
		}
		all = append(all, b)
	}
	return all, nil
}

// places are how many there are along the axes of the box, and how far apart they are.
func (s *Spec) places() (n []int, pitch []float64, err error) {
	axes, all := s.Size.Axes(), 1
	apart := math.Pow(float64(s.Size.Nodes())/float64(s.Bodies), 1/float64(len(axes)))
	for _, nodes := range axes {
		n = append(n, max(1, int(float64(nodes)/apart)))
		all *= n[len(n)-1]
	}
	for all < s.Bodies { // another one where they are farthest apart
		widest := 0
		for a := range n {
			if float64(axes[a])/float64(n[a]) > float64(axes[widest])/float64(n[widest]) {
				widest = a
			}
		}
		all = all / n[widest] * (n[widest] + 1)
		n[widest]++
	}
	for a, nodes := range axes {
		pitch = append(pitch, float64(nodes)/float64(n[a]))
		if pitch[a] < float64(s.Diameter)+least {
			return nil, nil, fmt.Errorf("%d bodies of %d nodes do not fit into %v with %d node between them on a lattice of places: choose a larger --size or a smaller --volume-fraction",
				s.Bodies, s.Diameter, s.Size, least)
		}
	}
	return n, pitch, nil
}

// contact keeps free bodies apart.
func (s *Spec) contact() rigid.Contact {
	if s.Motion != "free" {
		return rigid.Contact{}
	}
	return rigid.Contact{Distance: 2, Stiffness: 1, Speed: streamVelocity}
}

// box is the periodic box of a crowd.
func (s *Spec) box() (lbm.Config, error) {
	c, err := lbm.NewCollision("trt", viscosity, lbm.MagicPoiseuille)
	lattice := lbm.D2Q9
	if s.Size.Dim() == 3 {
		lattice = lbm.D3Q19
	}
	return lbm.Config{Lattice: lattice, Size: s.Size.Padded(), Collision: c}, err
}

// momentumGap makes a step of a crowd and compares the momentum that the fluid gains in it with the
// forces on all bodies: their difference, over the sum of the forces' sizes; and the largest slip.
func momentumGap[T lbm.Float](sim *hybrid.Simulation[T]) (gap, slip float64) {
	before := momentum(sim)
	loads := sim.StepMeasured()
	after := momentum(sim)
	var lost geometry.Vec
	size := 0.
	for _, l := range loads {
		force := geometry.Vec(l.Force).Sub(geometry.Vec(l.Inner)) // by the markers
		lost, size = lost.Add(force), size+force.Norm()
		slip = math.Max(slip, l.Slip)
	}
	return after.Sub(before).Add(lost).Norm() / size, slip
}

// momentum is that of all fluid.
func momentum[T lbm.Float](sim *hybrid.Simulation[T]) (j geometry.Vec) {
	cfg := sim.Fluid.Config()
	f := make([]T, cfg.Nodes())
	for i, c := range cfg.Lattice.C {
		sim.Fluid.Population(i, f)
		sum := 0.
		for _, v := range f {
			sum += float64(v)
		}
		for a := range j {
			j[a] += float64(c[a]) * sum
		}
	}
	return j
}
