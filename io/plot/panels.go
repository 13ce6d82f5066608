package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Panel is one of several diagrams on a page.
type Panel struct {
	XLabel, YLabel string
	XNames         []string // words at x = 0, 1, … in place of numbers; nil: numbers
	Log            bool     // both axes are logarithmic
	Marks          bool     // every value has a mark, for lines of few values
	Lines          []Line
}

// Size of a panel with its axes, and the gap between two.
const (
	wholePanel = vg.Length(700) // width where there is one column
	halfPanel  = vg.Length(400) // and where there are more
	panelHigh  = vg.Length(190)
	panelHigh2 = vg.Length(270)
	panelsGap  = vg.Length(10)
)

// Panels draws diagrams in rows of so many columns, with one legend for all of
// them: lines of the same name look the same in every panel. Pairs that are not
// finite, or in logarithmic axes not positive, are left out. The picture
// replaces path when it is complete.
//
// An error names path and what is wrong: no panels, no columns, a line whose X
// and Y differ in length or which has nothing to show in logarithmic axes, or the
// failure to write.
func Panels(path, title string, columns int, panels []Panel) error {
	if len(panels) == 0 || columns < 1 {
		return fmt.Errorf("plot: %s: %d panels in %d columns: pass at least one of each", path, len(panels), columns)
	}
	all := make([]*axes, len(panels))
	for i := range panels {
		a, err := panels[i].axes()
		if err != nil {
			return fmt.Errorf("plot: %s: panel %d: %w", path, i, err)
		}
		all[i] = a
	}
	return drawPanels(title, columns, panels, all).save(path)
}

// axes are those that fit the panel's lines.
func (d *Panel) axes() (*axes, error) {
	a := &axes{
		x: axis{log: d.Log, label: label{text: d.XLabel}},
		y: axis{log: d.Log, label: label{text: d.YLabel}},
	}
	if err := a.fit(d.Lines); err != nil {
		return nil, err
	}
	if d.XNames != nil {
		a.x.min, a.x.max = -0.5, float64(len(d.XNames))-0.5
	}
	return a, nil
}

func drawPanels(title string, columns int, panels []Panel, all []*axes) *page {
	columns = min(columns, len(panels))
	wide, high := wholePanel, panelHigh
	if columns > 1 {
		wide, high = halfPanel, panelHigh2
	}
	rows := (len(panels) + columns - 1) / columns
	names, legend := commonLegend(panels)
	head := header{title: title, legend: legend}
	width := vg.Length(columns)*(wide+panelsGap) - panelsGap + 2*margin
	top := head.height(width-2*margin) + margin
	height := top + vg.Length(rows)*(high+panelsGap) - panelsGap + margin
	p := newPage(width, height)
	head.draw(p, width/2, height-margin, width-2*margin)
	numbers := make([]vg.Length, columns) // panels above each other line up
	for i, a := range all {
		a.y.mark(high-a.x.room(false), tickSpacing*0.7)
		numbers[i%columns] = max(numbers[i%columns], a.y.widest())
	}
	for i, a := range all {
		a.y.numbers = numbers[i%columns]
		left := margin + vg.Length(i%columns)*(wide+panelsGap)
		upper := height - top - vg.Length(i/columns)*(high+panelsGap)
		a.place(left, upper, wide, high, panels[i].XNames)
		panels[i].draw(p, a, names)
	}
	return p
}

// place puts the axes into a cell of the page, given by its left upper corner.
func (a *axes) place(left, upper, wide, high vg.Length, names []string) {
	a.data.Min.X = snap(left + a.y.room(true))
	a.data.Min.Y = snap(upper - high + a.x.room(false))
	a.data.Max.Y = snap(upper - capHeight/2*tickStyle.size)
	a.y.mark(a.data.Size().Y, tickSpacing*0.7)
	room := left + wide - a.data.Min.X
	if names == nil {
		a.x.mark(room, tickSpacing*1.2)
		a.data.Max.X = snap(left + wide - a.x.widest()/2)
		return
	}
	a.x.ticks = nil
	for i, name := range names {
		a.x.ticks = append(a.x.ticks, tick{float64(i), shorten(tickStyle, name, 0.9*room/vg.Length(len(names)))})
	}
	a.data.Max.X = snap(left + wide - frameWidth)
}

// commonLegend numbers the names of all panels' lines, guides from −1 down.
func commonLegend(panels []Panel) (index map[string]int, legend []entry) {
	index = map[string]int{}
	lines, guides, areas := 0, 0, 0
	for _, d := range panels {
		for _, l := range d.Lines {
			if _, known := index[l.Name]; known || l.Name == "" {
				continue
			}
			as := look{lines, areas}
			switch {
			case l.Guide:
				guides++
				as.index = -guides
			case l.Low != nil:
				as.index = areas
				areas++
			case !l.Faint:
				lines++
			}
			index[l.Name] = as.index
			e := l.entry(as)
			e.points = l.Points || d.Marks && !l.Guide
			legend = append(legend, e)
		}
	}
	if len(legend) == 1 { // a single line needs no name beside its axis
		legend = nil
	}
	return index, legend
}

func (d *Panel) draw(p *page, a *axes, names map[string]int) {
	a.grid(p)
	for i, l := range d.Lines {
		if k, named := names[l.Name]; named {
			i = k
		}
		a.line(p, &l, look{i, i})
		if l.Points || d.Marks && !l.Guide {
			a.points(p, l.X, l.Y, i)
		}
	}
	a.draw(p)
}

// Guide is a line of a given slope in logarithmic axes, from one end of x to the
// other, beginning at height y there: it stands for an order of convergence.
func Guide(name string, x [2]float64, y, slope float64) Line {
	return Line{Name: name, Guide: true, X: x[:], Y: []float64{y, y * math.Pow(x[1]/x[0], slope)}}
}
