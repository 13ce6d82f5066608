package hybrid

import (
	"math/rand/v2"
	"testing"

	"lbmib/hybrid/rigid"
	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
)

// Boxes that share nodes are found as by comparing all with all, and of ten thousand that lie
// loosely each is compared with a few.
func TestBoxesThatShareNodesAreFoundAmongFew(t *testing.T) {
	checkingtest.NumbersAlone(t)
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		flow := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{20 + r.IntN(90), 20 + r.IntN(90), 1}}
		boxes := make([]balance, 1+r.IntN(60))
		if round == 0 {
			flow.Size, boxes = [3]int{3000, 3000, 1}, make([]balance, 10_000)
		}
		if r.IntN(2) > 0 {
			flow.Faces[0].Kind, flow.Faces[1].Kind = lbm.NoSlip, lbm.NoSlip
		}
		for i := range boxes {
			for a := range 2 {
				boxes[i].lo[a] = r.IntN(flow.Size[a]) - balanceMargin
				boxes[i].hi[a] = boxes[i].lo[a] + 12 + r.IntN(6)
			}
			boxes[i].hi[2] = 1
		}
		near, pairs := rigid.NewNeighbours(domainOf(&flow)), 0
		near.FindBoxes(len(boxes), func(i int) (lo, hi [3]int) { return boxes[i].lo, boxes[i].hi })
		for i := range boxes {
			found := map[int32]bool{}
			for _, j := range near.Of(i) {
				found[j] = true
			}
			pairs += len(found)
			for j := range boxes {
				if i != j && !found[int32(j)] && boxes[i].overlaps(&boxes[j], &flow) {
					t.Fatalf("%v: box %v shares nodes with %v: not found", flow.Size, boxes[i], boxes[j])
				}
			}
		}
		if round == 0 && pairs > 20*len(boxes) {
			t.Errorf("%d boxes are compared with %.3g others each, bound 20", len(boxes), float64(pairs)/float64(len(boxes)))
		}
	}
}
