package page

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// Bounds on what is kept of tables.
const (
	mostTracks = 64   // of a table: bodies, probes, ports
	mostRows   = 4096 // of a track; when there are more, every second one goes
	mostAsked  = 8    // columns at a time
)

// series are the rows of tables, thinned where there are many.
type series struct {
	mutex  sync.Mutex
	byName map[string]*rowTable
	order  []string
	run    int // counts the runs: what was kept of one before is none of the next
}

// rowTable is a table: a track per body, probe or port.
type rowTable struct {
	columns []string // numbers
	keyed   bool     // the third column is what a track is of
	tracks  []*track
	byName  map[string]*track
	dropped int // tracks that are too many
}

// track is rows in their order: the time and the numbers.
type track struct {
	of     string
	time   []float32
	values [][]float32 // by column
	every  int         // of the rows that came, each so-many-th is kept
	came   int
	thin   int // how often it was thinned: rows have new places then
}

func (s *series) init() { s.clear() }

func (s *series) clear() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.byName, s.order = map[string]*rowTable{}, nil
	s.run++
}

// Row takes a row of a table: its time, its step, and, of tables with several things, which of them
// it is of; then numbers. The row is the caller's. Rows without a time in the first column are left out.
func (s *Server) Row(table string, columns []string, row []any) {
	t, isTime := number64(row[0])
	if len(row) < 3 || len(columns) < len(row) || !isTime {
		return
	}
	s.series.mutex.Lock()
	defer s.series.mutex.Unlock()
	of := s.series.byName[table]
	if of == nil {
		of = &rowTable{byName: map[string]*track{}}
		_, of.keyed = row[2].(string)
		of.columns = slices.Clone(columns[of.first():len(row)])
		s.series.byName[table], s.series.order = of, append(s.series.order, table)
	}
	name := ""
	if of.keyed {
		name, _ = row[2].(string)
	}
	k := of.byName[name]
	if k == nil {
		if len(of.tracks) == mostTracks {
			of.dropped++
			return
		}
		k = &track{of: name, values: make([][]float32, len(of.columns)), every: 1}
		of.byName[name], of.tracks = k, append(of.tracks, k)
	}
	k.add(t, row[of.first():], len(of.columns))
}

// first is the first column that is a number of interest.
func (t *rowTable) first() int {
	if t.keyed {
		return 3
	}
	return 2
}

// add takes a row in, or leaves it out where rows are thinned.
func (k *track) add(t float64, row []any, columns int) {
	k.came++
	if (k.came-1)%k.every != 0 {
		return
	}
	if len(k.time) == mostRows {
		k.halve()
		if (k.came-1)%k.every != 0 {
			return
		}
	}
	k.time = append(k.time, float32(t))
	for c := range columns {
		v := math.NaN()
		if c < len(row) {
			v, _ = number64(row[c])
		}
		k.values[c] = append(k.values[c], float32(v))
	}
}

// halve drops every second row.
func (k *track) halve() {
	k.every, k.thin = 2*k.every, k.thin+1
	half := func(v []float32) []float32 {
		for i := range len(v) / 2 {
			v[i] = v[2*i]
		}
		return v[:len(v)/2]
	}
	k.time = half(k.time)
	for c := range k.values {
		k.values[c] = half(k.values[c])
	}
}

// number64 is a number of a row.
func number64(v any) (float64, bool) {
	switch x := v.(type) {
	case float64:
		return x, true
	case float32:
		return float64(x), true
	case int64:
		return float64(x), true
	case int:
		return float64(x), true
	}
	return math.NaN(), false
}

// TableNews tells which rows there are.
type tableNews struct {
	Name    string
	Columns []string
	Of      []string // tracks
	Rows    int      // that came, of all
	More    bool     // tracks are left out
}

// tables are all tables so far.
func (s *series) tables() (all []tableNews) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, name := range s.order {
		t := s.byName[name]
		n := tableNews{Name: name, Columns: t.columns, More: t.dropped > 0}
		for _, k := range t.tracks {
			n.Of = append(n.Of, k.of)
			n.Rows += k.came
		}
		all = append(all, n)
	}
	return all
}

// rows answers with the rows of a track, of the columns asked for: those from a row on, or all where
// the mark that came with them is no longer theirs.
func (s *Server) rows(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	asked := q["column"]
	from, _ := strconv.Atoi(q.Get("from"))
	if len(asked) == 0 || len(asked) > mostAsked {
		http.Error(w, fmt.Sprintf("series: needs 1 to %d columns", mostAsked), http.StatusBadRequest)
		return
	}
	var p packed
	head := map[string]any{}
	switch s.series.copyTo(&p, head, q.Get("table"), q.Get("of"), asked, from, q.Get("mark")) {
	case noRows:
		w.WriteHeader(http.StatusNoContent) // as after the begin of another run
	case noColumn:
		http.Error(w, "series: there is no such column", http.StatusNotFound)
	default:
		p.write(w, head)
	}
}

// What copyTo finds.
const (
	found = iota
	noRows
	noColumn
)

// copyTo adds the rows of a track, from one on, of the columns asked for.
func (s *series) copyTo(p *packed, head map[string]any, table, of string, asked []string, from int, mark string) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.byName[table]
	if t == nil || t.byName[of] == nil {
		return noRows
	}
	k := t.byName[of]
	now := fmt.Sprintf("%d.%d", s.run, k.thin)
	if from < 0 || from > len(k.time) || mark != now {
		from = 0
	}
	head["Mark"], head["From"], head["Every"] = now, from, k.every
	p.floats("t", k.time[from:])
	for _, name := range asked {
		c := slices.Index(t.columns, name)
		if c < 0 {
			return noColumn
		}
		p.floats(name, k.values[c][from:])
	}
	return found
}
