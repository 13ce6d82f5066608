package importgraph

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func packages(imports map[string]string) (all []Package) {
	for _, p := range slices.Sorted(maps.Keys(imports)) {
		n := Package{ImportPath: "m/" + p, Imports: []string{"fmt"}}
		for _, q := range strings.Fields(imports[p]) {
			n.Imports = append(n.Imports, "m/"+q)
		}
		all = append(all, n)
	}
	return append(all, Package{ImportPath: "fmt"})
}

func itself(path string) string { return path }

// An arrow is left out where another way leads to the same package.
func TestWhatAnotherWayReachesIsLeftOut(t *testing.T) {
	g, err := Fold(packages(map[string]string{"a": "b c d", "b": "c", "c": "d", "d": ""}), "m", itself)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[string]string{"a": "b", "b": "c", "c": "d", "d": ""} {
		if got := strings.Join(g[n], " "); got != want {
			t.Errorf("%s has arrows to %q, want %q", n, got, want)
		}
	}
}

func TestPackagesAreFoldedIntoOneNode(t *testing.T) {
	name := func(path string) string {
		first, rest, _ := strings.Cut(path, "/")
		if rest == "hidden" {
			return ""
		}
		return first
	}
	g, err := Fold(packages(map[string]string{"a/x": "a/y b/hidden b/z", "a/y": "", "b/hidden": "a/x", "b/z": ""}), "m", name)
	if err != nil || len(g) != 2 || strings.Join(g["a"], " ") != "b" || len(g["b"]) != 0 {
		t.Errorf("%v, %v", g, err)
	}
	if _, err := Fold(packages(map[string]string{"a/x": "b/z", "b/z": "a/y", "a/y": ""}), "m", name); err == nil || !strings.Contains(err.Error(), "by way of others") {
		t.Errorf("two nodes that import each other: %v", err)
	}
}

// Every node is drawn once, above what it imports; boxes of a row do not overlap.
func TestADrawingHasEveryNodeAboveWhatItImports(t *testing.T) {
	g := Graph{"top": {"left", "right"}, "left": {"base"}, "right": {"base", "other"}, "base": nil, "other": nil, "lonely": {"other"}}
	rank, err := g.ranks()
	if err != nil {
		t.Fatal(err)
	}
	rows := g.rows(rank)
	for i := range sweeps {
		order(rows, i%2 == 0)
	}
	place(rows)
	drawn := 0
	for r, row := range rows {
		for i, b := range row {
			if i > 0 && b.x-b.width/2 < row[i-1].x+row[i-1].width/2 {
				t.Errorf("row %d: %q overlaps %q", r, b.name, row[i-1].name)
			}
			if b.name == "" {
				continue
			}
			drawn++
			for _, m := range g[b.name] {
				if rank[m] >= r {
					t.Errorf("%s is not above %s", b.name, m)
				}
			}
		}
	}
	picture, err := g.SVG(Colour)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(picture, "<text"); drawn != len(g) || n != len(g) {
		t.Errorf("%d nodes are placed and %d named, want %d", drawn, n, len(g))
	}
	if n := strings.Count(picture, "marker-end"); n != 6 {
		t.Errorf("%d arrows, want 6", n)
	}
}
