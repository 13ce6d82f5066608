package run

import (
	"math"
	"strings"
	"testing"

	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// An open surface with a thickness is a body, or a solid, with an inside; one that is closed has no use for it.
func TestAnOpenSurfaceGetsThick(t *testing.T) {
	text := passageText(t)
	sets := []string{"domain.size=[2.0, 1.5, 1.5]", "domain.force=[0, 0, 0]", "body.0.fluid=outside", "body.0.shape.center=[1.0, 0.75, 0.75]", `output={plots=false}`}
	load := func(more ...string) (*setup.Problem, error) {
		thick := strings.Replace(text, "open = true", "thickness = 0.125", 1)
		return setup.New(setuptest.Load(t, thick, append(append([]string{}, sets...), more...)...))
	}
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	b := p.Bodies[0]
	if want := 2 * math.Pi * 8 * 2 * 1.4 * 16; b.Shape.Open() || math.Abs(b.Shape.Enclosed()/want-1) > 0.01 {
		t.Errorf("it encloses %v nodes, want %v", b.Shape.Enclosed(), want)
	}
	near, far := 0, 0
	for _, x := range b.Markers.X {
		switch r := math.Hypot(x[1]-11.5, x[2]-11.5); {
		case r < 7.2:
			near++
		case r > 8.8:
			far++
		}
	}
	if near < 500 || far < 500 {
		t.Errorf("%d markers are inside and %d outside", near, far)
	}
	if _, err := load("body.0.shape.thickness=1.5"); err == nil || !strings.Contains(err.Error(), "would cross itself") {
		t.Errorf("a shell thicker than its tube is wide: %v", err)
	}
}
