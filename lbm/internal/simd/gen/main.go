// Command gen writes the kernels of package simd: those of rows, kernels_avx512_amd64.s and
// kernels_avx2_amd64.s, of rows on which forces act, fields_…, and of nodes here and there,
// spans_…, and of sums, sums_…, with their declarations in kernels_amd64.go and so on.
//
// A collision is described once (collide.go), as straight-line code on vectors
// without registers (ir.go). For each target (target.go) that code is given
// registers and instructions (emit.go) and put in a loop (kernel.go).
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	flags := flag.NewFlagSet("gen", flag.ExitOnError) // avo has taken the common one
	out := flags.String("out", ".", "directory to write to")
	_ = flags.Parse(os.Args[1:]) // exits on an error
	files, err := generate()
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(*out, name), text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate returns the files by name.
func generate() (map[string][]byte, error) {
	files := map[string][]byte{}
	var all, forced []*kernel
	var spans []*spanKernel
	var sums []*sumKernel
	for _, isa := range []string{"avx512", "avx2"} {
		ks, fs, ss, sum := kernelsOf(isa), fieldKernelsOf(isa), spanKernelsOf(isa), sumKernelsOf(isa)
		for name, routines := range map[string][]routine{"kernels_": routinesOf(ks), "fields_": routinesOf(fs), "spans_": routinesOf(ss), "sums_": routinesOf(sum)} {
			text, err := assembly(routines)
			if err != nil {
				return nil, err
			}
			files[name+isa+"_amd64.s"] = text
		}
		all, forced, spans, sums = append(all, ks...), append(forced, fs...), append(spans, ss...), append(sums, sum...)
	}
	text, err := declarations(all)
	if err != nil {
		return nil, err
	}
	files["kernels_amd64.go"] = text
	if files["fields_amd64.go"], err = fieldDeclarations(forced); err != nil {
		return nil, err
	}
	if files["sums_amd64.go"], err = sumDeclarations(sums); err != nil {
		return nil, err
	}
	files["spans_amd64.go"], err = spanDeclarations(spans)
	return files, err
}

// routine is what the assembly is made of.
type routine interface {
	write(ctx *build.Context) error
}

func routinesOf[K routine](ks []K) (all []routine) {
	for _, k := range ks {
		all = append(all, k)
	}
	return all
}

func spanKernelsOf(isa string) (ks []*spanKernel) {
	for _, l := range lattices {
		for _, store := range []string{"f64", "f32", "f16"} {
			for _, op := range spanOps {
				t := newTarget(isa, store, false)
				t.spans = true
				ks = append(ks, &spanKernel{t, l, op})
			}
		}
	}
	return ks
}

// fieldKernelsOf are the kernels with forces, and with relaxation times of each node beside.
func fieldKernelsOf(isa string) (ks []*kernel) {
	for _, l := range lattices {
		for _, store := range []string{"f64", "f32", "f16"} {
			for _, op := range slices.Concat(operators, localOperators) {
				t := newTarget(isa, store, false)
				t.fields = true
				ks = append(ks, &kernel{t, l, op})
			}
		}
	}
	return ks
}

func kernelsOf(isa string) (ks []*kernel) {
	for _, l := range lattices {
		for _, store := range []string{"f64", "f32", "f16"} {
			for _, op := range operators {
				for _, stream := range []bool{false, true} {
					ks = append(ks, &kernel{newTarget(isa, store, stream), l, op})
				}
			}
		}
	}
	return ks
}

func assembly(ks []routine) ([]byte, error) {
	ctx := build.NewContext()
	ctx.Constraint(buildtags.Term("amd64"))
	for _, k := range ks {
		if err := k.write(ctx); err != nil {
			return nil, err
		}
	}
	file, err := ctx.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "lbm/internal/simd/gen", Pkg: "simd"}).Print(file)
}
