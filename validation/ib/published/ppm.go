package published

// PPMSource is the paper on particles and meshes.
const PPMSource = "Büyükkeçeci, Awile & Sbalzarini, A portable OpenCL implementation of generic particle–mesh and mesh–particle interpolation in 2D and 3D, Parallel Comput. 39 (2013) 94"

// PPMTable2 is Table 2 of the particle–mesh paper: speed-ups of a Tesla C2050 over
// eight threads of an AMD FX 8150, without and with the transfer between host and
// device, in this order: 2D f32, 2D f64, 3D f32, 3D f64.
var PPMTable2 = []struct {
	Op, Delta     string
	Without, With [4]float64
}{
	{Spread, "hat2", [4]float64{3.0, 1.8, 2.3, 1.8}, [4]float64{0.6, 0.3, 0.6, 0.4}},
	{Spread, "m4prime", [4]float64{4.3, 2.9, 4.8, 3.1}, [4]float64{1.7, 0.6, 1.7, 1.0}},
	{Interpolate, "hat2", [4]float64{1.8, 1.8, 1.9, 1.5}, [4]float64{0.4, 0.3, 0.6, 0.4}},
	{Interpolate, "m4prime", [4]float64{4.8, 3.6, 13.0, 8.5}, [4]float64{1.3, 0.8, 5.1, 2.8}},
}

// Particles of the largest problems of that table: a power of the edge of the mesh.
const (
	PPMEdge2D = 2048
	PPMEdge3D = 128
)
