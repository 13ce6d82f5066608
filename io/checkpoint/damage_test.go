package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// encoded is the file of a checkpoint in memory.
func encoded(t testing.TB, sections []Section) []byte {
	t.Helper()
	b, err := os.ReadFile(mustWrite(t, t.TempDir(), 42, sections, 1))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func small() []Section {
	return []Section{
		{Name: "f", Data: []float64{0.5, 0.25, -1e-9, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{Name: "zeros", Data: make([]int64, 40)},
		{Name: "marks", Data: []float32{1, 2, 3}},
		{Name: "seed", Data: []byte{7}},
	}
}

func decodeBytes(b []byte) (*Checkpoint, error) {
	return decode(bytes.NewReader(b), int64(len(b)))
}

func TestTruncationAtAnyByteIsRefused(t *testing.T) {
	file := encoded(t, small())
	for n := range file {
		if _, err := decodeBytes(file[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes were not refused as damaged: %v", n, len(file), err)
		}
	}
	if _, err := decodeBytes(append(file, 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("an extra byte was not refused as damaged: %v", err)
	}
	if _, err := decodeBytes(file); err != nil {
		t.Errorf("the whole file is refused: %v", err)
	}
}

func TestAnyFlippedBitIsRefused(t *testing.T) {
	file := encoded(t, small())
	for bit := range 8 * len(file) {
		file[bit/8] ^= 1 << (bit % 8)
		if _, err := decodeBytes(file); !errors.Is(err, ErrDamaged) {
			t.Fatalf("bit %d of byte %d of %d is not noticed: %v", bit%8, bit/8, len(file), err)
		}
		file[bit/8] ^= 1 << (bit % 8)
	}
}

// split cuts a file into what stands before its index and the index.
func split(file []byte) (body, index []byte) {
	room := uint64(len(file) - headBytes - tailBytes)
	n := min(binary.LittleEndian.Uint64(file[len(file)-tailBytes:]), room)
	at := len(file) - tailBytes - int(n)
	return file[:at], file[at : len(file)-tailBytes]
}

// withIndex is a file whose checksums agree with its index.
func withIndex(body, index []byte) []byte {
	return bytes.Join([][]byte{body, index, tail(index)}, nil)
}

func TestAbsurdDeclarationsAreRefusedBeforeAnythingIsAllocated(t *testing.T) {
	file := encoded(t, small())
	var good index
	body, document := split(file)
	if err := json.Unmarshal(document, &good); err != nil {
		t.Fatal(err)
	}
	if _, err := decodeBytes(withIndex(body, document)); err != nil {
		t.Fatalf("the untouched index is refused: %v", err)
	}
	for name, edit := range map[string]func(x *index){
		"count":             func(x *index) { x.Sections[0].Count = 1 << 40 },
		"overflowing count": func(x *index) { x.Sections[0].Count = 1 << 61 },
		"negative count":    func(x *index) { x.Sections[0].Count = -1 },
		"expansion": func(x *index) { // a byte cannot hold a chunk
			s := &x.Sections[0]
			first := s.Stored[0] - 39
			s.Count = 40 * chunkBytes / 8
			s.Stored = []int64{first}
			for range 39 {
				s.Stored = append(s.Stored, 1)
			}
			s.Sums = make([]uint32, 40)
		},
		"chunks that overlap": func(x *index) {
			s := &x.Sections[0]
			s.Count = 4 * chunkBytes / 8
			s.Stored = []int64{60, 60, 60, 60}
			s.Sums = make([]uint32, 4)
		},
		"negative length":     func(x *index) { x.Sections[1].Stored[0] = -8 },
		"empty chunk":         func(x *index) { x.Sections[1].Stored[0] = 0 },
		"checksum missing":    func(x *index) { x.Sections[1].Sums = nil },
		"unknown type":        func(x *index) { x.Sections[1].Kind = "f16" },
		"name twice":          func(x *index) { x.Sections[1].Name = "f" },
		"no name":             func(x *index) { x.Sections[1].Name = "" },
		"step":                func(x *index) { x.Step = -1 },
		"section missing":     func(x *index) { x.Sections = x.Sections[:3] },
		"other length":        func(x *index) { x.Sections[1].Count-- },
		"other decompression": func(x *index) { x.Sections[1].Count++ },
	} {
		x := good
		x.Sections = nil
		for _, s := range good.Sections {
			s.Stored = append([]int64(nil), s.Stored...)
			s.Sums = append([]uint32(nil), s.Sums...)
			x.Sections = append(x.Sections, s)
		}
		edit(&x)
		document, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = decodeBytes(withIndex(body, document))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: not refused as damaged: %v", name, err)
		}
		// The decompressor's own tables are some MB; a declaration here is more.
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
			t.Errorf("%s: %d MB were allocated", name, grown>>20)
		}
	}
}

func TestLatestPassesOverDamagedCheckpointsAndReportsThem(t *testing.T) {
	dir := t.TempDir()
	for step := int64(100); step <= 400; step += 100 {
		mustWrite(t, dir, step, []Section{{Name: "step", Data: []int64{step}}}, 9)
	}
	for _, name := range []string{"000000000300.ckpt", "000000000400.ckpt"} {
		path := filepath.Join(dir, name)
		if err := os.Truncate(path, 50); err != nil {
			t.Fatal(err)
		}
	}
	c, damaged, err := Latest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.Int64("step"); c.Step != 200 || err != nil || got[0] != 200 {
		t.Errorf("step %d, content %v (%v): want the newest that verifies, 200", c.Step, got, err)
	}
	if len(damaged) != 2 || !strings.Contains(damaged[0].Error(), "400.ckpt") || !strings.Contains(damaged[1].Error(), "300.ckpt") {
		t.Errorf("reported as damaged: %v", damaged)
	}
	for _, name := range []string{"000000000300.ckpt", "000000000400.ckpt"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("a damaged file was removed: %v", err)
		}
	}
	if path := mustWrite(t, dir, 250, small(), 1); path == "" {
		t.Fatal("no path")
	}
	if c, _, err := Latest(dir); err != nil || c.Step != 250 {
		t.Errorf("after going on from 200 the newest sound checkpoint is not 250: %v", err)
	}
}

func TestLatestTellsNothingThereFromNothingUsable(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Join(dir, "missing")} {
		if _, _, err := Latest(d); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", d, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "000000000001.ckpt"), []byte("short"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, damaged, err := Latest(dir)
	if !errors.Is(err, ErrDamaged) || errors.Is(err, fs.ErrNotExist) || len(damaged) != 1 {
		t.Errorf("all damaged: %v, reported %v", err, damaged)
	}
}

// FuzzRead holds the reader against arbitrary files, as they are and with
// their checksums made to agree, so that the checks behind them are reached.
func FuzzRead(f *testing.F) {
	file := encoded(f, small())
	f.Add(file)
	f.Add(encoded(f, nil))
	for _, n := range []int{0, 1, headBytes, headBytes + tailBytes, len(file) / 2, len(file) - 1} {
		f.Add(file[:n])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := decodeBytes(b); err == nil {
			again, err := Read(mustWrite(t, t.TempDir(), c.Step, c.sections, 1))
			if err != nil {
				t.Fatalf("what was read cannot be written and read again: %v", err)
			}
			for i, s := range c.sections {
				if !sameBits(s.Data, again.sections[i].Data) {
					t.Fatalf("section %q changes when it is written and read again", s.Name)
				}
			}
		} else if !errors.Is(err, ErrDamaged) {
			t.Fatalf("refused, but not as damaged: %v", err)
		}
		if len(b) < headBytes+tailBytes {
			return
		}
		body, index := split(b)
		repaired := withIndex(append(head(), body[headBytes:]...), index)
		if _, err := decodeBytes(repaired); err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("with agreeing checksums refused, but not as damaged: %v", err)
		}
	})
}
