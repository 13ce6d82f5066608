package setup

import (
	"errors"
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/geometry/implicit"
	"lbmib/geometry/vessel"
	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/internal/xruns"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// Vessel is what the fluid is inside of, between its ports, in L, and its nodes on the lattice.
type Vessel struct {
	*vessel.Vessel
	Fluid   *vessel.Fluid
	Fastest []float64    // speed that a velocity port prescribes anywhere in the run, U; 0 of others
	Links   vessel.Links // how many the surface cuts, once the solids are marked; their list is Flow.Cuts
	marked  bool         // they are
}

// setVessel reads the vessel of a case, finds the nodes in it and what its ports do.
func (d *Domain) setVessel() error {
	c := d.Case
	if c.Domain.Vessel == nil {
		return nil
	}
	points, triangles, err := d.vesselSurface()
	if err != nil {
		return c.Errorf("domain.vessel.file", "%v", err)
	}
	ports := make([]vessel.Port, len(c.Ports))
	for i, p := range c.Ports {
		ports[i] = vessel.Port{Name: p.Name, Point: p.Point, Normal: p.Normal}
	}
	if n := d.Flow.BoxNodes(); d.masks() && n > math.MaxInt32 {
		s := d.Flow.Size
		return c.Errorf("domain.vessel", "gives %d × %d × %d = %.3g nodes at reference.resolution = %v, must be fewer than 2^31 (2.1e9) with bodies, suspensions, a device or a state from a file, which go by the nodes of the box: leave them out, lower the resolution, or correct the scale",
			s[0], s[1], s[2], float64(n), c.Reference.Resolution)
	}
	made, err := vessel.New(points, triangles, ports, 1/c.Reference.Resolution)
	if err != nil {
		return d.vesselError(err)
	}
	if n := made.Volume() * math.Pow(c.Reference.Resolution, 3); n > math.MaxInt32 { // before its nodes are listed
		return c.Errorf("domain.vessel", "holds some %.3g nodes at reference.resolution = %v, at most 2^31 (2.1e9) are numbered: lower the resolution, or correct the scale", n, c.Reference.Resolution)
	}
	made.Rough = c.Domain.Vessel.Image
	fluid, err := made.Fill(d.Place([3]float64{}), d.Flow.Size)
	if err != nil {
		return d.vesselError(err)
	}
	d.Vessel = &Vessel{Vessel: made, Fluid: fluid, Fastest: make([]float64, len(ports))}
	if !d.masks() {
		d.Flow.Inside = fluid.Set
	}
	for i := range c.Ports {
		port, err := d.port(i)
		if err != nil {
			return err
		}
		d.Flow.Ports = append(d.Flow.Ports, port)
	}
	return nil
}

// vesselError puts an error of a vessel to the key that it is about.
func (d *Domain) vesselError(err error) error {
	var port *vessel.PortError
	if errors.As(err, &port) {
		p := &d.Case.Ports[port.Port]
		return d.Case.Errorf(p.Key+".plane", "port %q: %v", p.Name, err)
	}
	return d.Case.Errorf("domain.vessel", "%v", err)
}

// vesselSurface are the triangles of the vessel's surface, in L.
func (d *Domain) vesselSurface() (points []geometry.Vec, triangles [][3]int, err error) {
	v := d.Case.Domain.Vessel
	if v.Image {
		return imageSurface(v)
	}
	s, err := d.Surface(v.Path)
	if err != nil {
		return nil, nil, err
	}
	if s.Report.Flipped {
		return nil, nil, fmt.Errorf("%s is inverted: its triangles face into the vessel, they must face out of it: flip the normals in the program that it comes from", v.Path)
	}
	points, triangles, _ = geometry.Triangles(s.Scaled(v.Scale))
	return points, triangles, nil
}

// imageSurface is where the voxels of an image pass the threshold, in L.
func imageSurface(v *casefile.Vessel) (points []geometry.Vec, triangles [][3]int, err error) {
	f, size, err := regular.Open(v.Path)
	if err != nil {
		return nil, nil, fmt.Errorf("the image cannot be read: %w: %s", err, durable.Remedy(err, "is the path right? It is relative to the case file"))
	}
	defer f.Close()
	image, err := implicit.ReadHeader(f, size)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", v.Path, err)
	}
	if image.Data != "" {
		data, n, err := regular.Open(implicit.DataPath(v.Path, image.Data))
		if err != nil {
			return nil, nil, fmt.Errorf("the data of the image cannot be read: %w: %s", err, durable.Remedy(err, "keep it beside its header, which names it"))
		}
		defer data.Close()
		f, size = data, n
	}
	grid, err := image.Read(f, size, v.Threshold, v.Below)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", v.Path, err)
	}
	points, triangles = grid.Surface()
	if len(triangles) == 0 {
		return nil, nil, fmt.Errorf("%s: no voxel passes the threshold %v inside of the image: choose one between the values in the vessel and around it", v.Path, v.Threshold)
	}
	for i := range points {
		points[i] = points[i].Scale(v.Scale)
	}
	return points, triangles, nil
}

