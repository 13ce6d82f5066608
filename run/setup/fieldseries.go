package setup

import (
	"fmt"
	"slices"

	"lbmib/io/casefile"
	"lbmib/io/vtkhdf"
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

	Fluid bool        // on the nodes of the fluid alone, of a vessel that is given by its runs
	AMR   bool        // on the cells of nested grids, of which one may be all; else on points
	Grids []FieldGrid // what the region is read from by grids, coarser ones first; nil: from the finest, as ever
}

// FieldGrid is one of several grids that fields are written of.
type FieldGrid struct {
	lbm.Part
	Region            // in nodes of its width
	Around lbm.Config // likewise, with what derivatives need
	From   [3]int
}

// fieldGrids are the grids that the fluid is made of; nil: there is one.
func (p *Problem) fieldGrids() (all []FieldGrid) {
	if p.Grids == nil {
		return nil
	}
	for _, part := range p.Parts() {
		flow := p.Grids.Levels[part.Level].Flow
		flow.Solid, flow.Inside, flow.Cuts, flow.Ports = nil, nil, nil, nil
		g := FieldGrid{Part: part, Region: Region{Lo: part.Lo, Size: part.Size(flow.Lattice)}}
		for a := range flow.Lattice.Dim {
			g.Region.Lo[a] /= part.Width
		}
		level := Grid{Case: p.Case, Flow: flow}
		g.Around, g.From = level.Surrounded(g.Region)
		all = append(all, g)
	}
	return all
}

// FieldSeries are those that the case asks for.
func (p *Problem) FieldSeries() (all []FieldSeries) {
	out := p.Case.Output
	add := func(g Region, every float64, stem, list string, markers bool) {
		s := FieldSeries{Region: g, Interval: p.Case.StepsOf(every), Stem: stem, List: list, Markers: markers}
		s.Around, s.From = p.Surrounded(g.Layers())
		all = append(all, s)
	}
	if out.Fields.Every > 0 {
		add(p.Whole(), out.Fields.Every, "fields/"+p.Case.Name, "fields.vtkhdf.series", true)
		if out.Fields.Format == "amr" {
			all[0].AMR, all[0].Grids = true, p.fieldGrids()
		}
		all[0].Fluid = out.Fields.Format == "fluid" && p.Flow.Inside != nil
	}
	for _, s := range out.Slices {
		add(p.PlaneAt(s.Axis, s.At), s.Every, "slices/"+s.Name, "slices/"+s.Name+".vtkhdf.series", false)
	}
	for _, b := range out.Boxes {
		add(p.Box(b.Min, b.Max), b.Every, "boxes/"+b.Name, "boxes/"+b.Name+".vtkhdf.series", false)
	}
	return all
}

// Quantities are the fields that files hold.
func Quantities(c *casefile.Case) []string {
	if q := c.Output.Fields.Quantities; len(q) > 0 {
		return q
	}
	return casefile.DefaultQuantities()
}

// Components is how many numbers a node has of a field quantity in a file.
func (d *Domain) Components(quantity string) int {
	switch {
	case quantity == "velocity", quantity == "vorticity" && d.Flow.Lattice.Dim == 3:
		return 3
	case slices.Contains([]string{"density", "vorticity", "pressure", "pressure_coefficient", "q_criterion", "body"}, quantity):
		return 1
	}
	panic(fmt.Sprintf("setup: field quantity %q is not wired", quantity))
}

// Bytes is the memory that a state of the region takes at most, and the arrays of its file.
func (s *FieldSeries) Bytes(d *Domain) (n int64) {
	numbers := 0
	for _, q := range Quantities(d.Case) {
		numbers += d.Components(q)
	}
	state := int64(1+d.Flow.Lattice.Dim) * int64(d.Precision().Value)
	if s.Grids != nil {
		most := int64(0) // of grids that are copied from where they lie alone to where their surroundings are, too
		for _, g := range s.Grids {
			n += state*int64(g.Around.Nodes()) + 4*int64(numbers)*int64(g.Region.Nodes())
			most = max(most, int64(g.Region.Nodes()))
		}
		return n + state*most + s.joinedBytes(d)
	}
	if s.Fluid {
		return (state + 4*int64(numbers) + voxelBytes) * int64(d.Flow.Nodes())
	}
	held := s.Region.Layers()
	if s.Beyond > 0 {
		numbers += numbers / 2 // of the plane between two layers
	}
	return state*int64(s.Around.Nodes()) + 4*int64(numbers)*int64(held.Nodes())
}

// joinedBytes is an array of three components of the grids of a level, in the layers that a file has of it.
func (s *FieldSeries) joinedBytes(d *Domain) (most int64) {
	each := map[int]int64{}
	for _, g := range s.Grids {
		each[g.Level] += 4 * 3 * int64(g.Region.Nodes()) * int64(layers(d, g.Level))
		most = max(most, each[g.Level])
	}
	return most
}

// layers is how many equal ones a file of nested grids has of a level.
func layers(d *Domain, level int) int {
	if d.Flow.Lattice.Dim == 3 {
		return 1
	}
	return vtkhdf.Layers(level)
}

// FileBytes is the size of a file before compression.
func (s *FieldSeries) FileBytes(d *Domain) (n int64) {
	cells := int64(s.Region.Nodes())
	if s.Grids != nil {
		cells = 0
		for _, g := range s.Grids {
			cells += int64(g.Region.Nodes()) * int64(layers(d, g.Level))
		}
	}
	if s.Fluid {
		cells = int64(d.Flow.Nodes())
		n = voxelBytes * cells
	}
	for _, q := range Quantities(d.Case) {
		n += 4 * int64(d.Components(q)) * cells
	}
	return n
}

// voxelBytes is the place of a point, and a voxel between points: its corners, where they begin, and its kind.
const voxelBytes = 3*4 + 8*8 + 8 + 1

// MeansBytes is the memory of means and variances of the fields, and of a file of them while it
// is written; 0 where the case wants none.
func (d *Domain) MeansBytes() int64 {
	if d.Case.Output.Means == nil {
		return 0
	}
	dim, n := int64(d.Flow.Lattice.Dim), int64(d.Flow.Nodes())
	return n*(2*(1+dim)*8+(1+dim)*int64(d.Precision().Value)) + d.Flow.BoxNodes()*3*2*4*4
}
