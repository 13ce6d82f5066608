package packing

import (
	"math"

	"lbmib/geometry"
)

// Densest is how much of its room a random packing fills at most: ellipsoids reach 0.735 (Donev et al., Science 303 (2004) 990), other shapes of cells less.
const Densest = 0.74

// Fills is how much of the room that surfaces have they fill with half the gap around each: beyond Densest they cannot be packed, whatever is tried. +Inf: there is no room.
func Fills(cfg Config, kinds []Kind) float64 {
	half := 0.5 * (1 - slack) * cfg.Gap
	taken := 0.
	for _, k := range kinds {
		volume, area := 0., 0.
		for _, t := range k.Triangles {
			a, b, c := k.Points[t[0]], k.Points[t[1]], k.Points[t[2]]
			volume += a.Dot(b.Cross(c)) / 6
			area += b.Sub(a).Cross(c.Sub(a)).Norm() / 2
		}
		taken += float64(k.Count) * (volume + half*area)
	}
	room := 0.
	for z := range cfg.Size[2] {
		for y := range cfg.Size[1] {
			for x := range cfg.Size[0] {
				if d, _ := cfg.Walls.at(geometry.Vec{float64(x), float64(y), float64(z)}); d >= half {
					room++
				}
			}
		}
	}
	if room == 0 {
		return math.Inf(1)
	}
	return taken / room
}
