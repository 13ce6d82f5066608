package lbm

import (
	"unsafe"

	"lbmib/internal/parallel"
	"lbmib/lbm/internal/simd"
)

// Combinations are sums of pieces of memory times weights, made again and again from what the pieces hold: what goes from one fluid to
// another where they are joined.
type Combinations[T Float] struct {
	kernel func([]simd.Sum) // nil: none
	sums   []simd.Sum
	plain  []plainSum[T] // where there is no kernel
	terms  int

	pool   *parallel.Pool
	shares []int // worker k has those from shares[k] up to shares[k+1]; nil: not shared out yet
	share  func(worker int)
}

// plainSum is a sum as Go makes it.
type plainSum[T Float] struct {
	to     []T
	from   [][]T
	weight []T
}

// combinationsSharedFrom is the number of terms from which workers share sums: for fewer it takes longer to wake them.
const combinationsSharedFrom = 20_000

// NewCombinations makes sums with the kernels of a name, see KernelNames, by the workers of a pool, or the caller alone where it is nil.
func NewCombinations[T Float](kernel string, pool *parallel.Pool) *Combinations[T] {
	c := &Combinations[T]{pool: pool}
	float := map[uintptr]string{8: "f64", 4: "f32"}[unsafe.Sizeof(T(0))]
	c.kernel, _ = simd.FindSums(kernel, float)
	c.share = func(worker int) { c.make(c.shares[worker], c.shares[worker+1]) }
	return c
}

// Add adds the sum of pieces as long as to, times weights, that is to go there.
func (c *Combinations[T]) Add(to []T, from [][]T, weight []T) {
	if len(to) == 0 {
		return
	}
	c.shares = nil
	c.terms += len(to) * (1 + len(from))
	if c.kernel == nil {
		c.plain = append(c.plain, plainSum[T]{to, from, weight})
		return
	}
	sum := simd.Sum{To: unsafe.Pointer(&to[0]), N: len(to)}
	var at []unsafe.Pointer
	for _, f := range from {
		at = append(at, unsafe.Pointer(&f[:len(to)][0]))
	}
	simd.SetTerms(&sum, at, weight)
	c.sums = append(c.sums, sum)
}

// Run makes all sums.
func (c *Combinations[T]) Run() {
	if c.pool == nil || c.terms < combinationsSharedFrom || c.pool.Workers() == 1 {
		c.make(0, c.len())
		return
	}
	if c.shares == nil {
		c.shareOut()
	}
	c.pool.Run(c.share)
}

func (c *Combinations[T]) len() int { return len(c.sums) + len(c.plain) }

// shareOut gives each worker about as many terms.
func (c *Combinations[T]) shareOut() {
	workers, so := c.pool.Workers(), 0
	c.shares = []int{0}
	for k := range c.len() {
		if so >= c.terms*len(c.shares)/workers {
			c.shares = append(c.shares, k)
		}
		if c.kernel != nil {
			so += c.sums[k].N * (1 + c.sums[k].Terms())
		} else {
			so += len(c.plain[k].to) * (1 + len(c.plain[k].from))
		}
	}
	for len(c.shares) <= workers {
		c.shares = append(c.shares, c.len())
	}
}

// make makes the sums lo ≤ k < hi.
func (c *Combinations[T]) make(lo, hi int) {
	if c.kernel != nil {
		c.kernel(c.sums[lo:hi])
		return
	}
	for k := lo; k < hi; k++ {
		c.plain[k].make()
	}
}

// make makes the sum.
func (s *plainSum[T]) make() {
	clear(s.to)
	for j, w := range s.weight {
		from := s.from[j][:len(s.to)]
		for k := range s.to {
			s.to[k] += w * from[k]
		}
	}
}
