package importgraph

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// Sizes of the drawing, in pixels.
const (
	boxHeight  = 30
	charWidth  = 7.9 // of a monospaced letter of 13 pixels
	boxMargin  = 9
	gapAcross  = 26
	gapDown    = 44
	edgeMargin = 16
	sweeps     = 24 // of the ordering within rows
)

// box is where a node is drawn: its middle and its width; or a bend of an arrow that passes a row.
type box struct {
	name     string // empty of a bend
	x, width float64
	up, down []*box
}

// SVG draws the graph: a node is above all that it imports, and arrows point from who imports to
// what is imported. colour gives the fill of a node.
func (g Graph) SVG(colour func(name string) string) (string, error) {
	rank, err := g.ranks()
	if err != nil {
		return "", err
	}
	rows := g.rows(rank)
	for i := range sweeps {
		order(rows, i%2 == 0)
	}
	width := place(rows)
	height := float64(len(rows))*(boxHeight+gapDown) - gapDown + 2*edgeMargin
	top := func(rank int) float64 {
		return edgeMargin + float64(len(rows)-1-rank)*(boxHeight+gapDown)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="monospace" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#ffffff"/>`+"\n")
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#556070"/></marker></defs>` + "\n")
	b.WriteString(`<g fill="none" stroke="#556070" stroke-width="1.1">` + "\n")
	for r, row := range rows {
		for _, from := range row {
			for _, to := range from.down {
				if from.name == "" {
					continue // drawn from its beginning
				}
				fmt.Fprintf(&b, `<path d="%s" marker-end="url(#tip)"/>`+"\n", way(from, to, r, top))
			}
		}
	}
	b.WriteString("</g>\n")
	for r, row := range rows {
		for _, n := range row {
			if n.name == "" {
				continue
			}
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="5" fill="%s" stroke="#2b3440"/><text x="%.1f" y="%.1f" text-anchor="middle" fill="#111">%s</text>`+"\n",
				n.x-n.width/2, top(r), n.width, boxHeight, html.EscapeString(colour(n.name)), n.x, top(r)+boxHeight/2+4.5, html.EscapeString(n.name))
		}
	}
	b.WriteString("</svg>\n")
	return b.String(), nil
}

// rows are the nodes by rank, with a bend in every row that an arrow passes.
func (g Graph) rows(rank map[string]int) [][]*box {
	highest := 0
	for _, r := range rank {
		highest = max(highest, r)
	}
	rows := make([][]*box, highest+1)
	of := map[string]*box{}
	for _, n := range g.names() {
		of[n] = &box{name: n, width: charWidth*float64(len(n)) + 2*boxMargin}
		rows[rank[n]] = append(rows[rank[n]], of[n])
	}
	for _, n := range g.names() {
		for _, m := range g[n] {
			upper := of[n]
			for r := rank[n] - 1; r > rank[m]; r-- {
				bend := &box{width: 6}
				rows[r] = append(rows[r], bend)
				link(upper, bend)
				upper = bend
			}
			link(upper, of[m])
		}
	}
	return rows
}

func link(upper, lower *box) {
	upper.down, lower.up = append(upper.down, lower), append(lower.up, upper)
}

// order sorts each row by the mean place of the neighbours in the row before, upwards or downwards
// (Sugiyama, Tagawa & Toda, IEEE Trans. Syst. Man Cybern. 11 (1981) 109).
func order(rows [][]*box, upwards bool) {
	for k := 1; k < len(rows); k++ {
		fixed, moved := k-1, k
		if !upwards {
			fixed, moved = len(rows)-k, len(rows)-k-1
		}
		at := map[*box]float64{}
		for i, n := range rows[fixed] {
			at[n] = (float64(i) + 0.5) / float64(len(rows[fixed]))
		}
		mean := map[*box]float64{}
		for i, n := range rows[moved] {
			to := n.down
			if !upwards {
				to = n.up
			}
			mean[n] = (float64(i) + 0.5) / float64(len(rows[moved]))
			if len(to) > 0 {
				sum := 0.
				for _, m := range to {
					sum += at[m]
				}
				mean[n] = sum / float64(len(to))
			}
		}
		slices.SortStableFunc(rows[moved], func(a, b *box) int {
			switch {
			case mean[a] < mean[b]:
				return -1
			case mean[a] > mean[b]:
				return 1
			}
			return 0
		})
	}
}

// place gives every box its middle: as near to the mean of its neighbours as the order and the gaps
// allow. It returns the width of the drawing.
func place(rows [][]*box) float64 {
	for _, row := range rows {
		x := 0.
		for _, n := range row {
			n.x = x + n.width/2
			x += n.width + gapAcross
		}
	}
	for range sweeps {
		for _, row := range rows {
			want := make([]float64, len(row))
			for i, n := range row {
				want[i] = n.x
				if all := slices.Concat(n.up, n.down); len(all) > 0 {
					sum := 0.
					for _, m := range all {
						sum += m.x
					}
					want[i] = sum / float64(len(all))
				}
			}
			spread(row, want)
		}
	}
	left, right := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		for _, n := range row {
			left, right = min(left, n.x-n.width/2), max(right, n.x+n.width/2)
		}
	}
	for _, row := range rows {
		for _, n := range row {
			n.x += edgeMargin - left
		}
	}
	return right - left + 2*edgeMargin
}

// spread puts the boxes of a row where they want to be, in their order and without overlap: boxes
// that would meet move together, to the mean of their wishes.
func spread(row []*box, want []float64) {
	type block struct {
		first, n int
		x, sum   float64 // of its first box; sum of the wishes for that
	}
	var blocks []block
	offset := make([]float64, len(row)) // from the first box of all, closely packed
	for i := range row {
		if i > 0 {
			offset[i] = offset[i-1] + row[i-1].width/2 + gapAcross + row[i].width/2
		}
		blocks = append(blocks, block{first: i, n: 1, x: want[i] - offset[i], sum: want[i] - offset[i]})
		for k := len(blocks) - 1; k > 0 && blocks[k].x < blocks[k-1].x; k-- {
			a, b := blocks[k-1], blocks[k]
			a.n, a.sum = a.n+b.n, a.sum+b.sum
			a.x = a.sum / float64(a.n)
			blocks = append(blocks[:k-1], a)
		}
	}
	for _, b := range blocks {
		for i := b.first; i < b.first+b.n; i++ {
			row[i].x = b.x + offset[i]
		}
	}
}

// way is the path of an arrow from a node, by the bends on its way.
func way(from, to *box, rank int, top func(int) float64) string {
	var b strings.Builder
	x, y := from.x, top(rank)+boxHeight
	fmt.Fprintf(&b, "M%.1f,%.1f", x, y)
	for {
		rank--
		end := top(rank)
		mid := (y + end) / 2
		fmt.Fprintf(&b, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, mid, to.x, mid, to.x, end)
		x, y = to.x, end
		if to.name != "" {
			return b.String()
		}
		fmt.Fprintf(&b, " L%.1f,%.1f", x, end+boxHeight)
		y = end + boxHeight
		to = to.down[0]
	}
}
