package implicit

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"lbmib/geometry"
)

// ball is an image of how far voxels are from a middle, of 24 × 20 × 22 voxels.
func ball(t *testing.T, header string, zip bool, put func(b []byte, v float64) []byte) []byte {
	t.Helper()
	var data []byte
	for z := range 22 {
		for y := range 20 {
			for x := range 24 {
				data = put(data, 100-10*geometry.Vec{float64(x) - 11, float64(y) - 9, float64(z) - 10}.Norm())
			}
		}
	}
	file := bytes.NewBufferString(header + "\n")
	if !zip {
		file.Write(data)
		return file.Bytes()
	}
	z := gzip.NewWriter(file)
	z.Write(data)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func short(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint16(b, uint16(int16(math.Round(v))))
}

func single(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
}

const sizes = "NRRD0004\n# an image\ndimension: 3\nsizes: 24 20 22\n"

// A ball of radius 7 voxels comes out where it is, whatever the encoding and the directions of the axes.
func TestImagesGiveTheirSurface(t *testing.T) {
	for name, c := range map[string]struct {
		file   []byte
		middle geometry.Vec
		step   float64
	}{
		"raw float":  {ball(t, sizes+"type: float\nencoding: raw\nendian: little\nspacings: 0.5 0.5 0.5\n", false, single), geometry.Vec{5.5, 4.5, 5}, 0.5},
		"gzip short": {ball(t, sizes+"type: short\nencoding: gzip\nendian: big\nkey:=value\n", true, short), geometry.Vec{11, 9, 10}, 1},
		"turned": {ball(t, sizes+"type: float\nencoding: gz\nendian: little\nspace: left-posterior-superior\nspace directions: (-0.5,0,0) (0, -0.5, 0) (0,0,0.5)\nspace origin: (10,20,30)\n", true, single),
			geometry.Vec{10 - 5.5, 20 - 4.5, 30 + 5}, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			r, size := bytes.NewReader(c.file), int64(len(c.file))
			m, err := ReadHeader(r, size)
			if err != nil {
				t.Fatal(err)
			}
			g, err := m.Read(r, size, 30, false)
			if err != nil {
				t.Fatal(err)
			}
			points, triangles := g.Surface()
			mesh, report, err := geometry.NewMesh(points, triangles)
			if err != nil {
				t.Fatal(err)
			}
			want := 4. / 3 * math.Pi * math.Pow(7*c.step, 3)
			if !report.Watertight || report.Flipped || math.Abs(report.Volume/want-1) > 0.03 || mesh.Center().Sub(c.middle).Norm() > 0.02*c.step {
				t.Errorf("%+v around %v, want a ball of volume %v around %v", report, mesh.Center(), want, c.middle)
			}
		})
	}
}

func TestImagesThatAreNone(t *testing.T) {
	good := sizes + "type: float\nencoding: raw\nendian: little\n"
	for name, c := range map[string]struct{ header, says string }{
		"no image":          {"solid\n", "it does not begin with NRRD000"},
		"no end":            {"NRRD0004\n" + strings.Repeat("# x\n", 1<<15), "its header does not end within 65536 bytes"},
		"plane":             {strings.Replace(good, "dimension: 3", "dimension: 2", 1), `the dimension is "2", must be 3`},
		"sizes":             {strings.Replace(good, "24 20 22", "24 20", 1), `sizes are "24 20"`},
		"huge":              {strings.Replace(good, "24 20 22", "24000 20000 2200", 1), "must have at most 134217728"},
		"type":              {strings.Replace(good, "float", "block", 1), `voxels are of type "block"`},
		"encoding":          {strings.Replace(good, "raw", "bzip2", 1), `the encoding is "bzip2", must be raw or gzip`},
		"no endian":         {strings.Replace(good, "endian: little\n", "", 1), `endian is ""`},
		"many files":        {good + "data file: x%03d.raw 1 20 1\n", "the data is in several files"},
		"a list of files":   {good + "data file: LIST\n", "the data is in several files"},
		"cut off":           {good + "spacings: 1 1 1\n", "the header promises 42240 bytes of data, the file has 42239"},
		"oblique":           {good + "space directions: (1,0.5,0) (0,1,0) (0,0,1)\n", "must be along x, y and z"},
		"spacings":          {good + "spacings: 1 1 0\n", "must be three numbers above 0"},
		"origin":            {good + "space origin: (0,0)\n", "must be three numbers such as (0,0,0)"},
		"swapped":           {good + "space directions: (0,1,0) (1,0,0) (0,0,1)\n", "must be along x, y and z"},
		"no number":         {good + "space directions: (nan,0,0) (0,1,0) (0,0,1)\n", "must be along x, y and z"},
		"with bytes before": {good + "byte skip: 3\n", `"byte skip" is 3`},
	} {
		file := ball(t, c.header, false, single)
		if name == "cut off" {
			file = file[:len(file)-1]
		}
		if _, err := ReadHeader(bytes.NewReader(file), int64(len(file))); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v\nwant %q", name, err, c.says)
		}
	}
	file := ball(t, strings.Replace(good, "raw", "gzip", 1), true, single)
	file = file[:len(file)/2]
	m, err := ReadHeader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Read(bytes.NewReader(file), int64(len(file)), 0, false); err == nil || !strings.Contains(err.Error(), "it is cut off") {
		t.Errorf("half a file: %v", err)
	}
}

// An image whose header is a file of its own is what it is with both in one, with an empty line at the end of the header or none, and cut off where the data is.
func TestImagesInTwoFiles(t *testing.T) {
	header := sizes + "type: float\nencoding: raw\nendian: little\nspacings: 0.5 0.5 0.5\n"
	whole := ball(t, header, false, single)
	data := whole[len(header)+1:]
	one := func(head, voxels []byte) (*Grid, error) {
		m, err := ReadHeader(bytes.NewReader(head), int64(len(head)))
		if err != nil {
			t.Fatal(err)
		}
		return m.Read(bytes.NewReader(voxels), int64(len(voxels)), 30, false)
	}
	want, err := one(whole, whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"data file: ball.raw\n", "datafile: ball.raw", "data file: ball.raw\n\n"} {
		got, err := one([]byte(header+end), data)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: another image, %v", end, err)
		}
	}
	if _, err := one([]byte(header+"data file: ball.raw"), data[:len(data)-1]); err == nil || !strings.Contains(err.Error(), "the header promises 42240 bytes of data, the file has 42239") {
		t.Errorf("cut off: %v", err)
	}
	if got := DataPath("scans/ball.nhdr", "ball.raw"); got != filepath.Join("scans", "ball.raw") {
		t.Error(got)
	}
}
