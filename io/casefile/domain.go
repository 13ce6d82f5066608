package casefile

import (
	"math"
	"strings"
)

// maxNodes bounds the nodes of a domain, which are counted in 32 bits; in a vessel those of the fluid are, once they are found.
const maxNodes = math.MaxInt32

// Domain is the box that the fluid fills. In two dimensions the z entries of
// vectors are 0 and Nodes[2] is 1.
type Domain struct {
	Lattice string // D2Q9 | D3Q19
	Dim     int

	Size, Origin [3]float64 // L
	Force        [3]Varying // uniform body force per mass, U²/L
	Flow         *HeldFlow  // held by a force along its axis; nil: none
	Follow       *Follow    // a body that the domain goes along with; nil: it stays
	Gravity      [3]float64 // acts on free bodies, U²/L
	Nodes        [3]int     // round(Size·Resolution)

	Initial  Initial
	Vessel   *Vessel // the fluid is inside; nil: the box is the domain
	Boundary [6]Face // left right bottom top front back: −x +x −y +y −z +z
}

// Initial is the state at t = 0.
//
//	rest          u = 0
//	uniform       u = Velocity
//	couette       u = Velocity·η, η from 0 at the bottom to 1 at the top
//	poiseuille    u = Velocity·4η(1−η)
//	taylor-green  cells of Wavenumber periods along x and along y, largest speed
//	              along x Amplitude, on top of Velocity
//	shear         u_x = Amplitude·sin(2π·Wavenumber·η), on top of Velocity
//	file          velocity, and density where it is there, of a field file on the
//	              same nodes
type Initial struct {
	Type       string
	Velocity   [3]float64 // U
	Bottom     [3]float64 // U, of couette there
	Amplitude  float64    // U
	Wavenumber float64    // whole periods per domain size
	Path       string     // of a field file, joined with the case's folder
	SHA256     string     // of that file, in hexadecimal
}

var latticeDim = map[string]int{"D2Q9": 2, "D3Q19": 3}

func readDomain(t *table) {
	d := &t.r.c.Domain
	d.Lattice = t.choice("lattice", "")
	d.Dim = latticeDim[d.Lattice]
	if t.has("vessel") {
		readVessel(t)
	} else {
		t.table("vessel")
		d.Size = t.requiredVector("size", spec{Length, positive, "give the extent of the domain in L, for instance [40.0, 15.0]"})
		d.Origin = t.vector("origin", spec{quantity: Length}, [3]float64{})
	}
	d.Force = t.varyingVector("force", spec{quantity: Acceleration, remedy: "give U²/L, or an expression of t"})
	readHeldFlow(t.table("flow"))
	readFollow(t.table("follow"))
	d.Gravity = t.vector("gravity", spec{quantity: Acceleration}, [3]float64{})
	t.r.countNodes()
	readInitial(t.table("initial"))
	boundary := t.table("boundary")
	if d.Vessel != nil {
		t.refuse("has no effect with a vessel, whose fluid reaches no face", "boundary")
		boundary = &table{r: t.r, path: boundary.path}
	}
	readBoundary(boundary)
}

// countNodes computes the lattice and refuses one that cannot be.
func (r *reader) countNodes() {
	d := &r.c.Domain
	if !r.clean("domain.lattice", "domain.size", "domain.vessel", "reference.resolution") {
		return
	}
	d.Nodes = [3]int{1, 1, 1}
	total, sound := 1.0, true
	var counts []string
	for i := range d.Dim {
		n := math.Round(d.Size[i] * r.c.Reference.Resolution)
		if n < 1 {
			sound = false
			r.fail("domain.size", "%v L along %c gives round(size·resolution) = 0 nodes, must be at least 1: enlarge it to %.3g L or raise reference.resolution",
				d.Size[i], "xyz"[i], 1/r.c.Reference.Resolution)
		}
		total *= n
		counts = append(counts, formatCount(n))
		d.Nodes[i] = int(min(n, maxNodes))
	}
	if sound && total > maxNodes && d.Vessel == nil { // in a vessel those of the fluid count
		r.fail("domain.size", "gives %s = %s nodes at reference.resolution = %v, must be fewer than 2^31 (2.1e9): make the domain smaller or lower the resolution",
			strings.Join(counts, " × "), formatCount(total), r.c.Reference.Resolution)
	}
}

func readInitial(t *table) {
	in := &t.r.c.Domain.Initial
	if !t.present {
		in.Type = "rest"
		t.note("type", in.Type)
		return
	}
	if in.Type = t.variant(); in.Type == "" {
		return
	}
	speed := spec{quantity: Velocity, remedy: "give the velocity in U, for instance [1.0, 0.0]"}
	idle := `has no effect with type = "` + in.Type + `"`
	if in.Type != "file" {
		t.refuse(idle, "path")
	}
	switch in.Type {
	case "uniform":
		in.Velocity = t.requiredVector("velocity", speed)
	case "couette", "poiseuille":
		in.Velocity = t.vector("velocity", speed, [3]float64{1, 0, 0})
		if in.Velocity[1] != 0 {
			t.fail("velocity", "has y component %v, must be 0: the profile lies along y, between the faces bottom and top", in.Velocity[1])
		}
		if in.Type == "couette" && t.has("bottom") {
			in.Bottom = t.vector("bottom", speed, in.Bottom)
			if in.Bottom[1] != 0 {
				t.fail("bottom", "has y component %v, must be 0: the profile lies along y, between the faces bottom and top", in.Bottom[1])
			}
		}
	case "taylor-green", "shear":
		in.Velocity = t.vector("velocity", speed, [3]float64{})
		in.Amplitude = t.number("amplitude", spec{Velocity, positive, "give the amplitude in U, for instance 1.0"}, 1)
		in.Wavenumber = float64(t.integer("wavenumber", 1, 1<<20, 1, "give the number of whole periods per domain size"))
	case "file":
		in.Path, in.SHA256 = readFile(t, "path", "give the path of a field file, for instance \"other.out/fields/flow_001000.vtkhdf\"", atMost(t.r.mostField(), "give the field file of a run on as many nodes"))
		t.refuse(idle, "velocity")
	case "rest":
		t.refuse(idle, "velocity")
	}
	if in.Amplitude == 0 {
		t.refuse(idle, "amplitude", "wavenumber")
	}
	if in.Type != "couette" {
		t.refuse(idle, "bottom")
	}
	t.r.checkSpeed(t.path, max(norm(in.Velocity)+in.Amplitude, norm(in.Bottom)))
}

// mostField bounds the bytes of a field file on the nodes of the domain: three
// quantities of three components in double precision, and much for what is beside them.
func (r *reader) mostField() int64 {
	nodes := int64(1)
	for _, n := range r.c.Domain.Nodes {
		nodes = min(nodes*int64(max(n, 1)), maxNodes)
	}
	return nodes*9*8 + 64<<20
}

// inside reports whether a point lies in the closed domain.
func (d *Domain) inside(x [3]float64) bool {
	for i := range d.Dim {
		if !(d.Origin[i] <= x[i] && x[i] <= d.Origin[i]+d.Size[i]) {
			return false
		}
	}
	return true
}

// extent describes the domain in a message: "0..40 × 0..15".
func (d *Domain) extent() string {
	var sides []string
	for i := range d.Dim {
		sides = append(sides, formatNumber(d.Origin[i])+".."+formatNumber(d.Origin[i]+d.Size[i]))
	}
	return strings.Join(sides, " × ")
}

func norm(v [3]float64) float64 { return math.Hypot(math.Hypot(v[0], v[1]), v[2]) }
