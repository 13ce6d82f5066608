package check

import (
	"lbmib/io/casefile"

	"lbmib/run/setup"
)

// Examine finds what a run of the case would refuse before it begins, and
// returns it as one error; nothing is written, stepped or allocated that grows
// with the domain. It sets the case's threads as a run does.
func Examine(c *casefile.Case, kernel setup.Kernel) error {
	r := Assess(c, kernel)
	r.conclude()
	return r.Err()
}

// Judge is Check without what is measured: it judges a case that is in memory, estimates
// no time and proposes nothing. name stands for the file, as in casefile.Parse.
func Judge(name string, text []byte, sets []string, kernel setup.Kernel) *Report {
	c, err := casefile.Parse(name, text, sets)
	if err != nil {
		return refused(name, err)
	}
	r := Assess(c, kernel)
	r.conclude()
	return r
}
