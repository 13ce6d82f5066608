package hybrid_test

import (
	"errors"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// accelerator is the least that a device has to do to correct its fluid, in the words
// of DeviceCoupling.
type accelerator[T lbm.Float] struct {
	of       *laggard[T]
	cfg      hybrid.CouplingConfig
	transfer ib.Transfer[T]
	p        hybrid.Placement[T]
	places   int
	aim      [][]T

	moments, force, u [][]T // on the window
	felt, push        [][]T
	slope             []T // of each marker, beside eddies
	broken            error

	first   []int
	centers []geometry.Vec
	given   []hybrid.BodySums

	released bool // bodies go on by what MarkerSystem has found

	terms  hybrid.MarkerSumsTerms
	summed int // requests for marker sums

	forgets bool // there is no memory for marker sums
}

func (a *accelerator[T]) Place(p *hybrid.Placement[T]) error {
	a.places++
	kept := *p
	kept.Markers, kept.Placed, kept.Weight = slices.Clone(p.Markers), slices.Clone(p.Placed), slices.Clone(p.Weight)
	if p.Smear != nil {
		kept.Smear = &hybrid.Smear[T]{Over: slices.Clone(p.Smear.Over), Share: slices.Clone(p.Smear.Share), Eddies: p.Smear.Eddies, Area: slices.Clone(p.Smear.Area)}
		for _, n := range p.Smear.Normal {
			kept.Smear.Normal = append(kept.Smear.Normal, slices.Clone(n))
		}
	}
	kept.Ghosts = patch.Ghosts[T]{At: slices.Clone(p.Ghosts.At), Of: slices.Clone(p.Ghosts.Of), Flip: slices.Clone(p.Ghosts.Flip)}
	for _, u := range p.Ghosts.Wall {
		kept.Ghosts.Wall = append(kept.Ghosts.Wall, slices.Clone(u))
	}
	if !p.NewSupport {
		kept.Nodes, kept.At = nil, nil // those of before must do
	} else {
		kept.Nodes, kept.At = slices.Clone(p.Nodes), slices.Clone(p.At)
	}
	window := p.Grid
	a.of.queue <- func() {
		if kept.Nodes == nil {
			kept.Nodes, kept.At = a.p.Nodes, a.p.At
		}
		a.p = kept
		if p.NewWindow || a.transfer == nil {
			delta, err := ib.NewDelta[T](a.cfg.Delta)
			if err != nil {
				panic(err)
			}
			if a.transfer, err = ib.NewTransfer("serial", window, delta, nil, ib.Kernel(a.cfg.Kernel)); err != nil {
				panic(err)
			}
			d := window.Dim
			a.moments, a.force, a.u = patch.Fields[T](1+d, window.Nodes()), patch.Fields[T](d, window.Nodes()), patch.Fields[T](d, window.Nodes())
			for n := range a.moments[0] {
				a.moments[0][n] = 1
			}
		}
		if err := a.transfer.SetPoints(kept.Placed); err != nil {
			panic(err)
		}
		a.felt, a.push = patch.Fields[T](1+window.Dim, len(kept.Placed)), patch.Fields[T](window.Dim, len(kept.Placed))
		if a.aim == nil {
			a.aim = patch.Fields[T](window.Dim, len(kept.Placed))
		}
	}
	_ = a.of.Wait() // NewWindow is p's
	return nil
}

func (a *accelerator[T]) SetTargets(velocity [][]T) {
	aim := make([][]T, len(velocity))
	for x := range aim {
		aim[x] = slices.Clone(velocity[x])
	}
	a.of.queue <- func() { a.aim = aim }
}

func (a *accelerator[T]) Correct() {
	a.of.queue <- func() {
		f, p := a.of.of, &a.p
		f.Moments(p.Nodes, p.At, a.moments[0], a.moments[1:])
		a.reflect(a.moments[0], a.moments[1:])
		a.transfer.Interpolate(a.felt, a.moments)
		for _, x := range a.push {
			clear(x)
		}
		if !a.released {
			a.meetEddies(true)
		}
		a.released = false
		rounds := 1
		if a.cfg.Forcing == "multidirect" {
			rounds = a.cfg.Iterations
		}
		for round := range rounds {
			if round > 0 {
				a.meetEddies(false)
				if a.slip() < a.cfg.Tolerance {
					break
				}
			}
			a.forces()
			for _, x := range a.force {
				clear(x)
			}
			a.transfer.Spread(a.force, a.push)
			a.fold()
		}
		a.give()
		f.Correct(p.Nodes, p.At, a.force)
	}
}

// reflect sets what lies behind faces.
func (a *accelerator[T]) reflect(rho []T, u [][]T) {
	g := &a.p.Ghosts
	for i, at := range g.At {
		of := a.p.At[g.Of[i]]
		if rho != nil {
			rho[at] = rho[of]
		}
		for x := range u {
			v := u[x][of]
			if g.Flip[i]>>x&1 == 1 {
				v = -v
			}
			if g.Flip[i]&patch.GhostOfWall != 0 {
				v = g.Wall[x][i]
			}
			u[x][at] = v
		}
	}
}

// fold gives what was spread behind planes of symmetry to the nodes before them.
func (a *accelerator[T]) fold() {
	g := &a.p.Ghosts
	for i, at := range g.At {
		for x, f := range a.force {
			switch {
			case g.Flip[i]&patch.GhostOfWall != 0:
			case g.Flip[i]>>x&1 == 1:
				f[a.p.At[g.Of[i]]] -= f[at]
			default:
				f[a.p.At[g.Of[i]]] += f[at]
			}
		}
	}
}

// lacks is what a marker lacks to its velocity.
func (a *accelerator[T]) lacks(k int) (d [3]T) {
	var across T
	for x := range a.push {
		d[x] = a.aim[x][k] - a.felt[1+x][k]
		if a.p.Smear != nil {
			across += a.push[x][k] * a.p.Smear.Normal[x][k]
		}
	}
	if s := a.p.Smear; s != nil {
		for x := range a.push {
			d[x] -= s.Over[k] / a.felt[0][k] * (a.push[x][k] - across*s.Normal[x][k])
		}
	}
	return d
}

// meetEddies finds what walls leave of slip beside an eddy viscosity.
func (a *accelerator[T]) meetEddies(before bool) {
	s := a.p.Smear
	if s == nil || s.Eddies == nil {
		return
	}
	delta, err := ib.NewDelta[T](a.cfg.Delta)
	if err != nil {
		panic(err)
	}
	a.slope = append(a.slope, make([]T, len(s.Area)-len(a.slope))...)
	for k, area := range s.Area {
		if area == 0 {
			continue
		}
		var d T
		if before {
			n, of := [3]T{}, ib.NewShear(delta, s.Eddies.Lattice)
			for x := range a.push {
				n[x] = s.Normal[x][k]
			}
			q := of.At(&a.p.Grid, a.moments[1:], a.p.Placed[k], &n)
			a.slope[k] = s.Eddies.Slope(a.along(k, func(x int) T { return q[x] }))
			d = s.Eddies.OfSlip(a.along(k, func(x int) T { return a.aim[x][k] - a.felt[1+x][k] }), area/(2*a.p.Weight[k]), a.slope[k])
		} else {
			d = s.Eddies.OfStress(a.along(k, func(x int) T { return a.push[x][k] })/(area*a.felt[0][k]), a.slope[k])
		}
		s.Over[k] = s.Eddies.Over(d, a.slope[k]) / area
		s.Share[k] = 1 / (1 + 2*a.p.Weight[k]*s.Over[k])
	}
}

// granted is the slip that the correction of smeared walls leaves at a marker.
func (a *accelerator[T]) granted(k int) float64 {
	s := a.p.Smear
	if s == nil {
		return 0
	}
	return float64(s.Over[k] / a.felt[0][k] * a.along(k, func(x int) T { return a.push[x][k] }))
}

// along is the length of a vector's part along the wall at a marker.
func (a *accelerator[T]) along(k int, v func(axis int) T) T {
	var across, square T
	for x := range a.push {
		across += v(x) * a.p.Smear.Normal[x][k]
	}
	for x := range a.push {
		d := v(x) - across*a.p.Smear.Normal[x][k]
		square += d * d
	}
	return T(math.Sqrt(float64(square)))
}

func (a *accelerator[T]) forces() {
	for k, w := range a.p.Weight {
		d, full := a.lacks(k), 2*a.felt[0][k]*w
		if a.p.Smear == nil {
			for x := range a.push {
				a.push[x][k] += 2 * a.felt[0][k] * d[x] * w
			}
			continue
		}
		var across T
		for x := range a.push {
			across += d[x] * a.p.Smear.Normal[x][k]
		}
		share := a.p.Smear.Share[k]
		for x := range a.push {
			a.push[x][k] += full * (share*d[x] + (1-share)*across*a.p.Smear.Normal[x][k])
		}
	}
}

func (a *accelerator[T]) slip() (worst float64) {
	for x, u := range a.u {
		for _, n := range a.p.At {
			u[n] = a.moments[1+x][n] + a.force[x][n]/(2*a.moments[0][n])
		}
	}
	a.reflect(nil, a.u)
	a.transfer.Interpolate(a.felt[1:], a.u)
	for k := range a.p.Weight {
		s := 0.
		for _, d := range a.lacks(k) {
			s += float64(d * d)
		}
		worst = math.Max(worst, math.Sqrt(s))
	}
	return worst
}

func (a *accelerator[T]) OpenMarkerSystem(first []int) error {
	a.first = first
	return a.broken
}

func (a *accelerator[T]) MarkerSystem(centers []geometry.Vec) lbm.Pending[[]rigid.MarkerEquations] {
	var all []rigid.MarkerEquations
	a.centers = slices.Clone(centers)
	a.of.queue <- func() {
		f, p := a.of.of, &a.p
		f.Moments(p.Nodes, p.At, a.moments[0], a.moments[1:])
		a.reflect(a.moments[0], a.moments[1:])
		a.transfer.Interpolate(a.felt, a.moments)
		a.meetEddies(true)
		a.released = true
		for b, center := range a.centers {
			var e rigid.MarkerEquations
			for k := a.first[b]; k < a.first[b+1]; k++ {
				var felt, n geometry.Vec
				for x := range a.push {
					felt[x] = float64(a.felt[1+x][k])
				}
				full, r := 2*float64(a.felt[0][k]*p.Weight[k]), p.Markers[k].Sub(center)
				if p.Smear == nil {
					e.Add(full, r, felt)
					continue
				}
				for x := range a.push {
					n[x] = float64(p.Smear.Normal[x][k])
				}
				share := float64(p.Smear.Share[k])
				e.Add(full*share, r, felt)
				e.AddAcross(full*(1-share), n, r, felt)
			}
			all = append(all, e)
		}
	}
	_ = a.of.Wait()
	return lbm.Done(all)
}

func (a *accelerator[T]) MarkerForces() lbm.Pending[[]hybrid.BodySums] {
	_ = a.of.Wait()
	return lbm.Done(a.given)
}

// give sums what the markers have given.
func (a *accelerator[T]) give() {
	a.given = nil
	for b, center := range a.centers {
		var of hybrid.BodySums
		for k := a.first[b]; k < a.first[b+1]; k++ {
			f := a.pushed(k)
			of.Force, of.Moment = of.Force.Add(f), of.Moment.Add(a.p.Markers[k].Sub(center).Cross(f))
		}
		a.given = append(a.given, of)
	}
}

// pushed is the force of a marker.
func (a *accelerator[T]) pushed(k int) (f geometry.Vec) {
	for x := range a.push {
		f[x] = float64(a.push[x][k])
	}
	return f
}

func (a *accelerator[T]) OpenMarkerSums(terms hybrid.MarkerSumsTerms) error {
	if a.forgets {
		return errors.New("no memory for marker sums")
	}
	a.terms = terms
	return nil
}

// laterSums are sums that are on their way until done is closed.
type laterSums struct {
	sums hybrid.MarkerSums
	done chan bool
}

func (l *laterSums) Wait() (*hybrid.MarkerSums, error) {
	<-l.done
	return &l.sums, nil
}

func (l *laterSums) Ready() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

func (a *accelerator[T]) MarkerSums(q *hybrid.MarkerSumsRequest) lbm.Pending[*hybrid.MarkerSums] {
	centers, nodes, in := slices.Clone(q.Centers), slices.Clone(q.Nodes), slices.Clone(q.In)
	a.summed++
	later := &laterSums{done: make(chan bool)}
	a.of.queue <- func() {
		a.slip()
		t := &later.sums
		for b, center := range centers {
			var of hybrid.BodySums
			for k := a.terms.First[b]; k < a.terms.First[b+1]; k++ {
				f := a.pushed(k)
				s, d := 0., a.lacks(k)
				for x := range a.push {
					if a.p.Smear != nil { // as the host has it
						s += float64(d[x] * d[x])
					} else {
						s += float64(d[x]) * float64(d[x])
					}
				}
				of.Force, of.Moment = of.Force.Add(f), of.Moment.Add(a.p.Markers[k].Sub(center).Cross(f))
				of.Slip = math.Max(of.Slip, math.Sqrt(s))
				of.Granted += a.granted(k) / float64(a.terms.First[b+1]-a.terms.First[b])
			}
			t.Bodies = append(t.Bodies, of)
		}
		rho, u := make([]T, len(nodes)), patch.Fields[T](len(a.push), len(nodes))
		order := make([]int32, len(nodes))
		for i := range order {
			order[i] = int32(i)
		}
		a.of.of.Moments(nodes, order, rho, u)
		for i, k := range in {
			v := u[q.Axis][i]
			if k >= 0 {
				n := a.p.At[k]
				v -= a.force[q.Axis][n] / (2 * a.moments[0][n])
			}
			t.Velocity = append(t.Velocity, float64(v))
		}
		close(later.done)
	}
	return lbm.Later[*hybrid.MarkerSums](later)
}

// Capture is what this device cannot do.
func (a *accelerator[T]) Capture() hybrid.CapturedReading[T] { return nil }

func (a *accelerator[T]) Read(r hybrid.Reading[T]) error {
	_ = a.of.Wait()
	if a.broken != nil {
		return a.broken
	}
	pick := func(to, from [][]T) {
		for x := range to {
			for i, n := range a.p.At {
				to[x][i] = from[x][n]
			}
		}
	}
	pick(r.Moments, a.moments)
	pick(r.Force, a.force)
	for x := range r.Push {
		copy(r.Push[x], a.push[x])
	}
	for x := range r.Felt {
		copy(r.Felt[x], a.felt[x])
	}
	if r.Over != nil {
		copy(r.Over, a.p.Smear.Over)
	}
	return nil
}
