package casefile

import (
	"bytes"
	"errors"
	"fmt"
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
		}
		return nil, e
	}
	c.positions = positions
	return root, nil
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
