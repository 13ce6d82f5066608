package vtkhdf

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"lbmib/io/hdf5"
)

// amrFile is a file of WriteAMR that is being read.
type amrFile struct {
	*hdf5.Reader
	path   string
	levels [][]AMRBox // without arrays
}

const mostLevels = 16

// levelName is the path of a level.
func levelName(l int) string { return fmt.Sprintf("/VTKHDF/Level%d", l) }

// openAMR reads which boxes there are; nil: it is no file of WriteAMR.
func openAMR(r *hdf5.Reader, path string) (*amrFile, error) {
	f := &amrFile{Reader: r, path: path}
	for l := range mostLevels {
		shape, err := r.Shape(levelName(l) + "/AMRBox")
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err == nil && (len(shape) != 2 || shape[1] != 6 || shape[0] < 1 || shape[0] > 1<<16) {
			err = fmt.Errorf("level %d has boxes of the impossible shape %v", l, shape)
		}
		var corners []float64
		if err == nil {
			corners = make([]float64, 6*shape[0])
			err = hdf5.ReadDataset(r, levelName(l)+"/AMRBox", corners)
		}
		if err != nil {
			return nil, err
		}
		var boxes []AMRBox
		for c := range slices.Chunk(corners, 6) {
			b := AMRBox{Level: l}
			for a := range 3 {
				if !(c[2*a] >= 0 && c[2*a+1] >= c[2*a] && c[2*a+1] < math.MaxInt32) {
					return nil, fmt.Errorf("level %d has the impossible box %v", l, c)
				}
				b.Lo[a], b.Hi[a] = int(c[2*a]), int(c[2*a+1])+1
			}
			boxes = append(boxes, b)
		}
		f.levels = append(f.levels, boxes)
	}
	if len(f.levels) == 0 {
		return nil, nil
	}
	return f, nil
}

// planar tells whether the file is of the plane, if it has the domain's size: a slab of one cell, of which levels have Layers.
func (f *amrFile) planar(size [3]int) bool { return size[2] == 1 }

// size is that of the domain in finest cells; along z, in the plane, which looks like a domain one coarsest cell deep, that of this.
func (f *amrFile) size() (n [3]int) {
	for a, hi := range f.levels[0][0].Hi {
		n[a] = hi << (len(f.levels) - 1)
	}
	return n
}

// checkField refuses an array that is not what readField needs.
func (f *amrFile) checkField(name string, size [3]int, components int) error {
	if len(f.levels[0]) != 1 {
		return fmt.Errorf("level 0 has %d boxes, one must be the domain: take a file of lbmib", len(f.levels[0]))
	}
	have := f.size()
	if f.planar(size) {
		have[2] = 1
	}
	if have != size {
		return fmt.Errorf("its grids cover %v finest cells, the domain has %v: take a file of the same domain and resolution", have, size)
	}
	for l, boxes := range f.levels {
		cells := 0
		for k := range boxes {
			b := &boxes[k]
			if f.planar(size) {
				if b.Lo[2] != 0 || b.Hi[2] != Layers(l) {
					return fmt.Errorf("level %d has %d layers, %d are the plane: take a file of lbmib", l, b.Hi[2]-b.Lo[2], Layers(l))
				}
			}
			n := b.cells()
			for a := range n {
				if reach := b.Hi[a] << (len(f.levels) - 1 - l); reach > size[a] && !(f.planar(size) && a == 2) {
					return fmt.Errorf("level %d has a box that leaves the domain: take a file of lbmib", l)
				}
			}
			cells += n[0] * n[1] * n[2]
		}
		shape, err := f.Shape(levelName(l) + "/CellData/" + name)
		if err != nil {
			return fmt.Errorf("%w: write the fields with %q among output.fields.quantities", err, name)
		}
		want := []int{cells}
		if components > 1 {
			want = append(want, components)
		}
		if !slices.Equal(shape, want) {
			return fmt.Errorf("array %q of level %d has the shape %v, its boxes need %v: take another file", name, l, shape, want)
		}
	}
	return nil
}

