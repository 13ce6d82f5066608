package transfer

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// quantity is what a physical value of a case may be: its units in SI.
type quantity struct {
	name, example string
	units         map[string]float64
}

var (
	lengths = quantity{"a length", "16 um", map[string]float64{
		"m": 1, "cm": 1e-2, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "nm": 1e-9}}
	times = quantity{"a time", "0.1 us", map[string]float64{
		"s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}}
	rates = quantity{"a rate", "1000 /s", map[string]float64{
		"/s": 1, "1/s": 1, "s^-1": 1, "/ms": 1e3}}
	stiffnesses = quantity{"a stiffness", "0.01 dyn/cm", map[string]float64{
		"N/m": 1, "mN/m": 1e-3, "uN/m": 1e-6, "dyn/cm": 1e-3}}
)

// parse reads a number and a unit: the value in SI.
func (q *quantity) parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	i := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) })
	if i < 0 {
		return 0, fmt.Errorf("%q has no unit: write %s such as %q", text, q.name, q.example)
	}
	value, err := strconv.ParseFloat(text[:i], 64)
	if err != nil || math.IsInf(value, 0) {
		return 0, fmt.Errorf("%q is not a number with a unit: write %s such as %q", text, q.name, q.example)
	}
	unit := strings.TrimSpace(text[i:])
	factor, ok := q.units[unit]
	if !ok {
		return 0, fmt.Errorf("%q: %q is no unit of %s: use one of %s", text, unit, q.name,
			strings.Join(slices.Sorted(maps.Keys(q.units)), ", "))
	}
	return value * factor, nil
}
