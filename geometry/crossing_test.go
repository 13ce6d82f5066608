package geometry

import (
	"math"
	"testing"
)

func TestLinesCrossWhereTheyDo(t *testing.T) {
	zigzag := []Vec{{0, 0}, {2, 2}, {4, 0}}
	loop := []Vec{{0, 0}, {3, 0}, {3, 2}, {1, 2}, {1, -1}}
	for _, c := range []struct {
		name string
		a, b []Vec
		at   Vec
		want bool
	}{
		{"across", zigzag, []Vec{{1, -1}, {1, 3}}, Vec{1, 1}, true},
		{"at nodes of both", zigzag, []Vec{{2, 0}, {2, 2}, {2, 3}}, Vec{2, 2}, true},
		{"beside", zigzag, []Vec{{5, -1}, {5, 3}}, Vec{}, false},
		{"between", zigzag, []Vec{{2, 0}, {2, 1.9}}, Vec{}, false},
		{"ends that meet", zigzag, []Vec{{4, 0}, {6, 1}}, Vec{}, false},
		{"an end on it", zigzag, []Vec{{1, 1}, {1, 5}}, Vec{}, false},
		{"parallel", zigzag, []Vec{{0, 1}, {2, 3}}, Vec{}, false},
		{"itself", loop, loop, Vec{1, 0}, true},
		{"not itself", zigzag, zigzag, Vec{}, false},
		{"closed", []Vec{{0, 0}, {1, 0}, {1, 1}, {0, 0}}, nil, Vec{}, false},
		{"nothing", nil, nil, Vec{}, false},
	} {
		b := c.b
		if c.name == "closed" {
			b = c.a
		}
		at, crossed := Crossing(c.a, b)
		if crossed != c.want || crossed && at.Sub(c.at).Norm() > 1e-12 {
			t.Errorf("%s: %v at %v, want %v at %v", c.name, crossed, at, c.want, c.at)
		}
	}
	if _, crossed := Crossing([]Vec{{0, 0}, {math.NaN(), 1}}, []Vec{{0, 1}, {1, 0}}); crossed {
		t.Error("what is nowhere crosses")
	}
}
