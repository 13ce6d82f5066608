package report

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
)

// fieldKind is a field that can be drawn: from an array of its own, or from those that it is made of.
type fieldKind struct {
	name, label string
	also        string // another name, of the case file or of an array of a file
	own         string // array that holds it; empty: it is always made
	from        string // array that it is made of; empty: it is not made
	always      bool   // drawn unasked from what it is made of, too
	means       bool   // of the means over time, whose file is one of the run
	diverging   bool
	value       func(p *plane, of []float32, i, j int) float64 // at a node, of the array that it is made of
}

// fieldKinds are all fields.
var fieldKinds = []fieldKind{
	{name: "speed", also: "velocity", label: "speed / U", from: "velocity", always: true, value: (*plane).length},
	{name: "vorticity", label: "vorticity L / U", from: "velocity", always: true, diverging: true, value: (*plane).curl},
	{name: "density", label: "density", from: "density", always: true, value: (*plane).scalar},
	{name: "pressure", label: "pressure / ρU²", own: "pressure", from: "density", value: (*plane).pressure},
	{name: "cp", also: "pressure_coefficient", label: "pressure coefficient", own: "pressure_coefficient", from: "density", value: func(p *plane, of []float32, i, j int) float64 { return 2 * p.pressure(of, i, j) }},
	{name: "q", also: "q_criterion", label: "Q criterion L² / U²", own: "q_criterion", from: "velocity", diverging: true, value: (*plane).q},
	{name: "body", label: "number of the body", own: "body"},
	{name: "speed_mean", also: "velocity_mean", label: "speed of the mean velocity / U", from: "velocity_mean", means: true, value: (*plane).length},
	{name: "pressure_mean", label: "mean pressure / ρU²", from: "density_mean", means: true, value: (*plane).pressure},
	{name: "fluctuation", label: "rms of the velocity about its mean / U", from: "velocity_variance", means: true, value: func(p *plane, of []float32, i, j int) float64 {
		v := of[p.at(i, j, 3):]
		return math.Sqrt(math.Max(0, float64(v[0])+float64(v[1])+float64(v[2])))
	}},
}

// FieldNames are the fields that Pictures draws.
var FieldNames = func() (names []string) {
	for _, k := range fieldKinds {
		names = append(names, k.name)
	}
	return names
}()

// FieldNamed is the one of FieldNames that a name stands for: itself or what the case file, or a file of fields, calls it. Empty: none.
func FieldNamed(name string) string {
	for i := range fieldKinds {
		if k := &fieldKinds[i]; name != "" && (name == k.name || name == k.also) {
			return k.name
		}
	}
	return ""
}

// kindOf is the field of a name, which is one of FieldNames.
func kindOf(name string) *fieldKind {
	return &fieldKinds[slices.Index(FieldNames, name)]
}

