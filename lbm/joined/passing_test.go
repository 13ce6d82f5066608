package joined_test

import (
	"fmt"
	"math"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// passing is a disturbance that has gone through a column of finer nodes, which a periodic domain has from its bottom to its top.
type passing struct {
	levels       *joined.Fluid[float64]
	coarse, fine *joined.Fluid[float64] // the same flow on one grid; fine is nil where it would take too long
	entry, exit  float64                // where the column begins and ends, in coordinates of nodes of the finest grid
}

// newPassing makes the three flows, at rest.
func newPassing(t *testing.T, cfg lbm.Config, entry, exit int, fine bool) *passing {
	p := &passing{entry: float64(entry) - 0.5, exit: float64(exit) - 0.5}
	p.levels = grids[float64](t, cfg, box(1, entry, 0, exit, cfg.Size[1]))
	p.coarse = grids[float64](t, half(t, cfg))
	if fine {
		p.fine = grids[float64](t, cfg)
	}
	return p
}

// follow takes them so many steps of the finest grid on from a state.
func (p *passing) follow(steps int, state func(p [3]float64) (float64, [3]float64)) {
	p.levels.Initialize(state)
	advance[float64](p.levels, steps)
	p.coarse.Initialize(func(x [3]float64) (float64, [3]float64) { return state([3]float64{2*x[0] + 0.5, 2*x[1] + 0.5}) })
	advance[float64](p.coarse, steps/2)
	if p.fine != nil {
		p.fine.Initialize(state)
		advance[float64](p.fine, steps)
	}
}

// eachDifference calls do for the cells: by how much density and velocity differ from those of one grid of the cell's own nodes; in the
// column, where the fine grid has been left out, from those of the coarse one.
func (p *passing) eachDifference(do func(x [3]float64, rho, u, v float64)) {
	type state struct {
		n   int
		rho []float64
		u   [][]float64
	}
	of := func(f *joined.Fluid[float64]) (s state) {
		s.n = f.Config().Size[0]
		s.rho, s.u = velocities[float64](f)
		return s
	}
	wide := of(p.coarse)
	narrow := wide
	if p.fine != nil {
		narrow = of(p.fine)
	}
	p.levels.EachCell(func(x [3]float64, rho float64, u [3]float64) {
		s, k := wide, int(x[0])/2+wide.n*(int(x[1])/2)
		if in := x[0] > p.entry && x[0] < p.exit; in && p.fine != nil {
			s, k = narrow, int(x[0])+narrow.n*int(x[1])
		}
		do(x, rho-s.rho[k], u[0]-s.u[0][k], u[1]-s.u[1][k])
	})
}

// A plane pulse of pressure, exp(−d²/2σ²) with σ = 16 coarse nodes, runs through a column of finer nodes of width 2σ, along the normal of its seams, and
// at 30° and 45° to it. On each line along the normal it begins 4σ or more before the first seam. Where it has come 4σ beyond the
// second one:
//   - reflected is the largest density before the first seam less that on one coarse grid, which is the same but for what seams send
//     back: below 1 % of the pulse's height. The pulse that comes next, through periodic faces, is left out up to 4σ before its middle;
//   - left behind is the largest density less that on one grid of the cell's own width, in the column and beside it, where the pulse and what
//     the second seam sends back have gone by 4σ: below 0.1 %.
//
// Dispersion, by which what arrives is ahead or behind on coarse nodes, is in neither: all is measured where the pulse has been, against a grid
// that has it there. Without LBMIB_TESTS=full the pulse runs at 0° and 45°, at 45° against the coarse grid alone, which is at rest where the fine one is.
func TestSoundPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const sigma, width, entry, height = 32., 64, 400, 1e-3
	for _, c := range []struct {
		degrees float64
		size    [3]int // the front goes on through periodic faces: its normal is (1/n_x, 1/n_y)
	}{
		{0, [3]int{832, 8, 1}},
		{30, [3]int{608, 1052, 1}},
		{45, [3]int{704, 704, 1}},
	} {
		full := checkingtest.Full()
		if c.degrees == 30 && !full {
			continue
		}
		t.Run(fmt.Sprint(c.degrees), func(t *testing.T) {
			nx, ny := float64(c.size[0]), float64(c.size[1])
			cos, sin := 1., 0.
			if c.degrees > 0 {
				cos, sin = ny/math.Hypot(nx, ny), nx/math.Hypot(nx, ny)
			}
			long := sigma / cos // of the pulse along x
			p := newPassing(t, lbm.Config{Lattice: lbm.D2Q9, Size: c.size, Collision: collision(t, "trt", 0.002)}, entry, entry+width, full || c.degrees == 0)
			// What the seams send back goes along x by cos θ of sound's speed, and the front by 1/cos θ of it.
			way := math.Max((2*width+4*long+sigma)/cos, (2*width+8*long+8)*cos)
			steps := int(way*math.Sqrt(3))/2*2 + 2
			way = float64(steps) / math.Sqrt(3)
			begin := p.exit + 4*long + width + 4 - way/cos // the front's middle at y = 0
			wrapped := func(x, from float64) float64 { return x - nx*math.Floor((x-from)/nx) }
			p.follow(steps, func(x [3]float64) (float64, [3]float64) {
				d := (wrapped(x[0]+x[1]*sin/cos-begin, -nx/2)) * cos
				a := height * math.Exp(-d*d/(2*sigma*sigma))
				return 1 + a, [3]float64{a / math.Sqrt(3) * cos, a / math.Sqrt(3) * sin}
			})
			back, left, lines, still := 0., 0., 0, 0
			p.eachDifference(func(x [3]float64, rho, _, _ float64) {
				front := wrapped(begin+way/cos-x[1]*sin/cos, p.entry-4*long)
				at := wrapped(x[0], front-nx+4*long) // behind the front of this line, and before the next
				gone := front - p.exit - 4*long
				if gone < 0 || at > front-4*long {
					return
				}
				if mirrored := 2*p.entry - front; at < p.entry && mirrored > front-nx+4*long { // the first seam's reflection is among the cells
					back = math.Max(back, math.Abs(rho))
					lines++
				}
				if gone >= width && at > 2*p.exit-front+4*long && front-nx+4*long < p.entry {
					left = math.Max(left, math.Abs(rho))
					still++
				}
			})
			t.Logf("%.4g°, %d steps: reflected %.3g of the pulse (%d cells), left behind %.3g (%d cells)", math.Atan2(sin, cos)*180/math.Pi, steps, back/height, lines, left/height, still)
			if lines == 0 || still == 0 {
				t.Fatal("no cell was looked at")
			}
			if !(back < 0.01*height) {
				t.Errorf("reflected is %.3g of the pulse, bound 0.01", back/height)
			}
			if !(left < 0.001*height) {
				t.Errorf("left behind is %.3g of the pulse, bound 0.001", left/height)
			}
		})
	}
}

