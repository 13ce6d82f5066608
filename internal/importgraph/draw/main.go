// Command draw writes the picture of the module's packages: go run ./internal/importgraph/draw docs/architecture.svg
package main

import (
	"fmt"
	"os"

	"lbmib/internal/importgraph"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/importgraph/draw docs/architecture.svg, in the root of the module")
		os.Exit(2)
	}
	picture, err := importgraph.Draw(".")
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(picture), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}
