package joined

// Orders of rank 0, each with the part that it is about, if it is about one, and what it needs.
const (
	orderEnd        = iota
	orderStep       // acceleration known?, acceleration
	orderTogether   // likewise, and words for the aide
	orderDrive      // acceleration known?, acceleration: of the state that is to be set
	orderCopy       // what flies between parts is to be in ghosts
	orderBegin      // the initial state that all ranks know
	orderHealth     //
	orderList       // part, slot, nodes: a list of nodes
	orderForces     // part, new?, nodes, values, runs: where forces act in the next step; not new: as before
	orderMoments    // part, slot
	orderCorrect    // part, slot
	orderBox        // part, lo, hi, density?, velocity?
	orderMomentum   // part, lo, hi
	orderInflow     // part, lo, hi
	orderInitialize // part: samples of a state
	orderPopulation // part, direction
	orderOpenFaces  // part
	orderSetState   // part, steps, values of open faces, steps of the fluid
	orderSeam       // undivided box
	orderSetSeam    // undivided box
	orderFetch      // part, nodes of all directions, one after the other
	orderPut        // part, nodes
	orderFields     // part, density?, velocity?
	orderPort       // part, port: what enters, and the densities beside it
	orderWall       // part: what interpolation adds
)
