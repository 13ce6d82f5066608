package geometry

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// stlText and stlBinary write triangles, three corners each.
func readSTL(data []byte) (Mesh, STLReport, error) {
	return ReadSTL(bytes.NewReader(data), int64(len(data)))
}

func stlText(corners []Vec) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, "solid part")
	for k := 0; k < len(corners); k += 3 {
		fmt.Fprintln(&b, "  facet normal 0 0 0\n    outer loop")
		for _, p := range corners[k : k+3] {
			fmt.Fprintf(&b, "      vertex %g %g %g\n", p[0], p[1], p[2])
		}
		fmt.Fprintln(&b, "    endloop\n  endfacet")
	}
	fmt.Fprintln(&b, "endsolid part")
	return b.Bytes()
}

func stlBinary(corners []Vec) []byte {
	b := make([]byte, stlHeader, stlHeader+stlFacet*len(corners)/3)
	copy(b, "solid, says the header of many binary files")
	binary.LittleEndian.PutUint32(b[stlHeader-4:], uint32(len(corners)/3))
	for k := 0; k < len(corners); k += 3 {
		b = append(b, make([]byte, 12)...)
		for _, p := range corners[k : k+3] {
			for _, v := range p {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
			}
		}
		b = append(b, 0, 0)
	}
	return b
}

// ball is a sphere of diameter two as triangles.
func ball(divisions int) (corners []Vec) {
	points := []Vec{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}
	triangles := [][3]int32{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range divisions {
		points, triangles = divide(points, triangles)
	}
	for _, t := range triangles {
		for _, i := range t {
			corners = append(corners, points[i])
		}
	}
	return corners
}

func inwards(corners []Vec) []Vec {
	corners = append([]Vec(nil), corners...)
	for k := 0; k < len(corners); k += 3 {
		corners[k], corners[k+1] = corners[k+1], corners[k]
	}
	return corners
}

func TestSTLIsReadInBothFormatsAndBothOrientations(t *testing.T) {
	block := boxCorners(Vec{1, 2, 3}, Vec{3, 5, 8})
	for name, c := range map[string]struct {
		data    []byte
		flipped bool
	}{
		"text": {stlText(block), false}, "binary": {stlBinary(block), false},
		"text, inwards": {stlText(inwards(block)), true}, "binary, inwards": {stlBinary(inwards(block)), true},
		"capitals, CRLF": {bytes.ReplaceAll(bytes.ToUpper(stlText(block)), []byte("\n"), []byte("\r\n")), false},
	} {
		m, report, err := readSTL(c.data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := STLReport{Triangles: 12, Watertight: true, Flipped: c.flipped, Lo: Vec{1, 2, 3}, Hi: Vec{3, 5, 8}, Volume: 30, Surface: 62, Thinnest: 2}
		for _, pair := range [][2]float64{{report.Volume, 30}, {report.Surface, 62}, {report.Thinnest, 2}, {report.Lo.Sub(want.Lo).Norm(), 0}, {report.Hi.Sub(want.Hi).Norm(), 0}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Errorf("%s: report %+v, want %+v", name, report, want)
			}
		}
		if report.Triangles != 12 || !report.Watertight || report.OpenEdges != 0 || report.NonManifold != 0 || report.Flipped != c.flipped {
			t.Errorf("%s: report %+v, want %+v", name, report, want)
		}
		if !m.Contains(Vec{1.1, 2.1, 7.9}) || m.Contains(Vec{0.9, 2.1, 7.9}) || m.Open() {
			t.Errorf("%s: holds the wrong points", name)
		}
		checkEven(t, name, m, sampled(t, m, 0.5), 0.5)
	}
}

func TestSTLThatIsNonsenseIsRefused(t *testing.T) {
	block := boxCorners(Vec{}, Vec{1, 1, 1})
	with := func(k int, p Vec) []Vec {
		c := append([]Vec(nil), block...)
		c[k] = p
		return c
	}
	mixed := append([]Vec(nil), block...)
	mixed[3], mixed[4] = mixed[4], mixed[3]
	liar := stlBinary(block)
	binary.LittleEndian.PutUint32(liar[80:], math.MaxUint32)
	flat := []Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}
	for name, c := range map[string]struct {
		data []byte
		say  string
	}{
		"nothing":            {nil, "0 bytes"},
		"another format":     {[]byte(strings.Repeat("# obj file\n", 20)), "promises"},
		"cut off, binary":    {stlBinary(block)[:500], "promises 12 facets in 684 bytes, the file has 500"},
		"a header that lies": {liar, "promises 4294967295 facets"},
		"cut off, text":      {stlText(block)[:1000], "cut off"},
		"no facets":          {[]byte("solid a\nendsolid a\n"), "no triangles"},
		"NaN, binary":        {stlBinary(with(7, Vec{math.NaN()})), "facet 2 has a corner"},
		"NaN, text":          {stlText(with(7, Vec{0, math.NaN()})), "facet 2 has a corner"},
		"infinite":           {stlText(with(31, Vec{0, math.Inf(1)})), "facet 10 has a corner"},
		"degenerate":         {stlBinary(with(4, block[3])), "facet 1 is degenerate"},
		"on a line":          {stlText(with(5, Vec{2, 2, 0})), "facet 1 is degenerate"},
		"specks":             {stlText([]Vec{{}, {1e-9}, {0, 1e-9}, {1}, {1 + 1e-9}, {1, 1e-9}}), "all of its 2 facets are smaller"},
		"flat when welded":   {stlText([]Vec{{0.5}, {0.5, -1}, {1}, {}, {1}, {0.5, 6e-9}}), "facet 1 is degenerate"},
		"mixed":              {stlText(mixed), "face opposite sides"},
		"flat":               {stlText(flat), "single open surface"},
		"a quadrilateral":    {[]byte("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"), "facet 0 has 4 vertices"},
		"a word":             {[]byte("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 zero 0\n"), "line 4"},
		"two coordinates":    {[]byte("solid\nvertex 0 0\n"), "three numbers"},
		"an unknown word":    {[]byte("solid\nvertices\n"), "unknown"},
	} {
		if _, _, err := readSTL(c.data); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.say)
		}
	}
	if _, _, err := NewMesh([]Vec{{}, {1, 0, 0}}, [][3]int{{0, 1, 2}}); err == nil || !strings.Contains(err.Error(), "point 2") {
		t.Errorf("a point that does not exist: %v", err)
	}
}

