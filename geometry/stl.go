package geometry

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
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

// maxSTL bounds the length of a file in text: MaxTriangles, with room.
const maxSTL = 512 * MaxTriangles

// CheckSTL refuses by its beginning and its size a file that is none in the STL
// format, or too large, before all of it is read.
func CheckSTL(r io.ReaderAt, size int64) error {
	_, _, err := stlKind(r, size)
	return err
}

// stlKind tells from the beginning of a file and its size whether it is in text, and
// how many facets it has where it is not.
func stlKind(r io.ReaderAt, size int64) (text bool, facets int, err error) {
	head := make([]byte, min(max(size, 0), stlHeader))
	if _, err := r.ReadAt(head, 0); err != nil && len(head) > 0 {
		return false, 0, stlUnread(err)
	}
	promised, length := int64(0), int64(0)
	if len(head) >= stlHeader {
		promised = int64(binary.LittleEndian.Uint32(head[stlHeader-4:]))
		length = stlHeader + stlFacet*promised
	}
	text = len(head) >= 5 && strings.EqualFold(string(head[:5]), "solid") && bytes.IndexByte(head, 0) < 0
	switch {
	case length == size && len(head) >= stlHeader:
		if promised > MaxTriangles {
			return false, 0, tooManyTriangles(int(promised))
		}
		return false, int(promised), nil
	case text && size > maxSTL:
		return true, 0, fmt.Errorf("geometry: stl: the file has %d bytes, must have at most %d: coarsen the surface to at most %d triangles", size, maxSTL, MaxTriangles)
	case text:
		return true, 0, nil
	case len(head) < stlHeader:
		return false, 0, fmt.Errorf("geometry: stl: the file has %d bytes and does not begin with \"solid\", a binary file has at least %d: give an STL file", size, stlHeader)
	}
	return false, 0, fmt.Errorf("geometry: stl: the header promises %d facets in %d bytes, the file has %d bytes: it is cut off or no STL file, export it again", promised, length, size)
}

// ReadSTL reads a surface of so many bytes in the STL format, ASCII or binary, told
// apart by the length that the binary header promises; normals in the file are not
// looked at, the order of corners says what is outside. Corners at the same place,
// to 1e-8 of the surface's size, are one. Beside what NewMesh refuses, so are files that are cut
// off or are none. Facets are counted from 0 in messages.
func ReadSTL(r io.ReaderAt, size int64) (Mesh, STLReport, error) {
	corners, err := stlCorners(r, size)
	if err != nil {
		return Mesh{}, STLReport{}, err
	}
	return meshOf("stl", corners)
}

func stlCorners(r io.ReaderAt, size int64) ([]Vec, error) {
	text, facets, err := stlKind(r, size)
	switch {
	case err != nil:
		return nil, err
	case text:
		return textCorners(bufio.NewReaderSize(io.NewSectionReader(r, 0, size), maxSTLLine))
	}
	data := make([]byte, stlFacet*facets)
	if _, err := r.ReadAt(data, stlHeader); err != nil && len(data) > 0 {
		return nil, stlUnread(err)
	}
	return binaryCorners(data, facets), nil
}

func stlUnread(err error) error { return fmt.Errorf("geometry: stl: reading failed: %w", err) }

func binaryCorners(data []byte, facets int) []Vec {
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
	return corners
}

// maxSTLLine bounds the bytes of a line in text.
const maxSTLLine = 1 << 16

// textCorners reads the lines of the ASCII format; several solids are one.
func textCorners(r *bufio.Reader) (corners []Vec, err error) {
	line, inFacet := 0, 0
	fail := func(format string, args ...any) ([]Vec, error) {
		return nil, fmt.Errorf("geometry: stl: line %d: "+format, append([]any{line}, args...)...)
	}
	for {
		line++
		text, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return fail("it is longer than %d bytes: export the file again", maxSTLLine)
		case err != nil && !errors.Is(err, io.EOF):
			return fail("reading failed: %v", err)
		case len(text) == 0:
			line--
			if len(corners)%3 != 0 {
				return fail("the file ends in the middle of facet %d: it is cut off, export it again", len(corners)/3)
			}
			return corners, nil
		}
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

// STLBounds are the corners of the box around the triangles of a file in the STL format, in its unit, of so many bytes. It refuses what
// ReadSTL does by looking at single facets: files that are cut off or none, and coordinates that are not finite.
func STLBounds(r io.ReaderAt, size int64) (lo, hi Vec, err error) {
	corners, err := stlCorners(r, size)
	if err != nil {
		return lo, hi, err
	}
	if len(corners) == 0 {
		return lo, hi, errors.New("geometry: stl: it has no triangles, at least one is needed: export the surface again")
	}
	for k, p := range corners {
		if !p.within(maxMeshCoordinate) {
			return lo, hi, fmt.Errorf("geometry: stl: facet %d has a corner at %v, every coordinate must be finite and within ±%g: repair the mesh", k/3, p, float64(maxMeshCoordinate))
		}
	}
	lo, hi = boxOf(corners...)
	return lo, hi, nil
}
