package check

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"lbmib/internal/finite"
	"lbmib/internal/machine"
	"lbmib/internal/metis"
	"lbmib/internal/partition"
	"lbmib/io/casefile"
	"lbmib/lbm"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// RanksReport is how the flow would be shared among ranks, and what that is predicted to bring.
type RanksReport struct {
	Asked     int           `json:"asked"`
	MFLUPS    finite.Number `json:"mflups_per_rank"`     // measured on this machine
	Threads   int           `json:"threads_per_rank"`    // with which it was
	Latency   float64       `json:"latency_seconds"`     // of a message: stated, not measured
	Bandwidth float64       `json:"bytes_per_second"`    // of a rank's network, each way: stated, not measured
	Seam      finite.Number `json:"seam_updates"`        // that a pair of nodes at a seam takes, in updates of nodes; twice that across x
	Measured  bool          `json:"seam_measured"`       // that was, just now; else it is what a CPU took elsewhere
	Device    string        `json:"device"`              // that a rank has: of this machine
	Width     int           `json:"block_nodes"`         // cuts of the coarsest level are at multiples of
	Rows      []RanksRow    `json:"rows"`                // for 1, 2, 4, … ranks, as far as there are blocks
	Bodies    bool          `json:"bodies_shared"`       // among the ranks, by where they are; else they are rank 0's
	Shares    []RankShare   `json:"ranks"`               // of each rank, when there are as many as asked for
	Graph     *RanksGraph   `json:"blocks,omitempty"`    // the same, block by block; null of levels
	Undivided string        `json:"undivided,omitempty"` // why a run does not divide such a flow
	Refused   string        `json:"refused,omitempty"`   // why there cannot be so many
	Widths    []int         `json:"block_nodes_levels"`  // and of each level, in its nodes
	levels    [][]partition.Box
}

// RanksRow is what so many ranks make of a step. All but the first four are of the rank that has most; times are predicted.
type RanksRow struct {
	Ranks      int           `json:"ranks"`
	Imbalance  float64       `json:"imbalance"`       // largest work over the mean, seams aside
	Cut        float64       `json:"cut_pairs"`       // pairs of nodes of fluid of different ranks
	Sent       float64       `json:"bytes_per_step"`  // of all ranks together
	Bytes      float64       `json:"bytes_most"`      // that a rank sends in a step
	Neighbours int           `json:"neighbours"`      // ranks that it sends to
	Memory     int64         `json:"memory_bytes"`    // of its fluid and seams
	Bodies     finite.Number `json:"seconds_bodies"`  // of a step, which bodies take beside what ranks share: all that rank 0 does while others wait, or what all do and tell each other
	Seconds    finite.Number `json:"seconds_exposed"` // of a step in which nothing is computed while messages travel
	Exposed    finite.Number `json:"efficiency_exposed"`
	Hidden     finite.Number `json:"efficiency_hidden"` // inner nodes are computed while messages travel
}

// RankShare is what a rank has.
type RankShare struct {
	Boxes      [][2][3]int   `json:"boxes"`     // of each level, lo ≤ p < hi in its nodes
	Nodes      int64         `json:"box_nodes"` // of these boxes
	Work       finite.Number `json:"work"`      // updates of nodes in a step
	Neighbours int           `json:"neighbours"`
	Bytes      float64       `json:"bytes_per_step"` // that it sends
}

// RanksGraph is a division block by block, whatever shapes that makes.
type RanksGraph struct {
	How       string        `json:"how"` // it was found: metis, graph, coordinates; boxes: there is none better
	Width     int           `json:"block_nodes"`
	Imbalance float64       `json:"imbalance"`
	Cut       float64       `json:"cut_pairs"`
	Exposed   finite.Number `json:"efficiency_exposed"`
	Metis     string        `json:"metis"` // the library; empty: there is none, and it was found without
}

// mostRanks are as many as are predicted.
const mostRanks = 1 << 17

// graphBlocks are the blocks of which a graph is, at most.
const graphBlocks = 1 << 13

