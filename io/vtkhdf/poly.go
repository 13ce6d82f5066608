package vtkhdf

import (
	"fmt"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// Poly is a cloud of points, for example the markers of a body, with fields on
// them.
type Poly struct {
	Points [][3]float64
	Arrays []Array
}

// WritePoly writes p as VTKHDF PolyData, version 2.0, in which every point is a
// vertex cell. It may have no points. The guarantees are those of WriteImage.
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
		cells := 0
		if kind == "Vertices" {
			cells = n
		}
		if err := writeVertices(root, kind, cells); err != nil {
			return err
		}
	}
	return writePointData(root, p.Arrays, []int{n}, nil)
}

// writeVertices stores n cells, cell i being point i.
func writeVertices(root *hdf5.Group, kind string, n int) error {
	group, err := root.CreateGroup(kind)
	if err != nil {
		return err
	}
	count := make([]int64, n+1)
	for i := range count {
		count[i] = int64(i)
	}
	if err := writeInts(group, "NumberOfCells", int64(n)); err != nil {
		return err
	}
	if err := writeInts(group, "NumberOfConnectivityIds", int64(n)); err != nil {
		return err
	}
	if err := writeInts(group, "Connectivity", count[:n]...); err != nil {
		return err
	}
	return writeInts(group, "Offsets", count...)
}

func writeInts(g *hdf5.Group, name string, values ...int64) error {
	return g.Write(name, hdf5.Dataset{Shape: []int{len(values)}, Data: values})
}
