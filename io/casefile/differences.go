package casefile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Differences are the keys in which cases differ by what their hashes are of, in order, with what one has and the other:
// "reference.reynolds (60, now 61)".
func Differences(then, now *Case) []string {
	var found []string
	differences("", inJSON(then.identity()), inJSON(now.identity()), &found)
	slices.Sort(found)
	return found
}

// inJSON is what a value is in JSON.
func inJSON(v any) (p any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		panic(fmt.Sprintf("casefile: a resolved case has no JSON form: %v", err)) // all numbers are finite
	}
	return p
}

func differences(key string, then, now any, found *[]string) {
	if reflect.DeepEqual(then, now) {
		return
	}
	below := func(name string) string {
		if key == "" {
			return name
		}
		return key + "." + name
	}
	switch a := then.(type) {
	case map[string]any:
		if b, ok := now.(map[string]any); ok {
			for k, v := range a {
				differences(below(k), v, b[k], found)
			}
			for k, v := range b {
				if _, had := a[k]; !had {
					differences(below(k), nil, v, found)
				}
			}
			return
		}
	case []any:
		if b, ok := now.([]any); ok && len(a) == len(b) {
			for k := range a {
				differences(below(fmt.Sprint(k)), a[k], b[k], found)
			}
			return
		}
	}
	*found = append(*found, key+" ("+shortly(then)+", now "+shortly(now)+")")
}

// longestValue is how much of a value a message tells.
const longestValue = 40

func shortly(v any) string {
	if v == nil {
		return "none"
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > longestValue {
		return "…"
	}
	return string(text)
}
