package transfer

import (
	"fmt"
	"testing"

	"lbmib/ib"
)

// firstTile is where a group begins, as kernels/transfer_sets.h has it.
func (x *siteAxis) firstTile(group int) int { return group * int(x.span) / int(x.groups) }

// Along an axis every cell is in one tile, and every tile has a place in one group; the nodes of
// tiles with the same place in theirs are different ones, and no tile has a node twice.
func TestTilesOfASetHaveNoNodeInCommon(t *testing.T) {
	for support := 2; support <= 6; support++ {
		for nodes := support; nodes <= 70; nodes++ {
			for _, length := range []int{0, 1, 4, 8, 16} {
				for _, periodic := range []int32{0, 1} {
					if length == 0 && periodic != 0 { // a column, which is one thread's
						continue
					}
					x := siteAxis{nodes: int32(nodes), periodic: periodic, cells: int32(nodes)}
					if periodic == 0 {
						x.low = int32(support - 1)
						x.cells += x.low
					}
					x.cut(length, support)
					if err := x.check(length, support); err != nil {
						t.Fatalf("%d nodes, tiles of %d cells, support %d, periodic %d (%d tiles in %d groups): %v", nodes, length, support, periodic, x.tiles, x.groups, err)
					}
				}
			}
		}
	}
}

// check is what the test above says of an axis.
func (x *siteAxis) check(length, support int) error {
	seen := map[int]bool{}
	for colour := range int(x.colours) {
		taken := map[int]bool{}
		for group := range int(x.groups) {
			tile := x.firstTile(group) + colour
			if tile >= x.firstTile(group+1) || tile >= int(x.tiles) {
				continue
			}
			begin, end := tile*int(x.cells)/int(x.tiles), (tile+1)*int(x.cells)/int(x.tiles)
			if length > 0 && end-begin > length || end == begin {
				return fmt.Errorf("tile %d has %d cells", tile, end-begin)
			}
			for cell := begin; cell < end; cell++ {
				if seen[cell] {
					return fmt.Errorf("cell %d is in two tiles", cell)
				}
				seen[cell] = true
			}
			for node := begin - int(x.low); node < end-int(x.low)+support-1; node++ {
				n := node
				if x.periodic != 0 {
					n = (node + int(x.nodes)) % int(x.nodes)
				}
				if taken[n] {
					return fmt.Errorf("node %d is taken twice by colour %d", n, colour)
				}
				taken[n] = true
			}
		}
	}
	if len(seen) != int(x.cells) {
		return fmt.Errorf("%d of %d cells are in tiles", len(seen), x.cells)
	}
	return nil
}

// As many sets as the literature has: N^(d−1) of columns and N^d of cells, where a support has N
// nodes and periodic axes are multiples of it; 2^d of blocks, but that those of two cells along z are three
// apart.
func TestSetsAreAsFewAsCanBe(t *testing.T) {
	l, s := bench(t)
	d := ib.Peskin4[float64]{}
	for _, c := range []struct {
		grid                   ib.Grid
		columns, cells, blocks int
	}{
		{ib.Grid{Dim: 2, Size: [3]int{128, 96, 1}}, 4, 16, 4},
		{ib.Grid{Dim: 2, Size: [3]int{128, 96, 1}, Periodic: [3]bool{true, true}}, 4, 16, 4},
		{ib.Grid{Dim: 3, Size: [3]int{32, 36, 41}}, 16, 64, 2 * 2 * 3},
		{ib.Grid{Dim: 3, Size: [3]int{32, 32, 36}, Periodic: [3]bool{true, true, true}}, 16, 64, 2 * 2 * 3},
	} {
		for strategy, want := range map[string]int{"columns": c.columns, "columns-pruned": c.columns, "cells": c.cells, "blocks": c.blocks} {
			h := mustHost(t, l, s, strategy, []ib.Grid{c.grid}, d)
			if got := h.Sites[0].Sets.all; got != want {
				t.Errorf("%s of %v, periodic %v: %d sets, should be %d", strategy, c.grid.Size, c.grid.Periodic, got, want)
			}
		}
	}
}
