package mutate

import "strings"

// kind is what a token of a case file is.
type kind byte

const (
	key    kind = 'k'
	value  kind = 'v' // a number, a string, true or false
	punct  kind = 'p' // one of [ ] { } , =
	header kind = 'h' // a key within the brackets of a table's header
)

// token is a part of a text; comments and blanks are in none.
type token struct {
	kind    kind
	at, end int
	line    int // at which its line begins
	of      string
}

// tokens are those of a text, which need not be TOML. Values know their key.
func tokens(text string) (all []token) {
	line, last, inHeader, depth := 0, "", false, 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			i++
			line, inHeader = i, false
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#':
			i = endOf(text, i, "\n")
		case strings.IndexByte("[]{},=", c) >= 0:
			switch c {
			case '[':
				inHeader = inHeader || depth == 0 && strings.TrimLeft(text[line:i], " \t[") == ""
				depth++
			case '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if c == '=' && len(all) > 0 && all[len(all)-1].kind == value {
				all[len(all)-1].kind = key
				last = text[all[len(all)-1].at:all[len(all)-1].end]
			}
			all = append(all, token{kind: punct, at: i, end: i + 1, line: line})
			i++
		default:
			end := endOfWord(text, i)
			t := token{kind: value, at: i, end: end, line: line, of: last}
			if inHeader {
				t.kind = header
			}
			all = append(all, t)
			i = end
		}
	}
	return all
}

// endOf is where a text that begins at i ends: before stop.
func endOf(text string, i int, stop string) int {
	if n := strings.Index(text[i:], stop); n >= 0 {
		return i + n
	}
	return len(text)
}

// endOfWord is the end of a string or a bare word that begins at i.
func endOfWord(text string, i int) int {
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if !strings.HasPrefix(text[i:], quote) {
			continue
		}
		for j := i + len(quote); j < len(text); j++ {
			switch {
			case strings.HasPrefix(text[j:], quote):
				return j + len(quote)
			case text[j] == '\\' && quote[0] == '"':
				j++
			case text[j] == '\n' && len(quote) == 1:
				return j
			}
		}
		return len(text)
	}
	if n := strings.IndexAny(text[i:], " \t\r\n#[]{},=\"'"); n > 0 {
		return i + n
	}
	return i + 1
}
