// Package checkingtest lets suites of package checking run in tests.
package checkingtest

import (
	"testing"

	"lbmib/internal/checking"
)

// T is a test as checks see it.
type T struct{ *testing.T }

var _ checking.T = T{}

// Run is a subtest.
func (t T) Run(name string, f func(checking.T)) bool {
	return t.T.Run(name, func(t *testing.T) { f(T{t}) })
}
