package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// page is a document, read and parsed.
type page struct {
	entry
	group  string
	title  string // its first heading
	source []byte
	root   ast.Node
	heads  []head
	ids    map[string]bool // anchors that it has
}

// head is a heading of a page.
type head struct {
	level    int
	id, text string
}

// site is all pages, and the files beside them.
type site struct {
	tree  string // the root of the tree
	pages []*page
	files map[string]string // a file of the tree by its file of the site
}

// build reads the documents of the tree, and all that they link to.
func build(tree string) (*site, error) {
	s := &site{tree: tree, files: map[string]string{}}
	for _, g := range navigation {
		for _, e := range g.entries {
			if err := s.add(g.title, e); err != nil {
				return nil, err
			}
		}
	}
	for i := 0; i < len(s.pages); i++ { // which grows
		if err := s.follow(s.pages[i]); err != nil {
			return nil, err
		}
	}
	for _, p := range s.pages {
		if err := s.relink(p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add reads a page.
func (s *site) add(group string, e entry) error {
	text := []byte(nil)
	if e.from == "" {
		text = reference()
	} else {
		var err error
		if text, err = os.ReadFile(filepath.Join(s.tree, e.from)); err != nil {
			return err
		}
	}
	if len(e.sections) > 0 {
		var err error
		if text, err = cut(text, e.title, e.sections); err != nil {
			return fmt.Errorf("%s: %w", e.from, err)
		}
	}
	if e.to == "" {
		e.to = strings.TrimSuffix(e.from, ".md") + ".html"
	}
	p := &page{entry: e, group: group, source: text}
	p.parse()
	if p.title == "" && group != measured {
		return fmt.Errorf("%s has no heading: begin it with # Title", e.from)
	}
	if p.title == "" { // tables that a program made
		p.title = strings.TrimSuffix(e.from, ".md")
	}
	if p.entry.title == "" {
		p.entry.title = p.title
	}
	s.pages = append(s.pages, p)
	return nil
}

// cut makes a document of sections of another.
func cut(text []byte, title string, sections []string) ([]byte, error) {
	out := []byte("# " + title + "\n\n")
	for _, name := range sections {
		begin := bytes.Index(text, []byte("\n## "+name+"\n"))
		if begin < 0 {
			return nil, fmt.Errorf("has no section %q: correct docs/site/pages.go", name)
		}
		section := text[begin+1:]
		if end := bytes.Index(section, []byte("\n## ")); end >= 0 {
			section = section[:end+1]
		}
		if len(sections) == 1 { // its heading is the title
			section = section[bytes.IndexByte(section, '\n'):]
		}
		out = append(append(out, section...), '\n')
	}
	return out, nil
}

var elsewhere = regexp.MustCompile(`^[a-z]+:`)

// follow adds the documents to which a page links, as pages of the group measured.
func (s *site) follow(p *page) error {
	return p.links(func(to []byte) ([]byte, error) {
		file, _, local := s.target(p, string(to))
		if !local || !strings.HasSuffix(file, ".md") || s.pageOf(file) != nil {
			return to, nil
		}
		return to, s.add(measured, entry{from: file})
	})
}

// target is the file of the tree that a link of a page leads to, and its anchor; local is false of the web's.
func (s *site) target(p *page, to string) (file, anchor string, local bool) {
	if elsewhere.MatchString(to) {
		return "", "", false
	}
	to, anchor, _ = strings.Cut(to, "#")
	if to == "" {
		return p.from, anchor, true
	}
	file = path.Join(path.Dir(p.from), to)
	if p.from == "" { // the reference lies beside the case file's document
		file = path.Join("docs", to)
	}
	if info, err := os.Stat(filepath.Join(s.tree, file)); err == nil && info.IsDir() {
		file = path.Join(file, "README.md")
	}
	return file, anchor, true
}

// pageOf is the page of a whole document of the tree, nil where there is none.
func (s *site) pageOf(file string) *page {
	i := slices.IndexFunc(s.pages, func(p *page) bool { return p.from == file && len(p.sections) == 0 })
	if i < 0 {
		return nil
	}
	return s.pages[i]
}

// relink turns the links of a page into those of the site.
func (s *site) relink(p *page) error {
	return p.links(func(to []byte) ([]byte, error) {
		file, anchor, local := s.target(p, string(to))
		if !local {
			return to, nil
		}
		if anchor != "" {
			anchor = "#" + anchor
		}
		if string(to) == anchor {
			return to, nil
		}
		if to := s.pageOf(file); to != nil {
			return []byte(away(p.to, to.to) + anchor), nil
		}
		if _, err := os.Stat(filepath.Join(s.tree, file)); err != nil {
			return nil, fmt.Errorf("%s links to %s, which is not there", p.from, to)
		}
		copied := "files/" + file
		if !slices.Contains([]string{".png", ".svg", ".ipynb", ".stl"}, path.Ext(file)) {
			copied += ".txt" // a browser shows it, whatever it holds
		}
		s.files[copied] = file
		return []byte(away(p.to, copied)), nil
	})
}

// away is the way from a file of the site to another.
func away(from, to string) string {
	rel, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		panic(err) // both are relative
	}
	return filepath.ToSlash(rel)
}
