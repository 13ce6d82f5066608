package report

import (
	"errors"
	"fmt"

	"lbmib/internal/durable"
)

// Choice is what Pictures draws.
type Choice struct {
	Fields []string    // of FieldNames; nil: all that there is something of
	Step   int64       // of the fields; negative: the newest
	Range  *[2]float64 // of the colours; nil: automatic
}

// Pictures draws what is on disk of a run into its folder plots and returns the
// files: the history of forces, of bodies' places, of probes, the newest profiles
// along lines, a vessel's wall, and maps of the fields at a step with the bodies in them. Where
// there is nothing to draw from but the run drew its end, that stays, and files is its folder. A step or
// field that is not there is an error before anything is drawn. A directory without
// anything to draw and a file that is damaged are errors that name it, too; pictures
// that could be drawn are returned all the same.
func Pictures(d *Directory, c Choice) (files []string, err error) {
	at, means, err := d.find(c)
	if err != nil {
		return nil, err
	}
	if err := durable.MakeDir(d.file("plots")); err != nil {
		return nil, err
	}
	var failed error
	draws := []func() ([]string, error){d.forces, d.bodies, d.phases, d.flow, d.pressure, d.elastic, d.suspensionPictures, d.probes, d.lines, func() ([]string, error) { return d.wall(c) }}
	if at != nil || means != nil {
		draws = append(draws, func() ([]string, error) { return d.fields(at, means, c) })
	}
	for _, draw := range draws {
		drawn, err := draw()
		files = append(files, drawn...)
		failed = errors.Join(failed, err)
	}
	if failed == nil && len(files) == 0 {
		if own, err := d.pictures(); err == nil && len(own) > 0 { // the run's, of what it keeps no file of
			return []string{d.file("plots")}, nil
		}
		_ = durable.Remove(d.file("plots")) // if it is empty
		return nil, fmt.Errorf("%s: there is nothing to draw yet: no rows in forces.csv, bodies.csv, probes.csv or lines, no fields, no wall of a vessel, and no pictures of the run itself; "+
			"ask the case for some (output.fields, output.probes) or wait for the first output", d.Path)
	}
	return files, failed
}
