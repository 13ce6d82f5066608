package harness

import (
	"fmt"
	"strings"
)

// Check is one quantity of a result that must not exceed its bound.
type Check struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Bound float64 `json:"bound"`
}

// OK tells whether the check is passed; NaN is not.
func (c Check) OK() bool { return c.Value <= c.Bound }

func (c Check) String() string {
	return fmt.Sprintf("%s is %.3g, must not exceed %.3g", c.Name, c.Value, c.Bound)
}

// Failed are the checks that are not passed, as one text; "" if all are.
func Failed(all []Check) string {
	var text []string
	for _, c := range all {
		if !c.OK() {
			text = append(text, c.String())
		}
	}
	return strings.Join(text, "; ")
}
