package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"lbmib/run/exit"
)

type manCommand struct{}

func (manCommand) examples() []string {
	return []string{"lbmib man > ~/.local/share/man/man1/lbmib.1", "lbmib man | man -l -"}
}

// Run prints the manual page.
func (manCommand) Run(s *surroundings) error {
	if _, err := io.WriteString(s.stdout, manual(s.model())); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return nil
}

// exitCodes are what the program ends with.
var exitCodes = []struct{ code, meaning string }{
	{"0", "done"}, {"1", "internal error"}, {"2", "bad usage or a bad case"},
	{"3", "the flow diverged, or a body left the domain or its grid"}, {"4", "reading or writing failed"},
	{"130", "interrupted, after a checkpoint was written where a run had begun"},
}

// manual is the page lbmib(1) in roff (man macros), made from the commands and their flags.
func manual(app *kong.Application) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH LBMIB 1 \"\" \"lbmib %s\" \"User Commands\"\n", roff(release))
	fmt.Fprintf(&b, ".SH NAME\nlbmib \\- %s\n", roff("fluid–structure interaction by lattice Boltzmann and immersed boundaries"))
	b.WriteString(".SH SYNOPSIS\n")
	for _, c := range commandsOf(app.Node) {
		fmt.Fprintf(&b, ".B %s\n%s\n.br\n", roff(nameOf(c)), roff(arguments(c)))
	}
	b.WriteString(".SH DESCRIPTION\n" + roff("Computes flows around bodies that are fixed, moved, free or elastic. A case is one TOML file; a run leaves a directory with time series, fields, checkpoints, pictures and a report. docs/case-file.md is the reference of every key.") + "\n")
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commandsOf(app.Node) {
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff(nameOf(c)+" "+arguments(c)), roff(c.Help))
		for _, p := range c.Positional {
			fmt.Fprintf(&b, ".TP\n.I %s\n%s\n", roff(p.Name), roff(p.Help))
		}
		for _, f := range c.Flags {
			if !f.Hidden && f.Name != "help" {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(flagText(f)), roff(f.Help))
			}
		}
		if e, ok := c.Target.Addr().Interface().(withExamples); ok {
			b.WriteString(".PP\nExamples:\n.RS\n.nf\n")
			for _, line := range e.examples() {
				b.WriteString(roff(line) + "\n")
			}
			b.WriteString(".fi\n.RE\n")
		}
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, c := range exitCodes {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", c.code, roff(c.meaning))
	}
	b.WriteString(".SH ENVIRONMENT\n")
	for _, v := range []struct{ name, meaning string }{
		{"LBMIB_KERNEL", "row kernels, where --kernel is not given: auto, avx512, avx2 or go"},
		{"LBMIB_CUDA_LIBRARY", "the GPU driver's library, or its folder, in place of where it is looked for"},
		{"LBMIB_CUDA_DEVICE", "which GPU is taken, where there are several"},
		{"LBMIB_CUDA_IMAGE", "which image of the kernels is taken: sm_80 or sm_60"},
	} {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", v.name, roff(v.meaning))
	}
	return b.String()
}

// commandsOf are the commands that can be run, in the order of the help.
func commandsOf(n *kong.Node) (all []*kong.Node) {
	for _, c := range n.Children {
		switch {
		case c.Hidden:
		case len(c.Children) > 0:
			all = append(all, commandsOf(c)...)
		default:
			all = append(all, c)
		}
	}
	return all
}

// nameOf is how a command is called.
func nameOf(n *kong.Node) string {
	if n.Parent == nil {
		return n.Name
	}
	return nameOf(n.Parent) + " " + n.Name
}

// arguments are those of a command: its own, and that flags may follow.
func arguments(n *kong.Node) string {
	var words []string
	for _, p := range n.Positional {
		text := p.Name
		if p.IsSlice() {
			text += "..."
		}
		if !p.Required {
			text = "[" + text + "]"
		}
		words = append(words, text)
	}
	return strings.Join(append(words, "[flags]"), " ")
}

// flagText is a flag and what stands for its value.
func flagText(f *kong.Flag) string {
	text := "--" + f.Name
	if !f.IsBool() {
		text += "=" + f.FormatPlaceHolder()
	}
	return text
}

// roff is a text without what roff would take for a request or an escape.
func roff(text string) string {
	text = strings.NewReplacer("\\", "\\e", "-", "\\-", "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = "\\&" + text
	}
	return text
}
