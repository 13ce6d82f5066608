package main

import (
	"errors"
	"slices"

	"github.com/alecthomas/kong"

	"lbmib/run/exit"
)

type helpCommand struct {
	Command []string `arg:"" optional:"" name:"COMMAND" help:"The command, and of bench what is measured."`
}

func (helpCommand) examples() []string {
	return []string{"lbmib help", "lbmib help run", "lbmib help bench ib"}
}

// Run prints the help of a command, as --help behind it does.
func (h *helpCommand) Run(s *surroundings) error {
	node := s.model().Node
	for _, name := range h.Command {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == name && !n.Hidden })
		if i < 0 {
			return usage("there is no command %q: lbmib help lists them", name)
		}
		node = node.Children[i]
	}
	code, err := s.command(append(slices.Clone(h.Command), "--help"))
	if err == nil && code != exit.Done {
		err = &exit.Error{Code: code, Err: errors.New("the help could not be printed")}
	}
	return err
}

// model is what all commands and flags are, for those that tell of them.
func (s *surroundings) model() *kong.Application {
	return s.parser(new(commands), func(int) {}).Model
}
