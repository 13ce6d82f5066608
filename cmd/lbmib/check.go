package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/layout"
	"lbmib/run/setup"
)

type checkCommand struct {
	caseFlags
	kernelFlag
	refineFlag
	Strict bool   `help:"End with code 2 where something is unsafe, not only where a run would refuse the case."`
	Ranks  int    `help:"Also tell how the flow would be shared among so many ranks: balance, cut, bytes sent, memory of each, and the efficiency that is predicted for 1, 2, 4, … of them; --plot draws who has what." placeholder:"N"`
	Plot   string `help:"Draw domain, faces, grids and bodies into this file; of a case with one grid those that are proposed, if any are; of a case that is refused what is known of it." placeholder:"FILE.png"`
}

func (checkCommand) examples() []string {
	return []string{"lbmib check cases/cylinder.toml", "lbmib check cases/cylinder.toml --set reference.reynolds=1000 --json", "lbmib check cases/cylinder.toml --refine auto --plot grids.png", "lbmib check cases/sphere.toml --ranks 8 --plot ranks.png", "lbmib check cases/cylinder.toml --kernel go", "lbmib check cases/cylinder.toml --strict"}
}

// Run checks the case. Cautions are no errors; what a run would refuse is one.
func (c *checkCommand) Run(s *surroundings) error {
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	refine, err := c.auto()
	if err != nil {
		return err
	}
	if _, err := c.again(); err != nil {
		return err
	}
	if c.Plot != "" && !strings.HasSuffix(c.Plot, ".png") {
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("--plot %s: the picture is a PNG: give a name that ends in .png", c.Plot)}
	}
	look := check.Check
	if refine {
		look = check.CheckRefined
	}
	r := look(c.Case, c.Set, kernel)
	var shared error
	if c.Ranks != 0 {
		shared = r.Share(c.Ranks)
	}
	if !c.JSON {
		r.Write(s.stdout, painter(s.stdout))
	} else if err := s.printJSON(r); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	if err := r.Err(); err != nil {
		if c.Plot != "" {
			fmt.Fprintln(s.stderr, sketch(r, c.Plot))
		}
		return err
	}
	if shared != nil {
		return shared
	}
	if c.Plot != "" {
		if err := draw(r, c.Plot); err != nil {
			return &exit.Error{Code: exit.InputOutput, Err: err}
		}
	}
	if c.Strict && r.Verdict == check.Unsafe {
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("%s: the case is unsafe, which --strict does not let pass: change what the report names, or check without --strict", c.Case)}
	}
	return nil
}

// sketch draws what there is of a case that is refused, and tells what was drawn.
func sketch(r *check.Report, path string) string {
	p := r.Sketch()
	if p == nil {
		return fmt.Sprintf("--plot %s: nothing was drawn: the case is refused before its domain and bodies are known", path)
	}
	if err := layout.Draw(path, p, p.Case.Title+": refused"); err != nil {
		return fmt.Sprintf("--plot %s: nothing was drawn: %v", path, err)
	}
	return fmt.Sprintf("--plot %s: the case is refused, and drawn as far as it is known", path)
}

// draw draws the grids of a case that was checked.
func draw(r *check.Report, path string) error {
	p, proposed := r.OnGrids()
	if r.RankBoxes() != nil {
		p, proposed = r.Problem(), false
	}
	title := p.Case.Title
	if proposed {
		title += ": grids as proposed"
	}
	if ranks := r.RankBoxes(); ranks != nil {
		return layout.DrawRanks(path, p, ranks, title)
	}
	return layout.Draw(path, p, title)
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
