package report

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"lbmib/internal/durable"
	"lbmib/io/plot"
	"lbmib/io/table"
	"lbmib/run/drawing"
)

// open reads a table of the run; nil where there is none or it has no rows.
func (d *Directory) open(name ...string) (*table.Table, error) {
	t, err := table.Read(d.file(name...))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case t.Rows() == 0:
		return nil, nil
	}
	return t, nil
}

// forces draws drag and lift of all bodies, the statistics window of the first
// shaded.
func (d *Directory) forces() ([]string, error) {
	t, err := d.open("forces.csv")
	if t == nil {
		return nil, err
	}
	names, err := drawing.Groups(t, "body")
	if err != nil {
		return nil, err
	}
	var all []plot.Forces
	for _, n := range names {
		v, err := drawing.Columns(t, "body", n, "t", "cd", "cl")
		if err != nil {
			return nil, err
		}
		all = append(all, plot.Forces{Name: n, T: v[0], Cd: v[1], Cl: v[2], ByAxes: d.headsAside(n)})
	}
	path := d.file("plots", "forces.png")
	if err := plot.ForceHistory(path, d.title(), all, d.window(names[0])); err != nil {
		return nil, err
	}
	return []string{path}, nil
}

// headsAside tells whether a body feels its drag along another axis than x.
func (d *Record) headsAside(body string) bool {
	if d.Summary == nil {
		return false
	}
	heading, _ := d.Summary.Bodies[body]["heading"].(string)
	return heading != "" && !strings.HasSuffix(heading, "x")
}

// window is that of a body's statistics; NaN before there are any.
func (d *Record) window(body string) [2]float64 {
	none := [2]float64{math.NaN(), math.NaN()}
	if d.Summary == nil {
		return none
	}
	w, _ := d.Summary.Bodies[body]["window"].([]any)
	if len(w) != 2 {
		return none
	}
	from, ok := w[0].(float64)
	to, also := w[1].(float64)
	if !ok || !also || from > to {
		return none
	}
	return [2]float64{from, to}
}

// history draws columns of a table over time, one of the pictures of plots.
func (d *Directory) history(t *table.Table, by, what, file string, panels []plot.Panel, shown ...string) ([]string, error) {
	path := d.file("plots", file)
	if drawn, err := drawing.History(t, by, what, path, d.title(), panels, shown...); err != nil || !drawn {
		return nil, err
	}
	return []string{path}, nil
}

// bodies draws the paths of moving bodies, and their places and velocities over time.
func (d *Directory) bodies() ([]string, error) {
	t, err := d.open("bodies.csv")
	if t == nil {
		return nil, err
	}
	path := d.file("plots", "bodies.png")
	if err := drawing.Paths(t, path, d.title()); err != nil {
		return nil, err
	}
	motion := d.file("plots", drawing.MotionPicture)
	drawn, err := drawing.Motion(t, motion, d.title())
	if err != nil || !drawn {
		return []string{path}, err
	}
	return []string{path, motion}, nil
}

// phases draws means over the periods of bodies that swing.
func (d *Directory) phases() ([]string, error) {
	t, err := d.open(drawing.PhaseTable)
	if t == nil {
		return nil, err
	}
	path := d.file("plots", drawing.PhasePicture)
	if drawn, err := drawing.Phases(t, path, d.title()); err != nil || !drawn {
		return nil, err
	}
	return []string{path}, nil
}

// flow draws the flow rate that is held, and the force.
func (d *Directory) flow() ([]string, error) {
	t, err := d.open("flow.csv")
	if t == nil {
		return nil, err
	}
	path := d.file("plots", drawing.FlowPicture)
	if drawn, err := drawing.Flow(t, path, d.title()); err != nil || !drawn {
		return nil, err
	}
	return []string{path}, nil
}

// pressure draws C_p and C_f on bodies in the plane.
func (d *Directory) pressure() ([]string, error) {
	t, err := d.open(drawing.PressureTable)
	if t == nil {
		return nil, err
	}
	path := d.file("plots", drawing.PressurePicture)
	if drawn, err := drawing.Pressure(t, path, d.title()); err != nil || !drawn {
		return nil, err
	}
	return []string{path}, nil
}

// elastic draws what elastic bodies did over time.
func (d *Directory) elastic() (files []string, err error) {
	for i := range drawing.ElasticTables {
		e := &drawing.ElasticTables[i]
		t, err := d.open(e.Table)
		if err != nil {
			return files, err
		}
		if t == nil {
			continue
		}
		path := d.file("plots", e.Picture)
		drawn, err := e.Draw(t, path, d.title())
		if err != nil {
			return files, err
		}
		if drawn {
			files = append(files, path)
		}
	}
	return files, nil
}

// suspensionPictures draws what a suspension did over time, and its profiles.
func (d *Directory) suspensionPictures() (files []string, err error) {
	for _, of := range []struct {
		table, picture string
		draw           func(t *table.Table, path, title string) (bool, error)
	}{{"suspension.csv", drawing.SuspensionPicture, drawing.Suspension}, {"suspension_profile.csv", drawing.ProfilePicture, drawing.SuspensionProfile}} {
		t, err := d.open(of.table)
		if err != nil {
			return files, err
		}
		if t == nil {
			continue
		}
		path := d.file("plots", of.picture)
		drawn, err := of.draw(t, path, d.title())
		if err != nil {
			return files, err
		}
		if drawn {
			files = append(files, path)
		}
	}
	return files, nil
}

// probes draws velocity and density at the probes.
func (d *Directory) probes() ([]string, error) {
	t, err := d.open("probes.csv")
	if t == nil {
		return nil, err
	}
	labels := []plot.Panel{{YLabel: "u / U"}, {YLabel: "v / U"}, {YLabel: "w / U"}, {YLabel: "density"}, {YLabel: "p / ρU²"}}
	return d.history(t, "probe", "probes", "probes.png", labels, "u", "v", "w", "rho", "p")
}

// lines draws the profiles along every line, at some times up to the newest.
func (d *Directory) lines() (files []string, err error) {
	entries, err := durable.ReadDir(d.file("lines"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the directory cannot be read: %w: %s", d.file("lines"), durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	for _, e := range entries {
		name, isTable := strings.CutSuffix(e.Name(), ".csv")
		if !isTable {
			continue
		}
		t, err := d.open("lines", name+".csv")
		if err != nil {
			return files, err
		}
		if t == nil {
			continue
		}
		picture := d.file("plots", "line_"+name+".png")
		if err := drawing.Profiles(t, picture, fmt.Sprintf("%s: %s", d.title(), name)); err != nil {
			return files, err
		}
		files = append(files, picture)
	}
	return files, nil
}
