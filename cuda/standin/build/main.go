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
	contract := flag.Bool("contract", false, "fuse sums of products, as compilers of devices do")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: build [-contract] [-- COMPILER FLAG...]\nBuilds the stand-in for the CUDA driver and prints its path.")
		flag.PrintDefaults()
	}
	flag.Parse()
	path, err := standin.Library(standin.Options{Contract: *contract, Flags: flag.Args()})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(path)
}
