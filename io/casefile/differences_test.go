package casefile

import (
	"slices"
	"testing"
)

// What makes another case of one is told by its keys; what a run may be resumed with is none of it.
func TestDifferencesOfCases(t *testing.T) {
	of := func(sets ...string) *Case {
		c, err := Parse("case.toml", []byte(cylinder), sets)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, c := range []struct {
		sets []string
		want []string
	}{
		{nil, nil},
		{[]string{"run.time=1.0", "title=x"}, nil},
		{[]string{"reference.reynolds=61"}, []string{"reference.reynolds (100, now 61)"}},
		{[]string{`fluid.collision="trt"`, "domain.size=[41.0, 15.0]"}, []string{"domain.size.0 (40, now 41)", `fluid.collision ("bgk", now "trt")`}},
	} {
		before, now := of(), of(c.sets...)
		got := Differences(before, now)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%v: %q, want %q among them", c.sets, got, w)
			}
		}
		if (len(got) == 0) != (before.Hash() == now.Hash()) || len(c.want) == 0 && len(got) > 0 {
			t.Errorf("%v: %q, and hashes are equal: %t", c.sets, got, before.Hash() == now.Hash())
		}
	}
}
