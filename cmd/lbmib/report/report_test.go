package report_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/report"
	"lbmib/io/casefile"
	"lbmib/io/vtkhdf"
	"lbmib/run"
)

// swinging is a cylinder that swings across a stream: it leaves every kind of file.
const swinging = `
title = "A <b>swinging</b> cylinder & its wake"
[reference]
resolution = 8
velocity   = 0.1
reynolds   = 50
length     = "2 cm"
speed      = "1 cm/s"
[domain]
lattice = "D2Q9"
size    = [6.0, 4.0]
initial = { type = "uniform", velocity = [1.0, 0.0] }
[domain.boundary]
left   = { type = "velocity", value = [1.0, 0.0] }
right  = { type = "outflow" }
bottom = { type = "free-slip" }
top    = { type = "free-slip" }
[[body]]
name   = "swinging"
shape  = { type = "circle", center = [2.0, 2.0], diameter = 1.0 }
motion = { type = "prescribed", amplitude = [0.0, 0.25], frequency = 0.5 }
[run]
time = 2.0
[output]
forces     = { every = 0.05 }
bodies     = { every = 0.05 }
fields     = { every = 1.0, quantities = ["velocity", "density"] }
probes     = [ { name = "wake", at = [4.0, 2.0], every = 0.05 } ]
lines      = [ { name = "across", from = [4.0, 0.5], to = [4.0, 3.5], points = 11, every = 0.5 } ]
checkpoint = { every = 1.0 }
`

