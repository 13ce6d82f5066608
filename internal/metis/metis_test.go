package metis

import (
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// square is a graph of n × n vertices with their neighbours to the four sides.
func square(n int32) *Graph {
	g := &Graph{Start: []int32{0}}
	for i := range n * n {
		x, y := i%n, i/n
		for _, p := range [4][2]int32{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
			if p[0] >= 0 && p[0] < n && p[1] >= 0 && p[1] < n {
				g.Neighbours, g.Edges = append(g.Neighbours, p[0]+n*p[1]), append(g.Edges, 1)
			}
		}
		g.Start, g.Weight = append(g.Start, int32(len(g.Neighbours))), append(g.Weight, 1)
	}
	return g
}

// load loads the library, which scripts/install.sh installs.
func loaded(t *testing.T) {
	t.Helper()
	if !built {
		t.Skip("built with the tag nometis")
	}
	if err := Load(); err != nil {
		t.Fatalf("%v\n(or scripts/install.sh metis)", err)
	}
}

func TestLibraryIsFound(t *testing.T) {
	loaded(t)
	path, bits := Library()
	if !strings.Contains(path, "metis") || bits != 32 && bits != 64 {
		t.Errorf("%q with %d bits", path, bits)
	}
	t.Logf("%s: idx_t of %d bits, real_t of 64 bits: %v", path, bits, lib.long)
}

// Parts have what they are to have, and are the same again.
func TestPartsHaveTheirShares(t *testing.T) {
	loaded(t)
	g := square(32)
	for _, shares := range [][]float64{nil, {1, 1, 2, 4}} {
		kway, bisected, err := Partition(g, 4, shares, 1.03)
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := Partition(g, 4, shares, 1.03)
		if !slices.Equal(kway, again) {
			t.Errorf("shares %v: another answer", shares)
		}
		for k, part := range [][]int32{kway, bisected} {
			have := make([]float64, 4)
			for _, p := range part {
				have[p]++
			}
			for r, n := range have {
				want := 256.
				if shares != nil {
					want = 128 * shares[r]
				}
				if n > 1.05*want || n < 0.9*want {
					t.Errorf("shares %v, way %d: part %d has %g vertices, is to have %g", shares, k, r, n, want)
				}
			}
		}
	}
}

// METIS would put back handlers of signals without the flags that Go's need: one that is sent then would end the process.
func TestSignalsAreStillCaught(t *testing.T) {
	loaded(t)
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	defer signal.Stop(got)
	if _, _, err := Partition(square(16), 3, nil, 1.03); err != nil {
		t.Fatal(err)
	}
	for range 3 { // a handler that was put back without its flags is called once
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-got:
		case <-time.After(10 * time.Second):
			t.Fatal("the signal did not arrive")
		}
	}
}

func TestRefusals(t *testing.T) {
	g := square(4)
	heavy := square(4)
	heavy.Weight[3], heavy.Weight[5] = 1<<30, 1<<30
	away := square(4)
	away.Neighbours[0] = 16
	for _, c := range []struct {
		g      *Graph
		parts  int
		shares []float64
		want   string
	}{
		{g, 17, nil, "17 parts of 16 vertices: there can be 1 to 16"},
		{g, 0, nil, "0 parts"},
		{g, 2, []float64{1}, "1 shares of 2 parts"},
		{g, 2, []float64{1, 0}, "part 1 has share 0"},
		{&Graph{}, 1, nil, "0 vertices"},
		{heavy, 2, nil, "weights are 0 or more, their sum fits 31 bits"},
		{away, 2, nil, "leads to vertex 16 of 16"},
	} {
		if _, _, err := Partition(c.g, c.parts, c.shares, 1.03); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Where there is no library, the error says where it was looked for and what to do.
func TestMissingLibrary(t *testing.T) {
	if !built {
		t.Skip("built with the tag nometis")
	}
	mu.Lock()
	defer mu.Unlock()
	kept := lib
	lib = nil
	defer func() { lib = kept }()
	for path, want := range map[string]string{"/nowhere/libmetis.so.5": "cannot be loaded", "/dev/null": "cannot be loaded", "libc.so.6": "is not METIS 5"} {
		t.Setenv(PathVariable, path)
		if err := load(); err == nil || !strings.Contains(err.Error(), path+": ") || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "apt-get install libmetis5") {
			t.Errorf("%v", err)
		}
	}
}

func TestPlacesLookedAt(t *testing.T) {
	none := func(string) string { return "" }
	if got := candidates(none, "linux"); got[0] != "libmetis.so.5" {
		t.Errorf("%v", got)
	}
	conda := func(name string) string { return map[string]string{"CONDA_PREFIX": "/c"}[name] }
	if got := candidates(conda, "darwin"); got[0] != "/c/lib/libmetis.dylib" {
		t.Errorf("%v", got)
	}
}
