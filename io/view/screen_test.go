package view

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// terminal understands what a screen writes, as a terminal does.
type terminal struct {
	t             *testing.T
	columns, rows int
	x, y          int
	cells         [][]rune
	scrolled      int
	hidden        bool
	writes        int
}

func newTerminal(t *testing.T, columns, rows int) *terminal {
	v := &terminal{t: t}
	v.resize(columns, rows)
	return v
}

// resize keeps what fits at the upper left.
func (v *terminal) resize(columns, rows int) {
	old := v.cells
	v.columns, v.rows, v.cells = columns, rows, nil
	for j := range rows {
		v.cells = append(v.cells, slices.Repeat([]rune{' '}, columns))
		if j < len(old) {
			copy(v.cells[j], old[j])
		}
	}
	v.x, v.y = min(v.x, columns-1), min(v.y, rows-1)
}

func (v *terminal) size() (int, int, error) { return v.columns, v.rows, nil }

// text is what is seen, without trailing blanks and lines.
func (v *terminal) text() []string {
	var all []string
	for _, row := range v.cells {
		all = append(all, strings.TrimRight(string(row), " "))
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

func (v *terminal) Write(b []byte) (int, error) {
	v.writes++
	for text := string(b); text != ""; {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(r rune) bool { return r >= '@' && r <= '~' })
			v.control(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		v.put(r)
	}
	if v.hidden {
		v.t.Error("the cursor stays hidden")
	}
	return len(b), nil
}

func (v *terminal) put(r rune) {
	switch {
	case r == '\r':
		v.x = 0
	case r == '\n' && v.y == v.rows-1:
		v.scrolled++
		v.cells = append(v.cells[1:], slices.Repeat([]rune{' '}, v.columns))
	case r == '\n':
		v.y++
	case v.x >= v.columns-1:
		v.t.Errorf("%q reaches the last of %d columns, where erasing would take it", r, v.columns)
	default:
		v.cells[v.y][v.x] = r
		v.x++
	}
}

func (v *terminal) control(parameter string, final byte) {
	blank := func(cells []rune) {
		for i := range cells {
			cells[i] = ' '
		}
	}
	switch string(final) + parameter {
	case "K":
		blank(v.cells[v.y][v.x:])
	case "J":
		blank(v.cells[v.y][v.x:])
		for _, row := range v.cells[v.y+1:] {
			blank(row)
		}
	case "J2":
		for _, row := range v.cells {
			blank(row)
		}
	case "H":
		v.x, v.y = 0, 0
	case "l?25", "h?25":
		v.hidden = final == 'l'
	case "h?2026", "l?2026":
	default:
		n := 0
		if _, err := fmt.Sscanf(parameter, "%d", &n); final == 'A' && err == nil && n > 0 && n <= v.y {
			v.y -= n
		} else if final != 'm' {
			v.t.Errorf("unexpected sequence ESC [ %s %c with the cursor in row %d", parameter, final, v.y)
		}
	}
}

// must fails the test on an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same compares what is seen with what should be.
func same(t *testing.T, v *terminal, want ...string) {
	t.Helper()
	if got := v.text(); !slices.Equal(got, want) {
		t.Errorf("the terminal shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// blocks are n lines of width half-blocks.
func blocks(width, n int) []string { return slices.Repeat([]string{strings.Repeat("▀", width)}, n) }

func TestScreenRedrawsInPlace(t *testing.T) {
	v := newTerminal(t, 40, 30)
	must(t, second(fmt.Fprint(v, "$ before\r\n")))
	s := NewScreen(v, v.size, TrueColor)
	must(t, s.Status("starting"))
	same(t, v, "$ before", "starting")
	for frame := range 5 {
		must(t, s.Draw(of(39, 20, 0, 0, zero)))
		status := fmt.Sprintf("%d steps", 1000/(frame+1)) // shorter and shorter
		must(t, s.Status(status))
		same(t, v, slices.Concat([]string{"$ before"}, blocks(39, 10), []string{status})...)
	}
	must(t, s.Draw(of(39, 8, 0, 0, zero))) // nothing of a higher picture stays
	same(t, v, slices.Concat([]string{"$ before"}, blocks(39, 4), []string{"200 steps"})...)
	must(t, s.Close())
	must(t, s.Close()) // nothing more
	must(t, second(fmt.Fprint(v, "$ after")))
	same(t, v, slices.Concat([]string{"$ before"}, blocks(39, 4), []string{"200 steps", "$ after"})...)
	if v.scrolled != 0 {
		t.Errorf("scrolled by %d lines", v.scrolled)
	}
}

func second(_ int, err error) error { return err }

func TestScreenAtTheBottomScrollsOnceOnly(t *testing.T) {
	v := newTerminal(t, 40, 12)
	must(t, second(fmt.Fprint(v, strings.Repeat("\r\n", 11))))
	s := NewScreen(v, v.size, Indexed)
	for range 4 {
		must(t, s.Draw(of(20, 20, 0, 0, zero)))
	}
	same(t, v, append([]string{""}, blocks(20, 10)...)...) // the line of text is empty
	if v.scrolled != 10 {
		t.Errorf("scrolled by %d lines, want 10 for the first picture and no more", v.scrolled)
	}
}

func TestAFrameIsWrittenInOnePiece(t *testing.T) {
	v := newTerminal(t, 80, 24)
	s := NewScreen(v, v.size, TrueColor)
	must(t, s.Draw(of(50, 50, 0, 0, zero)))
	must(t, s.Status("half"))
	if v.writes != 2 {
		t.Errorf("%d writes for a picture and a line", v.writes)
	}
}

func TestScreenFollowsTheTerminalsSize(t *testing.T) {
	v := newTerminal(t, 100, 40)
	s := NewScreen(v, v.size, TrueColor)
	must(t, s.Status("running, with a long line of text"))
	for _, c := range []struct{ columns, rows, width, lines int }{
		{100, 40, 80, 20}, // half of the height
		{100, 60, 99, 25},
		{30, 20, 29, 7}, // as wide as it can be
		{100, 14, 48, 12},
		{100, 40, 80, 20},
	} {
		v.resize(c.columns, c.rows)
		for range 2 {
			must(t, s.Draw(of(200, 100, 0, 0, zero)))
			text := v.text()
			if top := slices.IndexFunc(text, func(l string) bool { return l != "" }); c.lines != len(text)-1-top || text[top] != blocks(c.width, 1)[0] {
				t.Errorf("%d × %d: a picture of %d lines, %d wide, want %d and %d", c.columns, c.rows, len(text)-1-top, len([]rune(text[top])), c.lines, c.width)
			}
			if last, want := text[len(text)-1], "running, with a long line of text"; last != strings.TrimRight(want[:min(len(want), c.columns-1)], " ") {
				t.Errorf("%d × %d: the line of text is %q", c.columns, c.rows, last)
			}
		}
	}
}

func TestTinyTerminalGetsTheLineOfTextOnly(t *testing.T) {
	for _, c := range [][2]int{{10, 40}, {80, 5}, {2, 1}, {1, 1}} {
		v := newTerminal(t, max(2, c[0]), c[1])
		s := NewScreen(v, func() (int, int, error) { return c[0], c[1], nil }, TrueColor)
		must(t, s.Status("50 %"))
		must(t, s.Draw(of(20, 20, 0, 0, zero)))
		same(t, v, "50 %"[:min(4, max(1, c[0]-1))])
	}
}

func TestSmallTerminalHoldsPictureScaleAndText(t *testing.T) {
	v := newTerminal(t, leastColumns, leastRows)
	s := NewScreen(v, v.size, TrueColor)
	p := of(10, 10, 0, 0, zero)
	p.Label = "spin"
	must(t, s.Status("50 %"))
	for range 3 {
		must(t, s.Draw(p))
		same(t, v, slices.Concat(blocks(6, 3), []string{"spin  −1      1", "50 %"})...)
	}
	if v.scrolled != 0 {
		t.Errorf("scrolled by %d lines", v.scrolled)
	}
}

func TestTerminalThatDoesNotTellItsSizeHasTheUsual(t *testing.T) {
	v := newTerminal(t, usualColumns, usualRows)
	s := NewScreen(v, func() (int, int, error) { return 0, 0, errors.New("not told") }, TrueColor)
	if s.Columns() != usualColumns-1 {
		t.Errorf("%d columns", s.Columns())
	}
	must(t, s.Draw(of(40, 10, 0, 0, zero)))
	same(t, v, blocks(79, 10)...)
}

func TestRefusedPictureLeavesTheScreen(t *testing.T) {
	v := newTerminal(t, 40, 30)
	s := NewScreen(v, v.size, TrueColor)
	must(t, s.Draw(of(20, 20, 0, 0, zero)))
	before := v.text()
	if err := s.Draw(Picture{}); err == nil {
		t.Error("an empty picture is drawn")
	}
	same(t, v, before...)
	must(t, s.Draw(of(20, 20, 0, 0, zero)))
	same(t, v, before...)
}

func TestScreenTellsThatItsTerminalIsGone(t *testing.T) {
	s := NewScreen(broken{}, func() (int, int, error) { return 80, 24, nil }, TrueColor)
	for name, err := range map[string]error{"Status": s.Status("x"), "Draw": s.Draw(of(4, 4, 0, 0, zero)), "Close": s.Close()} {
		if !errors.Is(err, errGone) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
