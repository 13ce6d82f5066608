package flexible

import (
	"lbmib/geometry"
	"lbmib/ib/elastic/beam"
)

// StateLen is rigid.Structure: steps, four vectors a node, the tensions, three vectors an end, and a
// marker's place, normal and velocity.
func (f *Filament) StateLen() int {
	n := f.Line.Len()
	return 1 + 4*3*n + (n - 1) + 2*3*3 + 3*3*len(f.places)
}

// Keep is rigid.Structure.
func (f *Filament) Keep(to []float64) []float64 {
	s := f.Line.Save()
	to = append(to, float64(s.Steps))
	for _, part := range f.parts(&s) {
		for _, v := range part {
			to = append(to, v[:]...)
		}
	}
	to = append(to, s.Tension...)
	for _, e := range s.Ends {
		for _, v := range [3]geometry.Vec{e.Place, e.Tangent, e.Was} {
			to = append(to, v[:]...)
		}
	}
	return to
}

// Take is rigid.Structure.
func (f *Filament) Take(from []float64) error {
	n := f.Line.Len()
	s := beam.Saved{Steps: int64(from[0]), X: make([]geometry.Vec, n), U: make([]geometry.Vec, n),
		XBefore: make([]geometry.Vec, n), UBefore: make([]geometry.Vec, n), Tension: make([]float64, n-1)}
	from = from[1:]
	for _, part := range f.parts(&s) {
		for k := range part {
			from = from[copy(part[k][:], from):]
		}
	}
	from = from[copy(s.Tension, from):]
	for e := range s.Ends {
		end := &s.Ends[e]
		for _, v := range [3]*geometry.Vec{&end.Place, &end.Tangent, &end.Was} {
			from = from[copy(v[:], from):]
		}
	}
	if err := f.Line.Restore(s); err != nil {
		return err
	}
	velocities := append([]geometry.Vec(nil), f.velocities...)
	f.take()
	copy(f.velocities, velocities) // those of markers are of the places that the step was made at
	return nil
}

// parts are the vectors of the state.
func (f *Filament) parts(s *beam.Saved) [7][]geometry.Vec {
	return [7][]geometry.Vec{s.X, s.U, s.XBefore, s.UBefore, f.places, f.normals, f.velocities}
}