// leave runs a case and returns its directory.
func leave(t *testing.T, text string, sets ...string) (dir string) {
	t.Helper()
	c, err := casefile.Parse("swinging.toml", []byte(text), sets)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "out")
	if _, err := run.Run(context.Background(), c, run.Options{Out: dir, Quiet: true, Threads: 1, Version: "1.2.3"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, dir string) *report.Directory {
	t.Helper()
	d, err := report.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// names are base names.
func names(files []string) (all []string) {
	for _, f := range files {
		all = append(all, filepath.Base(f))
	}
	return all
}

func TestEverythingOnDiskIsDrawn(t *testing.T) {
	dir := leave(t, swinging, "output.plots=false")
	files, err := report.Pictures(open(t, dir), report.Choice{Step: -1})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"forces.png", "bodies.png", "motion.png", "probes.png", "line_across.png", "speed.png", "vorticity.png", "density.png"}
	if got := names(files); !slices.Equal(got, want) {
		t.Errorf("drawn %q, want %q", got, want)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.DecodeConfig(f); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		f.Close()
	}
}

func TestOneFieldOfOneStepInOneRange(t *testing.T) {
	d := open(t, leave(t, swinging, "output.plots=false", "output.lines=[]", "output.probes=[]"))
	files, err := report.Pictures(d, report.Choice{Fields: []string{"vorticity"}, Step: 80, Range: &[2]float64{-3, 3}})
	if err != nil || !slices.Contains(names(files), "vorticity_000000080.png") || slices.ContainsFunc(names(files), func(n string) bool { return strings.HasPrefix(n, "speed") }) {
		t.Errorf("drawn %q, %v, want the vorticity of step 80 only", names(files), err)
	}
}

// What is not there is refused before anything is drawn over.
func TestWhatIsNotThereIsRefusedBeforeDrawing(t *testing.T) {
	dir := leave(t, swinging, "output.plots=false", "run.time=1.0", "output.lines=[]", "output.probes=[]", `output.fields={every=0.5, quantities=["velocity"]}`)
	marked := filepath.Join(dir, "plots", "forces.png")
	if err := os.WriteFile(marked, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]report.Choice{
		"40, 80":                  {Step: 81},
		"holds no density, which": {Step: -1, Fields: []string{"speed", "density"}},
	} {
		if _, err := report.Pictures(open(t, dir), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
		if text, err := os.ReadFile(marked); err != nil || string(text) != "as it was" {
			t.Errorf("%q: forces.png was drawn over all the same (%v)", want, err)
		}
	}
}

// A run and lbmib plot have one name for one picture: plotting a run that has ended
// leaves none twice, and the same profiles.
func TestPlottingARunDrawsItsPicturesAgain(t *testing.T) {
	dir := leave(t, swinging)
	before, err := os.ReadFile(filepath.Join(dir, "plots", "line_across.png"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.Pictures(open(t, dir), report.Choice{Step: -1}); err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(dir, "plots", "*.png"))
	want := []string{"bodies.png", "density.png", "forces.png", "line_across.png", "motion.png", "probes.png", "speed.png", "vorticity.png"}
	if got := names(all); err != nil || !slices.Equal(got, want) {
		t.Errorf("plots has %q, want %q", got, want)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "plots", "line_across.png")); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the profiles are drawn in another way: %v", err)
	}
}

// Maps of a domain that has gone along with a body are where the run was then.
func TestAFollowedBodyIsDrawnWhereItIs(t *testing.T) {
	dir := leave(t, swinging, `body=[{name="disc", shape={type="circle", center=[3, 2], diameter=1}, motion={type="free", density=2, velocity=[-1, 0], release=0}}]`,
		`domain={lattice="D2Q9", size=[6, 4], gravity=[-1, 0], follow={}, boundary={left={type="no-slip"}, right={type="outflow"}}}`, "output={fields={every=1.0, quantities=[\"velocity\", \"density\"]}}")
	speed := filepath.Join(dir, "plots", "speed.png")
	drawn := picture(t, speed)
	if err := os.Remove(speed); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Pictures(open(t, dir), report.Choice{Step: -1}); err != nil {
		t.Fatal(err)
	}
	sameDrawing(t, picture(t, speed), drawn, 3) // outlines are drawn from markers
	first, ok, err := vtkhdf.FieldOrigin(filepath.Join(dir, "fields", "swinging_000000160.vtkhdf"))
	if moved := first[0] - 0.5/8; err != nil || !ok || !(moved < -0.4) {
		t.Errorf("the domain begins at %v L (%v): it has not moved", moved, err)
	}
}

// The page stands alone: what it shows is inside it, and what users wrote cannot
// become a part of its code.
func TestTheReportStandsAlone(t *testing.T) {
	dir := leave(t, swinging, "reference.density=998 kg/m^3")
	path, err := report.Write(dir)
	if err != nil || path != filepath.Join(dir, "report.html") {
		t.Fatal(path, err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, want := range []string{"A &lt;b&gt;swinging&lt;/b&gt; cylinder &amp; its wake", "drag coefficient", "prescribed", "1.2.3", "relaxation time",
		"while stepping", "m²/s", "mean force", "N/m", "mean torque", "about the body&#39;s centre", "case SHA-256", "prefers-color-scheme: dark", "Where the time went", "free-slip"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	text := regexp.MustCompile(`src="data:[^"]*"`).ReplaceAllString(page, "") // pictures may spell anything
	for _, bad := range []string{"<b>swinging</b>", "<script", "http://", "https://", "ZgotmplZ", "%!", "NaN"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	pictures := regexp.MustCompile(`src="([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(pictures) < 3 {
		t.Errorf("%d pictures, want forces, speed and vorticity at least", len(pictures))
	}
	for _, p := range pictures {
		data, ok := strings.CutPrefix(strings.ReplaceAll(p[1], "&#43;", "+"), "data:image/png;base64,")
		if !ok {
			t.Errorf("a picture comes from %.40q, want it inside the page", p[1])
			continue
		}
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			t.Errorf("a picture is damaged: %v", err)
		}
	}
}

// A run that is still going on has no summary.
func TestARunningCaseHasAReport(t *testing.T) {
	without := strings.NewReplacer("length     = \"2 cm\"\n", "", "speed      = \"1 cm/s\"\n", "").Replace(swinging)
	dir := leave(t, without, "output.plots=false", "output.lines=[]", "output.probes=[]")
	path, err := report.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil || bytes.Contains(page, []byte("N/m")) || bytes.Contains(page, []byte("mean force")) || bytes.Contains(page, []byte("m²/s")) {
		t.Errorf("without anchors the report has quantities in SI (%v)", err)
	}
	if err := os.Remove(filepath.Join(dir, "summary.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := report.Pictures(open(t, dir), report.Choice{Step: -1}); err != nil {
		t.Error(err)
	}
	if _, err := report.Write(dir); err != nil {
		t.Error(err)
	}
}

func TestADirectoryWithoutARunIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "damaged")
	senseless := filepath.Join(dir, "senseless")
	for d, text := range map[string]string{damaged: "{", senseless: `{"case": {}}`} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "manifest.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such directory", dir: "no manifest.json", file: "is a file", damaged: "damaged", senseless: "damaged",
	} {
		if _, err := report.Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestNothingToDrawIsAnError(t *testing.T) {
	dir := leave(t, swinging, "output.plots=false")
	for _, f := range []string{"forces.csv", "bodies.csv", "probes.csv", "lines/across.csv", "fields.vtkhdf.series"} {
		if err := os.Remove(filepath.Join(dir, f)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := report.Pictures(open(t, dir), report.Choice{Step: -1}); err == nil || !strings.Contains(err.Error(), "output.fields") {
		t.Errorf("%v, want an error that says how to get something", err)
	}
	if _, err := report.Pictures(open(t, dir), report.Choice{Fields: []string{"speed"}, Step: -1}); err == nil {
		t.Error("a field is asked for, there is none: want an error")
	}
}
