package run

import (
	"cmp"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/internal/mpi"
	"lbmib/io/casefile"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/setup"
)

// Summary is summary.json.
type Summary struct {
	Case        string                     `json:"case"`
	Title       string                     `json:"title"`
	Status      string                     `json:"status"`               // done | steady | stopped | diverged | interrupted | failed
	StoppedBy   string                     `json:"stopped_by,omitempty"` // steady | cd_interval | body, where that ended the run before its time
	Reason      string                     `json:"reason,omitempty"`     // why the run could not go on
	Steps       int64                      `json:"steps"`
	Time        float64                    `json:"time"` // L/U
	Nodes       int                        `json:"nodes"`
	Markers     int                        `json:"markers"`
	Backend     string                     `json:"backend"`
	Device      string                     `json:"device"`
	Precision   string                     `json:"precision"`
	Kernel      string                     `json:"kernel"`
	Streaming   string                     `json:"streaming"`
	Storage     string                     `json:"storage"` // box, or runs of fluid
	Layout      string                     `json:"layout"`
	Threads     int                        `json:"threads"`
	WallSeconds float64                    `json:"wall_seconds"`
	MFLUPS      finite.Number              `json:"mflups"`
	Share       map[string]float64         `json:"share"` // of the wall time; "output" is what stepping waited for outputs
	Bodies      map[string]BodySummary     `json:"bodies"`
	Cells       map[string]CellSummary     `json:"cells,omitempty"`     // elastic surfaces
	Filaments   map[string]FilamentSummary `json:"filaments,omitempty"` // lines that bend
	Sheets      map[string]SheetSummary    `json:"sheets,omitempty"`
	Flow        *FlowSummary               `json:"flow,omitempty"` // that is held
	Sections    map[string]SectionSummary  `json:"sections,omitempty"`
	Ports       map[string]PortSummary     `json:"ports,omitempty"` // of a vessel
	Probes      map[string]ProbeSummary    `json:"probes,omitempty"`
	Suspension  *SuspensionSummary         `json:"suspension,omitempty"` // of elastic cells

	Reynolds finite.Number `json:"reynolds"`
	SI       InSI          `json:"si,omitempty"` // scales of the case and the time reached

	MachMax          finite.Number    `json:"mach_max"`           // largest of any node, over looks at all of them
	DensityDeviation finite.Number    `json:"density_deviation"`  // largest |ρ/ρ₀ − 1|, likewise
	GridNoise        finite.Number    `json:"grid_noise"`         // share of the velocity's variation at the end that is of the scale of the grid
	Pressure         *PressureSummary `json:"pressure,omitempty"` // of all nodes
	Steadiness       *finite.Number   `json:"steadiness"`         // what stop_when.steady was last compared with; null without
	Cautions         []string         `json:"cautions"`           // what lessens the worth of the numbers, with estimates

	Directory string   `json:"directory"`
	Warnings  []string `json:"warnings,omitempty"` // about walls that let the fluid slip, and outputs of earlier parts of the run

	units casefile.Units // for the summary in words
}

