package geometry

// tooNear is how near markers may be in spacings: nearer ones make the weights
// of direct forcing ill-conditioned.
const tooNear = 0.6

// thin joins markers that are nearer than tooNear·spacing: around sharp edges,
// across thin parts, where parts of a union meet. The areas add. Markers of
// opposite sides meet half way and have no normal, as the joint one is wet on
// both sides.
func thin(m Markers, spacing float64) Markers {
	for range 8 { // a marker that moved may come near another; seen: twice
		n := m.Len()
		if m = joined(m, tooNear*spacing); m.Len() == n {
			break
		}
	}
	return m
}

// joined joins every marker to the nearest one before it that is nearer than
// distance.
func joined(m Markers, distance float64) (kept Markers) {
	near := newBins(nil, distance)
	for k, x := range m.X {
		nearest, r := -1, distance
		near.each(x, distance, func(l int) {
			if d := kept.X[l].Sub(x).Norm(); d < r {
				nearest, r = l, d
			}
		})
		if nearest < 0 {
			near.add(x)
			kept.X = append(kept.X, x)
			kept.Area = append(kept.Area, m.Area[k])
			kept.Normal = append(kept.Normal, m.Normal[k])
			continue
		}
		l := nearest
		kept.Area[l] += m.Area[k]
		if kept.Normal[l].Dot(m.Normal[k]) < 0 {
			kept.X[l] = kept.X[l].Add(x).Scale(0.5)
			kept.Normal[l] = Vec{}
		}
	}
	return kept
}
