package coupled

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
)

// Report measures the rows asked for and those of the report, one and two cylinders
// with strategies side by side and crowds of 1 to 10⁴ bodies, and writes coupled.md into dir, which is there. It
// returns the rows asked for and all that were measured; an error is that of the
// context or of writing.
func Report(ctx context.Context, b *Bench, dir string, h harness.Host, asked []Spec) (rows, all []Row, err error) {
	own, err := harness.PlanAll(Selection{Algorithm: []string{"auto", "serial", "sort-reduce"}})
	if err != nil {
		return nil, nil, err
	}
	crowds, err := harness.PlanAll(
		Selection{Size: []string{"32x32x32"}, Diameter: []int{20}, VolumeFraction: []float64{0.12}, Motion: motions, Threads: []int{1}},
		Selection{Size: []string{"96x96x96"}, VolumeFraction: []float64{0.001, 0.01, 0.1, 0.3}, Motion: motions, Threads: []int{1}},
		Selection{Size: []string{"176x176"}, Diameter: []int{8}, VolumeFraction: []float64{0.415}, Motion: motions[1:], Threads: []int{1}},
		Selection{Size: []string{"880x880"}, Diameter: []int{8}, VolumeFraction: []float64{0.415}, Motion: motions[1:], Threads: []int{1}},
		Selection{Size: []string{"2200x2200"}, Diameter: []int{8}, VolumeFraction: []float64{0.415}, Motion: motions[1:], Threads: []int{1}},
	)
	if err != nil {
		return nil, nil, err
	}
	sections := []harness.Section[Spec, Row]{{Title: "Bodies in a stream", Specs: own}, {Title: "Crowds in a periodic box", Specs: crowds}}
	if !slices.Equal(asked, own) {
		sections = append(sections, harness.Section[Spec, Row]{Title: harness.Asked, Specs: asked})
	}
	all, err = b.Run(ctx, harness.Union(asked, sections))
	rows = harness.Pick(all, asked)
	if err != nil {
		return rows, all, err
	}
	kernels := harness.Names(all, func(r *Row) string { return r.Kernel })
	r := harness.Report[Spec, Row]{
		Title: "What bodies cost a stream", Host: h, Facts: [][2]string{{"kernel", strings.Join(kernels, ", ")}, {"repeats", b.Effort.String()}},
		Head: reportHead, Sections: sections, Table: &Table, Tail: harness.ToRepeat("coupled", "Shares compare between runs, rates hardly do."),
	}
	return rows, all, r.Write(filepath.Join(dir, "coupled.md"), all, b.Progress)
}

const reportHead = `
A stream enters at the left, leaves at the right and slides along the other faces;
cylinders stand in a row along its middle. The same stream is stepped without and with
them in turn. MFLUPS are 10⁶ node updates per second, the median of the repeats. The
overhead is 1 − with bodies/alone, the median of the repeats' own, and its range that of
all of them; the bodies' share of a step is by the clock around their part, which a
machine that wanders disturbs less. The volume is πD²/(NX·NY) per cylinder, as
Valero-Lara et al., J. Comput. Sci. 10 (2015) 249, count: four times what a cylinder
fills; of spheres it is what they fill.

A crowd is discs or spheres on a lattice of places in a periodic box: fixed in a stream,
moving alike as prescribed, or free, heavier than the fluid by half and each with a velocity of its own.

No rate is told unless the force on every body was what the fluid lost of its momentum,
and the fluid at the markers stood still as far as one application brings it there.
`
