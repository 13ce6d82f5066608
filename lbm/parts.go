package lbm

// Part is a box of nodes of one width, of several of which a fluid may be made: Lo ≤ p < Hi in nodes of the finest width.
type Part struct {
	Level  int // 0: the coarsest
	Width  int // of its nodes, in those of the finest; along z, too, but in the plane
	Lo, Hi [3]int
}

// Size is how many nodes the part has along each axis of a lattice.
func (p *Part) Size(l *Lattice) (n [3]int) {
	for a := range n {
		if n[a] = p.Hi[a] - p.Lo[a]; a < l.Dim {
			n[a] /= p.Width
		}
	}
	return n
}

// Nodes is how many nodes the part has, those that finer parts cover included.
func (p *Part) Nodes(l *Lattice) int {
	n := p.Size(l)
	return n[0] * n[1] * n[2]
}

// Parted is a fluid that may be made of several parts. What is read of all of it by parts takes the room of its nodes, by Fluid's
// Population and Box that of a grid of the finest width.
type Parted[T Float] interface {
	// Parts are those of the fluid, coarser ones before finer ones, always in the same order.
	Parts() []Part

	// PartPopulation is Population of a part, x fastest; 0 at nodes that finer parts cover, on which no future depends.
	PartPopulation(part, i int, dst []T)

	// PartBox reads density and velocity of all nodes of a part, as Box does. At nodes that finer parts cover they mean nothing.
	PartBox(part int, rho []T, u [][]T)

	// SetParts is SetState of a state by parts.
	SetParts(PartsState[T]) error
}

// PartsState is all that the future of a fluid of several parts depends on.
type PartsState[T Float] struct {
	Steps       int64
	Populations [][][]T   // of each part what State has
	Open        []float64 // as Fluid.OpenFaces tells
}

// PartsOf are the parts of a fluid; one grid is one part.
func PartsOf[T Float](f Fluid[T]) []Part {
	if p, ok := f.(Parted[T]); ok {
		return p.Parts()
	}
	return []Part{{Width: 1, Hi: f.Config().Size}}
}

// PartPopulation is that of Parted, of any fluid.
func PartPopulation[T Float](f Fluid[T], part, i int, dst []T) {
	if p, ok := f.(Parted[T]); ok {
		p.PartPopulation(part, i, dst)
		return
	}
	f.Population(i, dst)
}

// PartBox is that of Parted, of any fluid.
func PartBox[T Float](f Fluid[T], part int, rho []T, u [][]T) {
	if p, ok := f.(Parted[T]); ok {
		p.PartBox(part, rho, u)
		return
	}
	f.Box([3]int{}, f.Config().Size, rho, u)
}

// SetParts is that of Parted, of any fluid.
func SetParts[T Float](f Fluid[T], s PartsState[T]) error {
	if p, ok := f.(Parted[T]); ok {
		return p.SetParts(s)
	}
	return f.SetState(State[T]{Steps: s.Steps, Populations: s.Populations[0], Open: s.Open})
}

// PortSumming is a fluid some of whose ports may go on in other parts: sums of all parts are those of one, bit by bit. Parts without cuts have empty ones.
type PortSumming interface {
	PortFlowSum(port int) Sum
	PortDensitySum(port int) (sum Sum, nodes int64)
	WallFlowSum() Sum

	// SetPortFlows tells what enters through each port in the step that comes, in all parts together: it drives windkessel ports. The fluid keeps the list.
	SetPortFlows(flows []float64)
}