// Share finds how the flow that was checked would be shared among so many ranks, each as fast as this machine with the case's threads. What can be
// done is in the report; the error is why so many cannot. It allocates no field.
func (r *Report) Share(ranks int) error {
	if r.problem == nil || len(r.Errors) > 0 {
		return nil // told already
	}
	e := &r.Estimate
	out := &RanksReport{
		Asked: ranks, MFLUPS: e.MFLUPS, Threads: e.Threads, Latency: partition.StatedLatency, Bandwidth: partition.StatedBandwidth,
	}
	shared, _ := r.problem.BodyWork()
	out.Bodies = shared > 0
	r.Ranks = out
	at := partition.Machine{Rate: 1e6 * float64(e.MFLUPS), Latency: out.Latency, Bandwidth: out.Bandwidth}
	if at.Seam = partition.SeamWork[r.problem.Flow.Lattice.Dim]; r.Memory.OnDevice == 0 {
		at.Seam, out.Measured = measureCopies(r.problem, r.Scheme.Kernel)*at.Rate, true
	}
	out.Seam, out.Device = finite.Number(at.Seam), r.Memory.Device
	var why *casefile.Error
	if errors.As(r.problem.Divisible(), &why) {
		out.Undivided = why.Msg
	} else if r.problem.Case.Run.Backend == "cuda" && r.problem.Grids != nil && len(r.problem.Case.Refine) > 0 && ranks > 1 {
		out.Undivided = "nested grids on a device need a single process: start one, or use run.backend = \"cpu\""
	}
	d := &divider{p: r.problem, at: at}
	if ranks < 1 || ranks > mostRanks {
		out.Refused = fmt.Sprintf("--ranks %d: must be from 1 to %d", ranks, mostRanks)
		return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("%s", out.Refused)}
	}
	for _, n := range rowsOf(ranks) {
		row, err := d.divide(n)
		if err != nil {
			_, err = d.divide(ranks) // of so many as are asked for
			out.Refused = strings.TrimPrefix(err.Error(), "partition: ")
			return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf("%s: --ranks: %s", r.File, out.Refused)}
		}
		out.Rows, out.Width, out.Widths = append(out.Rows, row), d.blocks[0].Width, nil
		for _, b := range d.blocks {
			out.Widths = append(out.Widths, b.Width)
		}
	}
	out.Shares, out.levels = d.shares, d.boxes
	if len(d.blocks) == 1 && ranks > 1 {
		out.Graph = r.graphOf(at, ranks)
	}
	return nil
}

// rowsOf are 1, 2, 4, … ranks up to n, and n.
func rowsOf(n int) (all []int) {
	for k := 1; k < n; k *= 2 {
		all = append(all, k)
	}
	return append(all, n)
}

// divider divides the levels of a flow.
type divider struct {
	p      *setup.Problem
	at     partition.Machine
	blocks []*partition.Blocks // of each level, as last divided
	shares []RankShare         // of the last division
	boxes  [][]partition.Box   // likewise, of each level
}

// levels is how many there are.
func (d *divider) levels() int {
	if d.p.Grids == nil {
		return 1
	}
	return len(d.p.Grids.Levels)
}

// divideBlocks divides each level into blocks for n ranks, unless they are as wide as last time.
func (d *divider) divideBlocks(n int) {
	for l := range d.levels() {
		width := d.p.LevelBlockWidth(l, n)
		if l == len(d.blocks) {
			d.blocks = append(d.blocks, d.p.LevelBlocks(l, width))
		} else if d.blocks[l].Width != width {
			d.blocks[l] = d.p.LevelBlocks(l, width)
		}
	}
}

// size is that of the domain in nodes of a level, and width how wide these are in those of the finest.
func (d *divider) size(level int) [3]int {
	if d.p.Grids == nil {
		return d.p.Flow.Size
	}
	return d.p.Grids.Levels[level].Flow.Size
}

func (d *divider) width(level int) int {
	if d.p.Grids == nil {
		return 1
	}
	return d.p.Grids.Levels[level].Width
}

