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
}

func TestNoRiddlesInMessagesAndDocuments(t *testing.T) {
	read := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "shared") {
			return filepath.SkipDir
		}
		if d.IsDir() || strings.HasSuffix(path, "_test.go") || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for _, r := range riddles {
			if strings.Contains(string(text), r) {
				t.Errorf("%s has %q: say it plainly", path, r)
			}
		}
		return nil
	})
	if err != nil || read < 500 {
		t.Errorf("%d files were read: %v", read, err)
	}
}
