package disk

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Recording is what a process did below a directory.
type Recording struct {
	root  string // absolute
	start string // directory that holds what was there before
	calls []call
	ends  []int // places in calls after which something below root had changed
}

// Read takes the trace of a process that worked in root and began with what is below
// before. Calls that the model does not know are an error.
func Read(trace io.Reader, root, before string) (*Recording, error) {
	list, err := parse(trace)
	if err != nil {
		return nil, err
	}
	r := &Recording{root: filepath.Clean(root), start: before, calls: list}
	f, err := r.follow(len(list))
	if err != nil {
		return nil, err
	}
	r.ends = f.changed
	return r, nil
}

// Moments is the number of calls that changed something, or made it safe: the power
// may fail after none of them, or after any.
func (r *Recording) Moments() int { return 1 + len(r.ends) }

// descriptor is an open file; copies of a descriptor share it.
type descriptor struct {
	node   *node // nil: outside of the directory
	path   string
	offset int64
	append bool
}

// follower does the calls of a trace.
type follower struct {
	root, cwd string
	tree      *node
	open      map[int]*descriptor
	begun     map[int]int // call → pending changes of its file when it began
	changed   []int
}

// follow does the first n beginnings and ends of calls.
func (r *Recording) follow(n int) (*follower, error) {
	tree, err := load(r.start)
	if err != nil {
		return nil, err
	}
	f := &follower{root: r.root, cwd: r.root, tree: tree, open: map[int]*descriptor{}, begun: map[int]int{}}
	for i, c := range r.calls[:n] {
		did := false
		if c.begins {
			f.begin(c)
		} else if did, err = f.end(c); err != nil {
			return nil, fmt.Errorf("%s(%.200s): %w", c.name, strings.Join(c.args, ", "), err)
		}
		if did {
			f.changed = append(f.changed, i+1)
		}
	}
	return f, nil
}

// begin notes what a call has before it when it begins: fsync promises nothing of what
// is written while it runs, and a descriptor is free as soon as close has begun.
func (f *follower) begin(c call) {
	switch c.name {
	case "fsync", "fdatasync":
		if d := f.descriptor(c, 0); d != nil && d.node != nil {
			f.begun[c.id] = d.node.pending()
		}
	case "close":
		if fd, err := strconv.Atoi(c.args[0]); err == nil {
			delete(f.open, fd)
		}
	}
}

// end does what a call that has returned did, and tells whether that changed what a
// failure may leave.
func (f *follower) end(c call) (changed bool, err error) {
	if c.result < 0 && c.name != "mmap" {
		return false, nil
	}
	switch c.name {
	case "open", "creat", "openat":
		return f.opened(c)
	case "dup", "dup2", "dup3":
		f.open[int(c.result)] = f.descriptor(c, 0)
	case "fcntl":
		if strings.HasPrefix(c.args[1], "F_DUPFD") {
			f.open[int(c.result)] = f.descriptor(c, 0)
		}
	case "lseek":
		if d := f.descriptor(c, 0); d != nil {
			d.offset = c.result
		}
	case "read", "readv": // the next write goes on behind it
		if d := f.descriptor(c, 0); d != nil {
			d.offset += c.result
		}
	case "write", "writev", "pwrite64", "pwritev", "pwritev2":
		return f.written(c)
	case "truncate":
		parent, name, _, err := f.locate("", c.args[0])
		if err != nil || parent == nil {
			return false, err
		}
		return truncated(parent.entries[name], c.args[1])
	case "ftruncate":
		if d := f.descriptor(c, 0); d != nil && d.node != nil {
			return truncated(d.node, c.args[1])
		}
	case "fsync", "fdatasync":
		if d := f.descriptor(c, 0); d != nil && d.node != nil {
			d.node.makeSafe(f.begun[c.id])
			return true, nil
		}
	case "rename", "renameat", "renameat2":
		return f.renamed(c)
	case "unlink", "unlinkat", "rmdir":
		return f.removed(c)
	case "mkdir", "mkdirat":
		parent, name, err := f.named(c, c.name == "mkdirat", 0)
		if err != nil || parent == nil {
			return false, err
		}
		parent.change(nameChange{name: newDir()})
		return true, nil
	case "close", "ioctl", "sync", "syncfs": // the last two: a promise that is not counted on
	case "chdir":
		path, err := bytesOf(c.args[0])
		if err != nil {
			return false, err
		}
		f.cwd = f.absolute(f.cwd, string(path))
	case "mmap":
		return false, f.mapped(c)
	default: // whatever writes by another way
		return false, f.unknown(c)
	}
	return false, nil
}

// descriptor is the open file that an argument is the number of.
func (f *follower) descriptor(c call, arg int) *descriptor {
	fd, err := strconv.Atoi(c.args[arg])
	if err != nil {
		return nil
	}
	return f.open[fd]
}

