package suite

import (
	"math"
	"math/rand/v2"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/io/plot"
	"lbmib/validation/reference"
)

// membraneGroups are elastic membranes by themselves, and capsules in a flow.
func membraneGroups() []Group {
	return []Group{{
		Name: "membrane", Title: "Membranes: tensions, forces, bending",
		About: "Laws of strain against their tensions, forces that have no sum and no torque on a crumpled red cell, and the bending energy of a sphere; no fluid.",
		Checks: []Check{
			{"laws: largest relative error of the tension", nil, tensionError},
			{"net force over the sum of magnitudes, all laws and bending models", nil, func(r *Results) float64 { force, _ := netForces(r); return force }},
			{"net torque over the sum of magnitudes and radii, all laws and bending models", nil, func(r *Results) float64 { _, torque := netForces(r); return torque }},
			{"bending energy of a sphere over 8πκ, 642 vertices", nil, sphereBending},
		},
	}, capsules(), stretching(), treading()}
}

// tensionError is the largest error of a tension of the table.
func tensionError(r *Results) (worst float64) {
	t := reference.Read("membrane_tension.csv")
	law, kind := t.Text("law"), t.Text("kind")
	area, strain, tension := t.Float("C"), t.Float("strain"), t.Float("tension")
	for k := range law {
		m := elastic.Material{Law: law[k], Shear: 1}
		if law[k] == "skalak" {
			m.Area = area[k]
		}
		l, err := elastic.NewLaw(m)
		if err != nil {
			r.fail("%w", err)
			return math.NaN()
		}
		l1, l2 := strain[k], strain[k]
		if kind[k] == "uniaxial" {
			l1 = math.Sqrt(1 + 2*strain[k])
			l2 = 1 / math.Sqrt(l1)
			if law[k] == "skalak" {
				l2 = math.Sqrt((1 + area[k]*l1*l1) / (1 + area[k]*l1*l1*l1*l1))
			}
		}
		t1, _ := elastic.Tension(l, l1, l2)
		worst = math.Max(worst, math.Abs(t1/tension[k]-1))
	}
	return worst
}

