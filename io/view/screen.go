package view

import (
	"bytes"
	"fmt"
	"io"
)

// Screen redraws pictures in place on a terminal, above a line of text. The
// cursor rests at the end of that line, visible and in the terminal's own
// colours: a process that is killed leaves the terminal in order.
//
// A Screen is used by one goroutine at a time.
type Screen struct {
	w     io.Writer
	ask   func() (columns, rows int, err error)
	depth Depth

	buf           bytes.Buffer
	columns, rows int    // of the terminal, when it was asked last
	above         int    // lines of the picture above the cursor
	drawn         [2]int // size of the terminal when they were drawn
	status        string
	open          bool // the cursor is behind something
}

// Sizes of a terminal.
const (
	usualColumns, usualRows = 80, 24 // of one that does not tell
	leastColumns, leastRows = 16, 6  // for a picture
	amplePictureRows        = 20     // even where that is more than half the height
)

// NewScreen makes a screen of a terminal. ask tells its size in characters; it
// is called for everything drawn, so that a change is seen at once.
func NewScreen(w io.Writer, ask func() (columns, rows int, err error), depth Depth) *Screen {
	s := &Screen{w: w, ask: ask, depth: depth}
	s.measure()
	return s
}

// measure asks for the terminal's size.
func (s *Screen) measure() {
	columns, rows, err := s.ask()
	if err != nil || columns < 1 || rows < 1 {
		columns, rows = usualColumns, usualRows
	}
	s.columns, s.rows = columns, rows
}

// Columns is the room for the line of text. The last column of the terminal
// stays free: erasing the rest of a line there would take its last character.
func (s *Screen) Columns() int {
	s.measure()
	return max(1, s.columns-1)
}

// room is what a picture may take: half of the terminal's height, or more of it
// in a low one, but for the line of text and one of what was there before.
func (s *Screen) room() (columns, rows int) {
	return max(1, s.columns-1), min(s.rows-2, max(s.rows/2, amplePictureRows))
}

// Draw replaces the picture; Columns, Rows and Depth are the screen's. A
// terminal that is too small shows the line of text only. Where the terminal
// has changed its size, lines may have been broken anew: it is cleared.
//
// An error is that of the writer, or of Render for a picture that is refused.
func (s *Screen) Draw(p Picture) error {
	s.measure()
	s.begin()
	lines := 0
	if s.columns >= leastColumns && s.rows >= leastRows {
		p.Columns, p.Rows = s.room()
		p.Depth = s.depth
		var err error
		if lines, err = p.draw(&s.buf, "\x1b[K\r\n"); err != nil {
			return err // the terminal still shows the picture before
		}
	}
	s.line()
	s.buf.WriteString("\x1b[J") // of a picture that was higher
	s.buf.WriteString("\x1b[?25h\x1b[?2026l")
	s.above, s.drawn = lines, [2]int{s.columns, s.rows}
	return s.flush()
}

// Status replaces the line of text, of which as much is shown as there is room
// for. It must hold no control characters.
func (s *Screen) Status(text string) error {
	s.measure()
	s.status = text
	s.buf.Reset()
	s.buf.WriteByte('\r')
	s.line()
	return s.flush()
}

// Close leaves the last picture and moves the cursor below. The screen can be
// used on, and then begins there.
func (s *Screen) Close() error {
	if !s.open {
		return nil
	}
	s.open, s.above, s.status = false, 0, ""
	_, err := io.WriteString(s.w, "\r\n")
	return err
}

// begin starts a frame in the buffer, at its upper left corner. Terminals that
// know how to (synchronised update, mode 2026) show it at once.
func (s *Screen) begin() {
	s.buf.Reset()
	s.buf.WriteString("\x1b[?2026h\x1b[?25l\r")
	switch {
	case s.above == 0:
	case s.drawn != [2]int{s.columns, s.rows}:
		s.buf.WriteString("\x1b[H\x1b[2J")
	default:
		fmt.Fprintf(&s.buf, "\x1b[%dA", s.above)
	}
}

// line writes the line of text.
func (s *Screen) line() {
	text := []rune(s.status)
	s.buf.WriteString(string(text[:min(len(text), max(1, s.columns-1))]))
	s.buf.WriteString("\x1b[K")
}

// flush writes the buffer in one piece.
func (s *Screen) flush() error {
	s.open = true
	_, err := s.w.Write(s.buf.Bytes())
	return err
}
