package casefile

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the levels of a key: tables, the parts of dotted keys, arrays
// and inline tables together; a case needs 8. The TOML package copies the whole path
// of a key for each of its parts, so longer ones must not reach it.
const maxDepth = 64

// indexPositions returns the position of every key of a TOML text by its dotted path;
// elements of arrays have their number for a key, and tables the position of their header.
// It accepts any text: where the text is not TOML the result is merely incomplete. A key
// deeper than maxDepth ends the scan and is reported by its position.
//
// It is a scanner of its own because BurntSushi/toml, which parses, tells where a syntax
// error stands but not where keys and elements of arrays do, and follows any nesting. The
// parser of pelletier/go-toml/v2 that has positions of all of them is in its package unstable,
// which promises no compatibility, and calls itself for every level of nesting, without bound;
// it would be a second parser, too, that may read a text differently.
func indexPositions(text string) (at map[string]Position, tooDeep *Position) {
	s := &scanner{
		text: text, line: 1,
		at: map[string]Position{}, implied: map[string]bool{}, elements: map[string]int{},
	}
	table := ""
	for s.blank(); s.i < len(s.text) && s.tooDeep == nil; s.blank() {
		if s.peek() == '[' {
			table = s.header()
		} else {
			s.keyValue(table)
			s.skipLine()
		}
	}
	return s.at, s.tooDeep
}

// TooDeep tells where a TOML text has a key that is nested too deeply to be given to
// a TOML package.
func TooDeep(text string) (at Position, deep bool) {
	if _, p := indexPositions(text); p != nil {
		return *p, true
	}
	return Position{}, false
}

type scanner struct {
	text        string
	i           int
	line, start int // number of the current line and offset of its first byte
	depth       int // levels of the key at hand
	at          map[string]Position
	implied     map[string]bool // tables known only through what they contain
	elements    map[string]int  // arrays of tables: headers [[…]] so far
	tooDeep     *Position
}

func (s *scanner) here() Position { return Position{s.line, s.i - s.start + 1} }

// peek returns the current byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.text) {
		return s.text[s.i]
	}
	return 0
}

// advance moves on by n bytes, at most to the end, and counts lines.
func (s *scanner) advance(n int) {
	for ; n > 0 && s.i < len(s.text); n-- {
		s.i++
		if s.text[s.i-1] == '\n' {
			s.line++
			s.start = s.i
		}
	}
}

// until moves on to the first byte of stops, or to the end.
func (s *scanner) until(stops string) {
	n := strings.IndexAny(s.text[s.i:], stops)
	if n < 0 {
		n = len(s.text) - s.i
	}
	s.advance(n)
}

func (s *scanner) skipLine() { s.until("\n") }

func (s *scanner) spaces() {
	for s.i < len(s.text) && (s.text[s.i] == ' ' || s.text[s.i] == '\t') {
		s.i++
	}
}

// blank skips white space, line ends and comments.
func (s *scanner) blank() {
	for s.i < len(s.text) {
		switch s.text[s.i] {
		case ' ', '\t', '\r', '\n':
			s.advance(1)
		case '#':
			s.skipLine()
		default:
			return
		}
	}
}

// note records a key written out, which goes before an implied one.
func (s *scanner) note(path string, p Position) {
	if _, seen := s.at[path]; !seen || s.implied[path] {
		s.at[path] = p
		delete(s.implied, path)
	}
}

func (s *scanner) imply(path string, p Position) {
	if _, seen := s.at[path]; !seen {
		s.at[path] = p
		s.implied[path] = true
	}
}

// header reads [a.b] or [[a.b]] and returns the path of the table it opens.
func (s *scanner) header() string {
	p := s.here()
	s.advance(1)
	array := s.peek() == '['
	if array {
		s.advance(1)
	}
	s.depth = 0
	parts, _ := s.key()
	s.skipLine()
	if s.tooDeep != nil {
		return ""
	}
	s.depth = len(parts)
	path := ""
	for i, part := range parts {
		path = join(path, part)
		last := i == len(parts)-1
		if last && array {
			s.imply(path, p)
			s.elements[path]++
		}
		if n := s.elements[path]; n > 0 {
			path = join(path, strconv.Itoa(n-1))
		}
		if last {
			s.note(path, p)
		} else {
			s.imply(path, p)
		}
	}
	return path
}

