package main

import (
	"io"
	"os"

	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type checkCommand struct {
	caseFlags
	kernelFlag
}

func (checkCommand) examples() []string {
	return []string{"lbmib check cases/cylinder.toml", "lbmib check cases/cylinder.toml --set reference.reynolds=1000 --json", "lbmib check cases/cylinder.toml --kernel go"}
}

// Run checks the case. Cautions are no errors; what a run would refuse is one.
func (c *checkCommand) Run(s *surroundings) error {
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	r := check.Check(c.Case, c.Set, kernel)
	if !c.JSON {
		r.Write(s.stdout, painter(s.stdout))
	} else if err := s.printJSON(r); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return r.Err()
}

// painter colours verdicts where w is a terminal that shows colours and the user
// has not asked for none (NO_COLOR); else it is nil.
func painter(w io.Writer) check.Paint {
	if _, ok := terminalOf(w); !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func(v check.Verdict, word string) string {
		code := map[check.Verdict]string{check.OK: "32", check.Caution: "33", check.Unsafe: "31", check.Refused: "31"}[v]
		if code == "" {
			return word
		}
		return "\x1b[" + code + "m" + word + "\x1b[0m"
	}
}
