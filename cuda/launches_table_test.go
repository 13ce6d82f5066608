package cuda

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/hybrid/rigid"
)

// perStep writes a number of countedSteps steps as one of a step.
func perStep(n int64) string {
	s := fmt.Sprintf("%.3f", float64(n)/countedSteps)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// kernelList names the kernels of a step in the order of kernelCosts.
func (n *stepCount) kernelList() string {
	var names []string
	for _, c := range kernelCosts {
		switch count := n.kernels[c.name]; count {
		case 0:
		case countedSteps:
			names = append(names, c.name)
		default:
			names = append(names, c.name+" × "+perStep(count))
		}
	}
	return strings.Join(names, ", ")
}

// counts is all of a row that is a number of calls.
func (n *stepCount) counts() string {
	cells := []string{perStep(n.Kernels()), perStep(n.Nodes), perStep(n.Graphs), perStep(n.ToDevice.Calls), perStep(n.ToHost.Calls), perStep(n.Within.Calls),
		perStep(n.Filled.Calls), perStep(n.Marks), perStep(n.Waits), perStep(n.WaitsIdle), perStep(n.Captures)}
	return strings.Join(cells, " | ")
}

// bytesOfEach writes a number of bytes for each precision, or one where they are alike.
func bytesOfEach(counts []*stepCount, of func(n *stepCount) float64) string {
	var each []string
	for _, n := range counts {
		each = append(each, fmt.Sprintf("%.0f", of(n)))
	}
	if half := len(each) / 2; slices.Equal(each[:half], each[len(each)-half:]) && len(each) > 1 && len(each)%2 == 0 {
		each = each[:half] // in place as on two lattices
	}
	if len(slices.Compact(slices.Clone(each))) == 1 {
		return each[0]
	}
	return strings.Join(each, " / ")
}

// launchTable is a row for each kind of steps, or more where it matters how populations
// are stored.
func launchTable(t *testing.T, all map[stepKind][]*stepCount) string {
	var b strings.Builder
	b.WriteString("| schedule | bodies | forcing | spread | stored | kernels | in graphs | graphs | to device | to host | within | fills | marks | waits | idle waits | captures | bytes copied | bytes of kernels | which kernels |\n")
	b.WriteString("|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n")
	for _, k := range stepKinds() {
		rows := map[string][]int{}
		var order []string
		for i, n := range all[k] {
			key := n.counts() + n.kernelList()
			if rows[key] == nil {
				order = append(order, key)
			}
			rows[key] = append(rows[key], i)
		}
		for _, key := range order {
			of := rows[key]
			counts := make([]*stepCount, len(of))
			for i, c := range of {
				counts[i] = all[k][c]
			}
			stored := "all"
			if len(order) > 1 || len(all[k]) == 1 {
				stored = storedNames(of)
			}
			bytes := bytesOfEach(counts, func(n *stepCount) float64 {
				return float64(n.ToDevice.Bytes+n.ToHost.Bytes+n.Within.Bytes) / countedSteps
			})
			moved := bytesOfEach(counts, (*stepCount).kernelBytes)
			n := counts[0]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", kindName(k), k.bodies, k.forcing, k.spread, stored, n.counts(), bytes, moved, n.kernelList())
		}
	}
	return b.String()
}

func kindName(k stepKind) string {
	if k.schedule == "" {
		return "fluid alone, " + k.lattice
	}
	return k.schedule
}

func storedNames(of []int) string {
	var names []string
	for _, i := range of {
		name := storings[i].precision
		if storings[i].streaming == "inplace" {
			name += " in place"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// kernelTable is the formulas.
func kernelTable() string {
	var b strings.Builder
	b.WriteString("| kernel | bytes |\n|---|---|\n")
	for _, c := range kernelCosts {
		fmt.Fprintf(&b, "| %s | %s |\n", c.name, c.formula)
	}
	return b.String()
}

// What is assumed of devices; see the text around the table.
const (
	inGraphSeconds  = 3.4e-6 // a kernel too small for its bytes to matter, as a node of a graph
	launchedSeconds = 3.8e-6 // the same, launched alone
)

var assumedDevices = []struct {
	name      string
	bandwidth float64
}{{"H100", 3.0e12}, {"H200", 4.3e12}}

// predictedCase is a case whose steps are of a kind that has been counted.
type predictedCase struct {
	name   string
	kind   stepKind
	size   [3]int
	bodies int
	body   func(t testing.TB) *rigid.Body
}

func predictedCases() []predictedCase {
	coupled := stepKind{"device", "fixed", "direct", "sort-reduce", "D2Q9"}
	return []predictedCase{
		{"1600 × 600, a cylinder of 40 nodes", coupled, [3]int{1600, 600, 1}, 1, func(t testing.TB) *rigid.Body { return circle(t, 100.3, 100.6, 40) }},
		{"8192 × 4096, 40 cylinders of 52 nodes (1 %)", coupled, [3]int{8192, 4096, 1}, 40, func(t testing.TB) *rigid.Body { return circle(t, 100.3, 100.6, 52) }},
		{"4096 × 2048, 10 cylinders of 52 nodes (1 %)", coupled, [3]int{4096, 2048, 1}, 10, func(t testing.TB) *rigid.Body { return circle(t, 100.3, 100.6, 52) }},
		{"512 × 512 × 512, alone", stepKind{lattice: "D3Q19"}, [3]int{512, 512, 512}, 0, nil},
	}
}

// supportOf is how many nodes a body's markers reach over with the delta of the counted
// steps, three nodes along each axis of the plane.
func supportOf(b *rigid.Body) int {
	nodes := map[[2]int]bool{}
	for _, x := range b.Markers.X {
		for i := range 9 {
			nodes[[2]int{int(math.Floor(x[0]+0.5)) + i%3 - 1, int(math.Floor(x[1]+0.5)) + i/3 - 1}] = true
		}
	}
	return len(nodes)
}

// predictionTable is how long steps would take: the bytes of each kernel at the bandwidth
// of memory, and at least what a launch costs.
func predictionTable(t *testing.T, all map[stepKind][]*stepCount) string {
	var b strings.Builder
	b.WriteString("| case | stored | sweep, MB | other kernels | their MB |")
	for _, d := range assumedDevices {
		fmt.Fprintf(&b, " %s: sweep, µs | + others, µs | = step, µs | MLUPS | sweep of the step |", d.name)
	}
	b.WriteString("\n|---|---|--:|--:|--:|" + strings.Repeat("--:|--:|--:|--:|--:|", len(assumedDevices)) + "\n")
	for _, c := range predictedCases() {
		for i, how := range storings[:3] {
			n := all[c.kind][i]
			size := n.sizeOf(t, c, how)
			predictRow(&b, c.name, how, n, &size)
		}
	}
	return b.String()
}

// sizeOf is the size of a case.
func (n *stepCount) sizeOf(t *testing.T, c predictedCase, how storing) stepSize {
	cfg := countedFlow(t, c.kind, how)
	cfg.Size = c.size
	s := n.size
	s.nodes, s.links, s.openNodes = cfg.Nodes(), linksOf(&cfg, how.element()), cfg.Nodes()/cfg.Size[0]
	if c.bodies > 0 {
		body := c.body(t)
		s.markers, s.support = c.bodies*len(body.Markers.X), c.bodies*supportOf(body)
	}
	return s
}

func predictRow(b *strings.Builder, name string, how storing, n *stepCount, s *stepSize) {
	sweep, others, count := 0., 0., 0.
	type part struct{ launches, bytes float64 }
	var parts []part
	for _, c := range kernelCosts {
		launches, bytes := float64(n.kernels[c.name])/countedSteps, float64(c.bytes(s))
		if isSweep(c.name) {
			sweep += launches * bytes
			continue
		}
		others, count = others+launches*bytes, count+launches
		parts = append(parts, part{launches, bytes})
	}
	fmt.Fprintf(b, "| %s | %s | %.1f | %.0f | %.2f |", name, how.precision, sweep/1e6, count, others/1e6)
	least := launchedSeconds
	if n.Nodes > 0 {
		least = inGraphSeconds
	}
	for _, d := range assumedDevices {
		whole := sweep / d.bandwidth
		rest := 0.
		for _, p := range parts {
			rest += p.launches * max(least, p.bytes/d.bandwidth)
		}
		fmt.Fprintf(b, " %.1f | %.1f | %.1f | %.0f | %.3f |", whole*1e6, rest*1e6, (whole+rest)*1e6, float64(s.nodes)/(whole+rest)/1e6, whole/(whole+rest))
	}
	b.WriteString("\n")
}
