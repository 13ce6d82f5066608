package bench

import (
	"fmt"
	"slices"

	"lbmib/cmd/lbmib/bench/chart"
	"lbmib/cmd/lbmib/bench/harness"
)

// draw draws the rows that have a rate; without any, nothing is drawn.
func (s *set) draw(path string, rows []Row) (drawn bool, err error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Status != harness.OK })
	if len(rows) == 0 {
		return false, nil
	}
	if s.x != nil {
		return true, s.lines(rows).Save(path)
	}
	return true, s.bars(rows).Save(path)
}

// names are the values of a property, in the order in which they come.
func names(rows []Row, of func(*Row) string) (all []string) {
	for i := range rows {
		all = append(all, of(&rows[i]))
	}
	return harness.Unique(all)
}

// bars are rates in groups, each with its limit across it and its share above.
func (s *set) bars(rows []Row) *chart.Bars {
	b := &chart.Bars{
		Title: s.title, YLabel: "MFLUPS   (above: share of the limit)", Limit: "limit",
		Groups: names(rows, s.group), Members: names(rows, s.member),
	}
	for i := range rows {
		r := &rows[i]
		b.Bars = append(b.Bars, chart.Bar{
			Group: slices.Index(b.Groups, s.group(r)), Member: slices.Index(b.Members, s.member(r)),
			Value: r.MFLUPS, Limit: r.limitMFLUPS(), Above: fmt.Sprintf("%.2f", r.Roofline),
		})
	}
	return b
}

// lines are rates over a number, and the limits dashed.
func (s *set) lines(rows []Row) *chart.Lines {
	l := &chart.Lines{Title: s.title, XLabel: s.xlabel, YLabel: "MFLUPS", LogX: s.log, Limit: "limit of the same colour"}
	for _, name := range names(rows, s.group) {
		line := chart.Series{Name: name}
		for i := range rows {
			if r := &rows[i]; s.group(r) == name {
				line.X, line.Y = append(line.X, s.x(r)), append(line.Y, r.MFLUPS)
				line.Limit = append(line.Limit, r.limitMFLUPS())
			}
		}
		l.Series = append(l.Series, line)
	}
	return l
}
