package cuda

import (
	"fmt"
	"testing"

	"lbmib/cuda/device"
)

// Whatever the domain, its parts cover every row once, and are within what a device's
// grids and the kernels' 31-bit numbers of nodes can hold: also in planes, and rows of
// planes, of more nodes than that.
func TestPartsOfASweepCoverTheDomain(t *testing.T) {
	for _, c := range []struct {
		size   [3]int
		height int
	}{
		{[3]int{1, 1, 1}, 1},
		{[3]int{100, 3 * maxGridYZ, 1}, 1},
		{[3]int{100, 3*maxGridYZ + 1, 1}, 4},
		{[3]int{60000, 90000, 1}, 1},
		{[3]int{7, 1 << 20, 1}, 16},
		{[3]int{2, 3, 2*maxGridYZ + 5}, 1},
		{[3]int{3000, 1300, 1500}, 1},
		{[3]int{65535, 65536, 3}, 2},
	} {
		t.Run(fmt.Sprint(c.size), func(t *testing.T) {
			row := device.RoundUp(c.size[0]+1, 32)
			plane := row * (c.size[1] + 1)
			if c.size[2] == 1 {
				plane = row * c.size[1]
			}
			rows := 0
			for k, p := range sweepParts(c.size, c.height, row, plane) {
				if p.rows < 1 || p.planes < 1 || p.y+p.rows > c.size[1] || p.z+p.planes > c.size[2] {
					t.Fatalf("part %d is %+v", k, p)
				}
				if p.rows > maxGridYZ*c.height || p.planes > maxGridYZ {
					t.Errorf("part %+v is more than a grid holds", p)
				}
				if last := c.size[0] - 1 + row*(p.rows-1) + plane*(p.planes-1); last >= 1<<31 {
					t.Errorf("part %+v has a node of number %d", p, last)
				}
				if before := p.z*c.size[1] + p.y*p.planes; before != rows {
					t.Errorf("part %+v follows %d rows, it begins after %d", p, rows, before)
				}
				rows += p.rows * p.planes
			}
			if rows != c.size[1]*c.size[2] {
				t.Errorf("parts have %d rows, the domain %d", rows, c.size[1]*c.size[2])
			}
		})
	}
}

// Blocks are long along x where rows are, and leave few threads without a node where
// they are short.
func TestBlocksOfASweepSuitItsRows(t *testing.T) {
	for _, c := range []struct {
		columns, least int
		want           [3]int
	}{
		{512, 32, [3]int{256, 1, 1}}, {1600, 32, [3]int{128, 2, 1}}, {130, 32, [3]int{32, 8, 1}},
		{64, 32, [3]int{64, 4, 1}}, {1, 32, [3]int{32, 8, 1}}, {16, 8, [3]int{16, 16, 1}}, {1, 8, [3]int{8, 32, 1}},
	} {
		if got := sweepBlock(c.columns, c.least); got != c.want {
			t.Errorf("rows of %d threads, at least %d: blocks of %v, want %v", c.columns, c.least, got, c.want)
		}
	}
}