// BodySummary are a body's statistics.
type BodySummary struct {
	CdMean              finite.Number    `json:"cd_mean"`
	CdAmplitude         finite.Number    `json:"cd_amplitude"`
	ClMean              finite.Number    `json:"cl_mean"`
	ClAmplitude         finite.Number    `json:"cl_amplitude"` // half of peak to peak
	ClRMS               finite.Number    `json:"cl_rms"`
	Strouhal            finite.Number    `json:"strouhal"`                         // null without shedding
	RecirculationLength finite.Number    `json:"recirculation_length" si:"length"` // L, mean over the window
	SlipMax             finite.Number    `json:"slip_max" si:"velocity"`           // U, over the window
	ForceGap            finite.Number    `json:"force_gap"`
	SlipGranted         finite.Number    `json:"slip_granted" si:"velocity"`      // U, mean over the markers, largest over the window: what the wall correction leaves the fluid along the wall; null in runs begun by versions that did not tell it
	DragError           finite.Number    `json:"cd_error"`                        // estimate of the error of cd_mean, as a part of it, by nodes, boundary layer or the mean slip that was granted over the window, and Mach number; null of plates and lines
	CdInterval          finite.Number    `json:"cd_interval"`                     // half width of the 95 % confidence interval of the mean Cd, from block averages over the window; null where that has fewer than 40 samples, and while shedding sets in
	OuterGap            finite.Number    `json:"outer_gap"`                       // rms over the window of the force less that by the fluid outside and the motion alone, over that of the force; null in runs begun by versions that did not tell it
	WallSlip            finite.Number    `json:"wall_slip_outside" si:"velocity"` // U at the end, mean over the markers: the velocity along the wall that the flow beyond the supports has there; null where it cannot be told
	Periods             int              `json:"periods"`
	Converged           bool             `json:"converged"`
	Window              [2]finite.Number `json:"window" si:"time"` // of the statistics, L/U
	Note                string           `json:"note,omitempty"`

	Heading   string        `json:"heading,omitempty"`    // direction of the drag, where it is not +x: "-y"
	HeadingOf string        `json:"heading_of,omitempty"` // what tells it: gravity | flow | force
	Along     finite.Number `json:"along_mean,omitempty"` // mean force coefficient in that direction

	SoftStart finite.Number `json:"soft_start" si:"time"` // L/U over which the surface came to its velocity; null of freely moving bodies

	Inside string `json:"inside"` // of the fluid there: damped | free | none: there is none, or it is the flow

	ReferenceLength finite.Number   `json:"reference_length" si:"length"`      // L, of the Strouhal number
	ReferenceArea   finite.Number   `json:"reference_area" si:"area"`          // L^(d−1), of cd, cl and cs
	ForceMean       []finite.Number `json:"force_mean" si:"force coefficient"` // along the axes, over ½ρU²L^(d−1), as fx, fy, fz
	ForceAmplitude  []finite.Number `json:"force_amplitude" si:"force coefficient"`
	TorqueMean      any             `json:"torque_mean" si:"torque coefficient"` // about the centre, over ½ρU²L^d; a number in the plane, three in space
	TorqueAmplitude any             `json:"torque_amplitude" si:"torque coefficient"`
	Frequency       finite.Number   `json:"frequency" si:"frequency"` // U/L, of what the Strouhal number is made of; null without shedding

	Extremes map[string]Extremes `json:"extremes"` // of cd, cl and, in space, cs, over the window; in SI the force

	Oscillation *OscillationSummary `json:"oscillation,omitempty"` // of bodies that swing to and fro

	SI InSI `json:"si,omitempty"`

	wallText string  // what to tell of WallSlip
	slipMean float64 // as SlipGranted, its mean over the window; NaN where that is null
	calm     string  // why a flow that will shed has not begun to; empty of others

	*MotionSummary    // of bodies that move
	*MotionStatistics // likewise
}

// Extremes are the least and the largest value of a quantity, and when they were, in L/U.
type Extremes struct {
	Min     finite.Number `json:"min"`
	MinTime finite.Number `json:"min_time" si:"time"`
	Max     finite.Number `json:"max"`
	MaxTime finite.Number `json:"max_time" si:"time"`
	SI      InSI          `json:"si,omitempty"`

	measure string // of the values: see measures; empty: they are numbers
}

// extremesOf are those of a signal, and what it measures.
func extremesOf(s statistics.Spread, measure string) Extremes {
	return Extremes{Min: finite.Number(s.Least), MinTime: finite.Number(s.LeastT), Max: finite.Number(s.Most), MaxTime: finite.Number(s.MostT), measure: measure}
}

// MotionSummary is where a body that moves is at the end. Angle is in radians, whole
// turns counted in the plane; in space it is the rotation's axis times its angle.
type MotionSummary struct {
	Position []finite.Number `json:"position" si:"length"`   // of its centre, L
	Velocity []finite.Number `json:"velocity" si:"velocity"` // U
	Angle    any             `json:"angle"`                  // a number in the plane, three in space
	Spin     any             `json:"spin" si:"spin"`         // likewise, radians per L/U
}

