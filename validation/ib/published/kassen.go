// Package published has the numbers that papers give for values that go between markers
// and grid, which lbmib bench ib puts beside those of a machine.
package published

// Names of what is done.
const (
	Interpolate = "interpolate"
	Spread      = "spread"
)

// KassenSource is the paper of what is named after Kassen.
const KassenSource = "Kassen, Shankar & Fogelson, A fine-grained parallelization of the immersed boundary method"

// KassenRefinements are the columns of their Table 1, KassenPoints its points and
// KassenSteps its steps.
var KassenRefinements = []int{16, 32, 64, 128}

const (
	KassenPoints = 1 << 16
	KassenSteps  = 1000
)

// Devices of the paper, double precision.
const (
	KassenOne  = "1 × Xeon E5-2697 v2 core"
	KassenMany = "16 × Xeon E5-2697 v2 core"
	KassenGPU  = "Tesla K80, one GK210"
)

// KassenTable1 is their Table 1: seconds per call of all components.
var KassenTable1 = []struct {
	Device, Op string
	Number     int        // of the algorithm
	Seconds    [4]float64 // for KassenRefinements
}{
	{KassenOne, Spread, 2, [4]float64{1.33249, 1.33621, 1.33840, 1.37281}},
	{KassenOne, Interpolate, 3, [4]float64{1.29633, 1.31373, 1.30763, 1.35101}},
	{KassenMany, Interpolate, 3, [4]float64{0.09890, 0.09928, 0.09974, 0.10624}},
	{KassenMany, Spread, 4, [4]float64{0.23282, 0.26431, 0.25783, 0.26590}},
	{KassenMany, Spread, 5, [4]float64{0.12803, 0.14213, 0.15215, 0.20107}},
	{KassenMany, Spread, 6, [4]float64{0.12965, 0.14242, 0.14766, 0.21874}},
	{KassenGPU, Interpolate, 3, [4]float64{0.01253, 0.01317, 0.01722, 0.01816}},
	{KassenGPU, Spread, 4, [4]float64{0.03930, 0.04020, 0.04215, 0.04755}},
	{KassenGPU, Spread, 5, [4]float64{0.01715, 0.02049, 0.02370, 0.03656}},
	{KassenGPU, Spread, 6, [4]float64{0.01804, 0.02198, 0.02873, 0.07288}},
}

// KassenTable2 is their Table 2, weak scaling on the GPU with Algorithms 3 and 6 at
// refinement 64 (the caption's h = 0.5 µm contradicts the text's 0.25 µm).
var KassenTable2 = []struct {
	Threads, Points     int
	Interpolate, Spread float64 // s
}{
	{128, 1 << 16, 0.43930, 0.47632},
	{256, 1 << 17, 0.44918, 0.46503},
	{512, 1 << 18, 0.45072, 0.44533},
	{1024, 1 << 19, 0.45442, 0.43561},
}

// KassenDifference is a row of their Tables 3 and 4: the difference of a quantity on the grid of spacing H from that
// on one of half of it, in units that they do not state, and the order that it makes with the row above.
type KassenDifference struct {
	H, L2, L2Order, Max, MaxOrder float64 // H in µm; no order: 0
}

// KassenTable3 is of the fluid's velocity. By the differences its first order in L2 is 5.69, not 5.715, and the
// caption's 160 µs are 16 in the text and in Table 4.
var KassenTable3 = []KassenDifference{
	{1, 2.2274e-2, 0, 7.4187e-2, 0},
	{0.5, 4.3280e-4, 5.71513, 1.9083e-3, 5.28079},
	{0.25, 1.4684e-4, 1.55951, 1.0847e-3, 0.81497},
}

// KassenTable4 is of the positions of data sites.
var KassenTable4 = []KassenDifference{
	{1, 2.9611e-3, 0, 4.7812e-3, 0},
	{0.5, 7.2997e-4, 2.02020, 1.1687e-3, 2.03253},
	{0.25, 3.5909e-4, 1.02351, 6.0956e-4, 0.93902},
}

// KassenTable5 is weak scaling with red cells on the GPU, Algorithms 3 and 6 at refinement 64.
var KassenTable5 = []struct {
	Threads, Cells      int
	Interpolate, Spread float64 // s
}{
	{64, 1, 0.01079, 0.11881},
	{128, 2, 0.01165, 0.11219},
	{256, 4, 0.01171, 0.11214},
	{512, 8, 0.01199, 0.11354},
}

// Sites of a red cell of Table 5.
const (
	KassenData    = 864
	KassenSamples = 8832
)

// Strong scaling on CPUs, section 4.1.2: factors of time per doubling of threads,
// and what sort–reduce takes on one thread over serial.
const (
	KassenDoublingInterpolate = 1.91
	KassenDoublingSpread      = 1.85
	KassenSingle              = 1.12
	KassenRefinement          = 64
)

// KassenNumber is the number in the paper of what a strategy does, or 0.
func KassenNumber(op, algorithm string) int {
	spreading := map[string]int{"serial": 2, "sort-reduce": 4, "shift-reduce": 4, "buffered": 5, "buffered-otf": 6}
	n := spreading[algorithm]
	if n > 0 && op == Interpolate {
		return 3
	}
	return n
}

// KassenSeconds is the paper's time of an algorithm on a device, or 0.
func KassenSeconds(device, op string, number, refinement int) float64 {
	for _, r := range KassenTable1 {
		if r.Device != device || r.Op != op || r.Number != number {
			continue
		}
		for i, n := range KassenRefinements {
			if n == refinement {
				return r.Seconds[i]
			}
		}
	}
	return 0
}

// KassenSpeedup is the paper's serial time over that of an algorithm, or 0.
func KassenSpeedup(device, op string, number, refinement int) float64 {
	s := KassenSeconds(device, op, number, refinement)
	if s == 0 {
		return 0
	}
	serial := map[string]int{Interpolate: 3, Spread: 2}
	return KassenSeconds(KassenOne, op, serial[op], refinement) / s
}
