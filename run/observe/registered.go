package observe

import (
	"path"
	"slices"
	"strings"

	"lbmib/lbm"
)

// Registration is a kind of output.
type Registration[T lbm.Float] struct {
	Key   string   // what asks for it in the case file
	Files []string // what it leaves below the run directory, as patterns
	Sound bool     // it writes or keeps the whole state, of which the health is checked before

	// New makes its observers: none where the case does not ask for it.
	New func(*Outputs[T]) ([]Observer, error)
}

// Registered are all kinds of outputs, in the order in which they observe.
func Registered[T lbm.Float]() []Registration[T] {
	return []Registration[T]{
		{Key: "run.stop_when.steady", New: newSteady[T]},
		{Key: "output.forces", Files: []string{forcesFile}, New: newForces[T]},
		{Key: "output.bodies", Files: []string{bodiesFile}, New: newBodies[T]},
		{Key: "output.probes", Files: []string{probesFile}, New: newProbes[T]},
		{Key: "output.lines", Files: []string{"lines/*.csv"}, New: newLines[T]},
		{Key: "output.means", Files: []string{MeansFile}, New: newMeans[T], Sound: true},
		{Key: "output.fields", Files: []string{"fields.vtkhdf.series", markersSeries, "slices/*.vtkhdf.series", "boxes/*.vtkhdf.series",
			"fields/*.vtkhdf", "slices/*.vtkhdf", "boxes/*.vtkhdf"}, New: newFields[T], Sound: true},
	}
}

// Patterns are the files that outputs leave below the run directory: lists before what they name.
func Patterns() (all []string) {
	for _, r := range Registered[float64]() {
		all = append(all, r.Files...)
	}
	isList := func(name string) int {
		if path.Ext(name) == ".series" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b string) int { return isList(a) - isList(b) })
	return all
}

// folderOf is the folder, below the run directory, of a file; empty: none.
func folderOf(name string) string {
	folder, _, _ := strings.Cut(name, "/")
	if folder == name {
		return ""
	}
	return folder
}