// A box without its lid is open: it has a surface and markers, no inside.
func TestOpenMeshesAreSurfacesWithoutInside(t *testing.T) {
	m, report, err := meshOf("stl", boxCorners(Vec{}, Vec{4, 5, 6})[6:])
	if err != nil {
		t.Fatal(err)
	}
	if report.Watertight || report.OpenEdges != 4 || report.Thinnest != 0 || !m.Open() || m.Enclosed() != 0 || m.Contains(m.Center()) || m.Inertia() != (Mat{}) {
		t.Errorf("open box: %+v, encloses %v", report, m.Enclosed())
	}
	if math.Abs(m.Surface()-128) > 1e-12 {
		t.Errorf("surface %v, want 128", m.Surface())
	}
	checkEven(t, "open box", m, sampled(t, m, 0.5), 0.5)
}

// A hollow ball: the inner surface faces into the hollow.
func TestHollowBodiesAreHollow(t *testing.T) {
	outer := ball(4)
	inner := inwards(outer)
	for k := range inner {
		inner[k] = inner[k].Scale(0.5)
	}
	m, report, err := meshOf("stl", append(append([]Vec(nil), outer...), inner...))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Contains(Vec{0.75, 0, 0}) || m.Contains(Vec{0.1, 0.2, 0.3}) || m.Contains(Vec{1.1, 0, 0}) {
		t.Error("hollow ball holds the wrong points")
	}
	// Of a polyhedron of 2048 facets: 0.6 % less than the ball.
	if want := 4. / 3 * math.Pi * 7 / 8; math.Abs(report.Volume-want) > 0.01*want || math.Abs(report.Thinnest-0.5) > 0.01 {
		t.Errorf("volume %v, thickness %v, want %v, 0.5", report.Volume, report.Thinnest, want)
	}
}

// Rays through corners and edges, which points on a lattice send, count once.
func TestBallOfTrianglesHoldsWhatTheBallDoes(t *testing.T) {
	m, _, err := meshOf("stl", ball(5))
	if err != nil {
		t.Fatal(err)
	}
	const n = 16
	for k := -n; k <= n; k++ {
		for j := -n; j <= n; j++ {
			for i := -n; i <= n; i++ {
				p := Vec{float64(i), float64(j), float64(k)}.Scale(1.25 / n)
				// The polyhedron is 0.002 inside the ball at most.
				if r := p.Norm(); (r < 0.997 || r > 1) && m.Contains(p) != (r < 1) {
					t.Fatalf("%v, %v from the centre: inside is %v", p, r, m.Contains(p))
				}
			}
		}
	}
	if f := m.Frontal(); math.Abs(f-math.Pi) > 2e-3 {
		t.Errorf("its shadow is %v, want π", f)
	}
}

func TestManyPointsAreFoundQuickly(t *testing.T) {
	m, report, err := meshOf("stl", ball(6))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	start, in := time.Now(), 0
	const n = 1 << 16
	for range n {
		if m.Contains(Vec{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}) {
			in++
		}
	}
	// The ball's share of its cube is π/6; its standard deviation here 0.002.
	if share := float64(in) / n; math.Abs(share-math.Pi/6) > 0.008 {
		t.Errorf("%v of the cube is inside, want π/6", share)
	}
	// 0.1 s with boxes; without, 2e9 triangles would be looked at.
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("%d points among %d triangles took %v", n, report.Triangles, d)
	}
}

