package cases_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/ib"
	"lbmib/io/table"
)

// The main job, coarse and short, with every way to spread. Strategies add the same
// terms in different orders: in as long as the stream takes to pass a radius, roundings
// of some 1e-13 of the drag have not grown to 1e-9. How many threads there are must not
// change a bit of forces.csv.
func TestDragDoesNotDependOnSpreading(t *testing.T) {
	var want []float64
	for _, strategy := range append([]string{"serial"}, ib.TransferNames()...) {
		cd, bytes := spreadBy(t, strategy, 1)
		if want == nil {
			want = cd
		}
		if len(cd) != len(want) || len(cd) < 5 || !(cd[len(cd)-1] > 1) {
			t.Fatalf("%s: drag coefficients %v, want as many as %v", strategy, cd, want)
		}
		for i := range cd {
			if !(math.Abs(cd[i]-want[i]) <= 1e-9*math.Abs(want[i])) {
				t.Errorf("%s: row %d: drag coefficient %.15g, by serial %.15g, want the same within 1e-9", strategy, i, cd[i], want[i])
			}
		}
		if strategy == "atomic" { // in the order in which threads come
			continue
		}
		if _, two := spreadBy(t, strategy, 2); two != bytes {
			t.Errorf("%s: forces.csv with 2 threads is\n%s, with one\n%s", strategy, two, bytes)
		}
	}
}

// spreadBy is the drag coefficients of a short run, and all that is in forces.csv.
func spreadBy(t *testing.T, strategy string, threads int) (cd []float64, bytes string) {
	t.Helper()
	_, dir := runCase(t, "cylinder.toml", "reference.resolution=8", "run.time=0.5", "output.plots=false", "output.fields.every=0",
		"ib.spread="+strategy, fmt.Sprintf("run.threads=%d", threads))
	file := filepath.Join(dir, "forces.csv")
	rows, err := table.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if cd, err = rows.Float("cd", nil); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strategy
	if strategy == "auto" {
		want = "serial" // there are few markers
	}
	if by := manifest(t, dir)["spread"]; by != want {
		t.Errorf("ib.spread = %q: manifest.json says %v, want %s", strategy, by, want)
	}
	return cd, string(raw)
}

func manifest(t *testing.T, dir string) (m map[string]any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}
