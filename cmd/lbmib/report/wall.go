package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
)

// wallPicture is the name of the picture of a vessel's wall.
const wallPicture = "wall"

// wall draws a vessel's wall by the size of the shear stress on it, of the mean over time where the file has one, as the run does at its end: the
// newest, or that of the step that was asked for, if there is one.
func (d *Directory) wall(c Choice) (files []string, err error) {
	entries, err := vtkhdf.ReadSeries(d.file("wall.vtkhdf.series"))
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(entries) {
		name := strings.TrimSuffix(filepath.Base(e.Name), ".vtkhdf")
		step, err := strconv.ParseInt(name[strings.LastIndexByte(name, '_')+1:], 10, 64)
		if err != nil || c.Step >= 0 && c.Step != step {
			continue
		}
		surface, label, err := readWall(d.file(filepath.FromSlash(e.Name)))
		if err != nil {
			return nil, err
		}
		box := d.box()
		scene := plot.Scene{
			Title: fmt.Sprintf("%s, t = %.4g L/U", d.title(), e.Time), Label: label, Low: box.Low, High: box.High, Surfaces: []plot.Surface{surface},
		}
		path := d.file("plots", d.fieldPicture(wallPicture, &fieldFile{step: step}, c))
		if err := plot.SceneView(path, &scene); err != nil {
			return nil, fmt.Errorf("the picture of the wall: %w", err)
		}
		return []string{path}, nil
	}
	return nil, nil
}

// readWall is a wall with the size of the stress on it in ρU², and what its numbers are.
func readWall(path string) (s plot.Surface, label string, err error) {
	const stress, mean = "wall_shear_stress", "wall_shear_stress_mean"
	label = "mean wall shear stress / ρU²"
	p, err := vtkhdf.ReadPoly(path, mean)
	if errors.Is(err, fs.ErrNotExist) {
		label = strings.TrimPrefix(label, "mean ")
		p, err = vtkhdf.ReadPoly(path, stress)
	}
	if err != nil {
		return s, "", err
	}
	s.Points, s.Triangles, s.Values = p.Points, p.Triangles, make([]float64, len(p.Points))
	for k := range s.Values {
		n, sum := p.Arrays[0].Components, 0.
		data := p.Arrays[0].Data.([]float32)
		for _, x := range data[n*k : n*k+n] {
			sum += float64(x) * float64(x)
		}
		s.Values[k] = math.Sqrt(sum)
	}
	return s, label, nil
}