// readField resamples an array on the finest cells: linear in coarser ones, with slopes between those of their level that no
// finer one covers.
func (f *amrFile) readField(name string, size [3]int, components int) ([]float32, error) {
	all := make([]float32, components*size[0]*size[1]*size[2])
	for l, boxes := range f.levels {
		shape, err := f.Shape(levelName(l) + "/CellData/" + name)
		if err != nil {
			return nil, err
		}
		values := make([]float32, shape[0]*components)
		if err := hdf5.ReadDataset(f.Reader, levelName(l)+"/CellData/"+name, values); err != nil {
			return nil, err
		}
		for k := range boxes {
			b := boxes[k]
			n := b.cells()
			stored := components * n[0] * n[1] * n[2]
			if f.planar(size) {
				b.Hi[2] = 1 // of equal layers
			}
			s := resampling{to: all, size: size, components: components, width: 1 << (len(f.levels) - 1 - l), box: b, values: values[:stored]}
			if l+1 < len(f.levels) {
				s.finer = f.levels[l+1]
			}
			s.run()
			values = values[stored:]
		}
	}
	return all, nil
}

// resampling puts what a box has on the finest cells.
type resampling struct {
	to         []float32
	size       [3]int
	components int
	width      int // of the box's cells in finest ones
	box        AMRBox
	finer      []AMRBox
	values     []float32
}

// dim is 2 in the plane.
func (s *resampling) dim() int {
	if s.size[2] == 1 {
		return 2
	}
	return 3
}

// covered tells whether finer cells cover a cell.
func (s *resampling) covered(p [3]int) bool {
	return slices.ContainsFunc(s.finer, func(o AMRBox) bool {
		for a := range s.dim() {
			if 2*p[a] < o.Lo[a] || 2*p[a] >= o.Hi[a] {
				return false
			}
		}
		return true
	})
}

func (s *resampling) run() {
	n := s.box.cells()
	stride := [3]int{s.components, s.components * n[0], s.components * n[0] * n[1]}
	for z := range n[2] {
		for y := range n[1] {
			for x := range n[0] {
				cell := [3]int{s.box.Lo[0] + x, s.box.Lo[1] + y, s.box.Lo[2] + z}
				if s.covered(cell) {
					continue // finer cells come later
				}
				at := x*stride[0] + y*stride[1] + z*stride[2]
				var low, high [3]int // by where the values stand between which the slope along an axis is
				for a := range s.dim() {
					before, behind := cell, cell
					before[a], behind[a] = cell[a]-1, cell[a]+1
					if s.width > 1 && before[a] >= s.box.Lo[a] && !s.covered(before) {
						low[a] = 1
					}
					if s.width > 1 && behind[a] < s.box.Hi[a] && !s.covered(behind) {
						high[a] = 1
					}
				}
				s.cell(cell, at, stride, low, high)
			}
		}
	}
}

// cell sets the finest cells in one whose values stand at a place.
func (s *resampling) cell(cell [3]int, at int, stride, low, high [3]int) {
	lo, hi := cell, cell
	for a := range 3 {
		hi[a]++
		if a < s.dim() {
			lo[a], hi[a] = lo[a]*s.width, hi[a]*s.width
		}
	}
	for c := range s.components {
		v := s.values[at+c:]
		var slope [3]float64
		for a := range s.dim() {
			if span := low[a] + high[a]; span > 0 {
				slope[a] = (float64(s.values[at+c+high[a]*stride[a]]) - float64(s.values[at+c-low[a]*stride[a]])) / float64(span*s.width)
			}
		}
		for z := lo[2]; z < hi[2]; z++ {
			for y := lo[1]; y < hi[1]; y++ {
				for x := lo[0]; x < hi[0]; x++ {
					sum := float64(v[0])
					for a, p := range [3]int{x, y, z} {
						sum += slope[a] * (float64(p-lo[a]) + 0.5 - float64(s.width)/2)
					}
					s.to[c+s.components*(x+s.size[0]*(y+s.size[1]*z))] = float32(sum)
				}
			}
		}
	}
}
