package hdf5

import (
	"bytes"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// Levels of deflate. On shuffled floats higher ones than the fastest gain little
// and cost much. It skips through noise, though, and then finds a repeated
// layer by luck only; levelRepeated is the lowest that looks at every byte.
const (
	levelPlain    = zlib.BestSpeed
	levelRepeated = 7
)

// packed is a chunk as the file stores it. mask tells readers which filters
// were skipped.
type packed struct {
	bytes []byte
	mask  uint32
}

// compress packs every chunk of e, with as many workers as there are CPUs, and
// hands the chunks to store in order, one at a time, in the calling goroutine.
// At most twice as many chunks as workers are held. It returns the first error
// of store, after the workers have ended.
func compress(g *grid, e elements, store func(i int, c packed) error) error {
	workers := min(runtime.GOMAXPROCS(0), g.chunks)
	// Chunk i uses slot i mod depth. A slot is free again once it was stored,
	// so that its buffer serves the next chunk.
	depth := min(2*workers, g.chunks)
	slots := make([]struct {
		buf  bytes.Buffer
		done chan packed
	}, depth)
	jobs := make(chan int, depth)
	for i := range slots {
		slots[i].done = make(chan packed, 1)
		jobs <- i
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			p := newPacker(g.level)
			for i := range jobs {
				slot := &slots[i%depth]
				slot.done <- p.pack(&slot.buf, g, e, i)
			}
		})
	}
	defer wg.Wait()
	defer close(jobs)
	for i := range g.chunks {
		if err := store(i, <-slots[i%depth].done); err != nil {
			return err
		}
		if next := i + depth; next < g.chunks {
			jobs <- next
		}
	}
	return nil
}

// packer is a worker's scratch.
type packer struct {
	raw, shuffled []byte
	deflate       *zlib.Writer
}

func newPacker(level int) *packer {
	w, err := zlib.NewWriterLevel(nil, level)
	if err != nil {
		panic("hdf5: " + err.Error()) // the levels are constants
	}
	return &packer{deflate: w}
}

// pack shuffles and deflates chunk i into buf. A chunk that does not shrink is
// kept shuffled only.
func (p *packer) pack(buf *bytes.Buffer, g *grid, e elements, i int) packed {
	p.raw = g.gather(p.raw, e, i)
	p.shuffled = shuffle(p.shuffled, p.raw, e.size)
	buf.Reset()
	p.deflate.Reset(buf)
	// Writes to a bytes.Buffer do not fail.
	_, _ = p.deflate.Write(p.shuffled)
	_ = p.deflate.Close()
	if buf.Len() < len(p.shuffled) {
		return packed{bytes: buf.Bytes()}
	}
	buf.Reset()
	buf.Write(p.shuffled)
	return packed{bytes: buf.Bytes(), mask: filterMaskNoDeflate}
}

// shuffle is HDF5's byte shuffle: all first bytes of the elements, then all
// second bytes, and so on. Neighbouring floats share sign, exponent and leading
// mantissa, which so become long runs. dst is grown as needed and returned.
func shuffle(dst, src []byte, size int) []byte {
	if cap(dst) < len(src) {
		dst = make([]byte, len(src))
	}
	dst = dst[:len(src)]
	n := len(src) / size
	for b := 0; b < size; b += 4 { // sizes are 4 and 8
		d0, d1 := dst[b*n:][:n], dst[(b+1)*n:][:n]
		d2, d3 := dst[(b+2)*n:][:n], dst[(b+3)*n:][:n]
		for i := range n {
			s := src[i*size+b:][:4:4]
			d0[i], d1[i], d2[i], d3[i] = s[0], s[1], s[2], s[3]
		}
	}
	return dst
}
