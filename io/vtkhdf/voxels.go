package vtkhdf

import (
	"fmt"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// Voxels are points of a regular grid, not all of it, with fields on them, and the voxels that have all eight corners among them.
type Voxels struct {
	Points    []float32 // x, y, z of each
	Connected []int64   // eight points of each voxel, x fastest
	Arrays    []Array
	Notes     Notes
}

// vtkVoxel is VTK's number for cells along the axes with eight corners.
const vtkVoxel = 11

// WriteVoxelsSummed writes v as VTKHDF UnstructuredGrid, version 1.0, which VTK reads from 9.1 on (ParaView 5.10), and tells the sum of the file.
// The guarantees are those of WriteImage.
func WriteVoxelsSummed(path string, v *Voxels) (durable.Sum, error) {
	n := len(v.Points) / 3
	err := checkArrays(v.Arrays, n)
	if len(v.Points)%3 != 0 || len(v.Connected)%8 != 0 {
		err = fmt.Errorf("%d coordinates and %d corners: points have three, voxels eight", len(v.Points), len(v.Connected))
	}
	for k, i := range v.Connected {
		if err == nil && (i < 0 || i >= int64(n)) {
			err = fmt.Errorf("voxel %d has point %d as a corner: there are points 0 to %d", k/8, i, n-1)
		}
	}
	if err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return write(path, "UnstructuredGrid", 1, v.fill)
}

// fill writes points, cells and arrays below the group VTKHDF.
func (v *Voxels) fill(root *hdf5.Group) error {
	n, cells := len(v.Points)/3, len(v.Connected)/8
	for _, c := range []struct {
		name  string
		count int
	}{{"NumberOfPoints", n}, {"NumberOfCells", cells}, {"NumberOfConnectivityIds", len(v.Connected)}} {
		if err := writeInts(root, c.name, int64(c.count)); err != nil {
			return err
		}
	}
	if err := root.Write("Points", hdf5.Dataset{Shape: []int{n, 3}, Data: v.Points}); err != nil {
		return err
	}
	if err := writeInts(root, "Connectivity", v.Connected...); err != nil {
		return err
	}
	offsets, types := make([]int64, cells+1), make([]uint8, cells)
	for k := range types {
		offsets[k+1], types[k] = int64(8*(k+1)), vtkVoxel
	}
	if err := writeInts(root, "Offsets", offsets...); err != nil {
		return err
	}
	if err := root.Write("Types", hdf5.Dataset{Shape: []int{cells}, Data: types}); err != nil {
		return err
	}
	return writePointData(root, v.Arrays, &v.Notes, []int{n}, nil)
}