// masks tells whether the walls around a vessel are a mask of the box, for bodies in it and what else goes by the nodes of the box; else the fluid is
// given by its runs, and nothing is as large as the box.
func (d *Domain) masks() bool {
	c := d.Case
	return len(c.Bodies)+len(c.Suspensions)+len(c.Refine) > 0 || c.Domain.Initial.Type == "file"
}

// TakeMask has walls be a mask of the box, whose nodes are numbered then. It is refused where they are too many to be counted.
func (d *Domain) TakeMask() (err error) {
	d.Flow, err = d.Flow.Masked()
	return err
}

// markVessel makes walls of what is outside of the vessel, and finds the links that its surface cuts.
func (d *Domain) markVessel() {
	links := d.Vessel.Fluid.Links(d.Flow.Lattice.C) // which leave nodes out
	if d.masks() {
		d.Flow.Solid = d.Vessel.Fluid.Solid()
	} else {
		d.Flow.Inside = d.Vessel.Fluid.Set
	}
	d.Flow.Cuts = make([]lbm.Cut, len(links.Cut))
	nx, ny := int64(d.Flow.Size[0]), int64(d.Flow.Size[1])
	for i, l := range links.Cut {
		row := l.Node / nx
		node := d.Flow.Node([3]int{int(l.Node % nx), int(row % ny), int(row / ny)})
		d.Flow.Cuts[i] = lbm.Cut{Node: int32(node), I: l.I, Port: l.Port, Q: l.Q}
	}
	links.Cut = nil
	d.Vessel.Links, d.Vessel.marked = *links, true
}

// without takes the nodes of a solid out of the fluid in a vessel, tells how many, and a port that has lost some of its links; −1: none has.
func (d *Domain) without(solid func(p [3]int) bool) (nodes int64, port int) {
	left, before := xruns.New(d.Flow.Size), d.Flow.Inside
	before.Each(func(_, y, z int, r xruns.Run) {
		for x := r.X0; x < r.X1; x++ {
			from := x
			for x < r.X1 && !solid([3]int{int(x), y, z}) {
				x++
			}
			if x > from {
				left.Add(y, z, xruns.Run{X0: from, X1: x})
			}
		}
	})
	left.Close()
	kept, at, port := d.Flow.Cuts[:0], before.Cursor(), -1
	for _, c := range d.Flow.Cuts {
		p := at.Position(int64(c.Node))
		switch n := left.Number(p[0], p[1], p[2]); {
		case n >= 0:
			c.Node = int32(n)
			kept = append(kept, c)
		case c.Port >= 0:
			port = int(c.Port)
		}
	}
	d.Flow.Inside, d.Flow.Cuts = left, kept
	return before.Nodes() - left.Nodes(), port
}

// dropCuts forgets the cut links of nodes that other solids have taken, and tells a port that has lost some; −1: none has.
func (d *Domain) dropCuts() (port int) {
	kept, port := d.Flow.Cuts[:0], -1
	for _, c := range d.Flow.Cuts {
		switch {
		case !d.Flow.Solid[c.Node]:
			kept = append(kept, c)
		case c.Port >= 0:
			port = int(c.Port)
		}
	}
	d.Flow.Cuts = kept
	return port
}

