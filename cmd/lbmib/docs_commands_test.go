package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lbmib/cases/templates"
	"lbmib/internal/snippets"
)

// documents are the Markdown files of the tree, by their names from its root.
func documents(t *testing.T) (root string, all []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "shared" || strings.HasSuffix(d.Name(), ".out")):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			name, err := filepath.Rel(root, path)
			all = append(all, name)
			return err
		}
		return nil
	})
	if err != nil || len(all) < 30 {
		t.Fatalf("%d documents, %v", len(all), err)
	}
	return root, all
}

// inText are commands in the text of a document, but for those that stand for several.
var (
	inText     = regexp.MustCompile("`(lbmib [^`\n]+)`")
	several    = regexp.MustCompile(`[\[…|]|\.\.\.`)
	shellWord  = regexp.MustCompile(`'[^']*'|"[^"]*"|[^\s'"]+`)
	unfinished = regexp.MustCompile(`^expected "<|but got "EOL"`)
	number     = regexp.MustCompile(`^[A-Z]$`) // that stands for one
)

// wordsOf are those of a command, without quotes, up to a comment, a pipe or another command.
func wordsOf(line string) (words []string) {
	end := -1
	for _, at := range shellWord.FindAllStringIndex(line, -1) {
		w := line[at[0]:at[1]]
		if strings.HasPrefix(w, "#") || slices.Contains([]string{"|", ">", "<", "&&", "||", ";", "&"}, w) {
			return words
		}
		w = strings.Trim(strings.TrimSuffix(w, ";"), `'"`)
		if number.MatchString(w) {
			w = "1"
		}
		if at[0] == end { // goes on, as in --set key='a b'
			words[len(words)-1] += w
		} else {
			words = append(words, w)
		}
		end = at[1]
	}
	return words
}

// judge says what is wrong with a command of a document; empty: nothing.
func judge(root, line string) string {
	words := wordsOf(line)
	at := slices.IndexFunc(words, func(w string) bool { return w == "lbmib" || w == "bin/lbmib" })
	if at >= 0 && (at == 0 || words[at-1] != "-o") {
		for _, w := range words[at:] {
			if strings.HasPrefix(w, "cases/") || strings.HasPrefix(w, "validation/cases/") {
				if _, err := os.Stat(filepath.Join(root, w)); err != nil {
					return "there is no " + w
				}
			}
		}
		return misread(words[at+1:])
	}
	if len(words) > 2 && words[0] == "go" && words[1] == "run" && strings.HasPrefix(words[2], "./") {
		return unknownFlag(filepath.Join(root, words[2]), words[3:])
	}
	return ""
}

// misread says what the program would say of arguments that it does not understand.
func misread(args []string) string {
	var c commands
	ended := false
	m := newMessages(io.Discard)
	s := &surroundings{stdout: &output{to: io.Discard, ctx: context.Background(), before: m}, stderr: m}
	if _, err := s.parser(&c, func(int) { ended = true }).Parse(args); err != nil && !ended {
		return err.Error()
	}
	if name := c.New.Template; name != "" && name != "tunnel" && name != strings.ToUpper(name) {
		if _, ok := templates.Find(name); !ok {
			return "there is no template " + name
		}
	}
	return ""
}

// unknownFlag looks for flags of a program of the tree in its source.
func unknownFlag(dir string, args []string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return "there is no program in " + dir
	}
	var source strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		source.Write(text)
	}
	for _, a := range args {
		name := strings.TrimLeft(a, "-")
		if strings.HasPrefix(a, "-") && name != "help" && !strings.Contains(source.String(), `"`+name+`"`) {
			return "the program has no flag " + a
		}
	}
	return ""
}

// Every command that a document names is one that the program understands, and its cases, templates and flags are there: those that are not run, too.
func TestCommandsOfTheDocumentsAreUnderstood(t *testing.T) {
	root, all := documents(t)
	understood := 0
	for _, name := range all {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := snippets.Parse(string(text))
		if err != nil {
			t.Fatalf("%s:%v", name, err)
		}
		var lines, named []string
		for _, b := range blocks {
			if b.Language == "sh" {
				lines = append(lines, strings.Split(strings.ReplaceAll(b.Text, "\\\n", " "), "\n")...)
			}
		}
		for _, m := range inText.FindAllStringSubmatch(string(text), -1) {
			named = append(named, m[1])
		}
		for i, line := range append(lines, named...) {
			if several.MatchString(strings.ReplaceAll(line, "='[", "")) {
				continue
			}
			wrong := judge(root, line)
			if i >= len(lines) && unfinished.MatchString(wrong) { // a text that speaks of a command, without what it is given
				wrong = ""
			}
			if wrong != "" {
				t.Errorf("%s: %s: %s", name, strings.TrimSpace(line), wrong)
			}
			understood++
		}
	}
	if t.Logf("%d commands", understood); understood < 200 {
		t.Errorf("the documents have %d commands: this test looks at the wrong thing", understood)
	}
	for _, bad := range []string{"lbmib run cases/nowhere.toml", "lbmib run a.toml --nowhere", "lbmib new flapping-wing", "go run ./validation/bends -nowhere 1", "go run ./nowhere"} {
		if judge(root, bad) == "" {
			t.Errorf("%s passes", bad)
		}
	}
}

// The templates that README.md names are there.
func TestTemplatesOfTheReadmeAreThere(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, row, ok := strings.Cut(string(text), "\n| `lbmib new TEMPLATE [FILE]` |")
	row, _, _ = strings.Cut(row, "\n")
	_, row, named := strings.Cut(row, "names them:")
	names := regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(row, -1)
	if !ok || !named || len(names) < 8 {
		t.Fatalf("README.md names %d templates", len(names))
	}
	for _, name := range names {
		if _, ok := templates.Find(name[1]); !ok {
			t.Errorf("README.md names the template %q, which is not there", name[1])
		}
	}
}
