package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// node is a file or a directory, as the process sees it and as far as it is safe.
type node struct {
	isDir bool

	// of a directory
	entries, safeEntries map[string]*node
	pendingNames         []nameChange // since the last fsync of the directory

	// of a file
	data, safeData []byte
	pendingData    []dataChange // since the last fsync of the file
}

// nameChange is what one system call does to the names of one directory; nil removes.
type nameChange map[string]*node

// dataChange is a write at an offset or, where data is nil, a new length.
type dataChange struct {
	at   int64
	data []byte
}

func newDir() *node {
	return &node{isDir: true, entries: map[string]*node{}, safeEntries: map[string]*node{}}
}

func newFile() *node { return &node{} }

// Load takes what is below a directory as safe.
func load(path string) (*node, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		n := newFile()
		if n.data, err = os.ReadFile(path); err != nil {
			return nil, err
		}
		n.safeData = slices.Clone(n.data)
		return n, nil
	}
	n := newDir()
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if !e.IsDir() && !e.Type().IsRegular() {
			return nil, fmt.Errorf("%s is neither a file nor a directory", filepath.Join(path, e.Name()))
		}
		child, err := load(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		n.entries[e.Name()], n.safeEntries[e.Name()] = child, child
	}
	return n, nil
}

// change does a change of names, which is not safe yet.
func (n *node) change(c nameChange) {
	for name, to := range c {
		set(n.entries, name, to)
	}
	n.pendingNames = append(n.pendingNames, c)
}

func set(entries map[string]*node, name string, to *node) {
	if to == nil {
		delete(entries, name)
		return
	}
	entries[name] = to
}

// write does a change of data, which is not safe yet.
func (n *node) write(c dataChange) {
	n.data = c.on(n.data)
	n.pendingData = append(n.pendingData, c)
}

// on is the data with the change done; holes are zeros.
func (c dataChange) on(data []byte) []byte {
	if c.data == nil {
		if int64(len(data)) > c.at {
			return data[:c.at:c.at]
		}
		return append(data, make([]byte, c.at-int64(len(data)))...)
	}
	if grow := c.at + int64(len(c.data)) - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	copy(data[c.at:], c.data)
	return data
}

// pending is the number of changes that are not safe.
func (n *node) pending() int {
	if n.isDir {
		return len(n.pendingNames)
	}
	return len(n.pendingData)
}

// makeSafe makes the first k pending changes safe.
func (n *node) makeSafe(k int) {
	if n.isDir {
		for _, c := range n.pendingNames[:k] {
			for name, to := range c {
				set(n.safeEntries, name, to)
			}
		}
		n.pendingNames = slices.Clone(n.pendingNames[k:])
		return
	}
	safe := slices.Clone(n.safeData)
	for _, c := range n.pendingData[:k] {
		safe = c.on(safe)
	}
	n.safeData, n.pendingData = safe, slices.Clone(n.pendingData[k:])
}

// Tree is what a disk holds: path → content, nil for directories.
type Tree map[string][]byte

// collect puts a node and what is below it into the tree, as pick tells.
func collect(t Tree, path string, n *node, pick func(*node) (map[string]*node, []byte)) {
	entries, data := pick(n)
	if !n.isDir {
		t[path] = append([]byte{}, data...)
		return
	}
	if path != "" {
		t[path] = nil
	}
	for name, child := range entries {
		collect(t, filepath.Join(path, name), child, pick)
	}
}

// Write makes the tree below a directory, which must be there.
func (t Tree) Write(dir string) error {
	var paths []string
	for p := range t {
		paths = append(paths, p)
	}
	slices.Sort(paths) // directories before what is in them
	for _, p := range paths {
		at := filepath.Join(dir, p)
		if t[p] == nil {
			if err := os.Mkdir(at, 0o777); err != nil && !os.IsExist(err) {
				return err
			}
		} else if err := os.WriteFile(at, t[p], fs.FileMode(0o666)); err != nil {
			return err
		}
	}
	return nil
}
