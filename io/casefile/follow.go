package casefile

import (
	"slices"
	"strings"
)

// Follow makes the domain go along with a freely moving body, along an axis.
type Follow struct {
	Body string
	Axis int
}

// readFollow reads which body the domain follows.
func readFollow(t *table) {
	if !t.present {
		return
	}
	d := &t.r.c.Domain
	f := &Follow{Axis: -1}
	if t.has("body") {
		f.Body = t.text("body", "")
	}
	if t.has("axis") {
		f.Axis = max(0, strings.Index("xyz", t.choice("axis", "y")))
		if f.Axis >= d.Dim && d.Dim > 0 {
			t.fail("axis", "\"z\" does not exist with %s: use \"x\" or \"y\"", d.Lattice)
			return
		}
	}
	d.Follow = f
	t.r.atEnd = append(t.r.atEnd, func() {
		if t.r.clean(t.path, "domain", "body", "solid", "refine", "suspension", "fluid", "run") {
			checkFollow(t, f)
		}
	})
}

// checkFollow completes what the case leaves open, and refuses what cannot go along.
func checkFollow(t *table, f *Follow) {
	c := t.r.c
	if f.Axis < 0 && !followsGravity(t, f) || !followsBody(t, f) {
		return
	}
	t.note("body", f.Body)
	t.note("axis", "xyz"[f.Axis:f.Axis+1])
	for _, no := range []struct {
		is        bool
		key, text string
	}{
		{c.Domain.Vessel != nil, "domain.vessel", "a vessel stays where it is"},
		{len(c.Solids) > 0, "solid", "solids stay where they are: make them free bodies, or enlarge the domain"},
		{len(c.Refine) > 0, "refine", "finer grids stay where they are: remove them, and raise reference.resolution"},
		{len(c.Suspensions) > 0, "suspension", "a suspension fills the domain, and the new nodes ahead would have no part of it"},
		{len(c.Cells) > 0, "body", "elastic bodies are not moved along: make all bodies rigid"},
		{c.Domain.Flow != nil, "domain.flow", "a flow rate that is held drives the fluid ahead, and new nodes come in without that motion: remove one of them"},
		{c.Run.StopSteady > 0, "run.stop_when.steady", "the flow at a node changes with every move: stop by cd_interval or time"},
		{c.Run.Parts > 1, "run.parts", "a grid in parts is not moved: run it on one process, without parts"},
	} {
		if no.is {
			t.r.fail(t.path, "has the domain follow body %q, which cannot be with %s: %s", f.Body, no.key, no.text)
			return
		}
	}
	for _, x := range c.Domain.Force[:c.Domain.Dim] {
		if !x.Constant() || x.Value != 0 {
			t.r.fail(t.path, "has the domain follow body %q, which cannot be with domain.force: that drives the fluid ahead, and new nodes come in without that motion; let it be gravity, which moves bodies alone", f.Body)
			return
		}
	}
	for _, b := range c.Bodies {
		if b.Motion.Type != "free" {
			t.r.fail(t.path, "moves the domain along with body %q, and body %q is %s: it would leave the domain; make it free, or enlarge the domain", f.Body, b.Name, b.Motion.Type)
			return
		}
		if b.Motion.Spring[f.Axis] != 0 {
			t.r.fail(t.path, "moves the domain along with body %q, and body %q has a spring along %c, which does not move: remove one of them", f.Body, b.Name, "xyz"[f.Axis])
			return
		}
	}
	if in := c.Domain.Initial.Type; in == "taylor-green" || in == "file" || in != "rest" && in != "uniform" && f.Axis == 1 {
		t.r.fail(t.path, "moves the domain along %c, where new nodes get the state at t = 0, and domain.initial is %q, which is not the same all along it: use \"rest\" or \"uniform\"", "xyz"[f.Axis], in)
		return
	}
	checkFollowFaces(t, f)
	checkFollowOutputs(t, f)
}

