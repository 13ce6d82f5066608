package flexible

import (
	"lbmib/geometry"
	"lbmib/hybrid/rigid"
)

// PulledBodies is rigid.Pulling.
func (f *Filament) PulledBodies() (of [2]*rigid.Body) {
	for e, h := range f.Holds {
		if h.Base != nil && h.Base.Free != nil {
			of[e] = h.Base
		}
	}
	return of
}

// Pull is rigid.Pulling: the line's as a function of what bodies do, whose points at arms r move by v = U + Ω×r and turn by Ω. Momentum p and
// moment m about the point are m + r×p about the centre.
func (f *Filament) Pull(to *rigid.Pull) {
	*to = rigid.Pull{}
	f.Line.Pull(&f.pull)
	of := f.PulledBodies()
	for e, b := range of {
		if b == nil {
			continue
		}
		to.RHS[e] = aboutCenter(f.pull.P[e], f.Holds[e].arm)
		for g, o := range of {
			if o == nil {
				continue
			}
			var half [6][6]float64 // S J, then Jᵀ S J, by columns
			for k := range half {
				var column [6]float64
				for i := range column {
					column[i] = ofBody(&f.pull.S[e][g][i], f.Holds[g].arm, k)
				}
				half[k] = aboutCenter(column, f.Holds[e].arm)
			}
			at := o.Here()
			v := [6]float64{at.Velocity[0], at.Velocity[1], at.Velocity[2], at.Spin[0], at.Spin[1], at.Spin[2]}
			for k := range half {
				for i, s := range half[k] {
					to.A[e][g][i][k] = s
					to.RHS[e][i] += s * v[k]
				}
			}
		}
	}
}

// aboutCenter is a momentum and a moment about the point at an arm from the centre, with the moment about the centre in its place.
func aboutCenter(p [6]float64, arm geometry.Vec) [6]float64 {
	moment := arm.Cross(geometry.Vec(p[:3]))
	for a := range 3 {
		p[3+a] += moment[a]
	}
	return p
}

// ofBody is component k of (U, Ω) as a row, which multiplies (U + Ω×r, Ω), has it.
func ofBody(row *[6]float64, arm geometry.Vec, k int) float64 {
	if k < 3 {
		return row[k]
	}
	var spin geometry.Vec
	spin[k-3] = 1
	return row[k] + geometry.Vec(row[:3]).Dot(spin.Cross(arm))
}

// Follow is rigid.Pulling.
func (f *Filament) Follow() error {
	for e, b := range f.PulledBodies() {
		if b != nil {
			at := b.Here()
			f.Line.Follow(e, at.Velocity.Add(at.Spin.Cross(f.Holds[e].arm)), at.Spin)
		}
	}
	return f.finish()
}
