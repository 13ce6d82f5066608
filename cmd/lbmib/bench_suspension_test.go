package main

import (
	"encoding/json"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/suspension"
	"lbmib/run/exit"
)

func TestBenchSuspensionMeasuresASmallBox(t *testing.T) {
	o := lbmib(t, t.TempDir(), "bench", "suspension", "--ellipsoids", "100", "--haematocrit", "0.2", "--kernel", "go", "--threads", "1", "--seconds", "0.005", "--json")
	o.want(t, exit.Done, "[1/1] ")
	var d suspension.Document
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatalf("not one JSON document: %v\n%s", err, o.stdout)
	}
	if len(d.Rows) != 1 || d.Rows[0].Status != "ok" || !(d.Rows[0].MUpdates > 0) || d.Rows[0].Kernel != "go" {
		t.Errorf("%+v", d.Rows)
	}
}

func TestBenchSuspensionRefusesBadFlagsBeforeMeasuring(t *testing.T) {
	for flags, says := range map[string]string{
		"--ellipsoids 0":    "--ellipsoids 0 must be between 1",
		"--haematocrit 1.2": "--haematocrit 1.2",
		"--equatorial 100":  "--equatorial 100",
		"--repeats 2":       "at least 5",
		"--delta cosine4":   "--delta cosine4 is unknown",
	} {
		o := lbmib(t, t.TempDir(), append([]string{"bench", "suspension"}, strings.Fields(flags)...)...)
		o.want(t, exit.BadCase, says)
	}
}