// arraysOf are those that fields are drawn from, of a step or of means over time.
func arraysOf(means bool) (names []string) {
	for i := range fieldKinds {
		for _, name := range []string{fieldKinds[i].from, fieldKinds[i].own} {
			if fieldKinds[i].means == means && name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// componentsOf is how many an array has.
func componentsOf(array string) int {
	switch array {
	case "velocity", "velocity_mean", "velocity_variance":
		return 3
	}
	return 1
}

// source is the array that a field is drawn from, of those that there are; empty: none of them.
func (k *fieldKind) source(arrays []string) string {
	for _, name := range []string{k.own, k.from} {
		if name != "" && slices.Contains(arrays, name) {
			return name
		}
	}
	return ""
}

// lacks is an error where a field cannot be drawn.
func (d *Directory) lacks(p *plane, name string) error {
	k := kindOf(name)
	if k.means {
		if k.source(p.arrays) == "" {
			return fmt.Errorf("%s holds no %s, which a map of the %s is drawn from: run the case again with this version", p.path, k.from, name)
		}
		return nil
	}
	switch of := k.source(p.arrays); {
	case name == "q" && of != k.own && of != "" && p.flat && d.dim() == 3:
		return fmt.Errorf("%s is a slice, in which velocities do not tell how they change across it: ask the case for q with output.fields.quantities", p.path)
	case of != "":
		return nil
	}
	array := k.from
	if array == "" {
		array = k.own
	}
	return fmt.Errorf("%s holds no %s, which a map of the %s is drawn from: ask the case for it with output.fields.quantities", p.path, array, name)
}

// isDrawn tells whether a field is drawn that nobody or somebody has asked for.
func (k *fieldKind) isDrawn(p *plane, asked []string) bool {
	switch {
	case asked != nil:
		return slices.Contains(asked, k.name)
	case k.means:
		return false
	case k.always:
		return k.source(p.arrays) != ""
	}
	return slices.Contains(p.arrays, k.own)
}

// field sets values, label and colours of a map.
func (p *plane) field(m *plot.Field, name string) error {
	k := kindOf(name)
	m.Values, m.Label, m.Diverging = make([]float64, m.Nx*m.Ny), k.label, k.diverging
	array := k.source(p.arrays)
	of, err := p.read(array)
	if err != nil {
		return err
	}
	value := k.value
	if array == k.own {
		value = (*plane).scalar
	}
	for n := range m.Values {
		m.Values[n] = value(p, of, n%m.Nx, n/m.Nx)
	}
	if p.inside != nil && name != "body" {
		m.Bodies = p.inside
		for n, in := range p.inside {
			if in {
				m.Values[n] = math.NaN()
			}
		}
	}
	return nil
}

// read is an array of the whole file; the velocity, of which several fields are made, is read once.
func (p *plane) read(array string) ([]float32, error) {
	if array == "velocity" && p.velocity != nil {
		return p.velocity, nil
	}
	v, err := vtkhdf.ReadField(p.path, array, p.size, componentsOf(array))
	if array == "velocity" {
		p.velocity = v
	}
	return v, err
}

// scalar, pressure and length are what an array has at a node: a number, the pressure of a density in ρU², the length of a vector.
func (p *plane) scalar(of []float32, i, j int) float64 { return float64(of[p.at(i, j, 1)]) }

func (p *plane) pressure(density []float32, i, j int) float64 {
	return p.units.PressureOf(p.scalar(density, i, j))
}

func (p *plane) length(of []float32, i, j int) float64 {
	u := of[p.at(i, j, 3):]
	return math.Sqrt(float64(u[0]*u[0] + u[1]*u[1] + u[2]*u[2]))
}

// difference is the derivative of a component along an axis at a node, by central differences, one-sided at edges.
func (p *plane) difference(of []float32, i, j, component, axis int) float64 {
	lo, hi := [3]int{i, j, p.layer}, [3]int{i, j, p.layer}
	lo[axis], hi[axis] = max(lo[axis]-1, 0), min(hi[axis]+1, p.size[axis]-1)
	if lo == hi {
		return 0
	}
	at := func(x [3]int) float64 { return float64(of[3*(x[0]+p.size[0]*(x[1]+p.size[1]*x[2]))+component]) }
	return (at(hi) - at(lo)) / (float64(hi[axis]-lo[axis]) * p.dx)
}

// curl is ∂v/∂x − ∂u/∂y at a node.
func (p *plane) curl(of []float32, i, j int) float64 {
	return p.difference(of, i, j, 1, 0) - p.difference(of, i, j, 0, 1)
}

// q is Q = ½(|Ω|² − |S|²) = −½ ∂u_a/∂x_b ∂u_b/∂x_a at a node of a flow without divergence.
func (p *plane) q(of []float32, i, j int) (sum float64) {
	var g [3][3]float64
	for a := range g {
		for b := range g[a] {
			g[a][b] = p.difference(of, i, j, a, b)
		}
	}
	for a := range g {
		for b := range g[a] {
			spin, strain := (g[a][b]-g[b][a])/2, (g[a][b]+g[b][a])/2
			sum += (spin*spin - strain*strain) / 2
		}
	}
	return sum
}
