package lbm

// FaceValues is how many numbers FaceExchanger has of a face node.
const FaceValues = 8 + maxEntering

// FaceExchanger is a fluid whose open faces may go on in others: what they keep of a node for the next step is read there, and
// put here, where the node is a ghost. A node at the end of a face takes what it needs of those beside it from there.
type FaceExchanger interface {
	// FetchFace reads what the open face on a side keeps of nodes of its own, numbered as OpenFace does: FaceValues of each, 0 where
	// nothing is kept.
	FetchFace(side int, nodes []int32, to []float64)

	// PutFace makes what it keeps of nodes what another fluid has fetched after as many steps. It comes after a FetchFace.
	PutFace(side int, nodes []int32, from []float64)
}

// onSide is the open face on a side; nil: there is none.
func (o *openRows[T, S]) onSide(side int) *openFace[T] {
	for _, face := range o.faces {
		if face.Side == side {
			return face
		}
	}
	return nil
}

// FetchFace reads what an open face keeps of nodes; see FaceExchanger.
func (f *CPU[T, S]) FetchFace(side int, nodes []int32, to []float64) {
	o := f.open.onSide(side)
	if o == nil {
		clear(to)
		return
	}
	f.readyFaces()
	now := f.steps & 1
	for k, n := range nodes {
		v := to[k*FaceValues : (k+1)*FaceValues]
		clear(v)
		put := func(s openState, at int) { v[at], v[at+1], v[at+2], v[at+3] = s.r, s.n, s.p, s.q }
		put(o.inner[now][n], 0)
		if o.Kind == Outflow {
			put(o.state[now][n], 4)
		}
		for j := range o.dirs {
			v[8+j] = float64(o.excess[now][j*o.count+int(n)])
		}
	}
}

// PutFace overwrites it; see FaceExchanger.
func (f *CPU[T, S]) PutFace(side int, nodes []int32, from []float64) {
	o := f.open.onSide(side)
	if o == nil {
		return
	}
	now := f.steps & 1
	for k, n := range nodes {
		v := from[k*FaceValues : (k+1)*FaceValues]
		o.inner[now][n] = openState{v[0], v[1], v[2], v[3]}
		if o.Kind == Outflow && !o.Absent[n] {
			o.state[now][n] = openState{v[4], v[5], v[6], v[7]}
			o.send(&f.tables, f.steps, int(n))
		}
		for j := range o.dirs {
			o.excess[now][j*o.count+int(n)] = T(v[8+j])
		}
	}
}

// readyFaces has open faces keep what the next step needs: what it would begin with.
func (f *CPU[T, S]) readyFaces() {
	f.complete()
	if f.open.stale.Load() {
		f.open.captureAll(&f.rates, f.steps)
	}
	f.advanceFaces()
}

// advanceFaces brings outflows to the step that comes next.
func (f *CPU[T, S]) advanceFaces() {
	if f.open.due {
		f.setDrive()
		f.open.advance(f.steps, &f.amplitude[f.phase], 0, 1)
		f.open.due = false
	}
}

// FaceStateValues is how many numbers Fluid.OpenFaces has of each node of an outflow: density less one, and the velocity.
const FaceStateValues = 4

// FaceMemory is how many numbers Fluid.OpenFaces has of outflow faces.
func (c *Config) FaceMemory() (n int) {
	for _, o := range c.OpenFaces() {
		if o.Kind == Outflow {
			n += FaceStateValues * len(o.Absent)
		}
	}
	return n
}

// FaceMemoryAt is where those of each outflow face begin.
func (c *Config) FaceMemoryAt() (first [6]int) {
	n := 0
	for _, o := range c.OpenFaces() {
		if o.Kind == Outflow {
			first[o.Side] = n
			n += FaceStateValues * len(o.Absent)
		}
	}
	return first
}
