package lbmib_test

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/internal/importgraph"
)

const module = importgraph.Module

// rules say what packages may import of this module, itself and what is below
// it aside. A pattern is a path below the module; with "/..." also all below it, which
// may then import what is above them.
// The first rule whose pattern holds a package is the package's.
var rules = []struct {
	of  string
	may []string
}{
	{"geometry/vessel/...", []string{"geometry/implicit", "geometry/vessel/...", "internal/xruns"}}, // the set of nodes that it finds
	{"geometry/...", nil},
	{"internal/...", []string{"internal/..."}},
	{"lbm/...", []string{"lbm/internal/...", "internal/..."}},
	{"ib/elastic/internal/...", []string{"ib/elastic/internal/..."}}, // kernels, their generator, and what both know
	{"ib/...", []string{"geometry/...", "internal/..."}},
	{"hybrid/rigid", []string{"geometry/..."}}, // no lattice, no precision
	{"hybrid/flexible", []string{"hybrid/rigid", "ib/elastic/...", "geometry/...", "internal/..."}},
	{"hybrid/patch", []string{"lbm/...", "ib/...", "geometry/...", "internal/..."}},
	{"hybrid/...", []string{"hybrid/rigid", "hybrid/flexible", "lbm/...", "ib/...", "geometry/...", "internal/..."}},
	{"cuda/kernels/...", []string{"cuda/kernels/...", "cuda/driver/..."}}, // which images a device takes
	{"cuda/device/...", []string{"cuda/kernels/...", "cuda/driver/...", "cuda/standin/...", "lbm/...", "internal/..."}},
	{"cuda/transfer/...", []string{"cuda/device/...", "cuda/driver/...", "cuda/standin/...", "ib/...", "geometry/...", "internal/..."}},
	{"cuda/...", []string{"lbm/...", "ib/...", "hybrid/...", "geometry/...", "internal/..."}},
	{"io/vtkhdf/...", []string{"io/hdf5/...", "geometry/...", "internal/..."}},
	{"io/casefile/...", []string{"io/expression/...", "geometry/...", "internal/..."}},
	{"io/...", []string{"geometry/...", "internal/..."}}, // data types only
	{"run/exit", nil},
	{"run/backend", []string{"cuda/...", "hybrid/...", "lbm/...", "ib/...", "geometry/...", "internal/..."}},
	{"run/drawing", []string{"io/plot", "io/table", "io/vtkhdf"}},
	{"run/setup", []string{"run/exit", "run/backend", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"run/capacity", []string{"run/exit", "run/backend", "run/setup", "hybrid/...", "lbm/...", "io/...", "internal/..."}},
	{"run/rundir", []string{"run/exit", "io/casefile", "internal/..."}},
	{"run/check", []string{"run/exit", "run/backend", "run/setup/...", "run/capacity", "run/layout", "run/rundir", "run/observe", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"run/setup/setuptest", []string{"run/setup", "io/casefile"}},
	{"run/observe", []string{"run/exit", "run/backend", "run/setup/...", "run/rundir", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"run/...", []string{"run/...", "cuda/...", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"validation/suite", []string{"validation/...", "run/...", "cases/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"validation/...", []string{"validation/...", "cmd/...", "run/...", "cases/...", "cuda/...", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
	{"docs/...", []string{"io/casefile"}}, // the site of the documents
	{"cases/...", nil},                    // case files, and tests that run them
	{"cmd/...", []string{"validation/...", "cmd/...", "run/...", "cases/...", "cuda/...", "hybrid/...", "ib/...", "lbm/...", "io/...", "geometry/...", "internal/..."}},
}

// holds tells whether a pattern holds a path below the module.
func holds(pattern, p string) bool {
	stem, below := strings.CutSuffix(pattern, "/...")
	return p == stem || below && strings.HasPrefix(p, stem+"/")
}

func below(importPath string) (string, bool) { return strings.CutPrefix(importPath, module+"/") }

// violations names every import that no rule allows, every package that no
// rule knows and every package with a forbidden name.
func violations(graph []importgraph.Package) (all []string) {
	for _, n := range graph {
		p, ours := below(n.ImportPath)
		if !ours {
			continue // of other modules, or the module's root, which holds no code
		}
		if n.Name == "io" {
			all = append(all, fmt.Sprintf("%s: no package may be named io", p))
		}
		i := slices.IndexFunc(rules, func(r struct {
			of  string
			may []string
		}) bool {
			return holds(r.of, p)
		})
		if i < 0 {
			all = append(all, fmt.Sprintf("%s: no rule says what it may import", p))
			continue
		}
		for _, imported := range n.Imports {
			q, ours := below(imported)
			exact := !strings.HasSuffix(rules[i].of, "/...")
			if ours && !allowed(p, q, exact, rules[i].may) {
				all = append(all, fmt.Sprintf("%s imports %s", p, q))
			}
		}
	}
	return all
}

// allowed tells whether p may import q: by rule, or a package of its own
// package below which it lies or that lies below it (lbm/lbmtest and lbm).
func allowed(p, q string, exact bool, may []string) bool {
	if strings.HasPrefix(q, p+"/") || !exact && strings.HasPrefix(p, q+"/") {
		return true
	}
	return slices.ContainsFunc(may, func(m string) bool { return holds(m, q) })
}

// packages is the whole import graph. go test keeps results, and cannot know
// what go list reads: walking over the folders tells it.
func packages(t *testing.T) []importgraph.Package {
	t.Helper()
	if err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(d.Name(), ".out")) {
			return filepath.SkipDir
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	all, err := importgraph.Load(".")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestImportsPointOneWay(t *testing.T) {
	graph := packages(t)
	for _, want := range []string{"geometry", "lbm", "ib", "hybrid", "io/casefile", "cmd/lbmib"} {
		if !slices.ContainsFunc(graph, func(n importgraph.Package) bool { return n.ImportPath == path.Join(module, want) }) {
			t.Errorf("%s is not in the import graph: this test looks at the wrong thing", want)
		}
	}
	for _, v := range violations(graph) {
		t.Error(v)
	}
}

func TestAnImportAgainstTheDirectionIsFound(t *testing.T) {
	for _, c := range []struct {
		from, to string
		allowed  bool
	}{
		{"geometry", "internal/parallel", false},
		{"geometry", "lbm", false},
		{"geometry", "geometry/vessel", true}, // which lies below it
		{"geometry/implicit", "geometry/vessel", false},
		{"geometry/vessel/models", "geometry/implicit", true},
		{"lbm", "internal/parallel", true},
		{"lbm", "ib", false},
		{"lbm", "geometry", false},
		{"lbm/lbmtest", "lbm", true},
		{"lbm/lbmtest", "ib", false},
		{"ib", "geometry", true},
		{"ib", "lbm", false},
		{"ib/ibtest", "ib", true},
		{"ib/ibtest", "hybrid", false},
		{"hybrid", "lbm", true},
		{"hybrid", "ib", true},
		{"hybrid", "geometry", true},
		{"hybrid", "cuda", false},
		{"hybrid", "hybrid/rigid", true},
		{"hybrid/rigid", "hybrid", false},
		{"hybrid/rigid", "lbm", false},
		{"hybrid/rigid", "ib", false},
		{"hybrid/patch", "hybrid/rigid", false},
		{"hybrid/patch", "hybrid", false},
		{"hybrid", "io/casefile", false},
		{"cuda", "hybrid", true},
		{"cuda/driver", "lbm", true},
		{"cuda", "io/table", false},
		{"cuda/device", "hybrid", false},
		{"cuda/transfer", "lbm", false},
		{"cuda", "run", false},
		{"io/vtkhdf", "io/hdf5", true},
		{"io/hdf5", "io/vtkhdf", false},
		{"io/casefile", "io/expression", true},
		{"io/expression", "io/casefile", false},
		{"io/plot", "io/table", false},
		{"io/casefile", "lbm", false},
		{"io/checkpoint", "hybrid", false},
		{"io/vtkhdf", "ib", false},
		{"io/plot", "run", false},
		{"internal/parallel", "lbm", false},
		{"cmd/lbmib", "run", true},
		{"run", "cuda", true},
		{"run/setup", "run", false},
		{"run/backend", "run/setup", false},
		{"validation/suite", "cmd/lbmib", false},
		{"cmd/lbmib/bench/transfer", "cases", true},
		{"ib", "cases", false},
		{"run", "io/plot", true},
		{"validation", "hybrid", true},
		{"hybrid", "validation", false},
		{"docs/site", "io/casefile", true},
		{"docs/site", "run", false},
		{"cmd/lbmib", "docs/site", false},
		{"elsewhere", "lbm", false}, // a package without a rule
	} {
		found := violations([]importgraph.Package{{ImportPath: module + "/" + c.from, Name: "p", Imports: []string{"fmt", module + "/" + c.to}}})
		if (len(found) == 0) != c.allowed {
			t.Errorf("%s imports %s: allowed %v, want %v", c.from, c.to, len(found) == 0, c.allowed)
		}
	}
}

func TestAPackageNamedIOIsFound(t *testing.T) {
	if len(violations([]importgraph.Package{{ImportPath: module + "/io/table", Name: "io"}})) != 1 {
		t.Error("a package named io passes")
	}
	if v := violations([]importgraph.Package{{ImportPath: "io", Name: "io"}, {ImportPath: module, Name: "lbmib"}}); len(v) != 0 {
		t.Errorf("the standard library and the module's root are none of this test's business, got %v", v)
	}
}
