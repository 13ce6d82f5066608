package check

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/run/setup/setuptest"
)

// A surface that encloses nothing is a caution with the count of its open edges; one that is given a thickness is none.
func TestAnOpenSurfaceIsACaution(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sheet.stl")
	f, err := os.Create(file)
	if err == nil {
		square := []geometry.Vec{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}}
		err = errors.Join(geometry.WriteSTL(f, "a square", square, [][3]int{{0, 1, 2}, {0, 2, 3}}), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for more, open := range map[string]bool{"open=true": true, "thickness=0.3": false} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.SphereCase), []string{"reference.velocity=0.05", fmt.Sprintf(`body.0.shape={type="stl", file=%q, center=[2,1.5,1.5], %s}`, file, more)})
		if len(r.Bodies) != 1 || len(r.Errors) > 0 {
			t.Fatalf("%s: %v", more, r.Errors)
		}
		j := r.Bodies[0].Mesh.Open
		if (j != nil) != open {
			t.Fatalf("%s: judged %+v", more, j)
		}
		if !open {
			continue
		}
		var page bytes.Buffer
		r.Write(&page, nil)
		if j.Verdict != Caution || r.Verdict == OK || !strings.Contains(j.Reason, "along 4 edges") || !strings.Contains(j.Reason, "body.0.shape.thickness = T") || !strings.Contains(page.String(), "open along 4 edges in the file") {
			t.Errorf("%s: judged %+v, the case %s:\n%s", more, j, r.Verdict, page.String())
		}
		toldByARun(t, more, r)
	}
}
