package bandwidth

const (
	chunk      = 64        // float64s of a stream that go through registers at a time
	chunkBytes = chunk * 8 // as in gen
	maxStreams = 24
)

// copyWay and updateWay are ways to pass over one worker's memory. All lengths
// are allowed; streaming stores need dst on a cache line.
type (
	copyWay struct {
		name string
		do   func(dst, src []float64) // dst = src, of equal length
	}
	updateWay struct {
		name string
		do   func(a []float64, s float64) // a = s·a
	}
)

// copies lists the copies that this processor can do.
func copies() []copyWay {
	return append(vectorCopies(), copyWay{"Go copy", func(dst, src []float64) { copy(dst, src) }})
}

// updates lists the in-place updates that this processor can do.
func updates() []updateWay {
	return append(vectorUpdates(), updateWay{"Go loop", scale})
}

func scale(a []float64, s float64) {
	for i := range a {
		a[i] *= s
	}
}
