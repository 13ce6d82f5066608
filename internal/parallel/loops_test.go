package parallel

import "testing"

// A loop is cut into the same shares whether it is long enough for workers or not.
func TestLoopsRunEveryShareOnce(t *testing.T) {
	pool := NewPool(3)
	defer pool.Close()
	for _, l := range []Loops{{}, {Pool: pool}} {
		for _, items := range []int{10, SharedFrom} {
			runs := make([]int, l.Workers())
			l.Run(items, func(worker int) { runs[worker]++ })
			for w, n := range runs {
				if n != 1 {
					t.Errorf("%d workers, %d items: share %d ran %d times", l.Workers(), items, w, n)
				}
			}
		}
	}
}
