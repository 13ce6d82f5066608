package setup_test

import (
	"math"
	"path/filepath"
	"testing"

	"lbmib/io/casefile"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// In a vessel each block weighs its fluid, and has the pairs of nodes of fluid at its faces, as counted node by node.
func TestBlocksOfAVesselAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	file := filepath.Join("..", "..", "cases", "coronary.toml")
	text, err := casefile.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := casefile.Parse(file, text, []string{"reference.resolution=8"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.MarkSolids(); err != nil {
		t.Fatal(err)
	}
	if storage, err := p.Flow.StorageOf(); storage != "runs" {
		t.Fatal(storage, err)
	}
	b := p.LevelBlocks(0, 5) // of the fluid by its runs
	if err := p.TakeMask(); err != nil {
		t.Fatal(err)
	}
	n := b.Grid()
	weight := make([]float64, b.Count())
	var faces [3][]float64
	for a := range faces {
		faces[a] = make([]float64, b.Count())
	}
	size := p.Flow.Size
	block := func(q [3]int) (i int) {
		for i = range b.Count() {
			if of := b.Block(i); q[0] >= of.Lo[0] && q[0] < of.Hi[0] && q[1] >= of.Lo[1] && q[1] < of.Hi[1] && q[2] >= of.Lo[2] && q[2] < of.Hi[2] {
				break
			}
		}
		return i
	}
	owner := make([]int, p.Flow.Nodes())
	for k := range owner {
		owner[k] = block(p.Flow.Position(k))
	}
	for k, solid := range p.Flow.Solid {
		if solid {
			continue
		}
		weight[owner[k]]++
		for a := range 3 {
			q := p.Flow.Position(k)
			if q[a]++; q[a] == size[a] {
				if !b.Periodic[a] {
					continue
				}
				q[a] = 0
			}
			if o := p.Flow.Node(q); !p.Flow.Solid[o] && owner[o] != owner[k] {
				faces[a][owner[k]]++
			}
		}
	}
	each := 1 + 0.8*float64(p.Flow.SolidLinks())/float64(p.Flow.FluidNodes()) // links at walls
	total := 0.
	for i := range weight {
		total += weight[i]
		if w := weight[i] * each; math.Abs(b.Weight[i]-w) > 1e-9*w {
			t.Fatalf("block %d of %v: weight %g, counted %g", i, n, b.Weight[i], weight[i])
		}
		for a := range faces {
			if last := i/[3]int{1, n[0], n[0] * n[1]}[a]%n[a] == n[a]-1; (!last || b.Periodic[a]) && b.Faces[a][i] != faces[a][i] {
				t.Fatalf("block %d of %v: %g pairs along %c, counted %g", i, n, b.Faces[a][i], "xyz"[a], faces[a][i])
			}
		}
	}
	if total != float64(p.Flow.FluidNodes()) {
		t.Errorf("%g nodes, want %d", total, p.Flow.FluidNodes())
	}
}

// Bodies that ranks share weigh where their markers are; others are work of rank 0.
func TestBodiesWeighWhereTheyAre(t *testing.T) {
	for _, shared := range []bool{true, false} {
		sets := []string{}
		if !shared {
			sets = append(sets, "ib.spread=columns")
		}
		p := setuptest.Problem(t, setuptest.StreamCase, sets...)
		b := p.LevelBlocks(0, 8)
		more := 0.
		for i, w := range b.Weight {
			of := b.Block(i)
			if more += w - float64(of.Nodes()); w < float64(of.Nodes()) {
				t.Fatalf("block %v: weight %g", of, w)
			}
		}
		markers := float64(p.Bodies[0].Markers.Len())
		work, alone := 35*markers, 3*markers
		if !shared {
			work, alone = 0, 35*markers
		}
		if got, rest := p.BodyWork(); got != work || rest != alone || math.Abs(more-work) > 1e-9*work {
			t.Errorf("bodies take %g updates and %g, in blocks %g, want %g and %g", got, rest, more, work, alone)
		}
	}
}

// Blocks of a level weigh the nodes that its boxes have in them, and are joined where a box goes on.
func TestBlocksOfLevels(t *testing.T) {
	p := setuptest.Problem(t, setuptest.StreamCase+"[[refine]]\naround = \"rod\"\nmargin = 1.0\nlevel = 2\n")
	p.Bodies = nil
	for l, g := range p.Grids.Levels {
		b := p.LevelBlocks(l, 4)
		total, pairs := 0., [3]float64{}
		for i, w := range b.Weight {
			total += w
			for a := range 2 {
				if l > 0 {
					pairs[a] += b.Faces[a][i]
				}
			}
		}
		want, joined := float64(g.Flow.Nodes()), [3]float64{}
		if l > 0 {
			want = 0
			for _, box := range p.Boxes {
				if box.Level != l {
					continue
				}
				var n, cuts [2]int
				for a := range n {
					lo, hi := box.Lo[a]/g.Width, box.Hi[a]/g.Width
					n[a], cuts[a] = hi-lo, (hi-1)/4-lo/4
				}
				want += float64(n[0] * n[1])
				joined[0] += float64(cuts[0] * n[1])
				joined[1] += float64(cuts[1] * n[0])
			}
		}
		if total != want || pairs != joined {
			t.Errorf("level %d: %g nodes, want %g; pairs %v, want %v", l, total, want, pairs, joined)
		}
		if _, err := b.Boxes(4, nil); err != nil {
			t.Error(err)
		}
	}
}
