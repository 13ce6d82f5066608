package drawing

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
)

// Box is a domain, in L.
type Box struct {
	Low, High [3]float64
	Periodic  [3]bool
}

// Elastics are the surfaces and lines of elastic bodies as the files of cells.vtkhdf.series hold them: points in L, not
// cut at periodic faces, with the arrays body and tension on them.
type Elastics vtkhdf.Poly

// array is one of the arrays with a number per point; nil where there is none.
func (e *Elastics) array(name string) []float32 {
	for _, a := range e.Arrays {
		if data, ok := a.Data.([]float32); ok && a.Name == name && len(data) == len(e.Points) {
			return data
		}
	}
	return nil
}

// parts are the bodies, each with its points, triangles and lines and the tension on the points.
func (e *Elastics) parts() (all []plot.Surface) {
	number, tension := e.array("body"), e.array("tension")
	if number == nil || tension == nil {
		return nil
	}
	part, at := make([]int, len(e.Points)), make([]int, len(e.Points)) // of each point, and its number there
	for i, x := range e.Points {
		if i == 0 || number[i] != number[i-1] {
			all = append(all, plot.Surface{})
		}
		s := &all[len(all)-1]
		part[i], at[i] = len(all)-1, len(s.Points)
		s.Points, s.Values = append(s.Points, x), append(s.Values, float64(tension[i]))
	}
	for _, t := range e.Triangles {
		s := &all[part[t[0]]]
		s.Triangles = append(s.Triangles, [3]int{at[t[0]], at[t[1]], at[t[2]]})
	}
	for _, line := range e.Lines {
		if len(line) == 0 {
			continue
		}
		s := &all[part[line[0]]]
		own := make([]int, len(line))
		for k, i := range line {
			own[k] = at[i]
		}
		s.Lines = append(s.Lines, own)
	}
	return all
}

// SurfacesPicture is the name of the picture of Scene.
const SurfacesPicture = "surfaces.png"

// Scene draws surfaces and lines in space, with their tension, beside a slice of the domain at a height; drawn is
// false where there are none. Each body is drawn once, where its middle is in the domain.
func (e *Elastics) Scene(path, title string, box Box, slice *plot.Field, height float64) (drawn bool, err error) {
	all := e.parts()
	if len(all) == 0 {
		return false, nil
	}
	label := "tension / (ρU²L)"
	for i := range all {
		s := &all[i]
		lo, hi := extent(s.Points)
		for a := range lo {
			if size := box.High[a] - box.Low[a]; box.Periodic[a] {
				by := size * math.Floor(((lo[a]+hi[a])/2-box.Low[a])/size)
				for k := range s.Points {
					s.Points[k][a] -= by
				}
			}
		}
		if len(s.Lines) > 0 {
			label = "tension / (ρU²L), of lines / (ρU²L²)"
		}
	}
	scene := plot.Scene{Title: title, Label: label, Low: box.Low, High: box.High, Surfaces: all, Slice: slice, Height: height}
	if err := plot.SceneView(path, &scene); err != nil {
		return false, fmt.Errorf("the picture of the elastic bodies: %w", err)
	}
	return true, nil
}

func extent(points [][3]float64) (lo, hi [3]float64) {
	lo, hi = points[0], points[0]
	for _, x := range points {
		for a := range x {
			lo[a], hi[a] = math.Min(lo[a], x[a]), math.Max(hi[a], x[a])
		}
	}
	return lo, hi
}

// Sections are where a plane across z cuts surfaces, with their images beyond periodic faces: closed lines, and of
// those that are open lines there and back.
func (e *Elastics) Sections(box Box, height float64) (lines [][][2]float64) {
	for _, s := range e.parts() {
		if len(s.Triangles) == 0 {
			continue
		}
		lo, hi := extent(s.Points)
		for _, by := range box.images(lo, hi) {
			for _, line := range section(&s, height-by[2]) {
				for k := range line {
					line[k][0] += by[0]
					line[k][1] += by[1]
				}
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// Outlines are the lines of bodies in the plane, with their images beyond periodic faces, open ones there and back.
func (e *Elastics) Outlines(box Box) (lines [][][2]float64) {
	for _, s := range e.parts() {
		lo, hi := extent(s.Points)
		for _, by := range box.images(lo, hi) {
			for _, of := range s.Lines {
				line := make([][2]float64, len(of))
				for k, i := range of {
					line[k] = [2]float64{s.Points[i][0] + by[0], s.Points[i][1] + by[1]}
				}
				lines = append(lines, thereAndBack(line))
			}
		}
	}
	return lines
}

// images are the shifts by whole domains that bring some of what lies between two corners into the box.
func (b *Box) images(lo, hi [3]float64) (all [][3]float64) {
	var first, last, size [3]float64
	for a := range first {
		if b.Periodic[a] {
			size[a] = b.High[a] - b.Low[a]
			first[a], last[a] = math.Ceil((b.Low[a]-hi[a])/size[a]), math.Floor((b.High[a]-lo[a])/size[a])
		}
	}
	for k := first[2]; k <= last[2]; k++ {
		for j := first[1]; j <= last[1]; j++ {
			for i := first[0]; i <= last[0]; i++ {
				all = append(all, [3]float64{i * size[0], j * size[1], k * size[2]})
			}
		}
	}
	return all
}

// side is an edge of triangles that the plane cuts.
type side [2]int

// section joins the pieces of triangles on a plane to lines.
func section(s *plot.Surface, height float64) (lines [][][2]float64) {
	next := map[side][]side{}
	var order []side
	for _, t := range s.Triangles {
		var ends []side
		for k, a := range t {
			b := t[(k+1)%3]
			if (s.Points[a][2] < height) != (s.Points[b][2] < height) {
				ends = append(ends, side{min(a, b), max(a, b)})
			}
		}
		if len(ends) == 2 {
			for k, e := range ends {
				if next[e] == nil {
					order = append(order, e)
				}
				next[e] = append(next[e], ends[1-k])
			}
		}
	}
	at := func(e side) [2]float64 {
		a, b := s.Points[e[0]], s.Points[e[1]]
		f := (height - a[2]) / (b[2] - a[2])
		return [2]float64{a[0] + f*(b[0]-a[0]), a[1] + f*(b[1]-a[1])}
	}
	// Open lines begin at sides of one triangle only, and are taken first.
	slices.SortStableFunc(order, func(a, b side) int { return len(next[a]) - len(next[b]) })
	seen := map[side]bool{}
	for _, e := range order {
		if seen[e] {
			continue
		}
		open := len(next[e]) == 1
		var line [][2]float64
		for there := true; there; {
			seen[e] = true
			line = append(line, at(e))
			there = false
			for _, n := range next[e] {
				if !seen[n] {
					e, there = n, true
					break
				}
			}
		}
		if open {
			line = thereAndBack(line)
		}
		lines = append(lines, line)
	}
	return lines
}

// thereAndBack makes an open line one that ends where it begins.
func thereAndBack(line [][2]float64) [][2]float64 {
	last := len(line) - 1
	if last < 1 || line[0] == line[last] {
		return line
	}
	back := slices.Clone(line[:last])
	slices.Reverse(back)
	return append(line, back...)
}
