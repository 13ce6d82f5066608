package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"lbmib/internal/machine"
	"lbmib/internal/mpi"
	"lbmib/io/hdf5"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/check"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type doctorCommand struct {
	JSON bool `name:"json" help:"Print one JSON document on standard output and nothing else there."`
}

func (doctorCommand) examples() []string { return []string{"lbmib doctor", "lbmib doctor --json"} }

// States of what doctor looks at.
const (
	found   = "found"
	missing = "missing" // runs work without it
	unused  = "unused"  // this version does not use it, there or not
	broken  = "broken"  // runs need it
)

// finding is one thing that doctor looked at.
type finding struct {
	Name   string   `json:"name"`
	State  string   `json:"state"` // found | missing | unused | broken
	Detail string   `json:"detail"`
	Needed string   `json:"needed_for,omitempty"`
	Fix    []string `json:"fix,omitempty"`   // what to do, one line each
	Tried  []string `json:"tried,omitempty"` // libraries that cannot be used, with the reasons

	tell bool // Tried is for people, too
}

// diagnosis is what doctor found. Its JSON is the output of doctor --json.
type diagnosis struct {
	Version  string    `json:"version"`
	Platform string    `json:"platform"`
	CPU      string    `json:"cpu"`
	Features []string  `json:"cpu_features"` // AVX2, AVX-512F, …
	Kernels  []string  `json:"kernels"`      // that the CPU can run, the fastest first: auto takes it
	Cores    int       `json:"cores"`
	Memory   int64     `json:"memory_bytes"` // 0: not known
	FreeDisk int64     `json:"free_bytes"`   // in the working directory; 0: none, or not known
	Findings []finding `json:"findings"`     // in a fixed order: kernels, huge pages, disk, HDF5, GPU, MPI, h5py, VTK, METIS
	Healthy  bool      `json:"healthy"`      // nothing that runs need is broken
}

// Run prints what was found. It fails only if runs cannot work.
func (d *doctorCommand) Run(s *surroundings) error {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	x := examine(s.ctx, dir)
	if !d.JSON {
		x.write(s.stdout, painter(s.stdout))
	} else if err := s.printJSON(x); err != nil {
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	for _, f := range x.Findings {
		if f.State == broken {
			return &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("doctor: %s: %s: %s", f.Name, f.Detail, strings.Join(f.Fix, "; "))}
		}
	}
	return nil
}

// examine looks at the machine, and at dir as the place of results.
func examine(ctx context.Context, dir string) *diagnosis {
	d := &diagnosis{
		Version: version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		CPU: machine.CPU(), Features: append([]string{}, machine.Features()...), Kernels: setup.RunnableKernels(), Cores: runtime.GOMAXPROCS(0), Healthy: true,
	}
	d.Memory, _ = machine.Memory() // 0: not known
	var disk finding
	disk, d.FreeDisk = findDisk(dir)
	d.Findings = append(d.Findings, findKernels(), findHugePages(machine.HugePages()), disk, findHDF5(), findGPU(), findMPI())
	d.Findings = append(d.Findings, findPython(ctx, testPython)...)
	d.Findings = append(d.Findings, findMETIS())
	for _, f := range d.Findings {
		d.Healthy = d.Healthy && f.State != broken
	}
	return d
}

// findKernels tells the row kernels and which of them runs take.
func findKernels() finding {
	can := setup.RunnableKernels()
	f := finding{Name: "kernels", State: found, Needed: "every run", Detail: fmt.Sprintf("%s; auto takes %s", strings.Join(can, ", "), can[0])}
	for _, name := range lbm.KernelNames {
		if lacks := lbm.MissingFor(name); len(lacks) > 0 {
			f.Detail += fmt.Sprintf("; not %s: no %s", name, strings.Join(lacks, ", "))
		}
	}
	kernel, err := setup.ChooseKernel("")
	switch {
	case err != nil:
		f.State = broken
		f.Detail = fmt.Sprintf("%s=%s names no kernel that runs on this CPU; %s", setup.KernelVariable, os.Getenv(setup.KernelVariable), f.Detail)
		f.Fix = []string{"unset " + setup.KernelVariable}
	case kernel.Name != "":
		f.Detail += fmt.Sprintf("; %s=%s: runs take %s", kernel.From, kernel.Name, kernel.Name)
	}
	return f
}

