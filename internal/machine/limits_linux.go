package machine

import (
	"fmt"
	"math"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Limit is the least of what bounds the memory of the process.
func Limit() (MemoryLimit, error) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return MemoryLimit{}, fmt.Errorf("the size of the memory cannot be read: %w", err)
	}
	least := MemoryLimit{Bytes: int64(info.Totalram) * int64(info.Unit)}
	if l := groupLimit("/", readFile("/proc/self/cgroup")); l.By != "" && l.Bytes < least.Bytes {
		least = l
	}
	if l := spaceLimit(); l.By != "" && l.Bytes < least.Bytes {
		least = l
	}
	return least, nil
}

func readFile(path string) string {
	text, _ := os.ReadFile(path) // what is not there limits nothing
	return string(text)
}

// groupLimit is the least limit of the control groups that a process is in, as
// /proc/self/cgroup lists them, and of those above; root is where /sys lies.
func groupLimit(root, groups string) (least MemoryLimit) {
	type place struct{ mount, file string }
	for line := range strings.Lines(groups + "0::/\n0:memory:/\n") { // in a container its own group is the root
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		var at place
		switch {
		case parts[1] == "":
			at = place{"sys/fs/cgroup", "memory.max"}
		case slices.Contains(strings.Split(parts[1], ","), "memory"):
			at = place{"sys/fs/cgroup/memory", "memory.limit_in_bytes"}
		default:
			continue
		}
		for group := parts[2]; ; group = path.Dir(group) {
			file := path.Join(root, at.mount, group, at.file)
			limit, err := strconv.ParseInt(strings.TrimSpace(readFile(file)), 10, 64)
			if err == nil && limit > 0 && (least.By == "" || limit < least.Bytes) {
				least = MemoryLimit{Bytes: limit, By: fmt.Sprintf("the control group allows %s (%s)", bytesText(limit), file), Remedy: "raise the control group's limit"}
			}
			if group == "/" || group == "." {
				break
			}
		}
	}
	return least
}

// What a thread takes of the address space: its stack, and the arena that the C library
// sets aside for it.
const threadSpace = 72 << 20

// spaceLimit is what the limit on address space (ulimit -v) leaves for data: the program
// itself and its threads take much more of it than of memory, and where it ends the
// process is aborted without a word of its own.
func spaceLimit() MemoryLimit {
	var space unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &space) != nil || space.Cur >= math.MaxInt64 {
		return MemoryLimit{}
	}
	program := spaceAtStart()
	return MemoryLimit{
		Bytes:  max(0, int64(space.Cur)-program),
		By:     fmt.Sprintf("ulimit -v allows %s, of which the program and its threads may take %s", bytesText(int64(space.Cur)), bytesText(program)),
		Remedy: fmt.Sprintf("raise ulimit -v (to %d and the KiB that the case needs)", program>>10),
	}
}

// spaceAtStart is the address space that the program takes before it computes anything:
// what it had when it was first asked, and what the threads that are still to come take.
var spaceAtStart = sync.OnceValue(func() int64 {
	var pages int64
	fmt.Sscan(readFile("/proc/self/statm"), &pages) // else 0: what is added covers a part
	begun, _ := os.ReadDir("/proc/self/task")
	return pages*int64(os.Getpagesize()) + int64(max(0, runtime.GOMAXPROCS(0)+8-len(begun)))*threadSpace + 128<<20
})

// bytesText is a size for people.
func bytesText(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
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