// opened notes a descriptor, and makes or empties its file.
func (f *follower) opened(c call) (changed bool, err error) {
	at, rest := "", c.args
	if c.name == "openat" {
		if at, err = f.directory(c.args[0]); err != nil {
			return false, err
		}
		rest = c.args[1:]
	}
	flags := "O_WRONLY|O_CREAT|O_TRUNC"
	if c.name != "creat" {
		flags = rest[1]
	}
	has := strings.Split(flags, "|")
	parent, name, path, err := f.locate(at, rest[0])
	if err != nil {
		return false, err
	}
	d := &descriptor{path: path, append: slices.Contains(has, "O_APPEND")}
	f.open[int(c.result)] = d
	switch {
	case parent == nil && path == f.root:
		d.node = f.tree
		return false, nil
	case parent == nil:
		return false, nil
	case slices.Contains(has, "O_TMPFILE"):
		return false, fmt.Errorf("files without a name are not modelled")
	}
	if d.node = parent.entries[name]; d.node == nil {
		if !slices.Contains(has, "O_CREAT") {
			return false, fmt.Errorf("%s is opened and is not there: the trace is not whole", path)
		}
		d.node = newFile()
		parent.change(nameChange{name: d.node})
		return true, nil
	}
	if slices.Contains(has, "O_TRUNC") && len(d.node.data) > 0 {
		return truncated(d.node, "0")
	}
	return false, nil
}

// written does a write, as far as it came.
func (f *follower) written(c call) (bool, error) {
	d := f.descriptor(c, 0)
	if d == nil || d.node == nil || c.result == 0 {
		return false, nil
	}
	data, err := bytesOf(c.args[1])
	if strings.Contains(c.name, "writev") {
		data, err = vectorOf(c.args[1])
	}
	if err != nil {
		return false, err
	}
	if int64(len(data)) < c.result {
		return false, fmt.Errorf("the trace has %d of %d bytes", len(data), c.result)
	}
	at := &d.offset
	switch {
	case strings.HasPrefix(c.name, "pwrite"):
		given, err := strconv.ParseInt(c.args[3], 0, 64)
		if err != nil {
			return false, err
		}
		at = &given
	case d.append:
		d.offset = int64(len(d.node.data))
	}
	d.node.write(dataChange{at: *at, data: data[:c.result]})
	*at += c.result
	return true, nil
}

func truncated(n *node, length string) (bool, error) {
	to, err := strconv.ParseInt(length, 0, 64)
	if err != nil || n == nil || to == int64(len(n.data)) {
		return false, err
	}
	n.write(dataChange{at: to})
	return true, nil
}

func (f *follower) renamed(c call) (bool, error) {
	second := 1
	if c.name != "rename" {
		second = 2
	}
	from, old, err := f.named(c, c.name != "rename", 0)
	if err != nil {
		return false, err
	}
	to, name, err := f.named(c, c.name != "rename", second)
	switch {
	case err != nil || from == nil && to == nil:
		return false, err
	case from == nil || to == nil:
		return false, fmt.Errorf("a rename into or out of the directory is not modelled")
	}
	moved := from.entries[old]
	if moved == nil {
		return false, fmt.Errorf("%s is renamed and is not there: the trace is not whole", old)
	}
	if from == to {
		from.change(nameChange{old: nil, name: moved})
		return true, nil
	}
	from.change(nameChange{old: nil})
	to.change(nameChange{name: moved})
	return true, nil
}

func (f *follower) removed(c call) (bool, error) {
	parent, name, err := f.named(c, c.name == "unlinkat", 0)
	if err != nil || parent == nil {
		return false, err
	}
	parent.change(nameChange{name: nil})
	return true, nil
}

// mapped refuses files that are written through memory.
func (f *follower) mapped(c call) error {
	if len(c.args) < 5 || !strings.Contains(c.args[2], "PROT_WRITE") || !strings.Contains(c.args[3], "MAP_SHARED") {
		return nil
	}
	if d := f.descriptor(c, 4); d != nil && d.node != nil {
		return fmt.Errorf("%s is written through memory, which is not modelled", d.path)
	}
	return nil
}

// unknown refuses a call that has to do with a file below the directory.
func (f *follower) unknown(c call) error {
	for i, a := range c.args {
		if d := f.descriptor(c, i); d != nil && d.node != nil {
			return fmt.Errorf("on %s: not modelled", d.path)
		}
		if path, err := bytesOf(a); err == nil && strings.HasPrefix(f.absolute(f.cwd, string(path)), f.root+"/") {
			return fmt.Errorf("on %s: not modelled", path)
		}
	}
	return nil
}
