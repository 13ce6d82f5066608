package check

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/run/setup"
)

// CellLoads are the forces from outside on an elastic body.
type CellLoads struct {
	Each []CellLoad      `json:"each"`
	Net  []finite.Number `json:"net"`            // ρU²L^(d−1), once all are there
	Pull *Judged         `json:"pull,omitempty"` // by which that accelerates all fluid where nothing holds it, U²/L; nil: something does, or there is none
}

// CellLoad is the force on the vertices at one end.
type CellLoad struct {
	At        string          `json:"at"`
	Vertices  int             `json:"vertices"`
	Force     []finite.Number `json:"force"`      // ρU²L^(d−1)
	Size      Scale           `json:"size"`       // of the force
	OverShear finite.Number   `json:"over_shear"` // size over G_s a, in the plane over G_s
	Ramp      finite.Number   `json:"ramp"`       // L/U
	Mach      Judged          `json:"mach"`       // of the speed at which it sets out
}

// pullLimits are of loads that do not balance in a domain without walls.
var pullLimits = limits{Caution: 0, unsafe: none, why: "no wall and no face holds them, so that all fluid is accelerated for ever; balance them, or add walls"}

// rushLimits are bounds on the Mach number at which a load sets out.
var rushLimits = limits{Caution: 0.1, unsafe: 0.3, why: "above %g: the load sets in so suddenly that the lattice does not bear its sound and speed; give it a ramp, or lower reference.velocity"}

// loadsOf are the loads of elastic body i; nil: none.
func loadsOf(p *setup.Problem, i int) *CellLoads {
	given, cell := p.Drawn[i].Motion, p.Coupling.Cells[i]
	if len(given.Loads) == 0 {
		return nil
	}
	out, dim := &CellLoads{}, p.Flow.Lattice.Dim
	flat := given.Elastic.Shear // a force per depth in the plane
	if dim == 3 {
		flat *= p.RadiusOf(i)
	}
	areas := cell.Areas()
	var net geometry.Vec
	sum := 0.
	for k, l := range given.Loads {
		load, area := &cell.Loads[k], 0.
		for _, v := range load.Points {
			area += areas[v]
		}
		force := geometry.Vec(l.Force)
		net, sum = net.Add(force), sum+force.Norm()
		of := CellLoad{At: l.At, Vertices: len(load.Points), Size: scale(p.Units, casefile.Force, force.Norm()), OverShear: finite.Number(force.Norm() / flat), Ramp: finite.Number(l.Ramp)}
		of.Force = numbersOf(force, dim)
		// a disc goes broadside at F/(16 μ r); a line in the plane, whose drag needs walls, at F/(4πμ)
		speed := p.Units.ToLatticeForce(force.Norm()) / p.Units.Nu
		if dim == 3 {
			speed /= 16 * math.Sqrt(area/math.Pi)
		} else {
			speed /= 4 * math.Pi
		}
		of.Mach = Judged{Value: finite.Number(speed * math.Sqrt(3)), Verdict: OK}
		if l.Ramp == 0 {
			of.Mach.judge(rushLimits)
		}
		out.Each = append(out.Each, of)
	}
	const rounding = 1e-9
	if net.Norm() <= rounding*sum {
		net = geometry.Vec{}
	}
	out.Net = numbersOf(net, dim)
	if net != (geometry.Vec{}) && !hasFaces(p) && len(p.Case.Solids)+len(p.Bodies) == 0 {
		volume := 1.
		for _, s := range p.Case.Domain.Size[:dim] {
			volume *= s
		}
		out.Pull = judged(net.Norm()/volume, pullLimits)
	}
	return out
}

// hasFaces reports whether some pair of faces is not periodic.
func hasFaces(p *setup.Problem) bool {
	for a := range p.Flow.Lattice.Dim {
		if !p.Flow.Periodic(a) {
			return true
		}
	}
	return false
}

func numbersOf(v geometry.Vec, dim int) []finite.Number {
	out := make([]finite.Number, dim)
	for a := range out {
		out[a] = finite.Number(v[a])
	}
	return out
}

func (l *CellLoads) write(p *page, ring bool) {
	unit, over := "ρU²L²", "G_s a"
	if ring {
		unit, over = "ρU²L", "G_s"
	}
	for _, of := range l.Each {
		ramp := ""
		if of.Ramp > 0 {
			ramp = fmt.Sprintf(", within %.3g L/U", of.Ramp)
		}
		p.judged("load "+of.At, fmt.Sprintf("%.4g %s%s on %s vertices, %.3g %s%s", of.Size.Value, unit, of.newtons(ring), count(float64(of.Vertices)), of.OverShear, over, ramp), of.Mach)
	}
	switch size := norm(l.Net); {
	case size == 0:
	case l.Pull != nil:
		p.judged("their sum", fmt.Sprintf("%.4g %s, %.3g U²/L of all fluid", size, unit, l.Pull.Value), *l.Pull)
	default:
		p.row("their sum", fmt.Sprintf("%.4g %s, which moves the body", size, unit))
	}
}

func norm(v []finite.Number) float64 {
	sum := 0.
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

// newtons is the force in SI, where the case has that scale.
func (l *CellLoad) newtons(ring bool) string {
	switch {
	case l.Size.SI == nil:
		return ""
	case ring:
		return fmt.Sprintf(" = %.4g N/m", *l.Size.SI)
	}
	return fmt.Sprintf(" = %.4g N", *l.Size.SI)
}
