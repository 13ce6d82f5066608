package suite

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run"
)

// finished is a run that has ended, with its directory.
type finished struct {
	dir     string
	cas     *casefile.Case
	summary run.Summary
	tables  map[string]*table.Table
}

// readFinished reads the directory of a finished run.
func readFinished(dir string, c *casefile.Case) (*finished, error) {
	f := &finished{dir: dir, cas: c, tables: map[string]*table.Table{}}
	path := filepath.Join(dir, "summary.json")
	text, err := regular.ReadFile(path, regular.Most)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &f.summary); err != nil {
		return nil, fmt.Errorf("%s: %w: run it again", path, err)
	}
	return f, nil
}

// Results are the finished runs of a group, as checks and figures read them. The
// first failure to read stays, and what is read then is NaN or empty: a check
// need not look at errors, whoever evaluates it does.
type Results struct {
	runs map[string]*finished
	err  error
}

// fail keeps the first error.
func (r *Results) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// run is a finished run; nil, with an error kept, if there is none.
func (r *Results) run(name string) *finished {
	f := r.runs[name]
	if f == nil {
		r.fail("run %s has not finished", name)
	}
	return f
}

// Case is the case of a run; an empty one if it has not finished.
func (r *Results) Case(name string) *casefile.Case {
	if f := r.run(name); f != nil {
		return f.cas
	}
	return &casefile.Case{}
}

// Summary is summary.json.
func (r *Results) Summary(name string) run.Summary {
	if f := r.run(name); f != nil {
		return f.summary
	}
	return run.Summary{}
}

// Body are the statistics of a body.
func (r *Results) Body(name, body string) run.BodySummary {
	b, ok := r.Summary(name).Bodies[body]
	if !ok {
		r.fail("run %s has no body %q", name, body)
		nan := finite.Number(math.NaN())
		b = run.BodySummary{CdMean: nan, CdAmplitude: nan, ClMean: nan, ClAmplitude: nan, ClRMS: nan, Strouhal: nan, RecirculationLength: nan, ForceGap: nan}
	}
	return b
}

// Column are the numbers of a column of a CSV file of a run, in the rows that
// have the given texts in the given columns.
func (r *Results) Column(name, file, column string, columnAndText ...string) []float64 {
	t := r.table(name, file)
	if t == nil {
		return nil
	}
	keep := func(int) bool { return true }
	for i := 0; i+1 < len(columnAndText); i += 2 {
		before := keep
		has, err := t.Where(columnAndText[i], columnAndText[i+1])
		if err != nil {
			r.fail("%w", err)
			return nil
		}
		keep = func(row int) bool { return before(row) && has(row) }
	}
	v, err := t.Float(column, keep)
	if err != nil {
		r.fail("%w", err)
	}
	return v
}

// table reads a CSV file of a run once.
func (r *Results) table(name, file string) *table.Table {
	f := r.run(name)
	if f == nil {
		return nil
	}
	if t := f.tables[file]; t != nil {
		return t
	}
	t, err := table.Read(filepath.Join(f.dir, filepath.FromSlash(file)))
	if err != nil {
		r.fail("%w", err)
		return nil
	}
	f.tables[file] = t
	return t
}

// Forces are the times and a column of forces.csv of a body.
func (r *Results) Forces(name, body, column string) (t, v []float64) {
	return r.Column(name, "forces.csv", "t", "body", body), r.Column(name, "forces.csv", column, "body", body)
}

// Motion are the times and a column of bodies.csv of a body.
func (r *Results) Motion(name, body, column string) (t, v []float64) {
	return r.Column(name, "bodies.csv", "t", "body", body), r.Column(name, "bodies.csv", column, "body", body)
}

// Probe are the times and a column of a probe.
func (r *Results) Probe(name, probe, column string) (t, v []float64) {
	return r.Column(name, "probes.csv", "t", "probe", probe), r.Column(name, "probes.csv", column, "probe", probe)
}

// Line is a line of a run at the instant nearest to t, +Inf for the last: a
// coordinate or column over another.
func (r *Results) Line(name, line string, t float64, x, y string) (xs, ys []float64) {
	file := "lines/" + line + ".csv"
	times := r.Column(name, file, "t")
	if len(times) == 0 {
		r.fail("run %s: %s has no rows", name, file)
		return nil, nil
	}
	nearest := times[len(times)-1]
	for _, at := range times {
		if math.Abs(at-t) < math.Abs(nearest-t) {
			nearest = at
		}
	}
	ax, ay := r.Column(name, file, x), r.Column(name, file, y)
	if len(ax) != len(times) || len(ay) != len(times) {
		return nil, nil
	}
	for i, at := range times {
		if at == nearest {
			xs, ys = append(xs, ax[i]), append(ys, ay[i])
		}
	}
	return xs, ys
}

// Instants are the different times of a line, in order.
func (r *Results) Instants(name, line string) []float64 {
	return slices.Compact(r.Column(name, "lines/"+line+".csv", "t"))
}

// missing names the runs among names that have not finished.
func (r *Results) missing(names []string) string {
	var out []string
	for _, n := range names {
		if r.runs[n] == nil {
			out = append(out, n)
		}
	}
	return strings.Join(out, ", ")
}
