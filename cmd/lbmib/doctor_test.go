package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"lbmib/internal/mpi"
	"lbmib/io/hdf5"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// doctor runs the program in a process of its own, with additions to the
// environment: one that has loaded libhdf5 once cannot show what happens without.
func doctor(t *testing.T, dir, flags string, env ...string) (stdout string, code int) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"doctor"}, strings.Fields(flags)...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func diagnose(t *testing.T, text string) (d diagnosis, of map[string]finding) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, text)
	}
	of = map[string]finding{}
	for _, f := range d.Findings {
		of[f.Name] = f
	}
	return d, of
}

func TestDoctorTellsWhatIsMissingAndWhatToDo(t *testing.T) {
	text, code := doctor(t, t.TempDir(), "--json", hdf5.PathVariable+"=/nonexistent/libhdf5.so", "PATH=")
	d, of := diagnose(t, text)
	if code != exit.Done || !d.Healthy {
		t.Errorf("exit code %d, healthy %v: without HDF5 and Python cases without fields run", code, d.Healthy)
	}
	if d.CPU == "" || d.Cores < 1 || len(d.Kernels) == 0 || d.Memory < 64<<20 || d.FreeDisk <= 0 {
		t.Errorf("the machine is not known: %+v", d)
	}
	for name, fix := range map[string]string{"HDF5": "apt-get install libhdf5-103-1"} {
		if f := of[name]; f.State != missing || !strings.Contains(strings.Join(f.Fix, "\n"), fix) {
			t.Errorf("%s: %+v, want it missing with %q", name, f, fix)
		}
	}
	for _, place := range []string{"unset " + hdf5.PathVariable, "dnf", "conda", "brew", "export " + hdf5.PathVariable} {
		if !strings.Contains(strings.Join(of["HDF5"].Fix, "\n"), place) {
			t.Errorf("nothing on %s in %q", place, of["HDF5"].Fix)
		}
	}
	if f := of["MPI"]; f.State != missing || !strings.Contains(f.Detail, "no launcher in PATH") || !strings.Contains(strings.Join(f.Fix, "\n"), "openmpi") {
		t.Errorf("MPI: %+v", f)
	}
}

func TestDoctorTellsWhichKernelsRun(t *testing.T) {
	const plain = "GODEBUG=cpu.avx2=off,cpu.avx512f=off" // a CPU without vectors
	for _, c := range []struct {
		env    []string
		code   int
		state  string
		detail []string
	}{
		{nil, exit.Done, found, []string{"go", "auto takes " + setup.RunnableKernels()[0]}},
		{[]string{plain}, exit.Done, found, []string{"go; auto takes go", "not avx512: no AVX-512F", "not avx2: no AVX2"}},
		{[]string{setup.KernelVariable + "=go"}, exit.Done, found, []string{"LBMIB_KERNEL=go: runs take go"}},
		{[]string{plain, setup.KernelVariable + "=avx512"}, exit.InputOutput, broken, []string{"LBMIB_KERNEL=avx512 names no kernel that runs on this CPU", "not avx512: no AVX-512F"}},
	} {
		text, code := doctor(t, t.TempDir(), "--json", append([]string{setup.KernelVariable + "="}, c.env...)...)
		d, of := diagnose(t, text)
		f := of["kernels"]
		if code != c.code || f.State != c.state || d.Healthy != (c.code == 0) || c.state == broken && len(f.Fix) == 0 {
			t.Errorf("%v: exit code %d, %+v", c.env, code, f)
		}
		for _, says := range c.detail {
			if !strings.Contains(f.Detail, says) {
				t.Errorf("%v: %q is not in %q", c.env, says, f.Detail)
			}
		}
	}
}

func TestASystemWithoutHugePagesIsTold(t *testing.T) {
	for mode, state := range map[string]string{"always": found, "madvise": found, "never": missing} {
		f := findHugePages(mode, nil)
		if f.State != state || (len(f.Fix) > 0) != (state == missing) {
			t.Errorf("%s: %+v", mode, f)
		}
	}
	if f := findHugePages("", errors.New("not asked")); f.State != unused || f.Detail != "not asked" {
		t.Errorf("an unknown mode: %+v", f)
	}
}

func TestDoctorFindsProgramsInThePath(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "mpirun"), []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mpiexec", "mpiexec.hydra"} {
		if err := os.Link(filepath.Join(bin, "mpirun"), filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("mpiexec.hydra", filepath.Join(bin, "mpiexec.mpich")); err != nil {
		t.Fatal(err)
	}
	text, _ := doctor(t, t.TempDir(), "--json", "PATH="+bin, mpi.LibraryVariable+"=/nonexistent/libmpi.so")
	_, of := diagnose(t, text)
	f := of["MPI"]
	for _, says := range []string{"/nonexistent/libmpi.so, which is no usable library", filepath.Join(bin, "mpirun") + ";", filepath.Join(bin, "mpiexec.mpich") + ", MPICH's"} {
		if f.State != missing || !strings.Contains(f.Detail, says) {
			t.Errorf("MPI: %q is not in %+v", says, f)
		}
	}
	if !strings.HasPrefix(f.Fix[0], "unset "+mpi.LibraryVariable) || len(f.Tried) != 1 {
		t.Errorf("MPI: %+v", f)
	}
}

