package implicit

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"lbmib/geometry"
)

// Image is the header of a voxel image in the NRRD format (Teem, nrrd.org).
type Image struct {
	Data   string // the file with the voxels, its path from the header's folder; empty: they follow the header
	Size   [3]int
	Origin geometry.Vec // of the first voxel's middle
	Step   geometry.Vec // to the next voxel along each axis, negative where the image is turned round

	voxel  voxelType
	gzip   bool
	order  binary.ByteOrder
	offset int64 // of the data
	bytes  int64 // of raw data
}

// MaxVoxels bounds an image.
const MaxVoxels = 1 << 27

const maxHeader = 1 << 16 // bytes

// voxelType is how a voxel is stored.
type voxelType struct {
	bytes int
	of    func(b []byte, o binary.ByteOrder) float64
}

// voxelTypes are those of the format, by all of their names.
var voxelTypes = map[string]voxelType{}

func init() {
	for names, t := range map[string]voxelType{
		"signed char|int8|int8_t":                                             {1, func(b []byte, _ binary.ByteOrder) float64 { return float64(int8(b[0])) }},
		"uchar|unsigned char|uint8|uint8_t":                                   {1, func(b []byte, _ binary.ByteOrder) float64 { return float64(b[0]) }},
		"short|short int|signed short|signed short int|int16|int16_t":         {2, func(b []byte, o binary.ByteOrder) float64 { return float64(int16(o.Uint16(b))) }},
		"ushort|unsigned short|unsigned short int|uint16|uint16_t":            {2, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint16(b)) }},
		"int|signed int|int32|int32_t":                                        {4, func(b []byte, o binary.ByteOrder) float64 { return float64(int32(o.Uint32(b))) }},
		"uint|unsigned int|uint32|uint32_t":                                   {4, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint32(b)) }},
		"longlong|long long|long long int|signed long long|int64|int64_t":     {8, func(b []byte, o binary.ByteOrder) float64 { return float64(int64(o.Uint64(b))) }},
		"ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t": {8, func(b []byte, o binary.ByteOrder) float64 { return float64(o.Uint64(b)) }},
		"float":  {4, func(b []byte, o binary.ByteOrder) float64 { return float64(math.Float32frombits(o.Uint32(b))) }},
		"double": {8, func(b []byte, o binary.ByteOrder) float64 { return math.Float64frombits(o.Uint64(b)) }},
	} {
		for _, name := range strings.Split(names, "|") {
			voxelTypes[name] = t
		}
	}
}

func nrrdError(format string, args ...any) error {
	return fmt.Errorf("geometry: nrrd: "+format, args...)
}

// DataPath is where the file lies that a header at a path names as that with the voxels.
func DataPath(header, data string) string {
	if filepath.IsAbs(data) {
		return data
	}
	return filepath.Join(filepath.Dir(header), data)
}

// ReadHeader reads the header of an image of so many bytes. Refused are images that are not of three dimensions along the axes, that
// have their data in several files or in an encoding other than raw and gzip, and such that are cut off.
func ReadHeader(r io.ReaderAt, size int64) (*Image, error) {
	fields, offset, err := headerFields(r, size)
	if err != nil {
		return nil, err
	}
	m := &Image{offset: offset, Data: dataFile(fields)}
	if m.Data == "LIST" || strings.HasPrefix(m.Data, "LIST ") || strings.Contains(m.Data, "%") {
		return nil, nrrdError("the data is in several files (%q), must be in one: save the image with an attached header, as .nrrd", m.Data)
	}
	for _, name := range []string{"line skip", "lineskip", "byte skip", "byteskip"} {
		if v, given := fields[name]; given && v != "0" {
			return nil, nrrdError("%q is %s, must be 0 or absent: save the image anew", name, v)
		}
	}
	if fields["dimension"] != "3" {
		return nil, nrrdError("the dimension is %q, must be 3: save one volume of single values", fields["dimension"])
	}
	voxels := 1.
	for a, word := range three(fields["sizes"]) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 2 {
			return nil, nrrdError("sizes are %q, must be three whole numbers from 2 on: save the image anew", fields["sizes"])
		}
		m.Size[a] = n
		voxels *= float64(n)
	}
	if voxels > MaxVoxels {
		return nil, nrrdError("it has %.3g voxels, must have at most %d: crop or resample it", voxels, MaxVoxels)
	}
	var known bool
	if m.voxel, known = voxelTypes[strings.ToLower(fields["type"])]; !known {
		return nil, nrrdError("voxels are of type %q, must be integers of 8 to 64 bits, float or double: convert the image", fields["type"])
	}
	switch e := strings.ToLower(fields["encoding"]); e {
	case "raw":
		m.bytes = int64(voxels) * int64(m.voxel.bytes)
		if m.Data == "" {
			if err := m.checkSize(size - offset); err != nil {
				return nil, err
			}
		}
	case "gzip", "gz":
		m.gzip = true
	default:
		return nil, nrrdError("the encoding is %q, must be raw or gzip: save the image so", e)
	}
	switch e := strings.ToLower(fields["endian"]); {
	case e == "big":
		m.order = binary.BigEndian
	case e == "little" || m.voxel.bytes == 1:
		m.order = binary.LittleEndian
	default:
		return nil, nrrdError("endian is %q, must be little or big: save the image anew", e)
	}
	return m, m.place(fields)
}

// checkSize refuses another size of raw data than the header promises.
func (m *Image) checkSize(size int64) error {
	if !m.gzip && size != m.bytes {
		return nrrdError("the header promises %d bytes of data, the file has %d: it is cut off, save it again", m.bytes, size)
	}
	return nil
}

