// Command make writes the surfaces of package models as STL files: make DIR, or make DIR tube X Y Z LENGTH for a tube along a direction, make DIR coil RADIUS TURNS HEIGHT for a coiled one.
package main

//go:generate go run . ../../../cases

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "make:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1:
		for name, of := range models.Cases {
			m, err := of()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := write(filepath.Join(args[0], name+".stl"), name, m); err != nil {
				return err
			}
		}
		return nil
	case len(args) == 6 && args[1] == "tube":
		var x [4]float64
		for i := range x {
			v, err := strconv.ParseFloat(args[2+i], 64)
			if err != nil {
				return fmt.Errorf("%q is no number", args[2+i])
			}
			x[i] = v
		}
		along := geometry.Vec{x[0], x[1], x[2]}
		if !(along.Norm() > 0) || !(x[3] > 0) {
			return fmt.Errorf("the direction is %v and the length %v: give a direction that is not 0 and a length in diameters above 0", along, x[3])
		}
		return write(filepath.Join(args[0], "tube.stl"), "tube", models.Tube(along.Scale(1/along.Norm()), x[3], 64))
	case len(args) == 2 && args[1] == "bend":
		return write(filepath.Join(args[0], "bend.stl"), "bend", models.Arc(3, math.Pi/2, 1, 1, 64))
	case len(args) == 2 && args[1] == "fork":
		m, err := models.Fork(2, 0.8, 24, 0.05)
		if err != nil {
			return fmt.Errorf("fork: %w", err)
		}
		return write(filepath.Join(args[0], "fork.stl"), "fork", m)
	case len(args) == 5 && args[1] == "coil":
		var x [3]float64
		for i := range x {
			v, err := strconv.ParseFloat(args[2+i], 64)
			if err != nil || !(v > 0) {
				return fmt.Errorf("%q is no number above 0: give radius, turns and height of the coil", args[2+i])
			}
			x[i] = v
		}
		return write(filepath.Join(args[0], "coil.stl"), "coil", models.Coil(x[0], x[1], x[2], 24))
	}
	return fmt.Errorf("give a folder, for instance cases; or a folder and bend, fork, or tube and a direction and a length: cases tube 1 2 3 5; or coil and its radius, turns and height")
}

// write writes a model, and says where its ports are.
func write(path, name string, m *models.Model) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := geometry.WriteSTL(f, "lbmib geometry/vessel/models: "+name, m.Points, m.Triangles); err != nil {
		f.Close()
		return err
	}
	fmt.Printf("%s: %d triangles\n", path, len(m.Triangles))
	for _, p := range m.Ports {
		fmt.Printf("  %-8s point = [%.6g, %.6g, %.6g], normal = [%.6g, %.6g, %.6g]\n", p.Name, p.Point[0], p.Point[1], p.Point[2], p.Normal[0], p.Normal[1], p.Normal[2])
	}
	return f.Close()
}
