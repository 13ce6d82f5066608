package backend

import (
	"errors"
	"fmt"
	"strings"

	"lbmib/cuda/driver"
)

// Explanation is why there is no device that can be used.
type Explanation struct {
	What  string
	Fix   []string // what to do, one line each
	Tried []string // libraries, with what is wrong with each
	Found bool     // some of them are there, or were asked for: more than a machine without a driver
}

// Explain tells the parts of an error of [OpenDevice].
func Explain(err error) Explanation {
	var missing *driver.NotFound
	var several *driver.Unusable
	switch {
	case errors.As(err, &missing):
		lines := strings.Split(missing.Error(), "\n") // what is wrong, what was tried, what to do
		last := len(lines) - 1
		x := Explanation{What: plain(lines[0]), Found: missing.Variable != "" || missing.Loaded(), Fix: strings.Split(lines[last], ", or ")}
		for _, line := range lines[1:last] {
			x.Tried = append(x.Tried, strings.TrimSpace(line))
		}
		return x
	case errors.As(err, &several):
		first, _, _ := strings.Cut(err.Error(), "\n")
		x := Explanation{What: plain(first), Found: true}
		for _, a := range several.Others {
			x.Tried = append(x.Tried, a.String())
		}
		return x
	}
	return Explanation{What: plain(err.Error())}
}

// plain is the first line of an error without what only holds it together.
func plain(line string) string {
	for _, ending := range []string{"; tried", "; besides"} {
		line = strings.TrimSuffix(line, ending)
	}
	return strings.TrimPrefix(line, "cuda: ")
}

// reason is an error in a line, for those who have not asked for a device.
func reason(err error) string {
	const more = " (lbmib doctor tells more)"
	var missing *driver.NotFound
	var none *driver.NoDevice
	switch {
	case errors.As(err, &missing) && missing.Variable != "":
		return fmt.Sprintf("%s=%s is no usable CUDA driver%s", driver.PathVariable, missing.Variable, more)
	case errors.As(err, &missing) && missing.Loaded():
		return "there is no usable CUDA driver" + more
	case errors.As(err, &missing):
		return "there is no CUDA driver" + more
	case errors.As(err, &none) && none.Count == 0:
		return fmt.Sprintf("the CUDA driver %s finds no device%s", none.Path, more)
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
