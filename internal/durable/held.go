package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Held is a directory that this process holds open. While it does, every path at or
// below the one that it was opened by means, to this package, what lies in the directory
// itself, also after it was moved and another made in its place. Links inside it to other
// places keep working.
type Held struct {
	path string // by which it was opened, absolute
	dir  *os.File
	link string // leads to the directory wherever it is; empty: the system has no such path
}

// held are the directories that are held.
var held struct {
	sync.RWMutex
	all []*Held
}

// Hold opens a directory and holds it until Release. On Linux paths go by way of the
// open descriptor. On other systems they stay what they are, and everything that
// is written is refused once the path leads to another directory.
func Hold(path string) (*Held, error) {
	return hold(path, descriptorLink)
}

func hold(path string, link func(*os.File) string) (*Held, error) {
	at, err := At(path)
	if err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(at)
	if err != nil {
		return nil, named(path, err)
	}
	h := &Held{path: absolute, dir: dir, link: link(dir)}
	held.Lock()
	held.all = append(held.all, h)
	held.Unlock()
	return h, nil
}

const self = "/proc/self/"

// descriptorLink is the path of an open directory by way of its descriptor, if the
// system has one that leads there.
func descriptorLink(dir *os.File) string {
	link := self + "fd/" + strconv.Itoa(int(dir.Fd()))
	there, err := os.Stat(link + "/.")
	if err != nil {
		return ""
	}
	if here, err := dir.Stat(); err != nil || !os.SameFile(here, there) {
		return ""
	}
	return link
}

// File is the open directory.
func (h *Held) File() *os.File { return h.dir }

// Release lets go of the directory: paths mean again what they say.
func (h *Held) Release() {
	held.Lock()
	for i, other := range held.all {
		if other == h {
			held.all = append(held.all[:i:i], held.all[i+1:]...)
			break
		}
	}
	held.Unlock()
	h.dir.Close()
}

// Moved tells whether the path leads elsewhere by now, and where the directory is, if
// the system can tell.
func (h *Held) Moved() (now string, moved bool) {
	if h.samePlace() == nil {
		return h.path, false
	}
	if h.link != "" {
		now, _ = os.Readlink(h.link)
	}
	return now, true
}

// Warning tells, once a run, a sweep, ... has ended, where everything is if the directory
// was moved meanwhile; else it is empty. path is how the user names the directory.
func (h *Held) Warning(path, what string) string {
	now, moved := h.Moved()
	switch {
	case !moved:
		return ""
	case now == "":
		return fmt.Sprintf("warning: %s was moved or replaced while the %s went on: it has everything that this %s wrote", path, what, what)
	}
	return fmt.Sprintf("warning: %s was moved or replaced while the %s went on: everything that this %s wrote is in %s", path, what, what, now)
}

// samePlace is an error where the path does not lead to the directory any more.
func (h *Held) samePlace() error {
	here, err := h.dir.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(h.path)
	if err == nil && os.SameFile(here, there) {
		return nil
	}
	return fmt.Errorf("%s: the directory was moved or replaced while this process writes to it: put it back, and resume", h.path)
}

// At is the path by which the system reaches what a path means: itself, unless it lies
// in a directory that is held.
func At(path string) (string, error) {
	held.RLock()
	defer held.RUnlock()
	if len(held.all) == 0 {
		return path, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	var in *Held // the innermost
	for _, h := range held.all {
		if (absolute == h.path || strings.HasPrefix(absolute, h.path+string(filepath.Separator))) && (in == nil || len(h.path) >= len(in.path)) {
			in = h
		}
	}
	switch {
	case in == nil:
		return path, nil
	case in.link == "":
		return path, in.samePlace()
	case absolute == in.path:
		return in.link + "/.", nil
	}
	return in.link + absolute[len(in.path):], nil
}

// named is an error of the system about a path as the user knows it.
func named(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
	}
	return err
}

// reach calls the system with the path that At gives, and names the path in its error.
func reach[R any](path string, call func(at string) (R, error)) (result R, err error) {
	at, err := At(path)
	if err != nil {
		return result, err
	}
	result, err = call(at)
	return result, named(path, err)
}

// OpenFile is os.OpenFile, of what a path means (Held).
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return reach(path, func(at string) (*os.File, error) { return os.OpenFile(at, flag, perm) })
}

// Open is os.Open, likewise.
func Open(path string) (*os.File, error) { return OpenFile(path, os.O_RDONLY, 0) }

// ReadFile is os.ReadFile, likewise.
func ReadFile(path string) ([]byte, error) { return reach(path, os.ReadFile) }

// ReadDir is os.ReadDir, likewise.
func ReadDir(path string) ([]fs.DirEntry, error) { return reach(path, os.ReadDir) }

// Stat is os.Stat, likewise.
func Stat(path string) (fs.FileInfo, error) { return reach(path, os.Stat) }

// Lstat is os.Lstat, likewise.
func Lstat(path string) (fs.FileInfo, error) { return reach(path, os.Lstat) }

// Remove is os.Remove, likewise.
func Remove(path string) error {
	_, err := reach(path, func(at string) (struct{}, error) { return struct{}{}, os.Remove(at) })
	return err
}

// rename is os.Rename, likewise.
func rename(from, to string) error {
	a, err := At(from)
	if err != nil {
		return err
	}
	b, err := At(to)
	if err != nil {
		return err
	}
	var link *os.LinkError
	if err := os.Rename(a, b); errors.As(err, &link) {
		return &os.LinkError{Op: link.Op, Old: from, New: to, Err: link.Err}
	} else {
		return err
	}
}
