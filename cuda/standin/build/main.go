// Command build makes the stand-in for the CUDA driver and prints its path:
//
//	LBMIB_CUDA_LIBRARY=$(go run ./cuda/standin/build) lbmib run CASE.toml --backend cuda
package main

import (
	"flag"
	"fmt"
	"os"

	"lbmib/cuda/standin"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: build [-- COMPILER FLAG...]\nBuilds the stand-in for the CUDA driver and prints its path.")
	}
	flag.Parse()
	path, err := standin.Library(standin.Options{Flags: flag.Args()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}
