package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run/setup"
)

// Checkpoints that an earlier version wrote are resumed, and end as they would have.
func TestCheckpointsOfEveryFormatAreResumed(t *testing.T) {
	corpus := filepath.Join("..", "io", "checkpoint", "testdata")
	c, err := casefile.Load(filepath.Join(corpus, "case.toml"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Read(filepath.Join(corpus, "whole.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for format := 1; format <= 2; format++ {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(corpus, fmt.Sprintf("format%d", format), "run"))); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		s, err := Run(t.Context(), c, Options{Out: dir, Threads: 1, Kernel: setup.Kernel{Name: "go"}, Resume: true, Quiet: true, Progress: &said})
		if err != nil || s.Time != 2 || s.Status != "done" {
			t.Fatalf("format %d: %v, %+v", format, err, s)
		}
		if old := strings.Contains(said.String(), "is of format 1, which keeps no checksums"); old != (format == 1) || strings.Contains(strings.ReplaceAll(said.String(), "warning: body", ""), "warning") {
			t.Errorf("format %d: it says %q", format, said.String())
		}
		if granted := float64(s.Bodies["cylinder"].SlipGranted); !math.IsNaN(granted) {
			t.Errorf("format %d: the slip granted is %g, forces.csv had no column for it", format, granted)
		}
		got, err := table.Read(filepath.Join(dir, "forces.csv"))
		if err != nil || got.Rows() != want.Rows() {
			t.Fatalf("format %d: %v, %d rows of %d", format, err, got.Rows(), want.Rows())
		}
		const tolerance = 1e-9 // versions, and processors, round otherwise
		for _, column := range []string{"t", "fx", "fy", "tz", "slip_max"} {
			g, _ := got.Float(column, nil)
			w, _ := want.Float(column, nil)
			for i := range w {
				if !(math.Abs(g[i]-w[i]) <= tolerance) {
					t.Errorf("format %d: %s of row %d is %g, want %g", format, column, i, g[i], w[i])
				}
			}
		}
	}
}
