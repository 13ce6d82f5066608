package runner

import "lbmib/io/casefile"

// Examine finds what a run of the case would refuse before it begins, and
// returns it as one error; nothing is written, stepped or allocated that grows
// with the domain. It sets the case's threads as a run does.
func Examine(c *casefile.Case, kernel Kernel) error {
	r := assess(c, kernel)
	r.conclude()
	return r.Err()
}
