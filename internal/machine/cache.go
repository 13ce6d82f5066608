package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// usual are cache sizes to assume where the system does not tell, by level.
var usual = [4]int64{1: 32 << 10, 2: 1 << 20, 3: 16 << 20}

// CacheSize is the size in bytes of the data cache of a level, 1 to 3, as one
// core sees it.
func CacheSize(level int) int64 { return caches()[level] }

var caches = sync.OnceValue(func() [4]int64 {
	sizes := usual
	entries, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, e := range entries {
		read := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(e, name))
			return strings.TrimSpace(string(text))
		}
		level, err := strconv.Atoi(read("level"))
		if err != nil || level < 1 || level >= len(sizes) || read("type") == "Instruction" {
			continue
		}
		if size, err := cacheSize(read("size")); err == nil {
			sizes[level] = size
		}
	}
	return sizes
})

// cacheSize reads a size such as 48K or 2M.
func cacheSize(text string) (int64, error) {
	var n int64
	var unit string
	if _, err := fmt.Sscanf(text, "%d%s", &n, &unit); err != nil {
		return 0, err
	}
	switch unit {
	case "K":
		return n << 10, nil
	case "M":
		return n << 20, nil
	}
	return 0, fmt.Errorf("unit %q", unit)
}
