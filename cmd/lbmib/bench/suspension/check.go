package suspension

import (
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/lbm"
)

// checks are what a row is held to: momentum drift over the sum of the sizes of what fluid and ellipsoids have exchanged. Rounding of populations,
// which are some thousand times as large as the forces, comes to 1e-15 of these in f64.
func (s *Spec) checks(drift float64) []harness.Check {
	bound := 1e-11
	if s.Precision == "f32" {
		bound = 1e-4
	}
	return []harness.Check{{Name: "what the momentum of fluid and ellipsoids changes in 8 steps, over the sum of the forces' sizes", Value: drift, Bound: bound}}
}

// momentumDrift makes some steps, and compares what the momentum of fluid and ellipsoids changes with what they have exchanged.
func momentumDrift[T lbm.Float](s *hybrid.Simulation[T]) (float64, error) {
	before := momentum(s)
	forces := 0.
	for range 8 {
		s.Step()
		if err := s.Err(); err != nil {
			return 0, err
		}
		for _, f := range s.Ellipsoids().Push {
			forces += f.Norm()
		}
	}
	return momentum(s).Sub(before).Norm() / forces, nil
}

// momentum is that of fluid and ellipsoids together.
func momentum[T lbm.Float](s *hybrid.Simulation[T]) geometry.Vec {
	_, j := s.Fluid.Momentum([3]int{}, s.Fluid.Config().Size)
	p, _ := s.Ellipsoids().Momentum()
	return p.Add(j)
}
