package check

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"lbmib/internal/finite"
	"lbmib/internal/machine"
	"lbmib/run/capacity"
	"lbmib/run/layout"
	"lbmib/run/setup"
)

// Paint colours a word by its verdict; nil leaves it plain.
type Paint func(v Verdict, word string) string

// page writes aligned rows for people, 80 columns wide.
type page struct {
	w     io.Writer
	paint Paint
}

const (
	PageWidth  = 80
	nameWidth  = 16
	valueWidth = 50
)

// Write prints the report for people. Errors are left to the caller.
func (r *Report) Write(w io.Writer, paint Paint) {
	p := &page{w, paint}
	if r.Case == "" { // not even read
		return
	}
	fmt.Fprintf(w, "%s: %s\n", r.Case, r.Title)
	p.writeScales(r)
	p.writeGrids(r)
	p.writeVessel(r)
	p.writeScheme(r)
	p.writeBodies(r)
	p.writeCells(r)
	for _, s := range r.Surfaces {
		p.judged("surface", "triangles that stand twice", s)
	}
	p.writeSuspension(r.Suspension)
	p.writeSuspended(r.Suspended)
	p.writeRun(r)
	p.writeRanks(r)
	p.writeProposals(r)
	p.writeRefinement(r)
	fmt.Fprintf(w, "\n%s\n", p.colour(r.Verdict, r.conclusion()))
}

func (p *page) colour(v Verdict, word string) string {
	if p.paint == nil {
		return word
	}
	return p.paint(v, word)
}

func (p *page) section(title string) { fmt.Fprintf(p.w, "\n%s\n", title) }

// row prints a name and a value.
func (p *page) row(name, value string) {
	fmt.Fprintf(p.w, "  %s%s\n", pad(name, nameWidth), value)
}

// judged prints a name, a value and its verdict, and below the reason.
func (p *page) judged(name, value string, j Judged) {
	if j.Verdict == "" {
		p.row(name, value)
		return
	}
	fmt.Fprintf(p.w, "  %s%s%s\n", pad(name, nameWidth), pad(value, valueWidth), p.colour(j.Verdict, string(j.Verdict)))
	p.remark(j.Reason)
}

// remark prints a text below a value, wrapped.
func (p *page) remark(text string) {
	for _, line := range Wrap(text, PageWidth-nameWidth-4) {
		fmt.Fprintf(p.w, "  %s  %s\n", pad("", nameWidth), line)
	}
}

// pad fills a text up to a width in characters, and by at least one space.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(1, width-utf8.RuneCountInString(s)))
}

// Wrap breaks a text at spaces; a longer word stays whole. Line ends stay.
func Wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.Lines(text) {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}

func (p *page) writeScales(r *Report) {
	s := &r.Scales
	p.section("Scales")
	p.row("Δx", s.Dx.text("L"))
	p.row("Δt", s.Dt.text("L/U"))
	p.row("Reynolds", fmt.Sprintf("%.6g", s.Reynolds))
	p.row("viscosity", fmt.Sprintf("%.4g of the lattice", s.Viscosity))
	p.judged("τ", fmt.Sprintf("%.5g (%s)", s.Tau.Value, s.operator()), s.Tau)
	p.remark(s.MagicReason)
	if s.TauAtRest != nil {
		p.judged("τ at rest", fmt.Sprintf("%.5g, where the viscosity is largest", s.TauAtRest.Value), *s.TauAtRest)
	}
	p.judged("Mach", fmt.Sprintf("%.3g %s", s.Mach.Value, ofSpeed(s.fastest)), s.Mach)
	p.judged("grid Reynolds", fmt.Sprintf("%.3g = U Δx/ν", s.GridReynolds.Value), s.GridReynolds)
	p.row("nodes", fmt.Sprintf("%s = %s (%s)", capacity.SizeText(r.Domain.Nodes), count(float64(r.Domain.Total)), r.Domain.Lattice))
	if r.Domain.Flow != "" {
		p.row("flow", r.Domain.Flow)
	}
	if r.Domain.Follows != "" {
		p.row("follows", r.Domain.Follows)
	}
}

// operator is the collision with its parameter and turbulence model.
func (s *ScalesReport) operator() string {
	if s.MagicReason != "" {
		return fmt.Sprintf("%s, Λ = %.3g", s.Collision, s.Magic)
	}
	if s.TauAtRest != nil {
		return s.Collision + ", at a rate of strain of 8 U/L"
	}
	if s.Smagorinsky > 0 {
		return fmt.Sprintf("%s, Smagorinsky %.3g", s.Collision, s.Smagorinsky)
	}
	return s.Collision
}

