package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/cases/templates"
	"lbmib/internal/durable"
	"lbmib/run/check"
	"lbmib/run/exit"
)

type newCommand struct {
	Template string `arg:"" optional:"" name:"TEMPLATE" help:"The template; --list names them."`
	File     string `arg:"" optional:"" name:"FILE" help:"The case file to write (default: TEMPLATE.toml in the working directory)."`
	Case     string `arg:"" optional:"" name:"CASE" help:"Of a tunnel, whose FILE is the part's surface: the case file to write (default: the part's name with .toml, in the working directory)."`
	List     bool   `help:"List the templates."`

	Speed string  `help:"Of a tunnel: the stream, along +x." placeholder:"'10 m/s'"`
	Fluid string  `help:"Of a tunnel: air or water, at 20 °C." placeholder:"NAME"`
	Unit  string  `help:"Of a tunnel: the unit of the STL file (default: 1 mm)." placeholder:"'1 mm'"`
	Nodes float64 `help:"Of a tunnel: nodes along the part (default: 32)." placeholder:"N"`
	Full  bool    `name:"full-reynolds" help:"Of a tunnel: at the Reynolds number of the speed, as a large-eddy simulation, where the nodes resolve less."`
}

func (newCommand) examples() []string {
	return []string{
		"lbmib new --list",
		"lbmib new cylinder",
		"lbmib new settling-sphere ball.toml",
		"lbmib new stl && lbmib new tunnel gem.stl --speed '10 m/s' --fluid air",
	}
}

// Run writes a starter case, never over a file that is there.
func (n *newCommand) Run(s *surroundings) error {
	if n.List || n.Template == "" {
		if _, err := fmt.Fprint(s.stdout, templateList()); err != nil {
			return &exit.Error{Code: exit.InputOutput, Err: err}
		}
		if n.List {
			return nil
		}
		return usage("which template? Choose one of the list: lbmib new TEMPLATE [FILE]")
	}
	if n.Template == tunnelName {
		return n.tunnel(s)
	}
	t, ok := templates.Find(n.Template)
	switch {
	case !ok:
		return usage("there is no template %q: choose one of %s, %s", n.Template, strings.Join(templateNames(), ", "), tunnelName)
	case n.Case != "" || n.Speed != "" || n.Fluid != "" || n.Unit != "" || n.Nodes != 0 || n.Full:
		return usage("--speed, --fluid, --unit, --nodes, --full-reynolds and a third name are for lbmib new tunnel, %s has what it takes in its file: leave them out", n.Template)
	}
	path := n.File
	if path == "" {
		path = t.Name + ".toml"
	}
	contents := map[string][]byte{path: t.Text}
	for name, text := range t.Files {
		beside := filepath.Join(filepath.Dir(path), name)
		switch there, err := os.ReadFile(beside); {
		case err == nil && bytes.Equal(there, text): // of an earlier case: it serves this one, too
		case err == nil:
			return usage("%s, which the case of this template is for, is there already with other contents, and is not overwritten: give a FILE in another folder, for instance %s, or move it away", beside, filepath.Join("new", filepath.Base(path)))
		default:
			contents[beside] = text
		}
	}
	written, err := writeNew(contents)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s written: %s\nlook at it, then: lbmib check %s, lbmib run %s\n", strings.Join(written, " and "), t.About, shellQuoted(path), shellQuoted(path))
	return nil
}

// templateList is what --list prints: names in one column, what they are of in another, on lines of the page.
func templateList() string {
	width := len(tunnelName)
	for _, t := range templates.All() {
		width = max(width, len(t.Name))
	}
	var b strings.Builder
	row := func(name, about string) {
		for i, line := range check.Wrap(about, check.PageWidth-width-2) {
			if i > 0 {
				name = ""
			}
			fmt.Fprintf(&b, "%-*s  %s\n", width, name, line)
		}
	}
	for _, t := range templates.All() {
		row(t.Name, t.About)
	}
	row(tunnelName, "One's own part from an STL file in air or water: lbmib new tunnel part.stl --speed '10 m/s' --fluid air")
	return b.String()
}

func templateNames() (names []string) {
	for _, t := range templates.All() {
		names = append(names, t.Name)
	}
	return names
}

// writeNew writes files of which none may be there; if one is, nothing is written.
func writeNew(contents map[string][]byte) (written []string, err error) {
	paths := slices.Sorted(maps.Keys(contents))
	for _, path := range paths {
		switch _, err := os.Lstat(path); {
		case err == nil:
			return nil, usage("%s is there already and is not overwritten: give another FILE, or move it away", path)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("%s cannot be written: %w: choose another FILE", path, durable.Cause(err))}
		}
	}
	for _, path := range paths {
		if err := create(path, contents[path]); err != nil {
			return written, &exit.Error{Code: exit.InputOutput, Err: fmt.Errorf("%s cannot be written: %w: choose another FILE, in a folder that exists", path, durable.Cause(err))}
		}
		written = append(written, path)
	}
	return written, nil
}

// create makes a file that is not there, also where one appears meanwhile.
func create(path string, text []byte) error {
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(path) // half of it helps nobody
	}
	return err
}

// usage is an error of how a command was called.
func usage(format string, args ...any) error {
	return &exit.Error{Code: exit.BadCase, Err: fmt.Errorf(format, args...)}
}
