package report

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// picture is one of the run's, as a part of the page.
type picture struct {
	Name, Caption string
	Data          template.URL
}

// captions are those of pictures that runs leave, in the order of the page.
var captions = []struct{ name, caption string }{
	{"forces", "Forces along x (drag) and y (lift) over time; the statistics window is shaded."},
	{"speed", "Speed, in U."},
	{"vorticity", "Vorticity, in U/L: blue turns clockwise, red anticlockwise."},
	{"surfaces", "Elastic bodies at the end, coloured by their tension: the mean of the principal ones, of lines theirs. In grey the speed on a plane across z, which shines through where it lies in front."},
	{"wall", "The vessel's wall, coloured by the size of the shear stress on it, of the mean over time where there is one."},
	{"pressure", "Pressure, in ρU²; 0 is that of density 1."},
	{"cp", "Pressure coefficient C_p = 2p/ρU²."},
	{"q", "Q, half of |rotation|² − |strain|², in U²/L²: positive in vortices."},
	{"body", "Where bodies are."},
	{"speed_mean", "Speed of the mean velocity, in U."},
	{"pressure_mean", "Mean pressure, in ρU²."},
	{"fluctuation", "Root mean square of the velocity's fluctuations, in U."},
	{"density", "Density; differences are pressure, p = ρ/3 in lattice units."},
	{"grids", "Nested grids: domain, faces, boxes of finer nodes, with a line every so many of their nodes, and bodies; in space three sections through the first body."},
	{"bodies", "Where moving bodies went."},
	{"body_pressure", "Pressure coefficient C_p and friction coefficient C_f, anticlockwise, on bodies at the end, against the angle at the centre and against x."},
	{"motion", "Places and velocities of moving bodies over time."},
	{"phase", "Means over the periods of bodies that swing to and fro, at every phase: the force along the motion with its standard deviation among periods and its two fits, and the motion. Phase 0 is where the velocity is largest."},
	{"flow", "The flow rate that is held: mean speed asked for and found, and the force per mass that it takes."},
	{"cells", "Elastic bodies over time: Taylor's D and the inclination in the x–y plane, how far membranes have turned, drift of the volume, places."},
	{"suspension", "The suspension over time: what cells fill, how it flows, how far they keep from walls."},
	{"suspension_profile", "Haematocrit and velocity across the tube or channel."},
	{"filaments", "Lines that bend over time: the last point and its velocity, largest curvature, energy."},
	{"sheets", "Sheets over time: the tip and its velocity, largest curvature, energy."},
	{"probes", "Velocity and density at the probes."},
}

// Bounds on what the page holds.
const (
	largestPicture = 8 << 20
	mostPictures   = 32
)

// ofStep are pictures of a field at a step, of which the newest is shown.
var ofStep = regexp.MustCompile(`^(.+)_\d{6,}$`)

// pictures are those in the folder plots: known ones first. Of those of one field
// at several steps the newest is shown, and none where the run drew its end.
func (d *Directory) pictures() (all []picture, err error) {
	entries, err := durable.ReadDir(d.file("plots"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the folder cannot be read: %w: %s", d.file("plots"), durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	newest := map[string]string{} // by what it shows
	for _, e := range entries {   // in the order of names, so of steps
		name, isPNG := strings.CutSuffix(e.Name(), ".png")
		if info, err := e.Info(); !isPNG || strings.HasPrefix(name, ".") || err != nil || !info.Mode().IsRegular() || info.Size() > largestPicture {
			continue
		}
		shows := name
		if m := ofStep.FindStringSubmatch(name); m != nil {
			if shows = m[1]; newest[shows] == shows {
				continue
			}
		}
		newest[shows] = name
	}
	shown := make([]string, 0, len(newest))
	for s := range newest {
		shown = append(shown, s)
	}
	slices.SortFunc(shown, func(a, b string) int {
		if i, j := rank(a), rank(b); i != j {
			return i - j
		}
		return strings.Compare(a, b)
	})
	for _, s := range shown[:min(len(shown), mostPictures)] {
		data, err := regular.ReadFile(d.file("plots", newest[s]+".png"), regular.Most)
		if err != nil {
			return nil, fmt.Errorf("%s: the picture cannot be read: %w: %s", d.file("plots", newest[s]+".png"), durable.Cause(err), durable.Remedy(err, "make it readable"))
		}
		all = append(all, picture{
			Name: s, Caption: caption(s),
			Data: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data)), // our own encoding: nothing to escape
		})
	}
	return all, nil
}

// rank orders pictures.
func rank(name string) int {
	for i, c := range captions {
		if c.name == name {
			return i
		}
	}
	return len(captions)
}

func caption(name string) string {
	if i := rank(name); i < len(captions) {
		return captions[i].caption
	}
	if line, ok := strings.CutPrefix(name, "line_"); ok {
		return "Velocity along the line " + line + "."
	}
	return strings.ReplaceAll(name, "_", " ") + "."
}
