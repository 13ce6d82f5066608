//go:build !nompi

package mpi

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() { roles["signals"] = takeSignals }

func TestSignalsReachRanks(t *testing.T) {
	under(t, func(t *testing.T, l testLauncher) {
		if e := l.launch(t, 2, "signals"); e.status != 0 {
			t.Errorf("exit status %d\n%s", e.status, e.text)
		}
	})
}

// takeSignals needs signals that reach Go from every thread, the library's own among them,
// and from the launcher.
func takeSignals(c Comm) error {
	got := make(chan os.Signal, 1000)
	signal.Notify(got, syscall.SIGUSR1)
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		thread, _ := strconv.Atoi(t.Name())
		if err := unix.Tgkill(os.Getpid(), thread, syscall.SIGUSR1); err != nil {
			continue // it has ended, or blocks them
		}
	}
	if len(threads) < 3 {
		return fmt.Errorf("%d threads", len(threads))
	}
	take := func(from string) error {
		select {
		case <-got:
			return nil
		case <-time.After(time.Minute):
			return fmt.Errorf("no signal from %s", from)
		}
	}
	if err := take("itself"); err != nil {
		return err
	}
	for idle := false; !idle; { // those of the other threads
		select {
		case <-got:
		case <-time.After(300 * time.Millisecond):
			idle = true
		}
	}
	c.Barrier()
	if c.Rank() == 0 {
		fmt.Println(signalNow)
	}
	return take("the launcher")
}
