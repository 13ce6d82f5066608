package observe

import (
	"path"
	"slices"
	"strings"

	"lbmib/io/casefile"
	"lbmib/lbm"
)

// kind is a kind of output, which the file of its observer registers by the key that asks for it.
type kind struct {
	key   string   // in the case file, of outputs as casefile.OutputNames has it
	files []string // what it leaves below the run directory, as patterns
	sound bool     // it writes or keeps the whole state, of which the health is checked before
	f32   maker[float32]
	f64   maker[float64]
}

// maker makes the observers of a kind: none where the case does not ask for it.
type maker[T lbm.Float] func(*Outputs[T]) ([]Observer, error)

func makerOf[T lbm.Float](k kind) maker[T] {
	if f, ok := any(k.f32).(maker[T]); ok {
		return f
	}
	return any(k.f64).(maker[T])
}

var registered []kind

// register adds a kind of output. All are known before main begins.
func register(k kind) { registered = append(registered, k) }

// kinds are all that are registered, in the order in which they observe: those that end the run,
// then the outputs in the order of the case file's table.
func kinds() []kind {
	names := casefile.OutputNames()
	return slices.SortedStableFunc(slices.Values(registered), func(a, b kind) int {
		return slices.Index(names, a.key) - slices.Index(names, b.key)
	})
}

// Patterns are the files that outputs leave below the run directory: lists before what they name.
func Patterns() (all []string) {
	for _, k := range kinds() {
		all = append(all, k.files...)
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
