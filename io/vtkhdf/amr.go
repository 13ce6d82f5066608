package vtkhdf

import (
	"fmt"
	"math"
	"reflect"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// AMR is fields on the cells of nested grids, each level twice as fine as the one above.
type AMR struct {
	Origin  [3]float64 // the lower corner of the domain
	Spacing float64    // of the coarsest cells, along all axes
	Planar  bool       // in the plane: boxes have one cell along z
	Boxes   []AMRBox   // coarser ones before finer ones
	Notes   Notes
}

// AMRBox is a box of cells of a level, Lo ≤ p < Hi in cells of that level from the origin on, and the fields on them.
type AMRBox struct {
	Level  int // 0: the coarsest
	Lo, Hi [3]int
	Arrays []Array // x fastest; the same of all boxes, but for their length
}

// cells is how many cells the box has along each axis.
func (b *AMRBox) cells() (n [3]int) {
	for a := range n {
		n[a] = b.Hi[a] - b.Lo[a]
	}
	return n
}

// Layers is how many equal layers along z the file has of a level's cells in the plane. One would do but for how VTK finds
// the cells that finer ones cover: it takes boxes to intersect where they have two cells of the finer level or more in common along
// every axis, and all layers of a level must be covered by those of the next: 1, 2, 3, 5, 9, ….
func Layers(level int) int {
	if level == 0 {
		return 1
	}
	return 1 + 1<<(level-1)
}

// WriteAMR writes a as VTKHDF OverlappingAMR, version 1.0; array NAME becomes VTKHDF/LevelN/CellData/NAME, of shape [cell] or
// [cell, component], those of a level's boxes one after the other. In the plane it is a slab one coarsest cell thick, its
// upper side at Origin.z, of Layers equal layers on each level, so that all of VTK's readers find which cells finer ones cover. The
// guarantees are those of WriteImage.
//
// VTK reads it from 9.2 on (ParaView 5.11). Series of files are as many files: the format's own steps are read from 9.4 on only.
func WriteAMR(path string, a *AMR) error {
	_, err := WriteAMRSummed(path, a)
	return err
}

// WriteAMRSummed is WriteAMR, and tells the sum of the file.
func WriteAMRSummed(path string, a *AMR) (durable.Sum, error) {
	if err := a.check(); err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return write(path, "OverlappingAMR", 1, a.fill)
}

func (a *AMR) check() error {
	if h := a.Spacing; !(h > 0) || math.IsInf(h, 0) {
		return fmt.Errorf("spacing %g is impossible: it must be positive and finite", h)
	}
	for axis, o := range a.Origin {
		if math.IsNaN(o) || math.IsInf(o, 0) {
			return fmt.Errorf("origin %g along %c is impossible: it must be finite", o, "xyz"[axis])
		}
	}
	level := -1
	for k := range a.Boxes {
		b := &a.Boxes[k]
		if b.Level < max(level, 0) || b.Level > level+1 {
			return fmt.Errorf("box %d is of level %d after one of level %d: give boxes of all levels from 0 on, in their order", k, b.Level, level)
		}
		level = b.Level
		cells := 1
		for axis, n := range b.cells() {
			if n < 1 || b.Lo[axis] < 0 || b.Hi[axis] > math.MaxInt32 || a.Planar && axis == 2 && (b.Lo[2] != 0 || n != 1) {
				return fmt.Errorf("box %d, cells %v … %v, is impossible: give lo ≥ 0, hi > lo, and 0 and 1 along z in the plane", k, b.Lo, b.Hi)
			}
			cells *= n
		}
		if err := checkArrays(b.Arrays, cells); err != nil {
			return fmt.Errorf("box %d: %w", k, err)
		}
		if !sameArrays(b.Arrays, a.Boxes[0].Arrays) {
			return fmt.Errorf("box %d has other arrays than box 0: give all the same, in one order", k)
		}
	}
	if level < 0 {
		return fmt.Errorf("there is no box: give at least one of level 0")
	}
	return nil
}

func sameArrays(a, b []Array) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Components != b[i].Components || reflect.TypeOf(a[i].Data) != reflect.TypeOf(b[i].Data) {
			return false
		}
	}
	return true
}

// fill writes attributes and levels below the group VTKHDF.
func (a *AMR) fill(root *hdf5.Group) error {
	origin := a.Origin
	if a.Planar {
		origin[2] -= a.Spacing
	}
	if err := hdf5.SetNumbers(root, "Origin", origin[:]...); err != nil {
		return err
	}
	if err := root.SetAttributes(a.Notes.File); err != nil {
		return err
	}
	if err := root.SetString("GridDescription", "XYZ"); err != nil {
		return err
	}
	for first := 0; first < len(a.Boxes); {
		end := first
		for end < len(a.Boxes) && a.Boxes[end].Level == a.Boxes[first].Level {
			end++
		}
		if err := a.fillLevel(root, a.Boxes[first:end]); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// fillLevel writes the boxes of a level.
func (a *AMR) fillLevel(root *hdf5.Group, boxes []AMRBox) error {
	level := boxes[0].Level
	group, err := root.CreateGroup(fmt.Sprintf("Level%d", level))
	if err != nil {
		return err
	}
	h, layers := a.Spacing/float64(int(1)<<level), 1
	spacing := [3]float64{h, h, h}
	if a.Planar {
		layers = Layers(level)
		spacing[2] = a.Spacing / float64(layers)
	}
	if err := hdf5.SetNumbers(group, "Spacing", spacing[:]...); err != nil {
		return err
	}
	var corners []int64 // the last cells included
	for _, b := range boxes {
		if a.Planar {
			b.Hi[2] = layers
		}
		for axis := range 3 {
			corners = append(corners, int64(b.Lo[axis]), int64(b.Hi[axis]-1))
		}
	}
	if err := group.Write("AMRBox", hdf5.Dataset{Shape: []int{len(boxes), 6}, Data: corners}); err != nil {
		return err
	}
	for _, name := range []string{"PointData", "FieldData"} { // readers look for all three
		if _, err := group.CreateGroup(name); err != nil {
			return err
		}
	}
	data, err := group.CreateGroup("CellData")
	if err != nil {
		return err
	}
	for i, of := range boxes[0].Arrays {
		all := joined(boxes, i, layers)
		shape := []int{all.length() / of.Components}
		if of.Components > 1 {
			shape = append(shape, of.Components)
		}
		if err := data.Write(of.Name, hdf5.Dataset{Shape: shape, Data: all.Data, Attributes: a.Notes.Arrays[of.Name]}); err != nil {
			return err
		}
	}
	return nil
}

// joined is the i-th array of boxes, one after the other, each so many times.
func joined(boxes []AMRBox, i, times int) Array {
	of := boxes[0].Arrays[i]
	if len(boxes) == 1 && times == 1 {
		return of
	}
	switch of.Data.(type) {
	case []float32:
		of.Data = joinedOf[float32](boxes, i, times)
	case []float64:
		of.Data = joinedOf[float64](boxes, i, times)
	}
	return of
}

func joinedOf[T float32 | float64](boxes []AMRBox, i, times int) (all []T) {
	n := 0
	for _, b := range boxes {
		n += times * b.Arrays[i].length()
	}
	all = make([]T, 0, n)
	for _, b := range boxes {
		for range times {
			all = append(all, b.Arrays[i].Data.([]T)...)
		}
	}
	return all
}
