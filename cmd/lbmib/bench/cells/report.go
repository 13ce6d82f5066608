package cells

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
)

// Report measures the rows asked for and those of the report, 1 to 1000 cells in a box that grows with them, and writes
// cells.md into dir, which is there. It returns the rows asked for and all that were measured; an error is
// that of the context or of writing.
func Report(ctx context.Context, b *Bench, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	packed, err := harness.PlanAll(Selection{Cells: []int{1, 4, 16, 64, 256, 1000}, Threads: harness.SomeThreads()})
	if err != nil {
		return nil, nil, err
	}
	others, err := harness.PlanAll(
		Selection{Cells: []int{16}, Haematocrit: []float64{0.05, 0.2, 0.45}},
		Selection{Cells: []int{16}, Vertices: []int{252, 642, 2562}},
		Selection{Cells: []int{64}, Contact: []float64{0, 1, 2}},
		Selection{Cells: []int{16}, Law: []string{"skalak", "neo-hookean", "hooke"}, Precision: []string{"f64", "f32"}},
	)
	if err != nil {
		return nil, nil, err
	}
	sections := []harness.Section[Spec, Row]{
		{Title: "More and more cells", Specs: packed},
		{Title: "Fewer in the box, more vertices, contact, other laws", Specs: harness.Unique(others)},
	}
	if !slices.ContainsFunc(sections, func(s harness.Section[Spec, Row]) bool { return slices.Equal(asked, s.Specs) }) {
		sections = append(sections, harness.Section[Spec, Row]{Title: harness.Asked, Specs: asked})
	}
	all, err = b.Run(ctx, harness.Union(asked, sections))
	rows = harness.Pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	kernels := harness.Names(all, func(r *Row) string { return r.Kernel })
	r := harness.Report[Spec, Row]{
		Title: "What red cells cost", Host: h, Facts: [][2]string{{"kernel", strings.Join(kernels, ", ")}, {"repeats", b.Effort.String()}},
		Head: reportHead, Sections: sections, Table: &Table, Tail: harness.ToRepeat("cells", "Shares compare between runs, times hardly do."),
	}
	return rows, all, r.Write(filepath.Join(dir, "cells.md"), all, b.Progress)
}

const reportHead = `
Red cells (biconcave discs in plasma, shear modulus 5.3 µN/m, C = 100 where the law is Skalak's,
bending modulus 2·10⁻¹⁹ J by Jülicher's model) lie in stacks in a periodic box in which a shear
wave decays. The same fluid is stepped without and with them in turn. The time step is as long
as a relaxation time of 1 and the membranes' stiffness allow, K Δt/(μh) ≤ 0.5.
` + legend + `
No time is told unless the fluid's momentum was conserved to rounding, as forces of membranes
have no sum, and no cell's volume had changed by a per cent at the end.
`
