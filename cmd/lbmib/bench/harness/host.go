package harness

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"lbmib/internal/machine"
	"lbmib/lbm"
)

// Host is the machine and the program.
type Host struct {
	CPU      string   `json:"cpu"`
	Features []string `json:"cpu_features"`
	Cores    int      `json:"cores"`        // processors that the program may use
	Memory   int64    `json:"memory_bytes"` // 0: not known
	Platform string   `json:"platform"`
	Go       string   `json:"go"`
	Version  string   `json:"lbmib"`
	Date     string   `json:"date"`    // of the measurement, UTC, RFC 3339
	Kernels  []string `json:"kernels"` // those that this processor has, the fastest first
}

// ThisHost is the machine now; version is the program's.
func ThisHost(version string) Host {
	h := Host{
		CPU: machine.CPU(), Features: append([]string{}, machine.Features()...), Cores: runtime.GOMAXPROCS(0),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Version: version,
		Date: time.Now().UTC().Format(time.RFC3339), Kernels: []string{},
	}
	h.Memory, _ = machine.Memory() // 0: not known
	for _, k := range lbm.KernelNames {
		if len(lbm.MissingFor(k)) == 0 {
			h.Kernels = append(h.Kernels, k)
		}
	}
	return h
}

// String is the host in one line.
func (h Host) String() string {
	memory := ""
	if h.Memory > 0 {
		memory = fmt.Sprintf(", %.1f GiB", float64(h.Memory)/(1<<30))
	}
	return fmt.Sprintf("%s, %d cores%s, %s, %s", h.CPU, h.Cores, memory, h.Platform, h.Go)
}

// WriteHead writes the title of a report in Markdown and a table that names the
// machine, the program and the date, with more rows of name and text.
func (h Host) WriteHead(b *strings.Builder, title string, more [][2]string) {
	memory := "memory of unknown size"
	if h.Memory > 0 {
		memory = fmt.Sprintf("%.1f GiB", float64(h.Memory)/(1<<30))
	}
	fmt.Fprintf(b, "# %s\n\n| | |\n|---|---|\n", title)
	for _, row := range append([][2]string{
		{"processor", fmt.Sprintf("%s, %d cores in use, %s", h.CPU, h.Cores, memory)},
		{"system", h.Platform + ", " + h.Go},
		{"lbmib", h.Version},
		{"date", h.Date},
	}, more...) {
		fmt.Fprintf(b, "| %s | %s |\n", row[0], row[1])
	}
}
