package suite

import (
	"math"
	"math/rand/v2"

	"lbmib/geometry"
	"lbmib/ib"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// identityGroups are what deltas, transfers and the local correction owe to
// rounding, computed in this process.
func identityGroups() []Group {
	return []Group{{
		Name: "kernels", Title: "Identities of deltas, transfers and the local correction",
		About: "Moments of the regularised deltas, adjointness and conservation of interpolation and spreading, Pinelli's weights, and the correction of populations against a forced collision: equal to rounding.",
		Checks: []Check{
			{"deltas: largest |Σφ − 1|", nil, func(r *Results) float64 { return momentError(r, nil, 0, 1) }},
			{"deltas but cosine4: largest |Σ(x−j)φ|", nil, func(r *Results) float64 { return momentError(r, []string{"cosine4"}, 1, 0) }},
			{"m4prime: largest |Σ(x−j)²φ|", nil, func(r *Results) float64 { return momentError(r, allBut("m4prime"), 2, 0) }},
			{"roma3: largest |Σφ² − 1/2|", nil, func(r *Results) float64 { return squareError(r, "roma3", 0.5) }},
			{"peskin4, cosine4: largest |Σφ² − 3/8|", nil, func(r *Results) float64 {
				return math.Max(squareError(r, "peskin4", 3./8), squareError(r, "cosine4", 3./8))
			}},
			{"ib6: largest |Σφ² − 0.325778|", nil, func(r *Results) float64 { return squareError(r, "ib6", 5431./19200+51*math.Sqrt(29)/6400) }},
			{"transfers: adjointness, relative", nil, func(r *Results) float64 { return transferErrors(r).adjoint }},
			{"transfers: total force, relative", nil, func(r *Results) float64 { return transferErrors(r).total }},
			{"transfers: strategies against serial, relative", nil, func(r *Results) float64 { return transferErrors(r).strategy }},
			{"Pinelli's weights: slip left of a uniform one", nil, pinelliSlip},
			{"correction against a forced collision, per population", nil, correctionError},
		},
	}}
}

func allBut(name string) (others []string) {
	for _, n := range ib.DeltaNames() {
		if n != name {
			others = append(others, n)
		}
	}
	return others
}

// places are where identities are tried: between two nodes, both included.
const places = 997

// momentError is the largest |Σ(x−j)^n φ − want| over places and deltas, save some.
func momentError(r *Results, save []string, n int, want float64) float64 {
	worst := 0.
	for _, name := range ib.DeltaNames() {
		if contains(save, name) {
			continue
		}
		eachPlace(r, name, func(x float64, first int, w []float64) {
			sum := 0.
			for j, v := range w {
				sum += v * math.Pow(x-float64(first+j), float64(n))
			}
			worst = math.Max(worst, math.Abs(sum-want))
		})
	}
	return worst
}

func contains(list []string, name string) bool {
	for _, l := range list {
		if l == name {
			return true
		}
	}
	return false
}

func squareError(r *Results, name string, want float64) float64 {
	worst := 0.
	eachPlace(r, name, func(_ float64, _ int, w []float64) {
		sum := 0.
		for _, v := range w {
			sum += v * v
		}
		worst = math.Max(worst, math.Abs(sum-want))
	})
	return worst
}

// eachPlace gives the weights of a delta at all places.
func eachPlace(r *Results, name string, look func(x float64, first int, w []float64)) {
	d, err := ib.NewDelta[float64](name)
	if err != nil {
		r.fail("%w", err)
		return
	}
	for i := range places + 1 {
		x := 7 + float64(i)/places
		var w [ib.MaxSupport]float64
		first := d.Weights(&w, x)
		look(x, first, w[:d.Support()])
	}
}

// transferNumbers are what transfers miss, relative to the size of the terms.
type transferNumbers struct{ adjoint, total, strategy float64 }

// transferErrors brings a random field to random points and random forces back, in
// a periodic box, by every strategy and every delta.
func transferErrors(r *Results) (worst transferNumbers) {
	g := ib.Grid{Dim: 3, Size: [3]int{13, 11, 12}, Periodic: [3]bool{true, true, true}}
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]geometry.Vec, 200)
	for k := range x {
		x[k] = geometry.Vec{random.Float64() * 13, random.Float64() * 11, random.Float64() * 12}
	}
	field, force := noise(random, g.Nodes()), noise(random, len(x))
	for _, name := range ib.DeltaNames() {
		var serial []float64
		for _, strategy := range append([]string{"serial"}, ib.TransferNames()...) {
			values, spread := make([]float64, len(x)), make([]float64, g.Nodes())
			if err := exchange(strategy, g, name, x, values, field, spread, force); err != nil {
				r.fail("%w", err)
				return worst
			}
			if serial == nil {
				serial = spread
			}
			worst.adjoint = math.Max(worst.adjoint, relative(dot(field, spread), dot(force, values), norm(field)*norm(spread)))
			worst.total = math.Max(worst.total, relative(total(spread), total(force), norm(force)*math.Sqrt(float64(len(force)))))
			for i := range spread {
				worst.strategy = math.Max(worst.strategy, math.Abs(spread[i]-serial[i]))
			}
		}
	}
	return worst
}

