package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// The fluid inside is damped where the case says so, not in bodies that are too small; where a
// start would make it ring check tells.
func TestWhereTheInsideIsDamped(t *testing.T) {
	checkingtest.NumbersAlone(t)
	const rings = "free: sound of the start rings"
	resolved := func(sets ...string) []string { return append([]string{"reference.resolution=10"}, sets...) }
	for _, c := range []struct {
		base string
		sets []string
		want string
		says string // of the inside, in what check prints; empty: nothing
	}{
		{thinCase, resolved(), "free", ""},
		{thinCase, resolved("run.soft_start=0"), "free", rings},
		{thinCase, resolved("run.soft_start=0.3"), "free", rings},
		{thinCase, resolved("run.soft_start=0.7"), "free", ""}, // two periods are 0.59
		{thinCase, resolved("run.soft_start=0", "domain.initial.velocity=[0.0, 0.0]"), "free", ""},
		{thinCase, resolved("run.soft_start=0", "ib.inside=damped"), "damped", "damped: the fluid there"},
		{thinCase, resolved("ib.inside=damped"), "damped", "damped: the fluid there"},
		{thinCase, []string{"reference.resolution=5", "ib.inside=damped"}, "free", "free, though"},
		{shakenCase, nil, "free", rings},
		{shakenCase, []string{"run.soft_start=0"}, "free", rings},
		{shakenCase, []string{"run.soft_start=0", "body.0.motion.phase=1.5707963267948966"}, "free", ""},
		{shakenCase, []string{"ib.inside=damped", `body.0.fluid=inside`}, "none", ""},
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
		if got := r.Bodies[0].Inside; got != c.want || !strings.Contains(text.String(), "  inside          "+c.says) != (c.says == "") {
			t.Errorf("%s: the fluid inside is %q, want %q and %q:\n%s", name, got, c.want, c.says, &text)
		}
	}
}
