package casefile

import "slices"

func (ib IB) resolved() map[string]any {
	m := map[string]any{
		"delta": ib.Delta, "forcing": ib.Forcing, "spread": ib.Spread, "correction": ib.Correction, "retraction": ib.Retraction, "inside": ib.Inside,
		"contact": map[string]any{"distance": ib.Contact.Distance, "stiffness": ib.Contact.Stiffness},
	}
	if ib.Forcing == "multidirect" {
		m["iterations"], m["tolerance"] = ib.Iterations, ib.Tolerance
	}
	return m
}

func (f Face) resolveFactor(c *Case, m map[string]any) {
	switch {
	case f.Table != nil:
		m["table"], m["repeat"] = c.relative(f.Table.File), f.Table.Repeat
	case f.Factor != Varying{Value: 1}:
		m["factor"] = f.Factor.resolved()
	}
}

// resolved of a copy of an array is a body of its own.
func (b Body) resolved(c *Case) map[string]any {
	return map[string]any{
		"name": b.Name, "shape": b.Shape.resolved(c), "spacing": orAuto(b.Spacing), "fluid": b.Fluid,
		"motion": b.Motion.resolved(c.Domain.Dim),
	}
}

func (m *Motion) resolved(dim int) map[string]any {
	out := map[string]any{"type": m.Type}
	switch m.Type {
	case "prescribed":
		m.resolveTranslation(dim, out)
		m.resolveRotation(dim, out)
	case "free":
		m.resolveFree(dim, out)
	}
	return out
}

func (m *Motion) resolveTranslation(dim int, out map[string]any) {
	switch {
	case m.Displacement != nil:
		out["displacement"] = varyings(*m.Displacement, dim)
	case m.Velocity != nil:
		out["velocity"] = varyings(*m.Velocity, dim)
	case m.Frequency > 0 && (m.Amplitude != [3]float64{} || m.Swing == 0):
		out["amplitude"], out["frequency"], out["phase"] = vec(m.Amplitude, dim), m.Frequency, m.Phase
	}
}

func (m *Motion) resolveRotation(dim int, out map[string]any) {
	switch {
	case m.Angle != nil:
		out["angle"] = m.Angle.resolved()
	case m.Spin != nil:
		out["spin"] = m.Spin.resolved()
	case m.Axis != [3]float64{}:
		out["swing"], out["frequency"], out["swing_phase"] = m.Swing, m.Frequency, m.SwingPhase
	default:
		return
	}
	if dim == 3 {
		out["axis"] = vec(m.Axis, dim)
	}
	if m.Pivot != nil {
		out["pivot"] = vec(*m.Pivot, dim)
	}
}

func (m *Motion) resolveFree(dim int, out map[string]any) {
	out["density"], out["release"] = m.Density, m.Release
	out["velocity"], out["spin"] = vec(m.InitialVelocity, dim), any(vec(m.InitialSpin, dim))
	if dim == 2 {
		out["spin"] = m.InitialSpin[2]
	}
	if m.Inertia > 0 {
		out["inertia"] = m.Inertia
	}
	out["spring"], out["damper"] = vec(m.Spring, dim), vec(m.Damper, dim)
	out["spring_rotation"], out["damper_rotation"] = m.SpringRotation, m.DamperRotation
	held := []string{}
	for i, name := range []string{"x", "y", "z", "rx", "ry", "rz"} {
		if m.Fix[i] {
			held = append(held, name)
		}
	}
	out["fix"] = held
}

func (o Output) resolveSamples(dim int, m map[string]any) {
	m["lines"] = list(o.Lines, func(l Line) any {
		return map[string]any{"name": l.Name, "from": vec(l.From, dim), "to": vec(l.To, dim), "points": l.Points, "every": l.Every}
	})
	m["slices"] = list(o.Slices, func(s Slice) any {
		return map[string]any{"name": s.Name, "axis": "xyz"[s.Axis : s.Axis+1], "at": s.At, "every": s.Every}
	})
	m["boxes"] = list(o.Boxes, func(b Box) any {
		return map[string]any{"name": b.Name, "min": vec(b.Min, dim), "max": vec(b.Max, dim), "every": b.Every}
	})
	if o.Means != nil {
		m["means"] = map[string]any{"from": o.Means.From, "every": o.Means.Every}
	}
}

// NamedFile is a file that the case names: how, and the SHA-256 of its content
// in hexadecimal.
type NamedFile struct {
	Path   string `json:"path"` // relative to the case's folder where it was given so
	SHA256 string `json:"sha256"`
}

// Files lists the files that the case names, each once, in the order of the keys.
func (c *Case) Files() (files []NamedFile) {
	add := func(path, sum string) {
		f := NamedFile{c.relative(path), sum}
		if path != "" && !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	add(c.Domain.Initial.Path, c.Domain.Initial.SHA256)
	for _, f := range c.Domain.Boundary {
		if f.Table != nil {
			add(f.Table.File, f.Table.SHA256)
		}
	}
	var shape func(s Shape)
	shape = func(s Shape) {
		add(s.File())
		for _, part := range s.Parts() {
			shape(part)
		}
	}
	for _, s := range c.Solids {
		shape(s.Shape)
	}
	for _, b := range c.Bodies {
		shape(b.Shape)
	}
	return files
}