// divide shares all levels among n ranks.
func (d *divider) divide(n int) (row RanksRow, err error) {
	row.Ranks = n
	d.shares, d.boxes = make([]RankShare, n), nil
	bytes := d.p.Precision().Value
	d.divideBlocks(n)
	total, exposed, hidden := 0., 0., 0.
	work := make([]float64, n)
	for l, b := range d.blocks {
		boxes, err := d.p.ShareLevel(l, n, b)
		if err != nil {
			return row, err
		}
		d.boxes = append(d.boxes, boxes)
		m := b.Measure(b.InBoxes(boxes), nil)
		of := boxes
		if b.Row > 0 { // runs, which are not counted
			of = nil
		}
		slowest, hiding := 0., 0.
		between := d.between(l)
		for r, load := range b.Loads(m, d.at, of, bytes) {
			neighbours := load.Messages
			if l > 0 && between[r] > 0 {
				load.Bytes += between[r] * float64(bytes)
				load.Messages *= 2 // in every step, to about as many
			}
			slowest, hiding = math.Max(slowest, d.at.Exposed(load)), math.Max(hiding, d.at.Hidden(load))
			s, w := &d.shares[r], float64(d.width(l))
			s.Boxes = append(s.Boxes, [2][3]int{boxes[r].Lo, boxes[r].Hi})
			s.Nodes += int64(boxes[r].Nodes())
			s.Neighbours = max(s.Neighbours, neighbours)
			s.Bytes += load.Bytes / w
			work[r] += m.Weight[r] / w
			total += m.Weight[r] / w
			row.Sent += load.Bytes / w
		}
		row.Cut += m.Cut
		exposed, hidden = exposed+slowest/float64(d.width(l)), hidden+hiding/float64(d.width(l))
	}
	for r := range d.shares {
		s := &d.shares[r]
		s.Work = finite.Number(work[r])
		row.Bytes, row.Neighbours = math.Max(row.Bytes, s.Bytes), max(row.Neighbours, s.Neighbours)
	}
	row.Imbalance = slices.Max(work) * float64(n) / total
	row.Memory = d.memory(n)
	bodies := d.bodies(n)
	row.Bodies = finite.Number(bodies)
	if shared, alone := d.p.BodyWork(); shared == 0 { // else it is among the work of the blocks
		total += alone
	}
	exposed, hidden = exposed+bodies, hidden+bodies
	row.Seconds = finite.Number(exposed)
	row.Exposed, row.Hidden = finite.Number(total/d.at.Rate/exposed/float64(n)), finite.Number(total/d.at.Rate/hidden/float64(n))
	return row, nil
}

// bodies is the time of a step, in seconds, that bodies take beside what so many ranks share.
func (d *divider) bodies(ranks int) float64 {
	shared, alone := d.p.BodyWork()
	switch {
	case shared == 0:
		return alone / d.at.Rate
	case ranks == 1:
		return 0
	}
	// What points feel, and with cells how their vertices slip, all ranks tell each other.
	values, rounds := float64((1+d.p.Flow.Lattice.Dim)*d.p.Precision().Value), 1.
	if len(d.p.Coupling.Cells) > 0 {
		values, rounds = values+float64(8*d.p.Flow.Lattice.Dim), 2
	}
	return alone/d.at.Rate + rounds*math.Ceil(math.Log2(float64(ranks)))*d.at.Latency + values*float64(d.p.BodyPoints())/d.at.Bandwidth
}

// seamValues is how many populations a ghost of a seam between levels takes in a step of the finer one, by dimension: 7.5 and 11 in two steps, as counted of a box of 64 nodes a side.
var seamValues = [4]float64{2: 3.75, 3: 5.5}

// between is how many populations each rank sends in a step of a level for its seams with the level above: as much of them as at the ends of the
// level's boxes one rank has the nodes and another the cells there.
func (d *divider) between(level int) []float64 {
	fine := d.boxes[level]
	each := make([]float64, len(fine))
	if level == 0 || len(fine) == 1 {
		return each
	}
	all, coarse := 0., d.boxes[level-1]
	for _, layer := range d.ends(level) {
		all += float64(layer.Nodes())
		for r := range each {
			own := meet(layer, fine[r])
			beside := coarse[r]
			for a := range d.p.Flow.Lattice.Dim {
				beside.Lo[a], beside.Hi[a] = 2*beside.Lo[a], 2*beside.Hi[a]
			}
			each[r] += 0.5 * float64(own.Nodes()+meet(layer, beside).Nodes()-2*meet(own, beside).Nodes())
		}
	}
	for r := range each {
		each[r] *= seamValues[d.p.Flow.Lattice.Dim] * float64(d.p.Grids.Levels[level].Ghosts) / math.Max(1, all)
	}
	return each
}

