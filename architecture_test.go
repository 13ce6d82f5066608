package lbmib_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"lbmib/internal/importgraph"
)

// The picture of the packages is that of the code's own imports.
func TestTheDrawnImportsAreThoseOfTheCode(t *testing.T) {
	want, err := importgraph.Draw(".")
	if err != nil {
		t.Fatal(err)
	}
	const file = "docs/architecture.svg"
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not made of the code as it is (%v): go run ./internal/importgraph/draw %s", file, err, file)
	}
}

// A link of a document to a file of the tree leads somewhere.
func TestLinksOfDocumentsLeadToFiles(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	web := regexp.MustCompile(`^[a-z]+:`)
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("validation/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(append(documents, more...), "README.md", "validation/README.md")
	found := 0
	for _, d := range documents {
		text, err := os.ReadFile(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if web.MatchString(m[1]) {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(d), m[1])); err != nil {
				t.Errorf("%s: a link to %s, which is not there", d, m[1])
			}
		}
	}
	if found < 50 {
		t.Errorf("%d links were found: this test looks at the wrong thing", found)
	}
}
