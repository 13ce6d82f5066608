// Package table writes the tables of performance reports, for a terminal and in
// Markdown.
package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Column is one column of a table.
type Column struct {
	Title, Unit string
	Quantity    bool     // a number, to the right; names stand to the left
	Cells       []string // one per row
}

// Table is a table: names first, then quantities, all with as many rows.
type Table []Column

// Add adds a row.
func (s Table) Add(cells ...string) {
	for i, text := range cells {
		s[i].Cells = append(s[i].Cells, text)
	}
}

// Fold takes out the names that are the same in all of several rows, and returns
// them as "title name".
func (s Table) Fold() (rest Table, same []string) {
	for _, c := range s {
		if !c.Quantity && len(c.Cells) > 1 && len(slices.Compact(slices.Clone(c.Cells))) == 1 {
			same = append(same, c.Title+" "+c.Cells[0])
			continue
		}
		rest = append(rest, c)
	}
	return rest, same
}

// WriteText writes the table in aligned columns: titles, units where there are
// any, rows.
func (s Table) WriteText(b *strings.Builder) {
	lines := [][]string{nil, nil}
	for _, c := range s {
		lines[0], lines[1] = append(lines[0], c.Title), append(lines[1], c.Unit)
	}
	if strings.Join(lines[1], "") == "" {
		lines = lines[:1]
	}
	width := make([]int, len(s))
	for _, line := range append(lines, s.rows()...) {
		for i, t := range line {
			width[i] = max(width[i], utf8.RuneCountInString(t))
		}
	}
	for _, cells := range append(lines, s.rows()...) {
		var line strings.Builder
		for i, t := range cells {
			if i > 0 {
				line.WriteString("  ")
			}
			space := strings.Repeat(" ", width[i]-utf8.RuneCountInString(t))
			if s[i].Quantity {
				t = space + t
			} else {
				t += space
			}
			line.WriteString(t)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// WriteMarkdown writes the table with units behind the titles, "bytes/node",
// "limit (GB/s)".
func (s Table) WriteMarkdown(b *strings.Builder) {
	var titles, rule []string
	for _, c := range s {
		unit := c.Unit
		if unit != "" && !strings.HasPrefix(unit, "/") {
			unit = " (" + unit + ")"
		}
		titles = append(titles, c.Title+unit)
		if c.Quantity {
			rule = append(rule, "--:|")
		} else {
			rule = append(rule, "---|")
		}
	}
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(titles, " | "), strings.Join(rule, ""))
	for _, row := range s.rows() {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// rows are the cells by row.
func (s Table) rows() (all [][]string) {
	if len(s) == 0 {
		return nil
	}
	for i := range s[0].Cells {
		row := make([]string, len(s))
		for j, c := range s {
			row[j] = c.Cells[i]
		}
		all = append(all, row)
	}
	return all
}
