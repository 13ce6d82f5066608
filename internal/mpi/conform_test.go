package mpi

import (
	"bytes"
	"errors"
	"fmt"
)

// conform holds what every Comm promises against a Comm; all ranks call it.
func conform(c Comm) error {
	for _, part := range []func(c Comm) error{collectives, agreements, ring, allToAll, twoInFlight} {
		if err := part(c); err != nil {
			return err
		}
		c.Barrier()
	}
	return nil
}

// mark is byte i of what a rank gives in a round.
func mark(rank, round, i int) byte { return byte(31*rank + 7*round + i + i>>8) }

func fill(b []byte, rank, round int) {
	for i := range b {
		b[i] = mark(rank, round, i)
	}
}

// holds tells whether b is what fill has made.
func holds(b []byte, rank, round int, what string) error {
	for i := range b {
		if b[i] != mark(rank, round, i) {
			return fmt.Errorf("%s of rank %d, round %d: byte %d of %d is %d, want %d", what, rank, round, i, len(b), b[i], mark(rank, round, i))
		}
	}
	return nil
}

// collectives sends parts of all lengths, none among them, to and from every root.
func collectives(c Comm) error {
	rank, size := c.Rank(), c.Size()
	counts := make([]int, size)
	starts := make([]int, size+1)
	for r := range counts {
		counts[r] = 1000 * (r % 3)
		starts[r+1] = starts[r] + counts[r]
	}
	own := make([]byte, counts[rank])
	for root := range size {
		data := make([]byte, 3000)
		if rank == root {
			fill(data, root, 1)
		}
		c.Broadcast(root, data)
		if err := holds(data, root, 1, "Broadcast"); err != nil {
			return err
		}
		var all []byte
		if rank == root {
			all = make([]byte, starts[size])
		}
		fill(own, rank, root)
		c.Gather(root, own, counts, all)
		for r := range counts {
			if rank != root {
				break
			}
			if err := holds(all[starts[r]:starts[r+1]], r, root, "Gather"); err != nil {
				return err
			}
			fill(all[starts[r]:starts[r+1]], r, root+1)
		}
		c.Scatter(root, all, counts, own)
		if err := holds(own, rank, root+1, "Scatter"); err != nil {
			return err
		}
	}
	all := make([]byte, starts[size])
	fill(own, rank, 5)
	c.AllGather(own, counts, all)
	for r := range counts {
		if err := holds(all[starts[r]:starts[r+1]], r, 5, "AllGather"); err != nil {
			return err
		}
	}
	return nil
}

// agreements tries the helpers.
func agreements(c Comm) error {
	rank, size := c.Rank(), c.Size()
	own := bytes.Repeat([]byte{byte(rank)}, rank)
	all, counts := AllGatherV(c, own)
	var want []byte
	for r := range size {
		want = append(want, bytes.Repeat([]byte{byte(r)}, r)...)
	}
	if !bytes.Equal(all, want) || len(counts) != size || counts[rank] != rank {
		return fmt.Errorf("AllGatherV: % x, %v", all, counts)
	}
	last := size - 1
	if all, _ := GatherV(c, last, own); rank == last && !bytes.Equal(all, want) || rank != last && all != nil {
		return fmt.Errorf("GatherV: % x", all)
	}
	if got := BroadcastV(c, last, []byte(fmt.Sprint("from ", rank))); string(got) != fmt.Sprint("from ", last) {
		return fmt.Errorf("BroadcastV: %s", got)
	}
	if got := AgreeMax(c, -float64(rank)); got != 0 {
		return fmt.Errorf("AgreeMax: %v", got)
	}
	if err := AgreeError(c, nil); err != nil {
		return fmt.Errorf("AgreeError: %w", err)
	}
	var mine error
	if rank >= size/2 {
		mine = errors.New("no disk")
	}
	err := AgreeError(c, mine)
	if want := fmt.Sprintf("rank %d on %s: no disk", size/2, c.Host(size/2)); err == nil || err.Error() != want {
		return fmt.Errorf("AgreeError: %v, want %s", err, want)
	}
	return nil
}

// ring passes messages of several lengths on to the next rank, again and again.
func ring(c Comm) error {
	rank, size := c.Rank(), c.Size()
	next, before := (rank+1)%size, (rank+size-1)%size
	lengths := []int{0, 1, 8, 4096, 70000, 300000}
	var sends, receives []Message
	for i, n := range lengths {
		sends = append(sends, Message{Peer: next, Tag: i % 2, Data: c.Buffer(n)}) // a tag serves several
		receives = append(receives, Message{Peer: before, Tag: i % 2, Data: c.Buffer(n)})
	}
	e := c.Exchange(sends, receives)
	for round := range 20 {
		for i := range sends {
			fill(sends[i].Data, rank, round+i)
		}
		e.Start()
		e.Wait()
		for i := range receives {
			if err := holds(receives[i].Data, before, round+i, "a message"); err != nil {
				return err
			}
		}
	}
	e.Free()
	for i := range sends {
		c.Free(sends[i].Data)
		c.Free(receives[i].Data)
	}
	return nil
}

// allToAll gives every rank, this one too, parts of one buffer.
func allToAll(c Comm) error {
	const each = 1024
	rank, size := c.Rank(), c.Size()
	out, in := c.Buffer(each*size), c.Buffer(each*size)
	var sends, receives []Message
	for r := range size {
		sends = append(sends, Message{Peer: r, Tag: MaxTag, Data: out[each*r : each*(r+1)]})
		receives = append(receives, Message{Peer: r, Tag: MaxTag, Data: in[each*r : each*(r+1)]})
	}
	e := c.Exchange(sends, receives)
	for round := range 20 {
		for r := range size {
			fill(sends[r].Data, rank*size+r, round)
		}
		e.Start()
		e.Wait()
		for r := range size {
			if err := holds(receives[r].Data, r*size+rank, round, "a message"); err != nil {
				return err
			}
		}
	}
	e.Free()
	c.Free(out)
	c.Free(in)
	return nil
}

// twoInFlight starts an exchange while another is under way, with a collective call between.
func twoInFlight(c Comm) error {
	rank, size := c.Rank(), c.Size()
	peer := size - 1 - rank
	var out, in [2][]byte
	var both [2]Exchange
	for k := range both {
		out[k], in[k] = c.Buffer(100000), c.Buffer(100000)
		both[k] = c.Exchange([]Message{{Peer: peer, Tag: k, Data: out[k]}}, []Message{{Peer: peer, Tag: k, Data: in[k]}})
	}
	for round := range 20 {
		for k := range both {
			fill(out[k], rank, 2*round+k)
			both[k].Start()
		}
		AgreeMax(c, round)
		for _, k := range []int{1, 0} {
			both[k].Wait()
			if err := holds(in[k], peer, 2*round+k, "a message"); err != nil {
				return err
			}
		}
	}
	for k := range both {
		both[k].Free()
		c.Free(out[k])
		c.Free(in[k])
	}
	return nil
}
