package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"lbmib/internal/snippets"
	"lbmib/io/casefile"
)

// Every block of code of README.md, docs and validation is run, one page after the other in a directory of its own, beside links to cases, docs and python.
// What is done with a block follows from its language and the mark above it:
//
//	sh                             run by bash -e
//	sh      run with: FLAGS        likewise, with the flags behind every lbmib run and sweep, which make it short; LBMIB_DOCS=whole leaves them out
//	toml                           a case, which is read and judged as lbmib run would; kept as case.toml
//	toml    save: FILE             likewise, kept under a name for commands that come
//	toml    beside: FILE           tables of a case, read in place of those of a case of the tree
//	json                           is read
//	text                           no code: an output or a drawing
//	text    printed: always        every line was printed by the commands of the last block; … stands for anything
//	text    printed: in full       likewise, where the runs were whole
//	text    printed: in full; always: A | B   likewise, and lines of the block that the short runs print, too
//	text    said by: COMMAND       the command fails, and says every line
//	any     not run: REASON        not run here
//	python  of docs/python.md and README.md is run by python/test_lbmib.py
//	go, toml with a mark of docs/extending.md are run by its own test in the root
//
// Others fail. Commands compute with one thread. Those that are not run are held by TestCommandsOfTheDocumentsAreUnderstood.
func TestSnippetsOfTheDocuments(t *testing.T) {
	root, all := documents(t)
	all = slices.DeleteFunc(all, func(name string) bool {
		dir := filepath.Dir(name)
		return name != "README.md" && dir != "docs" && dir != filepath.Join("docs", "tutorials") && !strings.HasPrefix(dir, "validation")
	})
	done, ran := map[string]int{}, 0
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			ran++
			blocks, err := snippets.Read(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(t, root, name)
			for _, b := range blocks {
				done[s.do(b)]++
			}
		})
	}
	t.Logf("blocks: %v", done)
	if ran < len(all) {
		return // some were asked for
	}
	if done["sh"] < 25 || done["toml"] < 8 || done["said"] < 8 {
		t.Errorf("of the documents %v blocks were run: this test looks at the wrong thing", done)
	}
}

// session is what the commands of a page share.
type session struct {
	t    *testing.T
	root string
	page string
	dir  string
	said string // by the last block
	full bool   // runs are whole, as people make them: some minutes
}

