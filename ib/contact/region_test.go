package contact

import (
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
)

// Forces on points in a region, and on all of surfaces that are attended to, are those that there are without, to the last bit, while points and what is attended to change.
func TestForcesWithinARegionAreTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cfg, all := suspension(3)
	some := copied(all)
	s, part := system(t, cfg, all, 2), system(t, cfg, some, 2)
	inside := func(x *geometry.Vec) bool { return x[0] < 15 }
	part.Within(inside)
	seen, missed := 0, 0
	for range 30 {
		attended := r.IntN(len(some))
		for i := range some {
			part.Attend(i, i == attended)
		}
		for i := range all {
			for k := range all[i].Points {
				for a := range 3 {
					all[i].Points[k][a] += 0.1 * (r.Float64() - 0.5)
				}
				some[i].Points[k] = all[i].Points[k]
			}
			clear(all[i].Force)
			clear(some[i].Force)
		}
		s.AddForces()
		part.AddForces()
		for i := range all {
			for k, want := range all[i].Force {
				switch got := some[i].Force[k]; {
				case got == want && want != geometry.Vec{}:
					seen++
				case got != want && (i == attended || all[i].Points[k][0] < 15-0.25*cfg.Range):
					t.Fatalf("point %d of surface %d at %v: force %v, want %v", k, i, all[i].Points[k], got, want)
				case got != want:
					missed++
				}
			}
		}
	}
	if seen == 0 || missed == 0 {
		t.Errorf("%d forces are found and %d are not, want some of both", seen, missed)
	}
}
