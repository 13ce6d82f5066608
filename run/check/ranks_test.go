package check

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/internal/partition"
	"lbmib/run/setup"
	"lbmib/run/setup/setuptest"
)

// stream is a flow past a body, on one grid or with a box of finer nodes.
const stream = `
[reference]
resolution = 8
velocity = 0.05
reynolds = 20
[domain]
lattice = "D3Q19"
size = [8.0, 6.0, 5.0]
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[[body]]
name  = "egg"
shape = { type = "ellipsoid", center = [2.0, 3.0, 3.0], axes = [2.0, 1.5, 1.0] }
[run]
steps = 10
`

// share is a report with what is known of so many ranks.
func share(t *testing.T, text string, ranks int) *Report {
	t.Helper()
	r := look(setuptest.InEmptyDirectory(t, text), nil)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.Share(ranks); err != nil {
		t.Fatal(err)
	}
	return r
}

// Ranks' boxes make up each level, their work is all that there is, and no prediction is better than n ranks can be.
func TestRanksShareAllWork(t *testing.T) {
	refined := strings.Replace(stream, "[run]", "[[refine]]\naround = \"egg\"\nmargin = 0.5\n[run]", 1)
	for _, text := range []string{stream, refined} {
		r := share(t, text, 6)
		s := r.Ranks
		if len(s.Rows) != 4 || s.Rows[3].Ranks != 6 || len(s.Shares) != 6 {
			t.Fatalf("%+v", s)
		}
		for l := range s.levels {
			nodes := 0
			for _, b := range s.levels[l] {
				nodes += b.Nodes()
			}
			size := r.problem.Flow.Size
			if r.problem.Grids != nil {
				size = r.problem.Grids.Levels[l].Flow.Size
			}
			if nodes != size[0]*size[1]*size[2] {
				t.Errorf("level %d: %d nodes in boxes, %v", l, nodes, size)
			}
		}
		work := 0.
		for _, k := range s.Shares {
			work += float64(k.Work)
		}
		fluid := float64(r.problem.Flow.Nodes())
		if r.problem.Grids != nil {
			fluid = fluid/8/2 + float64(r.problem.Grids.Levels[1].Nodes) // coarse nodes make half as many steps, also below the box
		}
		if bodies := 35 * float64(r.markers()); math.Abs(work-fluid-bodies) > 1e-6*work { // which are shared
			t.Errorf("work %g, fluid %g, bodies %g", work, fluid, bodies)
		}
		// Of each point all know place and force, and tell what four values are there.
		markers := float64(r.markers())
		if each := 3*markers/(1e6*float64(s.MFLUPS)) + 3*s.Latency + 32*markers/s.Bandwidth; !s.Bodies || s.Rows[0].Bodies != 0 || math.Abs(float64(s.Rows[3].Bodies)-each) > 1e-6*each {
			t.Errorf("bodies take %g s on one rank and %g on 6, want 0 and %g", s.Rows[0].Bodies, s.Rows[3].Bodies, each)
		}
		for _, row := range s.Rows {
			if row.Exposed > row.Hidden+1e-12 || row.Hidden > 1+1e-9 || row.Exposed <= 0 || row.Memory <= 0 || row.Ranks > 1 && (row.Cut <= 0 || row.Bytes <= 0 || row.Neighbours < 1) {
				t.Errorf("%+v", row)
			}
		}
		if first := s.Rows[0]; math.Abs(float64(first.Exposed)-1) > 1e-9 || first.Sent != 0 || first.Imbalance != 1 {
			t.Errorf("one rank: %+v", first)
		}
	}
}

// What is told of a box that is cut once is what can be counted: the cut, what is sent, and the memory of half the fluid.
func TestRanksOfABoxAreCounted(t *testing.T) {
	text := stream[:strings.Index(stream, "[[body]]")] + "[run]\nsteps = 10\n"
	r := share(t, text, 2)
	row := r.Ranks.Rows[1] // 64 × 48 × 40 nodes, periodic along z and x, across which no cut is shorter than 48 × 40
	plane, ends := 48*40., 2.
	if r.Ranks.Shares[0].Boxes[0][1] != [3]int{32, 48, 40} {
		plane, ends = 64*40., 1.
	}
	if row.Imbalance != 1 || row.Cut != ends*plane || row.Neighbours != 1 {
		t.Errorf("%+v, boxes %v", row, r.Ranks.Shares)
	}
	// five populations of each node, but those that fly off at walls
	if most, least := 5*8*ends*plane, 4.8*8*ends*plane; row.Bytes > most || row.Bytes < least || row.Sent != 2*row.Bytes {
		t.Errorf("%g bytes, %g in all; want %g to %g", row.Bytes, row.Sent, least, most)
	}
	if one := float64(r.Ranks.Rows[0].Memory); float64(row.Memory) < 0.5*one || float64(row.Memory) > 0.65*one {
		t.Errorf("memory %d of %g", row.Memory, one)
	}
}

