package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// badInputs are runs that must be refused before anything is written: the case
// with one passage replaced, or further arguments. The working directory holds
// an earlier run in "run".
var badInputs = []struct {
	name     string
	old, new string // in the case; empty: as it is
	env      []string
	args     []string // after run case.toml; nil: --out new
	code     int
	says     []string
}{
	{name: "unknown key", old: `collision = "bgk"`, new: `colision = "bgk"`, code: 2,
		says: []string{"case.toml:20:1: ", "fluid.colision", "unknown key; did you mean fluid.collision?"}},
	{name: "wrong type", old: "resolution = 8", new: `resolution = "8"`, code: 2,
		says: []string{"case.toml:4:1: ", "reference.resolution", "must be a plain number"}},
	{name: "unit of another dimension", old: "time = 40.0", new: `time = "2 m"`, code: 2,
		says: []string{"case.toml:33:1: ", "run.time", "is a length, must be a time", "write for instance"}},
	{name: "unit without a scale", old: "time = 40.0", new: `time = "2 s"`, code: 2,
		says: []string{"case.toml:33:1: ", "run.time", "add length"}},
	{name: "not a number", old: "velocity   = 0.1", new: "velocity   = nan", code: 2,
		says: []string{"case.toml:5:1: ", "reference.velocity", "NaN is not a finite number"}},
	{name: "infinite", old: "size    = [10.0, 6.0]", new: "size    = [inf, 6.0]", code: 2,
		says: []string{"case.toml:10:12: ", "domain.size.0", "+Inf is not a finite number"}},
	{name: "TOML syntax", old: "size    = [10.0, 6.0]", new: "size    = [10.0, 6.0", code: 2,
		says: []string{"case.toml:11:1: ", "TOML syntax"}},
	{name: "body outside the domain", old: "center = [3.0, 3.0]", new: "center = [13.0, 3.0]", code: 2,
		says: []string{"case.toml:30:", `body "cylinder" lies outside the domain, which is 0..10 × 0..6`, "move the body"}},
	{name: "body that touches a face", old: "center = [3.0, 3.0]", new: "center = [0.5, 3.0]", code: 2,
		says: []string{"case.toml:30:30: ", "body.0.shape.center", `body "cylinder"`, "along x", "the domain has 0..79", "enlarge domain.size"}},
	{name: "markers closer than any", old: "spacing = 1.0", new: "spacing = 0.1", code: 2,
		says: []string{"case.toml:29:1: ", "0.1 nodes must be at least 0.3", "use"}},
	{name: "markers too far apart", old: "spacing = 1.0", new: "spacing = 3.0", code: 2,
		says: []string{"case.toml:29:1: ", "3 nodes must be at most 2", "leaks", "use"}},
	{name: "negative viscosity", old: "reynolds   = 60", new: "viscosity = -0.01", code: 2,
		says: []string{"case.toml:6:1: ", "reference.viscosity", "must be greater than 0"}},
	{name: "relaxation time of 1/2", old: "reynolds   = 60", new: "reynolds = 1e20", code: 2,
		says: []string{"case.toml:6:1: ", "relaxation time τ", "must exceed 1/2", "use reynolds up to"}},
	{name: "Mach number", old: "velocity   = 0.1", new: "velocity   = 0.2", code: 2,
		says: []string{"case.toml:5:1: ", "0.346", "at most 0.3", "use at most 0.173"}},
	{name: "more nodes than can be numbered", old: "resolution = 8", new: "resolution = 60000", code: 2,
		says: []string{"case.toml:10:1: ", "600000 × 360000", "fewer than 2^31", "make the domain smaller"}},
	{name: "nodes beyond any count", old: "resolution = 8", new: "resolution = 1e30", code: 2,
		says: []string{"case.toml:10:1: ", "fewer than 2^31", "lower the resolution"}},
	{name: "resolution beyond any", old: "resolution = 8", new: "resolution = 1e300", code: 2,
		says: []string{"case.toml:4:1: ", "1e+300 is out of bounds", "±1e+30"}},
	{name: "blocks of no layout", old: `precision = "f64"`, new: "block = 64", code: 2,
		says: []string{"case.toml:21:1: ", "fluid.block", `no effect without layout = "soaos"`}},
	{name: "--set of an unknown key", args: []string{"--set", "fluid.magik=1"}, code: 2,
		says: []string{"--set fluid.magik=1: ", "did you mean fluid.magic?"}},
	{name: "--set of a bad value", args: []string{"--set", "reference.reynolds=many"}, code: 2,
		says: []string{"--set reference.reynolds=many: ", "must be"}},

	{name: "directory that is a file", args: []string{"--out", "case.toml"}, code: 4,
		says: []string{"output.directory", "case.toml is not a directory", "--out DIR"}},
	{name: "directory below a file", args: []string{"--out", filepath.Join("case.toml", "new")}, code: 4,
		says: []string{"output.directory", "not a directory", "--out DIR"}},
	{name: "directory where none can be made", args: []string{"--out", "/proc/new"}, code: 4,
		says: []string{"output.directory", "/proc", "--out DIR"}},
	{name: "nothing to resume from", args: []string{"--out", "new", "--resume"}, code: 2,
		says: []string{filepath.Join("new", "checkpoint"), "holds no checkpoint", "run without --resume"}},
	{name: "resume with another case", old: "reynolds   = 60", new: "reynolds   = 61", args: []string{"--resume"}, code: 2,
		says: []string{"was written by another case", "changed since: reference.reynolds (60, now 61)", "undo the changes", "--out DIR"}},
	{name: "resume with other output times", old: "fields     = { every = 3.0", new: "fields     = { every = 4.0", args: []string{"--resume"}, code: 2,
		says: []string{"was written by another case", "output.fields.every (3, now 4)"}},
	{name: "resume in another precision", old: `precision = "f64"`, new: `precision = "f32"`, args: []string{"--resume"}, code: 2,
		says: []string{"was written by another case"}},
	{name: "resume to an earlier end", args: []string{"--resume", "--steps=100"}, code: 2,
		says: []string{"is at step 160", "beyond the end of this run at step 100", "--time or --steps"}},
	{name: "a second run in the same directory", args: []string{}, code: 2,
		says: []string{"run holds an earlier run", "--resume", "--overwrite", "--out DIR"}},
	{name: "no HDF5 library for fields", env: []string{"LBMIB_HDF5=/nonexistent/libhdf5.so"}, code: 4,
		says: []string{"case.toml:38:1: output.fields", "/nonexistent/libhdf5.so", "apt-get install libhdf5-103-1", "--set output.fields.every=0"}},

	{name: "unknown flag", args: []string{"--fly"}, code: 2, says: []string{"unknown flag --fly", "lbmib --help"}},
	{name: "unknown backend", args: []string{"--backend=gpu"}, code: 2, says: []string{"--set run.backend=gpu", "auto, cpu"}},
	{name: "GPU where there is no driver", env: []string{"LBMIB_CUDA_LIBRARY=/nonexistent/libcuda.so"}, args: []string{"--out=new", "--backend=cuda"}, code: 2,
		says: []string{"run.backend", "no usable CUDA driver", "/nonexistent/libcuda.so", "--backend cpu"}},
	{name: "unknown kernel", args: []string{"--out=new", "--kernel=sse"}, code: 2,
		says: []string{"--kernel=sse", "there are auto, avx512, avx2, go", "this CPU can run", "choose one of these"}},
	{name: "unknown kernel in the environment", env: []string{"LBMIB_KERNEL=sse"}, code: 2,
		says: []string{"LBMIB_KERNEL=sse", "there are auto, avx512, avx2, go", "unset it"}},
	{name: "kernel that the CPU lacks", env: []string{noVectors}, args: []string{"--out=new", "--kernel=avx512"}, code: 2,
		says: []string{"--kernel=avx512", "needs AVX-512F", "which this CPU lacks; it can run go", "or auto"}},
	{name: "kernel of the environment that the CPU lacks", env: []string{noVectors, "LBMIB_KERNEL=avx2"}, code: 2,
		says: []string{"LBMIB_KERNEL=avx2", "needs AVX2", "which this CPU lacks; it can run go", "unset it"}},
	{name: "two durations", args: []string{"--time=1", "--steps=1"}, code: 2, says: []string{"--time", "--steps", "together"}},
	{name: "resume and overwrite", args: []string{"--resume", "--overwrite"}, code: 2, says: []string{"--resume", "--overwrite", "together"}},
	{name: "negative time", args: []string{"--time=-1"}, code: 2, says: []string{"run.time", "must be greater than 0"}},
	{name: "negative threads", args: []string{"--threads=-1"}, code: 2, says: []string{"--threads", "must not be negative"}},
	{name: "a hundred million threads", args: []string{"--threads=100000000"}, code: 2, says: []string{"--threads is 100000000", "at most 4096", "0 takes all processors"}},
	{name: "threads beyond any number", args: []string{"--threads=99999999999999999999"}, code: 2, says: []string{"--threads"}},
	{name: "title that a terminal obeys", old: "title = \"", new: "title = \"\\u001b]0;x\\u0007", code: 2, says: []string{"title", "control character U+001B", "remove it"}},
	{name: "ellipses without width", old: `{ type = "circle", center = [3.0, 3.0], diameter = 1.0 }`,
		new: `{ type = "union", of = [ { type = "ellipse", center = [3.0, 3.0], axes = [1.0, 5e-324] }, { type = "ellipse", center = [3.0, 3.0], axes = [1.0, 5e-324], angle = 90.0 } ] }`, code: 2,
		says: []string{"case.toml:30:", "body.0.shape.of.0.axes", "must be 1e-06", "reference.resolution"}},
	{name: "polygon without thickness", old: `{ type = "circle", center = [3.0, 3.0], diameter = 1.0 }`,
		new: `{ type = "polygon", points = [[3, 3], [4, 3], [4, 3.000000001], [3, 3.000000001]] }`, code: 2,
		says: []string{"case.toml:30:", "body.0.shape", "point 0", "1e-06", "leave it out"}},
	{name: "free union that reaches to 1e300", old: `{ type = "circle", center = [3.0, 3.0], diameter = 1.0 }`,
		new: "{ type = \"union\", of = [ { type = \"polygon\", points = [[3, 3], [4, 3], [3, 1e300]] } ] }\nmotion = { type = \"free\", density = 1.5 }", code: 2,
		says: []string{"case.toml:30:", "body.0.shape.of.0.points.2.1", "1e+300 is out of bounds", "±1e+12"}},
}

