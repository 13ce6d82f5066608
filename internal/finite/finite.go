// Package finite tells numbers from what is none, and writes the latter to JSON as null.
package finite

import (
	"encoding/json"
	"math"
)

// Is reports whether v is a number.
func Is(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Number is a number that JSON can hold: null where it is not finite.
type Number float64

// MarshalJSON writes null for what is not a number.
func (n Number) MarshalJSON() ([]byte, error) {
	if !Is(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}
