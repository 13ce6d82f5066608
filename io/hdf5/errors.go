package hdf5

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// errorRecord is H5E_error2_t, one level of HDF5's error stack.
type errorRecord struct {
	_           [3]hid // class, major and minor number
	_           uint32 // line
	function    *byte
	_           *byte // file
	description *byte
}

// stack receives the descriptions during a walk; the library's lock guards it.
var stack []string

// collector is the C callback that fills stack. Callbacks are never freed, so
// there is one for the life of the process.
var collector = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(_ uintptr, e *errorRecord, _ uintptr) uintptr {
		stack = append(stack, fmt.Sprintf("%s (%s)", cString(e.description), cString(e.function)))
		return 0
	})
})

// failure turns HDF5's error stack into an error about the C function that has
// just failed, and empties it. The innermost level tells the cause; the
// outermost says what was being done.
func (l *library) failure(function string) error {
	stack = stack[:0]
	l.walk(errorStackDefault, walkUpward, collector(), 0)
	l.clear(errorStackDefault)
	switch n := len(stack); n {
	case 0:
		return errors.New(function + " failed without giving a reason")
	case 1:
		return fmt.Errorf("%s: %s", function, stack[0])
	default:
		return fmt.Errorf("%s: %s: %s", function, stack[n-1], stack[0])
	}
}

// check is the error of a call that returned a negative status or handle.
func check[N int32 | int64](l *library, result N, function string) error {
	if result < 0 {
		return l.failure(function)
	}
	return nil
}

// cString copies a C string, bounded in case its end is missing.
func cString(p *byte) string {
	if p == nil {
		return "?"
	}
	var b strings.Builder
	for i := 0; i < 2048; i++ {
		c := *(*byte)(unsafe.Add(unsafe.Pointer(p), i))
		if c == 0 {
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}
