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
	"lbmib/run/check"
)

// headings are the columns of the table for people.
var headings = slices.SortedStableFunc(slices.Values(expanded(func(k *kind) bool { return k.at > 0 })), func(a, b kind) int { return a.at - b.at })

// WriteTable writes the sweep for people, as Markdown: a row per run and body, cell or suspension,
// of a case without any per run and probe, section or port, and below it how things converge. Of a table wider than so many characters
// columns are left out, and named; 0: it is as wide as it is.
func (d *Document) WriteTable(w io.Writer, width int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d runs\n\n", d.Case, len(d.Runs), d.Total)
	if len(d.Runs) > 0 {
		rows, left := fitted(d.rows(), width, d.firstToGo)
		writeMarkdown(&b, rows)
		if len(left) > 0 {
			b.WriteString("\n")
			writeWrapped(&b, "left out, for the table is wider than the terminal: "+strings.Join(left, ", ")+": sweep.csv has all", width)
		}
		d.writeOrders(&b, width)
		b.WriteString("\n")
		writeWrapped(&b, d.Directory+": sweep.csv, sweep.json and, when all is done, sweep.png", width)
	}
	for _, warning := range d.Warnings {
		writeWrapped(&b, "note: "+warning, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeWrapped writes a text in lines of a width, as one where that is 0.
func writeWrapped(b *strings.Builder, text string, width int) {
	if width > 0 {
		text = strings.Join(check.Wrap(text, max(width-2, narrowest)), "\n  ")
	}
	b.WriteString(text + "\n")
}

// narrowest is the width that a table and its notes are given in the narrowest terminal.
const narrowest = 40

// The last columns of the table.
const windowTitle, settledTitle, wallTitle = "window / (L/U)", "settled", "wall / s"

// rows is the table with its head; columns with no number but 0 are left out.
func (d *Document) rows() [][]string {
	head := append(slices.Clone(labels(d.Over)), "status", "of")
	fixed := len(head)
	for _, h := range headings {
		head = append(head, h.title)
	}
	rows := [][]string{append(head, windowTitle, settledTitle, wallTitle)}
	for i := range d.Runs {
		r := &d.Runs[i]
		for _, of := range r.shown() {
			var row []string
			for _, v := range r.values {
				row = append(row, shown(v))
			}
			row = append(row, r.Status, of)
			for _, h := range headings {
				v := r.find(of, h.name)
				if h.name == "recirculation_length" && v == 0 { // nothing flows back
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

// firstToGo tells how soon a column is left out where all are too wide, the highest first; 0: never.
func (d *Document) firstToGo(rows [][]string, column int) int {
	const ofRun, ofQuantities, atTheEnd = 4000, 1000, 90
	title := rows[0][column]
	switch {
	case title == wallTitle:
		return ofRun + 3
	case column < len(d.Over):
		return 0
	case title == "status" && !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[column] != "done" }):
		return ofRun + 2 // it says nothing
	case title == windowTitle:
		return 2*ofQuantities + atTheEnd
	case title == "status" || title == "of" || title == settledTitle:
		return 0
	}
	i := slices.IndexFunc(headings, func(k kind) bool { return k.title == title })
	k := &headings[i]
	switch {
	case k.at >= atTheEnd:
		return 3*ofQuantities + k.at
	case k.ordered:
		return k.at
	case k.told:
		return ofQuantities + k.at
	}
	return 2*ofQuantities + k.at
}

// fitted is a table within a width, and the titles of what is left out of it: by how soon a column goes.
func fitted(rows [][]string, width int, soon func(rows [][]string, column int) int) (_ [][]string, left []string) {
	for width > 0 && widthOf(rows) > max(width, narrowest) {
		worst, at := 0, -1
		for c := range rows[0] {
			if n := soon(rows, c); n > worst {
				worst, at = n, c
			}
		}
		if at < 0 {
			break
		}
		left = append(left, rows[0][at])
		rows = dropped(rows, func(column int) bool { return column == at })
	}
	slices.Reverse(left)
	return rows, left
}

// columnWidths are those of a table in characters.
func columnWidths(rows [][]string) []int {
	const least = 3 // of Markdown's dashes
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], utf8.RuneCountInString(text), least)
		}
	}
	return widths
}

// widthOf is how wide a table is with what stands between columns.
func widthOf(rows [][]string) int {
	n := 1
	for _, w := range columnWidths(rows) {
		n += w + 3
	}
	return n
}

// entry is what the summary has of one that it tells of; nil: nothing.
func (r *Run) entry(of string) entry {
	for _, g := range groups {
		if e := r.entries[g.name][of]; e != nil {
			return e
		}
	}
	return nil
}

// window is that of the statistics of a body or another that there are some of: of the motion, where that is what is told.
func (r *Run) window(of string) string {
	key := "window"
	if b, ok := r.Summary.Bodies[of]; ok && isFree(&b) {
		key = "motion_window"
	}
	e := r.entry(of)
	from, to := number(value(e, key+".0")), number(value(e, key+".1"))
	if !finite.Is(from) {
		return ""
	}
	return fmt.Sprintf("%.4g–%.4g", from, to)
}

// settled tells whether statistics would not change if the run went on; empty where there are none.
func (r *Run) settled(of string) string {
	key := "converged"
	if b, ok := r.Summary.Bodies[of]; ok && isFree(&b) {
		key = "motion_converged"
	}
	switch value(r.entry(of), key) {
	case true:
		return "yes"
	case false:
		return "no"
	}
	return ""
}

// shown are the bodies, cells and suspensions that a run has rows for, without any the probes, sections and ports; with
// none it has a row with no name.
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
	widths := columnWidths(rows)
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

// writeOrders writes how quantities converge; notes stand below the table.
func (d *Document) writeOrders(b *strings.Builder, width int) {
	if len(d.Orders) == 0 {
		return
	}
	b.WriteString("\nConvergence with resolution, by the three finest:\n\n")
	rows := [][]string{{"quantity", "of", "at", "order", "tends to", "resolutions", "note"}}
	var notes []string
	for _, o := range d.Orders {
		n, note := o.Resolutions, ""
		if o.Note != "" {
			k := slices.Index(notes, o.Note)
			if k < 0 {
				k, notes = len(notes), append(notes, o.Note)
			}
			note = fmt.Sprintf("(%d)", k+1)
		}
		rows = append(rows, []string{o.Quantity, o.Of, o.At, formatted("%.2f", float64(o.Order)), formatted("%.5g", float64(o.Extrapolated)), fmt.Sprintf("%g, %g, %g", n[0], n[1], n[2]), note})
	}
	rows = dropped(rows, func(c int) bool {
		return !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[c] != "" })
	})
	rows, left := fitted(rows, width, func(rows [][]string, column int) int {
		return map[string]int{"resolutions": 2, "at": 1}[rows[0][column]]
	})
	writeMarkdown(b, rows)
	for i, note := range notes {
		writeWrapped(b, fmt.Sprintf("(%d) %s", i+1, note), width)
	}
	if len(left) > 0 {
		writeWrapped(b, "left out, for the table is wider than the terminal: "+strings.Join(left, ", ")+": sweep.json has all", width)
	}
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
