package table

import (
	"slices"
	"strings"
	"testing"
)

var example = Table{
	{Title: "name", Cells: []string{"α", "beta"}},
	{Title: "same", Cells: []string{"x", "x"}},
	{Title: "rate", Unit: "GB/s", Quantity: true, Cells: []string{"1.5", "120.0"}},
	{Title: "bytes", Unit: "/node", Quantity: true, Cells: []string{"8", "8"}},
}

func TestNamesThatAreTheSameAreFoldedAndQuantitiesAreNot(t *testing.T) {
	rest, same := example.Fold()
	if !slices.Equal(same, []string{"same x"}) || len(rest) != 3 || rest[2].Title != "bytes" {
		t.Errorf("same %v, rest %v", same, rest)
	}
	one := Table{{Title: "name", Cells: []string{"only"}}}
	if rest, same := one.Fold(); len(rest) != 1 || len(same) != 0 {
		t.Error("the names of a single row are its table")
	}
}

func TestTextIsAligned(t *testing.T) {
	rest, _ := example.Fold()
	var b strings.Builder
	rest.WriteText(&b)
	want := "" +
		"name   rate  bytes\n" +
		"       GB/s  /node\n" +
		"α       1.5      8\n" +
		"beta  120.0      8\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	example[:2].WriteText(&b) // without units
	if want := "name  same\nα     x\nbeta  x\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMarkdownHasUnitsBehindTitles(t *testing.T) {
	var b strings.Builder
	example.WriteMarkdown(&b)
	want := "| name | same | rate (GB/s) | bytes/node |\n|---|---|--:|--:|\n| α | x | 1.5 | 8 |\n| beta | x | 120.0 | 8 |\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
