package joined

import (
	"fmt"
	"slices"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// Ranks share out the parts of a fluid among processes. Rank 0 conducts: on it the fluid is one like any other, and whoever has it need not
// know that others have some of its parts. They Serve: they make the steps of their parts when rank 0 makes a step, exchange what flies
// between parts with each other, and do on their parts what rank 0 asks of these.
type Ranks struct {
	Comm mpi.Comm
	Of   []int // the rank that has each part, in their order; a finer box that is not divided is where its first corner is on the level above

	// Initial is a state that all ranks know; see Begin.
	Initial func(p [3]float64) (rho float64, u [3]float64)
}

// shared is a fluid's share of the ranks.
type shared[T lbm.Float] struct {
	comm    mpi.Comm
	initial func(p [3]float64) (rho float64, u [3]float64)
	wires   []*wire // of rank 0: to each other rank, at its number; of others: to rank 0 at 0
	accel   [3]float64
	known   bool // accel is that of the step at hand; else the flow's own
	aide    Aide // of a rank that serves; nil: it has none

	faceSends, faceReceives []*faceSeam  // likewise of open faces
	faces                   mpi.Exchange // of their values; nil: there are none

	room  served[T]              // of what is served
	lists map[listKey][]int32    // that rank 0 has told: of nodes of a part
	steps map[int]*servedStep[T] // that it has told: of forces on nodes of a part
}

// listKey names a list of nodes of a part.
type listKey struct{ part, slot int }

// leads tells whether this rank conducts others.
func (s *shared[T]) leads() bool { return s != nil && s.comm.Rank() == 0 }

// NewShared is New of a fluid whose parts several ranks have. All call it, rank 0 to have the fluid, and the others Serve with the same arguments.
func NewShared[T lbm.Float](cfg lbm.Config, boxes []Box, ranks Ranks, make Maker[T]) (*Fluid[T], error) {
	return newFluid(cfg, boxes, &ranks, make)
}

// Serve makes the parts of a fluid that belong to this rank, and does what rank 0 asks of them until that closes the fluid. aide is asked, once
// the fluid is made, for what does the rest; nil: rank 0 asks for nothing else. Its error is that of making a part, on whatever rank.
func Serve[T lbm.Float](cfg lbm.Config, boxes []Box, ranks Ranks, make Maker[T], aide func(f *Fluid[T]) Aide) error {
	f, err := newFluid(cfg, boxes, &ranks, make)
	if err != nil {
		return err
	}
	if aide != nil {
		f.shared.aide = aide(f)
	}
	f.serve()
	return nil
}

// share readies a fluid's share of the ranks, and says which parts are whose.
func (f *Fluid[T]) share(ranks *Ranks) error {
	if len(ranks.Of) != len(f.given) {
		return fmt.Errorf("joined: %d parts are shared out, there are %d", len(ranks.Of), len(f.given))
	}
	size := ranks.Comm.Size()
	has := make([]bool, size)
	for k, r := range ranks.Of {
		if r < 0 || r >= size {
			return fmt.Errorf("joined: part %d is rank %d's, there are ranks 0 to %d", k, r, size-1)
		}
		has[r] = true
		f.partAt(f.given[k]).rank = r
	}
	for r, any := range has {
		if !any {
			return fmt.Errorf("joined: rank %d has no part of %d: start as many processes as there are parts", r, len(ranks.Of))
		}
	}
	for l := 1; l < len(f.levels); l++ {
		for _, p := range f.levels[l] {
			if !slices.Contains(f.given, p.grid) {
				p.rank = f.partWith(l-1, p.coarse(p.lo)).rank
			}
		}
	}
	s := &shared[T]{comm: ranks.Comm, initial: ranks.Initial, wires: make([]*wire, size), lists: map[listKey][]int32{}, steps: map[int]*servedStep[T]{}}
	for r := range size {
		if (r == 0) != (ranks.Comm.Rank() == 0) {
			s.wires[r] = newWire(ranks.Comm, r)
		}
	}
	f.shared = s
	if of := f.cfg.Acceleration; of != nil && ranks.Comm.Rank() > 0 { // it may depend on what rank 0 alone sees
		for l := range f.flows {
			r := float64(f.width(l))
			f.flows[l].Acceleration = func(t float64) [3]float64 {
				a := s.accel
				if !s.known {
					a = of(t * r)
				}
				return [3]float64{a[0] * r, a[1] * r, a[2] * r}
			}
		}
	}
	return nil
}

// own tells whether this rank has a part.
func (f *Fluid[T]) own(p *part[T]) bool { return f.shared == nil || p.rank == f.shared.comm.Rank() }

// agree has all ranks know whether all could do what they should.
func (f *Fluid[T]) agree(err error) error {
	if f.shared == nil {
		return err
	}
	return mpi.AgreeError(f.shared.comm, err)
}

// all tells whether something is true on all ranks.
func (f *Fluid[T]) all(is bool) bool {
	if f.shared == nil {
		return is
	}
	not := 0
	if !is {
		not = 1
	}
	return mpi.AgreeMax(f.shared.comm, not) == 0
}

// eachWire calls do for the wires to all other ranks.
func (s *shared[T]) eachWire(do func(w *wire)) {
	for _, w := range s.wires {
		if w != nil {
			do(w)
		}
	}
}

// meet readies the exchange of what flies between parts of several ranks: one message from each to each of its neighbours.
func (s *shared[T]) meet(of *copies[T], tag int) {
	messages := func(seams []*copySeam[T]) (all []mpi.Message) {
		for peer := range s.comm.Size() {
			values := 0
			for _, c := range seams {
				if c.peer == peer {
					values += c.values()
				}
			}
			if values == 0 {
				continue
			}
			data := s.comm.Buffer(values * sizeOf[T]())
			all = append(all, mpi.Message{Peer: peer, Tag: tag, Data: data})
			rest := mpi.View[T](data)
			for _, c := range seams {
				if c.peer != peer {
					continue
				}
				for i, f := range c.f {
					c.f[i], rest = rest[:len(f):len(f)], rest[len(f):]
				}
			}
		}
		return all
	}
	sends, receives := messages(of.sends), messages(of.receives)
	if len(sends)+len(receives) > 0 {
		of.seams = s.comm.Exchange(sends, receives)
	}
}

// Begin sets every node to the initial state that all ranks know, as Initialize does to any; on one process, too.
func (f *Fluid[T]) Begin(state func(p [3]float64) (rho float64, u [3]float64)) {
	if !f.shared.leads() || f.shared.initial == nil {
		f.Initialize(state)
		return
	}
	f.sendDrive(orderDrive, 0)
	f.shared.eachWire(func(w *wire) { w.send(orderBegin) })
	f.initializeOwn(f.shared.initial)
}

// Close ends the service of other ranks; without any it does nothing.
func (f *Fluid[T]) Close() {
	if f.shared.leads() {
		f.shared.eachWire(func(w *wire) { w.send(orderEnd) })
		f.shared = nil
	}
}
