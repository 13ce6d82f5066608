package contact

import "lbmib/geometry"

// wall is a face of the domain that repels.
type wall struct {
	axis int
	at   float64 // in nodes
	sign float64 // of the direction into the domain
}

func wallsOf(cfg *Config) (all []wall) {
	for f, repels := range cfg.Walls {
		if a := f / 2; repels && !cfg.Periodic[a] {
			w := wall{a, -0.5, 1}
			if f%2 == 1 {
				w.at, w.sign = float64(cfg.Size[a])-0.5, -1
			}
			all = append(all, w)
		}
	}
	return all
}

// atWalls adds what walls do to point k of a soft surface that asks for it.
func (s *System) atWalls(k int, gap []float64) {
	of := s.of[k]
	pressure := s.pressure[of]
	if s.at[k].Area == 0 {
		return
	}
	var force geometry.Vec
	near := false
	for i := range s.walls {
		w := &s.walls[i]
		if d := w.sign * (s.at[k].X[w.axis] - w.at); d < s.cfg.Range {
			near = true
			gap[of] = min(gap[of], d)
			force[w.axis] += w.sign * s.law.surface(d) * pressure * s.at[k].Area
		}
	}
	if near && !s.looks {
		f := &s.Surfaces[of].Force[k-s.first[of]]
		*f = f.Add(force)
	}
}
