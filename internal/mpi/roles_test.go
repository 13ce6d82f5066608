//go:build !nompi

package mpi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// roleVariable makes this test binary one rank of a program under a launcher.
const roleVariable = "LBMIB_MPI_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}

// roundVariable is the round of exchanges in which busyUntil ends.
const roundVariable = "LBMIB_MPI_TEST_ROUND"

// refused is the exit status of a rank that cannot connect.
const refused = 9

// roles are the programs of the tests under launchers.
var roles = map[string]func(c Comm) error{
	"conform":   conform,
	"pieces":    inPieces,
	"collector": besideCollector,
	"handlers":  recoverFault,
	"progress":  progress,
	"where":     where,
	"many":      manyExchanges,
	"killed":    func(c Comm) error { return busyUntil(c, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }) },
	"panics":    func(c Comm) error { return busyUntil(c, func() { panic("out of range") }) },
	"aborts":    func(c Comm) error { return busyUntil(c, func() { c.Abort(7, "diverged") }) },
	"exits":     func(c Comm) error { return busyUntil(c, func() { os.Exit(5) }) },
	"truncated": truncated,
	"rates":     rates,
	"overlap":   overlap,
}

func play(role string) int {
	if role == "alone" {
		Alone().Abort(7, "no room")
	}
	c, err := Connect()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return refused
	}
	if err := roles[role](c); err != nil {
		c.Abort(3, err.Error())
	}
	c.Finalize()
	return 0
}

// inPieces lets messages and calls be made of many that are short.
func inPieces(c Comm) error {
	w := c.(*world)
	w.piece, w.stage = 1000, 700
	return conform(c)
}

// besideCollector exchanges while Go's heap is filled and swept some hundred times a second.
func besideCollector(c Comm) error {
	var stop atomic.Bool
	defer stop.Store(true)
	go func() {
		garbage := make([][]byte, 64)
		for !stop.Load() {
			for i := range 500 {
				garbage[i%len(garbage)] = make([]byte, 1<<(4+i%14))
			}
			runtime.GC()
			time.Sleep(time.Millisecond) // else the ranks' processes do nothing but this
		}
	}()
	for range 5 {
		if err := conform(c); err != nil {
			return err
		}
	}
	return nil
}

// recoverFault needs Go's own handler of SIGSEGV after MPI has begun.
func recoverFault(c Comm) (err error) {
	c.Barrier()
	func() {
		defer func() {
			if recover() == nil {
				err = fmt.Errorf("no panic")
			}
		}()
		var p *int
		*p = c.Rank()
	}()
	c.Barrier()
	return err
}

// progress needs messages that arrive while nobody waits for them.
func progress(c Comm) error {
	const bytes = 2600 << 10
	peer := c.Size() - 1 - c.Rank()
	e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(bytes)}}, []Message{{Peer: peer, Data: c.Buffer(bytes)}}).(*persistent)
	e.Start()
	for end := time.Now().Add(time.Minute); !e.all.done.isSet(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("the messages do not arrive")
		}
	}
	e.Wait()
	return nil
}

// where tells what a rank knows of its place, by rank 0 for all.
func where(c Comm) error {
	rank, size := Local(c)
	l, _ := LibraryOf(c)
	text := fmt.Sprintf("rank %d of %d, %d of %d on %s, %s, %d cores\n", c.Rank(), c.Size(), rank, size, c.Host(c.Rank()), l.Family, Cores(c))
	all, _ := GatherV(c, 0, []byte(text))
	fmt.Print(string(all))
	return nil
}

// tellFault prints that the end is near, and lets the launcher pass that on.
func tellFault() {
	fmt.Fprintln(os.Stderr, faultSoon)
	time.Sleep(forwarding)
}

// busyUntil exchanges messages among all ranks until the last one does something else.
func busyUntil(c Comm, end func()) error {
	rank, size := c.Rank(), c.Size()
	next, before := (rank+1)%size, (rank+size-1)%size
	var all []Exchange
	for _, n := range []int{8, 500000} {
		all = append(all, c.Exchange([]Message{{Peer: next, Data: c.Buffer(n)}}, []Message{{Peer: before, Data: c.Buffer(n)}}))
	}
	last, err := strconv.Atoi(os.Getenv(roundVariable))
	if err != nil {
		last = 1001
	}
	for round := 0; ; round++ {
		e := all[round%2]
		e.Start()
		if round == last && rank == size-1 {
			tellFault()
			end()
		}
		e.Wait()
		if round%100 == 0 {
			AgreeMax(c, round)
		}
	}
}

// truncated receives less than is sent.
func truncated(c Comm) error {
	m := []Message{{Peer: 1 - min(1, c.Rank()), Data: c.Buffer(16 - 8*min(1, c.Rank()))}}
	var e Exchange
	switch c.Rank() {
	case 0:
		e = c.Exchange(m, nil)
	case 1:
		e = c.Exchange(nil, m)
	default:
		e = c.Exchange(nil, nil)
	}
	if c.Rank() == 1 {
		tellFault()
	}
	e.Start()
	e.Wait()
	c.Barrier()
	return nil
}

