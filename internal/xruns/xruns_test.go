package xruns_test

import (
	"math/rand/v2"
	"testing"

	"lbmib/internal/xruns"
)

// What a set tells of every node is what a mask of the box does.
func TestASetIsAMask(t *testing.T) {
	size := [3]int{13, 9, 7}
	random := rand.New(rand.NewPCG(1, 2))
	mask := make([]bool, size[0]*size[1]*size[2])
	for n := range mask { // with empty rows and planes
		if z := n / (size[0] * size[1]); z%3 != 1 {
			mask[n] = random.IntN(3) > 0 && n/size[0]%4 != 2
		}
	}
	s := xruns.New(size)
	for z := range size[2] {
		for y := range size[1] {
			row := mask[size[0]*(y+size[1]*z):][:size[0]]
			for x := 0; x < size[0]; x++ {
				from := x
				for x < size[0] && row[x] {
					x++
				}
				if x > from {
					s.Add(y, z, xruns.Run{X0: int32(from), X1: int32(x)})
				}
			}
		}
	}
	s.Close()
	next := int64(0)
	for n, in := range mask {
		p := [3]int{n % size[0], n / size[0] % size[1], n / (size[0] * size[1])}
		want := int64(-1)
		if in {
			want = next
			next++
			if at := s.Position(want); at != p {
				t.Fatalf("node %d is at %v, want %v", want, at, p)
			}
		}
		if got := s.Number(p[0], p[1], p[2]); got != want || s.Has(p[0], p[1], p[2]) != in {
			t.Fatalf("node %v has the number %d, want %d", p, got, want)
		}
	}
	if s.Nodes() != next || s.Has(-1, 0, 0) || s.Has(0, -1, 0) || s.Has(0, 0, 7) {
		t.Errorf("%d nodes of %d, or nodes beyond the box", s.Nodes(), next)
	}
	lo, hi := [3]int{3, -2, -1}, [3]int{20, 6, 9}
	walls := make([]bool, 17*8*10)
	for k := range walls {
		walls[k] = true
	}
	s.Clear(lo, hi, walls)
	for k, wall := range walls {
		if x, y, z := lo[0]+k%17, lo[1]+k/17%8, lo[2]+k/(17*8); wall == s.Has(x, y, z) {
			t.Fatalf("place (%d, %d, %d) is a wall: %v", x, y, z, wall)
		}
	}
}

// A set of few nodes in a box of many takes little, and is found in.
func TestASetInAHugeBox(t *testing.T) {
	s := xruns.New([3]int{1 << 20, 1 << 20, 10_000})
	for k := range 100 {
		s.Add(k*1000, 100*k, xruns.Run{X0: int32(k), X1: int32(k + 5)})
	}
	s.Close()
	if s.Bytes() > 100_000 || s.Number(52, 50_000, 5000) != 252 || s.Position(252) != [3]int{52, 50_000, 5000} || s.Has(55, 50_000, 5000) {
		t.Errorf("%d bytes, node 252 at %v", s.Bytes(), s.Position(252))
	}
}
