package plate

import "math"

// Local stores what the sheet is like at each node: the largest of the tensions, force per length, that acted in the last step along the edges that
// meet there, and half of |X₁₁ + X₂₂|, the mean curvature, 0 where a node has not both.
func (s *Sheet) Local(tension, curvature []float64) {
	b := s.bending
	for k := range s.now.x {
		tension[k], curvature[k] = math.Inf(-1), 0
		if b.both[0][k] && b.both[1][k] {
			curvature[k] = b.second(0, k, s.now.x).Add(b.second(1, k, s.now.x)).Norm() / 2
		}
	}
	for k := range s.edges {
		e := &s.edges[k]
		tension[e.a], tension[e.b] = max(tension[e.a], s.stress.tension[k]), max(tension[e.b], s.stress.tension[k])
	}
}