// manyExchanges lets messages of random lengths go, several exchanges at a time.
func manyExchanges(c Comm) error {
	random := rand.New(rand.NewPCG(1, 2)) // the same on all ranks
	peer := c.Size() - 1 - c.Rank()
	for range 300 {
		var all [3]Exchange
		var in, out [3][]byte
		for k := range all {
			n := random.IntN(1 << random.IntN(20))
			in[k], out[k] = c.Buffer(n), c.Buffer(n)
			all[k] = c.Exchange([]Message{{Peer: peer, Tag: k, Data: out[k]}}, []Message{{Peer: peer, Tag: k, Data: in[k]}})
		}
		for round := range 3 {
			for k, e := range all {
				fill(out[k], c.Rank(), round+k)
				e.Start()
			}
			for k, e := range all {
				e.Wait()
				if err := holds(in[k], peer, round+k, "a message"); err != nil {
					return err
				}
			}
		}
		for k, e := range all {
			e.Free()
			c.Free(in[k])
			c.Free(out[k])
		}
	}
	return nil
}

// rates prints what an exchange between pairs of ranks takes, and fails if exchanges allocate.
func rates(c Comm) error {
	peer := c.Size() - 1 - c.Rank()
	for _, x := range []struct{ bytes, times int }{{8, 1000}, {64 << 10, 500}, {2600 << 10, 50}} {
		e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(x.bytes)}}, []Message{{Peer: peer, Data: c.Buffer(x.bytes)}})
		best := time.Hour
		var before, after runtime.MemStats
		for range 5 {
			c.Barrier()
			runtime.ReadMemStats(&before)
			begin := time.Now()
			for range x.times {
				e.Start()
				e.Wait()
			}
			best = min(best, time.Since(begin)/time.Duration(x.times))
			runtime.ReadMemStats(&after)
		}
		if n := after.Mallocs - before.Mallocs; n > uint64(x.times/2) { // fewer are the runtime's own
			return fmt.Errorf("%d exchanges of %d bytes allocate %d times", x.times, x.bytes, n)
		}
		if c.Rank() == 0 {
			fmt.Printf("%8d bytes: %v, %.2f GB/s each way\n", x.bytes, best, float64(x.bytes)/best.Seconds()/1e9)
		}
	}
	return nil
}

// overlap prints what an exchange of 2.6 MB takes beside a computation on all processors
// that the ranks share: how long the step takes, how long Wait, and what the thread that
// polls takes of a processor until then.
func overlap(c Comm) error {
	w := c.(*world)
	const bytes, times = 2600 << 10, 200
	peer := 1 - c.Rank()
	e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(bytes)}}, []Message{{Peer: peer, Data: c.Buffer(bytes)}})
	x := 1.0
	compute := func() {
		for range 5_000_000 {
			x = 0.5*x + 1
		}
	}
	var polling time.Duration
	threadTime := func() (t time.Duration) {
		w.do(func() {
			var u syscall.Rusage
			_ = syscall.Getrusage(1, &u) // RUSAGE_THREAD
			t = time.Duration(u.Utime.Nano() + u.Stime.Nano())
		})
		return t
	}
	for _, v := range []struct {
		name string
		step func()
	}{
		{"computation alone", compute},
		{"exchange alone", func() { e.Start(); e.Wait() }},
		{"exchange, then computation", func() { e.Start(); e.Wait(); compute() }},
		{"exchange beside it", func() {
			e.Start()
			before := threadTime()
			compute()
			polling = threadTime() - before
			e.Wait()
		}},
	} {
		var walls, polls []time.Duration
		for range times {
			c.Barrier()
			begin := time.Now()
			v.step()
			walls, polls = append(walls, time.Since(begin)), append(polls, polling)
		}
		slices.Sort(walls)
		slices.Sort(polls)
		if c.Rank() == 0 {
			fmt.Printf("%-27s best %8v, median %8v, polling: median %v\n", v.name, walls[0].Round(time.Microsecond), walls[times/2].Round(time.Microsecond), polls[times/2])
		}
	}
	// Rank 1 starts so late that rank 0 computes beside a message that does not come.
	c.Barrier()
	if c.Rank() == 1 {
		for range times * 3 / 2 {
			compute()
		}
	}
	before, begin := threadTime(), time.Now()
	e.Start()
	for range times {
		compute()
	}
	computed, polled := time.Since(begin), threadTime()-before
	e.Wait()
	if x == 0 {
		return fmt.Errorf("nothing computed")
	}
	if c.Rank() == 0 {
		fmt.Printf("beside a message that does not come: polling takes %.2g %% of a processor\n", 100*polled.Seconds()/computed.Seconds())
	}
	return nil
}
