package joined

import (
	"math"
	"slices"

	"lbmib/lbm"
	grids "lbmib/lbm/joined"
)

// The flow of a row is a vortex that fills the domain, whose faces are walls that it slides along: no mass enters or leaves, and
// it flows through every seam. The body itself is not there, it is the same on one grid.
const (
	velocity  = 0.05 // the vortex's largest, in nodes per step
	viscosity = 0.04 // of the finest grid
)

// flow is that of the row on one grid of the finest nodes.
func (s *Spec) flow() (lbm.Config, error) {
	c, err := lbm.NewCollision("bgk", viscosity, lbm.MagicPoiseuille)
	if err != nil {
		return lbm.Config{}, err
	}
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: s.Size.Padded(), Collision: c}
	if s.Size.Dim() == 3 {
		cfg.Lattice = lbm.D3Q19
	}
	for side := range 2 * s.Size.Dim() {
		cfg.Faces[side].Kind = lbm.FreeSlip
	}
	return cfg, nil
}

// vortex is the flow with ψ = U Ly/π sin(πx/Lx) sin(πy/Ly), at a point in nodes of the finest grid.
func (s *Spec) vortex(p [3]float64) (rho float64, u [3]float64) {
	lx, ly := float64(s.Size[0]), float64(s.Size[1])
	sx, cx := math.Sincos(math.Pi * (p[0] + 0.5) / lx)
	sy, cy := math.Sincos(math.Pi * (p[1] + 0.5) / ly)
	return 1, [3]float64{velocity * sx * cy, -velocity * ly / lx * cx * sy}
}

// center is the body's place in nodes from the faces: a quarter of the way along the domain, in space a third.
func (s *Spec) center() (c [3]float64) {
	for a, n := range s.Size.Axes() {
		c[a] = float64(n) / 2
	}
	if c[0] /= 2; s.Size.Dim() == 3 {
		c[0] = float64(s.Size[0]) / 3
	}
	return c
}

// boxes are those of finer nodes, the coarsest first: the finest around the body with its margin, each other around
// the next one with what that needs.
func (s *Spec) boxes() (all []grids.Box) {
	lo, hi := s.center(), s.center()
	for a := range s.Size.Axes() {
		lo[a] -= (0.5 + s.Margin[2*a]) * float64(s.Diameter)
		hi[a] += (0.5 + s.Margin[2*a+1]) * float64(s.Diameter)
	}
	for l := s.Levels; l > 0; l-- {
		width := 1 << (s.Levels - l + 1) // of cells of the level above
		b := grids.Box{Level: l, Hi: [3]int{2: 1}}
		for a, n := range s.Size.Axes() {
			b.Lo[a], b.Hi[a] = ends(lo[a], hi[a], n, width)
			lo[a], hi[a] = float64(b.Lo[a]-grids.Margin*width), float64(b.Hi[a]+grids.Margin*width)
		}
		all = append(all, b)
	}
	slices.Reverse(all)
	return all
}

// ends are those of a box of whole cells that holds lo to hi, at a face where few cells would be left between them.
func ends(lo, hi float64, nodes, width int) (from, to int) {
	from, to = int(math.Floor(lo/float64(width)))*width, int(math.Ceil(hi/float64(width)))*width
	if from < grids.Margin*width {
		from = 0
	}
	if nodes-to < grids.Margin*width {
		to = nodes
	}
	return from, to
}

// plan is what the grids will be.
func (s *Spec) plan() (*grids.Grids, error) {
	cfg, err := s.flow()
	if err != nil {
		return nil, err
	}
	return grids.Plan(cfg, s.boxes())
}
