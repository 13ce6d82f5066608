package run

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/io/table"
)

// SectionSummary is what goes through a section: means over a window, which is found from the flow rate as that of forces is from
// them, or begins where output.statistics says.
type SectionSummary struct {
	FlowRate          finite.Number       `json:"flow_rate_mean" si:"flow rate"` // U·L^(d−1), along the section's axis
	FlowRateAmplitude finite.Number       `json:"flow_rate_amplitude" si:"flow rate"`
	FlowRateInterval  finite.Number       `json:"flow_rate_interval" si:"flow rate"` // ± of the mean: half width of its 95 % confidence interval
	Velocity          []finite.Number     `json:"velocity_mean" si:"velocity"`       // U, over the section's fluid
	Pressure          finite.Number       `json:"pressure_mean" si:"pressure"`       // ρU², against the reference density
	PressureAmplitude finite.Number       `json:"pressure_amplitude" si:"pressure"`
	PressureInterval  finite.Number       `json:"pressure_interval" si:"pressure"`  // as that of the flow rate
	PressureDrop      finite.Number       `json:"pressure_drop_mean" si:"pressure"` // ρU², from the section across the same axis that the flow passes first to this one; null of that one
	Area              finite.Number       `json:"area" si:"area"`                   // of its fluid, L^(d−1)
	Window            [2]finite.Number    `json:"window" si:"time"`                 // L/U
	Converged         bool                `json:"converged"`
	Extremes          map[string]Extremes `json:"extremes"` // of flow_rate and p, over the window
	SI                InSI                `json:"si,omitempty"`
}

// PortSummary is what goes through a vessel's port: means over a window, which is found from the pressure.
type PortSummary struct {
	FlowRate          finite.Number       `json:"flow_rate_mean" si:"flow rate"` // UL², into the vessel
	FlowRateAmplitude finite.Number       `json:"flow_rate_amplitude" si:"flow rate"`
	Pressure          finite.Number       `json:"pressure_mean" si:"pressure"` // ρU², against the reference density, at the nodes next to the port
	PressureAmplitude finite.Number       `json:"pressure_amplitude" si:"pressure"`
	FlowRateInterval  finite.Number       `json:"flow_rate_interval" si:"flow rate"` // ± of the mean: half width of its 95 % confidence interval
	PressureInterval  finite.Number       `json:"pressure_interval" si:"pressure"`   // likewise
	PressureDrop      finite.Number       `json:"pressure_drop_mean" si:"pressure"`  // ρU², from the port through which most enters to this one; null of that one
	Window            [2]finite.Number    `json:"window" si:"time"`                  // L/U
	Converged         bool                `json:"converged"`
	Extremes          map[string]Extremes `json:"extremes"`        // of flow_rate and p, over the window
	Cells             *PortCells          `json:"cells,omitempty"` // that enter and leave with the fluid
	SI                InSI                `json:"si,omitempty"`
}

// portStatistics fills in ports.
func (r *results[T]) portStatistics(s *Summary) error {
	if len(r.Case.Ports) == 0 {
		return nil
	}
	t, err := table.Read(r.Dir.File("ports.csv"))
	if err != nil {
		return err
	}
	s.Ports = map[string]PortSummary{}
	for _, p := range r.Case.Ports {
		x, err := samplesOf(t, "port", p.Name)
		if err != nil {
			return err
		}
		a, err := x.window(r.Case.Output.Statistics.From, "p")
		if err != nil {
			return err
		}
		flow, pressure := x.over("flow_rate", &a), x.over("p", &a)
		out := PortSummary{
			FlowRate: finite.Number(flow.Mean), FlowRateAmplitude: finite.Number(flow.Amplitude),
			Pressure: finite.Number(pressure.Mean), PressureAmplitude: finite.Number(pressure.Amplitude),
			FlowRateInterval: x.interval("flow_rate", &a), PressureInterval: x.interval("p", &a),
			Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Converged: a.Converged,
		}
		out.Extremes = map[string]Extremes{"flow_rate": extremesOf(flow, "flow rate"), "p": extremesOf(pressure, "pressure")}
		if out.Cells, err = portCells(t, r.Coupling.Feed != nil, p.Name, out.Window); err != nil {
			return err
		}
		s.Ports[p.Name] = out
	}
	pressureDrops(s.Ports)
	return nil
}

