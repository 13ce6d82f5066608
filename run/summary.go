package run

import (
	"cmp"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Summary is summary.json.
type Summary struct {
	Case        string                 `json:"case"`
	Title       string                 `json:"title"`
	Status      string                 `json:"status"`               // done | steady | stopped | diverged | interrupted | failed
	StoppedBy   string                 `json:"stopped_by,omitempty"` // steady | cd_interval | body, where that ended the run before its time
	Reason      string                 `json:"reason,omitempty"`     // why the run could not go on
	Steps       int64                  `json:"steps"`
	Time        float64                `json:"time"` // L/U
	Nodes       int                    `json:"nodes"`
	Markers     int                    `json:"markers"`
	Backend     string                 `json:"backend"`
	Device      string                 `json:"device"`
	Precision   string                 `json:"precision"`
	Kernel      string                 `json:"kernel"`
	Streaming   string                 `json:"streaming"`
	Layout      string                 `json:"layout"`
	Threads     int                    `json:"threads"`
	WallSeconds float64                `json:"wall_seconds"`
	MFLUPS      finite.Number          `json:"mflups"`
	Share       map[string]float64     `json:"share"` // of the wall time; "output" is what stepping waited for outputs
	Bodies      map[string]BodySummary `json:"bodies"`

	MachMax          finite.Number  `json:"mach_max"`          // largest of any node, over looks at all of them
	DensityDeviation finite.Number  `json:"density_deviation"` // largest |ρ/ρ₀ − 1|, likewise
	GridNoise        finite.Number  `json:"grid_noise"`        // share of the velocity's variation at the end that is of the scale of the grid
	Steadiness       *finite.Number `json:"steadiness"`        // what stop_when.steady was last compared with; null without
	Cautions         []string       `json:"cautions"`          // what lessens the worth of the numbers, with estimates

	Directory string   `json:"directory"`
	Warnings  []string `json:"warnings,omitempty"` // about walls that let the fluid slip, and outputs of earlier parts of the run
}

// BodySummary are a body's statistics.
type BodySummary struct {
	CdMean              finite.Number    `json:"cd_mean"`
	CdAmplitude         finite.Number    `json:"cd_amplitude"`
	ClMean              finite.Number    `json:"cl_mean"`
	ClAmplitude         finite.Number    `json:"cl_amplitude"` // half of peak to peak
	ClRMS               finite.Number    `json:"cl_rms"`
	Strouhal            finite.Number    `json:"strouhal"`
	RecirculationLength finite.Number    `json:"recirculation_length"` // L, mean over the window
	SlipMax             finite.Number    `json:"slip_max"`             // U, over the window
	ForceGap            finite.Number    `json:"force_gap"`
	SlipGranted         finite.Number    `json:"slip_granted"`      // U, mean over the markers, largest over the window: what the wall correction leaves the fluid along the wall; null in runs begun by versions that did not tell it
	DragError           finite.Number    `json:"cd_error"`          // estimate of the error of cd_mean, as a part of it, by nodes, boundary layer, slip and Mach number
	CdInterval          finite.Number    `json:"cd_interval"`       // half width of the 95 % confidence interval of the mean Cd, from block averages
	OuterGap            finite.Number    `json:"outer_gap"`         // rms over the window of the force less that by the fluid outside and the motion alone, over that of the force; null in runs begun by versions that did not tell it
	WallSlip            finite.Number    `json:"wall_slip_outside"` // U at the end, mean over the markers: the velocity along the wall that the flow beyond the supports has there; null where it cannot be told
	Periods             int              `json:"periods"`
	Converged           bool             `json:"converged"`
	Window              [2]finite.Number `json:"window"` // of the statistics, L/U
	Note                string           `json:"note,omitempty"`

	Heading   string        `json:"heading,omitempty"`    // direction of the drag, where it is not +x: "-y"
	HeadingOf string        `json:"heading_of,omitempty"` // what tells it: gravity | flow | force
	Along     finite.Number `json:"along_mean,omitempty"` // mean force coefficient in that direction

	SoftStart finite.Number `json:"soft_start"` // L/U over which the surface came to its velocity; null of freely moving bodies

	Inside string `json:"inside"` // of the fluid there: damped | free | none: there is none, or it is the flow

	wallText string // what to tell of WallSlip

	*MotionSummary // of bodies that move
}

// MotionSummary is where a body that moves is at the end. Angle is in radians, whole
// turns counted in the plane; in space it is the rotation's axis times its angle.
type MotionSummary struct {
	Position []finite.Number `json:"position"` // of its centre, L
	Velocity []finite.Number `json:"velocity"` // U
	Angle    any             `json:"angle"`    // a number in the plane, three in space
	Spin     any             `json:"spin"`     // likewise, radians per L/U
}

// summarise writes summary.json, the pictures and the final manifest.
func (r *run[T]) summarise(ended error) (*Summary, error) {
	how := setup.SchemeOf(r.Sim.Fluid.Config())
	s := &Summary{
		Case: r.Case.Name, Title: r.Case.Title, Status: r.status, StoppedBy: r.stopped, Reason: r.reason, Steps: r.Step, Time: r.Time(),
		Nodes: r.Flow.Nodes(), Markers: r.Sim.Markers(), Backend: r.made.Backend(), Device: r.made.DeviceName,
		Precision: r.Case.Fluid.Precision, Kernel: how.Kernel, Streaming: how.Streaming, Layout: how.Layout,
		Threads: r.Pool.Workers(), WallSeconds: r.wall().Seconds(),
		Directory: r.Dir.Path, Bodies: map[string]BodySummary{}, Warnings: r.checks.told(),
	}
	r.timing(s)
	r.audit(s)
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	keep(r.bodyStatistics(s))
	r.keepCautions(s)
	s.Warnings = r.checks.told()
	if r.status != "diverged" && r.Case.Output.Plots {
		keep(r.pictures(s))
	}
	keep(r.writeResults(s, ended))
	return s, first
}

// writeResults writes summary.json and the final manifest.
func (r *run[T]) writeResults(s *Summary, ended error) error {
	err := durable.WriteJSON(r.Dir.File("summary.json"), s)
	return cmp.Or(err, r.writeManifest(r.status, ended))
}

// timing sets the rate over the steps of this process and the shares of its time.
func (r *run[T]) timing(s *Summary) {
	wall := time.Since(r.started).Seconds()
	t := &r.shares
	stepping := t.bulk + t.boundary + t.ib
	s.MFLUPS = finite.Number(float64(r.Step-r.first) * float64(s.Nodes) / stepping.Seconds() / 1e6)
	s.Share = map[string]float64{
		"lbm": t.bulk.Seconds() / wall, "ib": t.ib.Seconds() / wall, "boundary": t.boundary.Seconds() / wall,
		"output": r.output.Seconds() / wall,
	}
}

// shares are what the parts of all steps have taken.
type shares struct{ bulk, boundary, ib time.Duration }

// keepShares finds the shares when the last step has been made. A device is at its steps
// while the host waits in outputs, and at bodies while it is at steps: what the fluid takes
// there is known by samples, and the rest is shared by bodies and outputs, in this order.
func (r *run[T]) keepShares() {
	t := &r.shares
	t.bulk, t.boundary, t.ib = r.Sim.Times()
	if r.made.Backend() == "cpu" {
		return
	}
	if fluid := t.bulk + t.boundary; fluid > r.looped {
		part := r.looped.Seconds() / fluid.Seconds()
		t.bulk, t.boundary = time.Duration(part*float64(t.bulk)), time.Duration(part*float64(t.boundary))
	}
	rest := r.looped - t.bulk - t.boundary
	r.output = min(r.output, max(0, rest-t.ib))
	t.ib = rest - r.output
}

// history is what forces.csv holds of one body.
type history struct {
	statistics.History
	slip, wake []float64
	granted    []float64   // none in tables of versions that did not tell it
	cs         []float64   // the force along z over the frontal area; in 3D
	ib, cv     [][]float64 // the force by markers and by momentum balance, per axis
	outer      [][]float64 // and by the fluid outside; none in tables of versions that did not tell it
}

// readHistory reads a body's rows of forces.csv.
func (r *run[T]) readHistory(t *table.Table, body string) (h history, err error) {
	rows, err := t.Where("body", body)
	if err != nil {
		return h, err
	}
	for _, c := range []struct {
		name string
		into *[]float64
	}{{"t", &h.T}, {"cd", &h.Cd}, {"cl", &h.Cl}, {"slip_max", &h.slip}, {"recirculation", &h.wake}} {
		if *c.into, err = t.Float(c.name, rows); err != nil {
			return h, err
		}
	}
	if slices.Contains(t.Columns, "slip_granted") {
		if h.granted, err = t.Float("slip_granted", rows); err != nil {
			return h, err
		}
	}
	if r.Flow.Lattice.Dim == 3 {
		if h.cs, err = t.Float("cs", rows); err != nil {
			return h, err
		}
	}
	h.ib, h.cv = make([][]float64, r.Flow.Lattice.Dim), make([][]float64, r.Flow.Lattice.Dim)
	for a := range h.ib {
		axis := "xyz"[a : a+1]
		if h.ib[a], err = t.Float("f"+axis, rows); err != nil {
			return h, err
		}
		if h.cv[a], err = t.Float("cv_f"+axis, rows); err != nil {
			return h, err
		}
		if name := "outer_f" + axis; slices.Contains(t.Columns, name) {
			outer, err := t.Float(name, rows)
			if err != nil {
				return h, err
			}
			h.outer = append(h.outer, outer)
		}
	}
	return h, nil
}

// bodyStatistics fills in the statistics of every body.
func (r *run[T]) bodyStatistics(s *Summary) error {
	if r.records.forces == nil {
		return nil
	}
	t, err := table.Read(r.Dir.File("forces.csv"))
	if err != nil {
		return err
	}
	slips := r.wallSlips()
	for i, b := range r.Bodies {
		h, err := r.readHistory(t, b.Name)
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
		of := BodySummary{
			CdMean: finite.Number(a.CdMean), CdAmplitude: finite.Number(a.CdAmplitude),
			ClMean: finite.Number(a.ClMean), ClAmplitude: finite.Number(a.ClAmplitude), ClRMS: finite.Number(a.ClRMS),
			Strouhal: finite.Number(a.Strouhal), Periods: a.Periods, Converged: a.Converged,
			Window: [2]finite.Number{finite.Number(a.From), finite.Number(a.To)}, Note: a.Note,
			RecirculationLength: finite.Number(meanBetween(h.T, h.wake, a.From, a.To)),
			SlipMax:             finite.Number(maxBetween(h.T, h.slip, a.From, a.To)),
			ForceGap:            finite.Number(h.gap(a.From, a.To)),
			SlipGranted:         finite.Number(math.NaN()),
			OuterGap:            finite.Number(h.outerGap(a.From, a.To)),
			CdInterval:          finite.Number(statistics.MeanDrag(h.History).HalfWidth),
			SoftStart:           r.SoftStartOf(b),
			Inside:              r.InsideOf(i),
			WallSlip:            finite.Number(slips[i]),
			MotionSummary:       r.motionSummary(i),
		}
		if len(h.granted) > 0 {
			of.SlipGranted = finite.Number(maxBetween(h.T, h.granted, a.From, a.To))
		}
		if !to.Plain() {
			of.Heading, of.HeadingOf, of.Along = strings.Replace(to.String(), "−", "-", 1), to.Of, finite.Number(a.along)
		}
		s.Bodies[b.Name] = of
	}
	return nil
}

// joined are two notes, of which each may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// motionSummary is how body i moves at the end; nil where it does not.
func (r *run[T]) motionSummary(i int) *MotionSummary {
	if !r.Bodies[i].Moving() {
		return nil
	}
	dim, s := r.Flow.Lattice.Dim, r.stateOf(i)
	m := &MotionSummary{Position: numbers(s.position[:dim]), Velocity: numbers(s.velocity[:dim])}
	if dim == 2 {
		m.Angle, m.Spin = finite.Number(s.turned), finite.Number(s.spin[2])
	} else {
		m.Angle, m.Spin = numbers(s.rotation[:]), numbers(s.spin[:])
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

// gap is the difference of the mean forces over the larger of them.
func (h *history) gap(from, to float64) float64 {
	var difference, ib, cv float64
	for a := range h.ib {
		f, g := meanBetween(h.T, h.ib[a], from, to), meanBetween(h.T, h.cv[a], from, to)
		difference += (f - g) * (f - g)
		ib += f * f
		cv += g * g
	}
	return math.Sqrt(difference / math.Max(ib, cv))
}

// outerGap is the root mean square of what the force by markers and that by the fluid
// outside differ by, over that of the force. Unlike gap it does not vanish by
// construction: it is what the fluid inside does beyond moving with the body.
func (h *history) outerGap(from, to float64) float64 {
	if len(h.outer) < len(h.ib) {
		return math.NaN()
	}
	var difference, force float64
	for i, t := range h.T {
		if t < from || t > to {
			continue
		}
		for a := range h.ib {
			d := h.ib[a][i] - h.outer[a][i]
			difference += d * d
			force += h.ib[a][i] * h.ib[a][i]
		}
	}
	return math.Sqrt(difference / force)
}

// meanBetween is the mean of v over from ≤ t ≤ to; NaN if there is nothing.
func meanBetween(t, v []float64, from, to float64) float64 {
	sum, n := 0., 0
	for i := range t {
		if t[i] >= from && t[i] <= to {
			sum += v[i]
			n++
		}
	}
	return sum / float64(n)
}

func maxBetween(t, v []float64, from, to float64) float64 {
	worst := math.NaN()
	for i := range t {
		if t[i] >= from && t[i] <= to && !(v[i] <= worst) {
			worst = v[i]
		}
	}
	return worst
}

// writeManifest writes manifest.json: all that is needed to do the run again.
func (r *run[T]) writeManifest(status string, ended error) error {
	how := setup.SchemeOf(r.Sim.Fluid.Config())
	m := map[string]any{
		"case": r.Case.Resolved(), "case_file": r.Case.File, "case_sha256": r.Case.Hash(),
		"version": r.opts.Version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		"backend": r.made.Backend(), "device": r.made.DeviceName, "threads": r.Pool.Workers(), "precision": r.Case.Fluid.Precision,
		"kernel": how.Kernel, "streaming": how.Streaming, "layout": how.Layout, "steps_per_sweep": max(1, r.Flow.StepsPerSweep), "nodes": r.Flow.Nodes(), "markers": r.Sim.Markers(), "seed": r.Case.Run.Seed,
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
