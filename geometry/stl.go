package geometry

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Layout of a binary STL file: a header, the number of facets, then for every
// facet its normal, three corners and two bytes without meaning.
const (
	stlHeader = 84
	stlFacet  = 50
)

// maxSTL bounds what is read of a file: MaxTriangles in text, with room.
const maxSTL = 512 * MaxTriangles

// ReadSTL reads a surface in the STL format, ASCII or binary, told apart by the
// length that the binary header promises; normals in the file are not looked
// at, the order of corners says what is outside. Corners at the same place,
// bit for bit, are one. Beside what NewMesh refuses, so are files that are cut
// off or are none. Facets are counted from 0 in messages.
func ReadSTL(r io.Reader) (Mesh, STLReport, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSTL+1))
	if err != nil {
		return Mesh{}, STLReport{}, fmt.Errorf("geometry: stl: reading failed: %w", err)
	}
	if len(data) > maxSTL {
		return Mesh{}, STLReport{}, fmt.Errorf("geometry: stl: the file is longer than %d bytes: coarsen the surface to at most %d triangles", maxSTL, MaxTriangles)
	}
	corners, err := stlCorners(data)
	if err != nil {
		return Mesh{}, STLReport{}, err
	}
	return meshOf("stl", corners)
}

func stlCorners(data []byte) ([]Vec, error) {
	facets, binaryLength := int64(0), int64(0)
	if len(data) >= stlHeader {
		facets = int64(binary.LittleEndian.Uint32(data[stlHeader-4:]))
		binaryLength = stlHeader + stlFacet*facets
	}
	text := len(data) >= 5 && strings.EqualFold(string(data[:5]), "solid") && bytes.IndexByte(data, 0) < 0
	switch {
	case len(data) >= stlHeader && int64(len(data)) == binaryLength:
		return binaryCorners(data[stlHeader:], int(facets))
	case text:
		return textCorners(data)
	case len(data) < stlHeader:
		return nil, fmt.Errorf("geometry: stl: the file has %d bytes and does not begin with \"solid\", a binary file has at least %d: give an STL file", len(data), stlHeader)
	}
	return nil, fmt.Errorf("geometry: stl: the header promises %d facets in %d bytes, the file has %d bytes: it is cut off or no STL file, export it again", facets, binaryLength, len(data))
}

func binaryCorners(data []byte, facets int) ([]Vec, error) {
	if facets > MaxTriangles {
		return nil, tooManyTriangles(facets)
	}
	corners := make([]Vec, 0, 3*facets)
	for k := range facets {
		facet := data[stlFacet*k:]
		for i := range 3 {
			var p Vec
			for a := range p {
				p[a] = float64(math.Float32frombits(binary.LittleEndian.Uint32(facet[12+12*i+4*a:])))
			}
			corners = append(corners, p)
		}
	}
	return corners, nil
}

// textCorners reads the lines of the ASCII format; several solids are one.
func textCorners(data []byte) (corners []Vec, err error) {
	line, inFacet := 0, 0
	fail := func(format string, args ...any) ([]Vec, error) {
		return nil, fmt.Errorf("geometry: stl: line %d: "+format, append([]any{line}, args...)...)
	}
	for text := range bytes.Lines(data) {
		line++
		words := strings.Fields(string(text))
		if len(words) == 0 {
			continue
		}
		switch strings.ToLower(words[0]) {
		case "solid", "endsolid", "outer", "endloop":
		case "facet":
			inFacet = len(corners)
		case "vertex":
			p, ok := vertex(words[1:])
			if !ok {
				return fail("%.60q is no vertex, three numbers must follow: export the file again", strings.TrimSpace(string(text)))
			}
			corners = append(corners, p)
			if len(corners) > 3*MaxTriangles {
				return nil, tooManyTriangles(len(corners) / 3)
			}
		case "endfacet":
			if n := len(corners) - inFacet; n != 3 {
				return fail("facet %d has %d vertices, must have 3: triangulate the surface", inFacet/3, n)
			}
		default:
			return fail("%.60q is unknown, a line begins with solid, facet, outer, vertex, endloop, endfacet or endsolid: export the file again", words[0])
		}
	}
	if len(corners)%3 != 0 {
		return fail("the file ends in the middle of facet %d: it is cut off, export it again", len(corners)/3)
	}
	return corners, nil
}

func vertex(words []string) (p Vec, ok bool) {
	if len(words) != 3 {
		return p, false
	}
	for a, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil && !math.IsInf(v, 0) { // infinities are refused with their facet
			return p, false
		}
		p[a] = v
	}
	return p, true
}
