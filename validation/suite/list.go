package suite

import (
	"fmt"
	"io"
	"strings"
)

// WriteList writes the groups with their runs, quantities, bounds and sources.
func WriteList(w io.Writer, plans []Plan) error {
	var b strings.Builder
	for _, p := range plans {
		fmt.Fprintf(&b, "%s: %s\n  %s\n", p.Name, p.Title, p.About)
		for _, r := range p.Runs {
			fmt.Fprintf(&b, "  run %s: %s", r.Name, r.Case)
			for _, s := range r.Sets {
				if len(s) > 300 { // lines of points, one for each row of nodes
					s = s[:60] + " …"
				}
				fmt.Fprintf(&b, " --set '%s'", s)
			}
			b.WriteByte('\n')
		}
		for _, t := range p.Tests {
			g := t.Gate
			if g.ReportOnly() {
				fmt.Fprintf(&b, "  %s: %s, reported only (%s; %s)\n", g.Quantity, digits(g.Reference), g.Source, g.Tolerance)
				continue
			}
			fmt.Fprintf(&b, "  %s: %s, passes in %s … %s (%s; %s)\n", g.Quantity, digits(g.Reference), digits(g.Low), digits(g.High), g.Source, g.Tolerance)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
