package harness

import (
	"slices"

	"lbmib/cmd/lbmib/bench/chart"
)

// Figure is what the plots of a report show of a row.
type Figure[R any] struct {
	Label     string // of Value
	Value     func(*R) float64
	Above     func(*R) string // stands above a bar
	AboveIs   string          // and what that is
	Limit     func(*R) float64
	LimitIs   string // across bars
	LineLimit string // dashed beside lines; empty: they have none
}

// Draw draws the rows that have a result; without any, nothing is drawn.
func Draw[S any, R Measured](f *Figure[R], s *Section[S, R], path string, rows []R) (drawn bool, err error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r R) bool { return r.State() != OK })
	switch {
	case len(rows) == 0:
		return false, nil
	case s.X != nil:
		return true, lines(f, s, rows).Save(path)
	}
	return true, bars(f, s, rows).Save(path)
}

// Names are the values of a property, in the order in which they come.
func Names[R any](rows []R, of func(*R) string) (all []string) {
	for i := range rows {
		all = append(all, of(&rows[i]))
	}
	return Unique(all)
}

// bars are values in groups, each with its limit across it.
func bars[S, R any](f *Figure[R], s *Section[S, R], rows []R) *chart.Bars {
	b := &chart.Bars{
		Title: s.Title, YLabel: f.Label + "   (above: " + f.AboveIs + ")", Limit: f.LimitIs,
		Groups: Names(rows, s.Group), Members: Names(rows, s.Member),
	}
	for i := range rows {
		r := &rows[i]
		b.Bars = append(b.Bars, chart.Bar{
			Group: slices.Index(b.Groups, s.Group(r)), Member: slices.Index(b.Members, s.Member(r)),
			Value: f.Value(r), Limit: f.Limit(r), Above: f.Above(r),
		})
	}
	return b
}

// lines are values over a number.
func lines[S, R any](f *Figure[R], s *Section[S, R], rows []R) *chart.Lines {
	l := &chart.Lines{Title: s.Title, XLabel: s.XLabel, YLabel: f.Label, LogX: s.LogX, LogY: s.LogY, Limit: f.LineLimit}
	for _, name := range Names(rows, s.Group) {
		line := chart.Series{Name: name}
		for i := range rows {
			r := &rows[i]
			if s.Group(r) != name {
				continue
			}
			line.X, line.Y = append(line.X, s.X(r)), append(line.Y, f.Value(r))
			if f.LineLimit != "" {
				line.Limit = append(line.Limit, f.Limit(r))
			}
		}
		l.Series = append(l.Series, line)
	}
	return l
}
