package casefile

import (
	"math"
	"slices"
)

// Port is a disc of a plane that ends the vessel: fluid enters and leaves there.
//
// A velocity port prescribes Speed, the mean over its disc, or FlowRate, both positive into the vessel, times Factor and a smooth start
// over Ramp; or the flow rate of Flow over time. A pressure port prescribes Pressure, times Factor and the start. Behind
// a windkessel port the flow rate Q that leaves goes through Resistance, beside Capacitance, to Pressure.
type Port struct {
	Name, Type    string
	Point, Normal [3]float64 // of the plane; L, and into the fluid, of unit length

	Profile     string  // of velocity: parabolic | poiseuille | plug
	Speed       float64 // U
	FlowRate    float64 // U L²; of a port with neither Speed nor FlowRate both are 0
	Flow        *Table  // flow rate, U L², over time; nil: none
	Pressure    float64 // ρU², over that at rest
	Factor      Varying
	Ramp        float64 // L/U; 0: none
	Resistance  float64 // ρU/L²
	Capacitance float64 // L³/(ρU²)

	Key string // of its table: "port.0"
}

// portKeys are the keys of each type.
var portKeys = map[string][]string{
	"velocity":   {"speed", "flow_rate", "flow", "profile", "factor", "ramp"},
	"pressure":   {"pressure", "factor", "ramp"},
	"windkessel": {"resistance", "capacitance", "pressure"},
}

// maxPorts bounds the ports of a vessel.
const maxPorts = 1000

func readPorts(r *reader, tables []*table) {
	if len(tables) > 0 && r.c.Domain.Vessel == nil && r.clean("domain.vessel") {
		r.fail("port", "needs a vessel, which it cuts: add vessel = { file = \"artery.stl\" } to [domain], or remove it")
	}
	if len(tables) > maxPorts {
		r.fail("port", "there are %d, must be at most %d: remove some", len(tables), maxPorts)
		tables = tables[:maxPorts]
	}
	names := map[string]int{}
	for i, t := range tables {
		p := Port{Name: readName(t, "port", i, names), Key: t.path, Factor: Varying{Value: 1}}
		t.note("name", p.Name)
		plane := t.table("plane")
		if !plane.present && !plane.silent {
			t.missing("plane", "give a point inside the vessel and the normal into the fluid: { point = [0, 0, 0], normal = [1, 0, 0] }")
		} else {
			p.Point = plane.requiredVector("point", spec{quantity: Length, remedy: "give a point of the port's disc in L, for instance [0, 0, 0]"})
			p.Normal = readNormal(plane)
		}
		if p.Type = t.variant(); p.Type != "" {
			readPort(t, &p)
		}
		r.c.Ports = append(r.c.Ports, p)
	}
}

// readNormal reads a direction that must be there, and gives it unit length.
func readNormal(t *table) [3]float64 {
	if !t.has("normal") {
		t.missing("normal", "give the direction into the fluid, for instance [1, 0, 0]")
		return [3]float64{}
	}
	return readUnitVector(t, "normal")
}

// readPort reads what a port of a type does.
func readPort(t *table, p *Port) {
	switch p.Type {
	case "velocity":
		readInflow(t, p)
	case "pressure":
		p.Pressure = t.number("pressure", spec{quantity: Pressure, remedy: "give the pressure over that at rest in ρU²"}, 0)
	case "windkessel":
		p.Resistance = t.requiredNumber("resistance", spec{Resistance, positive, `give pressure over flow rate in ρU/L², or with a unit, for instance "1 mmHg.s/ml"`})
		p.Capacitance = t.requiredNumber("capacitance", spec{Capacitance, positive, `give volume over pressure in L³/(ρU²), or with a unit, for instance "0.1 ml/mmHg"`})
		p.Pressure = t.number("pressure", spec{quantity: Pressure, remedy: "give the pressure beyond the resistance in ρU², over that at rest"}, 0)
	}
	if slices.Contains(portKeys[p.Type], "factor") {
		p.Ramp = t.optional("ramp", spec{Time, positive, "give the duration of the start in L/U, or remove it"})
		if p.Flow != nil {
			t.refuse("has no effect beside flow, whose file has the flow rate", "factor")
		} else {
			p.Factor = t.varying("factor", spec{Number, bound{}, "give a number or an expression of t, for instance \"1 + 0.2*sin(2*pi*t)\""}, 1)
		}
	}
	refuseForeign(t, portKeys, p.Type)
}