func (p *page) writeScheme(r *Report) {
	s := &r.Scheme
	if s.Kernel == "" { // refused before it came to that
		return
	}
	p.section("Scheme")
	why := "the fastest that this CPU has"
	switch {
	case r.Memory.OnDevice > 0:
		why = "the device's"
	case s.Kernel != s.wanted:
		why = "there is no " + s.wanted + " kernel for this collision and precision"
	case s.KernelFrom != setup.Automatic:
		why = "asked for by " + s.KernelFrom
	}
	p.row("kernel", s.Kernel+", "+why)
	lattices := map[string]string{"ab": "two lattices", "inplace": "one lattice"}[s.Streaming]
	inMemory := s.Layout
	if s.Block > 0 {
		inMemory += fmt.Sprintf(" in blocks of %d nodes", s.Block)
	}
	if s.Steps > 1 {
		lattices += ", two steps per sweep"
	}
	p.row("streaming", fmt.Sprintf("%s (%s), %s", s.Streaming, lattices, inMemory))
	if s.Storage == "runs" {
		around := " and those around them"
		if s.Kernel == "cuda" {
			around = ", no others"
		}
		p.row("storage", fmt.Sprintf("by runs: %s nodes of fluid (%.3g %% of the box)%s", layout.Grouped(r.Scheme.Fluid), 100*float64(r.Scheme.Fluid)/float64(r.Scheme.Box), around))
	}
	p.row("precision", fmt.Sprintf("%s, %d bytes per node and sweep", s.Precision, s.BytesPerNode))
	if s.Precision != "f64" { // there it is far below all else
		p.judged("rounding", fmt.Sprintf("about %.1g %% of pressure", 100*s.Rounding.Value), s.Rounding)
	}
}

func (s Scale) text(unit string) string {
	out := fmt.Sprintf("%.4g %s", s.Value, unit)
	if s.SI != nil {
		out += fmt.Sprintf(" = %.4g %s", *s.SI, s.SIUnit)
	}
	return out
}

func (p *page) writeRun(r *Report) {
	if r.Run.Steps == 0 { // refused before it came to that
		return
	}
	p.section("Run")
	p.row("steps", fmt.Sprintf("%s, to t = %.6g L/U", count(float64(r.Run.Steps)), r.Run.Time))
	if s := r.Run.Start; s != nil && s.Verdict != OK {
		p.judged("start", fmt.Sprintf("density changes by %.2g %%", 100*s.Value), *s)
	}
	if f := r.Run.FlowThroughs; f != nil {
		p.judged("flow-through", fmt.Sprintf("%.3g times through the domain", f.Value), *f)
	}
	p.writeSounds(r)
	if s := r.Run.Steady; s != nil {
		p.judged("steady", fmt.Sprintf("where |∂u/∂t| is below %.3g U²/L", r.Run.steadyBound), *s)
	}
	if m := r.Memory; m.Device != "" {
		p.row("backend", m.Backend+" on "+m.Device)
		if m.Instead != "" {
			p.remark(m.Instead)
		}
		if m.NoDevice != "" {
			p.remark("no GPU in use: " + m.NoDevice)
		}
		p.row("lattice", fmt.Sprintf("%.4g bytes per node", m.PerNode))
		if m.OnDevice > 0 {
			p.row("its memory", fmt.Sprintf("%s of %s free", machine.BytesText(m.OnDevice), machine.BytesText(m.DeviceFree)))
			if c := m.Captures.String(); c != "" {
				p.row("", c)
			}
		}
	}
	if r.Memory.Backend == "" { // refused before it came to that
		p.writeOutput(r)
		return
	}
	if m := r.Memory; m.Available > 0 {
		p.judged("memory", fmt.Sprintf("%s of %s", machine.BytesText(m.Needed), machine.BytesText(m.Available)), m.Judged)
	} else {
		p.judged("memory", machine.BytesText(m.Needed), m.Judged)
	}
	p.writeEstimate(r)
	p.writeOutput(r)
}

