package joined

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
)

// Report measures the rows asked for and those of the report, the domains of a cylinder and of a sphere in both precisions on one
// thread and on all, and writes joined.md into dir, which is there. It returns the rows asked for and all that were measured; an error is
// that of the context or of writing.
func Report(ctx context.Context, b *Bench, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	some := Selection{Precision: []string{"f64", "f32"}, Threads: []int{1, 0}}
	plane, space := some, some
	plane.Domain, space.Domain = []string{"40x15"}, []string{"12x10x10"}
	cylinder, err := harness.PlanAll(plane)
	if err != nil {
		return nil, nil, err
	}
	sphere, err := harness.PlanAll(space)
	if err != nil {
		return nil, nil, err
	}
	sections := []harness.Section[Spec, Row]{{Title: "A cylinder's domain", Specs: cylinder}, {Title: "A sphere's domain", Specs: sphere}}
	if known := harness.Union(nil, sections); slices.ContainsFunc(asked, func(s Spec) bool { return !slices.Contains(known, s) }) {
		sections = append(sections, harness.Section[Spec, Row]{Title: harness.Asked, Specs: asked})
	}
	all, err = b.Run(ctx, harness.Union(asked, sections))
	rows = harness.Pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	kernels := harness.Names(all, func(r *Row) string { return r.Kernel })
	r := harness.Report[Spec, Row]{
		Title: "What nested grids bring", Host: h, Facts: [][2]string{{"kernel", strings.Join(kernels, ", ")}, {"repeats", b.Effort.String()}},
		Head: reportHead, Sections: sections, Table: &Table, Tail: harness.ToRepeat("joined", "Shares and gains compare between runs, rates hardly do."),
	}
	return rows, all, r.Write(filepath.Join(dir, "joined.md"), all, b.Progress)
}

const reportHead = `
A vortex fills the domain, which has finer nodes around the place of a cylinder or of a sphere: a domain
of 40 by 15 diameters with the margins of cases/refined-cylinder.toml, 1.5 D before, 8 behind and 2 beside, and one of 12 by 10 by 10
with 1 D before, 3 behind and 1 beside. Bodies themselves, which cost the same on one grid, are not there. The grids joined, each
of them alone, and one grid of the finest nodes are stepped in turn.
` + legend + `
No time is told unless the mass of all grids was kept to rounding and the vortex went on at its speed.
`