// results makes summary.json and manifest.json.
type results[T lbm.Float] struct {
	*observe.State[T]
	*ending
	*clock
	made    *backend.Chosen[T]
	out     *observe.Outputs[T] // nil before the outputs are open
	checks  *checks
	version string
	grids   string // see Options

	endedSlips []finite.Number // wallSlips of the checkpoint from which the run went on, if that was the end
}

// summary is what is known without tables.
func (r *results[T]) summary() *Summary {
	how := setup.SchemeOf(r.Sim.Fluid.Config())
	s := &Summary{
		Case: r.Case.Name, Title: r.Case.Title, Status: r.status, StoppedBy: r.stopped, Reason: r.reason, Steps: r.Step, Time: r.Time(),
		Nodes: int(r.Problem.Nodes()), Markers: r.Sim.Markers(), Backend: r.made.Backend(), Device: r.made.DeviceName,
		Precision: r.Case.Fluid.Precision, Kernel: how.Kernel, Streaming: how.Streaming, Storage: how.Storage, Layout: how.Layout,
		Threads: r.Pool.Workers(), WallSeconds: r.wall().Seconds(),
		Directory: r.Dir.Path, Bodies: map[string]BodySummary{}, Warnings: r.checks.told(),
		Reynolds: finite.Number(r.Case.Reference.Reynolds), SI: scalesInSI(r.Units, r.Time()), units: r.Units,
	}
	r.timing(s)
	r.audit(s)
	return s
}

// write writes summary.json and the final manifest.
func (r *results[T]) write(s *Summary, ended error) error {
	err := durable.WriteJSON(r.Dir.File("summary.json"), s)
	return cmp.Or(err, r.writeManifest(r.status, ended))
}

// timing sets the rate over the steps of this process and the shares of its time.
func (r *results[T]) timing(s *Summary) {
	wall := time.Since(r.started).Seconds()
	t := &r.shares
	stepping := t.bulk + t.boundary + t.ib
	s.MFLUPS = finite.Number(float64(r.Step-r.first) * r.Problem.Updates() / stepping.Seconds() / 1e6)
	s.Share = map[string]float64{
		"lbm": t.bulk.Seconds() / wall, "ib": t.ib.Seconds() / wall, "boundary": t.boundary.Seconds() / wall,
		"output": r.output.Seconds() / wall,
	}
}

