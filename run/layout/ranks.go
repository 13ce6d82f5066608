package layout

import (
	"lbmib/internal/partition"
	"lbmib/io/plot"
	"lbmib/run/setup"
)

// addRanks adds to a view what it cuts of the ranks' boxes, of levels as far as these have nodes there.
func addRanks(v *plot.GridView, p *setup.Problem, ranks [][]partition.Box, axes, cut [3]int) {
	for level, boxes := range ranks {
		width := 1
		within := []partition.Box{{Hi: p.Flow.Size}}
		if p.Grids != nil {
			width = p.Grids.Levels[level].Width
		}
		if level > 0 {
			within = nil
			for _, b := range p.Boxes {
				if b.Level == level {
					within = append(within, partition.Box{Lo: b.Lo, Hi: b.Hi})
				}
			}
		}
		for r, b := range boxes {
			for a := range p.Flow.Lattice.Dim {
				b.Lo[a], b.Hi[a] = b.Lo[a]*width, b.Hi[a]*width
			}
			for _, w := range within {
				if at, ok := meet(b, w); ok && at.Lo[axes[2]] <= cut[axes[2]] && cut[axes[2]] < at.Hi[axes[2]] || ok && p.Flow.Lattice.Dim == 2 {
					v.Ranks = append(v.Ranks, rankBox(p, r, level, at, axes))
				}
			}
		}
	}
}

// addShadow adds the fluid of a flow that fills little of its domain, seen along the third axis of a view: in a row of nodes those that have some in front of them or
// behind, in the colour of the rank that has the first of it.
func addShadow(v *plot.GridView, p *setup.Problem, boxes []partition.Box, axes [3]int) {
	storage, err := p.Flow.StorageOf()
	if err != nil || storage != "runs" || !p.Flow.HasWalls() || p.Grids != nil || len(boxes) == 0 {
		return
	}
	size := p.Flow.Size
	top := make([]int32, size[axes[0]]*size[axes[1]]) // 1 + the last node of fluid along the third axis, 0: there is none
	p.Flow.EachRun(func(x, n, y, z int) {
		for i := x; i < x+n; i++ {
			at := [3]int{i, y, z}
			k := at[axes[0]] + size[axes[0]]*at[axes[1]]
			top[k] = max(top[k], int32(at[axes[2]]+1))
		}
	})
	for j := range size[axes[1]] {
		begin, owner := 0, -1
		for i := range size[axes[0]] + 1 {
			now := -1
			if i < size[axes[0]] {
				now = ownerOf(boxes, axes, [3]int{i, j, int(top[i+size[axes[0]]*j]) - 1})
			}
			if now == owner {
				continue
			}
			if owner >= 0 {
				var b partition.Box
				b.Lo[axes[0]], b.Hi[axes[0]], b.Lo[axes[1]], b.Hi[axes[1]] = begin, i, j, j+1
				v.Shadow = append(v.Shadow, rankBox(p, owner, 0, b, axes))
			}
			begin, owner = i, now
		}
	}
}

// ownerOf is the rank that has a node, whose coordinates are along the axes of a view; −1: none, as of a third below 0.
func ownerOf(boxes []partition.Box, axes, along [3]int) int {
	var at [3]int
	for i, a := range axes {
		at[a] = along[i]
	}
	if along[2] < 0 {
		return -1
	}
	for r, b := range boxes {
		if _, here := meet(b, partition.Box{Lo: at, Hi: [3]int{at[0] + 1, at[1] + 1, at[2] + 1}}); here {
			return r
		}
	}
	return -1
}

// meet is what two boxes have in common.
func meet(b, o partition.Box) (partition.Box, bool) {
	for a := range b.Lo {
		b.Lo[a], b.Hi[a] = max(b.Lo[a], o.Lo[a]), min(b.Hi[a], o.Hi[a])
		if b.Lo[a] >= b.Hi[a] {
			return b, false
		}
	}
	return b, true
}

// rankBox is a box of nodes of the finest grid in a view.
func rankBox(p *setup.Problem, rank, level int, b partition.Box, axes [3]int) plot.RankBox {
	out := plot.RankBox{Rank: rank, Level: level}
	for i := range out.Low {
		a := axes[i]
		out.Low[i] = float64(b.Lo[a])*p.Units.Dx + p.Case.Domain.Origin[a]
		out.High[i] = float64(b.Hi[a])*p.Units.Dx + p.Case.Domain.Origin[a]
	}
	return out
}
