package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// decode turns TOML text into nested map[string]any and []any and notes the
// position of every key.
func (c *Case) decode(text []byte) (map[string]any, *Error) {
	if len(text) > maxFileSize {
		return nil, c.problem("", "is larger than %d bytes, the most that a case file may have: is this a case file?", maxFileSize)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	positions, deep := indexPositions(string(text))
	if deep != nil {
		e := c.problem("", "a key here is nested deeper than %d levels (dots, tables and arrays together), the most that is read: flatten it", maxDepth)
		e.Line, e.Col = deep.Line, deep.Col
		return nil, e
	}
	root, err := decodeTOML(string(text))
	if err != nil {
		e := c.problem("", "TOML syntax: %s", err)
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			p := positionOf(text, syntax.Position.Start)
			e.Line, e.Col = p.Line, p.Col
			e.Msg = "TOML syntax: " + strings.TrimSuffix(syntax.Message, ".")
			if syntax.LastKey != "" {
				e.Msg += fmt.Sprintf(" (last key read: %s)", syntax.LastKey)
			}
			if strings.Contains(syntax.Message, "already been defined") {
				e.Msg += ": keep one of the two"
			} else {
				e.Msg += ": " + remedyOf(string(text), e.Line)
			}
		}
		return nil, e
	}
	c.positions = positions
	return root, nil
}

// decimalComma and bareWord are what people write who do not know TOML.
var (
	decimalComma = regexp.MustCompile(`=\s*[-+]?\d+,\d+\s*(#.*)?$`)
	bareWord     = regexp.MustCompile(`=\s*([A-Za-z_][\w-]*)\s*(#.*|[,}\]].*)?$`)
)

// remedyOf is what to do about a line that is no TOML.
func remedyOf(text string, number int) string {
	lines := strings.Split(text, "\n")
	line := strings.TrimRight(lines[min(max(number-1, 0), len(lines)-1)], "\r")
	if decimalComma.MatchString(line) {
		return "write numbers with a point, 0.05 instead of 0,05"
	}
	if m := bareWord.FindStringSubmatch(line); m != nil && m[1] != "true" && m[1] != "false" && m[1] != "inf" && m[1] != "nan" {
		return fmt.Sprintf("put text in quotes, \"%s\"", m[1])
	}
	return "a line is key = value or [table]; text stands in quotes, numbers have a point, arrays end with ] and inline tables with }"
}

// positionOf converts an offset, which may lie outside the text.
func positionOf(text []byte, offset int) Position {
	before := text[:min(max(offset, 0), len(text))]
	return Position{
		Line: 1 + bytes.Count(before, []byte("\n")),
		Col:  len(before) - bytes.LastIndexByte(before, '\n'), // −1 on the first line
	}
}

// decodeTOML also turns a panic of the TOML package on text that it does not
// expect into an error.
func decodeTOML(text string) (root map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("the text cannot be read: %v", p)
		}
	}()
	if _, err := toml.Decode(text, &root); err != nil {
		return nil, err
	}
	if root == nil {
		root = map[string]any{}
	}
	return normalise(root).(map[string]any), nil
}

// normalise gives arrays of tables the one type []any, however written.
func normalise(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = normalise(e)
		}
	case []any:
		for i, e := range v {
			v[i] = normalise(e)
		}
	case []map[string]any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = normalise(e)
		}
		return list
	}
	return v
}
