package ib

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// listed are the points of every list.
func (l *lists) listed() (all [][]int32) {
	for _, h := range l.head {
		var list []int32
		for k := h.first; k >= 0; k = l.next[k] {
			list = append(list, k)
		}
		all = append(all, list)
	}
	return all
}

// Points that change columns, few or many, near or all over the place, leave lists as
// if they had always been there: in the order of the points, with their numbers.
func TestListsDoNotTellHowTheyCameAbout(t *testing.T) {
	const columns, sets, workers = 24, 4, 3
	r := rand.New(rand.NewPCG(9, 10))
	l := newLists(columns, sets, workers)
	column := []uint64{}
	for _, step := range []struct{ points, moving int }{{1, 1}, {500, 500}, {500, 0}, {500, 3}, {500, 60}, {500, 400}, {500, 1}, {37, 37}, {37, 2}, {0, 0}, {200, 200}, {200, 20}} {
		if step.points != len(column) {
			column = make([]uint64, step.points)
		}
		for _, k := range r.Perm(step.points)[:step.moving] {
			column[k] = uint64(r.IntN(columns))
		}
		l.resize(step.points)
		for w := range workers {
			lo, hi := w*step.points/workers, (w+1)*step.points/workers
			l.put(w, lo, column[lo:hi])
		}
		l.link()
		want, points := make([][]int32, columns), make([]int, sets)
		for k, c := range column {
			want[c] = append(want[c], int32(k))
			points[c/(columns/sets)]++
		}
		got := l.listed()
		for c := range want {
			if !slices.Equal(got[c], want[c]) || int(l.head[c].count) != len(want[c]) {
				t.Fatalf("%d of %d points moved: column %d has %d points %v, want %v", step.moving, step.points, c, l.head[c].count, got[c], want[c])
			}
		}
		if !slices.Equal(l.points, points) {
			t.Fatalf("%d of %d points moved: sets have %v points, want %v", step.moving, step.points, l.points, points)
		}
	}
}
