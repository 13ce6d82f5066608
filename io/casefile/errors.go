package casefile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Position is a place in a case file. Lines and columns start at 1; columns
// count bytes, as Go tools do.
type Position struct{ Line, Col int }

// Error is one problem with a case: where, which key, what, the bound and the
// remedy.
type Error struct {
	File      string
	Line, Col int    // 0 where the value came from --set
	Set       string // the override "key=value" to blame, if any
	Key       string // dotted, array elements by number: "body.0.shape.center"
	Msg       string

	order   int  // of the override among all
	missing bool // the key is absent
}

// Error formats as "file:line:col: key: message", or as
// "--set key=value: message" for a value that did not come from the file.
func (e *Error) Error() string {
	var b strings.Builder
	blamed := ""
	switch {
	case e.order > 0:
		fmt.Fprintf(&b, "--set %s: ", cut(e.Set, maxName))
		blamed, _, _ = strings.Cut(e.Set, "=")
	case e.Line > 0:
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Col)
	default:
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	if e.Key != "" && e.Key != strings.TrimSpace(blamed) {
		fmt.Fprintf(&b, "%s: ", cut(e.Key, maxName))
	}
	b.WriteString(cut(e.Msg, maxMessage))
	return shown(b.String())
}

// maxMessage and maxName bound the bytes of a message, and of a key or an override
// in it: a value may be as long as the file.
const maxMessage, maxName = 2000, 200

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + " …"
}

// shown is a message as a terminal may have it: control characters, which may come
// from the case, are escapes. Line ends stay.
func shown(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		if unprintable(c) && c != '\n' {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(c), "'"))
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// unprintable tells of control characters, and of those that turn the direction
// of writing.
func unprintable(c rune) bool { return unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) }

// maxProblems bounds the problems that are told at once.
const maxProblems = 50

// first are at most n problems; of the others it tells how many there are, where
// they begin.
func (es Errors) first(n int) Errors {
	if len(es) <= n {
		return es
	}
	rest := *es[n]
	rest.Key, rest.Msg = "", fmt.Sprintf("and %d more problems from here on: correct those above first", len(es)-n)
	return append(es[:n:n], &rest)
}

// Errors are all problems of a case: those of the file in its order, then
// those of the overrides in theirs. errors.As finds the first as an *Error.
type Errors []*Error

// Error gives one problem a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the single problems visible to errors.Is and errors.As.
func (es Errors) Unwrap() []error {
	list := make([]error, len(es))
	for i, e := range es {
		list[i] = e
	}
	return list
}

func (es Errors) sort() {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(
			cmp.Compare(a.order, b.order), // 0 for the file
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col),
		)
	})
}

// Errorf returns an *Error at the place that gave key its value: its position
// in the file, the override that set it, or else those of the nearest table
// around it. Other packages use it for what only they can check.
func (c *Case) Errorf(key, format string, args ...any) error {
	return c.problem(key, format, args...)
}

func (c *Case) problem(key, format string, args ...any) *Error {
	e := &Error{File: c.File, Line: 1, Col: 1, Key: key, Msg: fmt.Sprintf(format, args...)}
	for k := key; k != ""; k = parent(k) {
		_, written := c.positions[k]
		for i, o := range slices.Backward(c.overrides) {
			if o.key == k || k == key && !written && within(o.key, k) { // a table that it alone has made
				e.Line, e.Col, e.Set, e.order = 0, 0, o.text, i+1
				return e
			}
		}
		if p, ok := c.positions[k]; ok {
			e.Line, e.Col = p.Line, p.Col
			return e
		}
	}
	return e
}

// join appends a key to a dotted path. Keys that TOML would quote are quoted,
// so that a dot in a key is never taken for a level.
func join(path, key string) string {
	if !isBare(key) {
		key = fmt.Sprintf("%q", key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// parent cuts the last key off a path made by join.
func parent(path string) string {
	quoted := false
	cut := 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '\\':
			i++ // an escaped quote inside a quoted key
		case '"':
			quoted = !quoted
		case '.':
			if !quoted {
				cut = i
			}
		}
	}
	return path[:cut]
}

func isBare(key string) bool {
	for i := range len(key) {
		if !isBareByte(key[i]) {
			return false
		}
	}
	return key != ""
}

func isBareByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '-'
}
