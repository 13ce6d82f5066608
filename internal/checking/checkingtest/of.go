// Package checkingtest lets suites of package checking run in tests.
package checkingtest

import (
	"os"
	"testing"

	"lbmib/internal/checking"
)

// T is a test as checks see it.
type T struct {
	*testing.T
	// Without tells which checks of the first level are left out; nil: none are.
	Without func(name string) bool
}

var _ checking.T = T{}

// Run is a subtest.
func (t T) Run(name string, f func(checking.T)) bool {
	if t.Without != nil && t.Without(name) {
		return true
	}
	return t.T.Run(name, func(t *testing.T) { f(T{T: t}) })
}

// Full tells that tests are to go through all combinations of what they vary, which the
// variable LBMIB_TESTS = full asks for. Otherwise every value occurs in some combination.
func Full() bool { return os.Getenv("LBMIB_TESTS") == "full" }

// NumbersAlone leaves out, with -short, a test that compares numbers for long and has no
// goroutines that others have not: -short is for the race detector, which is slow.
func NumbersAlone(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it compares numbers, for long")
	}
}
