package vtkhdf

import (
	"fmt"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// Poly is a cloud of points, for example the markers of a body, or a surface of triangles
// between them, with fields on the points.
type Poly struct {
	Points    [][3]float64
	Triangles [][3]int // numbers of points; none: every point is a cell of its own
	Arrays    []Array
}

// WritePoly writes p as VTKHDF PolyData, version 2.0, whose cells are the triangles or,
// where there are none, a vertex for every point. It may have no points. A triangle between
// points that there are not is refused. The guarantees are those of WriteImage.
//
// VTK reads PolyData from 9.3 on (ParaView 5.12); older readers know images and
// unstructured grids only and refuse it with an error. h5py reads VTKHDF/Points,
// of shape [points, 3], and VTKHDF/PointData/NAME anywhere.
func WritePoly(path string, p *Poly) error {
	_, err := WritePolySummed(path, p)
	return err
}

// WritePolySummed is WritePoly, and tells the sum of the file.
func WritePolySummed(path string, p *Poly) (durable.Sum, error) {
	if err := checkArrays(p.Arrays, len(p.Points)); err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	for k, t := range p.Triangles {
		if min(t[0], t[1], t[2]) < 0 || max(t[0], t[1], t[2]) >= len(p.Points) {
			return durable.Sum{}, fmt.Errorf("vtkhdf: %s: triangle %d is between points %v: there are points 0 to %d", path, k, t, len(p.Points)-1)
		}
	}
	return write(path, "PolyData", 2, p.fill)
}

// fill writes points, cells and arrays below the group VTKHDF.
func (p *Poly) fill(root *hdf5.Group) error {
	n := len(p.Points)
	if err := writeInts(root, "NumberOfPoints", int64(n)); err != nil {
		return err
	}
	flat := make([]float64, 0, 3*n)
	for _, x := range p.Points {
		flat = append(flat, x[:]...)
	}
	if err := root.Write("Points", hdf5.Dataset{Shape: []int{n, 3}, Data: flat}); err != nil {
		return err
	}
	// The readers want all four kinds of cells, empty or not.
	for _, kind := range []string{"Vertices", "Lines", "Polygons", "Strips"} {
		var connected []int64
		points := 1 // of a cell
		switch {
		case kind == "Vertices" && len(p.Triangles) == 0:
			connected = make([]int64, n)
			for i := range connected {
				connected[i] = int64(i)
			}
		case kind == "Polygons":
			points = 3
			for _, t := range p.Triangles {
				connected = append(connected, int64(t[0]), int64(t[1]), int64(t[2]))
			}
		}
		if err := writeCells(root, kind, connected, points); err != nil {
			return err
		}
	}
	return writePointData(root, p.Arrays, []int{n}, nil)
}

// writeCells stores the cells of a kind, each between so many points.
func writeCells(root *hdf5.Group, kind string, connected []int64, points int) error {
	group, err := root.CreateGroup(kind)
	if err != nil {
		return err
	}
	n := len(connected) / points
	offsets := make([]int64, n+1)
	for i := range offsets {
		offsets[i] = int64(i * points)
	}
	if err := writeInts(group, "NumberOfCells", int64(n)); err != nil {
		return err
	}
	if err := writeInts(group, "NumberOfConnectivityIds", int64(len(connected))); err != nil {
		return err
	}
	if err := writeInts(group, "Connectivity", connected...); err != nil {
		return err
	}
	return writeInts(group, "Offsets", offsets...)
}

func writeInts(g *hdf5.Group, name string, values ...int64) error {
	return g.Write(name, hdf5.Dataset{Shape: []int{len(values)}, Data: values})
}
