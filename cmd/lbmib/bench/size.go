package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// parseSize reads "4096x2048" or "256x256x256" and tells the number of axes.
func parseSize(text string) (size [3]int, dim int, err error) {
	parts := strings.Split(strings.NewReplacer("×", "x", "X", "x").Replace(text), "x")
	if len(parts) != 2 && len(parts) != 3 {
		return size, 0, fmt.Errorf("--size %s has %d numbers, needs 2 for D2Q9 or 3 for D3Q19: write 1024x512 or 128x128x128", text, len(parts))
	}
	size = [3]int{1, 1, 1}
	for a, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 {
			return size, 0, fmt.Errorf("--size %s: %q is not a number of nodes, which is a positive integer: write 1024x512 or 128x128x128", text, p)
		}
		size[a] = n
	}
	return size, len(parts), nil
}