func TestDoctorTellsTheMPILibrary(t *testing.T) {
	libraries, err := mpi.Find()
	if err != nil {
		t.Skipf("scripts/install.sh openmpi mpich: %v", err)
	}
	f := findMPI()
	for _, l := range libraries {
		if !strings.Contains(f.Detail, l.Version+" ("+l.File) {
			t.Errorf("%+v is not in %+v", l, f)
		}
	}
}

// The Python that is asked is the one that the tests use, whatever PATH has.
func TestDoctorAsksThePythonOfTheTests(t *testing.T) {
	has := filepath.Join(t.TempDir(), "python3") // every module
	if err := os.WriteFile(has, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range findPython(t.Context(), has) {
		if f.State != found || len(f.Fix) > 0 || !strings.Contains(f.Detail, has) {
			t.Errorf("%+v", f)
		}
	}
	for i, f := range findPython(t.Context(), "/nonexistent/python3") {
		if fix := []string{"apt-get install python3-h5py", "apt-get install python3-vtk9"}[i]; f.State != missing || !strings.Contains(strings.Join(f.Fix, "\n"), fix) {
			t.Errorf("%+v, want it missing with %q", f, fix)
		}
	}
	text, _ := doctor(t, t.TempDir(), "--json", "PATH=")
	_, of := diagnose(t, text)
	for _, name := range []string{"h5py", "VTK"} {
		if !strings.Contains(of[name].Detail, testPython) {
			t.Errorf("%s: %+v", name, of[name])
		}
	}
}

func TestDoctorSaysWhyThereIsNoGPU(t *testing.T) {
	const wrong = "LBMIB_CUDA_LIBRARY=/nonexistent/libcuda.so"
	text, _ := doctor(t, t.TempDir(), "--json", wrong)
	_, of := diagnose(t, text)
	f := of["GPU"]
	if f.State != missing || !strings.Contains(f.Detail, "no usable CUDA driver") || len(f.Fix) == 0 || !strings.Contains(f.Needed, "--backend cuda") {
		t.Errorf("GPU: %+v", f)
	}
	if !strings.Contains(f.Detail, wrong) || len(f.Tried) != 1 || !strings.Contains(strings.Join(f.Fix, "\n"), "unset it") {
		t.Errorf("the variable is wrong, which is not said: %+v", f)
	}
	if text, _ := doctor(t, t.TempDir(), "", wrong); !strings.Contains(text, "/nonexistent/libcuda.so: cannot be loaded") {
		t.Errorf("what was tried is not told:\n%s", text)
	}
	old := filepath.Join(t.TempDir(), "libcuda.so.1")
	if err := os.WriteFile(old, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	text, _ = doctor(t, t.TempDir(), "--json", "LBMIB_CUDA_LIBRARY="+filepath.Dir(old))
	_, of = diagnose(t, text)
	if tried := of["GPU"].Tried; len(tried) != 1 || !strings.HasPrefix(tried[0], old+": cannot be loaded") {
		t.Errorf("in a folder %q was tried", tried)
	}
}

func TestDoctorFitsATerminal(t *testing.T) {
	for _, env := range []string{"HOME=/", "LBMIB_CUDA_LIBRARY=/nonexistent/of/a/long/name/libcuda.so.1", mpi.LibraryVariable + "=/nonexistent/of/a/long/name/libmpi.so.40", "PATH=", hdf5.PathVariable + "=/nonexistent", "GODEBUG=cpu.avx2=off,cpu.avx512f=off,cpu.avx512bw=off,cpu.avx512dq=off,cpu.avx512vl=off"} {
		text, _ := doctor(t, "/tmp", "", env)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("a line of %d characters: %s", n, line)
			}
		}
		if !strings.HasSuffix(text, "ready to run\n") || strings.Contains(text, "\x1b") {
			t.Errorf("got\n%s", text)
		}
	}
}

func TestADirectoryThatCannotHoldResultsIsBroken(t *testing.T) {
	f, free := findDisk("/nonexistent/place")
	if f.State != broken || len(f.Fix) == 0 || free != 0 {
		t.Errorf("got %+v with %d bytes free", f, free)
	}
	var out bytes.Buffer
	(&diagnosis{Findings: []finding{f}}).write(&out, nil)
	if !strings.Contains(out.String(), "broken") || !strings.Contains(out.String(), "not ready to run") {
		t.Errorf("got\n%s", out.String())
	}
}
