package machine

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Memory is what the process may use in bytes: the machine's memory, or the
// smaller limit of the control group it runs in or of its address space (ulimit -v).
func Memory() (int64, error) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, fmt.Errorf("the size of the memory cannot be read: %w", err)
	}
	total := int64(info.Totalram) * int64(info.Unit)
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		var limit int64
		if text, err := os.ReadFile(file); err == nil {
			if _, err := fmt.Sscan(string(text), &limit); err == nil && limit > 0 {
				total = min(total, limit)
			}
		}
	}
	var space unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &space) == nil && space.Cur < uint64(total) {
		total = int64(space.Cur)
	}
	return total, nil
}

// hugePageFile says whether memory may lie on huge pages.
const hugePageFile = "/sys/kernel/mm/transparent_hugepage/enabled"

// HugePages is the system's mode of transparent huge pages: "always", "madvise"
// (where a program asks, as this one does) or "never".
func HugePages() (mode string, err error) {
	text, err := os.ReadFile(hugePageFile)
	if err != nil {
		return "", fmt.Errorf("the mode of huge pages cannot be read: %w", err)
	}
	return chosen(string(text))
}

// chosen is the word in brackets of a list such as "always [madvise] never".
func chosen(list string) (string, error) {
	_, rest, _ := strings.Cut(list, "[")
	word, _, ok := strings.Cut(rest, "]")
	if !ok {
		return "", fmt.Errorf("%s: %q names no mode in brackets", hugePageFile, strings.TrimSpace(list))
	}
	return word, nil
}

// FreeDisk is the space in bytes that is left to the user where path lies.
func FreeDisk(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, fmt.Errorf("%s: the free space cannot be read: %w", path, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}

// Writable is nil where files can be made in the directory, and says why where
// they cannot. It makes none.
func Writable(directory string) error {
	if err := unix.Access(directory, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("%s cannot be written to: %w", directory, err)
	}
	return nil
}
