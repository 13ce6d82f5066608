package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// The file, all integers little-endian:
//
//	head     magic (8 bytes), version (uint32)
//	chunks   of all sections, one after another without gaps
//	index    JSON: step, meta, sections with their chunks' lengths and checksums
//	tail     length of the index (uint64), its CRC-32C (uint32),
//	         CRC-32C of the twelve bytes before (uint32), magic (8 bytes)
//
// A chunk is chunkBytes of a section as packed by pack (the last one of a
// section may be shorter), compressed as one zstd frame where that makes it
// shorter and stored as it is elsewhere; its stored length tells which. The
// index is last so that chunks go out as they are ready, and because a file
// that was cut anywhere then lacks its tail.
const (
	magic     = "\x89lbmibC\n" // not text, not UTF-8; a changed line end shows
	version   = 2              // of what is written: see Checkpoint.Format
	headBytes = len(magic) + 4
	tailBytes = 8 + 4 + 4 + len(magic)

	chunkBytes = 1 << 20

	// A zstd block holds at most 128 KiB and takes at least four bytes, so
	// no honest chunk expands by more.
	maxExpansion = 128 << 10 / 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

type index struct {
	Step     int64           `json:"step"`
	Meta     json.RawMessage `json:"meta"`
	Sections []indexSection  `json:"sections"`

	format int // that it was read in
}

type indexSection struct {
	Name   string   `json:"name"`
	Kind   kind     `json:"type"`
	Count  int64    `json:"count"`  // elements
	Stored []int64  `json:"stored"` // bytes in the file, per chunk
	Sums   []uint32 `json:"crc32c"` // of the stored bytes, per chunk
}

// chunk is the part [lo, hi) of a section's elements.
type chunk struct{ section, lo, hi int }

// chunksOf lists the chunks of count elements of kind k.
func chunksOf(section int, k kind, count int) []chunk {
	per := chunkBytes / k.size()
	list := make([]chunk, 0, (count+per-1)/per)
	for lo := 0; lo < count; lo += per {
		list = append(list, chunk{section, lo, min(lo+per, count)})
	}
	return list
}

func head() []byte {
	return binary.LittleEndian.AppendUint32([]byte(magic), version)
}

func tail(index []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(index)))
	b = binary.LittleEndian.AppendUint32(b, checksum(index))
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return append(b, magic...)
}

// readIndex reads and verifies all of a file of the given size but its chunks.
func readIndex(r io.ReaderAt, size int64) (*index, error) {
	if size < int64(headBytes+tailBytes) {
		return nil, fmt.Errorf("%w: %d bytes are fewer than the %d of an empty one", ErrDamaged, size, headBytes+tailBytes)
	}
	var first [headBytes]byte
	if _, err := r.ReadAt(first[:], 0); err != nil {
		return nil, err
	}
	if string(first[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin as a checkpoint does", ErrDamaged)
	}
	format := binary.LittleEndian.Uint32(first[len(magic):])
	if format < 1 || format > version {
		return nil, fmt.Errorf("%w: its format is version %d, this program reads versions 1 to %d", ErrDamaged, format, version)
	}
	var last [tailBytes]byte
	if _, err := r.ReadAt(last[:], size-int64(tailBytes)); err != nil {
		return nil, err
	}
	if string(last[16:]) != magic {
		return nil, fmt.Errorf("%w: its end is missing, it was cut or is not complete", ErrDamaged)
	}
	if binary.LittleEndian.Uint32(last[12:]) != checksum(last[:12]) {
		return nil, fmt.Errorf("%w: its last %d bytes do not agree with their checksum", ErrDamaged, tailBytes)
	}
	n := binary.LittleEndian.Uint64(last[:])
	if room := uint64(size) - uint64(headBytes+tailBytes); n > room {
		return nil, fmt.Errorf("%w: it declares an index of %d bytes, there is room for %d", ErrDamaged, n, room)
	}
	raw := make([]byte, n)
	if _, err := r.ReadAt(raw, size-int64(tailBytes)-int64(n)); err != nil {
		return nil, err
	}
	if checksum(raw) != binary.LittleEndian.Uint32(last[8:]) {
		return nil, fmt.Errorf("%w: its index of %d bytes does not agree with its checksum", ErrDamaged, n)
	}
	x := &index{format: int(format)}
	if err := json.Unmarshal(raw, x); err != nil {
		return nil, fmt.Errorf("%w: its index cannot be read: %w", ErrDamaged, err)
	}
	return x, x.check(size - int64(headBytes+tailBytes) - int64(n))
}

// check holds the index against the number of bytes that the chunks have, so
// that whatever is allocated from it is bounded by the file.
func (x *index) check(bytes int64) error {
	if x.Step < 0 {
		return fmt.Errorf("%w: its step is %d", ErrDamaged, x.Step)
	}
	seen := make(map[string]bool, len(x.Sections))
	left := bytes
	for i := range x.Sections {
		s := &x.Sections[i]
		if s.Name == "" || seen[s.Name] {
			return fmt.Errorf("%w: section %d has the name %q, which is empty or taken", ErrDamaged, i, s.Name)
		}
		seen[s.Name] = true
		used, err := s.check(left)
		if err != nil {
			return fmt.Errorf("%w: section %q: %w", ErrDamaged, s.Name, err)
		}
		left -= used
	}
	if left != 0 {
		return fmt.Errorf("%w: %d bytes of %d belong to no section", ErrDamaged, left, bytes)
	}
	return nil
}

// check returns the number of bytes that the section takes of those left.
func (s *indexSection) check(left int64) (used int64, err error) {
	size := int64(s.Kind.size())
	if size == 0 {
		return 0, fmt.Errorf("unknown type %q", s.Kind)
	}
	if s.Count < 0 || s.Count > math.MaxInt/size {
		return 0, fmt.Errorf("impossible length %d", s.Count)
	}
	raw := s.Count * size
	chunks := raw / chunkBytes
	if raw%chunkBytes != 0 {
		chunks++
	}
	if int64(len(s.Stored)) != chunks || int64(len(s.Sums)) != chunks {
		return 0, fmt.Errorf("%d values need %d chunks, %d and %d checksums are declared", s.Count, chunks, len(s.Stored), len(s.Sums))
	}
	for i, stored := range s.Stored {
		part := min(chunkBytes, raw-int64(i)*chunkBytes)
		if stored < 1 || stored > part || part/stored > maxExpansion {
			return 0, fmt.Errorf("chunk %d: %d bytes cannot hold %d", i, stored, part)
		}
		if stored > left-used {
			return 0, fmt.Errorf("chunk %d: %d bytes are declared, the file has %d left", i, stored, left-used)
		}
		used += stored
	}
	return used, nil
}
