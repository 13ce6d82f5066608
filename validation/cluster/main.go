// Cluster prints what the model of many ranks predicts, as tables in Markdown:
//
//	go run ./validation/cluster > validation/cluster/model.md
//
// Nothing is run: numbers that were measured, elsewhere, are in machines and published with where they are from.
package main

import (
	"fmt"
	"io"
	"math"
	"os"

	"lbmib/internal/partition"
)

func main() { write(os.Stdout) }

// rank is what a rank runs on, and how its populations are stored.
type rank struct {
	name  string
	bytes int // of a population
	partition.Machine
}

// machines are those that are predicted for. Rates are of D3Q19, as measured: validation/cpu/lbm.md, 256³ in place, double precision, on two cores;
// validation/gpu, 512³, two lattices, single precision. A seam on a device was not measured: it is taken to be as many updates. Networks are stated.
var machines = []rank{
	{"two cores, f64", 8, partition.Machine{Rate: 162.0e6, Latency: partition.StatedLatency, Bandwidth: partition.StatedBandwidth, Seam: partition.SeamWork[3]}},
	{"an H200, f32", 4, partition.Machine{Rate: 24.6e9, Latency: 10e-6, Bandwidth: 25e9, Seam: partition.SeamWork[3]}},
}

// load is what a rank with n nodes a side has to do where there are k along each axis of a periodic domain with rows of so many nodes.
func (m rank) load(n, k int, row float64) partition.Load {
	along := min(k, 3) // with more, ranks have the same neighbours
	b := &partition.Blocks{Width: n, Periodic: [3]bool{true, true, true}}
	for a := range b.Size {
		b.Size[a] = along * n
	}
	each := &partition.Assignment{Ranks: b.Count(), Rank: make([]int32, b.Count())}
	for i := range each.Rank {
		each.Rank[i] = int32(i)
	}
	l := b.Loads(b.Measure(each, nil), m.Machine, nil, m.bytes)[0]
	side := float64(n)
	l.Work += partition.RowWork[3] * (side*side - side*side*side/row)
	return l
}

// efficiency is how much of the time of a step a rank's own share of so many nodes takes: where the exchange is exposed, and where it is hidden.
func (m rank) efficiency(l partition.Load, nodes float64) (exposed, hidden float64) {
	return nodes / m.Rate / m.Exposed(l), nodes / m.Rate / m.Hidden(l)
}

func write(w io.Writer) {
	fmt.Fprint(w, "# What the model predicts\n\nMade by `go run ./validation/cluster`; what it is, and what it leaves out: [README.md](README.md). **All numbers here but those of the table “Published” are predicted.**\n")
	writeSeams(w)
	writeWeak(w)
	writeStrong(w)
	writeChanges(w)
	writePublished(w)
}

// share is a percentage.
func share(x float64) string { return fmt.Sprintf("%.1f", 100*x) }

func writeSeams(w io.Writer) {
	fmt.Fprint(w, "\n## What a rank exchanges in a step\n\nA cube of n³ nodes, D3Q19, one of many: 18 neighbours, 6 n² pairs of nodes at seams.\n\n")
	fmt.Fprintln(w, "| rank | n | pairs | populations sent | bytes sent | exchange (µs) | seams (µs) | nodes (µs) |\n|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, m := range machines {
		for _, n := range sides(m) {
			l := m.load(n, 3, float64(n))
			nodes := float64(n * n * n)
			fmt.Fprintf(w, "| %s | %d | %d | %.0f | %.0f | %.3g | %.3g | %.4g |\n", m.name, n, 6*n*n, l.Bytes/float64(m.bytes), l.Bytes,
				1e6*(m.Exposed(l)-l.Work/m.Rate), 1e6*(l.Work-nodes)/m.Rate, 1e6*nodes/m.Rate)
		}
	}
}

// sides are cubes that a rank may have.
func sides(m rank) []int {
	if m.Rate > 1e9 {
		return []int{128, 256, 512, 1024}
	}
	return []int{16, 32, 64, 128, 256}
}

// counts are k³ ranks, up to some 10⁵.
var counts = []int{1, 2, 4, 8, 16, 32, 48}

func writeWeak(w io.Writer) {
	fmt.Fprint(w, "\n## Weak scaling\n\nn³ nodes a rank; efficiency in %, exchange exposed … hidden behind inner nodes. From 27 ranks on it does not depend on how many there are.\n\n| rank | n |")
	for _, k := range counts {
		fmt.Fprintf(w, " %d |", k*k*k)
	}
	fmt.Fprint(w, "\n|---|--:|")
	for range counts {
		fmt.Fprint(w, "--:|")
	}
	fmt.Fprintln(w)
	for _, m := range machines {
		for _, n := range sides(m) {
			fmt.Fprintf(w, "| %s | %d |", m.name, n)
			for _, k := range counts {
				exposed, hidden := m.efficiency(m.load(n, k, float64(n)), float64(n*n*n))
				fmt.Fprintf(w, " %s … %s |", share(exposed), share(hidden))
			}
			fmt.Fprintln(w)
		}
	}
}

