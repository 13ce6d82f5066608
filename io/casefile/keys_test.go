package casefile

import (
	"os"
	"regexp"
	"testing"
)

// What the reader asks for, docs/case-file.md explains.
func TestEveryKeyIsInTheDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/case-file.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{"NAME": true}
	for _, word := range regexp.MustCompile(`[a-z][a-z0-9_]*`).FindAllString(string(text), -1) {
		told[word] = true
	}
	for _, k := range keyTexts {
		if !told[k.name] {
			t.Errorf("docs/case-file.md does not have %s of [%s]", k.name, k.table)
		}
	}
}
