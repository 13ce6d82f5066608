package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"lbmib/cmd/lbmib/report"
	"lbmib/run/exit"
)

type plotCommand struct {
	Dir   string   `arg:"" name:"RUN_DIR" help:"The directory of a run, finished or not."`
	Field []string `help:"Fields to draw: speed, vorticity, density, pressure, cp (pressure coefficient), q (Q criterion), body (mask of bodies); of output.means speed_mean, pressure_mean, fluctuation. Names of output.fields.quantities (velocity, pressure_coefficient, q_criterion) are understood, too. Default: the first three and what else the case asked for." placeholder:"NAME"`
	At    *int64   `help:"The step of the fields (default: the newest)." placeholder:"STEP"`
	Range string   `help:"Ends of the colour scale, e.g. --range=-5,5; needs one --field (default: found from the values)." placeholder:"LO,HI"`

	Animate string `help:"Make a moving picture of one field (default: vorticity) over all steps that there are fields of: gif or, where ffmpeg is installed, webm or mp4." placeholder:"KIND"`
}

func (plotCommand) examples() []string {
	return []string{
		"lbmib plot cylinder.out",
		"lbmib plot cylinder.out --field vorticity --range=-5,5",
		"lbmib plot cylinder.out --field speed --at 12000",
		"lbmib plot cylinder.out --field pressure,cp,q",
		"lbmib plot cylinder.out --animate gif --field vorticity",
	}
}

// Run draws the pictures and the report, and says what it wrote.
func (p *plotCommand) Run(s *surroundings) error {
	choice, err := p.choice()
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	d, err := report.Open(p.Dir)
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	if p.Animate != "" {
		return p.animate(s, d, choice)
	}
	files, err := report.Pictures(d, choice)
	for _, f := range files {
		fmt.Fprintln(s.stdout, f)
	}
	if err == nil {
		var page string
		if page, err = report.Write(p.Dir); err == nil {
			_, err = fmt.Fprintln(s.stdout, page)
		}
	}
	var path *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path) && !errors.Is(err, fs.ErrNotExist):
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return &exit.Error{Code: exit.BadCase, Err: err}
}

// animate makes a moving picture, and says where it is.
func (p *plotCommand) animate(s *surroundings, d *report.Directory, choice report.Choice) error {
	kind := strings.ToLower(p.Animate)
	if !slices.Contains(report.AnimationKinds, kind) {
		return usage("--animate %s: must be one of %s", p.Animate, strings.Join(report.AnimationKinds, ", "))
	}
	if p.At != nil {
		return usage("--at %d is one step, an animation is of all: leave one of the two out", *p.At)
	}
	if kind != "gif" {
		if _, err := report.FindEncoder(kind); err != nil {
			return &exit.Error{Code: exit.BadCase, Err: err}
		}
	}
	file, err := report.Animate(d, choice, kind)
	var path *fs.PathError
	switch {
	case err == nil:
		_, err = fmt.Fprintln(s.stdout, file)
		return err
	case errors.As(err, &path) && !errors.Is(err, fs.ErrNotExist):
		return &exit.Error{Code: exit.InputOutput, Err: err}
	}
	return &exit.Error{Code: exit.BadCase, Err: err}
}

// choice reads the flags.
func (p *plotCommand) choice() (report.Choice, error) {
	c := report.Choice{Step: -1}
	for _, list := range p.Field {
		for name := range strings.SplitSeq(list, ",") {
			field := report.FieldNamed(name)
			if field == "" {
				return c, fmt.Errorf("--field %s: there is no such field: choose of %s", name, strings.Join(report.FieldNames, ", "))
			}
			if !slices.Contains(c.Fields, field) { // under another name
				c.Fields = append(c.Fields, field)
			}
		}
	}
	if p.At != nil {
		if c.Step = *p.At; c.Step < 0 {
			return c, fmt.Errorf("--at %d: steps are counted from 0: leave it out for the newest", c.Step)
		}
	}
	if p.Range == "" {
		return c, nil
	}
	low, high, ok := strings.Cut(p.Range, ",")
	lo, err := strconv.ParseFloat(strings.TrimSpace(low), 64)
	hi, also := strconv.ParseFloat(strings.TrimSpace(high), 64)
	if !ok || err != nil || also != nil || !(lo < hi) || hi-lo > 1e300 {
		return c, fmt.Errorf("--range %s: must be two numbers, the lower first, for instance --range=-5,5", p.Range)
	}
	if len(c.Fields) != 1 {
		return c, errors.New("--range needs one field that it is for: add --field with one of " + strings.Join(report.FieldNames, ", "))
	}
	c.Range = &[2]float64{lo, hi}
	return c, nil
}