func writeStrong(w io.Writer) {
	fmt.Fprint(w, "\n## Strong scaling\n\nN³ nodes of all ranks together, who have cubes; where their sides do not divide N, the largest counts, and so in the efficiency. GLUPS with the exchange hidden. One rank's memory may not hold all.\n\n")
	fmt.Fprintln(w, "| rank | N | ranks | nodes a side | exposed (%) | hidden (%) | GLUPS |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, of := range []struct {
		m int
		n []int
	}{{0, []int{512, 2048}}, {1, []int{2048, 8192}}} {
		m := machines[of.m]
		for _, size := range of.n {
			for _, k := range counts {
				n := (size + k - 1) / k
				own := math.Pow(float64(size)/float64(k), 3)
				exposed, hidden := m.efficiency(m.load(n, k, float64(size)), own)
				fmt.Fprintf(w, "| %s | %d | %d | %d | %s | %s | %.4g |\n", m.name, size, k*k*k, n, share(exposed), share(hidden), 1e-9*m.Rate*hidden*float64(k*k*k))
			}
		}
	}
}

// writeChanges tells what the prediction hangs on.
func writeChanges(w io.Writer) {
	fmt.Fprint(w, "\n## What it hangs on\n\nOf many ranks, with one of the numbers changed; efficiency in %, exchange exposed … hidden.\n\n")
	fmt.Fprintln(w, "| rank | n | as above | seams: 1 update a pair | latency × 10 | bandwidth / 10 | both of these |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, m := range machines {
		for _, n := range sides(m)[2:4] {
			fmt.Fprintf(w, "| %s | %d |", m.name, n)
			for _, by := range []struct{ seam, latency, bandwidth float64 }{{m.Seam, 1, 1}, {1, 1, 1}, {m.Seam, 10, 1}, {m.Seam, 1, 0.1}, {m.Seam, 10, 0.1}} {
				c := m
				c.Seam, c.Latency, c.Bandwidth = by.seam, m.Latency*by.latency, m.Bandwidth*by.bandwidth
				exposed, hidden := c.efficiency(c.load(n, 3, float64(n)), float64(n*n*n))
				fmt.Fprintf(w, " %s … %s |", share(exposed), share(hidden))
			}
			fmt.Fprintln(w)
		}
	}
}

// report is a published measurement.
type report struct {
	code, on   string
	ranks      int
	nodes      float64 // of a rank; 0: not told
	glups      float64 // of all; 0: not told
	efficiency string  // as it is told
	source     string
	beside     int // which of the machines is predicted beside it
}

// published are measurements of others.
var published = []report{
	{"MUPHY, 5·10⁵ red cells", "Tesla C1060", 14, 6e6 / 14, 0, "above 96 %", "Bisson et al., Commun. Comput. Phys. 11 (2012) 48, Fig. 7", 0},
	{"MUPHY, 5·10⁵ red cells", "Tesla C1060", 32, 6e6 / 32, 0, "84 %", "the same", 0},
	{"HemeLB", "cores of a Cray XE6", 32768, 81e6 / 32768, 29.5, "", "Groen et al., J. Comput. Sci. 4 (2013) 412", 0},
	{"HemeLB", "cores of SuperMUC-NG", 100000, 0, 0, "80 % (of 864)", "POP, “190× strong scaling speed-up of HemeLB”", 0},
	{"HemeLB", "cores of SuperMUC-NG", 309696, 0, 0, "53 % (190 × of 864)", "the same", 0},
	{"waLBerla", "threads of JUQUEEN", 1800000, 0, 1930, "", "Godenschwager et al., SC13 (2013)", 0},
	{"FluidX3D, f32", "H200", 1, 0, 23.056, "100 %", "its README, 8 × H200 SXM5", 1},
	{"FluidX3D, f32", "H200", 2, 0, 36.711, "80 % (1.6 ×)", "the same", 1},
	{"FluidX3D, f32", "H200", 4, 0, 57.310, "62 % (2.5 ×)", "the same", 1},
	{"FluidX3D, f32", "H200", 8, 0, 92.008, "50 % (4.0 ×)", "the same", 1},
}

func writePublished(w io.Writer) {
	fmt.Fprint(w, "\n## Published\n\nMeasurements of others, and beside them what is predicted here for as many nodes a rank, as cubes, of many ranks, of this project's kind: other machines, not a comparison of programs.\n\n")
	fmt.Fprintln(w, "| code | on | ranks | nodes a rank | GLUPS | MLUPS a rank | efficiency | source | predicted here (%) |\n|---|---|--:|--:|--:|--:|---|---|---|")
	for _, p := range published {
		nodes, all, each, here := "", "", "", ""
		if p.nodes > 0 {
			n := int(math.Round(math.Cbrt(p.nodes)))
			m := machines[p.beside]
			nodes = fmt.Sprintf("%.0f", p.nodes)
			exposed, hidden := m.efficiency(m.load(n, 3, float64(n)), float64(n*n*n))
			here = fmt.Sprintf("%s … %s, %s, %d³", share(exposed), share(hidden), m.name, n)
		}
		if p.glups > 0 {
			all, each = fmt.Sprintf("%.4g", p.glups), fmt.Sprintf("%.3g", 1e3*p.glups/float64(p.ranks))
		}
		fmt.Fprintf(w, "| %s | %s | %d | %s | %s | %s | %s | %s | %s |\n", p.code, p.on, p.ranks, nodes, all, each, p.efficiency, p.source, here)
	}
}
