package casefile

import (
	"math"
	"math/bits"
)

// Fluid selects how the lattice-Boltzmann fluid is computed.
type Fluid struct {
	Collision string  // bgk | trt | mrt | regularized | recursive
	Magic     float64 // trt: (τ⁺ − 1/2)(τ⁻ − 1/2)
	Precision string  // f64 | f32 | f32/f16: of arithmetic, or of arithmetic/storage
	Layout    string  // auto | aos | soa | soaos
	Block     int     // nodes per block of soaos; 0: automatic
	Storage   string  // auto | box | runs
	Streaming string  // auto | ab | inplace
	Steps     int     // per sweep over memory: 1 | 2; 0: auto
	LES       float64 // Smagorinsky constant; 0: no turbulence model
	Rheology  Rheology
}

// IB selects how bodies and fluid are coupled.
type IB struct {
	Delta      string  // a delta of package ib
	Forcing    string  // direct | multidirect
	Iterations int     // at most, per step; 1 for direct
	Tolerance  float64 // multidirect: slip over U at which iterations end
	Correction string  // slip: of where a diffuse wall is felt | none
	Retraction float64 // nodes by which markers are set back from the surface
	Inside     string  // what the fluid inside bodies is: free | damped
	Contact    Contact
	Spread     string // a strategy of package ib
}

// Contact is the repulsion that keeps free bodies apart from others and walls.
type Contact struct {
	Distance  float64 // nodes between the surfaces below which it acts
	Stiffness float64 // multiple of the default force
}

func readFluid(t *table) {
	f := &t.r.c.Fluid
	f.Collision = t.choice("collision", "bgk")
	readRheology(t.table("rheology"))
	f.Magic = t.number("magic", spec{Number, positive, "3/16 = 0.1875 is the usual value"}, t.r.c.DefaultMagic())
	if f.Collision != "trt" && f.Collision != "" {
		t.refuse(`has no effect with collision = "`+f.Collision+`"`, "magic")
	}
	f.Precision = t.choice("precision", "f64")
	f.Layout = t.choice("layout", "auto")
	readBlock(t)
	f.Storage = t.choice("storage", "auto")
	if f.Storage == "runs" && (f.Layout == "soaos" || f.Layout == "aos") {
		t.fail("storage", `runs are stored in the layout soa: leave layout = %q out, or use storage = "box"`, f.Layout)
	}
	f.Streaming = t.choice("streaming", "auto")
	steps, given := t.get("steps_per_sweep")
	t.ask("steps_per_sweep", ask{form: "auto", def: "auto"})
	_, text := steps.(string)
	switch {
	case !given || steps == any("auto"):
		t.note("steps_per_sweep", "auto")
	case text:
		t.fail("steps_per_sweep", `must be 1, 2 or "auto", not %s`, kind(steps))
	default:
		f.Steps = int(t.integer("steps_per_sweep", 1, 2, 1, `2 lets two steps share a sweep over memory, and "auto" where that is faster`))
	}
	if f.Steps > 1 && f.Streaming == "ab" {
		t.fail("steps_per_sweep", `two steps share a sweep in place only: use streaming = "inplace"`)
	}
	f.besideVessel(t)
	readLES(t.table("les"))
	t.r.checkRelaxation()
}

// besideVessel refuses what does not go with a vessel, whose walls lie between nodes.
func (f *Fluid) besideVessel(t *table) {
	if t.r.c.Domain.Vessel == nil {
		return
	}
	if f.Layout == "soaos" || f.Layout == "aos" {
		t.fail("layout", `is %q, beside domain.vessel there is "soa" alone: leave layout out`, f.Layout)
	}
	if f.Storage == "box" {
		t.fail("storage", `is "box", which has no walls between nodes, as domain.vessel needs them: leave storage out, or use "runs"`)
	}
	if f.Steps > 1 {
		t.fail("steps_per_sweep", "two steps do not share a sweep beside domain.vessel, whose walls need the state of every step: use 1")
	}
}

