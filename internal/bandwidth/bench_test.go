package bandwidth

import (
	"fmt"
	"slices"
	"testing"

	"lbmib/internal/parallel"
)

// BenchmarkWays times each way over 2 GiB, on one worker and on all of them.
func BenchmarkWays(b *testing.B) {
	for _, workers := range slices.Compact([]int{1, parallelism()}) {
		pool := parallel.NewPool(workers)
		m, err := newMeter(pool, 2<<30)
		if err != nil {
			b.Fatal(err)
		}
		for _, w := range slices.Concat(m.copies, m.updates) {
			op := "copy"
			if w.bytes > m.copies[0].bytes {
				op = "update"
			}
			b.Run(fmt.Sprintf("%d/%s/%s", workers, op, w.name), func(b *testing.B) {
				b.SetBytes(int64(w.bytes))
				for b.Loop() {
					m.time(w)
				}
			})
		}
		m.Release()
		pool.Close()
	}
}

// parallelism is the number of workers of a pool that takes all CPUs.
func parallelism() int {
	pool := parallel.NewPool(0)
	defer pool.Close()
	return pool.Workers()
}
