// Package devicetest opens devices for tests.
package devicetest

import (
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/standin"
)

// Open is a library on the stand-in, for the rest of a test.
func Open(t testing.TB) *device.Library {
	t.Helper()
	return OpenLibrary(t, standin.Build(t))
}

// OpenLibrary is a library on the device of a driver's library.
func OpenLibrary(t testing.TB, path string) *device.Library {
	t.Helper()
	d, err := driver.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Context(0)
	if err != nil {
		t.Fatal(err)
	}
	l := device.NewLibrary(c)
	t.Cleanup(func() {
		l.Close()
		c.Close()
	})
	return l
}

// NumbersAlone leaves out, with -short, what compares numbers for long and has no goroutines
// that others have not.
func NumbersAlone(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: it compares numbers, for long")
	}
}
