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

	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
	"lbmib/run/drawing"
	"lbmib/run/observe"
)

// fieldFile is a file of fields of a run.
type fieldFile struct {
	path string
	step int64
	time float64
	size [3]int // nodes, 1 along z in 2D
	flat bool   // a slice across z: one plane, which is there twice

	means bool // over time: of no step

	unknown bool // there are bodies somewhere in it, and where is not known
}

// meansFile is that of the means over time, in which bodies are drawn as they were written last.
func (d *Directory) meansFile() (*fieldFile, error) {
	f := &fieldFile{path: d.file(observe.MeansFile), means: true}
	entries, err := vtkhdf.ReadSeries(d.file("markers.vtkhdf.series"))
	if n := len(entries); n > 0 {
		f.time = entries[n-1].Time
	}
	return f, err
}

// fieldFiles are those of the whole domain, in order; in space, where there are none, those of a slice across z, which show as much of a plane.
func (d *Directory) fieldFiles() (all []fieldFile, err error) {
	all, err = d.filesOf("fields.vtkhdf.series", "")
	if err != nil || len(all) > 0 || d.dim() != 3 {
		return all, err
	}
	lists, err := filepath.Glob(d.file("slices", "*.vtkhdf.series"))
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		all, err := d.filesOf(filepath.Join("slices", filepath.Base(list)), "slices")
		if err != nil {
			return nil, err
		}
		if len(all) == 0 {
			continue
		}
		for _, name := range []string{"velocity", "density"} {
			if size, err := vtkhdf.FieldSize(all[0].path, name, false); err == nil && size[2] <= 2 && size[0] > 2 && size[1] > 2 {
				for i := range all {
					all[i].flat = true
				}
				return all, nil
			}
		}
	}
	return nil, nil
}

// filesOf are those of a list, whose names are from a folder of the run on.
func (d *Directory) filesOf(list, folder string) (all []fieldFile, err error) {
	entries, err := vtkhdf.ReadSeries(d.file(list))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(filepath.Base(e.Name), ".vtkhdf")
		step, err := strconv.ParseInt(name[strings.LastIndexByte(name, '_')+1:], 10, 64)
		if err == nil {
			all = append(all, fieldFile{path: d.file(folder, filepath.FromSlash(e.Name)), step: step, time: e.Time})
		}
	}
	return all, nil
}

// choose is the file of a step.
func (d *Directory) choose(step int64) (*fieldFile, error) {
	all, err := d.fieldFiles()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		if step >= 0 {
			return nil, fmt.Errorf("%s holds no fields, and no slice across z: ask the case for some with output.fields or output.slices", d.Path)
		}
		return nil, nil
	}
	if step < 0 {
		return &all[len(all)-1], nil
	}
	i := slices.IndexFunc(all, func(f fieldFile) bool { return f.step == step })
	if i >= 0 {
		return &all[i], nil
	}
	return nil, fmt.Errorf("%s holds no fields of step %d: choose one of %s", d.Path, step, stepList(all))
}

// stepList names the steps that there are, few of many.
func stepList(all []fieldFile) string {
	const few = 6
	var words []string
	for i, f := range all {
		if len(all) > 2*few && i >= few && i < len(all)-few {
			if i == few {
				words = append(words, "…")
			}
			continue
		}
		words = append(words, fmt.Sprint(f.step))
	}
	return strings.Join(words, ", ")
}

// find are the planes that a choice is about: of the fields of a step, nil where there are
// none and none is asked for, and of the means over time, nil where none are asked for. What is asked for and not there is an error.
func (d *Directory) find(c Choice) (at, means *plane, err error) {
	var ofMeans, ofStep []string
	for _, name := range c.Fields {
		if kindOf(name).means {
			ofMeans = append(ofMeans, name)
		} else {
			ofStep = append(ofStep, name)
		}
	}
	if ofMeans != nil {
		if means, err = d.planeOfMeans(ofMeans); err != nil {
			return nil, nil, err
		}
		switch {
		case ofStep != nil:
		case c.Step >= 0:
			return nil, nil, fmt.Errorf("--at %d is a step, and %s has means over time: leave --at out", c.Step, strings.Join(ofMeans, ", "))
		default:
			return nil, means, nil
		}
	}
	f, err := d.choose(c.Step)
	if err != nil || f == nil {
		if err == nil && ofStep != nil {
			err = fmt.Errorf("%s holds no fields, and no slice across z: ask the case for some with output.fields or output.slices", d.Path)
		}
		return nil, nil, err
	}
	p, err := d.plane(f)
	if errors.Is(err, vtkhdf.ErrNoImage) && ofStep == nil && c.Step < 0 {
		return nil, nil, nil // of the fluid alone: other programs draw it
	}
	if err != nil {
		return nil, nil, err
	}
	for _, name := range ofStep {
		if err := d.lacks(p, name); err != nil {
			return nil, nil, err
		}
	}
	return p, means, nil
}

