package geometry

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WriteSTL writes triangles between points in the binary STL format, which has coordinates of single precision; the header, of at most 80 bytes
// and not beginning with "solid", says what they are.
func WriteSTL(w io.Writer, header string, points []Vec, triangles [][3]int) error {
	if len(header) > stlHeader-4 {
		return fmt.Errorf("geometry: stl: the header has %d bytes, must have at most %d: shorten it", len(header), stlHeader-4)
	}
	b := bufio.NewWriter(w)
	head := make([]byte, stlHeader)
	copy(head, header)
	binary.LittleEndian.PutUint32(head[stlHeader-4:], uint32(len(triangles)))
	b.Write(head)
	facet := make([]byte, stlFacet)
	for _, t := range triangles {
		p, q, r := points[t[0]], points[t[1]], points[t[2]]
		for i, v := range [4]Vec{normalOf(p, q, r), p, q, r} {
			for a, x := range v {
				binary.LittleEndian.PutUint32(facet[12*i+4*a:], math.Float32bits(float32(x)))
			}
		}
		b.Write(facet)
	}
	return b.Flush() // which has the error of any write before
}
