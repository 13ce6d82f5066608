package geometry

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"weak"
)

// NewNACA is the NACA four-digit section of the given digits ("0012", "2412"),
// the middle of its chord (z = 0) at center, its leading edge towards −x. The
// last coefficient of the thickness is −0.1036, which closes the trailing edge
// (Jacobs, Ward & Pinkerton, NACA Report 460 (1933); Ladson et al., NASA
// TM-4741 (1996)); the thickness is laid off across the camber line. Length and
// Frontal are the chord. Rotated turns about Center, the centroid, which is
// not the middle of the chord. Digits that make no section are refused.
func NewNACA(digits string, center Vec, chord float64) (Shape, error) {
	if err := checkPlane("naca", "center", center); err != nil {
		return nil, err
	}
	if err := checkSize("naca", "chord", chord); err != nil {
		return nil, err
	}
	var d [4]int
	valid := len(digits) == 4
	for k := range d {
		if valid = valid && digits[k] >= '0' && digits[k] <= '9'; valid {
			d[k] = int(digits[k] - '0')
		}
	}
	if !valid {
		return nil, fmt.Errorf("geometry: naca: digits are %q, must be four from 0 to 9: for instance \"0012\"", digits)
	}
	camber, peak, thickness := float64(d[0])/100, float64(d[1])/10, float64(10*d[2]+d[3])/100
	switch {
	case thickness == 0:
		return nil, fmt.Errorf("geometry: naca: digits %q have thickness 00, must be 01 to 99: use a line for a plate without thickness", digits)
	case camber > 0 && peak == 0:
		return nil, fmt.Errorf("geometry: naca: digits %q have their largest camber at 0, the second digit must be 1 to 9 where the first is not 0: for instance \"2412\"", digits)
	}
	s := sections.get(nacaKey{digits, chord}, func() *section {
		p, centroid := closedPlanar("naca", nacaPoints(camber, peak, thickness, chord))
		p.chord = chord
		return &section{p, centroid}
	})
	return place(s, center.Add(s.centroid)), nil
}

// section is a form that shapes share, and where its centroid is.
type section struct {
	*planar
	centroid Vec
}

type nacaKey struct {
	digits string
	chord  float64
}

// sections are the sections in use: thousands of blades have one profile, of 2048 points.
var sections interned[nacaKey, section]

// interned are values by what they are made of, each as long as somebody has it. They do not
// change.
type interned[K comparable, V any] struct {
	sync.Mutex
	values map[K]weak.Pointer[V]
}

// get is the value of a key, made if nobody has it.
func (s *interned[K, V]) get(key K, create func() *V) *V {
	s.Lock()
	defer s.Unlock()
	if v := s.values[key].Value(); v != nil {
		return v
	}
	if s.values == nil {
		s.values = make(map[K]weak.Pointer[V])
	}
	v := create()
	s.values[key] = weak.Make(v)
	runtime.AddCleanup(v, s.forget, key)
	return v
}

// forget drops the place of a value that nobody has any more.
func (s *interned[K, V]) forget(key K) {
	s.Lock()
	defer s.Unlock()
	if s.values[key].Value() == nil {
		delete(s.values, key)
	}
}

// nacaPoints run around the section from the trailing edge over the upper side,
// dense where it is curved; the origin is the middle of the chord.
func nacaPoints(camber, peak, thickness, chord float64) (points []Vec) {
	const half = 1024
	for k := range 2 * half {
		x := (1 + math.Cos(math.Pi*float64(k)/half)) / 2
		y := 5 * thickness * (0.2969*math.Sqrt(x) + x*(-0.1260+x*(-0.3516+x*(0.2843-0.1036*x))))
		if k == 0 {
			y = 0
		}
		side := 1.
		if k > half {
			side = -1
		}
		line, slope := 0., 0.
		switch {
		case camber == 0:
		case x < peak:
			line, slope = camber/(peak*peak)*x*(2*peak-x), 2*camber/(peak*peak)*(peak-x)
		default:
			q := (1 - peak) * (1 - peak)
			line, slope = camber/q*(1-2*peak+x*(2*peak-x)), 2*camber/q*(peak-x)
		}
		norm := math.Hypot(1, slope)
		points = append(points, Vec{
			chord * (x - side*y*slope/norm - 0.5),
			chord * (line + side*y/norm),
		})
	}
	return points
}
