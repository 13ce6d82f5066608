package simd

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Every form sums the same products in its own order.
func TestLoopsMultiplyOperatorsAndFunctions(t *testing.T) {
	for _, loops := range All() {
		for _, functions := range []int{3, 4} {
			for _, n := range []int{1, 2, 3, 10, 40, 41, 108} {
				panel, x := make([]float64, n*Operators*Rows), make([]float64, n*Functions)
				for i := range panel {
					panel[i] = math.Sin(float64(i * i))
				}
				for i := range x {
					x[i] = math.Cos(float64(3 * i * i))
				}
				const kept = 99
				var got Block
				for o := range Operators {
					for r := range Rows {
						got[o][3][r] = kept
					}
				}
				loops.Multiply(&got, panel, x, functions)
				for o := range Operators {
					for a := range Functions {
						for r := range Rows {
							var want float64
							for d := range n {
								want += panel[(d*Operators+o)*Rows+r] * x[d*Functions+a]
							}
							if a >= functions {
								want = kept
							}
							if math.Abs(got[o][a][r]-want) > 1e-15*float64(n) {
								t.Fatalf("%s, %d sites, %d functions: operator %d of function %d in row %d: %g, want %g", loops.Name, n, functions, o, a, r, got[o][a][r], want)
							}
						}
					}
				}
			}
		}
	}
}

func TestButterfliesAreSumsAndDifferences(t *testing.T) {
	for _, loops := range All() {
		var a, b Block
		fill := func() {
			for o := range a {
				for k := range a[o] {
					for r := range a[o][k] {
						i := float64((o*Functions+k)*Rows + r)
						a[o][k][r], b[o][k][r] = math.Sin(i*i), math.Cos(i)
					}
				}
			}
		}
		fill()
		loops.Butterfly(&a, &b)
		sum, difference := a, b
		fill()
		for o := range a {
			for k := range a[o] {
				for r := range a[o][k] {
					if u, v := a[o][k][r], b[o][k][r]; sum[o][k][r] != u+v || difference[o][k][r] != u-v {
						t.Fatalf("%s: %g and %g become %g and %g", loops.Name, u, v, sum[o][k][r], difference[o][k][r])
					}
				}
			}
		}
	}
}

func TestProductsThatDoNotFitPanic(t *testing.T) {
	for _, loops := range All() {
		for _, c := range [][3]int{{0, 0, 3}, {48, 5, 3}, {47, 4, 3}, {96, 4, 4}, {48, 4, 2}, {48, 4, 5}} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: a panel of %d, %d values, %d functions are accepted", loops.Name, c[0], c[1], c[2])
					}
				}()
				var out Block
				loops.Multiply(&out, make([]float64, c[0]), make([]float64, c[1]), c[2])
			}()
		}
	}
}

func TestTheLoopsAreWhatTheGeneratorMakes(t *testing.T) {
	dir := t.TempDir()
	asm, stubs := "kernels_amd64.s", "kernels_amd64.go"
	cmd := exec.Command("go", "run", "./gen", "-out", filepath.Join(dir, asm), "-stubs", filepath.Join(dir, stubs), "-pkg", "simd")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	for _, name := range []string{asm, stubs} {
		if !bytes.Equal(body(t, name), body(t, filepath.Join(dir, name))) {
			t.Errorf("%s is not what gen makes: run go generate", name)
		}
	}
}

// body is a file without its first line, which repeats the command.
func body(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}
