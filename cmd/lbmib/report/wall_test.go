package report_test

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lbmib/cmd/lbmib/report"
	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
)

// TestAVesselsWallIsDrawnAgain as the run does; and where there is only what the run drew, that is no error.
func TestAVesselsWallIsDrawnAgain(t *testing.T) {
	m := models.Tube(geometry.Vec{1, 0, 0}, 2, 64)
	file := filepath.Join(t.TempDir(), "tube.stl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := geometry.WriteSTL(f, "a tube", m.Points, m.Triangles); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("title = \"A tube\"\n[reference]\nresolution = 8\nvelocity = 0.02\nreynolds = 5\n[domain]\nlattice = \"D3Q19\"\nvessel = { file = %q }\n[fluid]\ncollision = \"trt\"\n", file)
	for k, kind := range []string{"type = \"velocity\"\nspeed = 1.0\n", "type = \"pressure\"\n"} {
		p := m.Ports[k]
		text += fmt.Sprintf("[[port]]\nname = %q\nplane = { point = [%v, %v, %v], normal = [%v, %v, %v] }\n%s",
			[]string{"in", "out"}[k], p.Point[0], p.Point[1], p.Point[2], p.Normal[0], p.Normal[1], p.Normal[2], kind)
	}
	dir := leave(t, text+"[run]\ntime = 0.1\n[output]\nwall = { every = 0.05, from = 0.05 }\n")
	wall := filepath.Join(dir, "plots", "wall.png")
	drawn := picture(t, wall)
	if err := os.Remove(wall); err != nil {
		t.Fatal(err)
	}
	files, err := report.Pictures(open(t, dir), report.Choice{Step: -1})
	if err != nil || !slices.Contains(names(files), "wall.png") {
		t.Fatalf("%q, %v, want wall.png", names(files), err)
	}
	sameDrawing(t, picture(t, wall), drawn, 1)
	if err := os.Remove(filepath.Join(dir, "wall.vtkhdf.series")); err != nil {
		t.Fatal(err)
	}
	if files, err := report.Pictures(open(t, dir), report.Choice{Step: -1}); err != nil || len(files) == 0 {
		t.Errorf("%q, %v: what the run drew is there", names(files), err)
	}
}

// picture is that in a file.
func picture(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	of, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// sameDrawing holds one picture to another, but for so many thousandths of its points: numbers are single in files.
func sameDrawing(t *testing.T, again, drawn image.Image, but int) {
	t.Helper()
	all, differ := drawn.Bounds(), 0
	if again.Bounds() != all {
		t.Fatalf("drawn again it is %v, the run's %v", again.Bounds(), all)
	}
	for y := range all.Dy() {
		for x := range all.Dx() {
			r, g, b, _ := drawn.At(x, y).RGBA()
			r2, g2, b2, _ := again.At(x, y).RGBA()
			if max(r, r2)-min(r, r2)+max(g, g2)-min(g, g2)+max(b, b2)-min(b, b2) > 0x800 {
				differ++
			}
		}
	}
	if differ*1000 > but*all.Dx()*all.Dy() {
		t.Errorf("%d pixels of %v differ from those that the run drew", differ, all)
	}
}