// netForces are the largest net force and torque on a crumpled red cell over the sum of magnitudes.
func netForces(r *Results) (force, torque float64) {
	mesh, err := elastic.NewRedCell(8, geometry.Vec{}, 2)
	if err != nil {
		r.fail("%w", err)
		return math.NaN(), math.NaN()
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x, f := make([]float64, mesh.BlockLen()), make([]float64, mesh.BlockLen())
	for v := range mesh.Vertices() {
		p := mesh.Point(v)
		for a := range p {
			p[a] += 0.02 * rng.NormFloat64()
		}
		elastic.SetVertex(x, 0, v, p)
	}
	elastic.FillUnused(x, 1)
	for _, law := range elastic.LawNames() {
		for _, bending := range elastic.BendingNames() {
			m, err := elastic.NewMembrane(mesh, elastic.Material{Law: law, Shear: 1, Bending: 0.1, BendingModel: bending, AreaPenalty: 3, VolumePenalty: 2})
			if err != nil {
				r.fail("%w", err)
				return math.NaN(), math.NaN()
			}
			m.Forces(m.NewScratch(), x, nil, f, 1)
			var sum, moment geometry.Vec
			size, arm := 0., 0.
			for v := range mesh.Vertices() {
				at, on := elastic.Vertex(x, 0, v), elastic.Vertex(f, 0, v)
				sum, moment = sum.Add(on), moment.Add(at.Cross(on))
				size += on.Norm()
				arm += at.Norm() * on.Norm()
			}
			force, torque = math.Max(force, sum.Norm()/size), math.Max(torque, moment.Norm()/arm)
		}
	}
	return force, torque
}

// sphereBending is the bending energy of a sphere of 642 vertices over Willmore's.
func sphereBending(r *Results) float64 {
	mesh, err := elastic.NewSphere(8, geometry.Vec{}, 2)
	if err == nil {
		var m *elastic.Membrane
		if m, err = elastic.NewMembrane(mesh, elastic.Material{Shear: 1, Bending: 1}); err == nil {
			x := make([]float64, mesh.BlockLen())
			for v := range mesh.Vertices() {
				elastic.SetVertex(x, 0, v, mesh.Point(v))
			}
			elastic.FillUnused(x, 1)
			return m.Energies(m.NewScratch(), x)[0].Bending / (8 * math.Pi)
		}
	}
	r.fail("%w", err)
	return math.NaN()
}

// capsuleRadii are those of capsules, in nodes.
var capsuleRadii = [3]float64{6, 8, 10}

// steadyCapsule is the time γ̇t at which D is compared: it changes by less than 0.05 % from then on.
const steadyCapsule = 0.55

func capsules() Group {
	g := Group{
		Name: "capsule", Title: "Capsules in simple shear",
		About: "A sphere of radius a in the middle between walls 10 a apart, Re = 0.05, at small capillary numbers. The delta makes the capsule softer by a part that falls with (h/a)²: deformations at radii of 6, 8 and 10 nodes are extrapolated to h = 0 by a parabola in h². Walls and images 10 a away make D 0.7 % larger (8 a away 1.4 %, measured).",
	}
	for _, c := range []struct {
		letter, name string
		velocity     float64
		sets         []string
	}{
		{"nh", "neo-Hookean", 0.0015, nil},
		{"sk0-", "Skalak C = 0", 0.0015, []string{"body.0.motion.law=skalak", "body.0.motion.area=0.0"}},
		{"sk1-", "Skalak C = 1", 0.0015, []string{"body.0.motion.law=skalak", "body.0.motion.area=1.0"}},
		{"sk10-", "Skalak C = 10", 0.0008, []string{"body.0.motion.law=skalak", "body.0.motion.area=10.0"}},
	} {
		var from []string
		for _, a := range capsuleRadii {
			run := named(c.letter, a)
			from = append(from, run)
			g.Runs = append(g.Runs, Run{run, "capsule-shear.toml", append([]string{resolution(a), set("reference.velocity", decimal(c.velocity)), "body.0.motion.capillary=0.01", "run.time=0.6"}, c.sets...)})
		}
		g.Checks = append(g.Checks, Check{"D/Ca at Ca = 0.01, " + c.name + ", radii of 6, 8 and 10 nodes extrapolated", from, func(r *Results) float64 {
			var d [3]float64
			for k, run := range from {
				d[k] = at(r.Column(run, "cells.csv", "t", "body", "capsule"), r.Column(run, "cells.csv", "deformation", "body", "capsule"), steadyCapsule) / 0.01
			}
			return atNoSpacing(capsuleRadii, d)
		}})
		g.Figures = append(g.Figures, Figure{Name: c.letter, Title: "Capsule in shear, " + c.name, X: "γ̇ t", Y: "D / Ca", From: from, Lines: func(r *Results) (lines []plot.Line) {
			for _, run := range from {
				t, d := r.Column(run, "cells.csv", "t", "body", "capsule"), r.Column(run, "cells.csv", "deformation", "body", "capsule")
				for k := range d {
					d[k] /= 0.01
				}
				lines = append(lines, plot.Line{Name: run, X: t, Y: d})
			}
			return lines
		}})
	}
	return g
}

// atNoSpacing extrapolates values at three radii in nodes to h = 0, by the parabola in h² = 1/a² through them: errors are of second order where membranes slip.
func atNoSpacing(a, v [3]float64) (sum float64) {
	for i := range a {
		weight := 1.
		for j := range a {
			if j != i {
				weight *= a[i] * a[i] / (a[i]*a[i] - a[j]*a[j]) // −h_j²/(h_i² − h_j²)
			}
		}
		sum += weight * v[i]
	}
	return sum
}
