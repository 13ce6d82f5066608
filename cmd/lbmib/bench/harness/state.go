package harness

import "math"

// States of a row.
const (
	OK      = "ok"
	Wrong   = "failed"  // the result did not pass its checks: there is no time or rate
	Refused = "refused" // it cannot be computed here
)

// Verdict counts the rows whose results were wrong and those that could not be
// computed.
func Verdict[R interface{ State() string }](rows []R) (failed, refusals int) {
	for _, r := range rows {
		switch r.State() {
		case Wrong:
			failed++
		case Refused:
			refusals++
		}
	}
	return failed, refusals
}

// Worse is the larger value, and NaN if one is.
func Worse(a, b float64) float64 {
	if b > a || math.IsNaN(b) {
		return b
	}
	return a
}
