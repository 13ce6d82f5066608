package notices

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The notices in the tree are those of the modules that the program is linked from.
func TestTheNoticesAreThoseOfTheModules(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := Text(root)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not what the modules of go.mod have: run go run ./internal/notices/write", File)
	}
	for _, name := range []string{"The Go standard library", "github.com/alecthomas/kong", "github.com/golang/freetype", "SIL OPEN FONT LICENSE", "uplot 1.6.32", "three 0.185.0"} {
		if !strings.Contains(want, name) {
			t.Errorf("the notices lack %s", name)
		}
	}
	if strings.Contains(want, "GNU GENERAL PUBLIC LICENSE\n") {
		t.Error("a licence of the notices is the GPL")
	}
}

// The project's own licence and citation name the same terms and authors.
func TestLicenceAndCitationAgree(t *testing.T) {
	for file, words := range map[string][]string{
		"LICENSE":      {"BSD 3-Clause License", "The lbmib authors"},
		"CITATION.cff": {"license: BSD-3-Clause", "The lbmib authors", "cff-version: 1.2.0"},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %q", file, w)
			}
		}
	}
}
