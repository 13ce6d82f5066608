package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// What is done to listed nodes. The methods whose names end in On work on device memory
// alone: they are queued on the fluid's stream and return at once.

// MomentsOn reads density and velocity of count nodes, listed as int32 indices in the
// domain, but those that are −1: out[k] = ρ, out[(1+a)·count + k] = u_a, in T, with u as Moments has it.
func (f *access[T]) MomentsOn(nodes device.Slot, count int, out device.Slot) error {
	if count == 0 || !f.settled() {
		return f.err
	}
	s := device.Setter{Args: f.exchange.args.moments}
	f.setLattice(&s).Pointer(nodes.Memory, nodes.At).Int64(count).Pointer(out.Memory, out.At)
	device.SetReals(&s, f.rates.Accel[:]...)
	return f.overNodes(f.kernels.moments, count, s.Args)
}

// CorrectOn lets the force density force[a·count + k] act on the listed nodes but those that
// are −1, each at most once in the list, in the step just made; see lbm.Fluid.Correct.
func (f *access[T]) CorrectOn(nodes device.Slot, count int, force device.Slot) error {
	if count == 0 || !f.settled() {
		return f.err
	}
	s := device.Setter{Args: f.exchange.args.correct}
	f.setLattice(&s).Pointer(nodes.Memory, nodes.At).Int64(count).Pointer(force.Memory, force.At)
	f.setRates(&s)
	f.setNoise(&s, lbm.ForCorrection, f.steps)
	f.changed()
	return f.overNodes(f.kernels.correct, count, s.Args)
}

// Moments reads density and velocity at nodes; see lbm.Fluid.
func (f *access[T]) Moments(nodes, at []int32, rho []T, u [][]T) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.moments(nodes, at, rho, u))
	}
}

func (f *access[T]) moments(nodes, at []int32, rho []T, u [][]T) error {
	count := len(nodes)
	values := (1 + f.cfg.Lattice.Dim) * count
	list, err := f.listed(nodes)
	if err != nil {
		return err
	}
	if err := f.exchange.out.Reserve(f, f.context, values*device.SizeOf[T]()); err != nil {
		return err
	}
	if err := f.MomentsOn(device.At(list, 0), count, device.At(f.exchange.out.Device, 0)); err != nil {
		return err
	}
	return f.takeMoments(at, rho, u)
}

// takeMoments waits for density and velocity that are ready to go out, and puts them where they are wanted.
func (f *access[T]) takeMoments(at []int32, rho []T, u [][]T) error {
	count := len(at)
	values := (1 + f.cfg.Lattice.Dim) * count
	if err := f.bring(values); err != nil {
		return err
	}
	from, err := f.brought(values)
	if err != nil {
		return err
	}
	scatter(rho, at, from)
	for a := range u {
		scatter(u[a], at, from[(1+a)*count:])
	}
	return nil
}

// scatter stores from[k] at to[at[k]].
func scatter[T any](to []T, at []int32, from []T) {
	from = from[:len(at)]
	for k, n := range at {
		to[n] = from[k]
	}
}

// Correct lets a force density act on nodes in the step just made; see lbm.Fluid.
func (f *access[T]) Correct(nodes, at []int32, force [][]T) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.correct(nodes, at, force))
	}
}

func (f *access[T]) correct(nodes, at []int32, force [][]T) error {
	list, err := f.sendForces(nodes, at, force)
	if err != nil {
		return err
	}
	if err := f.CorrectOn(device.At(list, 0), len(nodes), device.At(f.exchange.in.Device, 0)); err != nil {
		return err
	}
	return f.sent()
}

// sendForces sets forces on nodes on their way to the passage in. list is that of the nodes.
func (f *access[T]) sendForces(nodes, at []int32, force [][]T) (list *driver.Memory, err error) {
	count := len(nodes)
	values := f.cfg.Lattice.Dim * count
	if list, err = f.listed(nodes); err != nil {
		return nil, err
	}
	to, err := f.room(values)
	if err != nil {
		return nil, err
	}
	for a := range f.cfg.Lattice.Dim {
		into, from := to[a*count:(a+1)*count], force[a]
		for k, n := range at[:count] {
			into[k] = from[n]
		}
	}
	return list, f.send(values)
}

