package casefile

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Output says what a run writes and how often. Every is in L/U.
type Output struct {
	Directory  string
	Forces     Every
	Fields     FieldsOut
	Checkpoint CheckpointOut
	Probes     []Probe
	Statistics Statistics
	Bodies     Every // rows of bodies.csv
	Lines      []Line
	Slices     []Slice
	Boxes      []Box
	Means      *Means // nil: none
	Plots      bool
}

// Every is the interval of an output in L/U.
type Every struct{ Every float64 }

// FieldsOut is the output of whole fields; Every = 0: none.
type FieldsOut struct {
	Every      float64
	Quantities []string // velocity density vorticity
}

// CheckpointOut is the interval of checkpoints, 0 for none, and how many of the
// latest stay.
type CheckpointOut struct {
	Every float64
	Keep  int
}

// Probe is a point, in L, whose state is written at an interval.
type Probe struct {
	Name  string
	At    [3]float64
	Every float64
}

// Statistics is the window from From to the end; NaN: found automatically.
type Statistics struct{ From float64 }

const (
	defaultEvery      = 0.05 // of forces and probes
	defaultKeep       = 2
	checkpointsPerRun = 5
)

func (r *reader) readOutput(t *table) {
	o := &r.c.Output
	o.Directory = t.line("directory", r.c.Name+".out")
	if strings.TrimSpace(o.Directory) == "" || strings.ContainsRune(o.Directory, 0) {
		t.fail("directory", "%q must be the name of a directory: remove it for %q", o.Directory, r.c.Name+".out")
	}
	o.Forces.Every = r.every(t.table("forces"), defaultEvery)
	r.readFields(t.table("fields"))
	checkpoint := t.table("checkpoint")
	o.Checkpoint.Every = checkpoint.number("every", orNone, r.c.Run.Time/checkpointsPerRun)
	o.Checkpoint.Keep = int(checkpoint.integer("keep", 1, 1<<20, defaultKeep, "at least the latest checkpoint stays"))
	r.readBodiesOut(t.table("bodies"))
	r.readProbes(t.tables("probes"))
	r.readLines(t.tables("lines"))
	r.readSlices(t.tables("slices"))
	r.readBoxes(t.tables("boxes"))
	r.readMeans(t.table("means"))
	r.readStatistics(t.table("statistics"))
	o.Plots = t.flag("plots", true)
}

// orNone is an interval of an output that may be left out.
var orNone = spec{Time, notNegative, "give the interval in L/U, or 0 for none"}

func (r *reader) every(t *table, def float64) float64 {
	return t.number("every", spec{Time, positive, "give the interval in L/U"}, def)
}

func (r *reader) readFields(t *table) {
	f := &r.c.Output.Fields
	if !t.present {
		return
	}
	f.Every = t.requiredNumber("every", orNone)
	f.Quantities = slices.Clone(choices["output.fields.quantities"].have)
	defer func() {
		if t.note("quantities", f.Quantities); f.Every == 0 {
			t.drop("every", "quantities") // there are none
		}
	}()
	v, ok := t.get("quantities")
	if !ok {
		return
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.fail("quantities", "must be an array of some of %s, not %s: remove the table fields to write none", strings.Join(f.Quantities, ", "), emptyOr(v))
		return
	}
	f.Quantities = nil
	for i, e := range list {
		key := join(t.key("quantities"), strconv.Itoa(i))
		name, ok := e.(string)
		if !ok {
			r.fail(key, "must be one of %s in quotes, not %s", strings.Join(choices["output.fields.quantities"].have, ", "), kind(e))
			continue
		}
		if name, ok = r.choose(key, "output.fields.quantities", name); !ok {
			continue
		}
		if slices.Contains(f.Quantities, name) {
			r.fail(key, "%q stands twice, must be once: remove one", name)
			continue
		}
		f.Quantities = append(f.Quantities, name)
	}
}

func emptyOr(v any) string {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return "empty"
	}
	return kind(v)
}

func (r *reader) readProbes(tables []*table) {
	names := map[string]int{}
	for i, t := range tables {
		p := Probe{Name: r.name(t, "probe", i, names)}
		p.At = t.requiredVector("at", spec{quantity: Length, remedy: "give the place in L, for instance [15.0, 7.5]"})
		if r.clean(t.key("at"), "domain.size", "domain.origin", "domain.lattice") && !r.c.Domain.inside(p.At) {
			t.fail("at", "probe %q lies outside the domain, which is %s: move the probe or enlarge domain.size", p.Name, r.c.Domain.extent())
		}
		p.Every = r.every(t, defaultEvery)
		r.c.Output.Probes = append(r.c.Output.Probes, p)
	}
}

func (r *reader) readStatistics(t *table) {
	s := &r.c.Output.Statistics
	s.From = math.NaN()
	t.note("from", "auto")
	if v, ok := t.get("from"); !ok || v == any("auto") {
		return
	}
	s.From = t.number("from", spec{Time, notNegative, `give the beginning of the window in L/U, or "auto"`}, 0)
}
