//go:build race

package checking

// Racing tells that the race detector watches: it makes pools forget at random, so that
// allocations are not counted.
const Racing = true