// pressureDrops sets what the pressure falls by from the port through which most enters to each of the others.
func pressureDrops(ports map[string]PortSummary) {
	inlet := ""
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		if q := ports[name].FlowRate; q > 0 && (inlet == "" || q > ports[inlet].FlowRate) {
			inlet = name
		}
	}
	for name, of := range ports {
		if of.PressureDrop = finite.Number(math.NaN()); inlet != "" && name != inlet {
			of.PressureDrop = ports[inlet].Pressure - of.Pressure
		}
		ports[name] = of
	}
}

// ProbeSummary is what a probe saw: means over a window, which is found from the velocity there.
type ProbeSummary struct {
	Velocity          []finite.Number     `json:"velocity_mean" si:"velocity"` // U
	VelocityAmplitude []finite.Number     `json:"velocity_amplitude" si:"velocity"`
	VelocityInterval  []finite.Number     `json:"velocity_interval" si:"velocity"` // ± of the means: half widths of their 95 % confidence intervals
	PressureInterval  finite.Number       `json:"pressure_interval" si:"pressure"` // likewise
	Pressure          finite.Number       `json:"pressure_mean" si:"pressure"`     // ρU², against the reference density
	PressureAmplitude finite.Number       `json:"pressure_amplitude" si:"pressure"`
	Window            [2]finite.Number    `json:"window" si:"time"` // L/U
	Converged         bool                `json:"converged"`
	Extremes          map[string]Extremes `json:"extremes"` // of u, v, w and p, over the window
	SI                InSI                `json:"si,omitempty"`
}

// samples are the rows of a section or a probe.
type samples struct {
	table *table.Table
	t     []float64
	rows  func(int) bool
}

// samplesOf are those of one name in a table.
func samplesOf(t *table.Table, column, name string) (s samples, err error) {
	s.table = t
	if s.rows, err = t.Where(column, name); err != nil {
		return s, err
	}
	s.t, err = t.Float("t", s.rows)
	return s, err
}

// over is the spread of a column in a window; NaN of a column that the table has not, as those of older versions.
func (s *samples) over(column string, a *statistics.Result) statistics.Spread {
	v, err := s.table.Float(column, s.rows)
	if err != nil {
		v = nil
	}
	return statistics.Over(s.t, v, a.From, a.To)
}

// interval is the half width of the 95 % confidence interval of a column's mean in a window; NaN where that is too short to tell.
func (s *samples) interval(column string, a *statistics.Result) finite.Number {
	v, err := s.table.Float(column, s.rows)
	if err != nil || len(v) != len(s.t) {
		return finite.Number(math.NaN())
	}
	return finite.Number(a.MeanOf(s.t, v).HalfWidth)
}

// window is found from two columns; one: the other is at rest.
func (s *samples) window(from float64, columns ...string) (a statistics.Result, err error) {
	h := statistics.History{T: s.t, Cl: make([]float64, len(s.t))}
	for i, to := range []*[]float64{&h.Cd, &h.Cl}[:len(columns)] {
		if *to, err = s.table.Float(columns[i], s.rows); err != nil {
			return a, err
		}
	}
	return statistics.Analyse(h, from, 1), nil
}

// sampleStatistics fills in sections and probes.
func (r *results[T]) sampleStatistics(s *Summary) error {
	dim, from := r.Flow.Lattice.Dim, r.Case.Output.Statistics.From
	if len(r.Case.Output.Sections) > 0 {
		t, err := table.Read(r.Dir.File("sections.csv"))
		if err != nil {
			return err
		}
		s.Sections = map[string]SectionSummary{}
		for _, of := range r.Case.Output.Sections {
			x, err := samplesOf(t, "section", of.Name)
			if err != nil {
				return err
			}
			a, err := x.window(from, "flow_rate")
			if err != nil {
				return err
			}
			flow, p := x.over("flow_rate", &a), x.over("p", &a)
			out := SectionSummary{
				FlowRate: finite.Number(flow.Mean), FlowRateAmplitude: finite.Number(flow.Amplitude),
				FlowRateInterval: x.interval("flow_rate", &a), PressureInterval: x.interval("p", &a), PressureDrop: finite.Number(math.NaN()),
				Pressure: finite.Number(p.Mean), PressureAmplitude: finite.Number(p.Amplitude), Area: finite.Number(x.over("area", &a).Mean),
				Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Converged: a.Converged,
			}
			for _, v := range []string{"u", "v", "w"}[:dim] {
				out.Velocity = append(out.Velocity, finite.Number(x.over(v, &a).Mean))
			}
			out.Extremes = map[string]Extremes{"flow_rate": extremesOf(flow, "flow rate"), "p": extremesOf(p, "pressure")}
			s.Sections[of.Name] = out
		}
		sectionDrops(s.Sections, r.Case.Output.Sections)
	}
	return r.probeStatistics(s, from)
}