// A vortex, u_θ = U r/R exp((1 − r²/R²)/2) with R = 16 coarse nodes, that a stream carries at 0°, 30° and 45° through a column of finer nodes of width 2R, from 4R
// before the first seam to 4R behind the second one. There
//   - reflected is the largest velocity in the 4R before the first seam less that on one coarse grid: below 1 % of U;
//   - left behind is the largest density there and in the column, less that on one grid of the cell's own width, below 0.1 % of the largest
//     deviation in the vortex.
//
// The sound that the vortex makes as it begins has gone through the column many times then, and is in both.
func TestVortexPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const radius, width, entry, speed, stream = 32., 64, 208, 0.02, 0.1
	const nx, ny = 448, 320
	for _, degrees := range []float64{0, 30, 45} {
		full := checkingtest.Full()
		if degrees != 45 && !full { // 3 s of a processor each with the fine grid
			continue
		}
		t.Run(fmt.Sprint(degrees), func(t *testing.T) {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			p := newPassing(t, lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{nx, ny, 1}, Collision: collision(t, "trt", 0.02)}, entry, entry+width, full)
			wrapped := func(x, n float64) float64 { return x - n*math.Floor(x/n+0.5) }
			steps := int(math.Ceil((width+8*radius)/(stream*cos)))/2*2 + 2
			p.follow(steps, func(x [3]float64) (float64, [3]float64) {
				x[0], x[1] = wrapped(x[0]-p.entry+4*radius, nx), wrapped(x[1]-ny/2, ny)
				g := math.Exp((1 - (x[0]*x[0]+x[1]*x[1])/(radius*radius)) / 2)
				return 1 - speed*speed*g*g*1.5, [3]float64{stream*cos - speed*g*x[1]/radius, stream*sin + speed*g*x[0]/radius}
			})
			const dip = 1.5 * speed * speed * math.E
			back, left, cells := 0., 0., 0
			p.eachDifference(func(x [3]float64, rho, u, v float64) {
				if x[0] > p.exit || x[0] < p.entry-4*radius {
					return
				}
				cells++
				left = math.Max(left, math.Abs(rho))
				if x[0] < p.entry {
					back = math.Max(back, math.Hypot(u, v))
				}
			})
			t.Logf("%v°, %d steps: reflected %.3g of the vortex' speed, left behind %.3g of its density's deviation (%d cells)", degrees, steps, back/speed, left/dip, cells)
			if want := width*ny + int(4*radius)*ny/4; cells != want {
				t.Errorf("%d cells were looked at, want %d", cells, want)
			}
			if !(back < 0.01*speed) {
				t.Errorf("reflected is %.3g of the vortex' speed, bound 0.01", back/speed)
			}
			if !(left < 0.001*dip) {
				t.Errorf("left behind is %.3g of the density's deviation, bound 0.001", left/dip)
			}
		})
	}
}

