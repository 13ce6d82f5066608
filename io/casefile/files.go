package casefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lbmib/geometry/implicit"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// A table is read whole: bounds of its file in bytes and of its rows.
const (
	maxTableSize = 64 << 20
	maxRows      = 1_000_000
)

// readFile reads the path of a file that must be there, and returns it joined with
// the case's folder beside the SHA-256 of the content. sized refuses it by its size,
// before all of it is read.
func readFile(t *table, name, remedy string, sized func(f io.ReaderAt, size int64) error) (path, sum string) {
	return readFiles(t, name, remedy, func(f io.ReaderAt, size int64) (string, error) { return "", sized(f, size) })
}

// readFiles is readFile of a file whose data may be in another one, whose path from the first one's folder sized tells, empty where there is none: the SHA-256 is that of one after the other.
func readFiles(t *table, name, remedy string, sized func(f io.ReaderAt, size int64) (data string, err error)) (path, sum string) {
	t.ask(name, ask{form: "file"})
	if !t.has(name) {
		t.missing(name, remedy)
		return "", ""
	}
	given := t.line(name, "")
	if !t.r.clean(t.key(name)) {
		return "", ""
	}
	path = t.r.c.locate(given)
	f, size, err := openRegular(path, "paths are relative to the folder of the case file; "+remedy)
	if err != nil {
		t.fail(name, "%v", err)
		return "", ""
	}
	defer f.Close()
	data, err := sized(f, size)
	if err != nil {
		t.fail(name, "%q: %v", path, err)
		return "", ""
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, size)); err != nil {
		t.fail(name, "%q cannot be read: %v: %s", path, durable.Cause(err), durable.Remedy(err, "make it readable"))
		return "", ""
	}
	if data != "" {
		beside, size, err := openRegular(implicit.DataPath(path, data), "the header "+path+" names it as that with its data: keep both together")
		if err != nil {
			t.fail(name, "%v", err)
			return "", ""
		}
		defer beside.Close()
		if _, err := io.Copy(h, io.LimitReader(beside, size)); err != nil {
			t.fail(name, "%q cannot be read: %v: %s", data, durable.Cause(err), durable.Remedy(err, "make it readable"))
			return "", ""
		}
	}
	sum = hex.EncodeToString(h.Sum(nil))
	t.note(name, source{NamedFile{t.r.c.relative(path), sum}, path})
	return path, sum
}

// locate joins a path of the case file with its folder.
func (c *Case) locate(given string) string {
	if filepath.IsAbs(given) {
		return filepath.Clean(given)
	}
	return filepath.Join(c.base(), given)
}

// relative is the path from the case's folder, where there is one.
func (c *Case) relative(path string) string {
	if rel, err := filepath.Rel(c.base(), path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// atMost refuses files of more bytes.
func atMost(most int64, remedy string) func(io.ReaderAt, int64) error {
	return func(_ io.ReaderAt, size int64) error {
		if size > most {
			return fmt.Errorf("it has %d bytes, must have at most %d: %s", size, most, remedy)
		}
		return nil
	}
}

// openRegular opens a file that ends, and tells its size. The remedy is for a path that
// leads to none.
func openRegular(path, remedy string) (*os.File, int64, error) {
	if strings.TrimSpace(path) == "" || strings.ContainsRune(path, 0) {
		return nil, 0, fmt.Errorf("%q is no path of a file: %s", path, remedy)
	}
	f, size, err := regular.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0, fmt.Errorf("there is no file %q: %s", path, remedy)
	case errors.Is(err, regular.ErrKind):
		return nil, 0, fmt.Errorf("%w: %s", err, remedy)
	case err != nil:
		return nil, 0, fmt.Errorf("%q cannot be read: %w: %s", path, durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	return f, size, nil
}

// readTable reads the CSV file of a face's factor over time.
func readTable(t *table) *Table {
	b := &Table{Repeat: t.flag("repeat", false)}
	if b.File, b.SHA256 = readFile(t, "table", "give a CSV file with the header t,factor", atMost(maxTableSize, "give fewer rows")); b.File == "" {
		return nil
	}
	if err := b.read("factor"); err != nil {
		t.fail("table", "%v", err)
		return nil
	}
	if last := len(b.T) - 1; b.Repeat && b.Factor[0] != b.Factor[last] {
		t.fail("table", "%s: the factor is %v in the first row and %v in the last, must be the same with repeat = true, where one follows the other: add the row that closes the period",
			b.File, b.Factor[0], b.Factor[last])
	}
	return b
}

// read fills the rows of t and a column.
func (b *Table) read(column string) error {
	text, err := textOfTable(b.File, b.SHA256)
	if err != nil {
		return err
	}
	return b.parse(text, column)
}

// textOfTable reads a table's file, and refuses it if it changed since its sum was taken.
func textOfTable(file, sum string) ([]byte, error) {
	f, _, err := openRegular(file, "it was there when the case was read: put it back")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTableSize+1))
	switch now := sha256.Sum256(text); {
	case err != nil:
		return nil, fmt.Errorf("%q cannot be read: %w: %s", file, durable.Cause(err), durable.Remedy(err, "make it readable"))
	case len(text) > maxTableSize:
		return nil, fmt.Errorf("%s is larger than %d bytes, the most that a table may have: give fewer rows", file, maxTableSize)
	case hex.EncodeToString(now[:]) != sum:
		return nil, fmt.Errorf("%s changes while it is read: wait until it is written", file)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

// parse reads rows of t and a column behind a header.
func (b *Table) parse(text []byte, column string) error {
	rows := csv.NewReader(bytes.NewReader(text))
	rows.TrimLeadingSpace, rows.ReuseRecord, rows.FieldsPerRecord, rows.Comment = true, true, -1, '#'
	header, err := rows.Read()
	if err != nil || len(header) != 2 || strings.TrimSpace(header[0]) != "t" || strings.TrimSpace(header[1]) != column {
		return fmt.Errorf("%s: the first line must be the header t,%s: add it", b.File, column)
	}
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s is no CSV: %v: write rows such as 0.5,1.2", b.File, err)
		}
		line, _ := rows.FieldPos(0)
		if err := b.append(row); err != nil {
			return fmt.Errorf("%s:%d: %w", b.File, line, err)
		}
	}
	if len(b.T) < 2 {
		return fmt.Errorf("%s has %d rows below its header, must have at least 2: add rows, or give a number instead", b.File, len(b.T))
	}
	return nil
}

func (b *Table) append(row []string) error {
	if len(row) != 2 {
		return fmt.Errorf("the row has %d entries, must have 2: separate them by one comma", len(row))
	}
	var x [2]float64
	for i, cell := range row {
		v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if most := Time.magnitude(); err != nil || !(math.Abs(v) <= most) {
			return fmt.Errorf("%q must be a finite number within ±%g: write for instance 0.5", cell, most)
		}
		x[i] = v
	}
	if n := len(b.T); n > 0 && !(x[0] > b.T[n-1]) {
		return fmt.Errorf("t = %v must be greater than %v in the row before: sort the rows, each t once", x[0], b.T[n-1])
	}
	if len(b.T) == maxRows {
		return fmt.Errorf("the table has more than %d rows, the most that is read: give fewer", maxRows)
	}
	b.T, b.Factor = append(b.T, x[0]), append(b.Factor, x[1])
	return nil
}