// sectionDrops sets what the pressure falls by from the section that the flow passes first to each of the others across the same axis.
func sectionDrops(sections map[string]SectionSummary, drawn []casefile.Section) {
	for axis := range 3 {
		across := slices.DeleteFunc(slices.Clone(drawn), func(c casefile.Section) bool { return c.Axis != axis })
		if len(across) < 2 {
			continue
		}
		flow := 0.
		for _, c := range across {
			flow += float64(sections[c.Name].FlowRate)
		}
		first := slices.MinFunc(across, func(a, b casefile.Section) int { return cmp.Compare(a.At, b.At) })
		if flow < 0 {
			first = slices.MaxFunc(across, func(a, b casefile.Section) int { return cmp.Compare(a.At, b.At) })
		}
		for _, c := range across {
			if c.Name != first.Name {
				of := sections[c.Name]
				of.PressureDrop = sections[first.Name].Pressure - of.Pressure
				sections[c.Name] = of
			}
		}
	}
}

// probeStatistics fills in the probes.
func (r *results[T]) probeStatistics(s *Summary, from float64) error {
	if len(r.Case.Output.Probes) == 0 {
		return nil
	}
	t, err := table.Read(r.Dir.File("probes.csv"))
	if err != nil {
		return err
	}
	s.Probes = map[string]ProbeSummary{}
	for _, of := range r.Case.Output.Probes {
		x, err := samplesOf(t, "probe", of.Name)
		if err != nil {
			return err
		}
		a, err := x.window(from, "u", "v")
		if err != nil {
			return err
		}
		p := x.over("p", &a)
		out := ProbeSummary{
			Pressure: finite.Number(p.Mean), PressureAmplitude: finite.Number(p.Amplitude), PressureInterval: x.interval("p", &a),
			Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Converged: a.Converged,
			Extremes: map[string]Extremes{"p": extremesOf(p, "pressure")},
		}
		for _, v := range []string{"u", "v", "w"}[:r.Flow.Lattice.Dim] {
			u := x.over(v, &a)
			out.Velocity, out.VelocityAmplitude = append(out.Velocity, finite.Number(u.Mean)), append(out.VelocityAmplitude, finite.Number(u.Amplitude))
			out.VelocityInterval, out.Extremes[v] = append(out.VelocityInterval, x.interval(v, &a)), extremesOf(u, "velocity")
		}
		s.Probes[of.Name] = out
	}
	return nil
}

// sampled are the means of a section, a port or a probe, for people.
type sampled struct {
	name               string
	flow, flowInterval finite.Number // of a section or a port
	flowUnit           string        // empty: it has no flow rate
	velocity           []finite.Number
	velocityInterval   []finite.Number // of a probe
	pressure, interval finite.Number
	drop               finite.Number
	below              string // whose pressure the drop is from; empty: there is none
	window             [2]finite.Number
	converged          bool
	more               string
}

