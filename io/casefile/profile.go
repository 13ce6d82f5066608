package casefile

import (
	"math"
	"slices"

	"lbmib/io/expression"
)

// readProfile reads how the velocity is over a face: a name, an expression of x, y and z in L, or a table.
func readProfile(t *table, f *Face, face int) {
	v, _ := t.get("profile")
	t.ask("profile", ask{form: "place"})
	if isTable(v) {
		f.Profile = "table"
		if f.Rows = readProfileTable(t.table("profile"), face); f.Rows != nil {
			t.setPeak(f, face, func(x [3]float64) (float64, error) {
				u := f.Rows.At(x)
				return math.Copysign(norm(u), u[face/2]*float64(1-face%2*2)), nil
			})
		}
		return
	}
	text, isText := v.(string)
	names := choices["domain.boundary.profile"].have
	_, constant := t.r.constants[text]
	place := slices.Contains([]string{"x", "y", "z"}, text)
	if !isText || slices.Contains(names, text) || nearest(text, names) != "" || isName(text) && !constant && !place {
		f.Profile = t.choice("profile", "uniform")
		return
	}
	e, err := t.r.compile(text, "x", "y", "z")
	if err != nil {
		t.fail("profile", "%v", err)
		e, _ = expression.Compile("0") // what else is wrong with the face is told
	}
	f.Profile, f.Shape = "expression", e
	t.note("profile", text)
	t.setPeak(f, face, func(x [3]float64) (float64, error) { return e.Eval(x[0], x[1], x[2]) })
}

// setPeak sets the peak of a face's profile to its largest value on the face's nodes.
func (t *table) setPeak(f *Face, face int, profile func(x [3]float64) (float64, error)) {
	if t.r.clean("domain.size", "domain.origin", "domain.lattice", "reference.resolution") {
		var err error
		if f.Peak, err = t.r.c.Domain.largest(profile, face, t.r.c.Reference.Resolution); err != nil {
			t.fail("profile", "%v", err)
		}
	}
}

// mostSampled bounds the nodes of a face, per axis, at which a profile is tried.
const mostSampled = 1000

// largest is the value of a profile that is largest in magnitude on the nodes of a face; of very many on every so-many-th. It must be finite on all.
func (d *Domain) largest(profile func(x [3]float64) (float64, error), face int, resolution float64) (most float64, err error) {
	var along [3][]float64
	for a := range along {
		switch {
		case a >= d.Dim:
			along[a] = []float64{0}
		case a == face/2:
			along[a] = []float64{d.Origin[a] + float64(face%2)*d.Size[a]}
		default:
			n := d.Nodes[a]
			for j := 0; j < n; j += 1 + (n-1)/mostSampled {
				along[a] = append(along[a], d.Origin[a]+(float64(j)+0.5)/resolution)
			}
		}
	}
	for _, z := range along[2] {
		for _, y := range along[1] {
			for _, x := range along[0] {
				v, err := profile([3]float64{x, y, z})
				if err != nil {
					return 0, err
				}
				if math.Abs(v) > math.Abs(most) {
					most = v
				}
			}
		}
	}
	return most, nil
}
