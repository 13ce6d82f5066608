package durable

import (
	"crypto/sha256"
	"encoding/hex"
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