// In a vessel, ranks share its fluid, and their boxes are told.
func TestRanksOfAVessel(t *testing.T) {
	surface, err := filepath.Abs("../../cases/coronary.stl")
	if err != nil {
		t.Fatal(err)
	}
	r := look(filepath.Join(filepath.Dir(surface), "coronary.toml"), nil)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if err := r.Share(4); err != nil {
		t.Fatal(err)
	}
	s := r.Ranks
	work, boxes := 0., int64(0)
	for _, k := range s.Shares {
		work, boxes = work+float64(k.Work), boxes+k.Nodes
	}
	if want := float64(r.Scheme.Fluid) + setup.LinkWork*float64(r.Scheme.links); math.Abs(work/want-1) > 1e-9 || boxes != r.Scheme.Box {
		t.Errorf("work %g, want %g; %d nodes of boxes, want %d", work, want, boxes, r.Scheme.Box)
	}
	if s.Rows[2].Imbalance > 1.3 || s.Graph == nil || s.Graph.Imbalance > 1.3 {
		t.Errorf("%+v, %+v", s.Rows, s.Graph)
	}
	var page bytes.Buffer
	r.Write(&page, nil)
	for _, says := range []string{"4 ranks (predicted)", "stated, not measured", "memory exposed hidden", "of which its fluid alone is stored"} {
		if !strings.Contains(strings.Join(strings.Fields(page.String()), " "), says) {
			t.Errorf("the page does not say %q:\n%s", says, page.String())
		}
	}
	_, ranks, _ := strings.Cut(page.String(), "4 ranks (predicted)")
	for _, line := range strings.Split(ranks, "\n") {
		if len([]rune(line)) > PageWidth {
			t.Errorf("longer than %d: %q", PageWidth, line)
		}
	}
}

// More ranks than blocks are refused with what there can be; what can be is still told, and in JSON.
func TestTooManyRanksAreRefused(t *testing.T) {
	small := strings.NewReplacer("size = [8.0, 6.0, 5.0]", "size = [1.0, 1.0, 1.0]").Replace(stream[:strings.Index(stream, "[[body]]")]) + "[run]\nsteps = 10\n"
	r := look(setuptest.InEmptyDirectory(t, small), nil)
	err := r.Share(100) // 4³ blocks of 2 nodes a side
	if err == nil || !strings.Contains(err.Error(), "100 ranks: the domain has 64 blocks") {
		t.Errorf("%v", err)
	}
	if r.Ranks == nil || len(r.Ranks.Rows) != 7 || r.Ranks.Refused == "" {
		t.Errorf("%+v", r.Ranks)
	}
	var page bytes.Buffer
	if r.Write(&page, nil); !strings.Contains(page.String(), "64 ranks (predicted)") {
		t.Errorf("%s", page.String())
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	if err := r.Share(-1); err == nil || !strings.Contains(err.Error(), "must be from 1") {
		t.Errorf("%v", err)
	}
}

// The model is what its parts say.
func TestPredictedTimes(t *testing.T) {
	m := partition.Machine{Rate: 1e8, Latency: 1e-6, Bandwidth: 1e9}
	l := partition.Load{Work: 2e6, Inner: 1e6, Messages: 10, Bytes: 1e6}
	if is, want := m.Exposed(l), 0.02+1e-5+1e-3; math.Abs(is-want) > 1e-12 {
		t.Errorf("exposed %g, want %g", is, want)
	}
	if is, want := m.Hidden(l), 0.02; math.Abs(is-want) > 1e-12 {
		t.Errorf("hidden %g, want %g", is, want)
	}
	l.Inner = 0
	if is, want := m.Hidden(l), 0.02+1e-5+1e-3; math.Abs(is-want) > 1e-12 {
		t.Errorf("nothing to hide behind: %g, want %g", is, want)
	}
}

// Where ranks have the coarse cells beside their own fine nodes they tell each other little of seams between levels; where others have them, all of it.
func TestSeamsBetweenLevelsAreCounted(t *testing.T) {
	r := look(setuptest.InEmptyDirectory(t, strings.Replace(stream, "[run]", "[[refine]]\naround = \"egg\"\nmargin = 0.5\n[run]", 1)), nil)
	d := &divider{p: r.problem}
	coarse, fine := d.size(0), d.size(1)
	at := (r.problem.Boxes[0].Lo[1] + r.problem.Boxes[0].Hi[1]) / 4
	halves := func(size [3]int, at int) (low, high partition.Box) {
		low, high = partition.Box{Hi: size}, partition.Box{Hi: size}
		low.Hi[1], high.Lo[1] = at, at
		return low, high
	}
	a, b := halves(coarse, at)
	c, e := halves(fine, 2*at)
	all := 5.5 * float64(r.problem.Grids.Levels[1].Ghosts)
	for _, k := range []struct {
		fine [2]partition.Box
		want float64
	}{{[2]partition.Box{c, e}, 0}, {[2]partition.Box{e, c}, all}, {[2]partition.Box{{Hi: fine}, {}}, all / 2}} {
		d.boxes = [][]partition.Box{{a, b}, k.fine[:]}
		each := d.between(1)
		if got := each[0] + each[1]; math.Abs(got-k.want) > 0.1*all {
			t.Errorf("%v send %g, want %g of %g", k.fine, got, k.want, all)
		}
	}
}
