package setup

import "fmt"

// MovesBy is how many nodes a domain moves by at once that follows a body. More makes what comes in ahead more abrupt, fewer cost more: a move takes as long as some steps.
const MovesBy = 4

// FollowText tells what the domain follows; empty: nothing.
func (d *Domain) FollowText() string {
	f := d.Case.Domain.Follow
	if f == nil {
		return ""
	}
	return fmt.Sprintf("the domain follows body %q along %c, by %d nodes at a time", f.Body, "xyz"[f.Axis], MovesBy)
}
