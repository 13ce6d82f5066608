package transfer

// Published numbers that the tables put beside those of this machine.

const (
	kassenSource = "Kassen, Shankar & Fogelson, A fine-grained parallelization of the immersed boundary method"
	ppmSource    = "Büyükkeçeci, Awile & Sbalzarini, A portable OpenCL implementation of generic particle–mesh and mesh–particle interpolation in 2D and 3D, Parallel Comput. 39 (2013) 94"
)

// kassenRefinements are the columns of their Table 1, kassenPoints its points and
// kassenSteps its steps.
var kassenRefinements = []int{16, 32, 64, 128}

const (
	kassenPoints = 1 << 16
	kassenSteps  = 1000
)

// Devices of the paper, double precision.
const (
	kassenOne  = "1 × Xeon E5-2697 v2 core"
	kassenMany = "16 × Xeon E5-2697 v2 core"
	kassenGPU  = "Tesla K80, one GK210"
)

// kassenTable1 is their Table 1: seconds per call of all components.
var kassenTable1 = []struct {
	device, op string
	number     int // of the algorithm
	seconds    [4]float64
}{
	{kassenOne, spread, 2, [4]float64{1.33249, 1.33621, 1.33840, 1.37281}},
	{kassenOne, interpolate, 3, [4]float64{1.29633, 1.31373, 1.30763, 1.35101}},
	{kassenMany, interpolate, 3, [4]float64{0.09890, 0.09928, 0.09974, 0.10624}},
	{kassenMany, spread, 4, [4]float64{0.23282, 0.26431, 0.25783, 0.26590}},
	{kassenMany, spread, 5, [4]float64{0.12803, 0.14213, 0.15215, 0.20107}},
	{kassenMany, spread, 6, [4]float64{0.12965, 0.14242, 0.14766, 0.21874}},
	{kassenGPU, interpolate, 3, [4]float64{0.01253, 0.01317, 0.01722, 0.01816}},
	{kassenGPU, spread, 4, [4]float64{0.03930, 0.04020, 0.04215, 0.04755}},
	{kassenGPU, spread, 5, [4]float64{0.01715, 0.02049, 0.02370, 0.03656}},
	{kassenGPU, spread, 6, [4]float64{0.01804, 0.02198, 0.02873, 0.07288}},
}

// kassenTable2 is their Table 2, weak scaling on the GPU with Algorithms 3 and 6 at
// refinement 64 (the caption's h = 0.5 µm contradicts the text's 0.25 µm).
var kassenTable2 = []struct {
	threads, points     int
	interpolate, spread float64 // s
}{
	{128, 1 << 16, 0.43930, 0.47632},
	{256, 1 << 17, 0.44918, 0.46503},
	{512, 1 << 18, 0.45072, 0.44533},
	{1024, 1 << 19, 0.45442, 0.43561},
}

// Strong scaling on CPUs, section 4.1.2: factors of time per doubling of threads,
// and what sort–reduce takes on one thread over serial.
const (
	kassenDoublingInterpolate = 1.91
	kassenDoublingSpread      = 1.85
	kassenSingle              = 1.12
	kassenRefinement          = 64
)

// kassenNumber is the number in the paper of what a strategy does, or 0.
func kassenNumber(op, algorithm string) int {
	spreading := map[string]int{"serial": 2, "sort-reduce": 4, "shift-reduce": 4, "buffered": 5, "buffered-otf": 6}
	n := spreading[algorithm]
	if n > 0 && op == interpolate {
		return 3
	}
	return n
}

// kassenSeconds is the paper's time of an algorithm on a device, or 0.
func kassenSeconds(device, op string, number, refinement int) float64 {
	for _, r := range kassenTable1 {
		if r.device != device || r.op != op || r.number != number {
			continue
		}
		for i, n := range kassenRefinements {
			if n == refinement {
				return r.seconds[i]
			}
		}
	}
	return 0
}

// kassenSpeedup is the paper's serial time over that of an algorithm, or 0.
func kassenSpeedup(device, op string, number, refinement int) float64 {
	s := kassenSeconds(device, op, number, refinement)
	if s == 0 {
		return 0
	}
	serial := map[string]int{interpolate: 3, spread: 2}
	return kassenSeconds(kassenOne, op, serial[op], refinement) / s
}

// ppmTable2 is Table 2 of the particle–mesh paper: speed-ups of a Tesla C2050 over
// eight threads of an AMD FX 8150, without and with the transfer between host and
// device, in this order: 2D f32, 2D f64, 3D f32, 3D f64.
var ppmTable2 = []struct {
	op, delta     string
	without, with [4]float64
}{
	{spread, "hat2", [4]float64{3.0, 1.8, 2.3, 1.8}, [4]float64{0.6, 0.3, 0.6, 0.4}},
	{spread, "m4prime", [4]float64{4.3, 2.9, 4.8, 3.1}, [4]float64{1.7, 0.6, 1.7, 1.0}},
	{interpolate, "hat2", [4]float64{1.8, 1.8, 1.9, 1.5}, [4]float64{0.4, 0.3, 0.6, 0.4}},
	{interpolate, "m4prime", [4]float64{4.8, 3.6, 13.0, 8.5}, [4]float64{1.3, 0.8, 5.1, 2.8}},
}

// Particles of the largest problems of that table: a power of the edge of the mesh.
const (
	ppmEdge2D = 2048
	ppmEdge3D = 128
)
