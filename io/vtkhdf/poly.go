package vtkhdf

import (
	"fmt"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// Poly is a cloud of points, for example the markers of a body, or surfaces of triangles and lines
// between them, with fields on the points.
type Poly struct {
	Points    [][3]float64
	Triangles [][3]int // numbers of points
	Lines     [][]int  // likewise, from end to end; where there is neither, every point is a cell of its own
	Arrays    []Array
	Notes     Notes
}

// WritePoly writes p as VTKHDF PolyData, version 2.0, whose cells are the triangles and lines or,
// where there are none, a vertex for every point. It may have no points. A triangle or line between
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
	for k, line := range p.Lines {
		for _, i := range line {
			if i < 0 || i >= len(p.Points) {
				return durable.Sum{}, fmt.Errorf("vtkhdf: %s: line %d has point %d: there are points 0 to %d", path, k, i, len(p.Points)-1)
			}
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
		offsets := []int64{0} // of cells among them
		end := func() { offsets = append(offsets, int64(len(connected))) }
		switch {
		case kind == "Vertices" && len(p.Triangles)+len(p.Lines) == 0:
			for i := range n {
				connected = append(connected, int64(i))
				end()
			}
		case kind == "Lines":
			for _, line := range p.Lines {
				for _, i := range line {
					connected = append(connected, int64(i))
				}
				end()
			}
		case kind == "Polygons":
			for _, t := range p.Triangles {
				connected = append(connected, int64(t[0]), int64(t[1]), int64(t[2]))
				end()
			}
		}
		if err := writeCells(root, kind, connected, offsets); err != nil {
			return err
		}
	}
	return writePointData(root, p.Arrays, &p.Notes, []int{n}, nil)
}

// writeCells stores the cells of a kind: cell i is between the points offsets[i] to offsets[i+1] of those connected.
func writeCells(root *hdf5.Group, kind string, connected, offsets []int64) error {
	group, err := root.CreateGroup(kind)
	if err != nil {
		return err
	}
	if err := writeInts(group, "NumberOfCells", int64(len(offsets)-1)); err != nil {
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
