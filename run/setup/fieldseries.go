package setup

import (
	"fmt"

	"lbmib/io/casefile"
	"lbmib/lbm"
)

// FieldSeries is a series of files with the fields of one region.
type FieldSeries struct {
	Region
	Interval int64      // steps
	Stem     string     // path of its files below the run directory, without step and extension
	List     string     // path of the list of them
	Markers  bool       // files of markers beside it
	Around   lbm.Config // the region with what derivatives need, a flow of its own
	From     [3]int     // where that begins
}

// FieldSeries are those that the case asks for.
func (d *Domain) FieldSeries() (all []FieldSeries) {
	out := d.Case.Output
	add := func(g Region, every float64, stem, list string, markers bool) {
		s := FieldSeries{Region: g, Interval: d.Case.StepsOf(every), Stem: stem, List: list, Markers: markers}
		s.Around, s.From = d.Surrounded(g.Layers())
		all = append(all, s)
	}
	if out.Fields.Every > 0 {
		add(d.Whole(), out.Fields.Every, "fields/"+d.Case.Name, "fields.vtkhdf.series", true)
	}
	for _, s := range out.Slices {
		add(d.PlaneAt(s.Axis, s.At), s.Every, "slices/"+s.Name, "slices/"+s.Name+".vtkhdf.series", false)
	}
	for _, b := range out.Boxes {
		add(d.Box(b.Min, b.Max), b.Every, "boxes/"+b.Name, "boxes/"+b.Name+".vtkhdf.series", false)
	}
	return all
}

// Quantities are the fields that files hold; all, where the case does not choose.
func Quantities(c *casefile.Case) []string {
	if q := c.Output.Fields.Quantities; len(q) > 0 {
		return q
	}
	return []string{"velocity", "density", "vorticity"}
}

// Components is how many numbers a node has of a field quantity in a file.
func (d *Domain) Components(quantity string) int {
	switch {
	case quantity == "density", quantity == "vorticity" && d.Flow.Lattice.Dim == 2:
		return 1
	case quantity == "velocity", quantity == "vorticity":
		return 3
	}
	panic(fmt.Sprintf("setup: field quantity %q is not wired", quantity))
}

// Bytes is the memory that a state of the region takes at most, and the arrays of its file.
func (s *FieldSeries) Bytes(d *Domain) int64 {
	numbers := 0
	for _, q := range Quantities(d.Case) {
		numbers += d.Components(q)
	}
	held := s.Region.Layers()
	if s.Beyond > 0 {
		numbers += numbers / 2 // of the plane between two layers
	}
	return int64(1+d.Flow.Lattice.Dim)*int64(s.Around.Nodes())*int64(d.Precision().Value) + 4*int64(numbers)*int64(held.Nodes())
}

// FileBytes is the size of a file before compression.
func (s *FieldSeries) FileBytes(d *Domain) (n int64) {
	for _, q := range Quantities(d.Case) {
		n += 4 * int64(d.Components(q)) * int64(s.Nodes())
	}
	return n
}

// MeansBytes is the memory of means and variances of the fields, and of a file of them while it
// is written; 0 where the case wants none.
func (d *Domain) MeansBytes() int64 {
	if d.Case.Output.Means == nil {
		return 0
	}
	dim, n := int64(d.Flow.Lattice.Dim), int64(d.Flow.Nodes())
	return n * (2*(1+dim)*8 + (1+dim)*int64(d.Precision().Value) + 3*2*4*4)
}
