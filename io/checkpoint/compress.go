package checkpoint

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// packed is one chunk on its way from the arrays to the file.
type packed struct {
	chunk
	raw, frame []byte
	stored     []byte // raw or frame
	sum        uint32
	ready      chan struct{} // receives once stored and sum are set
}

// writeChunks writes the chunks of all sections to w in order and completes
// the index with their lengths and checksums. Chunks are compressed by all
// CPUs, a few ahead of what has been written; the bytes do not depend on how
// many there are.
func writeChunks(w io.Writer, sections []Section, x *index) error {
	workers := runtime.GOMAXPROCS(0)
	codec, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(workers), zstd.WithWindowSize(chunkBytes), zstd.WithSingleSegment(true))
	if err != nil {
		return err
	}
	defer codec.Close()

	var (
		failed atomic.Bool
		jobs   = make(chan *packed, workers)
		order  = make(chan *packed, 2*workers) // its capacity bounds the memory
		spare  = sync.Pool{New: func() any { return &packed{ready: make(chan struct{}, 1)} }}
		group  sync.WaitGroup
		busy   sync.WaitGroup // chunks whose arrays are still needed
	)
	for range workers {
		group.Go(func() {
			for p := range jobs {
				if !failed.Load() {
					p.compress(codec, sections[p.section].Data, x.Sections[p.section].Kind)
				}
				busy.Done()
				p.ready <- struct{}{}
			}
		})
	}
	var unfilled error // of the goroutine that fills
	group.Go(func() {
		defer close(order)
		defer close(jobs)
		for i := range sections {
			s := &x.Sections[i]
			if fill := sections[i].Fill; fill != nil {
				busy.Wait()
				if failed.Load() {
					return
				}
				if unfilled = fill(); unfilled != nil {
					failed.Store(true)
					return
				}
			}
			for _, c := range chunksOf(i, s.Kind, int(s.Count)) {
				p := spare.Get().(*packed)
				p.chunk = c
				busy.Add(1)
				order <- p
				jobs <- p
			}
		}
	})
	for p := range order {
		<-p.ready
		if err == nil {
			if _, err = w.Write(p.stored); err != nil {
				failed.Store(true) // what is under way is drained, not compressed
			}
			s := &x.Sections[p.section]
			s.Stored = append(s.Stored, int64(len(p.stored)))
			s.Sums = append(s.Sums, p.sum)
		}
		spare.Put(p)
	}
	group.Wait()
	return errors.Join(err, unfilled)
}

func (p *packed) compress(codec *zstd.Encoder, data any, k kind) {
	n := (p.hi - p.lo) * k.size()
	if cap(p.raw) < n {
		p.raw = make([]byte, n)
	}
	p.raw = p.raw[:n]
	pack(p.raw, data, p.lo, p.hi)
	p.frame = codec.EncodeAll(p.raw, p.frame[:0])
	p.stored = p.raw
	if len(p.frame) < n {
		p.stored = p.frame
	}
	p.sum = checksum(p.stored)
}
