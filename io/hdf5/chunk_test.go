package hdf5

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"math/rand"
	"slices"
	"testing"
)

// shapes are awkward on purpose: primes, ones, edges that no chunk divides.
var shapes = []struct{ shape, repeat []int }{
	{[]int{200_007}, nil},
	{[]int{2, 12, 17}, []int{0}},
	{[]int{2, 51, 203, 3}, []int{0}},
	{[]int{2, 2, 40_001}, []int{0, 1}},
	{[]int{2, 1, 20_009, 3}, []int{0}},
	{[]int{18, 11, 7, 3}, nil},
	{[]int{29, 37, 31, 3}, nil},
	{[]int{100, 2, 30, 3}, []int{1}},
	{[]int{1, 1, 1}, nil},
	{[]int{3, 100_003}, nil},
}

func random(n int) elements {
	data := make([]int64, n)
	r := rand.New(rand.NewSource(1))
	for i := range data {
		data[i] = int64(r.Uint64())
	}
	return view(0, data)
}

// given is the number of elements that the data of a dataset have.
func given(shape, repeat []int) int {
	n := 1
	for axis, s := range shape {
		if !slices.Contains(repeat, axis) {
			n *= s
		}
	}
	return n
}

// reference is an element of chunk g.extent at index k within the chunk that
// begins at the given origin: the definition, one axis after the other.
func reference(g *grid, repeat []int, e elements, origin []uint64, k []int) []byte {
	at := 0
	for axis, s := range g.shape {
		i := int(origin[axis]) + k[axis]
		if i >= s {
			return make([]byte, e.size)
		}
		if !slices.Contains(repeat, axis) {
			at = at*s + i
		}
	}
	return e.bytes[at*e.size:][:e.size]
}

func TestChunksHoldTheirPartOfTheDatasetPaddedWithZeros(t *testing.T) {
	for _, c := range shapes {
		e := random(given(c.shape, c.repeat))
		g := cut(c.shape, c.repeat, e.size)
		origin, k := make([]uint64, len(c.shape)), make([]int, len(c.shape))
		dirty := bytes.Repeat([]byte{0xff}, 64)
		for i := range g.chunks {
			got := g.gather(dirty, e, i)
			dirty = got
			g.origin(origin, i)
			for n := range g.elements() {
				rest := n
				for axis := len(k) - 1; axis >= 0; axis-- {
					k[axis] = rest % g.extent[axis]
					rest /= g.extent[axis]
				}
				if want := reference(g, c.repeat, e, origin, k); !bytes.Equal(got[n*e.size:][:e.size], want) {
					t.Fatalf("shape %v, chunk %d of %v, index %v: got %x, want %x", c.shape, i, g.extent, k, got[n*e.size:][:e.size], want)
				}
			}
		}
	}
}

func TestChunksAreOfSensibleSize(t *testing.T) {
	for _, size := range []int{4, 8} {
		for _, c := range append(shapes, struct{ shape, repeat []int }{[]int{256, 256, 256}, nil}, struct{ shape, repeat []int }{[]int{512, 512, 512, 3}, nil}) {
			g := cut(c.shape, c.repeat, size)
			chunk := g.elements() * size
			total, _ := product(c.shape)
			if chunk > chunkBytes && len(c.repeat) == 0 {
				t.Errorf("shape %v: a chunk %v has %d bytes, more than %d", c.shape, g.extent, chunk, chunkBytes)
			}
			if total*size > 4*chunkBytes && len(c.repeat) == 0 && chunk < chunkBytes/4 {
				t.Errorf("shape %v: a chunk %v has %d bytes only", c.shape, g.extent, chunk)
			}
			if padded := g.chunks * g.elements(); 3*padded > 4*total { // the worst: three layers in chunks of two
				t.Errorf("shape %v: chunks %v store %d elements for %d", c.shape, g.extent, padded, total)
			}
		}
	}
}

func TestShuffleCollectsBytesOfEqualPlace(t *testing.T) {
	src := []byte("abcdABCD0123")
	if got := shuffle(nil, src, 4); string(got) != "aA0bB1cC2dD3" {
		t.Errorf("4 bytes: %q", got)
	}
	src = []byte("abcdefghABCDEFGH")
	if got := shuffle(make([]byte, 99), src, 8); string(got) != "aAbBcCdDeEfFgGhH" {
		t.Errorf("8 bytes: %q", got)
	}
}

func TestChunksArriveInOrderAndInflateToTheShuffledData(t *testing.T) {
	shape := []int{42, 50, 60, 3} // three whole chunks
	e := random(42 * 50 * 60 * 3)
	clear(e.bytes[:len(e.bytes)/2]) // this half shrinks, the other does not
	g := cut(shape, nil, e.size)
	masks := map[uint32]int{}
	next := 0
	err := compress(g, e, func(i int, c packed) error {
		if i != next {
			t.Fatalf("chunk %d came when %d was due", i, next)
		}
		next++
		masks[c.mask]++
		want := shuffle(nil, g.gather(nil, e, i), e.size)
		got := c.bytes
		if c.mask == 0 {
			r, err := zlib.NewReader(bytes.NewReader(c.bytes))
			if err == nil {
				got, err = io.ReadAll(r)
			}
			if err != nil {
				t.Fatalf("chunk %d: %v", i, err)
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("chunk %d differs", i)
		}
		return nil
	})
	if err != nil || next != g.chunks {
		t.Fatalf("%d of %d chunks, %v", next, g.chunks, err)
	}
	if masks[0] == 0 || masks[filterMaskNoDeflate] == 0 {
		t.Errorf("masks %v: want chunks that are deflated and chunks that are not", masks)
	}
}

func TestCompressionEndsAtTheFirstError(t *testing.T) {
	e := random(1_000_000)
	g := cut([]int{1_000_000}, nil, e.size)
	stop := errors.New("stop")
	calls := 0
	err := compress(g, e, func(i int, c packed) error {
		calls++
		if i == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || calls != 3 {
		t.Errorf("%v after %d calls, want the error of the third", err, calls)
	}
}