// bodyStatistics fills in the statistics of every body.
func (r *results[T]) bodyStatistics(s *Summary) error {
	if len(r.Bodies) == 0 {
		return nil
	}
	t, err := table.Read(r.Dir.File("forces.csv"))
	if err != nil {
		return err
	}
	var moves *table.Table
	if r.Problem.Moving() {
		if moves, err = table.Read(r.Dir.File("bodies.csv")); err != nil {
			return err
		}
	}
	slips := r.wallSlips()
	var swung []*phased
	lost := ""
	if r.status == "diverged" {
		advice, _, _ := strings.Cut(check.Advice(r.Case, true), "\n")
		lost = "the flow diverged: the numbers of this body mean nothing; " + advice
	}
	for i, b := range r.Bodies {
		h, err := readHistory(t, b.Name, r.Flow.Lattice.Dim)
		if err != nil {
			return err
		}
		length := b.Shape.Length() / r.Case.Reference.Resolution
		to := setup.HeadingOf(r.Case, &r.Case.Bodies[i])
		h.Response = length * length / r.Case.Reference.Viscosity
		a := h.analyse(to, r.Case.Output.Statistics.From, length)
		if why := notShed(r.Problem, i, &a); why != "" {
			a.Strouhal, a.Note = 0, joined(why, a.Note)
		}
		calm := ""
		if a.Strouhal == 0 && (a.Converged || a.across < unbegun) {
			if calm = check.SlowShedding(r.Problem, i); calm != "" {
				a.Converged, a.Note = false, joined(calm, a.Note)
			}
		}
		if a.Strouhal == 0 { // nothing sheds
			a.Strouhal = math.NaN()
		}
		if lost != "" {
			a.Converged, a.Note = false, lost
		}
		of := BodySummary{
			CdMean: finite.Number(a.CdMean), CdAmplitude: finite.Number(a.CdAmplitude),
			ClMean: finite.Number(a.ClMean), ClAmplitude: finite.Number(a.ClAmplitude), ClRMS: finite.Number(a.ClRMS),
			Strouhal: finite.Number(a.Strouhal), Periods: a.Periods, Converged: a.Converged,
			Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Note: a.Note,
			RecirculationLength: finite.Number(meanBetween(h.T, h.wake, a.From, a.To)),
			SlipMax:             finite.Number(maxBetween(h.T, h.slip, a.From, a.To)),
			ForceGap:            finite.Number(h.gap(a.From, a.To)),
			SlipGranted:         finite.Number(math.NaN()),
			slipMean:            math.NaN(),
			OuterGap:            finite.Number(h.outerGap(a.From, a.To)),
			CdInterval:          finite.Number(a.DragOf(h.History).HalfWidth),
			SoftStart:           r.Problem.SoftStartOf(b),
			Inside:              r.Problem.InsideOf(i),
			WallSlip:            finite.Number(slips[i]),
			MotionSummary:       r.motionSummary(i),
			calm:                calm,
		}
		if len(h.granted) > 0 {
			of.SlipGranted = finite.Number(maxBetween(h.T, h.granted, a.From, a.To))
			of.slipMean = meanBetween(h.T, h.granted, a.From, a.To)
		}
		if !to.Plain() {
			of.Heading, of.HeadingOf, of.Along = strings.Replace(to.String(), "−", "-", 1), to.Of, finite.Number(a.along)
		}
		of.ReferenceLength = finite.Number(length)
		of.ReferenceArea = finite.Number(r.Units.FromLattice(casefile.Area, b.Shape.Frontal()))
		of.loads(&h, a.From, a.To)
		of.Frequency = of.Strouhal / finite.Number(length)
		if b.Moving() {
			m, err := readMotion(moves, b.Name, r.Flow.Lattice.Dim)
			if err != nil {
				return err
			}
			of.MotionStatistics = m.statistics(to, r.Case.Output.Statistics.From)
			if means := r.oscillation(i, &h, &m, &of); means != nil {
				swung = append(swung, means)
			}
		}
		s.Bodies[b.Name] = of
	}
	if len(swung) == 0 {
		return nil
	}
	return writePhases(r.Dir.File(phaseFile), r.Units, swung)
}

// unbegun is the lift coefficient below which nothing but rounding errors swings.
const unbegun = 1e-6

// oscillation sets what body i feels that swings, and returns its means of phase.csv.
func (r *results[T]) oscillation(i int, h *history, m *motionHistory, of *BodySummary) *phased {
	if r.status == "diverged" || len(m.t) < 2 || len(h.T) < 2 {
		return nil
	}
	s := swingingOf(h, m, &r.Case.Bodies[i])
	if s == nil {
		return nil
	}
	from, dim := r.Case.Output.Statistics.From, r.Flow.Lattice.Dim
	begin := 0. // what bodies.csv tells is not the motion before the soft start ends
	for _, t := range []float64{from, float64(of.SoftStart)} {
		if t > begin {
			begin = t
		}
	}
	o := s.oscillate(begin, finite.Is(from))
	if o == nil {
		return nil
	}
	to := reference{
		length: float64(of.ReferenceLength), area: float64(of.ReferenceArea), viscosity: r.Case.Reference.Viscosity,
		displaced: r.Bodies[i].Shape.Enclosed() / math.Pow(r.Case.Reference.Resolution, float64(dim)),
	}
	to.stream = setup.Driven(r.Case)
	of.Oscillation = s.summary(o, to)
	return s.phaseRows(r.Bodies[i].Name, h, o, of.Oscillation, to.area)
}