// DefaultMagic is the magic parameter Λ of TRT where a case gives none. 3/16 puts a
// halfway bounce-back wall exactly between nodes in Poiseuille flow (Ginzburg &
// d'Humières, Phys. Rev. E 68 (2003) 066614). Where fluid enters through a face, odd
// modes that a stream carries Λ/3 U Δx/ν nodes before they relax feed themselves: there
// Λ falls as the square of the grid Reynolds number above 6.5, which is stable to 13.6
// instead of 8 to 10; not below 0.01, whence on nothing is won (validation/stability).
func (c *Case) DefaultMagic() float64 {
	const wall, least = 3. / 16, 0.01
	if c.Domain.Vessel != nil { // through whose ports fluid enters, in the middle at twice the mean speed
		if re := 2 * c.GridReynolds(); re > 0 && !math.IsInf(re, 0) {
			return math.Max(least, math.Min(wall, 8/(re*re)))
		}
	}
	for i := range 2 * c.Domain.Dim {
		if c.Domain.Boundary[i].kind().enters {
			if re := c.GridReynolds(); re > 0 && !math.IsInf(re, 0) {
				return math.Max(least, math.Min(wall, 8/(re*re)))
			}
		}
	}
	return wall
}

// maxSmagorinsky bounds the constant, which is 0.1 to 0.2 in practice: at 1 the
// model's length is a whole node.
const maxSmagorinsky = 1.0

func readLES(t *table) {
	if !t.present || t.variant() == "" {
		return
	}
	c := t.number("constant", spec{Number, positive, "0.1 is usual; remove les for no model"}, 0.1)
	if c > maxSmagorinsky {
		t.fail("constant", "%v must be at most %v: 0.1 is usual", c, maxSmagorinsky)
	}
	t.r.c.Fluid.LES = c
}

// The blocks of soaos: whole cache lines in every precision, and much less than
// a lattice.
const minBlock, maxBlock = 32, 4096

func readBlock(t *table) {
	switch f := &t.r.c.Fluid; f.Layout {
	case "soaos":
		if !t.has("block") {
			return
		}
		f.Block = int(t.integer("block", minBlock, maxBlock, 0, "give the nodes of a block, a power of two, for instance 64"))
		if f.Block&(f.Block-1) != 0 {
			t.fail("block", "%d nodes must be a power of two: use %d", f.Block, 1<<(bits.Len(uint(f.Block))-1))
		}
	case "": // reported
		t.has("block")
	default:
		t.refuse(`has no effect without layout = "soaos"`, "block")
	}
}

// maxRetraction is about half the widest support of a delta, in nodes.
const maxRetraction = 2.0

func readIB(t *table) {
	ib := &t.r.c.IB
	ib.Delta = t.choice("delta", "roma3")
	ib.Forcing = t.choice("forcing", "direct")
	ib.Iterations = int(t.integer("iterations", 1, 1000, 5, "5 is the usual value"))
	ib.Tolerance = t.number("tolerance", spec{Number, positive, "give the slip over U at which iterations end, for instance 1e-3"}, 1e-3)
	if ib.Forcing == "direct" {
		ib.Iterations, ib.Tolerance = 1, 0
		t.refuse(`has no effect with forcing = "direct"`, "iterations", "tolerance")
	}
	ib.Spread = t.choice("spread", "auto")
	readCorrection(t)
	ib.Inside = t.choice("inside", "free")
	contact := t.table("contact")
	ib.Contact.Distance = contact.number("distance", spec{Number, notNegative, "give nodes, for instance 2.0, or 0 for no contact"}, 2)
	if ib.Contact.Distance > maxContact {
		contact.fail("distance", "%v nodes must be at most %v: it is to keep supports apart, not bodies; 2 is usual", ib.Contact.Distance, maxContact)
	}
	ib.Contact.Stiffness = contact.number("stiffness", spec{Number, positive, "give a multiple of the default force, for instance 1.0"}, 1)
}

// maxContact is in nodes, a few times the widest support of a delta.
const maxContact = 20.0

// readCorrection reads how a diffuse wall, which is felt in front of its markers, is
// put right: by the slip that its markers are given, or by setting them back.
func readCorrection(t *table) {
	ib := &t.r.c.IB
	ib.Retraction = t.number("retraction", spec{Number, notNegative, "give nodes, for instance 0.35, or leave it out"}, 0)
	if ib.Retraction > maxRetraction {
		t.fail("retraction", "%v nodes must be at most %v: a delta feels no farther; leave it out", ib.Retraction, maxRetraction)
	}
	usual := "slip"
	if ib.Retraction > 0 {
		usual = "none"
	}
	ib.Correction = t.choice("correction", usual)
	if ib.Correction == "slip" && ib.Retraction > 0 {
		t.fail("correction", `"slip" puts the wall where it is drawn, retraction = %v would move it: remove one`, ib.Retraction)
	}
}
