package report

import (
	"math"
	"slices"
	"strconv"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid/rigid"
	"lbmib/io/casefile"
	"lbmib/run/layout"
	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// caseAsRun is the case that the run was of, set up once; nil where the directory does not tell it any more: its copy or a surface that it names was lost or changed.
func (d *Directory) caseAsRun() *setup.Problem {
	if !d.asked {
		d.asked = true
		c, err := casefile.Load(d.file(rundir.CaseCopy), nil)
		if err != nil || c.Hash() != d.Manifest.Hash {
			return nil
		}
		if p, err := setup.New(c); err == nil {
			d.set = p
		}
	}
	return d.set
}

// setInsides finds which nodes of a plane in space are in bodies, whose files of slices do not tell: the flow there is none that anybody asks for. Where the plane is
// that of the run's own pictures and nothing moves, the outlines are theirs, too. Of a flow whose bodies cannot be placed it is said that they are not known.
func (d *Directory) setInsides(p *plane) error {
	if d.dim() != 3 || len(d.Manifest.Case.Body) == 0 {
		return nil
	}
	on := d.caseAsRun()
	if on == nil {
		p.unknown = true
		return nil
	}
	states, ok, err := d.states(on, p)
	if err != nil || !ok {
		p.unknown = !ok
		return err
	}
	at := on.Node([3]float64{p.origin[0], p.origin[1], p.height})
	var lo [3]int
	for a := range lo {
		lo[a] = int(math.Round(at[a]))
	}
	if in := observe.InBodies(on, states, lo, [3]int{p.size[0], p.size[1], 1}); slices.Contains(in, true) {
		p.inside = in
	}
	const same = 0.51 // nodes: a slice may lie between two layers
	if still := !slices.ContainsFunc(on.Bodies, func(b *rigid.Body) bool { return b.Moving() }); still && math.Abs(at[2]-float64(layout.Plane(on))) < same {
		p.outlines, p.walls = layout.Outlines(on, layout.Plane(on), on.Place)
	}
	return nil
}

// states are where the bodies of a run are at a plane's step, in nodes; ok is false where that of one is not known.
func (d *Directory) states(on *setup.Problem, p *plane) (all []kinematics.State, ok bool, err error) {
	var recorded map[string]kinematics.State
	for _, b := range on.Bodies {
		s := kinematics.State{Position: b.Shape.Center(), Rotation: geometry.Identity()}
		switch {
		case !b.Moving() || b.Structure != nil: // of one that bends its surface is drawn
		case p.means:
			return nil, false, nil
		default:
			if recorded == nil {
				if recorded, err = d.recorded(on, p.step); err != nil {
					return nil, false, err
				}
			}
			if s, ok = recorded[b.Name]; !ok {
				if b.Motion == nil || on.Case.Domain.Follow != nil {
					return nil, false, nil
				}
				s = b.Motion.At(float64(p.step))
			}
		}
		all = append(all, s)
	}
	return all, true, nil
}

// recorded is where bodies.csv has bodies at a step, in nodes, by their names.
func (d *Directory) recorded(on *setup.Problem, step int64) (map[string]kinematics.State, error) {
	all := map[string]kinematics.State{}
	t, err := d.open("bodies.csv")
	if err != nil || t == nil {
		return all, err
	}
	rows, err := t.Where("step", strconv.FormatInt(step, 10))
	if err != nil {
		return nil, err
	}
	names, err := t.Text("body", rows)
	if err != nil {
		return nil, err
	}
	var v [6][]float64
	for i, column := range []string{"x", "y", "z", "rx", "ry", "rz"} {
		if v[i], err = t.Float(column, rows); err != nil {
			return nil, err
		}
	}
	for k, name := range names {
		turn := geometry.Vec{v[3][k], v[4][k], v[5][k]}
		all[name] = kinematics.State{Position: on.Node([3]float64{v[0][k], v[1][k], v[2][k]}), Rotation: geometry.Rotation(turn, turn.Norm())}
	}
	return all, nil
}