// Fetch reads populations at nodes; see lbm.Exchanger.
func (f *access[T]) Fetch(nodes []int32, g [][]T) {
	if len(nodes) == 0 || !f.settled() {
		return
	}
	if err := f.fetch(nodes, g); err != nil {
		f.fail(err)
		return
	}
	f.fail(f.fetched(g))
}

// StepFetching is Fetch, then Step, which goes on while populations are on their way;
// see lbm.Overlapped.
func (f *access[T]) StepFetching(nodes []int32, g [][]T) {
	if !f.settled() {
		return
	}
	if len(nodes) == 0 {
		f.fail(f.step())
		return
	}
	if err := f.fetch(nodes, g); err != nil {
		f.fail(err)
		return
	}
	if err := f.step(); err != nil {
		f.fail(err)
		return
	}
	f.fail(f.fetched(g))
}

// fetch sets populations of nodes on their way to the host: to where they are wanted, if
// that is lent memory.
func (f *access[T]) fetch(nodes []int32, g [][]T) error {
	count, out := len(g[0]), &f.exchange.out
	list, err := f.listed(nodes)
	if err != nil {
		return err
	}
	to, stride := f.straight(g, count)
	if to != nil {
		err = out.ReserveDevice(f.context, f.span(stride, count)*device.SizeOf[T]())
	} else {
		stride = count
		err = out.Reserve(f, f.context, f.span(stride, count)*device.SizeOf[T]())
	}
	if err != nil {
		return err
	}
	if to == nil {
		to = out.Host.Pointer(0)
	}
	s := device.Setter{Args: f.exchange.args.fetch}
	f.setLattice(&s).Pointer(list, 0).Int64(count).Pointer(out.Device, 0).Int64(stride)
	if err := f.overNodes(f.kernels.fetch, count, s.Args); err != nil {
		return err
	}
	return f.bringTo(to, f.span(stride, count))
}

// fetched waits for them, and copies them to where they are wanted if they are not there.
func (f *access[T]) fetched(g [][]T) error {
	count := len(g[0])
	if to, _ := f.straight(g, count); to != nil {
		return f.arrived()
	}
	from, err := f.brought(f.cfg.Lattice.Q * count)
	if err != nil {
		return err
	}
	for i := range f.cfg.Lattice.Q {
		copy(g[i], from[i*count:(i+1)*count])
	}
	return nil
}

// Put overwrites populations at nodes; see lbm.Exchanger.
func (f *access[T]) Put(nodes []int32, g [][]T) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.put(nodes, g))
	}
}

func (f *access[T]) put(nodes []int32, g [][]T) error {
	count := len(nodes)
	list, err := f.listed(nodes)
	if err != nil {
		return err
	}
	stride, err := f.sendPopulations(count, g)
	if err != nil {
		return err
	}
	s := device.Setter{Args: f.exchange.args.put}
	f.setLattice(&s).Pointer(list, 0).Int64(count).Pointer(f.exchange.in.Device, 0).Int64(stride)
	f.setNoise(&s, lbm.ForCollision, f.steps-1)
	f.changed()
	if err := f.overNodes(f.kernels.put, count, s.Args); err != nil {
		return err
	}
	return f.sent()
}

// sendPopulations sets populations on their way to the device, where they are stride
// apart: from where they are, if that is lent memory.
func (f *access[T]) sendPopulations(count int, g [][]T) (stride int, err error) {
	if from, stride := f.straight(g, count); from != nil {
		if err := f.exchange.in.ReserveDevice(f.context, f.span(stride, count)*device.SizeOf[T]()); err != nil {
			return 0, err
		}
		return stride, f.sendFrom(from, f.span(stride, count))
	}
	to, err := f.room(f.cfg.Lattice.Q * count)
	if err != nil {
		return 0, err
	}
	for i := range f.cfg.Lattice.Q {
		copy(to[i*count:(i+1)*count], g[i])
	}
	return count, f.send(len(to))
}