// findHugePages judges the system's mode of transparent huge pages.
func findHugePages(mode string, err error) finding {
	f := finding{Name: "huge pages", State: found, Needed: "speed on large lattices", Detail: mode}
	switch {
	case err != nil:
		f.State, f.Detail = unused, err.Error()
	case mode == "never":
		f.State, f.Detail = missing, "the system gives none (transparent_hugepage is never)"
		f.Fix = []string{"as root:", "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"}
	}
	return f
}

// littleDisk is the free space below which doctor warns: a few checkpoints.
const littleDisk = 1 << 30

func findDisk(dir string) (finding, int64) {
	f := finding{Name: "disk", State: found, Needed: "results in the working directory"}
	if err := machine.Writable(dir); err != nil {
		f.State, f.Detail = broken, err.Error()
		f.Fix = []string{"change to a directory of yours, or run with --out DIR"}
		return f, 0
	}
	free, err := machine.FreeDisk(dir)
	f.Detail = fmt.Sprintf("%.1f GiB free in %s", float64(free)/(1<<30), dir)
	switch {
	case err != nil:
		f.State, f.Detail = missing, err.Error()
	case free < littleDisk:
		f.State = missing
		f.Fix = []string{"make room, or run with --out DIR on another disk"}
	}
	return f, free
}

func findHDF5() finding {
	f := finding{Name: "HDF5", State: found, Needed: "fields (output.fields); all else runs without"}
	if err := hdf5.Load(); err == nil {
		path, version := hdf5.Library()
		f.Detail = fmt.Sprintf("%s (%s)", version, path)
		return f
	}
	f.State, f.Detail = missing, "no usable library"
	if path := os.Getenv(hdf5.PathVariable); path != "" {
		f.Detail = fmt.Sprintf("%s names %s, which is no usable library", hdf5.PathVariable, path)
		f.Fix = []string{"unset " + hdf5.PathVariable + ", or set it to the right file"}
	}
	f.Fix = append(f.Fix,
		"Debian, Ubuntu: apt-get install libhdf5-103-1",
		"Debian 13:      apt-get install libhdf5-310",
		"Fedora:         dnf install hdf5",
		"conda:          conda install hdf5",
		"macOS:          brew install hdf5",
		"elsewhere:      export "+hdf5.PathVariable+"=/path/to/libhdf5.so")
	return f
}

// findGPU tells the driver and its devices, or why there is none to compute on.
func findGPU() finding {
	f := finding{Name: "GPU", State: found, Needed: "--backend cuda and hybrid; all runs on the CPU without"}
	if err := backend.HasDevice(); err != nil {
		x := backend.Explain(err)
		f.State, f.Detail, f.Fix, f.Tried, f.tell = missing, x.What, x.Fix, x.Tried, x.Found
		return f
	}
	f.Detail = strings.Join(backend.Doctor(), "; ")
	return f
}

// findMPI tells the libraries and launchers that runs on several processes can use.
func findMPI() finding {
	f := finding{Name: "MPI", State: found, Needed: "several processes (mpirun); one runs without"}
	libraries, err := mpi.Find()
	var none *mpi.NotFound
	switch {
	case errors.As(err, &none):
		f.State, f.Detail, f.Fix, f.Tried = missing, "no usable library", mpi.HowToInstall, none.Tried
		if file := os.Getenv(mpi.LibraryVariable); file != "" {
			f.Detail = fmt.Sprintf("%s names %s, which is no usable library", mpi.LibraryVariable, file)
			f.Fix = append([]string{"unset " + mpi.LibraryVariable + ", or set it to the right file"}, f.Fix...)
		}
	case err != nil:
		f.State, f.Detail = missing, err.Error()
	}
	var details []string
	for _, l := range libraries {
		details = append(details, fmt.Sprintf("%s (%s)", l.Version, l.File))
	}
	if f.Detail != "" {
		details = append(details, f.Detail)
	}
	launchers := findLaunchers()
	if len(launchers) == 0 {
		launchers = []string{"no launcher in PATH: none of " + strings.Join(launcherNames[:], ", ")}
		if f.State == found {
			f.State, f.Fix = missing, append([]string{"put the folder of mpirun into PATH, or install it:"}, mpi.HowToInstall...)
		}
	}
	f.Detail = strings.Join(append(details, launchers...), "; ")
	return f
}

