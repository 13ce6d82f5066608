package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// warnOfErrors adds the estimates of the runs' errors of drag, where they are told at all, and
// what calls a run unsafe.
func (d *Document) warnOfErrors() {
	const told = 0.01 // smaller estimates are none
	least, most := map[string]float64{}, map[string]float64{}
	for _, r := range d.Runs {
		if r.Summary == nil {
			continue
		}
		for _, c := range r.Summary.Cautions {
			if strings.HasPrefix(c, "unsafe: ") {
				d.Warnings = append(d.Warnings, r.Name+": "+c)
				break
			}
		}
		for name, b := range r.Summary.Bodies {
			e := float64(b.DragError)
			if _, known := least[name]; !known {
				least[name] = math.Inf(1)
			}
			if e >= 0 { // not NaN
				least[name], most[name] = math.Min(least[name], e), math.Max(most[name], e)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(most)) {
		if most[name] > told {
			d.Warnings = append(d.Warnings, fmt.Sprintf("the drag of %s is off by about %.2g to %.2g %% (cd_error), estimated from nodes, mean slip along the wall or boundary layer, and Mach number", name, 100*least[name], 100*most[name]))
		}
	}
}
