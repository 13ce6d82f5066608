package gpureport

import (
	"errors"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/lbm"
)

// Sizes that targets are for.
const (
	large2D, large3D = "8192x4096", "512x512x512"
)

// fluidUnits are the sizes of grids, the large ones first, each over streaming schemes
// and precisions.
func fluidUnits(s scope) (all []unit) {
	sizes := []string{large2D, large3D, "4096x2048", "256x256x256", "1024x1024", "128x128x128"}
	streaming := []string{"ab", "inplace"}
	switch {
	case s.tiny:
		sizes = []string{"64x32", "32x6x5"}
	case s.quick:
		sizes = []string{large2D, large3D, "256x256x256"}
		streaming = streaming[:1]
	}
	for _, size := range sizes {
		all = append(all, unit{size, func(j *job) error { return j.fluid(size, streaming) }})
	}
	return all
}

// fluid measures the rows of a size.
func (j *job) fluid(size string, streaming []string) error {
	specs, err := bench.Selection{Backend: []string{"cuda"}, Size: []string{size}, Streaming: streaming}.Plan()
	if err != nil {
		return err
	}
	b := bench.New(j.effort(0.1), discard)
	var names []string
	for i := range specs {
		names = append(names, specs[i].String())
	}
	j.plan(names)
	for i := range specs {
		j.make(names[i], func() (any, error) { return row(b.Run(j.ctx, specs[i:i+1])) })
	}
	return nil
}

// row is the one row of a benchmark, and its state as an error.
func row[R interface {
	State() string
	Why() string
}](rows []R, err error) (any, error) {
	if len(rows) == 0 {
		return nil, err
	}
	return rows[0], errors.Join(err, wrongRow(rows[0].State(), rows[0].Why()))
}

// wrongRow is the state of a row as an error.
func wrongRow(state, why string) error {
	switch state {
	case harness.Wrong:
		return errors.New(why)
	case harness.Refused:
		return &refusal{refused, why}
	}
	return nil
}

// errorOf is the failure of a pass over the device's memory, or nil.
func errorOf(m harness.Bandwidth) error {
	if f, ok := m.(lbm.Fallible); ok {
		return f.Err()
	}
	return nil
}

func gatherFluid(g *gathering) {
	rows := dataOf[bench.Row](g.Units)
	g.shares(rows)
	g.printf("Rates are medians of repeats; every flow was held against theory. ")
	g.printf("The share is that of the copy (ab) or of the update in place (inplace), measured in turn with the flow.\n\n")
	bench.Table.WriteMarkdown(&g.text, rows)
}

// shares are the values of targets: the best scheme's rate over the copy.
func (g *gathering) shares(rows []bench.Row) {
	targeted := [][]int{{8192, 4096}, {512, 512, 512}}
	for _, r := range rows {
		if r.Status != harness.OK || !slices.ContainsFunc(targeted, func(s []int) bool { return slices.Equal(s, r.Size.Axes()) }) {
			continue
		}
		v, name := g.Values, r.Lattice+" "+r.Precision
		v[name] = max(v[name], r.GBs/r.CopyGBs)
		if name := "MFLUPS " + r.Precision; r.Lattice == "D3Q19" && r.Precision != "f64" && strings.Contains(g.device, "H200") {
			v[name] = max(v[name], r.MFLUPS)
		}
	}
}
