package main

import (
	"encoding/json"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/joined"
	"lbmib/run/exit"
)

func TestBenchJoinedMeasuresASmallDomain(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "joined", "--domain", "10x6", "--diameter", "8", "--kernel", "go", "--threads", "1", "--seconds", "0.005", "--json")
	o.want(t, exit.Done, "[3/3] 10×6 D, D = 8, levels 2")
	var d joined.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Rows) != 3 {
		t.Fatalf("%d rows, want 3", len(d.Rows))
	}
	for _, r := range d.Rows {
		if r.Status != "ok" || !(r.JoinedMS > 0) || r.Kernel != "go" || len(r.Checks) != 3 || len(r.Grids) != r.Levels+1 {
			t.Errorf("%+v", r)
		}
	}
}

func TestBenchJoinedRefusesBadFlagsBeforeMeasuring(t *testing.T) {
	for flags, says := range map[string]string{
		"--levels 9":           "--levels 9 must be between 0 and 8",
		"--domain 40":          "must have two or three",
		"--margin 1,2":         "--margin has 2 numbers",
		"--diameter 41":        "use 614 or 616: choose other --domain, --diameter, --margin or fewer --levels",
		"--precision f16":      "--precision f16 is unknown",
		"--repeats 2":          "at least 5",
		"--report /dev/null/x": "--report: ",
	} {
		o := lbmib(t, t.TempDir(), append([]string{"bench", "joined"}, strings.Fields(flags)...)...)
		o.want(t, exit.BadCase, says)
	}
}
