package setup

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/ib"
	"lbmib/ib/elastic"
	"lbmib/ib/packing"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// packingGap is how far apart vertices and surfaces of packed cells are at least, in parts of the range of contact, so that they begin with less than half of
// the pressure of surfaces that touch; and in nodes where there is no contact.
const (
	packingGap      = 0.25
	packingGapAlone = 0.5
)

// Suspended is the cells of a [[suspension]].
type Suspended struct {
	Of         *casefile.Suspension
	Membrane   *elastic.Membrane
	First, Len int     // of Coupling.Cells, with those that wait to enter
	Packed     int     // of them: those that begin in the fluid
	Volume     float64 // of the fluid that haematocrits are of, nodes³: of the region, or of the whole tube whose discharge haematocrit is given
	Asked      float64 // haematocrit of that volume that the case asks for
	Ratio      float64 // tube over discharge haematocrit by Pries et al. (1992); 0: the case gives the former
}

// Hematocrit is what whole cells fill of the volume at the start.
func (s *Suspended) Hematocrit() float64 {
	return float64(s.Packed) * s.Membrane.Mesh().Volume() / s.Volume
}

// setElasticSuspensions makes and packs the elastic cells of all suspensions.
func (p *Problem) setElasticSuspensions() error {
	c := p.Case
	if len(c.Suspensions) == 0 || c.Suspensions[0].Model != "elastic" {
		return nil
	}
	for _, refuses := range p.beforePacking {
		if err := refuses(p); err != nil {
			return err
		}
	}
	if err := p.MarkSolids(); err != nil {
		return err
	}
	for face, kind := range p.Flow.Faces {
		switch kind.Kind {
		case lbm.Periodic, lbm.NoSlip, lbm.MovingWall, lbm.FreeSlip, lbm.Symmetry:
		default:
			return c.Errorf("domain.boundary."+lbm.FaceNames[face], "is open, where cells would leave, and none enter: make it periodic or a wall")
		}
	}
	if p.Conduit = p.newConduit(); c.Output.Suspension.Profile == "radial" && (p.Conduit == nil || !p.Conduit.Round()) {
		return c.Errorf("output.suspension.profile", `is "radial", which needs a round tube along a periodic axis with walls all around and a constant domain.force along it: use "x", "y" or "z"`)
	}
	var kinds []packing.Kind
	for i := range c.Suspensions {
		s, err := p.suspended(&c.Suspensions[i])
		if err != nil {
			return err
		}
		p.Suspended = append(p.Suspended, s)
		kinds = append(kinds, packedKind(s))
	}
	cfg, err := p.packingConfig(kinds, c.Suspensions[0].Region)
	if err != nil {
		return err
	}
	places, err := p.pack(cfg, kinds)
	if err != nil {
		return err
	}
	for i := range p.Suspended {
		s := &p.Suspended[i]
		s.First = len(p.Coupling.Cells)
		for k := range s.Len {
			at := places[i][k%s.Packed] // those that wait do so where others begin
			cell, err := flexible.NewCell(fmt.Sprintf("%s-%d", s.Of.Name, k), s.Membrane, at.Center, at.Turn)
			if err != nil {
				return c.Errorf(s.Of.Key, "%v", err)
			}
			cell.Lambda = s.Of.Material.ViscosityRatio
			if s.Of.Material.Implicit {
				cell.SetImplicit()
			}
			if k >= s.Packed {
				cell.Leave()
			}
			p.Coupling.Cells = append(p.Coupling.Cells, cell)
			p.Drawn = append(p.Drawn, casefile.Body{Name: cell.Name, Shape: s.Of.Shape, Key: s.Of.Key, Motion: casefile.Motion{Type: "elastic", Elastic: s.Of.Material}})
		}
	}
	return p.setFeed(kinds)
}

