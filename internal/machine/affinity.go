package machine

import "runtime"

// allProcessors is the mask of all processors of the machine.
func allProcessors() (mask [16]uint64) {
	for cpu := range min(runtime.NumCPU(), 64*len(mask)) {
		mask[cpu/64] |= 1 << (cpu % 64)
	}
	return mask
}

// Share is how many of the processors of a mask are one's own, where others of a machine that may run on the same ones take as many of these as
// oneself; at least 1. all are the masks of all, one's own included.
func Share(own [16]uint64, all [][16]uint64) int {
	share := 0.
	for cpu := range 64 * len(own) {
		has := func(mask [16]uint64) bool { return mask[cpu/64]>>(cpu%64)&1 == 1 }
		if !has(own) {
			continue
		}
		n := 0
		for _, mask := range all {
			if has(mask) {
				n++
			}
		}
		share += 1 / float64(n)
	}
	return max(1, int(share+1e-6))
}
