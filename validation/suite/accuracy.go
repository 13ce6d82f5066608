package suite

import (
	"context"
	"fmt"
	"io"
	"math"

	"lbmib/io/statistics"
)

// Operators are the collision operators, in the order of the table of their accuracy.
var Operators = []string{"bgk", "trt", "mrt", "regularized", "recursive"}

// measure is a column of the table: what runs of an operator give for a flow with a known answer.
type measure struct {
	title string
	from  []Run
	value func(r *Results) float64
	text  func(v float64) string
}

// shearInStream is a shear wave of 32 nodes that a stream of 0.1 carries along its normal.
func shearInStream(collision string) Run {
	const n, h = 32, 0.5 / 32
	return Run{collision + "-shear", "taylor-green.toml", []string{set("fluid.collision", collision), resolution(n), "reference.velocity=0.1", "reference.reynolds=100.0", "run.time=3.0",
		`domain.initial={ type = "shear", amplitude = 0.1, wavenumber = 1, velocity = [0.0, 1.0] }`, lines(line("column", []float64{h, h}, []float64{h, 1 - h}, n, 1))}}
}

// shearRate is the rate of decay of the wave over νk².
func shearRate(r *Results, run string) float64 {
	amplitude := func(t float64) float64 {
		y, u := r.Line(run, "column", t, "y", "u")
		a, b, _ := statistics.Harmonic(y, u, decayNumber)
		return math.Hypot(a, b)
	}
	return math.Log(amplitude(1)/amplitude(3)) / 2 / (decayNumber * decayNumber * r.Case(run).Reference.Viscosity)
}

// coarseCylinder is the steady cylinder, Re = 20, on ten nodes: an eighth of the work of the suite's.
func coarseCylinder(collision string) Run {
	return Run{collision + "-Re20-D10", "cylinder.toml", append(slow(10), set("fluid.collision", collision))}
}

// measures are the columns for an operator.
func measures(collision string) []measure {
	channel, vortices := poiseuilleOver(collision), vorticesOver(collision)
	shear, stream, cavity, cylinder := shearInStream(collision), vorticesInStream(collision), cavityRun(collision, "100"), coarseCylinder(collision)
	for i := range channel.runs {
		channel.runs[i].Sets = append(channel.runs[i].Sets, "run.time=40.0") // until the start has decayed to rounding
	}
	percent := func(v float64) string { return fmt.Sprintf("%+.2f %%", 100*(v-1)) }
	number := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	small := func(v float64) string {
		if v < 1e-11 {
			return "rounding"
		}
		return fmt.Sprintf("%.1e", v)
	}
	channelOrder := func(r *Results) float64 {
		if e := channel.errors(r); e[len(e)-1] < 1e-11 {
			return math.Inf(1)
		}
		return channel.order(r)
	}
	least := cavityExtrema(cavity.Name, "")[0]
	exact := func(v float64) string { return map[bool]string{true: "exact", false: number(v)}[math.IsInf(v, 1)] }
	return []measure{
		{"shear wave in a stream, rate", []Run{shear}, func(r *Results) float64 { return shearRate(r, shear.Name) }, percent},
		{"Poiseuille, 16 nodes", channel.runs[1:2], func(r *Results) float64 { return poiseuilleError(r, channel.runs[1].Name) }, small},
		{"order", channel.runs, channelOrder, exact},
		{"Taylor–Green, rate", vortices.runs[:1], func(r *Results) float64 { return vortexRate(r, vortices.runs[0].Name) }, percent},
		{"in a stream", []Run{stream}, func(r *Results) float64 { return vortexRate(r, stream.Name) }, percent},
		{"order", vortices.runs, vortices.order, number},
		{"cavity, least u", []Run{cavity}, func(r *Results) float64 { return least.Value(r) / -0.2140417 }, percent},
		{"cylinder, D = 10, C_D", []Run{cylinder}, func(r *Results) float64 { return numbersOf(r, cylinder.Name, "cylinder").cd }, func(v float64) string { return fmt.Sprintf("%.4f (%s)", v, percent(v/2.2183)) }},
	}
}

// WriteAccuracy runs flows with known answers with every operator and writes a table in
// Markdown of what they give. An error is of a run that fails or of writing.
func WriteAccuracy(ctx context.Context, w io.Writer, o Options) error {
	for i, collision := range Operators {
		all := measures(collision)
		if i == 0 {
			head, rule := "| collision |", "|---|"
			for _, m := range all {
				head, rule = head+" "+m.title+" |", rule+"--:|"
			}
			fmt.Fprintln(w, head+"\n"+rule)
		}
		r := &Results{runs: map[string]*finished{}}
		p := Plan{Group: Group{Name: "accuracy-" + collision}}
		row := "| " + collision + " |"
		for _, m := range all {
			for _, run := range m.from {
				if r.runs[run.Name] != nil {
					continue
				}
				f, err := p.finish(ctx, run, o)
				if err != nil {
					return fmt.Errorf("accuracy of %s, run %s: %w", collision, run.Name, err)
				}
				r.runs[run.Name] = f
			}
			v := m.value(r)
			if r.err != nil {
				return fmt.Errorf("accuracy of %s, %s: %w", collision, m.title, r.err)
			}
			row += " " + m.text(v) + " |"
		}
		if _, err := fmt.Fprintln(w, row); err != nil {
			return err
		}
	}
	return nil
}