func newSession(t *testing.T, root, page string) *session {
	s := &session{t: t, root: root, page: page, dir: t.TempDir(), full: os.Getenv("LBMIB_DOCS") == "whole"}
	for _, name := range []string{"cases", "docs", "python"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// do runs a block, and tells as what.
func (s *session) do(b snippets.Block) string {
	at := fmt.Sprintf("%s:%d", s.page, b.Line)
	ofExtending := s.page == filepath.Join("docs", "extending.md") && (b.Mark == "new file" || b.Mark == "line" || b.Mark == "text" || b.Mark == "case")
	switch {
	case b.Mark == "not run" && len(b.Of) > 10:
		return "not run"
	case ofExtending:
		return "extending"
	case b.Language == "sh" && (b.Mark == "" || b.Mark == "run with"):
		s.shell(at, b)
		return "sh"
	case b.Language == "toml" && (b.Mark == "" || b.Mark == "save" || b.Mark == "beside"):
		s.toml(at, b)
		return "toml"
	case b.Language == "text" && b.Mark == "said by":
		if out, err := s.bash(b.Of); err == nil {
			s.t.Errorf("%s: %s ends well, and should say:\n%s", at, b.Of, b.Text)
		} else {
			s.says(at, b, out)
		}
		return "said"
	case b.Language == "text" && b.Mark == "printed":
		switch of, always, both := strings.Cut(b.Of, "; always: "); {
		case of != "always" && of != "in full":
			s.t.Errorf("%s: it is printed %q, must be always or in full", at, b.Of)
		case of == "always" || s.full:
			s.says(at, b, s.said)
		case both:
			s.saysSome(at, b, strings.Split(always, " | "))
		}
		return "printed"
	case b.Language == "text" && b.Mark == "":
		return "text"
	case b.Language == "json" && b.Mark == "":
		if !json.Valid([]byte(b.Text)) {
			s.t.Errorf("%s: it is no JSON", at)
		}
		return "json"
	case b.Language == "python" && (s.page == filepath.Join("docs", "python.md") || s.page == "README.md"):
		return "python"
	}
	s.t.Errorf("%s: nothing is known to be done with a block of %q and the mark %q: give it one that TestSnippetsOfTheDocuments has", at, b.Language, b.Mark)
	return "unknown"
}

// shell runs a block of commands.
func (s *session) shell(at string, b snippets.Block) {
	text := b.Text
	if !s.full && b.Mark == "run with" {
		text = snippets.With(text, b.Of)
	}
	out, err := s.bash(snippets.With(text, "--threads 1"))
	if s.said = out; err != nil {
		s.t.Fatalf("%s: %v\n%s%s", at, err, text, out)
	}
}

// bash runs commands where the program is in PATH; output and messages are one.
func (s *session) bash(text string) (string, error) {
	begin := time.Now()
	c := exec.CommandContext(s.t.Context(), "bash", "-euo", "pipefail", "-c", text)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	s.t.Logf("%.1f s: %s", time.Since(begin).Seconds(), strings.TrimSpace(text))
	return out.String(), err
}

var blanks = regexp.MustCompile(`\s+`)

// says compares the lines of a block with what was said, however it was broken into lines.
func (s *session) says(at string, b snippets.Block, said string) {
	said = blanks.ReplaceAllString(said, " ")
	for _, line := range strings.Split(b.Text, "\n") {
		rest := said
		for _, part := range strings.Split(line, "…") {
			part = strings.TrimSpace(blanks.ReplaceAllString(part, " "))
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				s.t.Errorf("%s: %q is not said, but:\n%s", at, line, said)
				return
			}
			rest = after
		}
	}
}

// saysSome compares some lines of a block.
func (s *session) saysSome(at string, b snippets.Block, lines []string) {
	for _, line := range lines {
		if !strings.Contains(blanks.ReplaceAllString(b.Text, " "), line) {
			s.t.Errorf("%s: the block does not have %q", at, line)
		}
	}
	some := b
	some.Text = strings.Join(lines, "\n")
	s.says(at, some, s.said)
}

// toml reads a case, or tables that belong into one.
func (s *session) toml(at string, b snippets.Block) {
	text, name := b.Text, filepath.Join(s.dir, "case.toml")
	if b.Mark == "save" {
		name = filepath.Join(s.dir, b.Of)
	}
	if b.Mark == "beside" {
		name = filepath.Join(s.root, b.Of)
		text = s.joined(at, text, name)
	} else if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
	if _, err := casefile.Parse(name, []byte(text), nil); err != nil {
		s.t.Errorf("%s: %v", at, err)
	}
}

// joined is a case of the tree with tables in place of its own.
func (s *session) joined(at, text, beside string) string {
	var all, own map[string]any
	if _, err := toml.DecodeFile(beside, &all); err != nil {
		s.t.Fatalf("%s: %v", at, err)
	}
	if _, err := toml.Decode(text, &own); err != nil {
		s.t.Fatalf("%s: %v", at, err)
	}
	for key, value := range own {
		if inside, is := value.(map[string]any); is {
			if there, is := all[key].(map[string]any); is {
				for name, v := range inside {
					there[name] = v
				}
				continue
			}
		}
		all[key] = value
	}
	if reference, is := own["reference"].(map[string]any); is && reference["viscosity"] != nil {
		delete(all["reference"].(map[string]any), "reynolds")
	}
	var b strings.Builder
	if err := toml.NewEncoder(&b).Encode(all); err != nil {
		s.t.Fatalf("%s: %v", at, err)
	}
	return b.String()
}
