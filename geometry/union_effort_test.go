package geometry

import "testing"

// A line through a union of many parts is held against those that it meets alone.
func TestLinesMeetFewPartsOfAUnion(t *testing.T) {
	var of []Shape
	for k := range 1000 {
		of = append(of, mustCircle(t, Vec{float64(k % 20), float64(k / 20), 0}, 1.2))
	}
	boxes := boxesOf(of)
	for _, y := range []float64{0, 12.5, 49} {
		row := alongX(nil, boxes, Vec{3, y, 0})
		if len(row) < 20 || len(row) > 40 {
			t.Errorf("y = %g: %d parts, want 20 to 40", y, len(row))
		}
		for _, x := range []float64{3.2, 7.5} {
			p, all, along := Vec{x, y, 0}, 0, 0
			for k := range boxes {
				if boxes[k].contains(p) {
					all++
				}
			}
			for _, b := range row {
				if b.contains(p) {
					along++
				}
			}
			if along != all {
				t.Errorf("%v is in %d parts of the line, in %d of all", p, along, all)
			}
		}
	}
}
