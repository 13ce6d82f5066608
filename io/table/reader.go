package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// Table is a table that was read.
type Table struct {
	Path    string
	Columns []string

	rows  [][]string
	lines []int // in the file, per row
}

// maxFile bounds the bytes of a table that is read whole.
const maxFile = 8 << 30

// Read reads a table. A last line without its end, which a run that is still
// writing or was killed leaves, is not counted.
func Read(path string) (*Table, error) {
	raw, err := regular.ReadFile(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: the table cannot be read: %w: %s", path, durable.Cause(err), durable.Remedy(err, "check the path and its permissions"))
	}
	raw = raw[:bytes.LastIndexByte(raw, '\n')+1]
	r := csv.NewReader(bytes.NewReader(raw))
	head, err := r.Read()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: the table is empty: its first line must name the columns", path)
	}
	t := &Table{Path: path, Columns: head}
	for err == nil {
		var row []string
		if row, err = r.Read(); err == nil {
			line, _ := r.FieldPos(0)
			t.rows, t.lines = append(t.rows, row), append(t.lines, line)
		}
	}
	if err != io.EOF {
		return nil, fmt.Errorf("%s: not a table: %w: every row needs one cell per column", path, err)
	}
	return t, nil
}

// Begins tells whether the first line of a file names these columns and no others.
func Begins(path string, columns []string) bool {
	head, err := header(columns)
	if err != nil {
		return false
	}
	f, _, err := regular.OpenFile(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	found := make([]byte, len(head))
	_, err = io.ReadFull(f, found)
	return err == nil && string(found) == head
}

// Rows is the number of complete rows.
func (t *Table) Rows() int { return len(t.rows) }

// Text is a column's cells in the rows that keep accepts; nil takes all.
func (t *Table) Text(column string, keep func(row int) bool) ([]string, error) {
	c, err := t.column(column)
	if err != nil {
		return nil, err
	}
	cells := make([]string, 0, len(t.rows))
	for i, row := range t.rows {
		if keep == nil || keep(i) {
			cells = append(cells, row[c])
		}
	}
	return cells, nil
}

// Float is a column's numbers in the rows that keep accepts; nil takes all.
// An empty cell is NaN.
func (t *Table) Float(column string, keep func(row int) bool) ([]float64, error) {
	c, err := t.column(column)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, 0, len(t.rows))
	for i, row := range t.rows {
		if keep != nil && !keep(i) {
			continue
		}
		v := math.NaN()
		if cell := row[c]; cell != "" {
			if v, err = strconv.ParseFloat(cell, 64); err != nil {
				return nil, fmt.Errorf("%s:%d: column %q: %q is not a finite number in double precision: correct the cell or leave it empty", t.Path, t.lines[i], column, cell)
			}
		}
		numbers = append(numbers, v)
	}
	return numbers, nil
}

// Where accepts the rows whose cell in column is the given text, for Text and
// Float.
func (t *Table) Where(column, text string) (keep func(row int) bool, err error) {
	c, err := t.column(column)
	if err != nil {
		return nil, err
	}
	return func(row int) bool { return t.rows[row][c] == text }, nil
}

func (t *Table) column(name string) (int, error) {
	c := slices.Index(t.Columns, name)
	if c < 0 {
		return 0, fmt.Errorf("%s: there is no column %q: choose one of %s", t.Path, name, printable(t.Columns))
	}
	return c, nil
}

// printable is a list of names for a message; a damaged file's may hold anything.
func printable(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		if list[i] = n; strings.ContainsFunc(n, func(c rune) bool { return !unicode.IsPrint(c) }) {
			list[i] = strconv.Quote(n)
		}
	}
	return strings.Join(list, ", ")
}
