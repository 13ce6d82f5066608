// Package notices gathers the licences of the modules that the program is linked from.
package notices

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// File is where the notices are, in the module's root.
const File = "THIRD_PARTY_NOTICES"

// platforms are those that binaries are released for: what is linked depends on them.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"}

// names are how files of licences begin, in capitals.
var names = []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}

// chosen are files beside which a module has others that do not apply: of a choice of licences the one taken.
var chosen = map[string][]string{"github.com/golang/freetype": {"LICENSE", "licenses/ftl.txt"}}

// embedded is the folder of what the binary holds of others beside modules of Go: a folder each, named by its version, with its licence.
const embedded = "io/page/assets/third_party"

// module is one that is linked, and the folders of its packages.
type module struct {
	Path, Version, Dir string
	packages           []string
}

// Text is the notices of the program in a folder of this module: of Go's library, of each module that it is linked from
// on any of the platforms, with the texts of all licence files beside its packages and above them, and of embedded scripts.
func Text(root string) (string, error) {
	modules, goroot, err := linked(root)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	b.WriteString("lbmib is distributed under the BSD 3-Clause License (LICENSE). Its binaries contain the software below, under the licences\n" +
		"that follow. This file is made from go.mod's modules and the scripts of the live page by: go run ./internal/notices/write\n")
	text, err := os.ReadFile(filepath.Join(goroot, "LICENSE"))
	if err != nil {
		return "", fmt.Errorf("the licence of Go's library: %w: use a toolchain that has it", err)
	}
	section(&b, "The Go standard library", "LICENSE", text)
	for _, m := range modules {
		files, err := m.licences()
		if err != nil {
			return "", err
		}
		for _, name := range files {
			text, err := os.ReadFile(filepath.Join(m.Dir, name))
			if err != nil {
				return "", err
			}
			section(&b, m.Path+" "+m.Version, name, text)
		}
	}
	if err := scripts(&b, filepath.Join(root, embedded)); err != nil {
		return "", err
	}
	return b.String(), nil
}

// scripts writes the licences of what is embedded: each folder has one.
func scripts(b *bytes.Buffer, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name(), "LICENSE"))
		if err != nil {
			return fmt.Errorf("%s has no licence file: find out under which terms it comes: %w", e.Name(), err)
		}
		name, version, _ := strings.Cut(e.Name(), "-")
		section(b, name+" "+version+" (of the live page)", "LICENSE", text)
	}
	return nil
}

// section writes a licence below its heading.
func section(b *bytes.Buffer, of, name string, text []byte) {
	rule := strings.Repeat("=", 100)
	text = bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\r\n"), []byte("\n"))
	fmt.Fprintf(b, "\n%s\n%s: %s\n%s\n\n%s\n", rule, of, filepath.ToSlash(name), rule, text)
}

// linked are the modules that the program is linked from, by path, and where Go is.
func linked(root string) (all []*module, goroot string, err error) {
	by := map[string]*module{}
	for _, p := range platforms {
		system, arch, _ := strings.Cut(p, "/")
		c := exec.Command("go", "list", "-deps", "-json=Dir,Module,Root", "./cmd/lbmib")
		c.Dir, c.Env = root, append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			return nil, "", fmt.Errorf("go list for %s: %w", p, err)
		}
		for d := json.NewDecoder(bytes.NewReader(out)); ; {
			var of struct {
				Dir, Root string
				Module    *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&of); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, "", err
			}
			switch m := of.Module; {
			case m == nil:
				goroot = of.Root // of a package of the library
			case m.Main:
			default:
				if by[m.Path] == nil {
					by[m.Path] = &module{Path: m.Path, Version: m.Version, Dir: m.Dir}
					all = append(all, by[m.Path])
				}
				by[m.Path].packages = append(by[m.Path].packages, of.Dir)
			}
		}
	}
	slices.SortFunc(all, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	if goroot == "" {
		return nil, "", errors.New("go list tells no folder of Go's library: use a toolchain that has it")
	}
	return all, goroot, nil
}

// licences are the licence files of a module beside its packages that are linked, and in the folders above them, below its own.
func (m *module) licences() (files []string, err error) {
	if files := chosen[m.Path]; files != nil {
		return files, nil
	}
	folders := []string{m.Dir}
	third := filepath.Join(m.Dir, "THIRD_PARTY_LICENSES") // of code that it took over
	if info, err := os.Stat(third); err == nil && info.IsDir() {
		folders = append(folders, third)
	}
	for _, dir := range m.packages {
		for ; len(dir) > len(m.Dir); dir = filepath.Dir(dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if upper := strings.ToUpper(e.Name()); e.Type().IsRegular() && filepath.Ext(upper) != ".GO" && (dir == third || slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(upper, n) })) {
				name, err := filepath.Rel(m.Dir, filepath.Join(dir, e.Name()))
				if err != nil {
					return nil, err
				}
				files = append(files, name)
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s %s has no licence file in %s: find out under which terms it comes", m.Path, m.Version, m.Dir)
	}
	return files, nil
}
