package casefile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ProfileTable is a velocity at places of a face, linear between them along each axis: At[k] are the coordinates along axis Axes[k],
// of which every combination has a velocity.
type ProfileTable struct {
	Axes   []int        // in the face; along others the velocity is the same
	Places [][]float64  // L, increasing
	U      [][3]float64 // U, the first axis fastest
	File   string       // joined with the case's folder
	SHA256 string       // of the file, in hexadecimal

	face int
}

// velocityColumns are those of components; into the domain counts speed.
var velocityColumns = []string{"u", "v", "w"}

const speedColumn = "speed"

// readProfileTable reads the CSV file of a face's velocity.
func readProfileTable(t *table, face int) *ProfileTable {
	p := &ProfileTable{face: face}
	length := t.number("length", spec{Length, positive, "give L per unit of the columns x, y and z, or the unit, for instance \"1 mm\""}, 1)
	speed := t.number("speed", spec{Velocity, positive, "give U per unit of the column speed, or the unit, for instance \"1 m/s\""}, 1)
	remedy := fmt.Sprintf("give a CSV file with the header %s,speed", "yxx"[face/2:face/2+1])
	if p.File, p.SHA256 = readFile(t, "file", remedy, atMost(maxTableSize, "give fewer rows")); p.File == "" || !t.r.clean(t.path, "domain.lattice") {
		return nil
	}
	text, err := textOfTable(p.File, p.SHA256)
	if err == nil {
		err = p.parse(text, t.r.c.Domain.Dim, length, speed)
	}
	if err == nil && t.r.clean("domain.size", "domain.origin", "reference.resolution") {
		err = p.covers(&t.r.c.Domain, t.r.c.Reference.Resolution)
	}
	if err != nil {
		t.fail("file", "%v", err)
		return nil
	}
	return p
}

// profileColumns are where the columns of a header are: of places along the axes, −1 of those not there, of velocities or of the speed.
type profileColumns struct {
	places     [3]int
	velocities [3]int
	speed      int
}

// columnsOf reads a header.
func (p *ProfileTable) columnsOf(header []string, dim int) (c profileColumns, err error) {
	c = profileColumns{places: [3]int{-1, -1, -1}, velocities: [3]int{-1, -1, -1}, speed: -1}
	seen := map[string]bool{}
	some := false // of the components
	for i, name := range header {
		name = strings.TrimSpace(name)
		axis, component := strings.Index("xyz", name), slices.Index(velocityColumns, name)
		switch {
		case seen[name]:
			return c, fmt.Errorf("the column %s stands twice: remove one", name)
		case name == speedColumn:
			c.speed = i
		case len(name) == 1 && axis >= 0 && axis < dim && axis != p.face/2:
			c.places[axis] = i
			p.Axes = append(p.Axes, axis)
		case component >= 0 && component < dim:
			c.velocities[component], some = i, true
		default:
			return c, fmt.Errorf("the column %q is none of this face: name places %s and velocities speed (into the domain) or %s", name, p.inFace(dim), strings.Join(velocityColumns[:dim], ", "))
		}
		seen[name] = true
	}
	slices.Sort(p.Axes)
	switch {
	case len(p.Axes) == 0:
		return c, fmt.Errorf("there is no column of places: name one %s", p.inFace(dim))
	case some == (c.speed >= 0):
		return c, fmt.Errorf("there must be a column speed, of velocities into the domain, or columns %s of components, not both: change the header", strings.Join(velocityColumns[:dim], ", "))
	}
	return c, nil
}

// inFace names the axes of the face.
func (p *ProfileTable) inFace(dim int) string {
	var names []string
	for a, name := range []string{"x", "y", "z"}[:dim] {
		if a != p.face/2 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// profileRow is a row of the file.
type profileRow struct {
	place [3]float64
	u     [3]float64
	line  int
}

// parse reads the text of the file, whose numbers are so many L and U.
func (p *ProfileTable) parse(text []byte, dim int, length, speed float64) error {
	rows := csv.NewReader(bytes.NewReader(text))
	rows.TrimLeadingSpace, rows.ReuseRecord, rows.FieldsPerRecord, rows.Comment = true, true, -1, '#'
	header, err := rows.Read()
	if err != nil {
		return fmt.Errorf("%s: the first line must be a header such as %s,speed: add it", p.File, p.inFace(dim)[:1])
	}
	line, _ := rows.FieldPos(0)
	c, err := p.columnsOf(header, dim)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", p.File, line, err)
	}
	width := len(header)
	var all []profileRow
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s is no CSV: %v: write rows such as 0.5,1.2", p.File, err)
		}
		line, _ := rows.FieldPos(0)
		row, err := p.row(cells, c, width, length, speed)
		if err == nil && len(all) == maxRows {
			err = fmt.Errorf("the table has more than %d rows, the most that is read: give fewer", maxRows)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", p.File, line, err)
		}
		row.line = line
		all = append(all, row)
	}
	return p.arrange(all)
}

