// Package snippets finds the blocks of code of documents, and the marks that say what a test does with them.
package snippets

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Block is a fenced block of a Markdown document.
type Block struct {
	Line     int    // of its fence, from 1
	Language string // empty: none is given
	Text     string
	Mark     string // what a comment above it says before the colon; empty: there is none
	Of       string // and behind it
}

var (
	mark  = regexp.MustCompile(`^<!-- ([a-z ]+): (.+) -->$`)
	fence = regexp.MustCompile("^(```+)([a-z]*)\\s*$")
)

// Read returns the fenced blocks of a document, each with the mark on the line above it.
func Read(path string) ([]Block, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	blocks, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return blocks, nil
}

// Parse is Read of a text.
func Parse(text string) (blocks []Block, err error) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		open := fence.FindStringSubmatch(lines[i])
		if open == nil {
			continue
		}
		b := Block{Line: i + 1, Language: open[2]}
		if i > 0 {
			if m := mark.FindStringSubmatch(lines[i-1]); m != nil {
				b.Mark, b.Of = m[1], m[2]
			}
		}
		var body strings.Builder
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != open[1]; i++ {
			body.WriteString(lines[i] + "\n")
		}
		if i == len(lines) {
			return nil, fmt.Errorf("%d: the block has no end: close it with %s", b.Line, open[1])
		}
		b.Text = body.String()
		blocks = append(blocks, b)
	}
	return blocks, nil
}

var command = regexp.MustCompile(`(?m)^(lbmib (?:run|sweep) [^#\n]*?)( *#[^\n]*)?$`)

// With adds flags to every command of a shell's block that computes a flow.
func With(block, flags string) string {
	return command.ReplaceAllString(block, "$1 "+strings.ReplaceAll(flags, "$", "$$")+"$2")
}
