package casefile

// Shape is the geometry of a body or a solid. Of the fields those have a meaning
// that its type takes.
type Shape struct {
	Type      string
	Center    [3]float64   // L, of all but box, polygon, line and union; of stl where Placed
	Diameter  float64      // L, of circle, sphere, cylinder and rbc
	Min, Max  [3]float64   // L, of box
	Axes      [3]float64   // L, full axes of ellipse and ellipsoid
	Angle     float64      // degrees, anticlockwise; about Axis in space
	Axis      [3]float64   // of unit length
	Points    [][3]float64 // L, of polygon and line
	Digits    string       // of naca
	Chord     float64      // L, of naca
	Length    float64      // L, of cylinder
	Direction [3]float64   // of cylinder, of unit length
	Caps      bool         // of cylinder: closed ends
	File      string       // of stl: joined with the case's folder
	SHA256    string       // of that file, in hexadecimal
	Scale     float64      // of stl: L per unit of the file
	Placed    bool         // of stl: Center is given, and the centroid moves there
	Open      bool         // of stl: need not be watertight
	Of        []Shape      // of union
}
