// Package importgraph reads which package of this module imports which, and draws it: the
// picture of docs/architecture.md is made of the code's own imports.
package importgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// Package is what go list tells of a package.
type Package struct {
	ImportPath, Name string
	Imports          []string
	Module           *struct{ Path string }
}

// Load lists the packages of the module in dir and all that they import, by go list. Files that
// only tests have do not count.
func Load(dir string) (all []Package, err error) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Name,Imports,Module", "./...")
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, stderr.String())
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p Package
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list in %s: %w", dir, err)
		}
		all = append(all, p)
	}
}

// Graph is who imports whom, of packages by their paths below the module.
type Graph map[string][]string

// Fold makes a graph of the packages of a module. name says as which node a package is drawn, empty: not
// at all. What nodes import of themselves is left out, and so is what they reach by another node that
// they import.
func Fold(all []Package, module string, name func(path string) string) (Graph, error) {
	g := Graph{}
	for _, p := range all {
		path, ours := strings.CutPrefix(p.ImportPath, module+"/")
		of := ""
		if ours {
			of = name(path)
		}
		if of == "" {
			continue
		}
		to := g[of]
		for _, imported := range p.Imports {
			q, ours := strings.CutPrefix(imported, module+"/")
			if !ours {
				continue
			}
			if n := name(q); n != "" && n != of && !slices.Contains(to, n) {
				to = append(to, n)
			}
		}
		g[of] = to
	}
	if _, err := g.ranks(); err != nil {
		return nil, err
	}
	return g.reduced(), nil
}

// names are the nodes in the order of the alphabet.
func (g Graph) names() (all []string) {
	for n := range g {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// ranks is how many imports the longest way down from each node has.
func (g Graph) ranks() (map[string]int, error) {
	const onTheWay = -1
	rank := map[string]int{}
	var visit func(n string) error
	visit = func(n string) error {
		if r, seen := rank[n]; seen {
			if r == onTheWay {
				return fmt.Errorf("%s imports itself by way of others: draw them as one node, or as more", n)
			}
			return nil
		}
		rank[n] = onTheWay
		highest := 0
		for _, m := range g[n] {
			if err := visit(m); err != nil {
				return err
			}
			highest = max(highest, rank[m]+1)
		}
		rank[n] = highest
		return nil
	}
	for _, n := range g.names() {
		if err := visit(n); err != nil {
			return nil, err
		}
	}
	return rank, nil
}

// reduced is the graph without the arrows that another way replaces.
func (g Graph) reduced() Graph {
	below := map[string]map[string]bool{}
	var reach func(n string) map[string]bool
	reach = func(n string) map[string]bool {
		if r, ok := below[n]; ok {
			return r
		}
		r := map[string]bool{}
		for _, m := range g[n] {
			r[m] = true
			for k := range reach(m) {
				r[k] = true
			}
		}
		below[n] = r
		return r
	}
	out := Graph{}
	for n, to := range g {
		var kept []string
		for _, m := range to {
			if !slices.ContainsFunc(to, func(k string) bool { return k != m && reach(k)[m] }) {
				kept = append(kept, m)
			}
		}
		slices.Sort(kept)
		out[n] = kept
	}
	return out
}
