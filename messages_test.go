package lbmib_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wordings that readers did not understand, and that stand in no message and no document any more.
var riddles = []string{
	"stands against running", "beyond the axes", "turned inside out", "weights ε relaxed", "no other resolution or velocity mends",
	"takes no notice", "say themselves; remove", `, is of lines`, `, is of surfaces`, `, is of law`, "knows one viscosity", "file of now",
	"what is ahead would have none", "whose walls keep what each leaves",
	"has nothing against", "What a shape is large", "momentum closes to", "or one lies inside another", "closed shell that it is made", "a period or what takes a moment",
	"until they go wrong", "is its own mirror image", "what is judged above", "mend those above", "file of then back", "felt off their place", "of which deltas do not feel",
	"what vertices so close do the grid", "where it cannot be after that", "a body went where it cannot be", "the workers' meetings", "is none that runs here",
}

func TestNoRiddlesInMessagesAndDocuments(t *testing.T) {
	read, assets := 0, 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "shared") {
			return filepath.SkipDir
		}
		if d.IsDir() || strings.HasSuffix(path, "_test.go") || !told(path) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		if strings.Contains(filepath.ToSlash(path), "page/assets/") {
			assets++
		}
		for _, r := range riddles {
			if strings.Contains(string(text), r) {
				t.Errorf("%s has %q: say it plainly", path, r)
			}
		}
		return nil
	})
	if err != nil || read < 500 || assets < 8 {
		t.Errorf("%d files were read, %d of them of the page: %v", read, assets, err)
	}
}

// told tells whether a file may hold words for people: code, documents, and what the page is made of but for the work of others.
func told(path string) bool {
	switch path = filepath.ToSlash(path); filepath.Ext(path) {
	case ".go", ".md":
		return true
	case ".js", ".html", ".css":
		return strings.Contains(path, "page/assets/") && !strings.Contains(path, "third_party/")
	}
	return false
}