// readInflow reads what a velocity port prescribes: one of a speed, a flow rate and a file.
func readInflow(t *table, p *Port) {
	p.Profile = t.choice("profile", "parabolic")
	given := 0
	for _, name := range []string{"speed", "flow_rate", "flow"} {
		if t.has(name) {
			given++
		}
	}
	switch {
	case given > 1:
		t.fail("speed", "must be one of speed, flow_rate and flow, and several are given: remove the others")
	case t.has("flow_rate"):
		p.FlowRate = t.number("flow_rate", spec{quantity: FlowRate, remedy: "give the flow rate in U L², positive into the vessel"}, 0)
	case t.has("flow"):
		p.Flow = readFlow(t.table("flow"))
	default:
		p.Speed = t.requiredNumber("speed", spec{quantity: Velocity, remedy: "give the mean speed in U, positive into the vessel, or flow_rate in U L², or flow = { file = \"flow.csv\" }"})
	}
}

// readFlow reads the CSV file of a port's flow rate over time.
func readFlow(t *table) *Table {
	b := &Table{}
	period := t.optional("period", spec{Time, positive, "give the time in L/U after which the file begins again, or remove it"})
	time := t.number("time", spec{Time, positive, "give L/U per unit of the column t, or the unit, for instance \"1 s\""}, 1)
	rate := t.number("rate", spec{FlowRate, positive, "give U L² per unit of the column flow_rate, or the unit, for instance \"1 ml/s\""}, 1)
	if b.File, b.SHA256 = readFile(t, "file", "give a CSV file with the header t,flow_rate", atMost(maxTableSize, "give fewer rows")); b.File == "" || !t.r.clean(t.path) {
		return nil
	}
	if err := b.read("flow_rate"); err != nil {
		t.fail("file", "%v", err)
		return nil
	}
	for i := range b.T {
		b.T[i], b.Factor[i] = b.T[i]*time, b.Factor[i]*rate
	}
	if period > 0 {
		b.repeat(t, period)
	}
	return b
}

// repeat lets the rows come again after a period.
func (b *Table) repeat(t *table, period float64) {
	const slack = 1e-9 // of the period, for what rounding leaves
	last := len(b.T) - 1
	switch rest := b.T[0] + period - b.T[last]; {
	case rest < -slack*period:
		t.fail("period", "%v is shorter than the rows of %s, which reach over %v L/U: give at least that, or fewer rows", period, b.File, b.T[last]-b.T[0])
		return
	case rest > slack*period:
		b.T, b.Factor = append(b.T, b.T[0]+period), append(b.Factor, b.Factor[0])
	case math.Abs(b.Factor[0]-b.Factor[last]) > 1e-6*(math.Abs(b.Factor[0])+math.Abs(b.Factor[last])):
		t.fail("period", "%s has the flow rate %v in the first row and %v a period later, must be the same, where one follows the other: correct it, or give a longer period", b.File, b.Factor[0], b.Factor[last])
		return
	default:
		b.Factor[last] = b.Factor[0]
	}
	b.Repeat = true
}

// At is what multiplies the port's speed, flow rate or pressure at the time t in L/U: start and factor; with Flow it is the start times the flow rate.
func (p *Port) At(t float64) float64 {
	a := p.Factor.At(t)
	if p.Flow != nil {
		a = p.Flow.At(t)
	}
	if p.Ramp > 0 && t < p.Ramp {
		a *= (1 - math.Cos(math.Pi*t/p.Ramp)) / 2
	}
	return a
}