// port is a port of the vessel in lattice units.
func (d *Domain) port(i int) (out lbm.Port, err error) {
	p, u := &d.Case.Ports[i], d.Units
	if p.Flow != nil || p.Ramp > 0 || !p.Factor.Constant() || p.Factor.Value != 1 {
		out.Amplitude = func(step float64) float64 { return p.At(step * u.Dt) }
	}
	out.Density = 1 + 3*u.ToLattice(casefile.Pressure, p.Pressure)
	switch p.Type {
	case "velocity":
		out.Kind = lbm.PortVelocity
		s := &d.Vessel.Sections[i]
		profile, speed := profileOf(s, p.Profile), u.ToLatticeVelocity(d.MeanSpeed(i))
		out.FlowRate = u.ToLattice(casefile.FlowRate, d.MeanSpeed(i)*s.Area)
		out.Velocity = func(at [3]float64) (v [3]float64) {
			size := speed * profile(d.Place(at))
			for a := range v {
				v[a] = size * s.Normal[a]
			}
			return v
		}
		return out, d.checkInflow(i, s.Largest(profile))
	case "pressure":
		out.Kind = lbm.PortPressure
		return out, d.checkPressure(i)
	case "windkessel":
		out.Kind = lbm.PortWindkessel
		out.Resistance = u.ToLattice(casefile.Resistance, p.Resistance)
		out.Capacitance = u.ToLattice(casefile.Capacitance, p.Capacitance)
		return out, d.checkPressure(i)
	}
	panic(fmt.Sprintf("setup: port of type %q is not wired to package lbm", p.Type))
}

// profileOf is a named profile of a port's section.
func profileOf(s *vessel.Section, name string) vessel.Profile {
	switch name {
	case "parabolic":
		return s.Parabolic()
	case "poiseuille":
		return s.Poiseuille()
	}
	return s.Plug()
}

// MeanSpeed is the mean speed through velocity port i in U where its factor is 1; where its flow rate comes from a file, that of the flow rate 1.
func (d *Domain) MeanSpeed(i int) float64 {
	p, area := &d.Case.Ports[i], d.Vessel.Sections[i].Area
	switch {
	case p.Flow != nil:
		return 1 / area
	case p.FlowRate != 0:
		return p.FlowRate / area
	}
	return p.Speed
}

// PortRange are the least and the largest of what port i is multiplied by over the run.
func (d *Domain) PortRange(i int) (least, most float64) {
	p := &d.Case.Ports[i]
	least, most = math.Inf(1), math.Inf(-1)
	try := func(a float64) { least, most = math.Min(least, a), math.Max(most, a) }
	if p.Flow != nil {
		for _, a := range p.Flow.Factor {
			try(a)
		}
		return least, most
	}
	n := 1
	if !p.Factor.Constant() {
		n = portLooks
	}
	for k := range n + 1 {
		try(p.Factor.At(d.Case.Run.Time * float64(k) / float64(n)))
	}
	return least, most
}

// portLooks is how often what varies at a port is looked at over the run.
const portLooks = 20_000

// Bounds of what ports may prescribe: of the Mach number, as of every prescribed speed, and of the density's deviation.
const mostMach, mostDensity = 0.3, 0.3

// checkInflow refuses a velocity port that is too fast somewhere; largest is the largest speed over the mean.
func (d *Domain) checkInflow(i int, largest float64) error {
	least, most := d.PortRange(i)
	speed := math.Max(math.Abs(least), math.Abs(most)) * math.Abs(d.MeanSpeed(i)) * largest
	d.Vessel.Fastest[i] = speed
	if mach := speed * d.Case.Reference.Velocity * math.Sqrt(3); !(mach <= mostMach) {
		p := &d.Case.Ports[i]
		return d.Case.Errorf(p.Key, "port %q reaches %.4g U in the middle of its disc of %.4g L², which has Mach number %.3g, must be at most %v: lower reference.velocity to %.3g, or let less through",
			p.Name, speed, d.Vessel.Sections[i].Area, mach, mostMach, 0.99*d.Case.Reference.Velocity*mostMach/mach)
	}
	return nil
}

// checkPressure refuses a pressure with which the fluid would be too dense or too thin.
func (d *Domain) checkPressure(i int) error {
	p := &d.Case.Ports[i]
	least, most := d.PortRange(i)
	largest := math.Max(math.Abs(least), math.Abs(most)) * math.Abs(p.Pressure)
	if deviation := 3 * d.Units.ToLattice(casefile.Pressure, largest); !(deviation <= mostDensity) {
		return d.Case.Errorf(p.Key+".pressure", "port %q prescribes %.4g ρU², with which the density deviates by %.3g, must be at most %v: give pressures over one that all ports have in common, or lower reference.velocity to %.3g",
			p.Name, largest, deviation, mostDensity, 0.99*d.Case.Reference.Velocity*math.Sqrt(mostDensity/deviation))
	}
	return nil
}
