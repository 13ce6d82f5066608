package main

import (
	"bytes"
	"math"
	"os"
	"testing"
)

// The tables in the tree are those that the model makes.
func TestTablesAreThoseOfTheModel(t *testing.T) {
	kept, err := os.ReadFile("model.md")
	if err != nil {
		t.Fatal(err)
	}
	var made bytes.Buffer
	write(&made)
	if !bytes.Equal(kept, made.Bytes()) {
		t.Error("model.md is not what the model makes: go run ./validation/cluster > validation/cluster/model.md")
	}
}

// A cube of many sends five populations of each node of its faces, less those that leave by an edge for a neighbour of its own, which are counted once; and
// efficiency falls with the ranks and rises with their nodes.
func TestLoadsOfCubes(t *testing.T) {
	m := machines[0]
	for _, n := range []int{8, 32} {
		l := m.load(n, 5, float64(n))
		// of each of 12 edges, n of the 2 n populations that the two faces count there are the same
		if want := float64(m.bytes * (6*5*n*n - 12*n)); math.Abs(l.Bytes-want) > 1e-6*want || l.Messages != 18 {
			t.Errorf("%d³: %g bytes, want %g; %d messages", n, l.Bytes, want, l.Messages)
		}
	}
	for _, n := range sides(m) {
		last := 1.1
		for _, k := range counts {
			exposed, hidden := m.efficiency(m.load(n, k, float64(n)), float64(n*n*n))
			if exposed > hidden+1e-12 || exposed > last+1e-12 || hidden > 1+1e-12 {
				t.Errorf("%d³, %d ranks: %g … %g after %g", n, k*k*k, exposed, hidden, last)
			}
			last = exposed
		}
	}
}
