package casefile

import (
	"maps"
	"slices"
	"testing"

	"lbmib/ib"
	"lbmib/ib/elastic"
	"lbmib/lbm"
)

// What a case may name is what the packages have that compute it.
func TestChoicesAreThoseOfThePackages(t *testing.T) {
	for key, want := range map[string][]string{
		"ib.delta":                  ib.DeltaNames(),
		"ib.spread":                 ib.TransferNames(),
		"fluid.collision":           lbm.CollisionNames,
		"body.motion.law":           append(elastic.LawNames(), "beam", "plate"),
		"body.motion.bending_model": elastic.BendingNames(),
		"domain.boundary.type":      slices.Collect(maps.Keys(lbm.FaceKinds)),
	} {
		got, want := slices.Sorted(slices.Values(choices[key].have)), slices.Sorted(slices.Values(want))
		if key == "ib.spread" {
			got = slices.DeleteFunc(got, func(name string) bool { return name == "auto" })
			want = slices.DeleteFunc(want, func(name string) bool { return name == "auto" })
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s may be %v, the packages have %v", key, got, want)
		}
	}
}
