package flexible

import (
	"lbmib/geometry"
	"lbmib/ib/elastic"
)

// surface is what cells of a kind are made of. A new one is its file and a constructor of cells.
type surface interface {
	key() any // what cells of the kind share

	// start puts a cell's points where they begin, velocities and forces being 0.
	start(c *Cell)

	velocity(c *Cell) geometry.Vec // see Cell.Velocity
	measure(c *Cell) elastic.Measure
	energy(c *Cell) elastic.Energy
	rest() (area, volume float64)
	areas(c *Cell) []float64 // see Cell.Areas
	moduli() (shear, bending float64)

	// works is for so many cells of the kind in all, which workers share.
	works(cells, workers int) kind
}
