// Package templates holds starter cases: whole case files with a comment at every
// key, to begin one's own from.
package templates

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed *.toml *.stl
var files embed.FS

// order is that of the list: from the simplest on, 2D first.
var order = []string{
	"cylinder", "dfg", "channel", "pulsatile", "cavity", "array", "airfoil", "oscillating-cylinder", "vortex-induced-vibration", "flapping", "flag", "tethered", "shear-ellipse",
	"sphere", "settling-sphere", "capsule", "pipe", "stl", "taylor-green",
}

// attached are files that templates refer to.
var attached = map[string][]string{"stl": {"gem.stl"}}

// Template is a starter case.
type Template struct {
	Name  string
	About string // one line: what it shows
	Text  []byte
	Files map[string][]byte // that the case refers to, by their names beside it
}

// All are the templates, in the order of the list.
func All() (all []Template) {
	for _, name := range order {
		t := Template{Name: name, Text: read(name + ".toml"), Files: map[string][]byte{}}
		first, _, _ := strings.Cut(string(t.Text), "\n")
		t.About = strings.TrimPrefix(first, "# ")
		for _, f := range attached[name] {
			t.Files[f] = read(f)
		}
		all = append(all, t)
	}
	return all
}

// Find is the template of a name.
func Find(name string) (t Template, ok bool) {
	all := All()
	i := slices.IndexFunc(all, func(t Template) bool { return t.Name == name })
	if i < 0 {
		return Template{}, false
	}
	return all[i], true
}

// read is an embedded file; the tests hold order and attached against the folder.
func read(name string) []byte {
	text, err := files.ReadFile(path.Clean(name))
	if err != nil {
		panic("templates: " + err.Error())
	}
	return text
}
