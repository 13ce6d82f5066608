package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"lbmib/io/hdf5"
	"lbmib/io/vtkhdf"
	"lbmib/run/drawing"
)

// outlines are the bodies as their markers lie at a time: closed lines of markers
// become outlines, or walls where the flow is inside, other markers, and those near a plane at height z in 3D, dots.
// z is NaN in 2D.
func (d *Directory) outlines(time, z float64) (lines, walls [][][2]float64, dots [][2]float64, err error) {
	entries, err := vtkhdf.ReadSeries(d.file("markers.vtkhdf.series"))
	if err != nil {
		return nil, nil, nil, err
	}
	i := slices.IndexFunc(entries, func(e vtkhdf.Entry) bool { return math.Abs(e.Time-time) < 1e-9*(1+math.Abs(time)) })
	if i < 0 {
		return nil, nil, nil, nil
	}
	places, of, err := readMarkers(d.file(entries[i].Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if !math.IsNaN(z) {
		for _, x := range places {
			if math.Abs(x[2]-z) < d.spacing() {
				dots = append(dots, [2]float64{x[0], x[1]})
			}
		}
		return nil, nil, dots, nil
	}
	for start := 0; start < len(places); {
		end := start + 1
		for end < len(places) && of[end] == of[start] {
			end++
		}
		closed, open := loops(places[start:end])
		if b := int(of[start]); b >= 0 && b < len(d.Manifest.Case.Body) && d.Manifest.Case.Body[b].Fluid == "inside" {
			walls = append(walls, closed...)
		} else {
			lines = append(lines, closed...)
		}
		dots = append(dots, open...)
		start = end
	}
	return lines, walls, dots, nil
}

// elastics are the surfaces and lines of elastic bodies at a time; nil where there are none, or none with their tension.
func (d *Directory) elastics(time float64) (*drawing.Elastics, error) {
	entries, err := vtkhdf.ReadSeries(d.file("cells.vtkhdf.series"))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(entries, func(e vtkhdf.Entry) bool { return math.Abs(e.Time-time) < 1e-9*(1+math.Abs(time)) })
	if i < 0 {
		return nil, nil
	}
	p, err := vtkhdf.ReadPoly(d.file(filepath.FromSlash(entries[i].Name)), "body", "tension")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return (*drawing.Elastics)(p), err
}

// box is the domain.
func (d *Record) box() (b drawing.Box) {
	domain := &d.Manifest.Case.Domain
	for a := range domain.Size {
		b.Low[a] = domain.Origin[a]
		b.High[a] = b.Low[a] + math.Round(domain.Size[a]/d.spacing())*d.spacing()
		b.Periodic[a] = domain.Boundary[[3]string{"left", "bottom", "front"}[a]]["type"] == "periodic"
	}
	return b
}

// readMarkers reads the markers' places and bodies from a file of markers.
func readMarkers(path string) (places [][3]float64, body []float32, err error) {
	r, err := hdf5.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	const points, bodies = "/VTKHDF/Points", "/VTKHDF/PointData/body"
	shape, err := r.Shape(points)
	if err != nil {
		return nil, nil, err
	}
	if len(shape) != 2 || shape[1] != 3 {
		return nil, nil, fmt.Errorf("%s: points have the shape %v, which is not that of markers: write the fields again", path, shape)
	}
	flat := make([]float64, 3*shape[0])
	body = make([]float32, shape[0])
	if err := errors.Join(hdf5.ReadDataset(r, points, flat), hdf5.ReadDataset(r, bodies, body)); err != nil {
		return nil, nil, err
	}
	places = make([][3]float64, shape[0])
	for i := range places {
		places[i] = [3]float64(flat[3*i:])
	}
	return places, body, nil
}

// loops parts the markers of a body, which follow its outline, where two of them
// are far apart: pieces whose ends meet are closed outlines.
func loops(x [][3]float64) (closed [][][2]float64, open [][2]float64) {
	const apart = 2.5 // in usual distances
	if len(x) < 3 {
		return nil, flat(x)
	}
	var gaps []float64
	for i := 1; i < len(x); i++ {
		gaps = append(gaps, distance(x[i-1], x[i]))
	}
	usual := slices.Sorted(slices.Values(gaps))[len(gaps)/2]
	for start := 0; start < len(x); {
		end := start + 1
		for end < len(x) && gaps[end-1] <= apart*usual {
			end++
		}
		piece := x[start:end]
		if len(piece) > 3 && distance(piece[0], piece[len(piece)-1]) <= apart*usual {
			closed = append(closed, flat(piece))
		} else {
			open = append(open, flat(piece)...)
		}
		start = end
	}
	return closed, open
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func flat(x [][3]float64) [][2]float64 {
	all := make([][2]float64, len(x))
	for i, p := range x {
		all[i] = [2]float64{p[0], p[1]}
	}
	return all
}
