package lbm

// Pending is a value that has been asked for and may still be on its way from a device.
// On the CPU it is complete from the start (Done). It is copied freely, by value, without
// allocation; its zero value is complete and holds the zero V.
type Pending[V any] struct {
	value  V
	err    error
	source Source[V] // nil: complete
}

// Source delivers the value of a Pending that was not complete when it was made. It
// returns the same value however often it is asked.
type Source[V any] interface {
	// Ready reports whether Wait returns at once. It may set a transfer going.
	Ready() bool

	// Wait returns the value, with the failure of the device that lost it, if one has.
	Wait() (V, error)
}

// Done is a value that is complete.
func Done[V any](v V) Pending[V] { return Pending[V]{value: v} }

// Failed is what stands for a value that cannot be had, and why.
func Failed[V any](v V, err error) Pending[V] { return Pending[V]{value: v, err: err} }

// Later is a value that a source delivers.
func Later[V any](s Source[V]) Pending[V] { return Pending[V]{source: s} }

// Ready reports whether Wait returns at once.
func (p Pending[V]) Ready() bool { return p.source == nil || p.source.Ready() }

// Wait returns the value, with the failure of the device that lost it, if one has. How
// long a value that refers to memory stays valid is said where it is asked for.
func (p Pending[V]) Wait() (V, error) {
	if p.source == nil {
		return p.value, p.err
	}
	return p.source.Wait()
}
