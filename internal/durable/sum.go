package durable

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// Sum is what a file, or its beginning, was when it was written: so many bytes with this
// SHA-256, as sha256sum prints it.
type Sum struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"` // empty: not known
}

// Summer is a writer that sums what goes through it.
type Summer struct {
	bytes int64
	hash  hash.Hash
}

// NewSummer is one of nothing yet.
func NewSummer() *Summer { return &Summer{hash: sha256.New()} }

func (s *Summer) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	return s.hash.Write(b)
}

// Sum is that of all that was written so far.
func (s *Summer) Sum() Sum { return Sum{s.bytes, hex.EncodeToString(s.hash.Sum(nil))} }

// WriteSummed is Write, and tells the sum of what was written.
func WriteSummed(path string, content func(w io.Writer) error) (Sum, error) {
	s := NewSummer()
	err := Write(path, func(w io.Writer) error { return content(io.MultiWriter(w, s)) })
	return s.Sum(), err
}

// Check compares a file with a sum that it had; with longer a file that has grown since
// is good. The error says how it differs. A cancelled context ends the reading with its
// error.
func (s Sum) Check(ctx context.Context, path string, longer bool) error {
	f, err := Open(path)
	if err != nil {
		return fmt.Errorf("it cannot be read: %w", Cause(err))
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("it cannot be read: %w", Cause(err))
	case info.Size() < s.Bytes, info.Size() > s.Bytes && !longer:
		return fmt.Errorf("it has %d bytes, %d were written", info.Size(), s.Bytes)
	case s.SHA256 == "":
		return nil
	}
	read := NewSummer()
	for left := s.Bytes; left > 0; {
		n, err := io.CopyN(read, f, min(left, 16<<20))
		if left -= n; err != nil {
			return fmt.Errorf("it cannot be read: %w", Cause(err))
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if read.Sum() != s {
		return fmt.Errorf("its %d bytes are not those that were written (SHA-256)", s.Bytes)
	}
	return nil
}
