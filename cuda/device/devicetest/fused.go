package devicetest

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/standin"
	"lbmib/internal/checking"
	"lbmib/internal/checking/checkingtest"
)

// Fused is a library on a stand-in whose compiler fuses a product and a sum, which are then
// rounded once, wherever it can, as those of devices do; Open's never does, to have the CPU's
// bits. What is promised of a device holds with both.
func Fused(t *testing.T) *device.Library {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it takes minutes, and another stand-in")
	}
	if !standin.CanContract() {
		t.Skip("this processor has no instructions that fuse a product and a sum")
	}
	path, err := standin.Library(standin.Options{Contract: true})
	if err != nil {
		t.Fatal(err)
	}
	return OpenLibrary(t, path)
}

// Suite runs a suite, which must make so many checks, so that none is lost unseen.
func Suite(t *testing.T, name string, checks int, suite func(Counted)) {
	t.Run(name, func(t *testing.T) {
		made := 0
		if suite(Counted{T: checkingtest.T{T: t}, n: &made}); made != checks {
			t.Errorf("%d checks were made, there should be %d", made, checks)
		}
	})
}

// Counted counts the checks of a suite: what it runs as parts of the first level.
type Counted struct {
	checkingtest.T
	n *int
}

// Run runs a check, and counts it.
func (c Counted) Run(name string, f func(checking.T)) bool {
	*c.n++
	return c.T.Run(name, f)
}

// Half tells whether a combination is tried: all are in full, else those of even i. Where
// products and sums are fused (Fused) it is the other
// half, so that each combination passes its suite in one way or the other; and the tests
// of bits compare all of them with the CPU.
func Half(i int) bool { return i%2 == 0 || checkingtest.Full() }
