package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// withFluid is a case with further keys in its table [fluid].
func withFluid(t *testing.T, text, keys string) string {
	t.Helper()
	return edited(t, text, "[fluid]\n", "[fluid]\n"+keys+"\n")
}

// inPrecision is the cylinder in another precision.
func inPrecision(t *testing.T, precision string) string {
	t.Helper()
	return edited(t, cylinder, `precision = "f64"`, `precision = "`+precision+`"`)
}

// A checkpoint holds the state, not where in memory it lay: what one scheme left,
// the other continues to the same bits.
func TestACheckpointOfOneSchemeIsContinuedByTheOther(t *testing.T) {
	t.Parallel()
	const from, to = "--steps=241", "--steps=400" // a checkpoint between two steps of the in-place cycle
	for _, c := range []struct {
		name, text    string
		first, second string
	}{
		{"two lattices, then one", cylinder, `streaming = "ab"`, `streaming = "inplace"`},
		{"one lattice, then two", cylinder, `streaming = "inplace"`, `streaming = "ab"`},
		{"blocks, then arrays", cylinder, "layout = \"soaos\"\nblock = 32", `layout = "soa"`},
		{"structures, then blocks", cylinder, `layout = "aos"`, `layout = "soaos"`},
		{"half precision, the same", inPrecision(t, "f32/f16"), `streaming = "auto"`, `streaming = "auto"`},
		{"half precision, two lattices, then one", inPrecision(t, "f32/f16"), `streaming = "ab"`, `streaming = "inplace"`},
		{"in space", sphere, `streaming = "ab"`, "streaming = \"inplace\"\nlayout = \"soaos\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := c.text + "plots = false\n"
			first, second := withFluid(t, text, c.first), withFluid(t, text, c.second)
			whole := finished(t, first, to)
			dir := place(t, first)
			lbmib(t, dir, "run", "case.toml", "--quiet", from).want(t, 0)
			write(t, filepath.Join(dir, "case.toml"), second)
			lbmib(t, dir, "run", "case.toml", "--quiet", "--resume", to).want(t, 0)
			sameRun(t, dir, whole)
		})
	}
}

// What --set overrides on the way is no other case.
func TestAResumeMayOverrideTheScheme(t *testing.T) {
	t.Parallel()
	whole := finished(t, cylinder, "--steps=400")
	dir := finished(t, withFluid(t, cylinder, `streaming = "ab"`), "--steps=240")
	lbmib(t, dir, "run", "case.toml", "--quiet", "--resume", "--steps=400", "--set", `fluid.streaming="inplace"`).want(t, 0)
	sameRun(t, dir, whole)
}

func TestAResumeByAnotherKernelIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second string
		told          bool
	}{{"go", "go", false}, {"go", "auto", lastOf(t, "auto") != "go"}} {
		dir := finished(t, cylinder, "--steps=24", "--kernel", c.first)
		o := lbmib(t, dir, "run", "case.toml", "--resume", "--steps=40", "--kernel", c.second)
		o.want(t, 0)
		if told := strings.Contains(o.stderr, "so far kernel go stepped this run"); told != c.told {
			t.Errorf("%s then %s: told %v, want %v:\n%s", c.first, c.second, told, c.told, o.stderr)
		}
	}
}

// lastOf is the kernel that a short run takes by the value of --kernel.
func lastOf(t *testing.T, flag string) string {
	t.Helper()
	kernel, _ := ranBy(t, nil, "--kernel="+flag)["kernel"].(string)
	return kernel
}

// ranBy is the manifest of a short run.
func ranBy(t *testing.T, env []string, args ...string) map[string]any {
	t.Helper()
	dir := place(t, cylinder+"plots = false\n")
	lbmibWith(t, dir, env, append([]string{"run", "case.toml", "--quiet", "--steps=8"}, args...)...).want(t, 0)
	var m map[string]any
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "run", "manifest.json"))), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheKernelIsThatOfTheFlagThenOfTheEnvironmentThenTheFastest(t *testing.T) {
	t.Parallel()
	fastest := lastOf(t, "auto")
	for _, c := range []struct {
		env  []string
		args []string
		want string
	}{
		{[]string{"LBMIB_KERNEL="}, nil, fastest},
		{[]string{"LBMIB_KERNEL=go"}, nil, "go"},
		{[]string{"LBMIB_KERNEL=auto"}, nil, fastest},
		{[]string{"LBMIB_KERNEL=go"}, []string{"--kernel=auto"}, fastest},
		{[]string{"LBMIB_KERNEL=sse"}, []string{"--kernel=go"}, "go"},
		{[]string{noVectors, "LBMIB_KERNEL="}, nil, "go"},
	} {
		if got := ranBy(t, c.env, c.args...)["kernel"]; got != c.want {
			t.Errorf("%v %v: kernel %v, want %s", c.env, c.args, got, c.want)
		}
	}
}

func TestTheManifestTellsHowTheFluidWasComputed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want map[string]any
	}{
		{nil, map[string]any{"precision": "f64", "streaming": "inplace", "layout": "soa", "block": nil}},
		{[]string{"--set", "fluid.precision=f32/f16", "--set", "fluid.streaming=ab", "--set", "fluid.layout=soaos"},
			map[string]any{"precision": "f32/f16", "streaming": "ab", "layout": "soaos", "block": 64.}},
		{[]string{"--set", "fluid.layout=soaos", "--set", "fluid.block=128"}, map[string]any{"layout": "soaos", "block": 128.}},
	} {
		m := ranBy(t, nil, c.args...)
		for key, want := range c.want {
			if !reflect.DeepEqual(m[key], want) {
				t.Errorf("%v: %s is %v, want %v", c.args, key, m[key], want)
			}
		}
	}
}