// ends are the outermost layers of a level's boxes where these end inside the domain, in nodes of the level.
func (d *divider) ends(level int) (layers []partition.Box) {
	w := d.width(level)
	for _, b := range d.p.Boxes {
		if b.Level != level {
			continue
		}
		box := partition.Box{Lo: b.Lo, Hi: b.Hi}
		for a := range d.p.Flow.Lattice.Dim {
			box.Lo[a], box.Hi[a] = b.Lo[a]/w, b.Hi[a]/w
		}
		for a := range d.p.Flow.Lattice.Dim {
			low, high, around := box, box, d.p.Flow.Periodic(a) && (b.Lo[a] > 0 || b.Hi[a] < d.p.Flow.Size[a])
			low.Hi[a], high.Lo[a] = box.Lo[a]+1, box.Hi[a]-1
			if b.Lo[a] > 0 || around {
				layers = append(layers, low)
			}
			if b.Hi[a] < d.p.Flow.Size[a] || around {
				layers = append(layers, high)
			}
		}
	}
	return layers
}

// meet is what two boxes have in common.
func meet(a, b partition.Box) partition.Box {
	for k := range a.Lo {
		a.Lo[k] = max(a.Lo[k], b.Lo[k])
		a.Hi[k] = max(min(a.Hi[k], b.Hi[k]), a.Lo[k])
	}
	return a
}

// seamBytes are what a pair of nodes at a seam takes in memory beside the ghost: five populations that go and as many that come, and where they are.
const seamBytes = 5 * 2 * (8 + 4)

// memory is that of the rank that has most: of its fluid with ghosts around, and of its seams.
func (d *divider) memory(n int) (most int64) {
	stored := d.p.Precision().Stored
	if needs := d.p.Needs; needs != nil && needs.Device > 0 {
		for _, s := range d.shares {
			most = max(most, int64(float64(needs.Device)*float64(s.Nodes)/float64(d.p.Flow.Nodes())))
		}
		return most
	}
	if d.p.Grids != nil { // as its share of the work
		share := 0.
		for _, s := range d.shares {
			share = math.Max(share, float64(s.Work))
		}
		return int64(float64(d.p.Grids.Bytes(stored)) * share / float64(d.p.Grids.Updates()))
	}
	b := d.blocks[0]
	all, total := float64(d.p.Flow.Bytes(stored)), 0.
	for _, w := range b.Weight {
		total += w
	}
	fluid, mask := all, int64(0) // without the mask
	if d.p.Flow.Solid != nil {
		fluid, mask = fluid-float64(d.p.Flow.Nodes()), int64(d.p.Flow.Nodes())
	}
	for _, s := range d.shares {
		box := lbm.Box{Lo: s.Boxes[0][0], Hi: s.Boxes[0][1]}
		part := withGhosts(d.p.Flow, box)
		if b.Row > 0 { // by runs: as its share of the fluid, a mask if there is one, of its box, too, and what it sends and as much that it gets
			bytes := int64(fluid*float64(s.Work)/total) + mask + int64(2*(8+4)*s.Bytes)/int64(d.p.Precision().Value)
			if mask > 0 {
				bytes += int64(part.Nodes())
			}
			most = max(most, bytes)
			continue
		}
		bytes := part.Bytes(stored) + int64(part.Nodes()-box.Nodes())*seamBytes
		most = max(most, bytes)
	}
	return most
}

// withGhosts is the flow in a box with a layer of ghosts on each side where it ends inside the domain.
func withGhosts(flow lbm.Config, box lbm.Box) lbm.Config {
	size := flow.Size
	for a := range flow.Lattice.Dim {
		around := flow.Periodic(a) && box.Hi[a]-box.Lo[a] < size[a]
		if flow.Size[a] = box.Hi[a] - box.Lo[a]; box.Lo[a] > 0 || around {
			flow.Size[a]++
		}
		if box.Hi[a] < size[a] || around {
			flow.Size[a]++
		}
	}
	flow.Solid, flow.Inside, flow.Cuts = nil, nil, nil
	return flow
}

// graphOf is what a division block by block would bring.
func (r *Report) graphOf(at partition.Machine, ranks int) *RanksGraph {
	d := &divider{p: r.problem, at: at}
	width := setup.BlockWidth(d.size(0), ranks)
	for (&partition.Blocks{Size: d.size(0), Width: width}).Count() > graphBlocks {
		width *= 2
	}
	b := d.p.LevelBlocks(0, width)
	a, err := b.Graph(ranks, nil)
	if err != nil {
		return nil // blocks of this size are too few
	}
	m := b.Measure(a, nil)
	g := &RanksGraph{How: a.How, Width: b.Width, Imbalance: m.Imbalance, Cut: m.Cut}
	g.Metis = metisFile()
	total, slowest := 0., 0.
	for k, load := range b.Loads(m, d.at, nil, d.p.Precision().Value) {
		total += m.Weight[k]
		slowest = math.Max(slowest, d.at.Exposed(load))
	}
	bodies := d.bodies(ranks)
	if shared, alone := d.p.BodyWork(); shared == 0 {
		total += alone
	}
	g.Exposed = finite.Number(total / d.at.Rate / (slowest + bodies) / float64(ranks))
	return g
}

