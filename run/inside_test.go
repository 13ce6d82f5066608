package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// The fluid inside is damped where a start would make it ring, or where the case says so; not in
// bodies that are too small.
func TestWhereTheInsideIsDamped(t *testing.T) {
	resolved := func(sets ...string) []string { return append([]string{"reference.resolution=10"}, sets...) }
	for _, c := range []struct {
		base string
		sets []string
		want string
	}{
		{thinCase, resolved(), "free"},
		{thinCase, resolved("run.soft_start=0"), "damped"},
		{thinCase, resolved("run.soft_start=0.3"), "damped"},
		{thinCase, resolved("run.soft_start=0.7"), "free"}, // two periods are 0.59
		{thinCase, resolved("run.soft_start=0", "domain.initial.velocity=[0.0, 0.0]"), "free"},
		{thinCase, resolved("run.soft_start=0", "ib.inside=free"), "free"},
		{thinCase, resolved("ib.inside=damped"), "damped"},
		{thinCase, []string{"reference.resolution=5", "run.soft_start=0"}, "free"}, // five nodes
		{shakenCase, nil, "free"},
		{shakenCase, []string{"run.soft_start=0"}, "damped"},
		{shakenCase, []string{"run.soft_start=0", "body.0.motion.phase=1.5707963267948966"}, "free"},
		{shakenCase, []string{"ib.inside=damped", `body.0.fluid=inside`}, ""},
	} {
		name := fmt.Sprint(c.sets)
		file := filepath.Join(t.TempDir(), "case.toml")
		if err := os.WriteFile(file, []byte(c.base), 0o644); err != nil {
			t.Fatal(err)
		}
		r := check.Check(file, c.sets, setup.Kernel{})
		if len(r.Bodies) != 1 {
			t.Errorf("%s: %v", name, r)
			continue
		}
		var text strings.Builder
		r.Write(&text, nil)
		if got := r.Bodies[0].Inside; got != c.want || strings.Contains(text.String(), "inside          damped") != (c.want == "damped") {
			t.Errorf("%s: the fluid inside is %q, want %q:\n%s", name, got, c.want, &text)
		}
	}
}

// A run goes on only with the insides damped that were when it was begun, whether because the case
// says so or by itself. What was begun before there was a choice goes on as it was with "free".
func TestRunsGoOnWithTheInsidesTheyBeganWith(t *testing.T) {
	sets := func(more ...string) []string {
		return append([]string{"reference.resolution=10", "run.time=1.5", "output.checkpoint.every=0.5", "run.soft_start=0"}, more...)
	}
	parse := func(more ...string) *casefile.Case {
		c, err := casefile.Parse("thin.toml", []byte(thinCase), sets(more...))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	dir := t.TempDir()
	first, _ := runThin(t, dir, sets("run.time=1"), Options{})
	if got := first.Bodies["cylinder"].Inside; got != "damped" {
		t.Errorf("the summary tells an inside that is %q", got)
	}
	_, err := Run(t.Context(), parse("run.time=2", "ib.inside=free"), Options{Out: dir, Threads: 1, Resume: true, Progress: &strings.Builder{}})
	if err == nil || !strings.Contains(err.Error(), "damped in cylinder, here it is in no body: set ib.inside") {
		t.Errorf("without damping it goes on: %v", err)
	}
	runThin(t, dir, sets("ib.inside=damped"), Options{Resume: true})
	older := savedMeta{Hash: parse().Hash()}
	if text, _ := json.Marshal(older); strings.Contains(string(text), "inside") {
		t.Errorf("checkpoints without damping tell of it: %s", text)
	}
	begun := parse("ib.inside=free")
	if h := hashes(begun); h[1] != older.Hash || h[0] == h[1] {
		t.Error("a run from before cannot go on without damping")
	}
}
