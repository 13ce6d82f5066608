package casefile

import (
	"reflect"
	"strings"
	"testing"
)

func TestLinesBoxesAndMeansAreReadAsWritten(t *testing.T) {
	o := mustParse(t, cylinder, "output.lines=[{name='centre', from=[0, 7.5], to=[40, 7.5], points=11, every=1}, {from=[0,0], to=[0,15], every=2}]",
		"output.boxes=[{name='near', min=[9, 6], max=[12, 9], every=1}]", "output.means={from=20, every=0.1}").Output
	if want := []Line{{"centre", [3]float64{0, 7.5}, [3]float64{40, 7.5}, 11, 1}, {"line1", [3]float64{}, [3]float64{0, 15}, 101, 2}}; !reflect.DeepEqual(o.Lines, want) {
		t.Errorf("lines %+v", o.Lines)
	}
	if want := []Box{{"near", [3]float64{9, 6}, [3]float64{12, 9}, 1}}; !reflect.DeepEqual(o.Boxes, want) {
		t.Errorf("boxes %+v", o.Boxes)
	}
	if *o.Means != (Means{20, 0.1}) {
		t.Errorf("means %+v", o.Means)
	}
}

func TestSlicesCutThreeDimensions(t *testing.T) {
	text := spatial(`{ type = "sphere", center = [3, 4, 5], diameter = 1 }`)
	o := mustParse(t, text, "output.slices=[{name='mid', axis='y', at=4, every=5}]").Output
	if want := []Slice{{"mid", 1, 4, 5}}; !reflect.DeepEqual(o.Slices, want) {
		t.Errorf("slices %+v", o.Slices)
	}
	for set, want := range map[string]string{
		"output.slices=[{axis='w', at=4, every=5}]": `"w" is not an axis: it must be one of x, y, z`,
		"output.slices=[{axis='x', at=9, every=5}]": `9 of slice "slice0" lies outside the domain along x, which is 0..8`,
		"output.slices=[{at=4, every=5}]":           "output.slices.0.axis: is missing",
	} {
		_, err := Parse("case.toml", []byte(text), []string{set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
}