// planeOfMeans is that of the means over time that fields are asked of.
func (d *Directory) planeOfMeans(names []string) (*plane, error) {
	f, err := d.meansFile()
	if err != nil {
		return nil, err
	}
	p, err := d.plane(f)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := d.lacks(p, name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// fields draws maps of the fields of a step and of means over time, each in its plane.
func (d *Directory) fields(at, means *plane, c Choice) (files []string, err error) {
	for k := range fieldKinds {
		name, p := fieldKinds[k].name, at
		if fieldKinds[k].means {
			p = means
		}
		if !fieldKinds[k].isDrawn(p, c.Fields) {
			continue
		}
		title := fmt.Sprintf("%s, t = %.4g L/U", d.title(), p.time)
		if fieldKinds[k].means {
			title = d.title() + ", means over time"
		}
		m := plot.Field{
			Title: title, Nx: p.size[0], Ny: p.size[1],
			Origin: p.origin, Spacing: [2]float64{d.spacing(), d.spacing()}, Outlines: p.outlines, Lines: p.walls, Dots: p.dots,
		}
		if err := p.field(&m, name); err != nil {
			return files, err
		}
		if c.Range != nil {
			m.Range = *c.Range
		}
		drawn, err := d.surfaces(p, &m, name, c)
		if files = append(files, drawn...); err != nil {
			return files, err
		}
		path := d.file("plots", d.fieldPicture(name, p.fieldFile, c))
		if err := plot.FieldMap(path, &m); err != nil {
			return files, err
		}
		files = append(files, path)
	}
	return files, nil
}

// surfaces draws elastic bodies in space beside the speed, and puts the lines of all that bend into a map.
func (d *Directory) surfaces(p *plane, m *plot.Field, name string, c Choice) (files []string, err error) {
	switch {
	case p.elastics == nil:
	case d.dim() == 2:
		m.Lines = slices.Concat(m.Lines, p.elastics.Outlines(p.box))
	default:
		m.Lines = slices.Concat(m.Lines, p.elastics.Sections(p.box, p.height))
		if name == "speed" {
			slice := *m
			slice.Dots = nil
			path := d.file("plots", d.fieldPicture(strings.TrimSuffix(drawing.SurfacesPicture, ".png"), p.fieldFile, c))
			drawn, err := p.elastics.Scene(path, m.Title, p.box, &slice, p.height)
			if err != nil {
				return nil, err
			}
			if drawn {
				files = append(files, path)
			}
		}
	}
	return files, nil
}

// fieldPicture is the name of a map. That of the newest state is the run's own
// picture of it, speed.png; others, and those of a step that was asked for, tell
// the step, and so do those in space whose bodies cannot be placed: the run's own has them. Means are of none.
func (d *Directory) fieldPicture(field string, f *fieldFile, c Choice) string {
	if f.means || !f.unknown && c.Step < 0 && (d.Summary == nil || d.Summary.Steps == f.step) {
		return field + ".png"
	}
	return fmt.Sprintf("%s_%09d.png", field, f.step)
}

// plane is what maps show: the domain, in 3D a plane of it across z.
type plane struct {
	*fieldFile
	dx       float64
	units    casefile.Units
	arrays   []string // that the file has, of those that fields are drawn from
	layer    int      // along z
	origin   [2]float64
	outlines [][][2]float64
	walls    [][][2]float64
	dots     [][2]float64
	inside   []bool            // nodes in bodies that the flow goes around; nil: none, or none that is known
	elastics *drawing.Elastics // bodies that bend; nil: none
	box      drawing.Box
	height   float64   // of the plane, in L; NaN in 2D
	velocity []float32 // of the whole file, once it was read
}

// plane prepares maps of a file: in 3D across the first body's centre, or the
// middle.
func (d *Directory) plane(f *fieldFile) (*plane, error) {
	var arrays []string
	for _, name := range arraysOf(f.means) {
		size, err := vtkhdf.FieldSize(f.path, name, d.dim() == 2 || f.flat)
		switch {
		case err == nil:
			f.size, arrays = size, append(arrays, name)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	switch {
	case arrays == nil && f.means:
		return nil, fmt.Errorf("%s holds no %s: ask the case for output.means", d.Path, observe.MeansFile)
	case arrays == nil:
		return nil, fmt.Errorf("%s holds none of velocity, density, pressure, pressure_coefficient, q_criterion and body of an image: write one with output.fields.quantities", f.path)
	}
	c := &d.Manifest.Case
	p := &plane{fieldFile: f, dx: d.spacing(), units: d.units(), arrays: arrays, box: d.box()}
	first, image, err := vtkhdf.FieldOrigin(f.path)
	if err != nil {
		return nil, err
	}
	for a := range p.box.Low {
		if a == 2 && f.flat { // it is where it is: the upper of the two planes
			first[2] += p.dx
			continue
		}
		if !image || f.size[a] == 1 {
			first[a] = p.box.Low[a] + p.dx/2
			continue
		}
		moved := math.Round((first[a]-p.dx/2-p.box.Low[a])/p.dx) * p.dx // with a body that the domain follows, by whole nodes
		p.box.Low[a], p.box.High[a] = p.box.Low[a]+moved, p.box.High[a]+moved
	}
	p.origin = [2]float64{first[0], first[1]}
	height := math.NaN() // of the plane, in L
	if d.dim() == 3 {
		p.layer = f.size[2] / 2
		if len(c.Body) > 0 {
			if x, _ := c.Body[0].Shape["center"].([]any); len(x) == 3 {
				if z, ok := x[2].(float64); ok {
					p.layer = min(max(int(math.Round((z-first[2])/p.dx)), 0), f.size[2]-1)
				}
			}
		}
		height = first[2] + float64(p.layer)*p.dx
	}
	if p.outlines, p.walls, p.dots, err = d.outlines(f.time, height); err != nil {
		return nil, err
	}
	p.height = height
	if p.elastics, err = d.elastics(f.time); err != nil {
		return nil, err
	}
	return p, d.setInsides(p)
}

// at is the place of a node's first component in an array of the whole file.
func (p *plane) at(i, j, components int) int {
	return components * (i + p.size[0]*(j+p.size[1]*p.layer))
}
