package ib

import (
	"strings"
	"testing"

	"lbmib/geometry"
)

func TestPointsAreRefusedWhereNoBufferCanBeMapped(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{8, 8, 1}}
	f, err := newFrame([]Grid{g}, Delta[float64](Peskin4[float64]{}), nil, "")
	if err != nil {
		t.Fatal(err)
	}
	transfer, err := newBuffered(f, true)
	if err != nil {
		t.Fatal(err)
	}
	size := transfer.size
	field := [][]float64{make([]float64, 64)}
	x := []geometry.Vec{{4, 4}}
	if err := transfer.SetPoints(x); err != nil {
		t.Fatal(err)
	}
	transfer.size = 1 << 56 // more bytes than addresses
	func() {
		defer func() {
			if said, _ := recover().(string); !strings.Contains(said, "use sort-reduce") {
				t.Errorf("spreading without memory panics with %q, want the remedy", said)
			}
		}()
		transfer.Spread(field, [][]float64{{1}})
	}()
	if err := transfer.SetPoints(x); err == nil || !strings.Contains(err.Error(), "buffered-otf") {
		t.Errorf("points are set with error %v, want one that says what is missing", err)
	}
	transfer.Spread(field, [][]float64{{}}) // of no points
	transfer.size = size
	if err := transfer.SetPoints(x); err != nil {
		t.Fatal(err)
	}
	transfer.Spread(field, [][]float64{{1}})
	var sum float64
	for _, v := range field[0] {
		sum += v
	}
	if sum < 1-1e-12 || sum > 1+1e-12 { // 16 roundings
		t.Errorf("a force of 1 is %v on the grid once there is memory", sum)
	}
}
