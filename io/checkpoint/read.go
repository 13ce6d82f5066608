package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

const remedy = "resume from an older checkpoint or start again"

// Read reads a checkpoint and verifies all of it. A file that is not exactly
// what was written gives an error that wraps ErrDamaged, and so does one whose name is
// that of another step.
func Read(path string) (*Checkpoint, error) {
	f, size, err := regular.Open(path)
	if errors.Is(err, regular.ErrKind) {
		return nil, fmt.Errorf("%w of a checkpoint, STEP%s", err, suffix)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the checkpoint cannot be opened: %w: %s", path, durable.Cause(err), durable.Remedy(err, "check the path and its permissions"))
	}
	defer f.Close()
	c, err := decode(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", path, durable.Cause(err), remedy)
	}
	if step, ok := stepOf(filepath.Base(path)); ok && step != c.Step {
		return nil, fmt.Errorf("%s: %w: its name says step %d, it holds step %d: it was renamed: give it its name back, %s", path, ErrDamaged, step, c.Step, fileName(c.Step))
	}
	c.Path = path
	return c, nil
}

// Latest reads the newest checkpoint in dir that verifies. Newer ones that do
// not are left in place and reported in damaged, the newest first. If there
// is no checkpoint at all, err wraps fs.ErrNotExist; if all are damaged, it
// wraps ErrDamaged.
func Latest(dir string) (c *Checkpoint, damaged []error, err error) {
	all, err := list(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: checkpoints cannot be listed: %w: %s", dir, durable.Cause(err), durable.Remedy(err, "check the path, or start without resuming"))
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%s: %w: it holds no checkpoint: start without resuming", dir, fs.ErrNotExist)
	}
	for _, s := range all {
		c, err := Read(s.path)
		if err == nil {
			return c, damaged, nil
		}
		damaged = append(damaged, err)
	}
	return nil, damaged, fmt.Errorf("%s: %w: none of %d can be used, the newest because: %w", dir, ErrDamaged, len(all), damaged[0])
}

func decode(r io.ReaderAt, size int64) (*Checkpoint, error) {
	x, err := readIndex(r, size)
	if err != nil {
		return nil, short(err)
	}
	c := &Checkpoint{Step: x.Step, Meta: x.Meta, Format: x.format, sections: make([]Section, len(x.Sections))}
	if c.Meta == nil {
		c.Meta = []byte("null")
	}
	for i, s := range x.Sections {
		c.sections[i] = Section{Name: s.Name, Data: s.Kind.alloc(int(s.Count))}
	}
	if err := readChunks(r, x, c.sections); err != nil {
		return nil, short(err)
	}
	return c, nil
}

// short names the end of a file that shrinks while it is read.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends before its declared length", ErrDamaged)
	}
	return err
}

// readChunks fills the sections, on all CPUs. Of several errors it returns
// that of the first chunk.
func readChunks(r io.ReaderAt, x *index, sections []Section) error {
	var (
		chunks  []chunk
		offsets = []int64{int64(headBytes)}
	)
	for i := range x.Sections {
		s := &x.Sections[i]
		chunks = append(chunks, chunksOf(i, s.Kind, int(s.Count))...)
		for _, n := range s.Stored {
			offsets = append(offsets, offsets[len(offsets)-1]+n)
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(chunks))
	if workers == 0 {
		return nil
	}
	codec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(workers),
		zstd.WithDecoderMaxMemory(chunkBytes), zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return err
	}
	defer codec.Close()

	var (
		next  atomic.Int64
		group sync.WaitGroup
		mutex sync.Mutex
		first = math.MaxInt // the earliest chunk that failed with err
	)
	for range workers {
		group.Go(func() {
			var u unpacker
			for k := int(next.Add(1) - 1); k < len(chunks); k = int(next.Add(1) - 1) {
				ch, s := chunks[k], &x.Sections[chunks[k].section]
				sum := s.Sums[ch.lo*s.Kind.size()/chunkBytes]
				e := u.read(r, codec, offsets[k], offsets[k+1], sum, ch, s.Kind, sections[ch.section].Data)
				if e == nil {
					continue
				}
				next.Store(int64(len(chunks))) // no further ones
				mutex.Lock()
				if k < first {
					first, err = k, fmt.Errorf("section %q, values %d to %d: %w", s.Name, ch.lo, ch.hi-1, e)
				}
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	return err
}

// unpacker holds one worker's buffers.
type unpacker struct{ stored, raw []byte }

// read stores the chunk that lies in bytes [from, to) of r in data.
func (u *unpacker) read(r io.ReaderAt, codec *zstd.Decoder, from, to int64, sum uint32, c chunk, k kind, data any) error {
	u.stored = resize(u.stored, int(to-from))
	if _, err := r.ReadAt(u.stored, from); err != nil {
		return err
	}
	if checksum(u.stored) != sum {
		return fmt.Errorf("%w: bytes %d to %d do not agree with their checksum", ErrDamaged, from, to-1)
	}
	n := (c.hi - c.lo) * k.size()
	raw := u.stored
	if len(raw) < n {
		u.raw = resize(u.raw, n)
		var err error
		if raw, err = codec.DecodeAll(u.stored, u.raw[:0:n]); err != nil {
			return fmt.Errorf("%w: bytes %d to %d cannot be decompressed: %w", ErrDamaged, from, to-1, err)
		}
		if len(raw) != n {
			return fmt.Errorf("%w: bytes %d to %d decompress to %d bytes, %d are declared", ErrDamaged, from, to-1, len(raw), n)
		}
	}
	unpack(data, c.lo, c.hi, raw)
	return nil
}

func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
