package harness

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Size is the nodes along the axes of a grid; the third is 0 in the plane. In JSON it is a
// list of two or three.
type Size [3]int

// SizeOf is the size of so many nodes along two or three axes.
func SizeOf(nodes []int) (s Size) {
	copy(s[:], nodes)
	return s
}

// Axes are the nodes along the axes that there are.
func (s Size) Axes() []int {
	if s[2] == 0 {
		return s[:2]
	}
	return s[:]
}

// Dim is the number of axes.
func (s Size) Dim() int { return len(s.Axes()) }

// Padded has one node along the third axis in the plane.
func (s Size) Padded() [3]int { return [3]int{s[0], s[1], max(s[2], 1)} }

// Nodes is their number.
func (s Size) Nodes() int { return s[0] * s[1] * max(s[2], 1) }

// String is the size for people: 4096×2048.
func (s Size) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Axes()), "[]"), " ", "×")
}

func (s Size) MarshalJSON() ([]byte, error) { return json.Marshal(s.Axes()) }

func (s *Size) UnmarshalJSON(text []byte) error {
	var nodes []int
	err := json.Unmarshal(text, &nodes)
	*s = SizeOf(nodes)
	return err
}
