package lbm

// Drive is what drives the faces of a fluid, step by step.
type Drive struct {
	cfg    *Config
	inflow [6]float64 // of velocity faces that vary: what enters at an amplitude of 1, per node of the open faces
}

// NewDrive sums what enters through velocity faces, once.
func NewDrive(cfg *Config) Drive {
	cfg = cfg.whole()
	d := Drive{cfg: cfg}
	open, outflow := 0., false
	for side := range 2 * cfg.Lattice.Dim {
		if kind := cfg.Faces[side].Kind; kind.HoldsPressure() {
			outflow = outflow || kind == Outflow
			for _, absent := range cfg.OpenFaceAt(side).Absent {
				if !absent {
					open++
				}
			}
		}
	}
	if !outflow || open == 0 {
		return d
	}
	for side := range 2 * cfg.Lattice.Dim {
		if kind := cfg.Faces[side].Kind; !kind.IsOpen() || !kind.HasVelocity() || cfg.Faces[side].Amplitude == nil {
			continue
		}
		face := cfg.OpenFaceAt(side)
		for n, u := range face.Velocity {
			if !cfg.solid(face.Position(n)) {
				d.inflow[side] -= face.Outward * u[face.Axis] / open
			}
		}
	}
	return d
}

// At is what drives each face in the step after so many: the factor on a velocity or on a
// density, in the middle of the step, when populations meet walls; and of an outflow by
// how much the mean velocity out of the domain rises in a step because more enters
// through velocity faces. Open faces share that by their area.
func (d *Drive) At(steps int64) (drive [6]float64) {
	t, rise := float64(steps), 0.
	for i := range d.cfg.Faces {
		drive[i] = 1
		if a := d.cfg.Faces[i].Amplitude; a != nil {
			drive[i] = a(t + 0.5)
			if d.inflow[i] != 0 {
				rise += d.inflow[i] * (drive[i] - a(t-0.5))
			}
		}
	}
	for i := range d.cfg.Faces {
		if d.cfg.Faces[i].Kind == Outflow {
			drive[i] = rise
		}
	}
	return drive
}
