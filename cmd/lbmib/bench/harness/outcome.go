package harness

import "math"

// States of a row.
const (
	OK      = "ok"
	Wrong   = "failed"  // the result did not pass its checks: there is no time or rate
	Refused = "refused" // it cannot be computed here
	Slow    = "slow"    // left out, as it was not asked for by name
)

// Outcome is whether a row has a result, and if not, why.
type Outcome struct {
	Status string `json:"status"`           // ok | failed | refused | slow
	Reason string `json:"reason,omitempty"` // of a row that is not ok
}

// State is the status.
func (o Outcome) State() string { return o.Status }

// Why is the reason of a row that is not ok.
func (o Outcome) Why() string { return o.Reason }

// IfOK is the text of what only rows that are ok have.
func (o Outcome) IfOK(text string) string {
	if o.Status != OK {
		return "–"
	}
	return text
}

// OrState is the text of a row that is ok, and the state of others.
func (o Outcome) OrState(text string) string {
	if o.Status != OK {
		return Told(o.Status)
	}
	return text
}

// Told is a state for people: nobody is to overlook a wrong result.
func Told(state string) string {
	if state == Wrong {
		return "FAILED"
	}
	return state
}

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