// followsGravity finds the axis, where gravity has one.
func followsGravity(t *table, f *Follow) bool {
	for a, g := range t.r.c.Domain.Gravity {
		if g != 0 && f.Axis >= 0 {
			f.Axis = -1
			break
		} else if g != 0 {
			f.Axis = a
		}
	}
	if f.Axis < 0 {
		t.missing("axis", "domain.gravity is along none, or several; give the axis along which the domain follows, for instance \"y\"")
		return false
	}
	return true
}

// followsBody finds the body, where there is one that is free.
func followsBody(t *table, f *Follow) bool {
	var free []string
	for _, b := range t.r.c.Bodies {
		if b.Motion.Type == "free" && !b.Motion.Fix[f.Axis] {
			free = append(free, b.Name)
		}
	}
	switch {
	case len(free) == 0:
		t.r.fail(t.path, "has no effect: no rigid body moves freely along %c", "xyz"[f.Axis])
		return false
	case f.Body == "" && len(free) > 1:
		t.missing("body", "give the name of one of "+strings.Join(free[:min(len(free), 5)], ", "))
		return false
	case f.Body == "":
		f.Body = free[0]
	case !slices.Contains(free, f.Body):
		t.fail("body", "%q is no rigid body that moves freely along %c: give one of %s", f.Body, "xyz"[f.Axis], strings.Join(free[:min(len(free), 5)], ", "))
		return false
	}
	return true
}

// checkFollowFaces refuses faces that know nodes which move past them.
func checkFollowFaces(t *table, f *Follow) {
	d := &t.r.c.Domain
	for i := range 2 * d.Dim {
		face := &d.Boundary[i]
		if i/2 == f.Axis {
			if face.Type == "periodic" {
				t.fail("axis", "%q has periodic faces: what leaves behind would come in ahead; give %s and %s, for instance %s = { type = \"no-slip\" } ahead and %s = { type = \"outflow\" } behind",
					"xyz"[f.Axis:f.Axis+1], FaceNames[i], FaceNames[i+1], FaceNames[i], FaceNames[i+1])
				return
			}
			if face.Type != "velocity" {
				continue
			}
		}
		if face.Type == "velocity" && i/2 == f.Axis || face.Type == "moving-wall" {
			if u, steady := face.steady(); !steady || u != d.Initial.Velocity {
				t.r.fail(t.path, "moves the domain along %c, where new nodes get the velocity of domain.initial, %v, and face %s has another, or one that is not always the same: give both the same, without ramp, period, factor, table or profile",
					"xyz"[f.Axis], d.Initial.Velocity[:d.Dim], FaceNames[i])
				return
			}
		}
		if i/2 == f.Axis {
			continue
		}
		switch face.Type {
		case "periodic", "no-slip", "free-slip", "symmetry", "moving-wall":
		default:
			t.r.fail(t.path, "moves the domain along %c, past face %s of type %q, which keeps a memory of its nodes: make it periodic, no-slip, moving-wall, free-slip or symmetry", "xyz"[f.Axis], FaceNames[i], face.Type)
			return
		}
	}
}

// steady is the velocity that a face has everywhere and always, if it has one.
func (f *Face) steady() (u [3]float64, ok bool) {
	return f.Value, (f.Profile == "" || f.Profile == "uniform") && f.Ramp == 0 && f.Period == 0 && f.Factor.Constant() && (f.Factor.Value == 1 || f.Factor.Value == 0) && f.Table == nil
}

// checkFollowOutputs refuses outputs at places, which the domain leaves.
func checkFollowOutputs(t *table, f *Follow) {
	o := &t.r.c.Output
	for _, of := range []struct {
		is  bool
		key string
	}{
		{len(o.Probes) > 0, "output.probes"}, {len(o.Lines) > 0, "output.lines"}, {len(o.Sections) > 0, "output.sections"}, {len(o.Slices) > 0, "output.slices"},
		{len(o.Boxes) > 0, "output.boxes"}, {o.Means != nil, "output.means"},
	} {
		if of.is {
			t.r.fail(of.key, "is at a place, and domain.follow moves the domain away from it: remove it, and look at output.fields, which go along")
		}
	}
}
