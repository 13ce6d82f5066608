package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench"
	"lbmib/cmd/lbmib/bench/coupled"
	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/run/exit"
)

func TestBenchMeasuresASmallBox(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "lbm", "--size", "64x32", "--precision", "f64,f32", "--streaming", "ab", "--kernel", "go", "--threads", "1", "--seconds", "0.005", "--json")
	o.want(t, exit.Done, "[1/2] D2Q9 64×32 box f64 soa ab bgk go, threads 1 … ", "of the copy")
	var d bench.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Rows) != 2 || d.CopyGBs <= 0 || d.UpdateGBs <= 0 || d.Host.CPU == "" {
		t.Fatalf("got %s", o.stdout)
	}
	for _, r := range d.Rows {
		if r.Status != "ok" || r.MFLUPS <= 0 || r.Kernel != "go" || r.Threads != 1 || r.Repeats != 5 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBenchWithoutASubcommandMeasuresTheFluid(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "--size", "64x32", "--precision", "f32", "--streaming", "inplace", "--seconds", "0.005")
	o.want(t, exit.Done)
	for _, text := range []string{"64×32", "MFLUPS", "update", "share"} {
		if !strings.Contains(o.stdout, text) {
			t.Errorf("the table does not say %q:\n%s", text, o.stdout)
		}
	}
}

func TestBenchRefusesBadFlagsBeforeMeasuring(t *testing.T) {
	for _, c := range []struct{ flags, says string }{
		{"--size 64", "--size 64 has 1 numbers"},
		{"--kernel sse2", "--kernel sse2 is unknown"},
		{"--repeats 3", "--repeats 3 must be at least 5"},
		{"--seconds 0", "--seconds 0 must be more than 0"},
		{"--seconds nan", "--seconds NaN must be more than 0"},
		{"--report /dev/null/x", "--report: "},
		{"--thread 1", "unknown flag"},
	} {
		o := lbmib(t, t.TempDir(), append([]string{"bench"}, strings.Fields(c.flags)...)...)
		o.want(t, exit.BadCase, c.says)
		if o.stdout != "" || strings.Contains(o.stderr, "[1/") {
			t.Errorf("%s: something was measured:\n%s%s", c.flags, o.stdout, o.stderr)
		}
	}
}

func TestBenchFailsWithAWrongFlowAndRefusals(t *testing.T) {
	for _, c := range []struct {
		status []string
		code   int
	}{{[]string{"ok", "ok"}, exit.Done}, {[]string{"ok", "refused"}, exit.BadCase}, {[]string{"refused", "failed", "ok"}, exit.Internal}} {
		var rows []bench.Row
		for _, s := range c.status {
			rows = append(rows, bench.Row{Outcome: harness.Outcome{Status: s}})
		}
		failed, refused := harness.Verdict(rows)
		if err := benchVerdict(failed, refused, "x"); exit.Code(err) != c.code {
			t.Errorf("%v: %v, exit code %d, want %d", c.status, err, exit.Code(err), c.code)
		}
	}
}

func TestBenchCoupledHoldsForcesAgainstTheFluidsMomentum(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "coupled", "--size", "200x100", "--diameter", "16", "--volume-fraction", "0.04,0.08", "--precision", "f64,f32", "--kernel", "go", "--seconds", "0.01", "--json")
	o.want(t, exit.Done)
	var d coupled.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Rows) != 4 {
		t.Fatalf("%d rows, want 4", len(d.Rows))
	}
	for _, r := range d.Rows {
		if r.Status != "ok" || r.Markers < 40 || len(r.Checks) != 2 || !(r.MFLUPSPure > 0 && r.MFLUPSCoupled > 0 && r.IBShare > 0 && r.IBShare < 1) || r.Strategy != "serial" {
			t.Errorf("row %+v", r)
		}
		if r.Kernel != "go" {
			t.Errorf("kernel %s, asked for go", r.Kernel)
		}
		if want := float64(r.Bodies) * math.Pi * 16 * 16 / 20000; math.Abs(r.VolumeFraction-want) > 1e-12 {
			t.Errorf("volume fraction %v, want %v", r.VolumeFraction, want)
		}
	}
}

func TestBenchCoupledRefusesWhatDoesNotFit(t *testing.T) {
	for flags, says := range map[string]string{
		"--volume-fraction 0.0001":                          "one makes 0.00524",
		"--volume-fraction nan":                             "--volume-fraction",
		"--size 100x100x100 --volume-fraction 0.5":          "do not fit",
		"--motion quick":                                    "--motion quick is unknown",
		"--diameter 4":                                      "between 8 nodes",
		"--size 240x60 --diameter 40 --volume-fraction 0.7": "do not fit",
		"--algorithm fast":                                  "--algorithm fast is unknown",
		"--schedule parallel":                               "choose one of serial",
		"--repeats 2":                                       "at least 5",
		"--threads 1000":                                    "--threads 1000",
		"--kernel sse2":                                     "--kernel=sse2",
		"--report /dev/null/x":                              "--report: ",
	} {
		o := lbmib(t, t.TempDir(), append([]string{"bench", "coupled"}, strings.Fields(flags)...)...)
		o.want(t, exit.BadCase, says)
		if strings.Contains(o.stderr, "[1/") {
			t.Errorf("%s: something was measured: %s", flags, o.stderr)
		}
	}
}