// While a round pulse of pressure, 16 coarse nodes wide, crosses a box with corners at 45°, densities are nowhere more than 1 % of the pulse
// beyond those on one grid of fine and on one of coarse nodes.
func TestSoundInABox(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const n, width, height = 320, 32., 1e-3
	for _, degrees := range []float64{45} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		start := func(p [3]float64) (float64, [3]float64) {
			d, q := (p[0]-90)*cos+(p[1]-n/2)*sin, (p[1]-n/2)*cos-(p[0]-90)*sin
			a := height * math.Exp(-(d*d+q*q)/(2*width*width))
			return 1 + a, [3]float64{a / math.Sqrt(3) * cos, a / math.Sqrt(3) * sin}
		}
		cfg := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{n, n, 1}, Collision: collision(t, "trt", 0.002)}
		f, one := grids[float64](t, cfg, box(1, 128, 32, 224, 288)), grids[float64](t, cfg)
		coarse := grids[float64](t, half(t, cfg))
		f.Initialize(start)
		one.Initialize(start)
		coarse.Initialize(func(p [3]float64) (float64, [3]float64) {
			return start([3]float64{2*p[0] + 0.5, 2*p[1] + 0.5})
		})
		for range 160 {
			f.Step()
			f.Step()
			one.Step()
			one.Step()
			coarse.Step()
		}
		// What a grid is not able to carry is no seam's: beyond the box a flow between that on fine and that on coarse nodes is as good.
		fine, _ := velocities[float64](one)
		wide, _ := velocities[float64](coarse)
		most := 0.
		f.EachCell(func(p [3]float64, rho float64, u [3]float64) {
			x, y := int(p[0]), int(p[1])
			k := x + n*y
			a := fine[k]
			if p[0] != math.Floor(p[0]) {
				a = (fine[k] + fine[k+1] + fine[k+n] + fine[k+n+1]) / 4
			}
			b := wide[x/2+n/2*(y/2)]
			if p[0] == math.Floor(p[0]) {
				b = a
			}
			most = math.Max(most, math.Max(0, math.Max(rho-math.Max(a, b), math.Min(a, b)-rho)))
		})
		t.Logf("%v°: %.3g of the pulse", degrees, most/height)
		if !(most < 0.01*height) {
			t.Errorf("%v°: density is %.3g of the pulse off", degrees, most/height)
		}
	}
}