// noVectors hides the vector instructions of the CPU from the program.
const noVectors = "GODEBUG=cpu.avx2=off,cpu.avx512f=off"

func TestBadInputIsRefusedAndNothingIsWritten(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmib(t, dir, "run", "case.toml", "--quiet", "--steps=160").want(t, 0)
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			text := cylinder
			if c.old != "" {
				text = edited(t, text, c.old, c.new)
			}
			write(t, filepath.Join(dir, "case.toml"), text)
			args := c.args
			if args == nil {
				args = []string{"--out", "new"}
			}
			before := tree(t, dir)
			o := lbmibWith(t, dir, c.env, append([]string{"run", "case.toml"}, args...)...)
			sameTree(t, tree(t, dir), before)
			o.want(t, c.code, c.says...)
			if o.stdout != "" {
				t.Errorf("standard output is not empty: %q", o.stdout)
			}
			if !strings.HasPrefix(o.stderr, "lbmib: ") || strings.Contains(o.stderr, "goroutine") {
				t.Errorf("not a message for people: %s", o.stderr)
			}
		})
	}
}

// The limit on the address space stands for a small machine.
func TestALatticeBeyondTheMemoryIsRefusedBeforeItIsAllocated(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	for _, command := range []string{"run", "check"} {
		limited := exec.Command("sh", "-c", `ulimit -v 4000000 && exec "$0" "$@"`, binary, command, "case.toml", "--set", "reference.resolution=2400")
		limited.Dir = dir
		var stderr bytes.Buffer
		limited.Stderr = &stderr
		err := limited.Run()
		outcome{code: limited.ProcessState.ExitCode(), stderr: stderr.String()}.want(t, 2, "--set reference.resolution=2400: 24000 × 14400 nodes in f64 need about",
			"GiB of memory, ulimit -v allows 3.8 GiB", "raise ulimit -v", "lower the resolution", `fluid.precision = "f32"`)
		if err == nil {
			t.Errorf("%s: not refused", command)
		}
	}
	if all := tree(t, dir); len(all) != 2 {
		t.Errorf("the directory holds %d entries, want itself and the case", len(all))
	}
}

func TestBadUsageIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"run", "missing.toml"}, "missing.toml: no such file or directory: is the path right? For instance: lbmib run cases/cylinder.toml"},
		{[]string{"run", "."}, "is a directory, not a regular file: give the path of a file, for instance: lbmib run cases/cylinder.toml"},
		{[]string{"run"}, "CASE.toml"},
		{[]string{"fly", "case.toml"}, "fly"},
		{[]string{}, "expected one of"},
	} {
		o := lbmib(t, dir, c.args...)
		t.Run(fmt.Sprint(c.args), func(t *testing.T) { o.want(t, 2, "lbmib: ", c.says) })
	}
	sameTree(t, tree(t, dir), map[string]string{".": "dir"})
}

func TestARunWithoutACheckpointIsStartedOver(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	whole := finished(t, cylinder, "--steps=300")
	// A process that was killed before its first checkpoint leaves a manifest.
	lbmib(t, dir, "run", "case.toml", "--quiet", "--steps=100", "--set", "output.checkpoint.every=0").want(t, 0)
	lbmib(t, dir, "run", "case.toml", "--resume").want(t, 2, "holds no checkpoint", "start over with --overwrite")
	lbmib(t, dir, "run", "case.toml", "--quiet", "--overwrite", "--steps=300").want(t, 0)
	sameRun(t, dir, whole)
}

func TestFieldsOfAnEarlierRunDoNotStayBesideANewOne(t *testing.T) {
	t.Parallel()
	dir := finished(t, cylinder, "--steps=600")
	lbmib(t, dir, "run", "case.toml", "--quiet", "--overwrite", "--steps=300").want(t, 0)
	sameRun(t, dir, finished(t, cylinder, "--steps=300"))
}
