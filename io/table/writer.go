// Package table keeps time series as CSV files that survive interruption.
//
// A run appends rows and records, with every checkpoint, the byte offset to
// which the file was complete. A resumed run cuts the file there and goes on,
// so that no row is lost or doubled.
package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// Append writes from so many buffered bytes on, and where the last rows were written so long ago: whoever follows a long run sees them.
const (
	flushAt    = 64 << 10
	flushAfter = time.Second
)

// Writer appends rows to a table. It is used by one goroutine at a time.
type Writer struct {
	path    string
	file    *os.File
	columns []string
	buffer  []byte
	offset  int64           // bytes written, the buffer not counted
	sum     *durable.Summer // of them
	flushed time.Time       // when they were
	err     error           // the first failure of the file: what it holds is unknown from then on
}

// Create starts a table with the given columns, replacing a file that is
// there, and writes its header to the disk.
func Create(path string, columns []string) (*Writer, error) {
	head, err := header(columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := durable.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s: the table cannot be created: %w: %s", path, durable.Cause(err), durable.Remedy(err, "check that its directory exists and is writable"))
	}
	w := newWriter(path, f, columns)
	w.buffer = append(w.buffer, head...)
	if _, err := w.Sync(); err != nil {
		f.Close()
		return nil, err
	}
	if err := durable.SyncDir(filepath.Dir(path)); err != nil {
		f.Close()
		return nil, w.failure(err)
	}
	return w, nil
}

// Resume continues a table at a byte offset that Sync returned: rows after it
// are cut off, and Sum tells what those before it are. It is an error, and the file stays as it is, if the header is
// not that of the columns, the file is shorter than offset or offset is not
// the end of a line. A missing file gives an error that wraps fs.ErrNotExist.
func Resume(path string, columns []string, offset int64) (*Writer, error) {
	head, err := header(columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, _, err := regular.OpenFile(path, os.O_RDWR)
	if err != nil {
		return nil, fmt.Errorf("%s: the table cannot be continued: %w: %s", path, durable.Cause(err), durable.Remedy(err, "put the file back or start without resuming"))
	}
	if err := checkResume(f, head, offset); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: the table cannot be continued at byte %d: %w", path, offset, err)
	}
	w := newWriter(path, f, columns)
	w.offset = offset
	_, err = io.Copy(w.sum, io.NewSectionReader(f, 0, offset))
	if err == nil {
		err = f.Truncate(offset)
	}
	if err == nil {
		_, err = f.Seek(offset, io.SeekStart)
	}
	if err == nil {
		err = durable.Sync(f)
	}
	if err != nil {
		f.Close()
		return nil, w.failure(err)
	}
	return w, nil
}

func newWriter(path string, f *os.File, columns []string) *Writer {
	return &Writer{path: path, file: f, columns: slices.Clone(columns), buffer: make([]byte, 0, flushAt+4096), sum: durable.NewSummer()}
}

func checkResume(f *os.File, head string, offset int64) error {
	info, err := f.Stat()
	if err != nil {
		return durable.Cause(err)
	}
	found := make([]byte, min(info.Size(), int64(len(head))))
	if _, err := f.ReadAt(found, 0); err != nil {
		return durable.Cause(err)
	}
	if string(found) != head {
		return fmt.Errorf("its header begins %q, this run writes %q: resume with the case that wrote it", found, head)
	}
	if offset < int64(len(head)) {
		return fmt.Errorf("its header alone has %d bytes: the checkpoint belongs to another table: start without resuming", len(head))
	}
	if info.Size() < offset {
		return fmt.Errorf("the file has only %d bytes: rows were removed since the checkpoint: put the file back or resume from an older checkpoint", info.Size())
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], offset-1); err != nil {
		return durable.Cause(err)
	}
	if last[0] != '\n' {
		return errors.New("no row ends there: the file was changed since the checkpoint: put it back or resume from an older checkpoint")
	}
	return nil
}

