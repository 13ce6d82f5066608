package run

import (
	"fmt"

	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run/drawing"
)

// trackPicture draws the paths of the moving bodies, if there are any.
func (r *run[T]) trackPicture() error {
	if r.records.bodies == nil {
		return nil
	}
	t, err := table.Read(r.dir.File("bodies.csv"))
	if err != nil {
		return err
	}
	return drawing.Paths(t, r.dir.File("plots", "bodies.png"), r.Case.Title)
}

func linePicture(l casefile.Line) string { return "line_" + l.Name + ".png" }

// linePictures draws the velocities along each line.
func (r *state[T]) linePictures() error {
	for _, l := range r.Case.Output.Lines {
		t, err := table.Read(r.dir.File(lineFile(l)))
		if err != nil {
			return err
		}
		if err := drawing.Profiles(t, r.dir.File("plots", linePicture(l)), fmt.Sprintf("%s: %s", r.Case.Title, l.Name)); err != nil {
			return err
		}
	}
	return nil
}
