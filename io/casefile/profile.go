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
			t.setPeak(f, face, func(x [3]float64) (speed, through float64, err error) {
				u := f.Rows.At(x)
				through = u[face/2] * float64(1-face%2*2)
				return math.Copysign(norm(u), through), through, nil
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
		e, _ = expression.Compile("0", "x", "y", "z") // in its place: what else is wrong with the face is told
	}
	f.Profile, f.Shape = "expression", e
	t.note("profile", text)
	t.setPeak(f, face, func(x [3]float64) (speed, through float64, err error) {
		v, err := e.Eval(x[0], x[1], x[2])
		return v, v, err
	})
}

// setPeak sets the peak of a face's profile to its largest value on the face's nodes, and its mean to that of what it lets in there.
func (t *table) setPeak(f *Face, face int, profile func(x [3]float64) (speed, through float64, err error)) {
	if t.r.clean("domain.size", "domain.origin", "domain.lattice", "reference.resolution") {
		var err error
		if f.Peak, f.Mean, err = t.r.c.Domain.largest(profile, face, t.r.c.Reference.Resolution); err != nil {
			t.fail("profile", "%v", err)
		}
	}
}

// mostSampled bounds the nodes of a face, per axis, at which a profile is tried.
const mostSampled = 1000

// largest is the speed of a profile that is largest in magnitude on the nodes of a face, and the mean of what goes through there; of very many on every so-many-th. It
// must be finite on all.
func (d *Domain) largest(profile func(x [3]float64) (speed, through float64, err error), face int, resolution float64) (most, mean float64, err error) {
	n := 0.
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
				v, through, err := profile([3]float64{x, y, z})
				if err != nil {
					return 0, 0, err
				}
				n++
				mean += (through - mean) / n
				if math.Abs(v) > math.Abs(most) {
					most = v
				}
			}
		}
	}
	return most, mean, nil
}

// Through is the mean velocity into the domain that face i prescribes, in U, without what varies in time.
func (d *Domain) Through(i int) float64 {
	f := &d.Boundary[i]
	if f.Shape != nil || f.Rows != nil {
		return f.Mean
	}
	mean := f.Peak
	for a := range d.Dim { // of a parabola along every axis with sides
		if a != i/2 && d.Boundary[2*a].Type != "periodic" {
			mean *= 2. / 3
		}
	}
	return mean + f.Value[i/2]*float64(1-i%2*2)
}
