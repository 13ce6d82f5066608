// Accuracy prints how far every collision operator is from flows with known answers, as a
// table in Markdown:
//
//	go run ./validation/accuracy > validation/accuracy/results.md
//
// Runs are those of the validation suite, with the operator exchanged.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"lbmib/validation/suite"
)

func main() {
	out := flag.String("out", "", "a directory that keeps the runs, so that those which have finished are not done again; none: they are removed")
	threads := flag.Int("threads", 0, "0: all processors")
	flag.Parse()
	if err := write(*out, *threads); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write prints the table; runs lie in out or, where that is empty, are removed.
func write(out string, threads int) error {
	if out == "" {
		dir, err := os.MkdirTemp("", "accuracy")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		out = dir
	}
	fmt.Print("# Accuracy of the collision operators\n\nWhat this is, and how it was found: [README.md](README.md).\n\n")
	return suite.WriteAccuracy(context.Background(), os.Stdout, suite.Options{Out: out, Threads: threads, Version: "accuracy", Progress: os.Stderr})
}
