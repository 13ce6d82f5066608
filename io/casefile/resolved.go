package casefile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
)

// Resolved returns the case with every default filled in, under the keys of
// the case file, ready for JSON. Of alternatives (reynolds and viscosity, time
// and steps) it holds both.
func (c *Case) Resolved() map[string]any {
	m := map[string]any{
		"title":     c.Title,
		"reference": c.Reference.resolved(),
		"domain":    c.Domain.resolved(c),
		"fluid":     c.Fluid.resolved(),
		"ib":        c.IB.resolved(),
		"body":      list(c.Bodies, func(b Body) any { return b.resolved(c) }),
		"solid": list(c.Solids, func(s Solid) any {
			return map[string]any{"name": s.Name, "shape": s.Shape.resolved(c)}
		}),
		"run":    c.Run.resolved(),
		"output": c.Output.resolved(c.Domain.Dim),
	}
	return m
}

// Hash returns the SHA-256, in hexadecimal, of what determines the physics and
// the rows of the outputs, the contents of files that the case names included. Title, duration, stopping, threads, backend, streaming
// scheme, memory layout, output directory, plots, statistics and checkpoints do not
// take part, so that a run may be resumed longer, elsewhere and on another machine.
func (c *Case) Hash() string {
	m := c.Resolved()
	m["format"] = "lbmib case 1"
	delete(m, "title")
	fluid := m["fluid"].(map[string]any)
	fluid["layout"], fluid["streaming"] = "auto", "auto" // where populations lie, not what they are
	delete(fluid, "block")
	delete(fluid, "steps_per_sweep")
	run, output := m["run"].(map[string]any), m["output"].(map[string]any)
	if c.Run.SoftStart == AutoSoftStart {
		run["soft_start"] = LongestSoftStart // the default once: checkpoints from then are resumed
	}
	if c.IB.Inside == "free" {
		delete(m["ib"].(map[string]any), "inside") // as before there was a choice
	}
	m["files"] = c.Files()
	for _, k := range []string{"time", "steps", "backend", "threads", "stop_when"} {
		delete(run, k)
	}
	for _, k := range []string{"directory", "plots", "checkpoint", "statistics"} {
		delete(output, k)
	}
	text, err := json.Marshal(m) // map keys in order
	if err != nil {
		panic(fmt.Sprintf("casefile: a resolved case has no JSON form: %v", err)) // all numbers are finite
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// orAuto is a number, or "auto" in place of 0.
func orAuto(v float64) any {
	if v == 0 {
		return "auto"
	}
	return v
}

func list[T any](items []T, f func(T) any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}

// vec cuts a vector to the dimension of the case.
func vec(v [3]float64, dim int) []float64 { return v[:dim:dim] }

// varyings cuts a vector of numbers and expressions to the dimension of the case.
func varyings(v [3]Varying, dim int) []any {
	return list(v[:dim], func(x Varying) any { return x.resolved() })
}

func (r Reference) resolved() map[string]any {
	m := map[string]any{
		"resolution": r.Resolution, "velocity": r.Velocity,
		"reynolds": r.Reynolds, "viscosity": r.Viscosity,
	}
	for name, v := range map[string]float64{"length": r.Length, "speed": r.Speed, "density": r.Density} {
		if v != 0 {
			m[name] = v
		}
	}
	return m
}

func (d Domain) resolved(c *Case) map[string]any {
	boundary := map[string]any{}
	for i := range 2 * d.Dim {
		boundary[FaceNames[i]] = d.Boundary[i].resolved(c)
	}
	return map[string]any{
		"lattice": d.Lattice, "size": vec(d.Size, d.Dim), "origin": vec(d.Origin, d.Dim),
		"force": varyings(d.Force, d.Dim), "gravity": vec(d.Gravity, d.Dim),
		"initial": d.Initial.resolved(c), "boundary": boundary,
	}
}

func (in Initial) resolved(c *Case) map[string]any {
	m := map[string]any{"type": in.Type}
	switch in.Type {
	case "rest":
	case "file":
		m["path"] = c.relative(in.Path)
	default:
		m["velocity"] = vec(in.Velocity, c.Domain.Dim)
	}
	if in.Amplitude != 0 {
		m["amplitude"], m["wavenumber"] = in.Amplitude, in.Wavenumber
	}
	return m
}

func (f Face) resolved(c *Case) map[string]any {
	m, k := map[string]any{"type": f.Type}, f.kind()
	if k.takes("factor") {
		f.resolveFactor(c, m)
	}
	if k.takes("density") {
		m["density"] = f.Density
	}
	if k.takes("profile") {
		m["profile"] = f.Profile
	}
	if f.Profile == "parabolic" {
		m["peak"] = f.Peak
	} else if k.takes("value") {
		m["value"] = vec(f.Value, c.Domain.Dim)
	}
	if f.Ramp > 0 {
		m["ramp"] = f.Ramp
	}
	if f.Period > 0 {
		m["period"], m["phase"] = f.Period, f.Phase
	}
	return m
}

func (f Fluid) resolved() map[string]any {
	m := map[string]any{
		"collision": f.Collision, "precision": f.Precision, "layout": f.Layout, "streaming": f.Streaming,
		"steps_per_sweep": f.Steps,
	}
	if f.Collision == "trt" {
		m["magic"] = f.Magic
	}
	if f.Block > 0 {
		m["block"] = f.Block
	}
	if f.LES > 0 {
		m["les"] = map[string]any{"type": "smagorinsky", "constant": f.LES}
	}
	return m
}

func (r Run) resolved() map[string]any {
	m := map[string]any{
		"time": r.Time, "steps": r.Steps, "backend": r.Backend, "threads": r.Threads, "seed": r.Seed,
		"soft_start": "auto",
	}
	if r.SoftStart != AutoSoftStart {
		m["soft_start"] = r.SoftStart
	}
	stop := map[string]any{}
	if r.StopSteady > 0 {
		stop["steady"] = r.StopSteady
	}
	if r.StopCd > 0 {
		stop["cd_interval"], stop["body"] = r.StopCd, r.StopBody
	}
	if len(stop) > 0 {
		m["stop_when"] = stop
	}
	return m
}

func (o Output) resolved(dim int) map[string]any {
	m := map[string]any{
		"directory":  o.Directory,
		"forces":     map[string]any{"every": o.Forces.Every},
		"checkpoint": map[string]any{"every": o.Checkpoint.Every, "keep": o.Checkpoint.Keep},
		"probes": list(o.Probes, func(p Probe) any {
			return map[string]any{"name": p.Name, "at": vec(p.At, dim), "every": p.Every}
		}),
		"bodies":     map[string]any{"every": o.Bodies.Every},
		"statistics": map[string]any{"from": any("auto")},
		"plots":      o.Plots,
	}
	if !math.IsNaN(o.Statistics.From) {
		m["statistics"] = map[string]any{"from": o.Statistics.From}
	}
	o.resolveSamples(dim, m)
	if o.Fields.Every > 0 {
		m["fields"] = map[string]any{"every": o.Fields.Every, "quantities": o.Fields.Quantities}
	}
	return m
}
