package main

import (
	"strings"
	"testing"

	"lbmib/internal/metis"
	"lbmib/run/exit"
)

func TestDoctorTellsOfMETIS(t *testing.T) {
	text, _ := doctor(t, t.TempDir(), "--json")
	if _, of := diagnose(t, text); of["METIS"].State != found || !strings.Contains(of["METIS"].Detail, "libmetis") {
		t.Errorf("%+v (scripts/install.sh metis)", of["METIS"])
	}
	text, code := doctor(t, t.TempDir(), "--json", metis.PathVariable+"=/nonexistent/libmetis.so.5")
	d, of := diagnose(t, text)
	f := of["METIS"]
	if code != exit.Done || !d.Healthy || f.State != missing || !strings.Contains(f.Detail, "/nonexistent/libmetis.so.5") || !strings.Contains(strings.Join(f.Fix, "\n"), "apt-get install libmetis5") {
		t.Errorf("exit code %d, healthy %v: %+v", code, d.Healthy, f)
	}
}
