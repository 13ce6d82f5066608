package main

import (
	"math"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest/growth"
)

// An operator is a collision with its magic parameter, which may depend on the grid
// Reynolds number.
type operator struct {
	label string
	name  string
	magic func(reynolds float64) float64
}

func always(magic float64) func(float64) float64 {
	return func(float64) float64 { return magic }
}

// calm is a magic parameter that falls where odd modes would travel too far before they
// relax: 3/16 up to a grid Reynolds number of 6.5.
func calm(reynolds float64) float64 { return math.Min(lbm.MagicPoiseuille, 8/(reynolds*reynolds)) }

var operators = []operator{
	{"bgk", "bgk", always(lbm.MagicPoiseuille)}, // takes no part
	{"trt, Λ = 1/4", "trt", always(1. / 4)},
	{"trt, Λ = 3/16", "trt", always(lbm.MagicPoiseuille)},
	{"trt, Λ = 1/12", "trt", always(1. / 12)},
	{"trt, Λ = 0.01", "trt", always(0.01)},
	{"trt, Λ = min(3/16, 8/Re²)", "trt", calm},
	{"mrt, Λ = 3/16", "mrt", always(lbm.MagicPoiseuille)},
	{"regularized", "regularized", always(lbm.MagicPoiseuille)}, // takes no part
	{"recursive", "recursive", always(lbm.MagicPoiseuille)},     // takes no part
}

// A flow is a steady one that does not depend on the viscosity.
type flow struct {
	label   string
	degrees float64 // between the stream and the x axis
	faces   [6]lbm.FaceKind
}

var (
	inflow     = lbm.Velocity
	flowsPlane = []flow{
		{"no faces, along x", 0, [6]lbm.FaceKind{}},
		{"no faces, at 22.5°", 22.5, [6]lbm.FaceKind{}},
		{"velocity to outflow", 0, [6]lbm.FaceKind{inflow, lbm.Outflow}},
		{"velocity to pressure", 0, [6]lbm.FaceKind{inflow, lbm.Pressure}},
		{"velocity to velocity", 0, [6]lbm.FaceKind{inflow, lbm.Velocity}},
		{"velocity to velocity, at 45°", 45, [6]lbm.FaceKind{inflow, lbm.Velocity}},
		{"pressure to outflow", 0, [6]lbm.FaceKind{lbm.Pressure, lbm.Outflow}},
		{"shear between moving walls", 0, [6]lbm.FaceKind{0, 0, lbm.MovingWall, lbm.MovingWall}},
		{"along faces that move with it", 0, [6]lbm.FaceKind{0, 0, lbm.Velocity, lbm.Velocity}},
	}
	flowsSpace = []flow{flowsPlane[0], flowsPlane[1], flowsPlane[2], flowsPlane[4]}
)

// at is the flow's velocity at a point. The walls of the shear move with ±speed.
func (f *flow) at(p [3]float64, speed float64, size [3]int) [3]float64 {
	if f.faces[2] == lbm.MovingWall {
		half := float64(size[1]) / 2
		return [3]float64{speed * (p[1] + 0.5 - half) / half}
	}
	sin, cos := math.Sincos(f.degrees * math.Pi / 180)
	return [3]float64{speed * cos, speed * sin}
}

// A domain is a lattice with so many nodes, and the steps that perturbations are followed.
type domain struct {
	lattice *lbm.Lattice
	size    [3]int
	steps   int
}

// rate is by how much perturbations of a flow grow per step. What is left of transients in
// it is below 10⁻⁴.
func (d *domain) rate(f *flow, op *operator, speed, reynolds float64) (float64, error) {
	c, err := lbm.NewCollision(op.name, speed/reynolds, op.magic(reynolds))
	if err != nil {
		return 0, err
	}
	cfg := lbm.Config{Lattice: d.lattice, Size: d.size, Collision: c}
	velocity := func(p [3]float64) [3]float64 { return f.at(p, speed, d.size) }
	for side, kind := range f.faces {
		cfg.Faces[side] = lbm.Face{Kind: kind, Density: 1, Velocity: velocity}
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	fluid, err := lbm.New[float64](cfg, pool)
	if err != nil {
		return 0, err
	}
	fluid.Initialize(func(p [3]float64) (float64, [3]float64) { return 1, velocity(p) })
	found, err := growth.Search(fluid, d.steps)
	return found.Rate, err
}
