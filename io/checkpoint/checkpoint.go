// Package checkpoint keeps the complete state of a run on disk, so that an
// interrupted run continues with the same bits.
//
// A checkpoint is a step, a JSON document and named arrays. It is written
// whole under a temporary name, synced and then renamed, so that a file with
// a checkpoint's name is complete whatever happened; and it is read only if
// every byte of it agrees with its checksums.
package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrDamaged is wrapped by every error about a checkpoint whose content is
// not what was written.
var ErrDamaged = errors.New("damaged checkpoint")

// Element is what an array of a checkpoint may hold.
type Element interface {
	float64 | float32 | int64 | byte
}

// Section is one named array of a checkpoint. Data is a []float64, []float32,
// []int64 or []byte of any length; names are unique within a checkpoint.
//
// Fill, where it is not nil, is called once when the section's turn comes and
// puts its content into Data; the sections before it have been taken care of by
// then, so that several can share one array. Its error ends the writing, and leaves
// what was there before.
type Section struct {
	Name string
	Data any
	Fill func() error
}

// Checkpoint is a checkpoint that was read and verified.
type Checkpoint struct {
	Path string
	Step int64
	Meta json.RawMessage // the JSON document given to Write

	// Format is the version of the file's format. Version 2 is version 1 whose
	// document has the checksums of the run's outputs; both are read.
	Format int

	sections []Section
}

// DecodeMeta stores the JSON document in v, as json.Unmarshal does.
func (c *Checkpoint) DecodeMeta(v any) error {
	if err := json.Unmarshal(c.Meta, v); err != nil {
		return fmt.Errorf("%s: the checkpoint's description does not fit this version: %w: resume with the version that wrote it", c.Path, err)
	}
	return nil
}

// Names lists the sections in the order in which they were written.
func (c *Checkpoint) Names() []string {
	names := make([]string, len(c.sections))
	for i, s := range c.sections {
		names[i] = s.Name
	}
	return names
}

// Float64 is the named section. The slice belongs to the checkpoint. It is an
// error if the section is missing or holds another type.
func (c *Checkpoint) Float64(name string) ([]float64, error) { return array[float64](c, name) }

// Float32 is Float64 for sections of float32.
func (c *Checkpoint) Float32(name string) ([]float32, error) { return array[float32](c, name) }

// Int64 is Float64 for sections of int64.
func (c *Checkpoint) Int64(name string) ([]int64, error) { return array[int64](c, name) }

// Bytes is Float64 for sections of bytes.
func (c *Checkpoint) Bytes(name string) ([]byte, error) { return array[byte](c, name) }

// Load copies the named section into dst. It is an error if the section is
// missing, holds another type or has another length than dst; dst is then
// unchanged.
func Load[T Element](c *Checkpoint, name string, dst []T) error {
	data, err := array[T](c, name)
	if err != nil {
		return err
	}
	if len(data) != len(dst) {
		return fmt.Errorf("%s: section %q holds %d values, this run needs %d: resume with the case that wrote it (same domain, resolution and bodies)",
			c.Path, name, len(data), len(dst))
	}
	copy(dst, data)
	return nil
}

func array[T Element](c *Checkpoint, name string) ([]T, error) {
	i := slices.IndexFunc(c.sections, func(s Section) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s: section %q is missing, there are %s: resume with the case and version that wrote it",
			c.Path, name, quoted(c.Names()))
	}
	data, ok := c.sections[i].Data.([]T)
	if !ok {
		return nil, fmt.Errorf("%s: section %q holds %d values of type %T, this run needs %T: resume with the case that wrote it (same precision)",
			c.Path, name, length(c.sections[i].Data), c.sections[i].Data, data)
	}
	return data, nil
}

func quoted(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return `"` + strings.Join(names, `", "`) + `"`
}
