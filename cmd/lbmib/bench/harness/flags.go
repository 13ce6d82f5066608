package harness

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"lbmib/run/backend"
)

// Choice is a flag with the names that it takes.
type Choice struct {
	Flag    string
	Given   *[]string
	Allowed []string
	Usual   []string // where nothing is given
}

// Choose fills in what is usual and refuses names that are not allowed.
func Choose(choices []Choice) error {
	for _, c := range choices {
		if len(*c.Given) == 0 {
			*c.Given = c.Usual
		}
		for _, v := range *c.Given {
			if !slices.Contains(c.Allowed, v) {
				return fmt.Errorf("%s %s is unknown: choose %s", c.Flag, v, OneOf(c.Allowed))
			}
		}
	}
	return nil
}

// OneOf lists names for a message.
func OneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "one of " + strings.Join(names, ", ")
}

// OrElse is the values, or a usual one where there are none.
func OrElse[V any](values []V, usual V) []V {
	if len(values) == 0 {
		return []V{usual}
	}
	return values
}

// Expand is every spec with every value.
func Expand[S, V any](specs []S, values []V, set func(*S, V)) (all []S) {
	for _, s := range specs {
		for _, v := range values {
			set(&s, v)
			all = append(all, s)
		}
	}
	return all
}

// Unique is the values without repetitions, in the order in which they come first.
func Unique[V comparable](values []V) (all []V) {
	for _, v := range values {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// Backends are what can be measured.
var Backends = []string{"cpu", "cuda"}

// NeedDevice is an error where a device is among the backends given and there is none.
func NeedDevice(given []string) error {
	if !slices.Contains(given, "cuda") {
		return nil
	}
	if err := backend.HasDevice(); err != nil {
		return fmt.Errorf("--backend cuda: %w", err)
	}
	return nil
}

// Threads are the numbers of workers that --threads asks for; 0 stands for all
// processors, and so does nothing.
func Threads(given []int) (all []int, err error) {
	processors := runtime.GOMAXPROCS(0)
	for _, n := range OrElse(given, 0) {
		if n < 0 || n > processors {
			return nil, fmt.Errorf("--threads %d must be between 1 and the %d processors of this machine: 0 takes all", n, processors)
		}
		if n == 0 {
			n = processors
		}
		all = append(all, n)
	}
	return Unique(all), nil
}

// SomeThreads are 1, 2, 4, … and all.
func SomeThreads() (all []int) {
	most := runtime.GOMAXPROCS(0)
	for n := 1; n < most; n *= 2 {
		all = append(all, n)
	}
	return append(all, most)
}

// Axes reads numbers of nodes along the axes: "4096x2048", "256×256×256". What is
// written is as whoever asks wants it, for messages.
func Axes(flag, text, example string) (nodes []int, err error) {
	for p := range strings.SplitSeq(strings.NewReplacer("×", "x", "X", "x").Replace(text), "x") {
		var n int
		if _, err := fmt.Sscan(p, &n); err != nil || n < 1 || fmt.Sprint(n) != p {
			return nil, fmt.Errorf("%s %s: %q is not a number of nodes, which is a positive integer: write %s", flag, text, p, example)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}
