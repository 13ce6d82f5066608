package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lbmib/geometry"
	"lbmib/io/casefile"
)

// BoxText is a box from corner to corner for people: "0…12 × 0…4.5 × −1…1".
func BoxText(lo, hi [3]float64) string {
	var sides []string
	for a := range lo {
		sides = append(sides, strings.ReplaceAll(fmt.Sprintf("%.4g…%.4g", lo[a], hi[a]), "-", "−"))
	}
	return strings.Join(sides, " × ")
}

// surfaceOf is what the file of a shape holds; nil where it is of none.
func (d *Domain) surfaceOf(s casefile.Shape) (*casefile.Mesh, error) {
	path, _ := s.File()
	if path == "" {
		return nil, nil
	}
	return d.Surface(path)
}

// AskScale asks whether the scale of a surface from a file is right, where it is tiny; empty where it is not, or is from no file.
func (d *Domain) AskScale(s casefile.Shape) string {
	from, err := d.surfaceOf(s)
	if from == nil || err != nil {
		return ""
	}
	return casefile.AskScale(from.Report, s.Number("scale"), d.Case.Reference.Resolution)
}

// SurfacesText tells of bodies from files how large they are there, and where they are placed: a line for each of the first few.
func (p *Problem) SurfacesText() (lines []string) {
	const most = 3
	for i := range p.Bodies {
		given := &p.Case.Bodies[i]
		from, err := p.surfaceOf(given.Shape)
		if from == nil || err != nil || len(lines) == most {
			continue
		}
		lo, hi := p.Bodies[i].Shape.Bounds()
		lines = append(lines, fmt.Sprintf("body %q: %s in its file, placed at %s L", given.Name, BoxText(from.Report.Lo, from.Report.Hi), BoxText(p.Place(lo), p.Place(hi))))
	}
	return lines
}

// tinyText is what to say of a surface that is too small for markers.
func (p *Problem) tinyText(b casefile.Body, s geometry.Shape) string {
	if s.Length() > 3 { // nodes: it is not its size
		return ""
	}
	return p.AskScale(b.Shape)
}

// Doubled tells of each file of a surface that was read, by its name, of triangles that stand twice.
func (d *Domain) Doubled() (all []string) {
	for _, file := range slices.Sorted(maps.Keys(d.surfaces)) {
		if n := d.surfaces[file].Report.Doubles; n > 0 {
			all = append(all, fmt.Sprintf("duplicate facets of %s, %d of %d, are left out: remove them in the program that it comes from", file, n, d.surfaces[file].Report.Triangles))
		}
	}
	return all
}
