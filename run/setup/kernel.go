package setup

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/exit"
)

// KernelVariable is the environment variable that names the row kernels.
const KernelVariable = "LBMIB_KERNEL"

// Automatic leaves a choice to the program.
const Automatic = "auto"

// Kernel are row kernels of the fluid and who asked for them. The zero Kernel is
// the fastest that the CPU has.
type Kernel struct {
	Name string // one of lbm.KernelNames, or empty
	From string // --kernel or KernelVariable; empty: nobody
}

// ChooseKernel is the kernel that the flag --kernel asks for, where it is empty
// the environment, and else the fastest. A kernel that is unknown or that this CPU
// cannot run is an error of usage.
func ChooseKernel(flag string) (Kernel, error) {
	name, from, remedy := flag, "--kernel", "choose one of these, or auto"
	if flag == "" {
		name, from, remedy = os.Getenv(KernelVariable), KernelVariable, "set one of these, or unset it"
	}
	if name == "" || name == Automatic {
		return Kernel{}, nil
	}
	can := strings.Join(RunnableKernels(), ", ")
	if !slices.Contains(lbm.KernelNames, name) {
		return Kernel{}, exit.AsBadCase(fmt.Errorf("%s=%s: there is no such kernel, there are %s, %s; this CPU can run %s: %s",
			from, name, Automatic, strings.Join(lbm.KernelNames, ", "), can, remedy))
	}
	if missing := lbm.MissingFor(name); len(missing) > 0 {
		return Kernel{}, exit.AsBadCase(fmt.Errorf("%s=%s: the kernel needs %s, which this CPU lacks; it can run %s: %s",
			from, name, strings.Join(missing, ", "), can, remedy))
	}
	return Kernel{name, from}, nil
}

// RunnableKernels are the kernels that this CPU can run, the fastest first.
func RunnableKernels() []string {
	return slices.DeleteFunc(slices.Clone(lbm.KernelNames), func(name string) bool { return len(lbm.MissingFor(name)) > 0 })
}

// SetThreads lets the command line override the case's worker threads, 0 not; where nobody asks
// for any there are as many as processors.
func SetThreads(c *casefile.Case, threads int) {
	if threads > 0 {
		c.Run.Threads = threads
	}
	if c.Run.Threads <= 0 {
		c.Run.Threads = runtime.GOMAXPROCS(0)
	}
}
