package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbmib/internal/durable"
)

const suffix = ".ckpt"

func fileName(step int64) string { return fmt.Sprintf("%012d%s", step, suffix) }

// stepOf is the step in a checkpoint's file name.
func stepOf(name string) (step int64, ok bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) < 12 {
		return 0, false
	}
	step, err := strconv.ParseInt(digits, 10, 64)
	return step, err == nil && fileName(step) == name
}

func isCheckpoint(name string) bool {
	_, ok := stepOf(name)
	return ok
}

// isTemporary tells whether a file is what a killed run left of a checkpoint.
// Its name begins with a dot: no pattern that finds checkpoints finds it.
func isTemporary(name string) bool {
	final, ok := durable.Final(name)
	return ok && isCheckpoint(final)
}

type stored struct {
	step int64
	path string
}

// list finds the checkpoints in dir, the latest first.
func list(dir string) ([]stored, error) {
	entries, err := durable.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []stored
	for _, e := range entries {
		if step, ok := stepOf(e.Name()); ok {
			all = append(all, stored{step, filepath.Join(dir, e.Name())})
		}
	}
	slices.SortFunc(all, func(a, b stored) int { return cmp.Compare(b.step, a.step) })
	return all, nil
}

// prune removes the checkpoints before step but for the last keep, step's own
// counted. What is later than step comes from another run or is the damaged
// file that this run went back behind: neither may push out the new one.
func prune(dir string, step int64, keep int) error {
	all, err := list(dir)
	if err != nil {
		return fmt.Errorf("%s: the checkpoint was written, but older ones cannot be listed: %w: make the directory readable", dir, durable.Cause(err))
	}
	kept := 0
	for _, c := range all {
		if c.step > step {
			continue
		}
		if kept++; kept <= keep {
			continue
		}
		if err := durable.Remove(c.path); err != nil {
			return fmt.Errorf("%s: a newer checkpoint was written, but this one cannot be removed: %w: remove it by hand", c.path, durable.Cause(err))
		}
	}
	return nil
}

// Clear removes all checkpoints and temporaries in dir: a run that starts
// over must not find those of the run before. A missing directory is clear.
func Clear(dir string) error {
	err := removeAll(dir, func(name string) bool { return isCheckpoint(name) || isTemporary(name) })
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: earlier checkpoints cannot be removed: %w: make the directory writable or set another output.directory", dir, durable.Cause(err))
	}
	return nil
}

func removeAll(dir string, which func(name string) bool) error {
	entries, err := durable.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if which(e.Name()) {
			if err := durable.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
