// Command site makes the documentation site from the documents of the tree: go run ./docs/site OUT.
// The pages need no network and no server: OUT/index.html can be opened as it is.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "site: give the directory to write to: go run ./docs/site OUT")
		os.Exit(2)
	}
	s, err := build(".")
	var left []string
	if err == nil {
		left, err = s.write(os.Args[1])
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "site: %v\n", err)
		os.Exit(1)
	}
	for _, name := range left {
		fmt.Fprintf(os.Stderr, "site: %s is of an earlier site and has been changed since: it is left as it is; remove it if it is not wanted\n", name)
	}
	fmt.Printf("%s: %d pages, %d other files\n", os.Args[1], len(s.pages), len(s.files))
}
