package transfer

import (
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/transfer"
	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/run/backend"
)

// resident is a transfer between fields and points that lie in a device's memory, as
// they do in a simulation: every list that it is given is copied there the first time,
// and stays. Its calls queue work; wait waits for it, and results stay on the device
// unless it is telling.
type resident[T ib.Float] struct {
	transfer *transfer.Transfer[T]
	device   string
	context  *driver.Context
	stream   *driver.Stream
	lists    map[unsafe.Pointer]*driver.Memory // by where they lie on the host
	slots    [2][]device.Slot                  // of the call at hand
	telling  bool                              // fields are copied to the device, and results back, in every call
	err      error
}

func newResident[T ib.Float](d *backend.Device, strategy string, grids []ib.Grid, delta ib.Delta[T]) (*resident[T], error) {
	r := &resident[T]{device: d.Info().Name, context: d.Context(), lists: map[unsafe.Pointer]*driver.Memory{}}
	var err error
	if r.stream, err = r.context.Stream(); err != nil {
		return nil, err
	}
	if r.transfer, err = transfer.New(d.Library(), r.stream, strategy, grids, delta); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *resident[T]) close() {
	if r.transfer != nil {
		r.transfer.Close()
	}
	for _, m := range r.lists {
		m.Free()
	}
	r.stream.Close()
}

// wait returns when all that has been asked for is done.
func (r *resident[T]) wait() error {
	if r.err == nil {
		r.err = r.stream.Synchronize()
	}
	return r.err
}

func (r *resident[T]) tell(yes bool) { r.telling = yes }

// list is where a list of the host is on the device; always copies it anew.
func list[E any](stream *driver.Stream, context *driver.Context, lists map[unsafe.Pointer]*driver.Memory, l []E, always bool) (device.Slot, error) {
	at, bytes := unsafe.Pointer(unsafe.SliceData(l)), len(l)*int(unsafe.Sizeof(*new(E)))
	m := lists[at]
	if m != nil && !always {
		return device.Slot{Memory: m}, nil
	}
	if m == nil {
		var err error
		if m, err = context.Alloc(max(bytes, 1)); err != nil {
			return device.Slot{}, err
		}
		lists[at] = m
	}
	return device.Slot{Memory: m}, stream.CopyTo(m, 0, at, bytes)
}

// SetPoints tells where the points are.
func (r *resident[T]) SetPoints(x []geometry.Vec) error {
	if r.err != nil {
		return r.err
	}
	at, err := list(r.stream, r.context, r.lists, x, false)
	if err != nil {
		return err // no room
	}
	return r.transfer.SetPoints(at, len(x))
}

// Interpolate queues values[c][k] = Σ_x field[c][x] δ(x−X_k).
func (r *resident[T]) Interpolate(values, field [][]T) { r.do(values, field, values) }

// Spread queues field[c][x] += Σ_k values[c][k] δ(x−X_k).
func (r *resident[T]) Spread(field, values [][]T) { r.do(values, field, field) }

func (r *resident[T]) do(values, field, out [][]T) {
	if r.err != nil {
		return
	}
	for i, lists := range [2][][]T{values, field} {
		r.slots[i] = r.slots[i][:0]
		for _, l := range lists {
			at, err := list(r.stream, r.context, r.lists, l, r.telling)
			if err != nil {
				r.err = err
				return
			}
			r.slots[i] = append(r.slots[i], at)
		}
	}
	if &out[0] == &field[0] {
		r.err = r.transfer.Spread(r.slots[1], r.slots[0])
	} else {
		r.err = r.transfer.Interpolate(r.slots[0], r.slots[1])
	}
	if r.err == nil && r.telling {
		r.err = r.fetch(out)
	}
}

// fetch copies results to the host.
func (r *resident[T]) fetch(out [][]T) error {
	for _, l := range out {
		m := r.lists[unsafe.Pointer(unsafe.SliceData(l))]
		if err := r.stream.CopyFrom(unsafe.Pointer(unsafe.SliceData(l)), m, 0, len(l)*int(unsafe.Sizeof(l[0]))); err != nil {
			return err
		}
	}
	return r.stream.Synchronize()
}
