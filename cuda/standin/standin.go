// Package standin makes a library that stands in for the CUDA driver where there
// is no GPU: the kernels of cuda/kernels compiled by a host compiler, behind the
// driver calls that package driver uses. Programs reach it through
// LBMIB_CUDA_LIBRARY, as they would any driver.
//
// It is strict where devices are lenient, so that defects show: every allocation
// lies between pages that fault, fresh memory holds NaNs, streams are threads
// that the host does not wait for, barriers that not all threads reach and
// arguments that do not fit are faults. Sums of products are not contracted,
// so that results can be compared with the CPU's to the bit, unless that is asked
// for ([Options].Contract): then they are rounded more like a device's.
//
// LBMIB_STANDIN_FLAGS holds further flags of the compiler, "-fsanitize=undefined
// -fno-sanitize-recover" for one. These environment variables of a process change
// the pretended device:
//
//	LBMIB_STANDIN_MEMORY   its memory in bytes (4 GiB)
//	LBMIB_STANDIN_THREADS  host threads that run blocks (all CPUs, at most 8)
//	LBMIB_STANDIN_DELAY    microseconds that every operation is late (0)
//	LBMIB_STANDIN_FAIL     NAME@N: the N-th launch of kernels whose names begin with NAME is a fault
//	LBMIB_STANDIN_REFUSE   ARCH:CODE[,ARCH:CODE…]: images for an architecture are refused with a CUresult
//	LBMIB_STANDIN_GRAPHS   graphs that there is memory for at a time (any number)
//	LBMIB_STANDIN_HANG     NAME@N: that launch never ends
//	LBMIB_STANDIN_GUARD    1: accesses just before an allocation fault, not those past its end
//	LBMIB_STANDIN_DEVICES  devices shown, of which the first can be used (1)
//	LBMIB_STANDIN_VERSION  the driver's version, 1000·major + 10·minor (12000)
//	LBMIB_STANDIN_COMPUTE  compute capability, 10·major + minor (60)
package standin

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// Options change what is compiled into the library, and how.
type Options struct {
	// Sources are the directories of the kernels (.cu), cuda/kernels if there are none.
	Sources []string
	// Contract has sums of products fused (a·b + c rounded once), as the compilers of
	// devices do wherever they can, instead of rounded as the CPU's kernels round.
	Contract bool
	// Flags are given to the compiler last, after those in LBMIB_STANDIN_FLAGS.
	Flags []string
}

// Build returns the path of a library of the kernels in directories, those of
// cuda/kernels if none is named. A test that needs it fails without a compiler.
func Build(t testing.TB, sources ...string) string {
	t.Helper()
	path, err := Library(Options{Sources: sources})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Use is Build, and sets LBMIB_CUDA_LIBRARY for the rest of the test.
func Use(t testing.TB) string {
	t.Helper()
	path := Build(t)
	t.Setenv("LBMIB_CUDA_LIBRARY", path)
	return path
}

// Library builds the library, unless it was built of the same sources before,
// and returns its path, in the user's cache. Processes may call it at the same
// time.
func Library(o Options) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "lbmib", "standin")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("standin: %w: set XDG_CACHE_HOME to a directory that can be written to", err)
	}
	b := &builder{root: root, cache: cache, flags: slices.Concat(contraction(o.Contract), strings.Fields(os.Getenv("LBMIB_STANDIN_FLAGS")), o.Flags)}
	if err := b.findCompiler(); err != nil {
		return "", err
	}
	if len(o.Sources) == 0 {
		o.Sources = []string{b.headers()}
	}
	return b.library(o.Sources)
}

// CanContract tells whether this processor has instructions that fuse.
func CanContract() bool { return runtime.GOARCH != "amd64" || cpu.X86.HasFMA }

// contraction are the flags that decide how sums of products are rounded.
func contraction(fused bool) []string {
	switch {
	case !fused:
		return []string{"-ffp-contract=off"}
	case runtime.GOARCH == "amd64":
		return []string{"-ffp-contract=fast", "-mfma"}
	}
	return []string{"-ffp-contract=fast"}
}

// moduleRoot is the directory of go.mod, above the working directory: tests run
// in their package's.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("standin: %w", err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "cuda", "standin", "src")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("standin: %s is not inside of the source tree: run it there", dir)
		}
	}
}
