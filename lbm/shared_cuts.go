package lbm

// Cuts are the links of a flow that a surface cuts as they are written (see cutLinks), for a fluid elsewhere.
type Cuts[T Float] struct {
	Nodes   []CutNode[T] // in ascending order
	Patches []int32      // the patch of each piece of the wall: see patches
	Shares  []int32      // of each patch: the nodes that give back what it has gained, in equal parts
}

// CutNode is a node with cut links, in the order of their directions.
type CutNode[T Float] struct {
	Node  int32
	Piece int32 // of the wall; −1: its cut links are those of ports
	Links []CutLink[T]
}

// CutLink is population I of a node. At the wall it is Share of what comes back, and 1 − Share of what arrives against it (of a near wall), or of
// what was I after the last collision (Far).
type CutLink[T Float] struct {
	I     uint8
	Far   bool
	Port  int16 // −1: the wall
	Share T
	Gain  T // of a velocity port: what it adds at an amplitude of 1
}

// CompileCuts compiles the cut links of a configuration. Pieces are in the order in which Fluid.OpenFaces tells what they have gained,
// behind the pressures of windkessel ports.
func CompileCuts[T Float](c *Config) (*Cuts[T], error) {
	_, runs, err := findRuns(c)
	if err != nil {
		return nil, err
	}
	out, links := &Cuts[T]{}, make([]CutLink[T], len(c.Cuts))
	var ports []portLink[T]
	var p patches[T]
	run, begin, at := 0, 0, c.cursor()
	for k := range c.Cuts {
		cut := &c.Cuts[k]
		where := at.position(cut.Node)
		rule, q := c.ruleOf(cut, where)
		l := &links[k]
		*l = CutLink[T]{I: cut.I, Port: cut.Port, Far: rule == cutFar, Share: 1}
		if k == 0 || c.Cuts[k-1].Node != cut.Node {
			out.Nodes, begin = append(out.Nodes, CutNode[T]{Node: cut.Node, Piece: -1}), k
		}
		n := &out.Nodes[len(out.Nodes)-1]
		n.Links = links[begin : k+1 : k+1]
		switch rule {
		case cutNear:
			l.Share = 2 * T(q)
		case cutFar:
			l.Share = 1 / (2 * T(q))
		default:
			ports = append(ports, portLink[T]{port: int32(cut.Port), gain: gainOf[T](c, cut, c.inWhole(where))})
			continue
		}
		for cut.Node >= runs[run].first+runs[run].n {
			run++
		}
		p.add(c.inWhole(where), run, uint16(cut.Node-runs[run].first))
		n.Piece = int32(len(p.of) - 1)
	}
	scalePorts(c, ports)
	next := 0
	for k := range links {
		if links[k].Port >= 0 {
			links[k].Gain = ports[next].gain
			next++
		}
	}
	out.Patches, out.Shares = p.of, p.nodes
	return out, nil
}
