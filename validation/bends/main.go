// Bends computes developed laminar flow through curved tubes without a lattice: what group vessels of the validation suite is held against.
//
//	go run ./validation/bends -curvature 0.1667 -reynolds 10
//
// Velocity along the bend and stream function across it are Chebyshev polynomials that vanish at the wall, fitted by least squares to the equations of
// Navier and Stokes in a torus, whatever its curvature. It prints the Dean number Re √(a/R), the gradient of the pressure in the middle of the tube over that of a
// straight one, and, over the mean velocity, the velocity across the bend in the middle of the tube and its largest anywhere, and the largest velocity along it, with its place.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
)

func main() {
	curvature := flag.Float64("curvature", 1./6, "radius of the tube over that of the bend, below 1")
	reynolds := flag.Float64("reynolds", 10, "by diameter and mean velocity")
	degree := flag.Int("degree", 14, "of the polynomials")
	flag.Parse()
	if !(*curvature > 0 && *curvature < 1) || !(*reynolds > 0) || *degree < 2 || *degree > 24 {
		fmt.Fprintln(os.Stderr, "bends: give a curvature between 0 and 1, a Reynolds number above 0 and a degree from 2 to 24")
		os.Exit(2)
	}
	b := newBend(*curvature, 4**reynolds, *degree)
	if err := b.reaches(*reynolds); err != nil {
		fmt.Fprintln(os.Stderr, "bends:", err)
		os.Exit(1)
	}
	mean := b.mean()
	_, out, _ := b.velocity(0, 0)
	fastest, place, across := 0., 0., 0.
	for i := range 400 {
		x := float64(i)/200 - 0.9975
		if w, _, _ := b.velocity(x, 0); w > fastest {
			fastest, place = w, x
		}
		for k := range 40 {
			_, u, v := b.velocity(x, float64(k)/40*math.Sqrt(1-x*x))
			across = math.Max(across, math.Hypot(u, v))
		}
	}
	fmt.Printf("curvature %.4g, Re %.4g, De %.4g: friction %.5f of a straight tube, across the bend %.5f in the middle and at most %.4f, along it at most %.4f at x = %.3f, over the mean velocity\n",
		*curvature, *reynolds, *reynolds*math.Sqrt(*curvature), b.friction(), out/mean, across/mean, fastest/mean, place)
}
