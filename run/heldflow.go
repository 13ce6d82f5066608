package run

import (
	"fmt"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/table"
)

// FlowSummary is what holds a flow rate: means over a window, which is found from the force as that of forces on bodies is from them, or
// begins where output.statistics says.
type FlowSummary struct {
	Axis           string           `json:"axis"`
	FlowRate       finite.Number    `json:"flow_rate_mean" si:"flow rate"`     // U·L^(d−1)
	Speed          finite.Number    `json:"speed_mean" si:"velocity"`          // U
	Force          finite.Number    `json:"body_force_mean" si:"acceleration"` // per mass, U²/L
	ForceAmplitude finite.Number    `json:"body_force_amplitude" si:"acceleration"`
	ForceLast      finite.Number    `json:"body_force_last" si:"acceleration"`
	Window         [2]finite.Number `json:"window" si:"time"` // L/U
	Converged      bool             `json:"converged"`
	SI             InSI             `json:"si,omitempty"`
}

// flowStatistics fills in the flow that is held.
func (r *results[T]) flowStatistics(s *Summary) error {
	if r.Held == nil {
		return nil
	}
	t, err := table.Read(r.Dir.File("flow.csv"))
	if err != nil {
		return err
	}
	x := samples{table: t}
	if x.t, err = t.Float("t", nil); err != nil {
		return err
	}
	a, err := x.window(r.Case.Output.Statistics.From, "body_force")
	if err != nil {
		return err
	}
	force := x.over("body_force", &a)
	f := &FlowSummary{
		Axis: "xyz"[r.Held.Axis : r.Held.Axis+1], FlowRate: finite.Number(x.over("flow_rate", &a).Mean), Speed: finite.Number(x.over("speed", &a).Mean),
		Force: finite.Number(force.Mean), ForceAmplitude: finite.Number(force.Amplitude),
		ForceLast: finite.Number(r.Units.FromLattice(casefile.Acceleration, r.Held.Until)),
		Window:    [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Converged: a.Converged,
	}
	s.Flow = f
	return nil
}

// writeFlow prints the flow that was held, and by which force.
func (s *Summary) writeFlow(b *strings.Builder) {
	f := s.Flow
	if f == nil {
		return
	}
	text := fmt.Sprintf("flow along %s: speed %s U, flow rate %s%s, held by a force per mass of %s U²/L", f.Axis, told(s.units, casefile.Velocity, f.Speed), told(s.units, casefile.FlowRate, f.FlowRate), flowUnit(s.units.Dim), told(s.units, casefile.Acceleration, f.Force))
	if float64(f.ForceAmplitude) > 5e-4*float64(f.Force) {
		text += " ± " + fourDigits(f.ForceAmplitude)
	}
	if si := siText(s.units, casefile.Velocity, 1, f.Speed); si != "" {
		text += " (" + si + ", " + siText(s.units, casefile.FlowRate, 1, f.FlowRate) + ", " + siText(s.units, casefile.Acceleration, 1, f.Force) + ")"
	}
	text += fmt.Sprintf(", over %.4g–%.4g L/U", float64(f.Window[0]), float64(f.Window[1]))
	if !f.Converged {
		text += ", not converged"
	}
	wrapped(b, "  ", text)
}
