package mpi

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// LibraryVariable is the environment variable that names the file of the MPI library; when
// it is set, no other is tried.
const LibraryVariable = "LBMIB_MPI"

// Launcher is what has started this process as one of several.
type Launcher struct {
	Name       string // for people: "mpirun of OpenMPI"
	Rank, Size int    // Size is 0 where the launcher does not tell it
	family     family // of the libraries that can work with it; "" where several can
}

// Launched tells by the environment whether a launcher has started this process; it loads
// nothing. A launcher of one rank is one, too.
func Launched() (Launcher, bool) { return launched(os.LookupEnv) }

// Launchers leave their marks in the environment of what they start. srun's own come last: a
// script of sbatch has SLURM_PROCID and SLURM_NTASKS, too, but is itself started once, and
// has no SLURM_STEP_NUM_TASKS; and srun sets PMI's or PMIx's beside its own, as it is told by --mpi.
var marks = []struct {
	name       string
	rank, size string
	family     family
}{
	{"mpirun of OpenMPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", openMPI},
	{"srun", "PMI_RANK", "SLURM_STEP_NUM_TASKS", ""}, // --mpi=pmi2, which OpenMPI may know, too
	{"mpiexec of MPICH", "PMI_RANK", "PMI_SIZE", mpich},
	{"srun", "PMIX_RANK", "SLURM_STEP_NUM_TASKS", ""},
	{"a launcher of PMIx", "PMIX_RANK", "", ""},
	{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", ""},
}

func launched(lookup func(string) (string, bool)) (Launcher, bool) {
	number := func(variable string) (int, bool) {
		text, ok := lookup(variable)
		n, err := strconv.Atoi(text)
		return n, ok && err == nil && n >= 0
	}
	for _, m := range marks {
		rank, ok := number(m.rank)
		if !ok {
			continue
		}
		size := 0
		if m.size != "" {
			if size, ok = number(m.size); !ok || size <= rank {
				continue
			}
			if m.rank == "SLURM_PROCID" && size == 1 {
				continue // a shell that salloc has opened
			}
		}
		return Launcher{Name: m.name, Rank: rank, Size: size, family: m.family}, true
	}
	return Launcher{}, false
}

// family is libraries of MPI with the same binary interface.
type family string

const (
	openMPI family = "OpenMPI"
	mpich   family = "MPICH"
	abi     family = "the ABI of MPI 5"
)

// Library is an MPI library that can be used.
type Library struct {
	File    string // as the loader was asked for it
	Family  string // OpenMPI, MPICH (and what is compatible with it) or the ABI of MPI 5
	Version string // as "Open MPI v4.1.4"
}

// LibraryOf is the library that joins the ranks of a Comm; goroutines have none.
func LibraryOf(c Comm) (l Library, ok bool) {
	if w, ok := c.(interface{ library() Library }); ok {
		return w.library(), true
	}
	return Library{}, false
}

// HowToInstall says how to get a library and a launcher, one line each.
var HowToInstall = []string{
	"Debian, Ubuntu: apt-get install openmpi-bin, or mpich",
	"Fedora:         dnf install openmpi, or mpich",
	"clusters:       module load openmpi, or what they call it",
	"macOS:          brew install open-mpi",
	"elsewhere:      export " + LibraryVariable + "=/path/to/libmpi.so",
}

// NotFound is the error where no MPI library can be used.
type NotFound struct {
	Tried    []string // names and reasons
	launcher Launcher
}

func (n *NotFound) Error() string {
	var remedy string
	if n.launcher.family != "" {
		remedy = fmt.Sprintf("%s has started this process: start it with the launcher of the library that is there, or get the launcher's:\n", n.launcher.Name)
	}
	return fmt.Sprintf("mpi: no usable MPI library; tried\n  %s\n%s  %s", strings.Join(n.Tried, "\n  "), remedy, strings.Join(HowToInstall, "\n  "))
}
