package parallel

import (
	"fmt"
	"testing"
	"time"
)

// busy works for a time.
func busy(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// What a Run costs beyond the work in it, or beyond the pause before it, is what
// exceeds the time in the name.
func BenchmarkRun(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for _, d := range []time.Duration{0, 20 * time.Microsecond, 500 * time.Microsecond} {
			f := func(int) {}
			if d > 0 {
				f = func(int) { busy(d) }
			}
			b.Run(fmt.Sprintf("workers=%d/work=%v", workers, d), func(b *testing.B) {
				p := NewPool(workers)
				defer p.Close()
				for b.Loop() {
					p.Run(f)
				}
			})
			if d == 0 {
				continue
			}
			b.Run(fmt.Sprintf("workers=%d/pause=%v", workers, d), func(b *testing.B) {
				p := NewPool(workers)
				defer p.Close()
				g := func(int) {}
				for b.Loop() {
					busy(d)
					p.Run(g)
				}
			})
		}
	}
}
