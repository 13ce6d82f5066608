// Package reference holds the published and analytic numbers that the program is
// held against, with their sources: series of the literature and the gates of the
// validation suite. The files are part of the program, and its tests read all of
// them, so that what is asked for and missing is a programming error: a panic.
package reference

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.csv
var files embed.FS

// Table are rows of one of the files.
type Table struct {
	name    string
	columns []string
	rows    [][]string
}

// Read returns a file of this package, for instance "cavity.csv".
func Read(name string) *Table {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("reference: %v", err))
	}
	t, err := parse(name, strings.NewReader(string(text)))
	if err != nil {
		panic(fmt.Sprintf("reference: %v", err))
	}
	return t
}

// parse reads a table: a head of columns and rows, comments behind #.
func parse(name string, from io.Reader) (*Table, error) {
	r := csv.NewReader(from)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) < 2 {
		return nil, fmt.Errorf("%s: there are %d lines, a head and one row are the least", name, len(rows))
	}
	return &Table{name, rows[0], rows[1:]}, nil
}

// Rows is the number of rows.
func (t *Table) Rows() int { return len(t.rows) }

// Where are the rows that have the given texts in the given columns.
func (t *Table) Where(columnAndText ...string) *Table {
	out := &Table{t.name, t.columns, t.rows}
	for i := 0; i+1 < len(columnAndText); i += 2 {
		c := t.column(columnAndText[i])
		out.rows = slices.DeleteFunc(slices.Clone(out.rows), func(row []string) bool { return row[c] != columnAndText[i+1] })
	}
	if len(out.rows) == 0 {
		panic(fmt.Sprintf("reference: %s has no row where %v", t.name, columnAndText))
	}
	return out
}

// Text is a column.
func (t *Table) Text(column string) []string {
	c := t.column(column)
	out := make([]string, len(t.rows))
	for i, row := range t.rows {
		out[i] = row[c]
	}
	return out
}

// Float is a column of numbers, NaN where a cell is empty.
func (t *Table) Float(column string) []float64 {
	out := make([]float64, len(t.rows))
	for i, cell := range t.Text(column) {
		out[i] = math.NaN()
		if cell == "" {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			panic(fmt.Sprintf("reference: %s: column %s: %v", t.name, column, err))
		}
		out[i] = v
	}
	return out
}

func (t *Table) column(name string) int {
	c := slices.Index(t.columns, name)
	if c < 0 {
		panic(fmt.Sprintf("reference: %s has no column %q, it has %s", t.name, name, strings.Join(t.columns, ", ")))
	}
	return c
}