// launcherNames are what starts several processes; the last two are Debian's, where both are installed.
var launcherNames = [...]string{"mpirun", "mpiexec", "srun", "mpirun.openmpi", "mpiexec.mpich"}

// findLaunchers are those in PATH, each once, and whose they are where their files tell it.
func findLaunchers() (all []string) {
	whose := map[string]string{"orterun": "OpenMPI's", "prterun": "OpenMPI's", "mpiexec.hydra": "MPICH's"}
	seen := map[string]bool{}
	for _, name := range launcherNames {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			real = path
		}
		if seen[real] {
			continue
		}
		seen[real] = true
		if of := whose[filepath.Base(real)]; of != "" {
			path += ", " + of
		}
		all = append(all, path)
	}
	return all
}

// pythonPatience is how long doctor waits for Python.
const pythonPatience = 10 * time.Second

// testPython is the interpreter that the tests read files back with, and scripts/install.sh installs modules for.
const testPython = "/usr/bin/python3"

// findPython looks for the modules that the tests read files back with.
func findPython(ctx context.Context, python string) []finding {
	ctx, cancel := context.WithTimeout(ctx, pythonPatience)
	defer cancel()
	var all []finding
	for _, m := range []struct{ module, name, debian string }{
		{"h5py", "h5py", "python3-h5py"},
		{"vtkmodules", "VTK", "python3-vtk9"},
	} {
		f := finding{Name: m.name, State: found, Detail: "module " + m.module + " of " + python, Needed: "the tests only"}
		probe := exec.CommandContext(ctx, python, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('"+m.module+"') is None)")
		if err := probe.Run(); err != nil {
			f.State, f.Detail = missing, python+" has no module "+m.module
			f.Fix = []string{"Debian, Ubuntu: apt-get install " + m.debian}
		}
		all = append(all, f)
	}
	return all
}

// write prints the diagnosis for people.
func (d *diagnosis) write(w io.Writer, paint check.Paint) {
	const width, lineWidth = 12, 80
	row := func(name, text string) { fmt.Fprintf(w, "  %-*s%s\n", width, name, text) }
	fmt.Fprintf(w, "lbmib %s, %s\n\n", d.Version, d.Platform)
	row("CPU", d.CPU)
	features := "no vector extensions known"
	if len(d.Features) > 0 {
		features = strings.Join(d.Features, ", ")
	}
	row("", features)
	row("", fmt.Sprintf("%d cores", d.Cores))
	if d.Memory > 0 {
		row("memory", fmt.Sprintf("%.1f GiB", float64(d.Memory)/(1<<30)))
	}
	for _, f := range d.Findings {
		detail := f.Detail
		if f.State == missing || f.State == broken {
			detail = mark(paint, f.State) + ": " + detail
		}
		name := f.Name
		for part := range strings.SplitSeq(detail, "; ") {
			for _, line := range fold(part, lineWidth-width-2) {
				row(name, line)
				name = ""
			}
		}
		if f.tell {
			for _, tried := range f.Tried {
				for _, line := range fold(tried, lineWidth-width-4) {
					row("", "  "+line)
				}
			}
		}
		if len(f.Fix) > 0 && f.Needed != "" {
			row("", "needed for "+f.Needed)
		}
		for _, fix := range f.Fix {
			for _, line := range fold(fix, lineWidth-width-4) {
				row("", "  "+line)
			}
		}
	}
	if d.Healthy {
		fmt.Fprintln(w, "\nready to run")
	} else {
		fmt.Fprintln(w, "\nnot ready to run: see what is broken")
	}
}

// fold breaks a text that is too long for a line; one that is not keeps its columns.
func fold(text string, width int) []string {
	if utf8.RuneCountInString(text) <= width {
		return []string{text}
	}
	return check.Wrap(text, width)
}

// mark is a state in its colour.
func mark(paint check.Paint, state string) string {
	if paint == nil {
		return state
	}
	return paint(map[string]check.Verdict{missing: check.Caution, broken: check.Unsafe}[state], state)
}
