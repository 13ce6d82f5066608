package lbmib_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// listed is a package that the program is made of on some platform, as go list tells it.
type listed struct {
	ImportPath, Dir string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Standard        bool
	Error           *struct{ Err string }
}

// own tells whether it is one of the program's, whose functions are checked, too; of others what they declare is enough.
func (l *listed) own() bool {
	return l.ImportPath == "lbmib" || strings.HasPrefix(l.ImportPath, "lbmib/")
}

// packagesFor are the packages of the program on a platform, each behind what it imports.
func packagesFor(system, processor string) (all []*listed, err error) {
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,SFiles,ImportMap,Standard,Error", "./cmd/lbmib")
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, said.String())
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		l := new(listed)
		switch err := d.Decode(l); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		case l.Error != nil:
			return nil, errors.New(l.Error.Err)
		}
		all = append(all, l)
	}
}

// checker checks the types of packages, in an order in which imports come first.
type checker struct {
	files *token.FileSet
	made  map[string]*types.Package
	sizes types.Sizes
}

// importer finds packages by the names that one of them uses.
type importer struct {
	*checker
	of *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if at := i.of.ImportMap[path]; at != "" {
		path = at
	}
	if p := i.made[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not among what %s imports", path, i.of.ImportPath)
}

// check checks a package: its types and, of its own and of other modules', that every function without a body has one in an assembly file for the platform.
func (c *checker) check(l *listed) (faults []string) {
	var syntax []*ast.File
	mode := parser.SkipObjectResolution
	if !l.Standard { // whose directives are of interest
		mode |= parser.ParseComments
	}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(c.files, filepath.Join(l.Dir, name), nil, mode)
		if err != nil {
			return []string{err.Error()}
		}
		syntax = append(syntax, f)
	}
	config := types.Config{Importer: importer{c, l}, Sizes: c.sizes, IgnoreFuncBodies: !l.own(), Error: func(err error) { faults = append(faults, err.Error()) }}
	c.made[l.ImportPath], _ = config.Check(l.ImportPath, c.files, syntax, nil) // errors are told one by one
	if !l.Standard {
		faults = append(faults, bodiless(c.files, l, syntax)...)
	}
	return faults
}

// assembled finds the functions of an assembly file.
var assembled = regexp.MustCompile(`(?m)^TEXT\s+·(\w+)`)

// bodiless are functions without a body that no assembly file has, and no linker's directive names.
func bodiless(files *token.FileSet, l *listed, syntax []*ast.File) (faults []string) {
	there := map[string]bool{}
	for _, name := range l.SFiles {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return []string{err.Error()}
		}
		for _, m := range assembled.FindAllSubmatch(text, -1) {
			there[string(m[1])] = true
		}
	}
	for _, f := range syntax {
		for _, group := range f.Comments {
			for _, line := range group.List {
				if words := strings.Fields(line.Text); len(words) >= 2 && words[0] == "//go:linkname" {
					there[words[1]] = true
				}
			}
		}
	}
	for _, f := range syntax {
		for _, d := range f.Decls {
			if of, ok := d.(*ast.FuncDecl); ok && of.Body == nil && !there[of.Name.Name] {
				faults = append(faults, fmt.Sprintf("%s: %s has no body, and none of the assembly files %v has it", files.Position(of.Pos()), of.Name.Name, l.SFiles))
			}
		}
	}
	return faults
}

// The program builds on the platforms of a release that this one is not: its types are right there, and what is in assembly is there or not asked for.
func TestTheProgramHasItsTypesOnEveryPlatformOfARelease(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // checking allocates much and keeps most
	for _, platform := range [][2]string{{"linux", "arm64"}, {"darwin", "arm64"}, {"darwin", "amd64"}} {
		t.Run(strings.Join(platform[:], "/"), func(t *testing.T) {
			all, err := packagesFor(platform[0], platform[1])
			if err != nil {
				t.Fatal(err)
			}
			c := &checker{token.NewFileSet(), map[string]*types.Package{}, types.SizesFor("gc", platform[1])}
			own := 0
			for _, l := range all {
				if l.ImportPath == "unsafe" {
					continue
				}
				if l.own() {
					own++
				}
				for _, fault := range slices.Compact(c.check(l)) {
					t.Error(fault)
				}
			}
			if own < 50 {
				t.Errorf("%d packages of the program were checked", own)
			}
		})
	}
}