// writeSamples prints sections, ports and probes, the first of many.
func (s *Summary) writeSamples(b *strings.Builder) {
	var all []sampled
	for name, v := range s.Sections {
		all = append(all, sampled{name: "section " + name, flow: v.FlowRate, flowInterval: v.FlowRateInterval, flowUnit: flowUnit(len(v.Velocity)), velocity: v.Velocity,
			pressure: v.Pressure, interval: v.PressureInterval, drop: v.PressureDrop, below: "the first section's", window: v.Window, converged: v.Converged})
	}
	for name, v := range s.Ports {
		port := sampled{name: "port " + name, flow: v.FlowRate, flowInterval: v.FlowRateInterval, flowUnit: flowUnit(3) + " into the vessel",
			pressure: v.Pressure, interval: v.PressureInterval, drop: v.PressureDrop, below: "the inlet's", window: v.Window, converged: v.Converged}
		if v.Cells != nil {
			port.more = "; " + v.Cells.text()
		}
		all = append(all, port)
	}
	for name, v := range s.Probes {
		all = append(all, sampled{name: "probe " + name, velocity: v.Velocity, velocityInterval: v.VelocityInterval, pressure: v.Pressure, interval: v.PressureInterval, window: v.Window, converged: v.Converged})
	}
	for _, kind := range []string{"section", "port", "probe"} {
		of := slices.DeleteFunc(slices.Clone(all), func(v sampled) bool { return !strings.HasPrefix(v.name, kind+" ") })
		slices.SortFunc(of, func(a, b sampled) int { return cmp.Compare(a.name, b.name) })
		for i := range of[:min(len(of), mostTold)] {
			wrapped(b, "  ", of[i].text(s.units))
		}
		if more := len(of) - mostTold; more > 0 {
			fmt.Fprintf(b, "  … and %d more %ss: see summary.json\n", more, kind)
		}
	}
}

// text is a line of the summary: means, each with what it is known to, the same in SI, and their window.
func (v *sampled) text(u casefile.Units) string {
	var means, si []string
	tell := func(text string, ofSI ...string) {
		means, si = append(means, text), append(si, slices.DeleteFunc(ofSI, func(t string) bool { return t == "" })...)
	}
	if v.flowUnit != "" {
		tell("flow rate "+told(u, casefile.FlowRate, v.flow)+plusMinus(u, casefile.FlowRate, v.flowInterval, v.flow)+v.flowUnit, siText(u, casefile.FlowRate, 1, v.flow))
	}
	if len(v.velocity) > 0 {
		known := ""
		if len(v.velocityInterval) > 0 { // of the component that is known least
			largest := func(of []finite.Number) finite.Number {
				return slices.MaxFunc(of, func(a, b finite.Number) int { return cmp.Compare(math.Abs(float64(a)), math.Abs(float64(b))) })
			}
			known = plusMinus(u, casefile.Velocity, largest(v.velocityInterval), largest(v.velocity))
		}
		tell("mean velocity "+list(v.velocity)+known+" U", siText(u, casefile.Velocity, 1, v.velocity...))
	}
	tell("pressure "+told(u, casefile.Pressure, v.pressure)+plusMinus(u, casefile.Pressure, v.interval, v.pressure)+" ρU²", siText(u, casefile.Pressure, 1, v.pressure))
	if v.below != "" && finite.Is(float64(v.drop)) {
		drop := siText(u, casefile.Pressure, 1, v.drop)
		if drop != "" {
			drop += " below"
		}
		tell(told(u, casefile.Pressure, v.drop)+" ρU² below "+v.below, drop)
	}
	text := v.name + ": " + strings.Join(means, ", ")
	if len(si) > 0 {
		text += " = " + strings.Join(si, ", ")
	}
	text += fmt.Sprintf(", over %.4g–%.4g L/U", float64(v.window[0]), float64(v.window[1]))
	if !v.converged {
		text += ", not converged"
	}
	return text + v.more
}

// plusMinus is the half width of a mean's interval for people, behind ±; empty where it is not known, or less than the four digits of the mean show.
func plusMinus(u casefile.Units, q casefile.Quantity, half, mean finite.Number) string {
	if x := u.Told(q, 1, float64(half)); finite.Is(x) && x > 0 && x >= 5e-5*math.Abs(float64(mean)) {
		return fmt.Sprintf(" ± %.2g", x)
	}
	return ""
}

// fourDigits is a number for people; nothing is no number.
func fourDigits(v finite.Number) string {
	if math.IsNaN(float64(v)) {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%.4g", float64(v)), "-", "−", 1)
}

// flowUnit is the unit of a flow rate in reference quantities.
func flowUnit(dim int) string {
	if dim == 2 {
		return " UL"
	}
	return " UL²"
}
