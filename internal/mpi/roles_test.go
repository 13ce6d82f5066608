//go:build !nompi

package mpi

import (
	"fmt"
	"os"
	"runtime"
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

// refused is the exit status of a rank that cannot connect.
const refused = 9

// roles are the programs of the tests under launchers.
var roles = map[string]func(c Comm) error{
	"conform":   conform,
	"pieces":    inPieces,
	"collector": besideCollector,
	"handlers":  recoverFault,
	"where":     where,
	"late":      func(c Comm) error { return busyUntil(c, func() { time.Sleep(time.Hour) }) },
	"killed":    func(c Comm) error { return busyUntil(c, func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }) },
	"panics":    func(c Comm) error { return busyUntil(c, func() { panic("out of range") }) },
	"aborts":    func(c Comm) error { return busyUntil(c, func() { c.Abort(7, "diverged") }) },
	"exits":     func(c Comm) error { return busyUntil(c, func() { os.Exit(5) }) },
	"truncated": truncated,
	"rates":     rates,
	"overlap":   overlap,
}

func play(role string) int {
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

// besideCollector exchanges while Go's heap is filled and swept again and again.
func besideCollector(c Comm) error {
	var stop atomic.Bool
	defer stop.Store(true)
	garbage := make([][]byte, 64)
	go func() {
		for i := 0; !stop.Load(); i++ {
			garbage[i%len(garbage)] = make([]byte, 1<<(4+i%14))
			if i%2000 == 0 {
				runtime.GC()
			}
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

// where tells what a rank knows of its place, by rank 0 for all.
func where(c Comm) error {
	rank, size := Local(c)
	text := fmt.Sprintf("rank %d of %d, %d of %d here, %v\n", c.Rank(), c.Size(), rank, size, c.Host(c.Rank()) != "")
	all, _ := GatherV(c, 0, []byte(text))
	fmt.Print(string(all))
	return nil
}

// busyUntil exchanges messages among all ranks until the last one does something else.
func busyUntil(c Comm, end func()) error {
	rank, size := c.Rank(), c.Size()
	next, before := (rank+1)%size, (rank+size-1)%size
	var all []Exchange
	for _, n := range []int{8, 500000} {
		all = append(all, c.Exchange([]Message{{Peer: next, Data: c.Buffer(n)}}, []Message{{Peer: before, Data: c.Buffer(n)}}))
	}
	for round := 0; ; round++ {
		e := all[round%2]
		e.Start()
		if round == 1001 && rank == size-1 {
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
	m := []Message{{Peer: 1 - c.Rank(), Data: c.Buffer(16 - 8*c.Rank())}}
	e := c.Exchange(m[:1-c.Rank()], m[:c.Rank()])
	e.Start()
	e.Wait()
	c.Barrier()
	return nil
}

// rates prints what an exchange between two ranks takes.
func rates(c Comm) error {
	peer := 1 - c.Rank()
	for _, x := range []struct{ bytes, times int }{{8, 2000}, {64 << 10, 1000}, {2600 << 10, 100}} {
		e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(x.bytes)}}, []Message{{Peer: peer, Data: c.Buffer(x.bytes)}})
		best := time.Hour
		var before, after runtime.MemStats
		for range 10 {
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
		if n := after.Mallocs - before.Mallocs; n > 20 { // of the runtime's own
			return fmt.Errorf("%d exchanges of %d bytes allocate %d times", x.times, x.bytes, n)
		}
		if c.Rank() == 0 {
			fmt.Printf("%8d bytes: %v, %.2f GB/s each way\n", x.bytes, best, float64(x.bytes)/best.Seconds()/1e9)
		}
	}
	return nil
}

// overlap prints what an exchange takes beside a computation on all processors that the
// ranks share: time of the step, and of the processor.
func overlap(c Comm) error {
	peer := 1 - c.Rank()
	const bytes, times = 2600 << 10, 20
	e := c.Exchange([]Message{{Peer: peer, Data: c.Buffer(bytes)}}, []Message{{Peer: peer, Data: c.Buffer(bytes)}})
	x := 1.0
	compute := func() {
		for range 20_000_000 {
			x = 0.5*x + 1
		}
	}
	processor := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	measure := func(step func()) (wall, busy time.Duration) {
		wall, busy = time.Hour, time.Hour
		for range 5 {
			c.Barrier()
			begin, p := time.Now(), processor()
			for range times {
				step()
			}
			wall, busy = min(wall, time.Since(begin)/times), min(busy, (processor()-p)/times)
		}
		return wall, busy
	}
	for _, v := range []struct {
		name string
		step func()
	}{
		{"computation alone", compute},
		{"exchange alone", func() { e.Start(); e.Wait() }},
		{"one after the other", func() { e.Start(); e.Wait(); compute() }},
		{"exchange beside it", func() { e.Start(); compute(); e.Wait() }},
	} {
		wall, busy := measure(v.step)
		var late time.Duration
		if v.name == "exchange beside it" {
			begin := time.Hour
			for range times {
				e.Start()
				compute()
				t := time.Now()
				e.Wait()
				begin = min(begin, time.Since(t))
			}
			late = begin
		}
		if c.Rank() == 0 {
			fmt.Printf("%-20s %v, processor %v, shortest Wait %v\n", v.name, wall, busy, late)
		}
	}
	if x == 0 {
		return fmt.Errorf("nothing computed")
	}
	return nil
}