// keyValue reads a.b = value inside the table.
func (s *scanner) keyValue(table string) {
	parts, places := s.key()
	if s.tooDeep != nil {
		return
	}
	s.depth += len(parts)
	defer func() { s.depth -= len(parts) }()
	path := table
	for i, part := range parts {
		path = join(path, part)
		if i == len(parts)-1 {
			s.note(path, places[i])
		} else {
			s.imply(path, places[i])
		}
	}
	s.spaces()
	if s.peek() != '=' {
		return
	}
	s.advance(1)
	s.spaces()
	s.value(path)
}

// key reads a dotted key, its parts bare or quoted, up to the deepest that may be.
func (s *scanner) key() (parts []string, places []Position) {
	for {
		s.spaces()
		p := s.here()
		var part string
		switch quote := s.peek(); quote {
		case '"', '\'':
			from := s.i
			s.quoted()
			part = unquote(s.text[from:s.i])
		default:
			from := s.i
			s.until(".=[]{}\"',# \t\r\n")
			part = s.text[from:s.i]
			if part == "" {
				return parts, places
			}
		}
		parts, places = append(parts, part), append(places, p)
		if s.depth+len(parts) > maxDepth {
			s.tooDeep = &p
			s.advance(len(s.text))
			return parts, places
		}
		s.spaces()
		if s.peek() != '.' {
			return parts, places
		}
		s.advance(1)
	}
}

func (s *scanner) value(path string) {
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[', '{':
		if s.depth == maxDepth {
			p := s.here()
			s.tooDeep = &p
			s.advance(len(s.text))
			return
		}
		s.depth++
		if s.peek() == '[' {
			s.array(path)
		} else {
			s.inlineTable(path)
		}
		s.depth--
	default:
		s.until(",]}#\n")
	}
}

func (s *scanner) array(path string) {
	s.advance(1)
	for n := 0; ; {
		s.blank()
		switch s.peek() {
		case 0:
			if s.i >= len(s.text) {
				return
			}
			s.advance(1)
		case ']':
			s.advance(1)
			return
		case ',', '}':
			s.advance(1)
		default:
			element := join(path, strconv.Itoa(n))
			s.note(element, s.here())
			s.value(element)
			n++
		}
	}
}

func (s *scanner) inlineTable(path string) {
	s.advance(1)
	for s.i < len(s.text) {
		s.blank()
		switch s.peek() {
		case '}':
			s.advance(1)
			return
		case ',':
			s.advance(1)
		default:
			before := s.i
			s.keyValue(path)
			if s.i == before {
				s.advance(1) // no key: not TOML, go on behind it
			}
		}
	}
}

// quoted skips a string of one of the four kinds.
func (s *scanner) quoted() {
	quote := s.text[s.i : s.i+1]
	basic := quote == `"`
	closing := quote
	if strings.HasPrefix(s.text[s.i:], strings.Repeat(quote, 3)) {
		closing = strings.Repeat(quote, 3)
	}
	s.advance(len(closing))
	for s.i < len(s.text) {
		rest := s.text[s.i:]
		switch {
		case basic && rest[0] == '\\':
			s.advance(2)
		case strings.HasPrefix(rest, closing):
			s.advance(len(closing))
			if len(closing) == 3 { // two quotes may stand before the closing ones
				for n := 0; n < 2 && s.peek() == quote[0]; n++ {
					s.advance(1)
				}
			}
			return
		case len(closing) == 1 && rest[0] == '\n':
			return // not closed on its line: not TOML
		default:
			s.advance(1)
		}
	}
}

// unquote returns the text of a quoted key.
func unquote(q string) string {
	literal := q[0] == '\''
	q = strings.TrimSuffix(q[1:], q[:1])
	if literal || !strings.Contains(q, `\`) {
		return q
	}
	var b strings.Builder
	for i := 0; i < len(q); i++ {
		if q[i] != '\\' || i+1 == len(q) {
			b.WriteByte(q[i])
			continue
		}
		i++
		if n := strings.IndexByte(`btnfre"\`, q[i]); n >= 0 {
			b.WriteByte("\b\t\n\f\r\x1b\"\\"[n])
			continue
		}
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[q[i]]
		if i+digits >= len(q) {
			continue
		}
		code, err := strconv.ParseUint(q[i+1:i+1+digits], 16, 32)
		if err == nil && utf8.ValidRune(rune(code)) {
			b.WriteRune(rune(code))
		}
		i += digits
	}
	return b.String()
}
