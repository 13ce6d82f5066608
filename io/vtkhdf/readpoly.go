package vtkhdf

import (
	"fmt"

	"lbmib/io/hdf5"
)

// ReadPoly reads points, triangles and lines that WritePoly wrote, and the arrays of the given names, which have
// one number per point, or several. A file that lacks one of them or is missing is an error that wraps fs.ErrNotExist; cells that are
// no triangles, or between points that there are not, are refused.
func ReadPoly(path string, arrays ...string) (*Poly, error) {
	r, err := hdf5.Open(path)
	if err != nil {
		return nil, fmt.Errorf("vtkhdf: %w", err)
	}
	defer r.Close()
	p := &Poly{}
	flat, shape, err := numbers[float64](r, "Points")
	if err != nil {
		return nil, err
	}
	if len(shape) != 2 || shape[1] != 3 {
		return nil, fmt.Errorf("vtkhdf: %s: points have the shape %v, want [points, 3]: write the file again", path, shape)
	}
	for i := range shape[0] {
		p.Points = append(p.Points, [3]float64(flat[3*i:]))
	}
	triangles, err := p.cells(r, path, "Polygons")
	if err != nil {
		return nil, err
	}
	for k, t := range triangles {
		if len(t) != 3 {
			return nil, fmt.Errorf("vtkhdf: %s: polygon %d has %d corners, want a triangle: write the file again", path, k, len(t))
		}
		p.Triangles = append(p.Triangles, [3]int(t))
	}
	if p.Lines, err = p.cells(r, path, "Lines"); err != nil {
		return nil, err
	}
	for _, name := range arrays {
		data, shape, err := numbers[float32](r, "PointData/"+name)
		if err != nil {
			return nil, err
		}
		components := 1
		if len(shape) == 2 {
			components = shape[1]
		}
		if len(data) != components*len(p.Points) || len(shape) > 2 || components < 1 {
			return nil, fmt.Errorf("vtkhdf: %s: array %q has the shape %v, want a number or a vector for each of %d points: write the file again", path, name, shape, len(p.Points))
		}
		p.Arrays = append(p.Arrays, Array{Name: name, Components: components, Data: data})
	}
	return p, nil
}

// cells are the points of each cell of a kind.
func (p *Poly) cells(r *hdf5.Reader, path, kind string) (all [][]int, err error) {
	offsets, _, err := numbers[float64](r, kind+"/Offsets")
	if err != nil || len(offsets) < 2 { // without cells there is nothing to connect
		return nil, err
	}
	connected, _, err := numbers[float64](r, kind+"/Connectivity")
	if err != nil {
		return nil, err
	}
	for k := 1; k < len(offsets); k++ {
		from, to := offsets[k-1], offsets[k]
		if !(from >= 0 && from <= to && to <= float64(len(connected))) {
			return nil, fmt.Errorf("vtkhdf: %s: cell %d of %s is from %g to %g of %d numbers of points: write the file again", path, k-1, kind, from, to, len(connected))
		}
		cell := make([]int, 0, int(to-from))
		for _, i := range connected[int(from):int(to)] {
			if !(i >= 0 && i < float64(len(p.Points))) {
				return nil, fmt.Errorf("vtkhdf: %s: cell %d of %s has point %g: there are points 0 to %d: write the file again", path, k-1, kind, i, len(p.Points)-1)
			}
			cell = append(cell, int(i))
		}
		all = append(all, cell)
	}
	return all, nil
}

// numbers are those of a dataset below VTKHDF, and its shape.
func numbers[T float32 | float64](r *hdf5.Reader, name string) (data []T, shape []int, err error) {
	name = "/VTKHDF/" + name
	if shape, err = r.Shape(name); err != nil {
		return nil, nil, fmt.Errorf("vtkhdf: %w", err)
	}
	count := 1
	for _, n := range shape {
		count *= n
	}
	data = make([]T, count)
	if count == 0 {
		return data, shape, nil
	}
	if err := hdf5.ReadDataset(r, name, data); err != nil {
		return nil, nil, fmt.Errorf("vtkhdf: %w", err)
	}
	return data, shape, nil
}
