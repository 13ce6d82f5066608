package sweep

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"lbmib/internal/finite"
)

// heading is a column of the table for people.
type heading struct{ quantity, title, format string }

var headings = []heading{
	{"vx_mean", "mean vx / U", "%.4f"}, {"vy_mean", "mean vy / U", "%.4f"}, {"vz_mean", "mean vz / U", "%.4f"}, {"spin_mean", "spin / (U/L)", "%.4f"},
	{"x_amplitude", "x ± / L", "%.4f"}, {"y_amplitude", "y ± / L", "%.4f"}, {"z_amplitude", "z ± / L", "%.4f"}, {"motion_frequency", "f / (U/L)", "%.4f"},
	{"cd_mean", "Cd", "%.4f"}, {"cd_interval", "known to ±", "%.2g"}, {"cd_amplitude", "Cd ±", "%.4f"}, {"cl_mean", "Cl", "%.4f"}, {"cl_amplitude", "Cl ±", "%.4f"},
	{"along_mean", "C along", "%.4f"}, {"strouhal", "St", "%.4f"}, {"recirculation_length", "recirculation / L", "%.3f"}, {"slip_max", "slip / U", "%.1e"},
	{"flow_rate_mean", "flow rate", "%.6g"}, {"u_mean", "mean u / U", "%.6g"}, {"v_mean", "mean v / U", "%.6g"}, {"w_mean", "mean w / U", "%.6g"}, {"p_mean", "mean p / ρU²", "%.6g"},
	{"rho", "ρ", "%.6g"}, {"u", "u / U", "%.6g"}, {"v", "v / U", "%.6g"}, {"w", "w / U", "%.6g"}, {"p", "p / ρU²", "%.6g"},
}

// WriteTable writes the sweep for people, as Markdown: a row per run and body,
// of a case without bodies per run and probe, and below it how things converge.
func (d *Document) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d runs\n\n", d.Case, len(d.Runs), d.Total)
	if len(d.Runs) > 0 {
		writeMarkdown(&b, d.rows())
		d.writeOrders(&b)
		fmt.Fprintf(&b, "\n%s: sweep.csv, sweep.json and, when all is done, sweep.png\n", d.Directory)
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(&b, "note: %s\n", warning)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// rows is the table with its head; columns with no number but 0 are left out.
func (d *Document) rows() [][]string {
	head := append(slices.Clone(labels(d.Over)), "status", "of")
	fixed := len(head)
	for _, h := range headings {
		head = append(head, h.title)
	}
	rows := [][]string{append(head, "window / (L/U)", "settled", "wall / s")}
	for i := range d.Runs {
		r := &d.Runs[i]
		for _, of := range r.shown() {
			var row []string
			for _, v := range r.values {
				row = append(row, shown(v))
			}
			row = append(row, r.Status, of)
			for _, h := range headings {
				v := r.find(of, h.quantity)
				if h.quantity == "recirculation_length" && v == 0 { // nothing flows back
					v = math.NaN()
				}
				row = append(row, formatted(h.format, v))
			}
			rows = append(rows, append(row, r.window(of), r.settled(of), fmt.Sprintf("%.1f", r.Summary.WallSeconds)))
		}
	}
	return dropped(rows, func(column int) bool {
		first := rows[1][column]
		for _, row := range rows[1:] {
			switch {
			case column >= fixed && strings.Trim(row[column], "0.") != "", column < fixed-1, column == fixed-1 && row[column] != first:
				return false
			}
		}
		return true // no numbers but 0, or the one body's name
	})
}

// window is that of the statistics of a body: of its motion, where that is what is told.
func (r *Run) window(of string) string {
	b, ok := r.Summary.Bodies[of]
	w := b.Window
	if ok && isFree(&b) {
		w = b.MotionStatistics.MotionWindow
	}
	if !ok || !finite.Is(float64(w[0])) {
		return ""
	}
	return fmt.Sprintf("%.4g–%.4g", float64(w[0]), float64(w[1]))
}

// settled tells whether the statistics of a body would not change if the run went on.
func (r *Run) settled(of string) string {
	b, ok := r.Summary.Bodies[of]
	switch converged := b.Converged; {
	case !ok:
		return ""
	case isFree(&b) && b.MotionStatistics.MotionConverged, !isFree(&b) && converged:
		return "yes"
	}
	return "no"
}

// shown are the bodies that a run has rows for, without any the probes; with
// neither it has a row with no name.
func (r *Run) shown() (names []string) {
	for _, probes := range []bool{false, true} {
		for _, q := range r.quantities {
			if q.probe == probes && !slices.Contains(names, q.Of) {
				names = append(names, q.Of)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	return []string{""}
}

// formatted is a number, or nothing where there is none.
func formatted(format string, v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	if strings.HasSuffix(format, "g") && math.Abs(v) < 1e-9 { // rounding beside numbers of order 1
		v = 0
	}
	text := fmt.Sprintf(format, v)
	if strings.Trim(text, "-0.") == "" { // no sign of rounding
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// dropped is a table without some of its columns.
func dropped(rows [][]string, drop func(column int) bool) [][]string {
	kept := make([][]string, len(rows))
	for c := range rows[0] {
		if !drop(c) {
			for i := range rows {
				kept[i] = append(kept[i], rows[i][c])
			}
		}
	}
	return kept
}

// writeMarkdown writes a table whose first row is its head, columns aligned.
func writeMarkdown(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(text), 3)
		}
	}
	for i, row := range rows {
		for c, text := range row {
			fmt.Fprintf(b, "| %s%s ", text, strings.Repeat(" ", widths[c]-utf8.RuneCountInString(text)))
		}
		b.WriteString("|\n")
		if i == 0 {
			for _, n := range widths {
				fmt.Fprintf(b, "|%s", strings.Repeat("-", n+2))
			}
			b.WriteString("|\n")
		}
	}
}

// writeOrders writes how quantities converge.
func (d *Document) writeOrders(b *strings.Builder) {
	if len(d.Orders) == 0 {
		return
	}
	b.WriteString("\nConvergence with resolution, by the three finest:\n\n")
	rows := [][]string{{"quantity", "of", "at", "resolutions", "order", "tends to", "note"}}
	for _, o := range d.Orders {
		n := o.Resolutions
		rows = append(rows, []string{o.Quantity, o.Of, o.At, fmt.Sprintf("%g, %g, %g", n[0], n[1], n[2]),
			formatted("%.2f", float64(o.Order)), formatted("%.5g", float64(o.Extrapolated)), o.Note})
	}
	writeMarkdown(b, dropped(rows, func(c int) bool {
		return !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[c] != "" })
	}))
}

// warn adds what a reader of the table should know.
func (d *Document) warn() {
	if len(d.Orders) > 0 {
		d.Warnings = append(d.Warnings, "reference.velocity is the same at all resolutions, so the error of compressibility, of order Ma², does not shrink with them")
	}
	d.warnOfErrors()
	unsure, first := 0, ""
	for _, r := range d.Runs {
		for _, name := range slices.Sorted(maps.Keys(r.Summary.Bodies)) {
			if s := r.Summary.Bodies[name]; r.Status == "done" && !s.Converged && s.Note != "" {
				if first == "" {
					first = fmt.Sprintf("%s, %s: %s", r.Name, name, s.Note)
				}
				unsure++
				break
			}
		}
	}
	if unsure > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("statistics of %d of %d runs have not converged; %s", unsure, len(d.Runs), first))
	}
}
