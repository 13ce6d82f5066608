package cuda

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/geometry"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// sharesAt is the share of a region in a node's volume, by the words of lbm.Region.
func sharesAt(r *lbm.Region, pose lbm.Pose, x [3]int, dim int) (share float64, arm geometry.Vec) {
	for a := range dim {
		arm[a] = float64(x[a]) - pose.Center[a]
	}
	in := geometry.Mat(pose.Rotation).Transpose().Apply(arm)
	at := func(p [3]int) float64 {
		return float64(r.Shares[p[0]+r.Cells[0]*(p[1]+r.Cells[1]*p[2])])
	}
	var base [3]int
	var w [3][3]float64
	for a := range dim {
		f := (in[a] - r.Low[a]) / r.Step
		if f < 1 || f >= float64(r.Cells[a]-2) {
			return 0, arm
		}
		base[a] = int(math.Round(f))
		d := f - float64(base[a])
		w[a] = [3]float64{(0.5 - d) * (0.5 - d) / 2, 0.75 - d*d, (0.5 + d) * (0.5 + d) / 2}
	}
	around := map[int]int{2: 9, 3: 27}[dim]
	for k := range around {
		p, weight := base, 1.
		for a := range dim {
			step := []int{k % 3, k / 3 % 3, k / 9}[a]
			p[a] += step - 1
			weight *= w[a][step]
		}
		share += weight * at(p)
	}
	return share, arm
}

// Sums over regions that are turned, and reach across the ends of periodic axes and
// beyond walls, are those of the nodes one by one.
func TestMomentumOfRegionsIsThatOfTheirNodes(t *testing.T) {
	l := devicetest.Open(t)
	for _, lattice := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		regionsOf[float64](t, l, lattice, 1e-12) // sums of 10³ numbers of up to 1
		regionsOf[float32](t, l, lattice, 1e-5)  // of velocities that are rounded
	}
}

func regionsOf[T lbm.Float](t *testing.T, l *device.Library, lattice *lbm.Lattice, tolerance float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 2))
	cfg := lbm.Config{Lattice: lattice, Size: [3]int{23, 17, 1}, Collision: mustCollide(t)}
	if lattice.Dim == 3 {
		cfg.Size[2] = 13
	}
	cfg.Faces[2].Kind, cfg.Faces[3].Kind = lbm.NoSlip, lbm.NoSlip
	cfg.Acceleration = func(float64) [3]float64 { return [3]float64{1e-3, -2e-3} }
	pool := parallel.NewPool(1)
	defer pool.Close()
	like, err := lbm.New[T](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f := onDevice[T](l, lbm.Config{Streaming: "inplace"})(t, cfg).(*Fluid[T])
	if err := f.SetState(drawState(r, like)); err != nil {
		t.Fatal(err)
	}
	f.Step()
	regions := []lbm.Region{{}, {Low: [3]float64{-5.2, -3.1}, Step: 0.7, Cells: [3]int{14, 9, 1}}, {Low: [3]float64{-2.5, -4.5}, Step: 0.5, Cells: [3]int{11, 19, 1}}}
	poses := []lbm.Pose{{}, {Center: [3]float64{22.4, 15.3}}, {Center: [3]float64{-30.3, 4.1}}}
	for i := range regions {
		g, p := &regions[i], &poses[i]
		p.Rotation = geometry.Rotation(geometry.Vec{0, 0, 1}, 0.6*float64(i))
		if lattice.Dim == 3 {
			g.Low[2], g.Cells[2], p.Center[2] = -3.3, g.Cells[1], 1.2
			p.Rotation = geometry.Rotation(geometry.Vec{0.6, 0, 0.8}, 0.9*float64(i))
		}
		for range g.Cells[0] * g.Cells[1] * g.Cells[2] {
			g.Shares = append(g.Shares, r.Float32())
		}
	}
	a, err := f.NewReduction(lbm.ReductionTerms{Regions: regions, Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for range 4 { // more than there is room for: those before are nobody's any more
		for i := range poses {
			poses[i].Center[0] += 0.37
		}
		a.Reduce(&lbm.ReductionRequest{Poses: poses})
		f.Step()
	}
	last := a.Reduce(&lbm.ReductionRequest{Poses: poses})
	got, err := last.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := last.Wait(); again != got || err != nil || !last.Ready() {
		t.Errorf("sums are %v, %v when they are waited for again", again, err)
	}
	rho, u := make([]T, cfg.Nodes()), make([][]T, lattice.Dim)
	for k := range u {
		u[k] = make([]T, cfg.Nodes())
	}
	nodes := make([]int32, cfg.Nodes())
	for n := range nodes {
		nodes[n] = int32(n)
	}
	f.Moments(nodes, nodes, rho, u)
	for i := range regions {
		if len(regions[i].Shares) == 0 {
			continue
		}
		want := sumsOf(&cfg, &regions[i], poses[i], rho, u)
		least := 0.
		for k := range 3 {
			least += math.Abs(want.Linear[k])
			if d := math.Abs(got.Regions[i].Linear[k] - want.Linear[k]); !(d <= tolerance) {
				t.Errorf("%s: momentum %d of region %d differs by %.2e", lattice.Name, k, i, d)
			}
			if d := math.Abs(got.Regions[i].Angular[k] - want.Angular[k]); !(d <= 10*tolerance) { // arms of 10 nodes
				t.Errorf("%s: angular momentum %d of region %d differs by %.2e", lattice.Name, k, i, d)
			}
		}
		if least < 1e-2 {
			t.Errorf("%s: region %d has no momentum to speak of: that tells nothing", lattice.Name, i)
		}
	}
}

// sumsOf goes through all nodes around a region.
func sumsOf[T lbm.Float](cfg *lbm.Config, r *lbm.Region, pose lbm.Pose, rho []T, u [][]T) (s lbm.RegionSums) {
	dim, reach := cfg.Lattice.Dim, 20
	lo, hi := [3]int{}, [3]int{0, 0, 1}
	for a := range dim {
		lo[a], hi[a] = int(pose.Center[a])-reach, int(pose.Center[a])+reach
	}
	var linear, angular geometry.Vec
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			for x := lo[0]; x < hi[0]; x++ {
				share, arm := sharesAt(r, pose, [3]int{x, y, z}, dim)
				p := [3]int{x, y, z}
				outside := false
				for a := range dim {
					n := cfg.Size[a]
					outside = outside || !cfg.Periodic(a) && (p[a] < 0 || p[a] >= n)
					p[a] = (p[a]%n + n) % n
				}
				if share == 0 || outside {
					continue
				}
				var j geometry.Vec
				for a := range u {
					j[a] = share * float64(rho[cfg.Node(p)]) * float64(u[a][cfg.Node(p)])
				}
				linear, angular = linear.Add(j), angular.Add(arm.Cross(j))
			}
		}
	}
	return lbm.RegionSums{Linear: linear, Angular: angular}
}

func mustCollide(t testing.TB) lbm.Collision {
	t.Helper()
	c, err := lbm.NewCollision("trt", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
