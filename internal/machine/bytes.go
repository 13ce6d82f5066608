package machine

import "fmt"

// BytesText is a size for people, for instance "1.5 GiB".
func BytesText(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < 4 {
		v /= 1024
		unit++
	}
	return fmt.Sprintf("%.3g %s", v, [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}
