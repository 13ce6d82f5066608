package gpureport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// scope is how much a report is to hold.
type scope struct {
	quick bool
	tiny  bool // the device is a stand-in: all is as short as can be
}

// section is a part of the report to be made: units, each in processes of its own, and
// what is made of what they find.
type section struct {
	name, title string
	full, quick time.Duration // at most
	patience    time.Duration // of a unit that says nothing: more than the longest item takes; see patienceWithin
	units       func(scope) []unit
	gather      func(*gathering)
}

// unit is a part of a section to be made.
type unit struct {
	name string
	do   func(*job) error
}

func (s *section) limit(quick bool) time.Duration {
	if quick {
		return s.quick
	}
	return s.full
}

// leastPatience is more than a process takes to begin its first item.
const leastPatience = 3 * time.Second

// patienceWithin is how long a unit may say nothing where so much time is left to it: a
// part of that time, so that a hang is known as one and there is time for what is behind it.
func (s *section) patienceWithin(left time.Duration) time.Duration {
	return min(s.patience, max(left/3, leastPatience))
}

// The whole report takes no longer. The sections' limits add up to less; a section may
// have what those before it have left, too.
const (
	fullTime  = 8*time.Minute + 40*time.Second
	quickTime = 3*time.Minute + 35*time.Second
)

func wholeTime(quick bool) time.Duration {
	if quick {
		return quickTime
	}
	return fullTime
}

// sections come in the order of what their failure would make of the rest, and bodies
// in a fluid, which are short, before the sweeps over large grids.
var sections = []section{
	{"kernels", "Kernels, by the driver's own compiler", 60 * time.Second, 36 * time.Second, 20 * time.Second, kernelUnits, gatherKernels},
	{"conformance", "Conformance of couplings, of the fluid and of transfers", 82 * time.Second, 42 * time.Second, 20 * time.Second, conformanceUnits, gatherConformance},
	{"bandwidth", "Bandwidth of the device's memory", 8 * time.Second, 8 * time.Second, 6 * time.Second, bandwidthUnits, gatherBandwidth},
	{"cylinder", "A small grid: 1600 × 600 with a cylinder", 10 * time.Second, 8 * time.Second, 8 * time.Second, cylinderUnits, gatherCylinder},
	{"coupled", "Bodies in a stream, by schedule", 48 * time.Second, 16 * time.Second, 25 * time.Second, coupledUnits, gatherCoupled},
	{"fluid", "The fluid alone", 110 * time.Second, 34 * time.Second, 30 * time.Second, fluidUnits, gatherFluid},
	{"transfer", "Interpolation and spreading beside the processor", 58 * time.Second, 24 * time.Second, 30 * time.Second, transferUnits, gatherTransfer},
	{"kassen", "Interpolation and spreading in the tables of Kassen et al.", 34 * time.Second, 20 * time.Second, 15 * time.Second, kassenUnits, gatherKassen},
	{"sanitizer", "compute-sanitizer on small runs", 75 * time.Second, 14 * time.Second, 45 * time.Second, sanitizerUnits, gatherSanitizer},
	{"validation", "Validation suite, quick, on the device", 34 * time.Second, 10 * time.Second, 25 * time.Second, validationUnits, gatherValidation},
}

// SectionNames are the sections in their order.
func SectionNames() (names []string) {
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}

// gathering makes a section of its units.
type gathering struct {
	scope
	*Section
	device string // its name
	text   strings.Builder
}

func (g *gathering) printf(format string, args ...any) { fmt.Fprintf(&g.text, format, args...) }

// whole tells whether every item of the section was made, well or not.
func (g *gathering) whole() bool {
	for _, u := range g.Units {
		if u.Status == incomplete || u.Status == notRun || u.Status == "" || len(u.LeftOut) > 0 {
			return false
		}
	}
	return true
}

// dataOf is what the items have measured, item by item; an item may hold several.
func dataOf[R any](units []*Unit) (all []R) {
	for _, u := range units {
		for _, i := range u.Items {
			if len(i.Data) == 0 {
				continue
			}
			var one R
			var many []R
			if i.Data[0] == '[' && json.Unmarshal(i.Data, &many) == nil {
				all = append(all, many...)
			} else if json.Unmarshal(i.Data, &one) == nil {
				all = append(all, one)
			}
		}
	}
	return all
}

// conclude makes status, data, values and text of the units that there are; all tells
// whether there will be no more.
func (s *section) conclude(part *Section, sc scope, device string, all bool) {
	g := &gathering{scope: sc, Section: part, device: device}
	part.Values = map[string]float64{}
	part.Data = joined(part.Units)
	part.Status, part.Note = verdictOf(part.Units, all)
	s.gather(g)
	part.Text = g.text.String() + troubles(part.Units)
}

// verdictOf is a section's status by its units.
func verdictOf(units []*Unit, all bool) (status, note string) {
	states := map[string]int{}
	for _, u := range units {
		states[u.Status]++
		if note == "" {
			note = u.Note
		}
	}
	switch {
	case states[failed] > 0:
		return failed, note
	case len(units) > 0 && states[notRun] == len(units):
		return notRun, note
	case !all:
		return incomplete, "it is being made"
	case states[notRun]+states[incomplete] > 0:
		return incomplete, note
	case states[absent] > 0:
		return absent, note
	}
	return done, ""
}

// joined is the data of all items as one array, those of arrays joined.
func joined(units []*Unit) json.RawMessage {
	var parts [][]byte
	for _, raw := range dataOf[json.RawMessage](units) {
		parts = append(parts, raw)
	}
	if len(parts) == 0 {
		return nil
	}
	return append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
}

// troubles tells what went wrong and what was not run, item by item.
func troubles(units []*Unit) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "- "+format+"\n", args...) }
	for _, u := range units {
		for _, i := range u.Items {
			if i.Status != done {
				line("**%s**: %s: %s: %s", i.Status, u.Name, i.Name, i.Note)
			}
		}
		if u.Note != "" && u.Status != done {
			line("**%s**: %s: %s", u.Status, u.Name, u.Note)
		}
		if n := len(u.LeftOut); n > 0 {
			line("**not run**: %s: %d: %s", u.Name, n, strings.Join(u.LeftOut, "; "))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + b.String()
}