// row reads one.
func (p *ProfileTable) row(cells []string, c profileColumns, width int, length, speed float64) (r profileRow, err error) {
	if len(cells) != width {
		return r, fmt.Errorf("the row has %d entries, must have %d as the header: separate them by one comma", len(cells), width)
	}
	number := func(column int, of Quantity, unit float64) float64 {
		if column < 0 {
			return 0
		}
		v, e := strconv.ParseFloat(strings.TrimSpace(cells[column]), 64)
		v *= unit
		if most := of.magnitude(); (e != nil || !(math.Abs(v) <= most)) && err == nil {
			err = fmt.Errorf("%q must be a finite number, within ±%g in reference units: write for instance 0.5", cells[column], most)
		}
		return v
	}
	for a := range 3 {
		r.place[a], r.u[a] = number(c.places[a], Length, length), number(c.velocities[a], Velocity, speed)
	}
	if c.speed >= 0 {
		r.u[p.face/2] = number(c.speed, Velocity, speed) * float64(1-p.face%2*2)
	}
	return r, err
}

// arrange puts the rows in order: every combination of places must have one.
func (p *ProfileTable) arrange(all []profileRow) error {
	total := 1
	for _, a := range p.Axes {
		var at []float64
		for i := range all {
			at = append(at, all[i].place[a])
		}
		slices.Sort(at)
		at = slices.Compact(at)
		if len(at) < 2 {
			return fmt.Errorf("%s has %d places along %c, must have at least 2: add rows, or leave the column out", p.File, len(at), "xyz"[a])
		}
		p.Places = append(p.Places, at)
		total *= len(at)
	}
	row := make(map[int]int, len(all)) // of each place
	for i := range all {
		n := p.number(all[i].place)
		if before, twice := row[n]; twice {
			return fmt.Errorf("%s:%d: the place %s stands in line %d, too, must be there once: remove one of them", p.File, all[i].line, p.name(n), all[before].line)
		}
		row[n] = i
	}
	for n := 0; len(row) < total; n++ {
		if _, has := row[n]; !has {
			return fmt.Errorf("%s has no row for %s: every combination of the places along %c and %c must have one, in any order", p.File, p.name(n), "xyz"[p.Axes[0]], "xyz"[p.Axes[len(p.Axes)-1]])
		}
	}
	p.U = make([][3]float64, total)
	for n, i := range row {
		p.U[n] = all[i].u
	}
	return nil
}

// number is that of a place, the first axis fastest.
func (p *ProfileTable) number(x [3]float64) (n int) {
	stride := 1
	for k, a := range p.Axes {
		at, _ := slices.BinarySearch(p.Places[k], x[a])
		n += at * stride
		stride *= len(p.Places[k])
	}
	return n
}

// name tells the n-th place.
func (p *ProfileTable) name(n int) string {
	var words []string
	for k, a := range p.Axes {
		at := p.Places[k]
		words = append(words, fmt.Sprintf("%c = %.6g L", "xyz"[a], at[n%len(at)]))
		n /= len(at)
	}
	return strings.Join(words, ", ")
}

// covers refuses a table that does not reach the outermost nodes of the face, where it would have to be guessed.
func (p *ProfileTable) covers(d *Domain, resolution float64) error {
	for k, a := range p.Axes {
		at, half := p.Places[k], 0.5/resolution
		lo, hi := d.Origin[a], d.Origin[a]+d.Size[a]
		if slack := 1e-9 * (1 + d.Size[a]); at[0] > lo+half+slack || at[len(at)-1] < hi-half-slack {
			return fmt.Errorf("%s has rows from %.6g to %.6g L along %c, the face reaches from %.6g to %.6g L: add rows at its ends, or correct length, by which places are multiplied",
				p.File, at[0], at[len(at)-1], "xyz"[a], lo, hi)
		}
	}
	return nil
}

// At is the velocity, in U, at a place in L: linear between rows, along two axes bilinear.
func (p *ProfileTable) At(x [3]float64) (u [3]float64) {
	var low [2]int        // the place before
	var weight [2]float64 // of the one behind it
	for k, a := range p.Axes {
		at := p.Places[k]
		i, _ := slices.BinarySearch(at, x[a])
		i = min(max(i, 1), len(at)-1)
		low[k] = i - 1
		weight[k] = min(max((x[a]-at[i-1])/(at[i]-at[i-1]), 0), 1)
	}
	for corner := range 1 << len(p.Axes) {
		n, stride, w := 0, 1, 1.
		for k := range p.Axes {
			upper := corner >> k & 1
			n += (low[k] + upper) * stride
			stride *= len(p.Places[k])
			w *= float64(upper)*weight[k] + float64(1-upper)*(1-weight[k])
		}
		for a := range u {
			u[a] += w * p.U[n][a]
		}
	}
	return u
}
