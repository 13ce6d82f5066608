package main

import (
	"bytes"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// result is the site of the tree, written once for all tests.
type result struct {
	site  *site
	dir   string
	texts map[string]string // HTML by the file's name
	err   error
}

var once = sync.OnceValue(func() (r result) {
	if r.site, r.err = build("../.."); r.err != nil {
		return r
	}
	if r.dir, r.err = os.MkdirTemp("", "lbmib-site-"); r.err != nil {
		return r
	}
	if _, r.err = r.site.write(r.dir); r.err != nil {
		return r
	}
	r.texts = map[string]string{}
	for _, p := range r.site.pages {
		text, err := os.ReadFile(filepath.Join(r.dir, p.to))
		if err != nil {
			r.err = err
			return r
		}
		r.texts[p.to] = string(text)
	}
	return r
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(once().dir)
	os.Exit(code)
}

// made is the site, its directory, and its HTML files by name.
func made(t *testing.T) (*site, string, map[string]string) {
	t.Helper()
	r := once()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r.site, r.dir, r.texts
}

var (
	href = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	id   = regexp.MustCompile(`\sid="([^"]*)"`)
)

// Every link leads to a file of the site, and where it has an anchor to one that is there; nothing is loaded from elsewhere;
// every page is in the navigation of every page.
func TestLinksOfTheSiteResolve(t *testing.T) {
	s, dir, texts := made(t)
	anchors := map[string]map[string]bool{}
	for name, text := range texts {
		anchors[name] = map[string]bool{}
		for _, m := range id.FindAllStringSubmatch(text, -1) {
			if anchors[name][m[1]] {
				t.Errorf("%s has the anchor %s twice", name, m[1])
			}
			anchors[name][m[1]] = true
		}
	}
	links := 0
	for name, text := range texts {
		if strings.Contains(text, `src="http`) || strings.Contains(text, `rel="stylesheet" href="http`) {
			t.Errorf("%s loads something from elsewhere", name)
		}
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			if elsewhere.MatchString(m[1]) {
				continue
			}
			links++
			to, anchor, _ := strings.Cut(m[1], "#")
			file := path.Join(path.Dir(name), to)
			if to == "" {
				file = name
			}
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if a, is := anchors[file]; anchor != "" && is {
				if anchor, err := url.PathUnescape(anchor); err == nil && a[anchor] {
					continue
				}
				t.Errorf("%s links to %s: that page has no such anchor", name, m[1])
			}
		}
		nav := text[strings.Index(text, "<nav"):strings.Index(text, "</nav>")]
		for _, p := range s.pages {
			if !strings.Contains(nav, `href="`+away(name, p.to)+`"`) {
				t.Errorf("the navigation of %s has no %s", name, p.to)
			}
		}
	}
	if links < 2000 {
		t.Errorf("%d links were found: this test looks at the wrong thing", links)
	}
}

// Each of these is a page with something in it.
func TestTheSiteHasItsPages(t *testing.T) {
	s, _, texts := made(t)
	for _, want := range []string{"index", "getting-started", "faq", "gallery", "tutorials/cylinder", "own-part", "tutorials/free-bodies", "tutorials/cells", "tutorials/vessel",
		"tutorials/sweep", "tutorials/gpu", "tutorials/cluster", "case-file", "keys", "method", "validation/index", "performance", "extending", "page", "python"} {
		if text := texts[want+".html"]; len(text) < 4000 {
			t.Errorf("%s.html has %d bytes, want a page", want, len(text))
		}
	}
	if i := slices.IndexFunc(s.pages, func(p *page) bool { return p.to == "keys.html" }); len(s.pages[i].heads) < 40 {
		t.Errorf("the reference has %d tables", len(s.pages[i].heads))
	}
	if !strings.Contains(texts["keys.html"], "reynolds") || !strings.Contains(texts["keys.html"], "viscosity_ratio") {
		t.Error("the reference has no keys")
	}
}

// The reference is the same each time that it is made.
func TestTheReferenceIsTheSameAgain(t *testing.T) {
	if first := reference(); !bytes.Equal(first, reference()) {
		t.Error("the tables of keys differ from one making to the next")
	}
}

// A directory that holds something else is left alone.
func TestTheSiteOverwritesNothingElse(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("a"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (&site{}).write(dir); err == nil {
		t.Error("a site is written between files of others")
	}
}

// Files of an earlier site that this one has no longer are removed; those of others, those that somebody has changed, and all outside are not.
func TestASiteHasNoFilesOfAnEarlierOne(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "site")
	at := func(name string) string { return filepath.Join(dir, name) }
	tree := t.TempDir()
	for _, name := range []string{"a.png", "b.png", "c.png"} {
		if err := os.WriteFile(filepath.Join(tree, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write := func(files map[string]string, want ...string) {
		t.Helper()
		if left, err := (&site{tree: tree, files: files}).write(dir); err != nil || !slices.Equal(left, want) {
			t.Fatalf("left %q, %v, want %q", left, err, want)
		}
	}
	write(map[string]string{"old/a.png": "a.png", "b.png": "b.png", "c.png": "c.png"})
	list, err := os.ReadFile(at(filesList))
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, sum([]byte("theirs"))+"  ../theirs.txt\n"...) // nothing that this program writes
	for name, text := range map[string]string{at("notes.txt"): "mine", at("b.png"): "drawn anew", filepath.Join(outside, "theirs.txt"): "theirs", at(filesList): string(list)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(map[string]string{"c.png": "c.png"}, "../theirs.txt", "b.png")
	if _, err := os.Stat(at("old/a.png")); err == nil {
		t.Error("a file of the earlier site is there")
	}
	for _, name := range []string{at("notes.txt"), at("b.png"), at("c.png"), at("style.css"), filepath.Join(outside, "theirs.txt")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	write(map[string]string{"c.png": "c.png"}) // what was left is not of this site
}
