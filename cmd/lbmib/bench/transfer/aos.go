package transfer

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"lbmib/ib"
)

// Layouts of markers.
const (
	soa = "soa" // a list for every component
	aos = "aos" // position, velocity and force of a marker side by side
)

var layouts = []string{soa, aos}

// mostAoS is the number of components that a marker has room for.
const mostAoS = len(ib.Marker[float64]{}.Force)

// checkAoS refuses markers stored as structures where no row may have them.
func (s *Selection) checkAoS(specs []Spec) error {
	found := false
	for i := range specs {
		if specs[i].Layout != aos {
			continue
		}
		if found = true; specs[i].Components > mostAoS {
			return fmt.Errorf("--components %d with --layout aos: a marker has at most %d: choose fewer, or layout soa", specs[i].Components, mostAoS)
		}
	}
	if !found && slices.Contains(s.Layout, aos) {
		return errors.New("--layout aos goes with --algorithm serial and --backend cpu, which are not among the rows: add them or choose layout soa")
	}
	return nil
}

// structures is strategy serial for markers stored as an array of structures. The
// stage's forces are copied to them the first time, and velocities stay in them, unless
// it is telling.
type structures[T ib.Float] struct {
	*ib.AoS[T]
	forces  *T // those that the markers have
	telling bool
}

func newStructures[T ib.Float](s *stage[T]) (*structures[T], error) {
	t, err := ib.NewAoS(s.grids, s.delta, ib.Kernel(s.Kernel))
	if err != nil {
		return nil, err
	}
	return &structures[T]{AoS: t}, nil
}

// Interpolate finds the markers' velocities.
func (t *structures[T]) Interpolate(values, field [][]T) {
	t.AoS.Interpolate(field)
	if !t.telling {
		return
	}
	for c := range values {
		for k := range t.Markers {
			values[c][k] = t.Markers[k].Velocity[c]
		}
	}
}

// Spread spreads the markers' forces.
func (t *structures[T]) Spread(field, values [][]T) {
	if first := unsafe.SliceData(values[0]); t.telling || t.forces != first {
		t.forces = first
		for c := range values {
			for k := range t.Markers {
				t.Markers[k].Force[c] = values[c][k]
			}
		}
	}
	t.AoS.Spread(field)
}

func (t *structures[T]) tell(yes bool) { t.telling = yes }

func (*structures[T]) wait() error { return nil }

// apart is a transfer of values that do not lie in the stage's lists: results are
// brought there only while it is told to, and may not be there before wait returns.
type apart interface {
	tell(bool)
	wait() error
}

var (
	_ apart = (*structures[float64])(nil)
	_ apart = (*resident[float64])(nil)
)
