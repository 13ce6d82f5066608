package mpi

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// roleVariable makes this test binary one rank of a program.
const roleVariable = "LBMIB_MPI_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(play(role))
	}
	os.Exit(m.Run())
}

func play(role string) int {
	c, err := Connect()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 9
	}
	switch role {
	case "conform":
		err = conform(c)
	case "rates":
		rates(c, os.Stdout)
	}
	if err != nil {
		c.Abort(3, err.Error())
	}
	c.Finalize()
	return 0
}

func rates(c Comm, out *os.File) {
	peer := 1 - c.Rank()
	for _, x := range []struct{ bytes, times int }{{8, 2000}, {64 << 10, 1000}, {2600 << 10, 100}} {
		o, i := c.Buffer(x.bytes), c.Buffer(x.bytes)
		e := c.Exchange([]Message{{Peer: peer, Data: o}}, []Message{{Peer: peer, Data: i}})
		best := time.Hour
		var m0, m1 runtime.MemStats
		for range 5 {
			c.Barrier()
			runtime.ReadMemStats(&m0)
			begin := time.Now()
			for range x.times {
				e.Start()
				e.Wait()
			}
			best = min(best, time.Since(begin)/time.Duration(x.times))
			runtime.ReadMemStats(&m1)
		}
		if c.Rank() == 0 {
			fmt.Fprintf(out, "%d bytes: %v, %.2f GB/s each way, %d allocs\n", x.bytes, best, float64(x.bytes)/best.Seconds()/1e9, m1.Mallocs-m0.Mallocs)
		}
	}
}
