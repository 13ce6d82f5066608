package casefile

import (
	"fmt"
	"strings"
	"testing"
)

const minimal = `[reference]
resolution = 10
velocity = 0.1
reynolds = 10
[domain]
lattice = "D2Q9"
size = [4, 3]
[run]
time = 10
`

func TestPositionsOfKeysInEveryNotation(t *testing.T) {
	text := strings.Join([]string{
		`title = "a [[not a table]] = # no comment"  # size = 3`, // 1
		`[domain]`,                          // 2
		`  size = [ 1.0, 2.0 ]`,             // 3
		`initial = {`,                       // 4: tables over several lines are TOML 1.1
		`  type = "uniform", # note`,        // 5
		`  velocity = [`,                    // 6
		`    1, # x`,                        // 7
		`    2]}`,                           // 8
		`[[body]]`,                          // 9
		`name = 'a'`,                        // 10
		`shape.center = [1, 2]`,             // 11
		`[[body]]`,                          // 12
		`[body.shape]`,                      // 13
		`diameter = 1`,                      // 14
		`"odd.key" = """`,                   // 15
		`[run] \""" still a string`,         // 16
		`"""`,                               // 17
		`[output]`,                          // 18
		`probes = [ { at = [1, 2] },`,       // 19
		"\t{ name = \"b\", at = [3, 4] } ]", // 20
		`[a.b.c]`,                           // 21
	}, "\r\n")
	at, deep := indexPositions(text)
	if deep != nil {
		t.Fatalf("nesting of 3 is called too deep at %v", *deep)
	}
	for key, want := range map[string]string{
		"title": "1:1", "domain": "2:1", "domain.size": "3:3", "domain.size.1": "3:17",
		"domain.initial": "4:1", "domain.initial.type": "5:3", "domain.initial.velocity": "6:3",
		"domain.initial.velocity.1": "8:5", "body": "9:1", "body.0": "9:1", "body.0.name": "10:1",
		"body.0.shape": "11:1", "body.0.shape.center": "11:7", "body.0.shape.center.1": "11:20", "body.1": "12:1",
		"body.1.shape": "13:1", "body.1.shape.diameter": "14:1", `body.1.shape."odd.key"`: "15:1",
		"output": "18:1", "output.probes": "19:1", "output.probes.0": "19:12", "output.probes.0.at.1": "19:23",
		"output.probes.1": "20:2", "output.probes.1.at": "20:16", "a": "21:1", "a.b": "21:1", "a.b.c": "21:1",
	} {
		p, ok := at[key]
		if got := fmt.Sprintf("%d:%d", p.Line, p.Col); !ok || got != want {
			t.Errorf("%s is at %s, want %s", key, got, want)
		}
	}
	for _, key := range []string{"run", "size", "output.run"} {
		if p, ok := at[key]; ok {
			t.Errorf("%s, which is not a key, is found at %v", key, p)
		}
	}
}

func TestErrorfBlamesTheKeyOrTheNearestTableAround(t *testing.T) {
	c := mustParse(t, cylinder, "ib.delta=peskin4", "body.0.shape.diameter=2")
	for key, want := range map[string]string{
		"body.0.shape.center":     `dir/case.toml:36:29: body.0.shape.center: 7 is bad`,
		"body.0.shape.center.1":   `dir/case.toml:36:45: body.0.shape.center.1: 7 is bad`,
		"body.0.spacing":          `dir/case.toml:34:1: body.0.spacing: 7 is bad`,
		"run.seed":                `dir/case.toml:38:1: run.seed: 7 is bad`,
		"solid.0":                 `dir/case.toml:1:1: solid.0: 7 is bad`,
		"ib.delta":                `--set ib.delta=peskin4: 7 is bad`,
		"body.0.shape.diameter":   `--set body.0.shape.diameter=2: 7 is bad`,
		"body.0.shape.diameter.x": `--set body.0.shape.diameter=2: body.0.shape.diameter.x: 7 is bad`,
	} {
		if got := c.Errorf(key, "%d is bad", 7).Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestNestingTooDeepIsRefusedNotFollowed(t *testing.T) {
	// Where the first level beyond is: dots count like brackets.
	parts := strings.Repeat("a.", 20000) + "b"
	for text, col := range map[string]int{
		"a = 1\nx = " + strings.Repeat("[", 100000):         4 + maxDepth,
		"a = 1\nx = " + strings.Repeat("{a=", 100000):       5 + 3*(maxDepth-1)/2,
		"a = 1\n" + parts + " = 1":                          1 + 2*maxDepth,
		"a = 1\n[" + parts + "]\nb = 1":                     2 + 2*maxDepth,
		"a = 1\n[[" + parts + "]]\nb = 1":                   3 + 2*maxDepth,
		"a = 1\nx = { " + parts + " = 1 }":                  7 + 2*(maxDepth-2),
		"a = 1\nx = [ { " + parts + " = 1 } ]":              9 + 2*(maxDepth-3),
		"[a.b.c.d]\n" + parts + " = 1":                      1 + 2*(maxDepth-4),
		"a = 1\n" + strings.Repeat(`"a b".`, 20000) + "b=1": 1 + 6*maxDepth,
	} {
		_, err := Parse("c.toml", []byte(text), nil)
		if want := fmt.Sprintf("c.toml:2:%d: ", col); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "deeper than 64 levels") {
			t.Errorf("%.30q: got %.200v, want an error at %s", text, err, want)
		}
	}
	at, deep := indexPositions("[a.b]\n" + strings.Repeat("c.", maxDepth-3) + "d = 1")
	if deep != nil || len(at) != maxDepth {
		t.Errorf("%d levels: too deep at %v, %d positions", maxDepth, deep, len(at))
	}
	_, err := Parse("c.toml", []byte(minimal), []string{strings.Repeat("a.", 20000) + "b=1"})
	if err == nil || !strings.Contains(err.Error(), "the most that is read is 64") {
		t.Errorf("got %.200v for --set", err)
	}
	_, err = Parse("c.toml", []byte(minimal), []string{"title=" + strings.Repeat("{a=", 100000)})
	if err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("got %.200v for --set", err)
	}
}
