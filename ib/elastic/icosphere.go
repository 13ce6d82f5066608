package elastic

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/internal/finite"
)

// MaxFrequency is the highest frequency of a subdivided icosahedron: 40,962 vertices, a sphere of radius 53 with edges one long.
const MaxFrequency = 64

// NewSphere is the sphere as an icosahedron whose edges are divided into frequency
// parts: 10 frequency² + 2 vertices, 20 frequency² triangles, 642 and 1280 at 8.
// Twelve vertices have five triangles, all others six. Vertices lie on the sphere,
// so that area and volume are less than its own by O(1/frequency²). A frequency
// that is not 1 to MaxFrequency, a centre that is not finite and a diameter that is
// not positive are refused.
func NewSphere(frequency int, center geometry.Vec, diameter float64) (*Mesh, error) {
	if err := checkRound("sphere", frequency, center, diameter); err != nil {
		return nil, err
	}
	points, triangles := icosphere(frequency)
	for v, p := range points {
		points[v] = center.Add(p.Scale(diameter / 2))
	}
	return NewMesh(points, triangles)
}

func checkRound(shape string, frequency int, center geometry.Vec, diameter float64) error {
	switch {
	case frequency < 1 || frequency > MaxFrequency:
		return fmt.Errorf("elastic: %s: frequency of the icosahedron is %d, must be 1 to %d: 8 gives 642 vertices", shape, frequency, MaxFrequency)
	case !finite.Is(center[0]) || !finite.Is(center[1]) || !finite.Is(center[2]):
		return fmt.Errorf("elastic: %s: centre is %v, must be finite: correct it", shape, center)
	case !(diameter > 0) || math.IsInf(diameter, 0):
		return fmt.Errorf("elastic: %s: diameter is %v, must be positive and finite: correct it", shape, diameter)
	}
	return nil
}

// Frequency is the frequency whose subdivided icosahedron has about so many
// vertices, at least 1: 8 for 642.
func Frequency(vertices int) int {
	return max(1, int(math.Round(math.Sqrt(float64(max(vertices, 12)-2)/10))))
}

// icosphere is the unit sphere: every face of the icosahedron is divided into
// frequency² triangles. A point of a face with barycentric coordinates u is in the
// direction Σ sin(u_i ω) c_i, c the corners and ω the angle between them: edges are
// divided evenly, and triangles in the middle of a face come out larger than those
// at its corners by less than with Σ u_i c_i.
func icosphere(frequency int) (points []geometry.Vec, triangles [][3]int) {
	corners, faces := icosahedron()
	omega := math.Acos(1 / math.Sqrt(5))
	number := make(map[facePoint]int)
	for _, face := range faces {
		at := func(i, j int) int {
			key := newFacePoint(face, [3]int{frequency - i - j, i, j})
			v, met := number[key]
			if !met {
				var p geometry.Vec
				for a, c := range key.corner {
					if c >= 0 {
						p = p.Add(corners[c].Scale(math.Sin(float64(key.share[a]) / float64(frequency) * omega)))
					}
				}
				v = len(points)
				number[key] = v
				points = append(points, p.Scale(1/p.Norm()))
			}
			return v
		}
		for i := range frequency {
			for j := range frequency - i {
				triangles = append(triangles, [3]int{at(i, j), at(i+1, j), at(i, j+1)})
				if i+j < frequency-1 {
					triangles = append(triangles, [3]int{at(i+1, j), at(i+1, j+1), at(i, j+1)})
				}
			}
		}
	}
	return points, triangles
}

// facePoint is a point of a face of the icosahedron, the same for all faces that have it.
type facePoint struct {
	corner [3]int // in rising order, −1 for those without a share
	share  [3]int
}

// newFacePoint is the point of a face with the given shares of its corners.
func newFacePoint(face, share [3]int) facePoint {
	n := 0
	p := facePoint{corner: [3]int{-1, -1, -1}}
	for a := range 3 {
		if share[a] == 0 {
			continue
		}
		i := n
		for ; i > 0 && p.corner[i-1] > face[a]; i-- {
			p.corner[i], p.share[i] = p.corner[i-1], p.share[i-1]
		}
		p.corner[i], p.share[i] = face[a], share[a]
		n++
	}
	return p
}

// icosahedron has its corners on the unit sphere, a pair of them along z, and its
// faces anticlockwise as seen from outside.
func icosahedron() (corners []geometry.Vec, faces [][3]int) {
	z, r := 1/math.Sqrt(5), 2/math.Sqrt(5)
	corners = append(corners, geometry.Vec{0, 0, 1})
	for k := range 10 { // upper and lower ring, in turn
		sin, cos := math.Sincos(float64(k) * math.Pi / 5)
		corners = append(corners, geometry.Vec{r * cos, r * sin, z * float64(1-2*(k%2))})
	}
	corners = append(corners, geometry.Vec{0, 0, -1})
	ring := func(k int) int { return 1 + k%10 }
	for k := 0; k < 10; k += 2 {
		faces = append(faces,
			[3]int{0, ring(k), ring(k + 2)},
			[3]int{ring(k), ring(k + 1), ring(k + 2)},
			[3]int{ring(k + 1), ring(k + 3), ring(k + 2)},
			[3]int{11, ring(k + 3), ring(k + 1)})
	}
	return corners, faces
}
