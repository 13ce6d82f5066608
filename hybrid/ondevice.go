package hybrid

import (
	"errors"
	"time"

	"lbmib/geometry"
	"lbmib/hybrid/patch"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// onDevice lets the fluid's device make the corrections. The host only moves bodies,
// while the device is at the step before, and reads back what somebody wants to know.
type onDevice[T lbm.Float] struct {
	s        *Simulation[T]
	device   DeviceCoupling[T]
	place    Placement[T]
	windows  int // number of the window, and of the support, that the device has
	supports int
	unread   bool // the device knows more of the last step than the host
	read     Reading[T]

	centers []geometry.Vec // of the bodies, where some move freely
	given   bool           // the device knows what these were given in the last step

	summing summing
	request MarkerSumsRequest
}

// errMultidirectDamped: rounds on the device end by the slip of all points, those inside included.
var errMultidirectDamped = errors.New(`rounds of multidirect forcing on the device know no inside that is damped: use forcing "direct" or ib.inside = "free"`)

// errStructures: a device knows no bodies that bend.
var errStructures = errors.New("filaments and sheets are moved by the host: use the serial or pipelined schedule")

// summing is who sums what markers did for measurements.
type summing int

const (
	notDecided summing = iota
	byDevice
	byHost // the device has no memory for that
)

func newOnDevice[T lbm.Float](s *Simulation[T], _ *parallel.Pool, plan *Plan[T]) (schedule[T], error) {
	c := s.coupling
	if c.cells != nil {
		return newCellsOnDevice(s, plan)
	}
	device := plan.Device
	if device == nil {
		return nil, errors.New("there is no device that corrects")
	}
	if len(c.direct.bend) > 0 {
		return nil, errStructures
	}
	if len(c.direct.damped) > 0 && c.cfg.Forcing == "multidirect" {
		return nil, errMultidirectDamped
	}
	d := &onDevice[T]{s: s, device: device}
	d.place.Markers, d.place.Placed, d.place.Weight = c.at, c.placed, c.direct.weight
	for _, b := range c.bodies {
		d.place.Bodies = append(d.place.Bodies, b.First())
	}
	for _, b := range c.direct.damped {
		d.place.Bodies = append(d.place.Bodies, c.direct.inside[b.Index()].first)
	}
	d.place.Bodies = append(d.place.Bodies, len(c.at))
	if c.direct.wall != nil {
		d.place.Smear = &Smear[T]{Normal: c.direct.wall.normal[:c.dim], Over: c.direct.wall.over, Share: c.direct.wall.share, Area: c.direct.wall.area, Eddies: c.direct.wall.eddies}
	}
	if err := d.put(); err != nil {
		return nil, err
	}
	if c.system.Frees() {
		d.centers = make([]geometry.Vec, len(c.bodies)+len(c.direct.damped))
		if err := device.OpenMarkerSystem(d.place.Bodies); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (*onDevice[T]) name() string { return "device" }

// start tells the device all that others have changed meanwhile.
func (d *onDevice[T]) start() {
	d.windows, d.supports, d.given = 0, 0, false
	if err := d.put(); err != nil {
		d.s.coupling.stop(err)
	}
	d.device.SetTargets(d.s.coupling.direct.velocity)
}

// put tells the device where the markers are.
func (d *onDevice[T]) put() error {
	c := d.s.coupling
	p := &d.place
	p.Grid, p.Nodes, p.At = c.window.Grid, c.window.Nodes, c.window.At
	p.NewWindow = d.windows != c.window.Windows
	p.NewSupport = p.NewWindow || d.supports != c.window.Supports
	c.window.Ghosts.Tell(&p.Ghosts, c.window.At)
	if err := d.device.Place(p); err != nil {
		return err
	}
	d.windows, d.supports = c.window.Windows, c.window.Supports
	return nil
}

func (d *onDevice[T]) step() {
	s, c := d.s, d.s.coupling
	start := time.Now()
	if !s.move() { // X, supports, ε
		return
	}
	aimed := c.setTargets(float64(s.fluid.Steps() + 1))
	if c.system.Moves() || c.window.Ghosts.Varies() {
		if err := d.put(); err != nil {
			c.stop(err)
			return
		}
	}
	if aimed {
		d.device.SetTargets(c.direct.velocity)
	}
	s.fluid.Step() // f ← pull, collide
	lost := c.system.Frees() && !d.free()
	d.device.Correct() // f(x) += Guo(Σ F δ(x−X) ε) on supports
	d.unread = true
	if lost {
		d.flush() // which names the marker whose force is not finite
	}
	s.ibTime += time.Since(start)
}

// free finds the velocities of freely moving bodies after the step, and aims their
// markers; false where one is not finite.
func (d *onDevice[T]) free() (finite bool) {
	c := d.s.coupling
	c.sumInside(d.s.fluid)
	c.centers(d.centers)
	felt, err := d.device.MarkerSystem(d.centers).Wait() // with which what was asked arrives
	c.takeInside()
	if err != nil {
		return true // the fluid's error tells
	}
	d.storeResiduals()
	for k, b := range c.direct.damped {
		felt[b.Index()].Include(&felt[len(c.bodies)+k])
	}
	finite = true
	for i, b := range c.bodies {
		if b.Free == nil {
			continue
		}
		c.direct.release(b, &felt[i], float64(d.s.fluid.Steps()))
		finite = finite && !notFinite(b.Here().Velocity.Norm()+b.Here().Spin.Norm())
	}
	d.device.SetTargets(c.direct.velocity)
	d.given = true
	return finite
}

// storeResiduals takes what the markers gave to the fluid in the step before.
func (d *onDevice[T]) storeResiduals() {
	if !d.given {
		return
	}
	d.given = false
	c := d.s.coupling
	given, err := d.device.MarkerForces().Wait()
	if err != nil {
		return // the fluid's error tells
	}
	c.addInsides(given)
	for i, b := range c.bodies {
		if b.Free != nil {
			b.Free.StoreResidual(given[i].Force, given[i].Moment)
		}
	}
}

// flush reads back what the last correction has done.
func (d *onDevice[T]) flush() {
	d.storeResiduals()
	if !d.unread {
		return
	}
	d.unread = false
	c, r := d.s.coupling, &d.read
	r.Push, r.Felt = c.push, c.felt
	if c.direct.wall != nil && c.direct.wall.eddies != nil {
		r.Over = c.direct.wall.over
	}
	r.Moments, r.Force = patch.Resized(r.Moments, 1+c.dim, len(c.window.Nodes)), patch.Resized(r.Force, c.dim, len(c.window.Nodes))
	if err := d.device.Read(*r); err != nil {
		c.stop(err)
		return
	}
	for a, m := range c.window.Moments {
		for i, n := range c.window.At {
			m[n] = r.Moments[a][i]
		}
	}
	for a, f := range c.window.Force {
		for i, n := range c.window.At {
			f[n] = r.Force[a][i]
		}
	}
	var sum T
	for _, p := range c.push {
		for _, f := range p {
			sum += f
		}
	}
	if notFinite(sum) {
		c.fail(d.s.fluid.Steps())
	}
}

// complete has nothing to do: the fluid and where bodies are need no more of the device.
func (d *onDevice[T]) complete()  {}
func (d *onDevice[T]) discard()   { d.unread, d.given = false, false }
func (d *onDevice[T]) crowd(bool) {}
func (d *onDevice[T]) close()     {}

// capture sets aside what the device has not been asked for.
func (d *onDevice[T]) capture() CapturedReading[T] {
	if !d.unread {
		return nil
	}
	return d.device.Capture()
}

// warmUp is a whole batch of steps, too: none is looked at that ends one before.
func (d *onDevice[T]) warmUp() int {
	steps, after := d.s.Batch()
	return max(trialFirst, steps+after)
}

// markerSums requests the device's sums, unless the host knows already what they are of.
func (d *onDevice[T]) markerSums(m *measuring[T]) lbm.Pending[*MarkerSums] {
	c, q, k := d.s.coupling, &d.request, &d.s.measures
	if d.unread && d.summing == notDecided {
		d.summing = byDevice
		if err := d.device.OpenMarkerSums(MarkerSumsTerms{First: d.place.Bodies, Nodes: k.watch.nodes, Depth: k.most}); err != nil {
			d.summing = byHost
		}
		q.Centers = make([]geometry.Vec, len(c.bodies)+len(c.direct.damped))
		q.Axis, q.Nodes, q.In = k.watch.axis, k.watch.nodes, k.watch.in
	}
	if !d.unread || d.summing == byHost {
		return m.readMarkerSums()
	}
	c.centers(q.Centers)
	q.New = k.watch.find(c)
	return d.device.MarkerSums(q)
}

// To a device the places inside a damped body are markers of one more body, after all others.

// centers are those of bodies as a device has them.
func (c *Coupling[T]) centers(to []geometry.Vec) {
	for i, b := range c.bodies {
		to[i] = b.Here().Position
	}
	for k, b := range c.direct.damped {
		to[len(c.bodies)+k] = b.Here().Position
	}
}

// addInsides adds what the places inside did to what the bodies' markers did, where a device has
// summed them. Slip is that of markers.
func (c *Coupling[T]) addInsides(of []BodySums) {
	if len(of) == len(c.bodies) {
		return
	}
	for k, b := range c.direct.damped {
		to, from := &of[b.Index()], &of[len(c.bodies)+k]
		to.Force, to.Moment = to.Force.Add(from.Force), to.Moment.Add(from.Moment)
	}
}