// exchange interpolates the field to values and spreads the forces.
func exchange(strategy string, g ib.Grid, delta string, x []geometry.Vec, values, field, spread, force []float64) error {
	d, err := ib.NewDelta[float64](delta)
	if err != nil {
		return err
	}
	t, err := ib.NewTransfer(strategy, g, d, nil)
	if err != nil {
		return err
	}
	if err := t.SetPoints(x); err != nil {
		return err
	}
	t.Interpolate([][]float64{values}, [][]float64{field})
	t.Spread([][]float64{spread}, [][]float64{force})
	return nil
}

func noise(random *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 2*random.Float64() - 1
	}
	return v
}

func dot(a, b []float64) float64 {
	sum := 0.
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

func total(v []float64) float64 {
	sum := 0.
	for _, x := range v {
		sum += x
	}
	return sum
}

func relative(a, b, size float64) float64 { return math.Abs(a-b) / size }

// pinelliSlip is what one application of direct forcing leaves of a uniform slip of
// 1 on a circle: spread the weights, interpolate, subtract from 1.
func pinelliSlip(r *Results) float64 {
	g := ib.Grid{Dim: 2, Size: [3]int{40, 40, 1}}
	d, err := ib.NewDelta[float64]("roma3")
	if err != nil {
		r.fail("%w", err)
		return math.NaN()
	}
	const radius = 10.
	n := int(2 * math.Pi * radius / ib.SafeSpacing(d, 2))
	x := make([]geometry.Vec, n)
	for k := range x {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		x[k] = geometry.Vec{19.3 + radius*c, 20.1 + radius*s, 0}
	}
	weights, _, err := ib.PinelliWeights(g, d, x)
	if err != nil {
		r.fail("%w", err)
		return math.NaN()
	}
	field, back := make([]float64, g.Nodes()), make([]float64, n)
	t, err := ib.NewTransfer("serial", g, d, nil)
	if err == nil {
		err = t.SetPoints(x)
	}
	if err != nil {
		r.fail("%w", err)
		return math.NaN()
	}
	t.Spread([][]float64{field}, [][]float64{weights})
	t.Interpolate([][]float64{back}, [][]float64{field})
	worst := 0.
	for _, u := range back {
		worst = math.Max(worst, math.Abs(1-u))
	}
	return worst
}

// correctionError is the largest difference of populations between a step with a
// body force and one without it that is corrected on every node.
func correctionError(r *Results) float64 {
	worst := 0.
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, name := range lbm.CollisionNames {
			e, err := correctionErrorOf(lattice, name)
			if err != nil {
				r.fail("%w", err)
				return math.NaN()
			}
			worst = math.Max(worst, e)
		}
	}
	return worst
}

func correctionErrorOf(lattice *lbm.Lattice, collision string) (float64, error) {
	c, err := lbm.NewCollision(collision, 0.03, lbm.MagicPoiseuille)
	if err != nil {
		return 0, err
	}
	g := [3]float64{1e-3, -2e-3, 5e-4}
	cfg := lbm.Config{Lattice: lattice, Size: [3]int{12, 9, 7}, Collision: c}
	if lattice.Dim == 2 {
		cfg.Size[2], g[2] = 1, 0
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	plain, err := lbm.New[float64](cfg, pool)
	if err != nil {
		return 0, err
	}
	cfg.Force = g
	forced, err := lbm.New[float64](cfg, pool)
	if err != nil {
		return 0, err
	}
	// The same populations before the step: a state starts out with the force in it.
	forced.Initialize(wavy(cfg.Size))
	state := lbm.State[float64]{}
	for i := range lattice.Q {
		f := make([]float64, cfg.Nodes())
		forced.Population(i, f)
		state.Populations = append(state.Populations, f)
	}
	state.Open = forced.OpenFaces()
	if err := plain.SetState(state); err != nil {
		return 0, err
	}
	forced.Step()
	plain.Step()
	correctEverywhere(plain, g, lattice.Dim)
	worst := 0.
	a, b := make([]float64, cfg.Nodes()), make([]float64, cfg.Nodes())
	for i := range lattice.Q {
		forced.Population(i, a)
		plain.Population(i, b)
		for n := range a {
			worst = math.Max(worst, math.Abs(a[n]-b[n]))
		}
	}
	return worst, nil
}

// correctEverywhere lets a force per mass act on all nodes.
func correctEverywhere(f lbm.Fluid[float64], g [3]float64, dim int) {
	cfg := f.Config()
	n := cfg.Nodes()
	rho, nodes, force := make([]float64, n), make([]int32, n), make([][]float64, dim)
	f.Box([3]int{}, cfg.Size, rho, nil)
	for i := range nodes {
		nodes[i] = int32(i)
	}
	for a := range force {
		force[a] = make([]float64, n)
		for i := range force[a] {
			force[a][i] = rho[i] * g[a]
		}
	}
	f.Correct(nodes, nodes, force)
}

// wavy is a smooth state that has no symmetry.
func wavy(size [3]int) func(p [3]float64) (float64, [3]float64) {
	return func(p [3]float64) (float64, [3]float64) {
		x, y, z := 2*math.Pi*p[0]/float64(size[0]), 2*math.Pi*p[1]/float64(size[1]), 2*math.Pi*p[2]/float64(size[2])
		return 1 + 0.02*math.Sin(x+y), [3]float64{0.05 * math.Sin(y+z), 0.04 * math.Cos(x), 0.03 * math.Sin(x-y) * math.Min(float64(size[2]-1), 1)}
	}
}
