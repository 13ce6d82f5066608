package bench

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
)

// parseSize reads "4096x2048" or "256x256x256" and tells the number of axes.
func parseSize(text string) (size [3]int, dim int, err error) {
	nodes, err := harness.Axes("--size", text, "1024x512 or 128x128x128")
	if err != nil {
		return size, 0, err
	}
	if len(nodes) != 2 && len(nodes) != 3 {
		return size, 0, fmt.Errorf("--size %s has %d numbers, needs 2 for D2Q9 or 3 for D3Q19: write 1024x512 or 128x128x128", text, len(nodes))
	}
	size = [3]int{1, 1, 1}
	copy(size[:], nodes)
	return size, len(nodes), nil
}
