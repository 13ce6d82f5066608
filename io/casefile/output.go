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
	Fields     FieldsOut
	Checkpoint CheckpointOut
	Probes     []Probe
	Statistics Statistics
	Lines      []Line
	Slices     []Slice
	Boxes      []Box
	Sections   []Section
	Means      *Means   // nil: none
	Wall       *WallOut // of a vessel; nil: none
	Suspension SuspensionOut
	Plots      bool

	notes *notes
}

// Every is the interval, in L/U, of an output of which there is one; 0: it is not written.
func (o Output) Every(name string) float64 {
	if of, ok := o.notes.noted(name).(*notes); ok {
		every, _ := of.noted("every").(float64)
		return every
	}
	return 0
}

// outputKind is an output of the case file: its key below [output] and how its table is read or,
// of those of which there may be several, how each is and what it is called. A new one is a line
// in outputKinds, and an observer of that name in package run/observe.
type outputKind struct {
	name  string
	read  func(t *table)
	what  string
	named func(t *table, name string)
}

// outputKinds are the outputs, in the order in which those of a run observe.
var outputKinds = []outputKind{
	{name: "forces", read: func(t *table) { every(t, defaultEvery) }},
	{name: "bodies", read: readBodiesOut},
	{name: "cells", read: readCellsOut},
	{name: "filaments", read: readFilamentsOut},
	{name: "sheets", read: readSheetsOut},
	{name: "suspension", read: readSuspensionOut},
	{name: "probes", what: "probe", named: readProbe},
	{name: "lines", what: "line", named: readLine},
	{name: "sections", what: "section", named: readSection},
	{name: "flow", read: readHeldFlowOut},
	{name: "ports", read: readPortsOut},
	{name: "wall", read: readWallOut},
	{name: "surfaces", read: readSurfacesOut},
	{name: "means", read: readMeans},
	{name: "fields", read: readFields},
	{name: "slices", what: "slice", named: readSlice},
	{name: "boxes", what: "box", named: readBox},
	{name: "checkpoint", read: readCheckpoint},
	{name: "statistics", read: readStatistics},
}

// OutputNames are the keys of outputs below [output], in the order in which those of a run
// observe.
func OutputNames() (names []string) {
	for _, k := range outputKinds {
		names = append(names, k.name)
	}
	return names
}

// FieldsOut is the output of whole fields; Every = 0: none.
type FieldsOut struct {
	Every      float64
	Quantities []string // velocity density vorticity pressure pressure_coefficient q_criterion body
	Format     string   // image: on nodes of the finest grid; amr: on the cells of each; fluid: on nodes of the fluid alone, in a vessel
}

// DefaultQuantities are the fields that files hold where the case does not choose.
func DefaultQuantities() []string { return []string{"velocity", "density", "vorticity"} }

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

func readOutput(t *table) {
	o := &t.r.c.Output
	o.notes = &t.notes
	o.Directory = t.line("directory", t.r.c.Name+".out")
	if strings.TrimSpace(o.Directory) == "" || strings.ContainsRune(o.Directory, 0) {
		t.fail("directory", "%q must be the name of a directory: remove it for %q", o.Directory, t.r.c.Name+".out")
	}
	for _, k := range outputKinds {
		if k.read != nil {
			k.read(t.table(k.name))
			continue
		}
		names := map[string]int{}
		for i, of := range t.tables(k.name) {
			k.named(of, readName(of, k.what, i, names))
		}
	}
	o.Plots = t.flag("plots", true)
}

// orNone is an interval of an output that may be left out.
var orNone = spec{Time, notNegative, "give the interval in L/U, or 0 for none"}

func every(t *table, def float64) float64 {
	return t.number("every", spec{Time, positive, "give the interval in L/U"}, def)
}

func readCheckpoint(t *table) {
	c := t.r.c
	c.Output.Checkpoint.Every = t.number("every", orNone, c.Run.Time/checkpointsPerRun)
	c.Output.Checkpoint.Keep = int(t.integer("keep", 1, 1<<20, defaultKeep, "at least the latest checkpoint stays"))
}

func readFields(t *table) {
	f := &t.r.c.Output.Fields
	if !t.present {
		return
	}
	f.Every = t.requiredNumber("every", orNone)
	f.Quantities = DefaultQuantities()
	f.Format = t.choice("format", "image")
	if f.Format == "fluid" && t.r.c.Domain.Vessel == nil && t.r.clean("domain.vessel") {
		t.fail("format", `"fluid" is of the nodes in a vessel, and there is none: use "image"`)
	}
	defer func() {
		if t.note("quantities", f.Quantities); f.Every == 0 {
			t.drop("every", "quantities", "format") // there are none
		}
	}()
	v, ok := t.get("quantities")
	t.ask("quantities", ask{form: "list", words: choices["output.fields.quantities"].have, def: f.Quantities})
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
			t.r.fail(key, "must be one of %s in quotes, not %s", strings.Join(choices["output.fields.quantities"].have, ", "), kind(e))
			continue
		}
		if name, ok = t.r.choose(key, "output.fields.quantities", name); !ok {
			continue
		}
		if slices.Contains(f.Quantities, name) {
			t.r.fail(key, "%q stands twice, must be once: remove one", name)
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

func readProbe(t *table, name string) {
	p := Probe{Name: name}
	p.At = t.requiredVector("at", spec{quantity: Length, remedy: "give the place in L, for instance [15.0, 7.5]"})
	if t.r.clean(t.key("at"), "domain.size", "domain.origin", "domain.lattice") && !t.r.c.Domain.inside(p.At) {
		t.fail("at", "probe %q lies outside the domain, which is %s: move the probe or enlarge domain.size", p.Name, t.r.c.Domain.extent())
	}
	p.Every = every(t, defaultEvery)
	t.r.c.Output.Probes = append(t.r.c.Output.Probes, p)
}

func readStatistics(t *table) {
	s := &t.r.c.Output.Statistics
	s.From = math.NaN()
	t.note("from", "auto")
	t.ask("from", ask{form: "auto", def: "auto"})
	if v, ok := t.get("from"); !ok || v == any("auto") {
		return
	}
	s.From = t.number("from", spec{Time, notNegative, `give the beginning of the window in L/U, or "auto"`}, 0)
}
