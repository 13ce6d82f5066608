package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lbmib/io/casefile"
	"lbmib/run/check"
	"lbmib/run/setup"
)

// FewestGrids is how many resolutions tell an order, MostGrids what anybody would wait for.
const FewestGrids, MostGrids = 3, 6

// gridRatio is that of neighbouring resolutions; Celik et al. want more than 1.3. Where the case does not accept that resolution, as nested grids
// whose coarsest cells must fill the domain, one is taken that is leastRatio to mostRatio times coarser than the finer one.
const (
	gridRatio  = math.Sqrt2
	leastRatio = 1.2
	mostRatio  = 1.7
)

// coarsestGrid is the fewest nodes per L of a resolution that is tried.
const coarsestGrid = 4

// mostTried is how many resolutions are tried for one that would do in place of the case's: each is a case that is read and set up.
const mostTried = 24

// GridAxis are n resolutions, the case's the finest, each √2 times the next coarser but for whole numbers of nodes and for what
// the case accepts: of the whole numbers between leastRatio and mostRatio times coarser than the next finer one that which is nearest. note says which were
// taken in place of others, and why; empty: none. An error says which resolutions were refused, and what would do.
func GridAxis(c *casefile.Case, n int, accepts func(resolution float64) error) (a Axis, note string, err error) {
	a = Axis{Key: ResolutionKey}
	finest := c.Reference.Resolution
	if at := math.Round(finest / math.Pow(gridRatio, float64(n-1))); at < coarsestGrid {
		return a, "", fmt.Errorf("%d resolutions from %v nodes per L down end at %v, must be at least %v: raise reference.resolution to %v, or ask for fewer",
			n, finest, at, coarsestGrid, math.Ceil(coarsestGrid*math.Pow(gridRatio, float64(n-1))))
	}
	known := map[float64]error{}
	asked := func(at float64) error {
		if _, is := known[at]; !is {
			known[at] = accepts(at)
		}
		return known[at]
	}
	grids, wanted, refused := chain(finest, n, asked)
	if len(grids) < n {
		if err := asked(finest); err != nil { // it is not for the grids
			return a, "", fmt.Errorf("%v nodes per L: %w", finest, err)
		}
		if refused == nil {
			return a, "", fmt.Errorf("%d grids from %v nodes per L down leave none below %v with %v or more: raise reference.resolution, or ask for fewer", n, finest, grids[len(grids)-1], coarsestGrid)
		}
		last := grids[len(grids)-1]
		return a, "", fmt.Errorf("%d grids from %v nodes per L down need one that is %v to %v times coarser than that of %v, and the case accepts none (%v: %w): %s",
			n, finest, leastRatio, mostRatio, last, refused.at, refused.err, instead(finest, n, len(grids), asked))
	}
	for _, at := range slices.Backward(grids) {
		a.Values = append(a.Values, strconv.FormatFloat(at, 'g', -1, 64))
	}
	if refused != nil {
		var ratios []string
		for i := 1; i < n; i++ {
			ratios = append(ratios, fmt.Sprintf("%.3g", grids[i-1]/grids[i]))
		}
		note = fmt.Sprintf("the grids have %s nodes per L, each %s times as many as the next, not %s: the case does not accept %v (%v)", list(grids), strings.Join(ratios, " and "), list(wanted), refused.at, refused.err)
	}
	return a, note, nil
}

// refusal is a resolution that the case does not accept, and why.
type refusal struct {
	at  float64
	err error
}

// chain are up to n resolutions from the finest down that are accepted, as many that are wanted, and the first refusal: of the grid that is
// missing, where one is. It is nil where nothing was refused.
func chain(finest float64, n int, accepts func(at float64) error) (grids, wanted []float64, refused *refusal) {
	grids, wanted = []float64{finest}, []float64{finest}
	for k := 1; k < n; k++ {
		exact := finest / math.Pow(gridRatio, float64(k))
		wanted = append(wanted, math.Round(exact))
		if len(grids) < k {
			continue
		}
		var near []float64
		for lo, hi := between(grids[k-1]); lo <= hi; lo++ {
			near = append(near, lo)
		}
		slices.SortStableFunc(near, func(a, b float64) int {
			return cmp.Or(cmp.Compare(math.Abs(a-exact), math.Abs(b-exact)), cmp.Compare(b, a)) // of two as near the finer
		})
		var first *refusal
		for _, at := range near[:min(len(near), mostBeside)] {
			err := accepts(at)
			if err == nil {
				grids = append(grids, at)
				break
			}
			if first == nil {
				first = &refusal{at, err}
			}
		}
		if refused == nil || len(grids) == k {
			refused = cmp.Or(first, refused)
		}
	}
	return grids, wanted, refused
}

// mostBeside is how many resolutions are tried for a grid, the nearest first: each is a case that is set up.
const mostBeside = 12

// between are the ends of the whole numbers that may be the next coarser resolution.
func between(finer float64) (lo, hi float64) {
	return math.Max(coarsestGrid, math.Ceil(finer/mostRatio)), math.Floor(finer / leastRatio)
}

// instead says what does where only fewer than n grids are accepted: a finer finest one, or as many as there are.
func instead(finest float64, n, accepted int, accepts func(at float64) error) string {
	var ways []string
	tried := 0
	counted := func(at float64) error {
		tried++
		return accepts(at)
	}
	for at := math.Floor(finest) + 1; at <= 2*finest && tried < mostTried; at++ {
		if counted(at) != nil {
			continue
		}
		if grids, _, _ := chain(at, n, counted); len(grids) == n {
			ways = append(ways, fmt.Sprintf("take %s = %v, which has %s", ResolutionKey, at, list(grids[1:])))
			break
		}
	}
	if accepted >= FewestGrids {
		ways = append(ways, fmt.Sprintf("ask for --converge %d", accepted))
	}
	if ways == nil {
		return "change domain.size so that it is whole cells of the coarsest grid at other resolutions too, take fewer levels, or one grid"
	}
	return strings.Join(ways, ", or ")
}

// list is "16, 12 and 8".
func list(values []float64) string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprint(v))
	}
	if n := len(words); n > 1 {
		words = append(words[:n-2], words[n-2]+" and "+words[n-1])
	}
	return strings.Join(words, ", ")
}

// Accepts tells whether the case of a file can be run at a resolution, on the nested grids that are proposed for it if so asked; sets are those of
// other keys. The case is read and set up, no step is made.
func Accepts(file string, sets []string, refine bool, kernel setup.Kernel) func(resolution float64) error {
	return func(at float64) error {
		text, err := casefile.Read(file)
		if err != nil {
			return err
		}
		p := &Plan{File: file, Sets: sets, Axes: []Axis{{Key: ResolutionKey}}, refine: refine}
		c := p.combination([]string{strconv.FormatFloat(at, 'g', -1, 64)})
		cas, err := p.onGrids(&c, text)
		if err != nil {
			return err
		}
		return check.Examine(cas, kernel)
	}
}