func (p *page) writeEstimate(r *Report) {
	e := &r.Estimate
	if !(e.MFLUPS > 0) { // refused before it came to that
		return
	}
	bodies, tried := "", "a small lattice"
	if share := float64(e.BodySeconds / e.Seconds.Value); share > 0 {
		bodies, tried = fmt.Sprintf("bodies %.2g %%, ", 100*share), fmt.Sprintf("a small lattice and body (%s)", e.each())
	}
	if share := float64(e.SeamSeconds / e.Seconds.Value); share > 0 {
		bodies += fmt.Sprintf("seams %.2g %%, ", 100*share)
	}
	rest := "outputs come on top"
	if r.Memory.OnDevice > 0 {
		rest = "bodies and outputs come on top"
	}
	p.judged("time", fmt.Sprintf("about %s (%.0f MFLUPS, %s%d threads)", span(float64(e.Seconds.Value)), e.MFLUPS, bodies, e.Threads), e.Seconds)
	p.remark("estimated from " + tried + " just now; " + rest)
}

// each is what a marker and a vertex take.
func (e *EstimateReport) each() string {
	var words []string
	if e.Marker > 0 {
		words = append(words, fmt.Sprintf("%.2g µs a marker", e.Marker/1000))
	}
	if e.Vertex > 0 {
		words = append(words, fmt.Sprintf("%.2g µs a vertex", e.Vertex/1000))
	}
	return strings.Join(words, ", ")
}

func (p *page) writeOutput(r *Report) {
	o := &r.Output
	p.section("Output to " + o.Directory)
	if o.Earlier {
		p.remark("holds an earlier run: run with --resume, --overwrite or --out DIR")
	}
	p.row("fields", o.Fields.text())
	p.row("checkpoints", o.Checkpoints.text())
	p.judged("disk", fmt.Sprintf("%s free", machine.BytesText(o.Free)), o.Disk)
	switch {
	case o.HDF5.Version != "":
		p.row("HDF5", fmt.Sprintf("%s (%s)", o.HDF5.Version, o.HDF5.Path))
	case o.HDF5.Needed:
		p.row("HDF5", "not found, but fields are asked for")
	default:
		p.row("HDF5", "not found, and not needed; see lbmib doctor")
	}
}

func (f FilesReport) text() string {
	if f.Count == 0 {
		return "none"
	}
	s := fmt.Sprintf("%s of at most %s", count(float64(f.Count)), machine.BytesText(f.Bytes))
	if f.Kept < f.Count {
		s += fmt.Sprintf(", the last %d stay", f.Kept)
	}
	return s
}

func (p *page) writeProposals(r *Report) {
	if len(r.Proposals) > 0 {
		p.section("Proposals")
	}
	for _, q := range r.Proposals {
		p.row(q.Name, fmt.Sprintf("τ %.4g, Mach %.2g, grid Reynolds %.3g", q.Tau, q.Mach, q.GridReynolds))
		p.row("", fmt.Sprintf("%s nodes, %s, about %s", count(float64(q.Nodes)), machine.BytesText(q.Memory), span(float64(q.Seconds))))
		for i, set := range q.Set {
			end := " \\"
			if i == len(q.Set)-1 {
				end = ""
			}
			p.row("", "--set "+set+end)
		}
	}
	if r.Note != "" {
		fmt.Fprintln(p.w)
		for _, line := range Wrap(r.Note, PageWidth) {
			fmt.Fprintln(p.w, line)
		}
	}
}

// conclusion is the report in a line.
func (r *Report) conclusion() string {
	switch r.Verdict {
	case OK:
		return "ok: no problems were found"
	case Caution:
		return "caution: the case runs; see the remarks"
	case Unsafe:
		return "unsafe: the case may diverge or mean nothing; see the remarks"
	}
	return "refused: the case cannot be run"
}

// count is a number with spaces between thousands.
func count(n float64) string {
	if n >= 1e15 {
		return fmt.Sprintf("%.3g", n)
	}
	s := fmt.Sprintf("%.0f", n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// span is a duration for people, as h:mm:ss from a minute on.
func span(seconds float64) string {
	const year = 365.25 * 86400
	switch {
	case !finite.Is(seconds):
		return "an unknown time"
	case seconds < 60:
		return fmt.Sprintf("%.0f s", math.Ceil(seconds))
	case seconds < 2*86400:
		return Clock(time.Duration(seconds * float64(time.Second)))
	case seconds < year:
		return fmt.Sprintf("%.0f days", seconds/86400)
	}
	return fmt.Sprintf("%.3g years", seconds/year)
}

// Clock formats a duration as h:mm:ss or m:ss.
func Clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
