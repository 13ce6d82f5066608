package snippets

import "testing"

func TestBlocksAreFoundWithTheirMarks(t *testing.T) {
	blocks, err := Parse("a\n```sh\nlbmib run a.toml\n```\n<!-- not run: takes hours -->\n```\nx\n```\n")
	if err != nil || len(blocks) != 2 {
		t.Fatalf("%v, %v", blocks, err)
	}
	if want := (Block{2, "sh", "lbmib run a.toml\n", "", ""}); blocks[0] != want {
		t.Errorf("%v, want %v", blocks[0], want)
	}
	if want := (Block{6, "", "x\n", "not run", "takes hours"}); blocks[1] != want {
		t.Errorf("%v, want %v", blocks[1], want)
	}
	if _, err := Parse("```sh\nlbmib"); err == nil {
		t.Error("a block without an end passes")
	}
}

func TestFlagsGoBeforeComments(t *testing.T) {
	got := With("lbmib check a.toml\nlbmib run a.toml   # a minute\ncd x\nlbmib sweep a.toml --over b=1\n", "--steps 5")
	if want := "lbmib check a.toml\nlbmib run a.toml --steps 5   # a minute\ncd x\nlbmib sweep a.toml --over b=1 --steps 5\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
