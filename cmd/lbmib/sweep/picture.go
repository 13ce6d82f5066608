package sweep

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"lbmib/io/plot"
)

// pictured are the quantities that sweep.png shows, where there are any.
var pictured = expanded(func(k *kind) bool { return k.label != "" })

const mostPanels = 4 // quantities in a picture

// picture draws sweep.png: quantities over the first swept key whose values are
// numbers, that is not the resolution if there is another; with three resolutions
// or more, beside it, differences between neighbouring resolutions in logarithmic
// axes. Without anything to draw there is no picture.
func (p *Plan) picture(d *Document) error {
	axis, x, names := p.abscissa()
	label := labels(p.Axes)[axis]
	fine := slices.IndexFunc(p.Axes, func(a Axis) bool { return a.Key == ResolutionKey && len(a.Values) >= 3 })
	var panels []plot.Panel
	columns := 1
	if fine >= 0 {
		columns = 2
	}
	for _, q := range pictured {
		over := plot.Panel{XLabel: label, YLabel: q.label, XNames: names, Marks: true}
		for _, l := range p.lines(d.Runs, axis, x, q.name) {
			if !l.isRounding() {
				over.Lines = append(over.Lines, plot.Line{Name: l.legend(), X: l.x, Y: l.y})
			}
		}
		if len(over.Lines) == 0 {
			continue
		}
		panels = append(panels, over)
		if fine >= 0 {
			panels = append(panels, p.differences(d, fine, q.name, q.label))
		}
		if len(panels) >= mostPanels*columns {
			break
		}
	}
	if len(panels) == 0 {
		return nil
	}
	return plot.Panels(filepath.Join(p.Dir, "sweep.png"), p.Case, columns, panels)
}

// abscissa is the axis that pictures have below, its values, and their names
// where they are no numbers.
func (p *Plan) abscissa() (axis int, x []float64, names []string) {
	order := make([]int, len(p.Axes))
	for i := range order {
		order[i] = i
	}
	rank := func(i int) int {
		_, numeric := p.Axes[i].numbers()
		switch {
		case !numeric || len(p.Axes[i].Values) < 2:
			return 2
		case p.Axes[i].Key == ResolutionKey:
			return 1
		}
		return 0
	}
	axis = slices.MinFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	if x, ok := p.Axes[axis].numbers(); ok {
		return axis, x, nil
	}
	for i, v := range p.Axes[axis].Values {
		x, names = append(x, float64(i)), append(names, shown(v))
	}
	return axis, x, names
}

// differences is a panel of |q(N) − q(N')| over N, N' being the next resolution:
// for an order p they fall like N^(−p) where resolutions are in one ratio.
func (p *Plan) differences(d *Document, axis int, name, label string) (out plot.Panel) {
	if axis < 0 {
		return out
	}
	x, ok := p.Axes[axis].numbers()
	if !ok {
		return out
	}
	out = plot.Panel{XLabel: "resolution", YLabel: "change of " + label, Log: true, Marks: true}
	ends := [2]float64{math.Inf(1), math.Inf(-1)}
	top := 0.
	for _, l := range p.lines(d.Runs, axis, x, name) {
		if len(l.x) < 3 || l.isRounding() {
			continue
		}
		line := plot.Line{Name: l.legend()}
		for i := 1; i < len(l.x); i++ {
			if change := math.Abs(l.y[i] - l.y[i-1]); change > 0 {
				line.X, line.Y = append(line.X, l.x[i-1]), append(line.Y, change)
				ends[0], ends[1] = math.Min(ends[0], l.x[i-1]), math.Max(ends[1], l.x[i-1])
				top = math.Max(top, change)
			}
		}
		if len(line.X) > 0 {
			out.Lines = append(out.Lines, line)
		}
	}
	if len(out.Lines) > 0 && ends[0] < ends[1] {
		out.Lines = append(out.Lines, plot.Guide("order 1", ends, top, -1), plot.Guide("order 2", ends, top, -2))
	}
	return out
}

// legend names a line.
func (l *line) legend() string {
	if l.at == "" {
		return l.of
	}
	return fmt.Sprintf("%s, %s", l.of, l.at)
}
