package joined

import (
	"runtime"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/run/backend"
)

// maker makes grids on the processor or a device.
type maker[T lbm.Float] struct {
	pool   *parallel.Pool
	device *backend.Device        // nil: the processor
	first  backend.DeviceFluid[T] // of the grids that are joined
	made   []backend.DeviceFluid[T]
}

// joinable makes a grid that can be joined with others of its making.
func (m *maker[T]) joinable(cfg lbm.Config) (lbm.Fluid[T], error) {
	if m.device == nil {
		return lbm.New[T](cfg, m.pool)
	}
	f, err := m.keep(backend.NewFluidBeside(m.device, cfg, m.first))
	if err != nil {
		return nil, err
	}
	if m.first == nil {
		m.first = f
	}
	return f, nil
}

// alone makes a grid by itself.
func (m *maker[T]) alone(cfg lbm.Config) (lbm.Fluid[T], error) {
	if m.device == nil {
		return lbm.New[T](cfg, m.pool)
	}
	return m.keep(backend.NewFluid[T](m.device, cfg))
}

func (m *maker[T]) keep(f backend.DeviceFluid[T], err error) (backend.DeviceFluid[T], error) {
	if err != nil {
		return nil, err
	}
	m.made = append(m.made, f)
	return f, nil
}

// taken is how much memory is taken, in bytes: what is allocated, garbage left out, or what a device has not free.
func (m *maker[T]) taken() int64 {
	if m.device != nil {
		free, total, err := m.device.Memory()
		if err != nil {
			return 0
		}
		return total - free
	}
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// close closes what is on a device, the first last.
func (m *maker[T]) close() {
	for k := range m.made {
		m.made[len(m.made)-1-k].Close()
	}
	m.made = nil
}
