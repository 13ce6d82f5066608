package check

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lbmib/internal/machine"
	"lbmib/io/casefile"
)

// writeRefinement prints the proposal of nested grids.
func (p *page) writeRefinement(r *Report) {
	f := r.Refinement
	if f == nil && r.RefinementNote == "" {
		return
	}
	p.section("Nested grids")
	if f == nil {
		p.note(r.RefinementNote)
		return
	}
	if f.Taken {
		p.note("taken, as by --refine auto; the same in the case:")
	} else {
		p.row("updates", fmt.Sprintf("%s a step instead of %s, %.1f times fewer", count(float64(f.Updates)), count(float64(r.Domain.Total)), f.Gain))
		if f.Memory > 0 && r.Memory.Needed > 0 {
			p.row("memory", fmt.Sprintf("%s instead of %s", machine.BytesText(f.Memory), machine.BytesText(r.Memory.Needed)))
		}
		p.row("time", fmt.Sprintf("about %s instead of %s", span(float64(f.Seconds)), span(float64(r.Estimate.Seconds.Value))))
		p.note("with --refine auto, or with this in the case:")
	}
	fmt.Fprintln(p.w)
	for line := range strings.Lines(f.Tables) {
		if line != "\n" {
			line = "  " + line
		}
		fmt.Fprint(p.w, line)
	}
	if f.More != "" {
		fmt.Fprintln(p.w)
		p.note(f.More)
	}
}

// note prints a text over the whole width.
func (p *page) note(text string) {
	for _, line := range Wrap(text, PageWidth-2) {
		fmt.Fprintln(p.w, "  "+line)
	}
}

// tablesText are the tables of a case, as TOML.
// RefineText are the tables of a case's nested grids, to be pasted into one.
func RefineText(c *casefile.Case) string { return tablesText(c) }

func tablesText(c *casefile.Case) string {
	var b strings.Builder
	for i, t := range c.Refine {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("[[refine]]\n")
		for _, line := range tableLines(&t, c.Domain.Dim) {
			fmt.Fprintf(&b, "%s\n", line)
		}
	}
	return b.String()
}

// tablesSet are the tables of a case, for --set.
func tablesSet(c *casefile.Case) string {
	var all []string
	for _, t := range c.Refine {
		all = append(all, "{ "+strings.Join(tableLines(&t, c.Domain.Dim), ", ")+" }")
	}
	return "refine=[" + strings.Join(all, ", ") + "]"
}

// tableLines are the keys of a table.
func tableLines(t *casefile.Refine, dim int) []string {
	level := fmt.Sprintf("level = %d", t.Level)
	if t.Around == "" {
		return []string{fmt.Sprintf("box = { min = %s, max = %s }", numbersText(t.Min[:dim]), numbersText(t.Max[:dim])), level}
	}
	var margins []float64
	for _, m := range t.Margin[:dim] {
		margins = append(margins, m[0], m[1])
	}
	return []string{"around = " + strconv.Quote(t.Around), "margin = " + numbersText(margins), level}
}

func numbersText(v []float64) string {
	words := make([]string, len(v))
	for i, x := range v {
		words[i] = decimal(x, 17)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// decimal is a number with so many digits at most, and with a point.
func decimal(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if short := strconv.FormatFloat(x, 'g', -1, 64); len(short) < len(text) {
		text = short
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// outwards is a length in L as it is printed, a tenth of a node or so larger, or smaller where sign is negative.
func outwards(x, sign, resolution float64) float64 {
	unit := math.Pow(10, math.Ceil(math.Max(0, math.Log10(resolution))))
	const slack = 1e-6 // what rounding leaves behind a whole number
	if sign < 0 {
		return math.Floor(x*unit+slack) / unit
	}
	return math.Ceil(x*unit-slack) / unit
}
