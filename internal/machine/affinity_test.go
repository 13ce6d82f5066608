package machine

import "testing"

func TestShare(t *testing.T) {
	mask := func(bits uint64) [16]uint64 { return [16]uint64{bits} }
	for _, c := range []struct {
		own  uint64
		all  []uint64
		want int
	}{
		{0b1111, []uint64{0b1111}, 4},
		{0b1111, []uint64{0b1111, 0b1111}, 2},
		{0b0011, []uint64{0b0011, 0b1100}, 2},
		{0b1111, []uint64{0b1111, 0b1111, 0b1111}, 1},
		{0b1, []uint64{0b1, 0b1}, 1},
		{0b111, []uint64{0b111, 0b1, 0b110}, 1},
	} {
		var all [][16]uint64
		for _, m := range c.all {
			all = append(all, mask(m))
		}
		if got := Share(mask(c.own), all); got != c.want {
			t.Errorf("of %b among %b: %d, want %d", c.own, c.all, got, c.want)
		}
	}
	if own := Affinity(); Share(own, [][16]uint64{own}) < 1 {
		t.Error("this process may run nowhere")
	}
}