// RankBoxes are the boxes of the ranks on each level, in its nodes; nil: the flow was not shared.
func (r *Report) RankBoxes() [][]partition.Box {
	if r.Ranks == nil {
		return nil
	}
	return r.Ranks.levels
}

func (p *page) writeRanks(r *Report) {
	s := r.Ranks
	if s == nil || len(s.Rows) == 0 {
		return
	}
	p.section(fmt.Sprintf("%d ranks (predicted)", s.Rows[len(s.Rows)-1].Ranks))
	if s.Undivided != "" {
		p.remark(s.Undivided + ". What follows is what it would bring")
	}
	widths := fmt.Sprintf("in boxes, cut at multiples of %d nodes", s.Width)
	if len(s.Widths) > 1 {
		widths = fmt.Sprintf("each level by itself in boxes, cut at multiples of %s of its nodes", strings.Trim(fmt.Sprint(s.Widths), "[]"))
	}
	p.row("divided", widths)
	on, seam := fmt.Sprintf("with %d threads", s.Threads), "measured here, too"
	if r.Memory.OnDevice > 0 {
		on = "on " + s.Device
	}
	if !s.Measured {
		seam = "not measured: as on a CPU"
	}
	p.row("a rank", fmt.Sprintf("%.0f MFLUPS, as measured here %s", s.MFLUPS, on))
	p.row("network", fmt.Sprintf("%g µs a message, %g GB/s each way: stated, not measured", 1e6*s.Latency, 1e-9*s.Bandwidth))
	fmt.Fprintf(p.w, "\n  %6s %9s %10s %9s %3s %9s %9s %8s\n", "ranks", "imbalance", "cut nodes", "sent/step", "to", "memory", "exposed", "hidden")
	for _, row := range s.Rows {
		fmt.Fprintf(p.w, "  %6d %9.3f %10s %9s %3d %9s %7.1f %% %6.1f %%\n",
			row.Ranks, row.Imbalance, short(row.Cut), machine.BytesText(int64(row.Bytes)), row.Neighbours, machine.BytesText(row.Memory), 100*row.Exposed, 100*row.Hidden)
	}
	fmt.Fprintln(p.w)
	bodies := fmt.Sprintf("%.3g ms", 1e3*float64(s.Rows[len(s.Rows)-1].Bodies))
	after := fmt.Sprintf("then rank 0 works on bodies (%s a step) while others wait", bodies)
	if s.Bodies {
		after = fmt.Sprintf("bodies are shared by where they are now, and all ranks find and tell each other what all must know (%s a step of the last row)", bodies)
	}
	p.remark(fmt.Sprintf("bytes sent, ranks they go to and memory of the fluid are those of the most loaded rank; parallel efficiency is given with the exchange exposed, and hidden behind the work on inner nodes. "+
		"A step takes its nodes at that rate, %.3g updates a node at a seam (%s), and the exchange; %s", s.Seam, seam, after))
	if r.Scheme.Storage == "runs" && r.Grids == nil && len(s.Shares) > 0 {
		most := slices.MaxFunc(s.Shares, func(a, b RankShare) int { return cmp.Compare(a.Nodes, b.Nodes) })
		p.remark(fmt.Sprintf("the largest box of a rank has %s nodes, of which its fluid alone is stored", count(float64(most.Nodes))))
	}
	if g := s.Graph; g != nil && g.How != "boxes" {
		p.remark(fmt.Sprintf("block by block of %d nodes a side (%s) imbalance would be %.3f, the cut %s nodes, efficiency exposed %.1f %%", g.Width, g.How, g.Imbalance, short(g.Cut), 100*g.Exposed))
	}
}

// short is a count in at most ten characters.
func short(n float64) string {
	if n < 1e9 {
		return count(n)
	}
	return fmt.Sprintf("%.3g", n)
}

// metisFile is the METIS library that is used; empty: there is none.
func metisFile() string {
	if metis.Load() != nil {
		return ""
	}
	path, _ := metis.Library()
	return path
}
