// Package suite is the validation suite: flows with published or exact answers,
// the runs that compute them, and the gates that hold the results. The numbers
// are in package reference, the case files in package cases; here is how a value
// is read from finished runs.
package suite

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/validation/reference"
)

// Group is a flow, or several of a kind, with its runs and quantities.
type Group struct {
	Name, Title string
	About       string // what is computed and why so, a sentence or two
	Runs        []Run
	Checks      []Check
	Figures     []Figure
}

// Run is a case with overrides.
type Run struct {
	Name string
	Case string   // a file of package cases
	Sets []string // key=value, as for lbmib run --set
}

// Check is how the value of a quantity is got. Its gate is the row of
// reference/gates.csv with the same group and quantity.
type Check struct {
	Quantity string
	From     []string // runs that it needs; none: computed in this process
	Value    func(r *Results) float64
}

// Groups are all groups, the cheap ones first.
func Groups() []Group {
	return slices.Concat(
		identityGroups(), membraneGroups(), capsuleGroups(), ringGroups(), filamentGroups(), channelGroups(), rheologyGroups(), vortexGroups(), couetteGroups(), cavityGroups(),
		cylinderGroups(), channelCylinderGroups(), movingGroups(), arrayGroups(), particleGroups(), vesselGroups(), bloodGroups(), sphereGroups(), levelGroups(),
	)
}

// Select returns the groups of the given names, or all for none, with the checks
// that count in the quick or the full suite and the runs that these need.
// Groups named explicitly that have no quick gate are an error of usage.
func Select(names []string, quick bool) ([]Plan, error) {
	var plans []Plan
	all := Groups()
	for _, n := range names {
		if !slices.ContainsFunc(all, func(g Group) bool { return g.Name == n }) {
			return nil, fmt.Errorf("there is no group %q: choose among %s", n, strings.Join(groupNames(all), ", "))
		}
	}
	gates := reference.Gates()
	for _, g := range all {
		if len(names) > 0 && !slices.Contains(names, g.Name) {
			continue
		}
		p := newPlan(g, gates, quick)
		if len(p.Tests) == 0 && len(names) > 0 {
			return nil, fmt.Errorf("group %s has no quick gate: run it without --quick", g.Name)
		}
		if len(p.Tests) > 0 {
			plans = append(plans, p)
		}
	}
	return plans, nil
}

// Plan is what is done of a group.
type Plan struct {
	Group
	Tests []Test
}

// Test is a check with its gate.
type Test struct {
	Check
	Gate reference.Gate
}

// newPlan keeps what counts.
func newPlan(g Group, gates []reference.Gate, quick bool) Plan {
	p := Plan{Group: g}
	needed := map[string]bool{}
	for _, c := range g.Checks {
		for _, gate := range gates {
			if gate.Group == g.Name && gate.Quantity == c.Quantity && gate.Counts(quick) {
				p.Tests = append(p.Tests, Test{c, gate})
				for _, r := range c.From {
					needed[r] = true
				}
			}
		}
	}
	p.Runs = slices.DeleteFunc(slices.Clone(g.Runs), func(r Run) bool { return !needed[r.Name] })
	return p
}

func groupNames(groups []Group) (names []string) {
	for _, g := range groups {
		names = append(names, g.Name)
	}
	return names
}