// suspended is the cells of a suspension, which are not placed yet.
func (p *Problem) suspended(of *casefile.Suspension) (s Suspended, err error) {
	c := p.Case
	s = Suspended{Of: of, Asked: of.Hematocrit}
	shape, err := of.Shape.On(p.lattice())
	if err == nil {
		err = p.inDomain(of.Name, shape)
	}
	if err != nil {
		return s, c.Errorf(of.Key+".shape", "%v", err)
	}
	body := casefile.Body{Name: of.Name, Shape: of.Shape, Key: of.Key, Motion: casefile.Motion{Type: "elastic", Elastic: of.Material}}
	made, err := p.membrane(body, shape)
	if err != nil {
		return s, err
	}
	s.Membrane = made.(*elastic.Membrane)
	s.Volume = p.regionVolume(c.Suspensions[0].Region)
	if of.Discharge > 0 {
		if p.Conduit == nil || !p.Conduit.Round() {
			return s, c.Errorf(of.Key+".discharge_hematocrit", "needs a round tube along a periodic axis with walls all around and a constant domain.force along it, for which the tube haematocrit is known: give hematocrit, that of the fluid's volume")
		}
		micrometres := 2 * p.Conduit.Radius() / c.Reference.Resolution * c.Reference.Length * 1e6
		s.Ratio = FahraeusRatio(micrometres, of.Discharge)
		s.Asked = s.Ratio * of.Discharge
		s.Volume = p.regionVolume(nil)
	}
	volume := s.Membrane.Mesh().Volume()
	s.Packed = int(math.Round(s.Asked * s.Volume / volume))
	if s.Len = p.pool(&s, volume); s.Packed <= mostSuspended && s.Len > mostSuspended {
		return s, c.Errorf(of.Key+".feed", "asks for %d cells with those that wait to enter, at most %d can be: use a smaller one", s.Len, mostSuspended)
	}
	if s.Packed < 1 || s.Packed > mostSuspended {
		return s, c.Errorf(hematocritKey(of), "asks for %.3g cells of %.4g nodes³ each in %.4g nodes³ of fluid: there must be 1 to %d: choose another, or another domain.size", s.Asked*s.Volume/volume, volume, s.Volume, mostSuspended)
	}
	return s, nil
}

// mostSuspended is that of bodies in a case.
const mostSuspended = 100_000

// regionVolume is the volume of fluid in a box, of all of it where there is none, in nodes³.
func (p *Problem) regionVolume(box *[2]casefile.Corner) (n float64) {
	if box == nil {
		return float64(p.Flow.FluidNodes())
	}
	var lo, hi [3]int
	for a, size := range p.Flow.Size {
		lo[a] = bounded(math.Ceil(p.Node(box[0])[a]), size)
		hi[a] = max(lo[a], bounded(math.Ceil(p.Node(box[1])[a]), size))
	}
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			if p.Flow.Solid == nil {
				n += float64(hi[0] - lo[0])
				continue
			}
			row := p.Flow.Node([3]int{0, y, z})
			for _, solid := range p.Flow.Solid[row+lo[0] : row+hi[0]] {
				if !solid {
					n++
				}
			}
		}
	}
	return n
}

// packedKind is what a packing needs of cells.
func packedKind(s Suspended) packing.Kind {
	mesh := s.Membrane.Mesh()
	k := packing.Kind{Count: s.Packed}
	center := mesh.Center()
	for v := range mesh.Vertices() {
		k.Points = append(k.Points, mesh.Point(v).Sub(center))
	}
	for t := range mesh.Triangles() {
		k.Triangles = append(k.Triangles, mesh.Triangle(t))
	}
	return k
}

// packingConfig is what all suspended cells are packed into, by the seed of the first suspension: a region; nil: the domain.
func (p *Problem) packingConfig(kinds []packing.Kind, region *[2]casefile.Corner) (*packing.Config, error) {
	c, first := p.Case, p.Case.Suspensions[0]
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return nil, c.Errorf("ib.delta", "%v", err)
	}
	cfg := &packing.Config{Size: p.Flow.Size, Gap: packingGapAlone, Seed: uint64(first.Seed), Narrow: p.Flow.Solid != nil && p.Conduit == nil}
	if d := p.Coupling.Contact.Distance; d > 0 {
		cfg.Gap = packingGap * d
	}
	var planes []packing.Plane
	for a := range 3 {
		n := p.Flow.Size[a]
		cfg.Periodic[a] = p.Flow.Periodic(a)
		cfg.Lo[a], cfg.Hi[a] = -0.5, float64(n)-0.5
		if !cfg.Periodic[a] { // supports are in the domain
			room := float64(delta.Support())/2 - 0.5
			planes = append(planes, packing.Plane{Axis: a, At: room - 0.5, Sign: 1}, packing.Plane{Axis: a, At: float64(n) - 0.5 - room, Sign: -1})
		}
		if region == nil {
			continue
		}
		lo, hi := p.Node(region[0])[a], p.Node(region[1])[a]
		cfg.Lo[a], cfg.Hi[a] = math.Max(cfg.Lo[a], lo), math.Min(cfg.Hi[a], hi)
		if hi-lo < float64(n)-1e-6 {
			planes = append(planes, packing.Plane{Axis: a, At: lo, Sign: 1}, packing.Plane{Axis: a, At: hi, Sign: -1})
		}
	}
	var points []geometry.Vec
	var offset []float64
	for _, s := range hybrid.SolidSurfaces(&p.Flow, delta.Support(), nil) {
		for _, x := range s.Points {
			points, offset = append(points, x), append(offset, s.Offset)
		}
	}
	reach := 0.
	if cfg.Narrow {
		for _, k := range kinds {
			reach = max(reach, packing.Thinnest(k.Points)+cfg.Gap+1)
		}
	}
	cfg.Walls = packing.NewWalls(p.Flow.Size, cfg.Periodic, planes, points, offset, p.Flow.Solid, reach)
	return cfg, nil
}

