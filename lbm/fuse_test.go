package lbm

import (
	"fmt"
	"testing"
)

func TestAPullFollowsTheLocalSweepsOfAllRowsAround(t *testing.T) {
	for _, c := range []struct{ ny, nz, lo, hi, width int }{
		{1, 1, 0, 1, 4}, {7, 1, 0, 7, 4}, {9, 1, 3, 8, 4}, {5, 6, 0, 30, 1}, {5, 6, 0, 30, 3}, {5, 6, 7, 19, 2},
		{12, 9, 13, 100, 4}, {3, 20, 0, 60, 50}, {4, 3, 5, 5, 4}, {6, 5, 11, 13, 4},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			local, pulled := make([]int, c.ny*c.nz), make([]int, c.ny*c.nz)
			for _, o := range wavefront(c.ny, c.lo, c.hi, c.width) {
				if !o.pull {
					local[o.row]++
					continue
				}
				pulled[o.row]++
				y, z := int(o.row)%c.ny, int(o.row)/c.ny
				for dz := -1; dz <= 1; dz++ {
					for dy := -1; dy <= 1; dy++ {
						n := y + dy + c.ny*(z+dz)
						if y+dy >= 0 && y+dy < c.ny && n >= c.lo && n < c.hi && local[n] == 0 {
							t.Fatalf("row (%d, %d) is pulled before the local sweep of row (%d, %d)", y, z, y+dy, z+dz)
						}
					}
				}
			}
			for row := range local {
				want := 0
				if row >= c.lo && row < c.hi {
					want = 1
				}
				if local[row] != want || pulled[row] != want {
					t.Errorf("row %d is swept %d times locally and pulled %d times, want %d", row, local[row], pulled[row], want)
				}
			}
		})
	}
}