func header(columns []string) (string, error) {
	if len(columns) == 0 {
		return "", errors.New("the table has no columns: give at least one")
	}
	var line []byte
	for i, name := range columns {
		if name == "" || strings.ContainsAny(name, "\r\n") || slices.Contains(columns[:i], name) {
			return "", fmt.Errorf("column %d is named %q: names must differ, be one line and not be empty", i+1, name)
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = appendText(line, name)
	}
	return string(append(line, '\n')), nil
}

// Append adds a row with one value per column: a string of one line, an int,
// an int64 or a float64. Floats are written with the fewest digits that give
// the same bits back, NaN as an empty cell. Rows are buffered; Sync writes
// them. A row that is refused leaves the table as it was.
func (w *Writer) Append(values ...any) error {
	if w.err != nil {
		return w.err
	}
	if len(values) != len(w.columns) {
		return fmt.Errorf("%s: a row of %d values for %d columns: give one value per column", w.path, len(values), len(w.columns))
	}
	start := len(w.buffer)
	for i, value := range values {
		if i > 0 {
			w.buffer = append(w.buffer, ',')
		}
		switch v := value.(type) {
		case float64:
			if !math.IsNaN(v) {
				w.buffer = strconv.AppendFloat(w.buffer, v, 'g', -1, 64)
			}
		case int64:
			w.buffer = strconv.AppendInt(w.buffer, v, 10)
		case int:
			w.buffer = strconv.AppendInt(w.buffer, int64(v), 10)
		case string:
			if strings.ContainsAny(v, "\r\n") {
				w.buffer = w.buffer[:start]
				return fmt.Errorf("%s: column %q: the text %q has several lines: a row is one line", w.path, w.columns[i], v)
			}
			w.buffer = appendText(w.buffer, v)
		default:
			w.buffer = w.buffer[:start]
			// reflect, as %T would make every value of every row escape.
			return fmt.Errorf("%s: column %q: a value of type %v: only string, int, int64 and float64 can be written", w.path, w.columns[i], reflect.TypeOf(value))
		}
	}
	if len(w.buffer) == start {
		w.buffer = append(w.buffer, `""`...) // an empty line would not count as a row
	}
	w.buffer = append(w.buffer, '\n')
	if len(w.buffer) >= flushAt || time.Since(w.flushed) >= flushAfter {
		return w.flush()
	}
	return nil
}

// appendText quotes a cell where CSV (RFC 4180) needs it.
func appendText(b []byte, s string) []byte {
	if !strings.ContainsAny(s, "\",") && strings.TrimSpace(s) == s {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

func (w *Writer) flush() error {
	n, err := w.file.Write(w.buffer)
	w.offset += int64(n)
	w.sum.Write(w.buffer[:n])
	w.buffer, w.flushed = w.buffer[:0], time.Now()
	if err != nil {
		w.err = w.failure(err)
	}
	return w.err
}

// Sync writes all rows to the disk and returns the length of the file, which
// a checkpoint keeps for Resume: Flush, then Commit.
func (w *Writer) Sync() (offset int64, err error) {
	if offset, err = w.Flush(); err != nil {
		return 0, err
	}
	if err := w.Commit(); err != nil {
		w.err = err
		return 0, err
	}
	return offset, nil
}

// Flush gives all rows to the system and returns the length of the file. A
// checkpoint may refer to them once they are on the disk: see Commit.
func (w *Writer) Flush() (offset int64, err error) {
	if w.err != nil {
		return 0, w.err
	}
	if err := w.flush(); err != nil {
		return 0, err
	}
	return w.offset, nil
}

// Sum is that of the file as Flush left it. It costs nothing that grows with the file.
func (w *Writer) Sum() durable.Sum { return w.sum.Sum() }

// Commit waits until what was flushed is on the disk. Another goroutine may call
// it while rows are appended, but not Close.
func (w *Writer) Commit() error {
	if err := durable.Sync(w.file); err != nil {
		return w.failure(err)
	}
	return nil
}

// Close writes all rows to the disk and closes the file. Closing again does
// nothing.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	_, err := w.Sync()
	if e := w.file.Close(); e != nil && err == nil {
		err = w.failure(e)
	}
	w.file = nil
	w.err = fmt.Errorf("%s: the table is closed: create or resume it to write rows", w.path)
	return err
}

func (w *Writer) failure(err error) error {
	return fmt.Errorf("%s: rows could not be written: %w: %s, then resume from the last checkpoint", w.path, durable.Cause(err), durable.Remedy(err, "free some space or check the disk"))
}
