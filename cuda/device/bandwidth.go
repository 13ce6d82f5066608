package device

import (
	"fmt"
	"math/rand/v2"

	"lbmib/cuda/driver"
)

// Bandwidth measures what the device's memory gives: the limits that a step is held against.
// A step on two lattices moves no more bytes a second than a copy, one in place no more
// than an update. Rates are in GB/s, GB = 1e9 bytes, read plus written.
type Bandwidth struct {
	stream     *driver.Stream
	begin, end *driver.Event
	memory     *driver.Memory
	bytes      int // a multiple of twice bandwidthChunk
	scale      Kernel
	err        error
}

// bandwidthChunk is the memory that is filled from the host; all of it is copies of that.
const bandwidthChunk = 1 << 16

// NewBandwidth makes a measurement that copies one half of bytes to the other, and updates all of
// them. They are rounded up to a multiple of 128 KiB and hold random numbers, since some
// devices move others faster. It must be released.
func NewBandwidth(l *Library, bytes int64) (*Bandwidth, error) {
	m := &Bandwidth{bytes: RoundUp(int(max(bytes, 1)), 2*bandwidthChunk)}
	if err := m.prepare(l); err != nil {
		m.Release()
		return nil, err
	}
	return m, nil
}

func (m *Bandwidth) prepare(l *Library) (err error) {
	if m.stream, err = l.Context.Stream(); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&m.begin, &m.end} {
		if *e, err = l.Context.Event(); err != nil {
			return err
		}
	}
	if m.memory, err = l.Context.Alloc(m.bytes); err != nil {
		return err
	}
	f, err := l.Function("meter", "scale_packs_f32")
	if err != nil {
		return err
	}
	m.scale = Kernel{f, driver.NewArgs(3)}
	m.scale.Args.Pointer(0, m.memory, 0)
	m.scale.Args.Float32(1, 1) // a number that the compiler does not know
	m.scale.Args.Int64(2, int64(m.bytes/16))
	return m.fill()
}

// fill writes a chunk of random numbers, and doubles it until memory is full.
func (m *Bandwidth) fill() error {
	r := rand.New(rand.NewPCG(1, 0x6d65746572))
	values := make([]float32, bandwidthChunk/4)
	for i := range values {
		values[i] = 0.5 + r.Float32()
	}
	if err := CopyIn(m.stream, Slot{m.memory, 0}, values); err != nil {
		return err
	}
	for n := bandwidthChunk; n < m.bytes; n *= 2 {
		if err := m.stream.CopyWithin(m.memory, n, m.memory, 0, min(n, m.bytes-n)); err != nil {
			return err
		}
	}
	return m.stream.Synchronize()
}

// Copy is the rate of the driver's copy of one half to the other; 0 after a failure.
func (m *Bandwidth) Copy() float64 {
	return m.pass(m.bytes, func() error { return m.stream.CopyWithin(m.memory, m.bytes/2, m.memory, 0, m.bytes/2) })
}

// Update is the rate of a kernel that multiplies every number by another, in place; 0
// after a failure.
func (m *Bandwidth) Update() float64 {
	const threads = 256
	blocks := (m.bytes/16 + threads - 1) / threads
	return m.pass(2*m.bytes, func() error {
		return m.stream.Launch(m.scale.Function, [3]int{blocks, 1, 1}, [3]int{threads, 1, 1}, 0, m.scale.Args)
	})
}

// pass times what moves so many bytes on the device's clock.
func (m *Bandwidth) pass(bytes int, do func() error) float64 {
	if m.err != nil {
		return 0
	}
	var seconds float64
	for _, step := range []func() error{
		func() error { return m.stream.Record(m.begin) },
		do,
		func() error { return m.stream.Record(m.end) },
		m.stream.Synchronize,
		func() (err error) { seconds, err = driver.Elapsed(m.begin, m.end); return err },
	} {
		if m.err = step(); m.err != nil {
			return 0
		}
	}
	return float64(bytes) / max(seconds, 1e-9) / 1e9
}

// Err is the first failure of the device.
func (m *Bandwidth) Err() error {
	if m.err == nil {
		return nil
	}
	return fmt.Errorf("measuring the device's memory: %w", m.err)
}

// Release frees the memory.
func (m *Bandwidth) Release() {
	m.memory.Free()
	m.begin.Close()
	m.end.Close()
	m.stream.Close()
}
