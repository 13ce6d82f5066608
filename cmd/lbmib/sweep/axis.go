package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Axis is a key of the case and the values that it takes in turn.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"` // TOML
}

// ParseAxis reads key=v1,v2,…: TOML values, in which commas inside brackets,
// braces and quotes do not part; bare words are strings. No value may come twice.
func ParseAxis(text string) (Axis, error) {
	key, list, ok := strings.Cut(text, "=")
	a := Axis{Key: strings.TrimSpace(key)}
	fault := func(format string, args ...any) (Axis, error) {
		return Axis{}, fmt.Errorf("--over %s: %s", text, fmt.Sprintf(format, args...))
	}
	if !ok || a.Key == "" {
		return fault("must be key=v1,v2,…, for instance --over reference.reynolds=20,40,100")
	}
	values, err := splitValues(list)
	if err != nil {
		return fault("%v", err)
	}
	seen := map[string]int{}
	for i, v := range values {
		v = strings.TrimSpace(v)
		if v == "" {
			return fault("value %d is empty: write %s=v1,v2,… without spare commas", i+1, a.Key)
		}
		if first, twice := seen[v]; twice {
			return fault("values %d and %d are both %s: leave one of them out", first+1, i+1, v)
		}
		seen[v] = i
		a.Values = append(a.Values, v)
	}
	return a, nil
}

// splitValues cuts at commas that are not inside brackets, braces or quotes.
func splitValues(list string) (values []string, err error) {
	var open []rune // the closing sign of every bracket that is open
	var quote rune
	start, escaped := 0, false
	for i, c := range list {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			if c == '\\' && quote == '"' {
				escaped = true
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			open = append(open, ']')
		case c == '{':
			open = append(open, '}')
		case c == ']' || c == '}':
			if len(open) == 0 || open[len(open)-1] != c {
				return nil, fmt.Errorf("%q closes nothing: check the brackets (the shell takes quotes away unless the whole is quoted)", c)
			}
			open = open[:len(open)-1]
		case c == ',' && len(open) == 0:
			values = append(values, list[start:i])
			start = i + 1
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a quote %c is not closed: quote the whole for the shell, as in --over 'key=\"a\",\"b\"'", quote)
	case len(open) > 0:
		return nil, fmt.Errorf("a bracket is not closed: %q is missing", open[len(open)-1])
	}
	return append(values, list[start:]), nil
}

// numbers are the values as numbers; ok is false if one is none.
func (a Axis) numbers() (v []float64, ok bool) {
	for _, text := range a.Values {
		x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		if err != nil {
			return nil, false
		}
		v = append(v, x)
	}
	return v, true
}

// shown is a value for people, without the quotes of a string.
func shown(value string) string {
	if n := len(value); n > 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}

// short is the last word of the key, for names and tables.
func (a Axis) short() string { return a.Key[strings.LastIndexByte(a.Key, '.')+1:] }

// labels are short names of the axes, whole keys where short ones are the same.
func labels(axes []Axis) []string {
	count := map[string]int{}
	for _, a := range axes {
		count[a.short()]++
	}
	all := make([]string, len(axes))
	for i, a := range axes {
		if all[i] = a.short(); count[all[i]] > 1 {
			all[i] = a.Key
		}
	}
	return all
}
