package packing

import (
	"errors"
	"math"
	"testing"
	"time"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
)

func redCells(t testing.TB, diameter float64, count int) (Kind, *elastic.Mesh) {
	t.Helper()
	m, err := elastic.NewRedCell(8, geometry.Vec{}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	k := Kind{Count: count}
	for v := range m.Vertices() {
		k.Points = append(k.Points, m.Point(v))
	}
	for i := range m.Triangles() {
		k.Triangles = append(k.Triangles, m.Triangle(i))
	}
	return k, m
}

// tube is that of a radius along x, as nodes have it.
func tube(size [3]int, radius float64) *Walls {
	solid := make([]bool, size[0]*size[1]*size[2])
	var points []geometry.Vec
	var offset []float64
	at := func(y, z int) bool {
		return math.Hypot(float64(y)-float64(size[1]-1)/2, float64(z)-float64(size[2]-1)/2) > radius
	}
	for n := range solid {
		x, y, z := n%size[0], n/size[0]%size[1], n/(size[0]*size[1])
		if solid[n] = at(y, z); solid[n] && !(at(y-1, z) && at(y+1, z) && at(y, z-1) && at(y, z+1)) {
			points, offset = append(points, geometry.Vec{float64(x), float64(y), float64(z)}), append(offset, 1.5*math.Sqrt2)
		}
	}
	return NewWalls(size, [3]bool{true, false, false}, nil, points, offset, solid)
}

func TestProbe(t *testing.T) {
	for _, h := range []float64{0.2, 0.33, 0.45} {
		size := [3]int{50, 42, 42}
		fluid := math.Pi * 20 * 20 * 50
		k, m := redCells(t, 15.64, 1)
		k.Count = int(h * fluid / m.Volume())
		cfg := Config{Size: size, Periodic: [3]bool{true, false, false}, Walls: tube(size, 20), Lo: geometry.Vec{}, Hi: geometry.Vec{50, 42, 42}, Gap: 0.5, Seed: 1}
		at := time.Now()
		_, err := Pack(cfg, []Kind{k}, parallel.Loops{})
		var e *Error
		if errors.As(err, &e) {
			t.Log(h, k.Count, time.Since(at), err, h*e.Reached*e.Reached*e.Reached)
		} else {
			t.Log(h, k.Count, time.Since(at), err)
		}
	}
}
