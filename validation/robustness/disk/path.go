package disk

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// directory is the path that an argument stands for that paths are relative to.
func (f *follower) directory(arg string) (string, error) {
	if arg == "AT_FDCWD" {
		return f.cwd, nil
	}
	fd, err := strconv.Atoi(arg)
	if err != nil {
		return "", err
	}
	d := f.open[fd]
	if d == nil {
		return "", fmt.Errorf("descriptor %d has not been opened: the trace is not whole", fd)
	}
	return f.pathOf(d), nil
}

// pathOf is where an open directory is now; it may have been renamed.
func (f *follower) pathOf(d *descriptor) string {
	if d.node == nil {
		return d.path
	}
	if p, ok := find(f.tree, d.node, f.root); ok {
		return p
	}
	return d.path
}

func find(in, wanted *node, path string) (string, bool) {
	if in == wanted {
		return path, true
	}
	for name, child := range in.entries {
		if child.isDir {
			if p, ok := find(child, wanted, filepath.Join(path, name)); ok {
				return p, true
			}
		}
	}
	return "", false
}

// absolute is a path from a directory; one through /proc/self/fd is that of the
// descriptor.
func (f *follower) absolute(at, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(at, path)
	}
	path = filepath.Clean(path)
	if rest, ok := strings.CutPrefix(path, "/proc/self/fd/"); ok {
		number, below, _ := strings.Cut(rest, "/")
		if fd, err := strconv.Atoi(number); err == nil && f.open[fd] != nil {
			return filepath.Join(f.pathOf(f.open[fd]), below)
		}
	}
	return path
}

// named is the directory and the name that a call's path argument stands for; dir is
// nil outside. With at, the argument before it is the directory of the path.
func (f *follower) named(c call, at bool, arg int) (dir *node, name string, err error) {
	from := ""
	if at {
		if from, err = f.directory(c.args[arg]); err != nil {
			return nil, "", err
		}
		arg++
	}
	dir, name, _, err = f.locate(from, c.args[arg])
	return dir, name, err
}

// locate finds the directory that a path's last name is in; it is nil outside of the
// root and for the root itself.
func (f *follower) locate(at, arg string) (dir *node, name, path string, err error) {
	raw, err := bytesOf(arg)
	if err != nil {
		return nil, "", "", err
	}
	if at == "" {
		at = f.cwd
	}
	path = f.absolute(at, string(raw))
	below, ok := strings.CutPrefix(path, f.root+"/")
	if !ok {
		return nil, "", path, nil
	}
	dir = f.tree
	names := strings.Split(below, "/")
	for _, n := range names[:len(names)-1] {
		if dir = dir.entries[n]; dir == nil || !dir.isDir {
			return nil, "", path, fmt.Errorf("%s lies in no directory: the trace is not whole", path)
		}
	}
	return dir, names[len(names)-1], path, nil
}
