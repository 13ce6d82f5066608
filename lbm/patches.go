package lbm

// Interpolation at walls does not conserve mass: in developed flow through a tube of a radius of 6 nodes walls take some 0.1 % of it per
// diameter of length, and that much more in narrow places. To give it back at every node makes the walls stairs, to first order
// (through an oblique tube of a radius of 17 nodes velocities are off by 10⁻³ of the peak instead of 4·10⁻⁴): what crosses the links
// of a node is not zero, where the wall is not halfway; its sum over a piece of the wall is. So patches of the wall, a few nodes wide,
// give back what they have gained in the step before, their nodes' rest populations in equal parts.

// PatchWidth is that of patches in nodes. Parts of a flow with cuts end at multiples of it, so that each patch lies in one.
const PatchWidth = 8

// patches are those of a wall, and where the nodes of each run that have cut links lie in them.
type patches[T Float] struct {
	number  map[[3]int]int32 // while they are compiled
	nodes   []int32          // of each patch
	back    []T              // what each of its nodes gives back in the step at hand
	of      []int32          // the patch of each piece: nodes of a run in one patch
	first   []int32          // pieces of each run
	gained  []T              // by each piece in the last step
	lastRun int
	lastX   int
}

// add takes in a link of a node of a run, at a place of the whole flow; nodes come in order.
func (p *patches[T]) add(at [3]int, run int, x uint16) {
	if p.number == nil {
		p.number, p.lastRun, p.lastX = map[[3]int]int32{}, -1, -1
	}
	if run == p.lastRun && int(x) == p.lastX {
		return
	}
	key := [3]int{at[0] / PatchWidth, at[1] / PatchWidth, at[2] / PatchWidth}
	n, known := p.number[key]
	if !known {
		n = int32(len(p.nodes))
		p.number[key], p.nodes = n, append(p.nodes, 0)
	}
	p.nodes[n]++
	if run != p.lastRun || p.of[len(p.of)-1] != n {
		p.of = append(p.of, n)
	}
	p.lastRun, p.lastX = run, int(x)
}

func (p *patches[T]) allocate() {
	p.number = nil
	p.back, p.gained = make([]T, len(p.nodes)), make([]T, len(p.of))
}

// reset forgets what patches have gained.
func (p *patches[T]) reset() {
	clear(p.back)
	clear(p.gained)
}

// share finds what nodes give back, in the order of the pieces.
func (p *patches[T]) share() {
	clear(p.back)
	for k, n := range p.of {
		p.back[n] += p.gained[k]
	}
	for n := range p.back {
		p.back[n] /= T(p.nodes[n])
	}
	clear(p.gained)
}

// gains is what each piece has gained.
func (p *patches[T]) gains() (all []float64) {
	for _, v := range p.gained {
		all = append(all, float64(v))
	}
	return all
}

// setGains restores it.
func (p *patches[T]) setGains(values []float64) {
	for k := range p.gained {
		p.gained[k] = T(values[k])
	}
}

// wallNode is the node of a run whose links are being written.
type wallNode[T Float, S Stored] struct {
	of    *patches[T]
	first *S  // of the run
	rest  int // from there to the rest population of its first node
	start int // where the run begins in its row, of the whole flow
	x     int // the node's place in the run, −1: none yet
	at    int // its piece
	patch int // which of the row's it is in
	seed  uint32
}

// noiseOfRest is where the noise of rest populations begins among that of a row's walls, behind that of cut links.
const noiseOfRest = 1 << 30

// gains accounts for a link of the x-th node. A node that is seen first gives back its share.
func (w *wallNode[T, S]) gains(x int, mass T) {
	p := w.of
	if x != w.x {
		if patch := (w.start + x) / PatchWidth; patch != w.patch {
			w.patch = patch
			w.at++
		}
		w.x = x
		if back := p.back[p.of[w.at]]; back != 0 {
			f := element(w.first, x+w.rest)
			*f = dithered[S](decode[T](*f)-back, noise[S](w.seed, noiseOfRest+w.start+x), 0)
		}
	}
	p.gained[w.at] += mass
}

// WallPieces are the pieces of a flow's walls, in the order in which Fluid.OpenFaces tells what they have gained: of each the first node, at
// its place in the whole flow.
func (c *Config) WallPieces() (first [][3]int) {
	if len(c.Cuts) == 0 {
		return nil
	}
	_, runs, err := findRuns(c)
	if err != nil {
		return nil
	}
	var p patches[float64]
	cuts, at := c.Cuts, c.cursor()
	for k := range runs {
		r := &runs[k]
		for ; len(cuts) > 0 && cuts[0].Node < r.first+r.n; cuts = cuts[1:] {
			if cuts[0].Port >= 0 {
				continue
			}
			before, place := len(p.of), c.inWhole(at.position(cuts[0].Node))
			if p.add(place, k, uint16(cuts[0].Node-r.first)); len(p.of) > before {
				first = append(first, place)
			}
		}
	}
	return first
}

// inWhole is where a node of a part is in the whole flow.
func (c *Config) inWhole(p [3]int) [3]int {
	for a := range p {
		p[a] += c.Origin[a]
	}
	return p
}
