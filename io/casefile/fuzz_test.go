package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// FuzzParse: any text gives a sound case or errors with a place in the text,
// and the position index knows every key that the TOML package finds. Maps make
// coverage random, so bound the minimising: -fuzzminimizetime=20x.
func FuzzParse(f *testing.F) {
	for _, text := range []string{minimal, cylinder, channel, plane, space, "", "\ufeff", "[", "a = [[1], {b.c = 2}]", `"a\"b" = 1`, "a = \"\"\"\nx\"\"\"\"\n[[b]]\n[b.c]"} {
		f.Add(text, "run.time=3")
	}
	for _, key := range []string{strings.Repeat("a.", 100) + "b", strings.Repeat(`"a.b" .`, 70) + "c"} {
		f.Add(key+" = 1", key+"=1")
		f.Add("["+key+"]\nx = { "+key+" = [1] }", "title=\"\x1b\"")
	}
	for _, bad := range badCases {
		f.Add(edit(cylinder, bad.old, bad.new), "body.0.shape.center=[1,2]")
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		checkPositions(t, text)
		c, err := Parse("f.toml", []byte(text), []string{set})
		if err == nil {
			checkSound(t, c)
			return
		}
		var list Errors
		if !errors.As(err, &list) || len(list) == 0 {
			t.Fatalf("an error without content: %v", err)
		}
		lines := strings.Split(text, "\n")
		for _, e := range list {
			inText := e.Line >= 1 && e.Line <= len(lines) && e.Col >= 1 && e.Col <= len(lines[e.Line-1])+1
			if e.Msg == "" || e.order == 0 && !inText {
				t.Errorf("no place in the text: %+v", *e)
			}
		}
	})
}

func checkSound(t *testing.T, c *Case) {
	t.Helper()
	u := c.Units()
	if !(u.Tau > 0.5) || !(u.Mach <= maxMach) || c.Run.Steps < 1 || !(c.Run.Time > 0) {
		t.Errorf("unsound: %+v, %+v", u, c.Run)
	}
	for _, n := range c.Domain.Nodes {
		if n < 1 {
			t.Errorf("nodes %v", c.Domain.Nodes)
		}
	}
	if _, err := json.Marshal(c.Resolved()); err != nil {
		t.Error(err)
	}
	if len(c.Hash()) != 64 {
		t.Errorf("hash %q", c.Hash())
	}
}

func checkPositions(t *testing.T, text string) {
	t.Helper()
	text = strings.TrimPrefix(text, "\ufeff")
	at, deep := indexPositions(text)
	if deep != nil {
		return
	}
	root, err := decodeTOML(text)
	if err != nil {
		return
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		if _, ok := at[path]; !ok && path != "" {
			t.Errorf("%s has no position", path)
		}
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(join(path, k), e)
			}
		case []any:
			for i, e := range v {
				walk(join(path, fmt.Sprint(i)), e)
			}
		}
	}
	walk("", root)
}
