package rundir

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"lbmib/internal/durable"
	"lbmib/run/exit"
)

// Claim takes the directory for this process: until it is released or the
// process dies, however it does, another claim is refused, and what is written below its
// path goes into it wherever it is moved to. A missing directory
// gives an error that wraps fs.ErrNotExist. Where the file system has no locks,
// messages get a warning.
func (d Dir) Claim(messages io.Writer) (*durable.Held, error) {
	h, err := durable.Hold(d.Path)
	if err != nil {
		return nil, exit.InputOutputf("the run directory cannot be read: %w: %s", err, durable.Remedy(err, "make it readable or choose another with --out DIR"))
	}
	for {
		err = unix.Flock(int(h.File().Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case err == nil:
		return h, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		h.Release()
		return nil, exit.AsBadCase(fmt.Errorf("%s is in use by another run: wait for it, or choose another directory with --out DIR", d.Path))
	}
	fmt.Fprintf(messages, "warning: %s cannot be locked (%v): make sure that no other run uses it\n", d.Path, err)
	return h, nil
}
