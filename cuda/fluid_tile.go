package cuda

import "lbmib/lbm"

var _ lbm.Repeating = (*Fluid[float64])(nil)

// InitializeRepeating sets every node from one period of a state; see lbm.Repeating.
func (f *access[T]) InitializeRepeating(period [3]int, state func(p [3]float64) (rho float64, u [3]float64)) {
	f.initialize(func(force [3]float64) func(first, n int, values []T) {
		return givePeriods[T](&f.cfg, period, force, state)
	})
}

// givePeriods is giveNodes by copies of a period.
func givePeriods[T lbm.Float](c *lbm.Config, period [3]int, force [3]float64, state func(p [3]float64) (rho float64, u [3]float64)) func(first, n int, values []T) {
	tile := lbm.NewTile[T](c, period, force, state, shared)
	return func(first, n int, values []T) {
		shared(len(values), func(lo, hi int) { // all directions, one after the other
			for lo < hi {
				i, k := lo/n, lo%n
				end := min(hi, (i+1)*n)
				tile.Fill(values[lo:end], i, first+k, c.Size)
				lo = end
			}
		})
	}
}
