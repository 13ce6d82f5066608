package main

import (
	"fmt"

	"github.com/alecthomas/kong"
)

// withExamples is a command whose help ends with examples.
type withExamples interface{ examples() []string }

// helpWithExamples prints kong's help and then examples that work when pasted.
func helpWithExamples(o kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	lines := []string{"lbmib check cases/cylinder.toml", "lbmib run cases/cylinder.toml", "lbmib plot cylinder.out", "lbmib new --list"}
	if n := ctx.Selected(); n != nil {
		if e, ok := n.Target.Addr().Interface().(withExamples); ok {
			lines = e.examples()
		}
	}
	fmt.Fprintln(ctx.Stdout, "\nExamples:")
	for _, l := range lines {
		fmt.Fprintln(ctx.Stdout, "  "+l)
	}
	return nil
}
