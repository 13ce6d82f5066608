package observe

import (
	"fmt"
	"strings"

	"lbmib/internal/finite"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
)

// Saved is what a checkpoint keeps of the outputs: numbers beside its sections, and sections.
type Saved struct {
	Offsets  Offsets        `json:"offsets"`
	Wall     int64          `json:"wall,omitempty"`  // samples in the means at a vessel's wall
	Means    int64          `json:"means,omitempty"` // samples in the running means
	Extremes Extremes       `json:"extremes"`
	Flow     *SavedFlow     `json:"flow,omitempty"`
	Moved    []int          `json:"moved,omitempty"`   // nodes that the domain has, along each axis; none: it stays
	Rate     *finite.Number `json:"rate,omitempty"`    // |∂u/∂t| when it was last compared with stop_when.steady
	Outputs  []File         `json:"outputs,omitempty"` // files so far; since format 2

	Sections []checkpoint.Section   `json:"-"` // to be written
	From     *checkpoint.Checkpoint `json:"-"` // to be read
}

// Offsets are the lengths, in bytes, of the time series at a checkpoint.
type Offsets struct {
	Forces int64            `json:"forces"`
	Probes int64            `json:"probes"`
	Bodies int64            `json:"bodies,omitempty"`
	Lines  map[string]int64 `json:"lines,omitempty"`
	Others map[string]int64 `json:"others,omitempty"` // by the name of the file

	Turned  []float64 `json:"turned,omitempty"`  // angles of the bodies in the last rows of bodies.csv
	Treaded []float64 `json:"treaded,omitempty"` // of the membranes in those of cells.csv
}

// Of is the length of a table; 0 where the checkpoint knows none.
func (o *Offsets) Of(name string) int64 {
	if to := o.own(name); to != nil {
		return *to
	}
	if line, ok := lineIn(name); ok {
		return o.Lines[line]
	}
	return o.Others[name]
}

// Set keeps the length of a table.
func (o *Offsets) Set(name string, length int64) {
	into := &o.Others
	if to := o.own(name); to != nil {
		*to = length
		return
	}
	if line, ok := lineIn(name); ok {
		name, into = line, &o.Lines
	}
	if *into == nil {
		*into = map[string]int64{}
	}
	(*into)[name] = length
}

// own is where the length of a table with a key of its own is kept; nil: it has none.
func (o *Offsets) own(name string) *int64 {
	switch name {
	case forcesFile:
		return &o.Forces
	case bodiesFile:
		return &o.Bodies
	case probesFile:
		return &o.Probes
	}
	return nil
}

// lineIn is the line whose table a file is.
func lineIn(name string) (line string, ok bool) {
	if line, ok = strings.CutPrefix(name, linesFolder+"/"); ok {
		return strings.CutSuffix(line, ".csv")
	}
	return "", false
}

// Keep adds part i of a list of arrays to a checkpoint.
func (s *Saved) Keep(list string, i int, data any) {
	s.Sections = append(s.Sections, checkpoint.Section{Name: SectionName(list, i), Data: data})
}

// SectionName is the name of part i of a list of arrays.
func SectionName(list string, i int) string { return fmt.Sprintf("%s%02d", list, i) }

// SectionsOf are n arrays of a checkpoint, which they still belong to.
func SectionsOf[T lbm.Float](c *checkpoint.Checkpoint, list string, n int) ([][]T, error) {
	all := make([][]T, n)
	for i := range all {
		var err error
		switch to := any(&all[i]).(type) {
		case *[]float64:
			*to, err = c.Float64(SectionName(list, i))
		case *[]float32:
			*to, err = c.Float32(SectionName(list, i))
		default:
			panic(fmt.Sprintf("observe: no checkpoint section holds %T", all[i]))
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
