package run

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/io/casefile"
	"lbmib/run/exit"
)

// hashes are those that a checkpoint may have that this run can go on from, if the same bodies are
// damped: whether by "auto" or because the case says so is the same.
func hashes(c *casefile.Case) []string {
	auto := *c
	auto.IB.Inside = "auto"
	return []string{c.Hash(), auto.Hash()}
}

// sameInside refuses a checkpoint of a run in which the fluid inside other bodies was damped.
func (r *run[T]) sameInside(path string, m *savedMeta) error {
	now := r.Damped()
	if slices.Equal(m.Damped, now) {
		return nil
	}
	told := func(names []string) string {
		if len(names) == 0 {
			return "no body"
		}
		return strings.Join(names, ", ")
	}
	remedy := "set ib.inside to what it was"
	if len(m.Damped) == 0 {
		remedy = `set ib.inside = "free"`
	}
	return exit.AsBadCase(fmt.Errorf("%s: the fluid inside was damped in %s, here it is in %s: %s (--set ib.inside=…), or start over with --overwrite", path, told(m.Damped), told(now), remedy))
}