// headerFields reads the lines up to an empty one, or of a header whose data is in another file to its end.
func headerFields(r io.ReaderAt, size int64) (fields map[string]string, offset int64, err error) {
	lines := bufio.NewReader(io.NewSectionReader(r, 0, min(size, maxHeader)))
	fields = map[string]string{}
	for first := true; ; first = false {
		line, err := lines.ReadString('\n')
		offset += int64(len(line))
		ended := err != nil
		line = strings.TrimRight(line, "\r\n")
		if first && !strings.HasPrefix(line, "NRRD000") {
			return nil, 0, nrrdError("it does not begin with NRRD000: give an image in that format, or a surface as .stl")
		}
		if line == "" && !ended {
			return fields, offset, nil
		}
		if name, value, found := strings.Cut(line, ": "); found && !first && !strings.HasPrefix(line, "#") {
			fields[strings.ToLower(name)] = strings.TrimSpace(value)
		}
		switch {
		case ended && offset == size && dataFile(fields) != "":
			return fields, offset, nil
		case ended:
			return nil, 0, nrrdError("its header does not end within %d bytes by an empty line: it is cut off, or the image has no data attached", maxHeader)
		}
	}
}

// dataFile is what a header says of where its data is, empty where it is behind the header.
func dataFile(fields map[string]string) string {
	return cmp.Or(fields["data file"], fields["datafile"])
}

// three are the words of a list of three; of others, empty ones.
func three(list string) (words [3]string) {
	if all := strings.Fields(list); len(all) == 3 {
		copy(words[:], all)
	}
	return words
}

// place reads where the voxels are.
func (m *Image) place(fields map[string]string) error {
	directions, oriented := fields["space directions"]
	for a := range 3 {
		m.Step[a] = 1
		if oriented {
			v, ok := vector(three(spaced(directions))[a])
			if !ok || v[a] == 0 || math.Abs(v[(a+1)%3])+math.Abs(v[(a+2)%3]) > 1e-6*math.Abs(v[a]) {
				return nrrdError("the space directions are %q, must be along x, y and z in this order: resample the image", directions)
			}
			m.Step[a] = v[a]
		} else if given, there := fields["spacings"]; there {
			v, err := strconv.ParseFloat(three(given)[a], 64)
			if err != nil || !(v > 0) || math.IsInf(v, 0) {
				return nrrdError("spacings are %q, must be three numbers above 0: save the image anew", given)
			}
			m.Step[a] = v
		}
	}
	if given, there := fields["space origin"]; there {
		v, ok := vector(strings.ReplaceAll(given, " ", ""))
		if !ok {
			return nrrdError("the space origin is %q, must be three numbers such as (0,0,0): save the image anew", given)
		}
		m.Origin = v
	}
	return nil
}

// spaced are vectors with a space between them and none in them.
func spaced(list string) string {
	return strings.ReplaceAll(strings.ReplaceAll(list, " ", ""), ")(", ") (")
}

// vector reads "(x,y,z)".
func vector(text string) (v geometry.Vec, ok bool) {
	inner, opened := strings.CutPrefix(text, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	parts := strings.Split(inner, ",")
	if !opened || !closed || len(parts) != 3 {
		return v, false
	}
	for a, part := range parts {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return v, false
		}
		v[a] = x
	}
	return v, true
}

// Bounds are the corners of the box around the middles of the voxels.
func (m *Image) Bounds() (lo, hi geometry.Vec) {
	for a := range 3 {
		end := m.Origin[a] + float64(m.Size[a]-1)*m.Step[a]
		lo[a], hi[a] = min(m.Origin[a], end), max(m.Origin[a], end)
	}
	return lo, hi
}

// Read reads the voxels of an image whose header was read, from that file, or from that with its data: threshold less value, or the other way round where inside is what lies below.
func (m *Image) Read(r io.ReaderAt, size int64, threshold float64, below bool) (*Grid, error) {
	from := m.offset
	if m.Data != "" {
		from = 0
		if err := m.checkSize(size); err != nil {
			return nil, err
		}
	}
	var data io.Reader = bufio.NewReaderSize(io.NewSectionReader(r, from, size-from), 1<<20)
	if m.gzip {
		z, err := gzip.NewReader(data)
		if err != nil {
			return nil, nrrdError("its data is no gzip: %v: save the image again", err)
		}
		data = z
	}
	lo, _ := m.Bounds()
	g := &Grid{Lo: lo, Size: m.Size, Values: make([]float32, m.Size[0]*m.Size[1]*m.Size[2])}
	for a := range 3 {
		g.Step[a] = math.Abs(m.Step[a])
	}
	row := make([]byte, m.Size[0]*m.voxel.bytes)
	for z := range m.Size[2] {
		for y := range m.Size[1] {
			if _, err := io.ReadFull(data, row); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, nrrdError("its data ends in row %d of %d: it is cut off, save it again", y+m.Size[1]*z, m.Size[1]*m.Size[2])
			} else if err != nil {
				return nil, nrrdError("reading failed: %w", err)
			}
			for x := range m.Size[0] {
				v := threshold - m.voxel.of(row[x*m.voxel.bytes:], m.order)
				if below {
					v = -v
				}
				if math.IsNaN(v) { // no value: outside
					v = 1
				}
				g.Values[m.index(x, y, z)] = float32(min(max(v, -1e30), 1e30))
			}
		}
	}
	return g, nil
}

// index is the place of a voxel in a grid whose axes point upwards.
func (m *Image) index(x, y, z int) int {
	at := [3]int{x, y, z}
	for a := range at {
		if m.Step[a] < 0 {
			at[a] = m.Size[a] - 1 - at[a]
		}
	}
	return at[0] + m.Size[0]*(at[1]+m.Size[1]*at[2])
}
