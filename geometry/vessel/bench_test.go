package vessel

import (
	"testing"

	"lbmib/geometry"
)

// Ten million nodes in a tube of 100,000 triangles.
func BenchmarkTube(b *testing.B) {
	end := unit(geometry.Vec{1, 2, 3}).Scale(440)
	points, triangles := pipe(end.Scale(-1.01), end.Scale(1.01), 60, 256, 196)
	ports := []Port{{"in", end.Scale(-1), unit(end)}, {"out", end, unit(end).Scale(-1)}}
	b.Run("cut", func(b *testing.B) {
		for b.Loop() {
			if _, err := New(points, triangles, ports, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	v, err := New(points, triangles, ports, 1)
	if err != nil {
		b.Fatal(err)
	}
	var f *Fluid
	b.Run("nodes", func(b *testing.B) {
		for b.Loop() {
			f = fill(b, v, geometry.Vec{0.3, 0.4, 0.1})
		}
		b.ReportMetric(float64(f.Nodes), "nodes")
	})
	b.Run("links", func(b *testing.B) {
		n := 0
		for b.Loop() {
			n = len(f.Links(directions).Cut)
		}
		b.ReportMetric(float64(n), "links")
	})
	b.Run("thickness", func(b *testing.B) {
		for b.Loop() {
			v.Thickness()
		}
	})
}
