package setup

import (
	"errors"
	"math"
	"strings"
	"testing"

	"lbmib/io/casefile"
)

// bloodTube are the keys of a tube full of red cells.
var bloodTube = []string{
	`domain.boundary={bottom={type="no-slip"}, top={type="no-slip"}, front={type="no-slip"}, back={type="no-slip"}}`,
	`solid=[{shape={type="cylinder", center=[0.25,0.55,0.55], diameter=1, length=0.6, direction=[1,0,0]}, fluid="inside"}]`,
	`suspension=[{model="elastic", hematocrit=0.2, shape={type="rbc", diameter=0.391}, material={law="skalak", capillary=0.1, area=3.0, mesh=162}}]`,
}

// TestWhatCannotBePackedIsRefusedBefore: cells that fill more than the room between walls is are refused without a trial, which takes a minute; and before solids are marked
// those are asked who know of memory.
func TestWhatCannotBePackedIsRefusedBefore(t *testing.T) {
	for resolution, want := range map[string]string{"4": "nowhere are cells", "9": "of the room that is left, must be at most 0.74"} {
		c, err := casefile.Parse("conduit.toml", []byte(conduitCase), append([]string{"reference.resolution=" + resolution}, bloodTube...))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s nodes: %v", resolution, err)
		}
		full := errors.New("full")
		if _, err := New(c, func(p *Problem) error {
			if p.Flow.Solid != nil {
				t.Error("solids are marked before memory is asked for")
			}
			return full
		}); !errors.Is(err, full) {
			t.Errorf("%v", err)
		}
	}
}

// TestTwoKindsShareARegion: the haematocrit of either is of the fluid in the region of the first, and their cells lie there.
func TestTwoKindsShareARegion(t *testing.T) {
	kind := `{model="elastic", hematocrit=0.04, shape={type="sphere", diameter=0.4}, material={law="skalak", capillary=0.1, area=3.0, mesh=162}`
	p := problemOf(t, conduitCase, "domain.size=[1,1.1,2]", `suspension=[`+kind+`, region={min=[0,0,0], max=[1,1.1,1]}}, `+kind+`, name="ball"}]`)
	if len(p.Suspended) != 2 {
		t.Fatalf("%d suspensions", len(p.Suspended))
	}
	for _, s := range p.Suspended {
		if s.Volume != 20*22*20 || s.Len != int(math.Round(0.04*s.Volume/s.Membrane.Mesh().Volume())) || math.Abs(s.Hematocrit()-0.04) > 0.02 {
			t.Errorf("%s: %d cells in %g nodes³, haematocrit %g", s.Of.Name, s.Len, s.Volume, s.Hematocrit())
		}
	}
	for _, c := range p.Coupling.Cells {
		if !(c.Center[2] > -0.5 && c.Center[2] < 19.5) {
			t.Errorf("%s is at %v", c.Name, c.Center)
		}
	}
}

// TestADischargeHaematocritIsThatOfTheTube: as many cells flow wherever they begin.
func TestADischargeHaematocritIsThatOfTheTube(t *testing.T) {
	with := func(region string) *Suspended {
		keys := append([]string{"reference.length=20e-6", "domain.size=[1,1.1,1.1]", "reference.resolution=25"}, bloodTube...)
		for k := range keys {
			keys[k] = strings.Replace(keys[k], "length=0.6", "length=2", 1)
		}
		keys[len(keys)-1] = strings.Replace(keys[len(keys)-1], "hematocrit=0.2", "discharge_hematocrit=0.1"+region, 1)
		return &problemOf(t, conduitCase, keys...).Suspended[0]
	}
	of, in := with(""), with(", region={min=[0,0.25,0.25], max=[1,0.85,0.85]}")
	if of.Packed != in.Packed || of.Hematocrit() != in.Hematocrit() || math.Abs(of.Hematocrit()-0.065) > 0.015 {
		t.Errorf("%d cells, a haematocrit of %.4g of the tube, where they begin anywhere; %d and %.4g in a region", of.Packed, of.Hematocrit(), in.Packed, in.Hematocrit())
	}
}

// TestWhatWasPackedIsNotWhatCannotBe: cells that came to their size but not apart have a text of their own.
func TestWhatWasPackedIsNotWhatCannotBe(t *testing.T) {
	if s := shortOf(0.3, 0.9, 0.5); !strings.Contains(s, "0.3 of the fluid cannot be packed without overlap: 0.218 could,") {
		t.Error(s)
	}
	if s := shortOf(0.3, 1, 0.5); strings.Contains(s, "could") || !strings.Contains(s, "not 0.5 nodes apart") || !strings.Contains(s, "use a lower one") {
		t.Error(s)
	}
}
