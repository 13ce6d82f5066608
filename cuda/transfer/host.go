package transfer

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/geometry"
	"lbmib/ib"
)

// Host is a Transfer for points, values and fields in host memory, which it
// copies to the device and back: an ib.Transfer. Once the device has failed, calls do
// nothing and Err tells why.
type Host[T ib.Float] struct {
	*Transfer[T]
	delta         ib.Delta[T]
	positions     device.Buffer
	field, values []device.Buffer
	at            [2][]device.Slot // of field and values
	err           error
}

// NewHost makes a transfer; see New.
func NewHost[T ib.Float](l *device.Library, s *driver.Stream, strategy string, grids []ib.Grid, d ib.Delta[T]) (*Host[T], error) {
	t, err := New(l, s, strategy, grids, d)
	if err != nil {
		return nil, err
	}
	return &Host[T]{Transfer: t, delta: d}, nil
}

// Close frees all memory of the transfer.
func (t *Host[T]) Close() {
	t.positions.Free()
	for i := range t.field {
		t.field[i].Free()
		t.values[i].Free()
	}
	t.Transfer.Close()
}

// Err is the first failure of the device.
func (t *Host[T]) Err() error { return t.err }

// SetPoints tells where the points are.
func (t *Host[T]) SetPoints(x []geometry.Vec) error {
	if t.err != nil {
		return t.err
	}
	if t.err = t.send(x); t.err != nil {
		return t.err
	}
	first, err := t.Invalid()
	if err != nil {
		t.err = err
		return err
	}
	if first < 0 {
		return nil
	}
	if t.err = t.send(nil); t.err != nil {
		return t.err
	}
	checker, err := ib.NewStaggered("serial", t.grids, t.delta, nil)
	if err == nil {
		err = checker.SetPoints(x) // names the point in the words of package ib
	}
	if err == nil {
		err = fmt.Errorf("cuda: marker %d has no position on the device, but has one on the host: %v", first, x[first])
	}
	return err
}

func (t *Host[T]) send(x []geometry.Vec) error {
	if _, err := t.positions.Reserve(t.Context, 3*len(x), 8); err != nil {
		return err
	}
	if err := device.CopyIn(t.Stream, device.At(t.positions.Memory, 0), x); err != nil {
		return err
	}
	return t.Transfer.SetPoints(device.At(t.positions.Memory, 0), len(x))
}

// Interpolate computes values[c][k] = Σ_x field[c][x] δ_h(x−X_k) h^d.
func (t *Host[T]) Interpolate(values, field [][]T) {
	t.do(values, field, func() error {
		for c := range field {
			if err := device.CopyIn(t.Stream, t.at[0][c], field[c]); err != nil {
				return err
			}
		}
		if err := t.Transfer.Interpolate(t.at[1], t.at[0]); err != nil {
			return err
		}
		return t.bring(values, t.at[1])
	})
}

// Spread adds values to fields: field[c][x] += Σ_k values[c][k] δ_h(x−X_k).
func (t *Host[T]) Spread(field, values [][]T) {
	t.do(values, field, func() error {
		for c := range field {
			if err := device.CopyIn(t.Stream, t.at[0][c], field[c]); err != nil {
				return err
			}
			if err := device.CopyIn(t.Stream, t.at[1][c], values[c]); err != nil {
				return err
			}
		}
		if err := t.Transfer.Spread(t.at[0], t.at[1]); err != nil {
			return err
		}
		return t.bring(field, t.at[0])
	})
}

// do does a transfer of values and fields of the right lengths.
func (t *Host[T]) do(values, field [][]T, transfer func() error) {
	t.mustMatch(field, values)
	if t.err != nil || t.n == 0 || len(field) == 0 {
		return
	}
	if t.err = t.hold(field, values); t.err == nil {
		t.err = transfer()
	}
}

// bring waits, and copies numbers out.
func (t *Host[T]) bring(to [][]T, from []device.Slot) error {
	for c := range to {
		if err := device.CopyOut(t.Stream, to[c], from[c]); err != nil {
			return err
		}
	}
	return t.Stream.Synchronize()
}

// hold makes room for fields and values.
func (t *Host[T]) hold(field, values [][]T) error {
	for len(t.field) < len(field) {
		t.field, t.values = append(t.field, device.Buffer{}), append(t.values, device.Buffer{})
	}
	t.at[0], t.at[1] = t.at[0][:0], t.at[1][:0]
	for c := range field {
		if _, err := t.field[c].Reserve(t.Context, len(field[c]), device.SizeOf[T]()); err != nil {
			return err
		}
		if _, err := t.values[c].Reserve(t.Context, len(values[c]), device.SizeOf[T]()); err != nil {
			return err
		}
		t.at[0], t.at[1] = append(t.at[0], device.At(t.field[c].Memory, 0)), append(t.at[1], device.At(t.values[c].Memory, 0))
	}
	return nil
}

// mustMatch panics unless fields and values are those of the grids and points.
func (t *Host[T]) mustMatch(field, values [][]T) {
	if len(field) != len(values) {
		panic(fmt.Sprintf("cuda: transfer of %d fields to or from %d lists of values: give the same number of components", len(field), len(values)))
	}
	if t.of != nil && len(field) > len(t.of) {
		panic(fmt.Sprintf("cuda: transfer of %d fields on %d grids: a staggered field has one grid for each component", len(field), len(t.of)))
	}
	for c := range field {
		s := t.Sites[0]
		if t.of != nil {
			s = t.Sites[t.of[c]]
		}
		if len(field[c]) != s.Nodes || len(values[c]) != t.n {
			panic(fmt.Sprintf("cuda: transfer: component %d has %d nodes and %d values, the grid has %d nodes and there are %d points: give one value per node and one per point",
				c, len(field[c]), len(values[c]), s.Nodes, t.n))
		}
	}
}