// A block with one face of slivers, others of two triangles.
func TestMarkersDoNotFollowTheTriangles(t *testing.T) {
	corners := boxCorners(Vec{}, Vec{8, 8, 8})[6:] // without the lower face
	center := Vec{1, 1, 0}
	for a := range 4 {
		from := []Vec{{0, 0, 0}, {0, 8, 0}, {8, 8, 0}, {8, 0, 0}}[a]
		to := []Vec{{0, 8, 0}, {8, 8, 0}, {8, 0, 0}, {0, 0, 0}}[a]
		for k := range 50 {
			p := from.Add(to.Sub(from).Scale(float64(k) / 50))
			q := from.Add(to.Sub(from).Scale(float64(k+1) / 50))
			corners = append(corners, center, p, q)
		}
	}
	m, _, err := meshOf("stl", corners)
	if err != nil {
		t.Fatal(err)
	}
	checkEven(t, "slivers", m, sampled(t, m, 1), 1)
	b, _, err := meshOf("stl", ball(6)) // 32768 triangles
	if err != nil {
		t.Fatal(err)
	}
	for _, spacing := range []float64{0.2, 0.02} { // 300 markers, and 30,000 of 19 crowds
		checkEven(t, fmt.Sprint("ball at ", spacing), b, sampled(t, b, spacing), spacing)
	}
}

// Edges that take all the markers that the area asks for leave no face bare.
func TestManyEdgesDoNotBareTheFaces(t *testing.T) {
	var x []Vec
	for k := range 200 {
		x = append(x, Vec{0, 0, 0.8 * float64(k)})
	}
	const n = 60 // points along each side of a face of 12 × 12 spacings
	for k := range n * n {
		x = append(x, Vec{5 + 0.2*float64(k%n), 0.2 * float64(k/n), 0})
	}
	kept := eliminate(x, 200, 144, 1, nil)
	for _, p := range x[200:] {
		nearest := math.Inf(1)
		for _, k := range kept {
			nearest = min(nearest, x[k].Sub(p).Norm())
		}
		if nearest > 1.6 { // where no marker is left it is 5 and more
			t.Fatalf("%v is %v from the next marker", p, nearest)
		}
	}
}

func FuzzReadSTL(f *testing.F) {
	block := boxCorners(Vec{}, Vec{1, 2, 3})
	f.Add(stlText(block))
	f.Add(stlBinary(block))
	f.Add(stlText(block[6:]))
	f.Add(stlBinary(inwards(block))[:300])
	f.Add(stlText(boxCorners(Vec{}, Vec{1e300, 1, 1})))
	f.Add(stlText(boxCorners(Vec{}, Vec{1e-200, 1e-200, 1e-200})))
	f.Add(stlBinary(boxCorners(Vec{}, Vec{1e-3, 1, 1e3})))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, report, err := readSTL(data)
		if err != nil {
			return
		}
		if report.Triangles < 1 || report.Watertight == m.Open() || !(m.Surface() > 0) {
			t.Errorf("accepted: %+v", report)
		}
		m.Contains(m.Center())
		m.Outline(8)
		if s, err := m.Sample(math.Sqrt(m.Surface() / 50)); err == nil && s.Len() == 0 {
			t.Error("no markers")
		}
	})
}

// BenchmarkSampleMesh puts some 50,000 markers on a ball of 32,768 triangles.
func BenchmarkSampleMesh(b *testing.B) {
	m, _, err := meshOf("stl", ball(6))
	if err != nil {
		b.Fatal(err)
	}
	spacing := math.Sqrt(m.Surface() / 50_000)
	for b.Loop() {
		sampled(b, m, spacing)
	}
}

// What is written is read again, in single precision.
func TestSTLIsWritten(t *testing.T) {
	points := []Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	triangles := [][3]int{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}
	var file bytes.Buffer
	if err := WriteSTL(&file, "a tetrahedron", points, triangles); err != nil {
		t.Fatal(err)
	}
	mesh, report, err := readSTL(file.Bytes())
	if err != nil || !report.Watertight || report.Flipped || math.Abs(mesh.Enclosed()-1./6) > 1e-12 {
		t.Errorf("%+v, %v", report, err)
	}
	lo, hi, err := STLBounds(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || lo != (Vec{}) || hi != (Vec{1, 1, 1}) {
		t.Errorf("the bounds are %v to %v, %v", lo, hi, err)
	}
	cut := file.Bytes()[:file.Len()-1]
	if _, _, err := STLBounds(bytes.NewReader(cut), int64(len(cut))); err == nil {
		t.Error("a file that is cut off has bounds")
	}
	if err := WriteSTL(&file, strings.Repeat("x", 81), points, triangles); err == nil {
		t.Error("a header of 81 bytes is written")
	}
}