// loads sets means, amplitudes and extremes of what the fluid does to a body, over a window.
func (v *BodySummary) loads(h *history, from, to float64) {
	for _, f := range h.ib {
		of := statistics.Over(h.T, f, from, to)
		v.ForceMean, v.ForceAmplitude = append(v.ForceMean, finite.Number(of.Mean)), append(v.ForceAmplitude, finite.Number(of.Amplitude))
	}
	var mean, swing []finite.Number
	for _, m := range h.torque {
		of := statistics.Over(h.T, m, from, to)
		mean, swing = append(mean, finite.Number(of.Mean)), append(swing, finite.Number(of.Amplitude))
	}
	v.TorqueMean, v.TorqueAmplitude = oneOrAll(mean), oneOrAll(swing)
	v.Extremes = map[string]Extremes{}
	for name, c := range map[string][]float64{"cd": h.Cd, "cl": h.Cl, "cs": h.cs} {
		if len(c) > 0 {
			v.Extremes[name] = extremesOf(statistics.Over(h.T, c, from, to), "") // in SI they depend on the reference area, too: see measure
		}
	}
}

// joined are two notes, of which each may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// motionSummary is how body i moves at the end; nil where it does not.
func (r *results[T]) motionSummary(i int) *MotionSummary {
	if !r.Bodies[i].Moving() {
		return nil
	}
	dim, s := r.Flow.Lattice.Dim, r.out.Bodies.Of(i)
	m := &MotionSummary{Position: numbers(s.Position[:dim]), Velocity: numbers(s.Velocity[:dim])}
	if dim == 2 {
		m.Angle, m.Spin = finite.Number(s.Turned), finite.Number(s.Spin[2])
	} else {
		m.Angle, m.Spin = numbers(s.Rotation[:]), numbers(s.Spin[:])
	}
	return m
}

func numbers(v []float64) []finite.Number {
	out := make([]finite.Number, len(v))
	for i, x := range v {
		out[i] = finite.Number(x)
	}
	return out
}

// writeManifest writes manifest.json: all that is needed to do the run again.
func (r *results[T]) writeManifest(status string, ended error) error {
	how := setup.SchemeOf(r.Sim.Fluid.Config())
	m := map[string]any{
		"case": r.Case.Resolved(), "case_file": r.Case.File, "case_sha256": r.Case.Hash(),
		"version": r.version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		"backend": r.made.Backend(), "device": r.made.DeviceName, "threads": r.Pool.Workers(), "precision": r.Case.Fluid.Precision,
		"kernel": how.Kernel, "streaming": how.Streaming, "storage": how.Storage, "layout": how.Layout, "steps_per_sweep": how.Steps, "nodes": r.Problem.Nodes(), "markers": r.Sim.Markers(), "seed": r.Case.Run.Seed,
		"start": r.started.Format(time.RFC3339), "first_step": r.first, "status": status, "arguments": os.Args[1:],
	}
	if r.made.Choice().Settled { // a run that is resumed before auto has settled measures again
		m["schedule"] = r.made.Schedule()
	}
	if d := r.made.Device(); d != nil {
		m["device_image"] = d.Images() // of the kernels
	}
	if r.made.Why != "" {
		m["no_device"] = r.made.Why // why auto has not taken a GPU
	}
	if how.Block > 0 {
		m["block"] = how.Block
	}
	if files := r.Case.Files(); len(files) > 0 {
		m["files"] = files
	}
	if levels := r.Problem.Levels(); levels != nil {
		m["levels"] = levels
	}
	if d := r.Division; d != nil {
		m["ranks"] = r.rankRecords(d)
		if r.Ranks != nil {
			if l, ok := mpi.LibraryOf(r.Ranks); ok {
				m["mpi"] = map[string]string{"library": l.File, "family": l.Family, "version": l.Version}
			}
		}
	}
	if r.grids != "" {
		m["refine_auto"] = r.grids // what --refine auto added to the case
	}
	if by := r.Sim.Strategy(); by != "" {
		m["spread"] = by // ib.spread, or what auto chose
	}
	if warnings := r.checks.told(); len(warnings) > 0 {
		m["warnings"] = warnings
	}
	if status != "running" {
		m["end"], m["exit_status"], m["steps"] = time.Now().Format(time.RFC3339), exit.Code(ended), r.Step
	}
	if ended != nil {
		m["error"] = ended.Error()
	}
	return durable.WriteJSON(r.Dir.File("manifest.json"), m)
}
