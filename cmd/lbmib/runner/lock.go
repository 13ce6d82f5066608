package runner

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// claim takes the directory for this process: until the file is closed or the
// process dies, however it does, another claim is refused. A missing directory
// gives an error that wraps fs.ErrNotExist. Where the file system has no locks,
// messages get a warning.
func (d directory) claim(messages io.Writer) (*os.File, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, ioErrorf("the run directory cannot be read: %w: make it readable or choose another with --out DIR", err)
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, unix.EWOULDBLOCK):
		f.Close()
		return nil, badCase(fmt.Errorf("%s is in use by another run: wait for it, or choose another directory with --out DIR", d.path))
	}
	fmt.Fprintf(messages, "warning: %s cannot be locked (%v): make sure that no other run uses it\n", d.path, err)
	return f, nil
}
