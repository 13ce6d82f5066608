package casefile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// reading are the functions by which a key is read, and that are called with its name.
var reading = []string{"number", "optional", "requiredNumber", "vector", "requiredVector", "varying", "varyingVector", "text", "line", "flag",
	"choice", "variant", "integer", "table", "tables", "require", "lawNumber", "readFile", "anchor", "readUnitVector"}

// Every key that is read has a text in the reference, and every text a key that is read. What a key is
// comes from the readers; so that none of them is left out, the samples must bring each to be called.
func TestTheReferenceIsWhatIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	visited := map[string]bool{}
	asked, known := surveyAll(func() {
		var stack [40]uintptr
		frames := runtime.CallersFrames(stack[:runtime.Callers(2, stack[:])])
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			visited[fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)] = true
		}
	})
	texts := map[string]bool{}
	for _, e := range keyTexts {
		id := keyID(e.table, e.name)
		switch {
		case texts[id]:
			t.Errorf("keyTexts has %s twice", id)
		case len(asked[id]) == 0:
			t.Errorf("keyTexts has %s, which nothing reads", id)
		case e.means == "" || !strings.HasSuffix(e.means, "."):
			t.Errorf("keyTexts: %s means %q, must be a sentence", id, e.means)
		}
		texts[id] = true
	}
	for id := range known {
		if !texts[id] {
			t.Errorf("%s is read, and keyTexts has no text for it: add what it means", id)
		} else if len(asked[id]) == 0 {
			t.Errorf("%s is looked up, and no reader tells by ask what it may be", id)
		}
	}
	if len(texts) < 250 {
		t.Errorf("there are %d keys: this test looks at the wrong thing", len(texts))
	}
	calls := 0
	for at, name := range readingCalls(t) {
		calls++
		if !slices.ContainsFunc(slices.Collect(maps.Keys(visited)), at.holds) {
			t.Errorf("%s:%d reads %s, to which no sample of keysamples.go comes: add one, so that the reference has it", at.file, at.first, name)
		}
	}
	if calls < 200 {
		t.Errorf("%d calls of readers were found: this test looks at the wrong thing", calls)
	}
}

// Cases that people run have no key that the reference lacks.
func TestKeysOfCasesAreInTheReference(t *testing.T) {
	texts := map[string]bool{}
	for _, e := range keyTexts {
		texts[keyID(e.table, e.name)] = true
	}
	files, err := filepath.Glob("../../cases/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	templates, err := filepath.Glob("../../cases/templates/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, templates...) {
		if filepath.Base(f) == "unstructured.toml" { // of bench ib
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		root, err := decodeTOML(string(text))
		if err != nil {
			t.Fatal(err)
		}
		_, known := survey(root, true, nil)
		for id := range known {
			if !texts[id] {
				t.Errorf("%s: reading it asks for %s, which keyTexts lacks", f, id)
			}
		}
	}
}

// lines are those of a call in a file.
type lines struct {
	file        string
	first, last int
}

// holds tells whether "file:line" is one of them.
func (l lines) holds(at string) bool {
	var n int
	file, line, _ := strings.Cut(at, ":")
	if _, err := fmt.Sscan(line, &n); err != nil {
		return false
	}
	return file == l.file && l.first <= n && n <= l.last
}

// readingCalls are the calls of readers with a literal name in this package, and the names.
func readingCalls(t *testing.T) map[lines]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls, set := map[lines]string{}, token.NewFileSet()
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(set, f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch of := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = of.Sel.Name
			case *ast.Ident:
				name = of.Name
			}
			if !slices.Contains(reading, name) {
				return true
			}
			for _, a := range call.Args {
				if lit, ok := a.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					calls[lines{f, set.Position(call.Pos()).Line, set.Position(call.End()).Line}] = lit.Value
					break
				}
			}
			return true
		})
	}
	return calls
}
