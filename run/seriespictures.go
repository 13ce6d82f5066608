package run

import (
	"fmt"

	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/lbm"
	"lbmib/run/drawing"
	"lbmib/run/observe"
)

// trackPicture draws the paths of the moving bodies and their motion over time, if there are any.
func (r *results[T]) trackPicture() error {
	if !r.Problem.Moving() {
		return nil
	}
	t, err := table.Read(r.Dir.File("bodies.csv"))
	if err != nil {
		return err
	}
	if err := drawing.Paths(t, r.Dir.File("plots", "bodies.png"), r.Case.Title); err != nil {
		return err
	}
	_, err = drawing.Motion(t, r.Dir.File("plots", drawing.MotionPicture), r.Case.Title)
	return err
}

// flowPicture draws the flow rate that is held, and the force, if there is one.
func (r *results[T]) flowPicture() error {
	if r.Held == nil {
		return nil
	}
	t, err := table.Read(r.Dir.File("flow.csv"))
	if err != nil {
		return err
	}
	_, err = drawing.Flow(t, r.Dir.File("plots", drawing.FlowPicture), r.Case.Title)
	return err
}

// elasticPictures draw what elastic bodies did over time, if there are any.
func (r *results[T]) elasticPictures() error {
	for i := range drawing.ElasticTables {
		e := &drawing.ElasticTables[i]
		if e.Table == "cells.csv" && r.out.Cells == nil || e.Table == "filaments.csv" && r.out.Filaments == nil || e.Table == "sheets.csv" && r.out.Sheets == nil {
			continue
		}
		t, err := table.Read(r.Dir.File(e.Table))
		if err != nil {
			return err
		}
		if _, err := e.Draw(t, r.Dir.File("plots", e.Picture), r.Case.Title); err != nil {
			return err
		}
	}
	return nil
}

// pressurePicture draws C_p and C_f on bodies in the plane, if they are among the outputs.
func (r *results[T]) pressurePicture() error {
	if !surfacesInPlane(r.State) {
		return nil
	}
	t, err := table.Read(r.Dir.File(drawing.PressureTable))
	if err != nil {
		return err
	}
	_, err = drawing.Pressure(t, r.Dir.File("plots", drawing.PressurePicture), r.Case.Title)
	return err
}

// surfacesInPlane tells whether a whole run leaves a table of the surfaces of bodies with rows.
func surfacesInPlane[T lbm.Float](r *observe.State[T]) bool {
	every := r.Case.Output.Every("surfaces")
	return r.Flow.Lattice.Dim == 2 && every > 0 && r.Problem.Steps >= r.Case.StepsOf(every)
}

func linePicture(l casefile.Line) string { return "line_" + l.Name + ".png" }

// linePictures draws the velocities along each line.
func linePictures[T lbm.Float](r *observe.State[T]) error {
	for _, l := range r.Case.Output.Lines {
		t, err := table.Read(r.Dir.File(observe.LineFile(l)))
		if err != nil {
			return err
		}
		if err := drawing.Profiles(t, r.Dir.File("plots", linePicture(l)), fmt.Sprintf("%s: %s", r.Case.Title, l.Name)); err != nil {
			return err
		}
	}
	return nil
}