// PackBriefly lets New leave the packing of suspended cells after a second or so, for who asks about the case and does not run it. Problem.Unpacked tells.
func PackBriefly(p *Problem) error {
	p.packingWork = 3e6 // moved at some 0.3 µs each
	return nil
}

// TellPacking has New tell of the packing of suspended cells, many times a second: how many they are, and how large they have grown, over their own size.
func TellPacking(tell func(cells int, size float64)) func(*Problem) error {
	return func(p *Problem) error {
		p.packingTold = tell
		return nil
	}
}

// pack finds places for all suspended cells.
func (p *Problem) pack(cfg *packing.Config, kinds []packing.Kind) ([][]packing.Place, error) {
	c, first := p.Case, p.Case.Suspensions[0]
	if p.Flow.Nodes() <= mostCounted {
		if filled := packing.Fills(*cfg, kinds); filled > packing.Densest {
			return nil, c.Errorf(hematocritKey(&first), "%s", fillsText(p.askedAll(), filled, cfg.Gap))
		}
	}
	pool := parallel.NewPool(max(1, min(runtime.NumCPU(), threadsOf(c.Run.Threads))))
	defer pool.Close()
	if cfg.Work = p.packingWork; p.packingTold != nil {
		cells := 0
		for i := range kinds {
			cells += kinds[i].Count
		}
		cfg.Told = func(size float64) { p.packingTold(cells, size) }
	}
	places, err := packing.Pack(*cfg, kinds, parallel.Loops{Pool: pool})
	var short *packing.Error
	if errors.As(err, &short) && short.Tries == 0 {
		return nil, c.Errorf(hematocritKey(&first), "%s", shortOf(p.askedAll(), short.Reached, cfg.Gap))
	}
	if errors.As(err, &p.Unpacked) {
		return places, nil
	}
	if err != nil {
		return nil, c.Errorf(first.Key, "%v", err)
	}
	return places, nil
}

// mostCounted is of how many nodes the room of cells is counted before they are packed: cells are small, in nodes, where there are few.
const mostCounted = 4_000_000

// fillsText says that cells cannot be packed to a haematocrit, as they fill more of their room than any packing does.
func fillsText(hematocrit, filled, gap float64) string {
	const remedy = "use a lower one, or a finer reference.resolution"
	if math.IsInf(filled, 1) {
		return fmt.Sprintf("%.4g of the fluid cannot be packed: nowhere are cells %.3g nodes away from walls and their supports clear of them: %s", hematocrit, gap, remedy)
	}
	return fmt.Sprintf("%.4g of the fluid cannot be packed without overlap: cells that keep %.3g nodes apart and their supports away from walls fill %.2g of the room that is left, must be at most %.2g: %s",
		hematocrit, gap, filled, packing.Densest, remedy)
}

// shortOf says that cells could not be packed to a haematocrit, as they reached only so much of their size, or came nearer than the gap in nodes.
func shortOf(hematocrit, reached, gap float64) string {
	const remedy = "use a lower one, another seed, or a finer reference.resolution"
	if reached == 1 {
		return fmt.Sprintf("%.4g of the fluid cannot be packed: cells find room, but not %.3g nodes apart from each other and with their supports away from walls, as they must begin: %s", hematocrit, gap, remedy)
	}
	return fmt.Sprintf("%.4g of the fluid cannot be packed without overlap: %.3g could, of cells that keep %.3g nodes apart and their supports away from walls: %s",
		hematocrit, digitsBelow(math.Pow(reached, 3)*hematocrit), gap, remedy)
}

// hematocritKey is the key that says how many cells there are.
func hematocritKey(s *casefile.Suspension) string {
	if s.Discharge > 0 {
		return s.Key + ".discharge_hematocrit"
	}
	return s.Key + ".hematocrit"
}

// threadsOf is how many threads a case asks for: all where it does not.
func threadsOf(asked int) int {
	if asked > 0 {
		return asked
	}
	return math.MaxInt32
}

// askedAll is the haematocrit of all suspensions.
func (p *Problem) askedAll() (h float64) {
	for i := range p.Suspended {
		h += p.Suspended[i].Hematocrit()
	}
	return h
}

// materialKey is where the membrane of an elastic body is in the case file.
func materialKey(b casefile.Body) string {
	if strings.HasPrefix(b.Key, "suspension.") {
		return b.Key + ".material"
	}
	return b.Key + ".motion"
}
