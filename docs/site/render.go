package main

import (
	"bytes"
	_ "embed" // of the page's frame
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var (
	//go:embed style.css
	style []byte
	//go:embed site.js
	script []byte
	//go:embed page.html
	frameText string

	frame = template.Must(template.New("page").Parse(frameText))

	markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(code{}, 100))))
)

// anchors gives headings the names that GitHub gives them, by which documents link to them.
type anchors struct{ taken map[string]int }

func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	var b strings.Builder
	for _, c := range strings.ToLower(string(bytes.TrimSpace(value))) {
		switch {
		case c == ' ':
			b.WriteByte('-')
		case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsNumber(c):
			b.WriteRune(c)
		}
	}
	id := b.String()
	n := a.taken[id]
	if a.taken[id]++; n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

func (a *anchors) Put(value []byte) { a.taken[string(value)]++ }

// parse reads the source: headings, title, anchors.
func (p *page) parse() {
	p.root = markdown.Parser().Parse(text.NewReader(p.source), parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{map[string]int{}}))))
	p.ids = map[string]bool{}
	for n := p.root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		id, _ := h.AttributeString("id")
		name := string(id.([]byte))
		p.ids[name] = true
		if h.Level == 1 && p.title == "" {
			p.title = plain(h, p.source)
			continue
		}
		p.heads = append(p.heads, head{h.Level, name, plain(h, p.source)})
	}
}

// plain is the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch of := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(util.UnescapePunctuations(of.Segment.Value(source)))
				if of.SoftLineBreak() || of.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(of.Value)
			}
		case *ast.HTMLBlock, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		default:
			if n.Type() == ast.TypeBlock && !entering {
				b.WriteByte(' ')
			}
			if entering && (n.Kind() == ast.KindFencedCodeBlock || n.Kind() == ast.KindCodeBlock) {
				b.Write(n.Lines().Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// links calls f with the target of each link and picture, and puts what it returns in place of it.
func (p *page) links(f func(to []byte) ([]byte, error)) error {
	return ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var err error
		if entering {
			switch of := n.(type) {
			case *ast.Link:
				of.Destination, err = f(of.Destination)
			case *ast.Image:
				of.Destination, err = f(of.Destination)
			}
		}
		return ast.WalkContinue, err
	})
}

// code renders blocks of code with their comments set off, tables in a frame that scrolls, and no comments of the source.
type code struct{}

func (code) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			of := n.(*ast.FencedCodeBlock)
			language := string(of.Language(source))
			if mark, ok := n.PreviousSibling().(*ast.HTMLBlock); ok && strings.Contains(string(mark.Lines().Value(source)), "said by:") {
				language += " said" // a message, which may be broken into lines
			}
			fmt.Fprintf(w, "<pre class=%q><code>%s</code></pre>\n", "code "+language, coloured(string(of.Lines().Value(source)), string(of.Language(source))))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil // marks for the tests
	})
}

// coloured is code as HTML, comments and keys set off.
func coloured(text, language string) string {
	switch language {
	case "toml", "sh", "python":
	default:
		return html.EscapeString(text)
	}
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		at := comment(line)
		before, after := line[:at], strings.TrimSuffix(line[at:], "\n")
		if trimmed := strings.TrimSpace(before); language == "toml" && strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") && after == "" {
			fmt.Fprintf(&b, "<b>%s</b>", html.EscapeString(before))
			continue
		}
		b.WriteString(html.EscapeString(before))
		if after != "" {
			fmt.Fprintf(&b, "<i>%s</i>\n", html.EscapeString(after))
		}
	}
	return b.String()
}

// comment is where a line's comment begins, its length where it has none.
func comment(line string) int {
	quote := rune(0)
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#' && (i == 0 || line[i-1] == ' '):
			return i
		}
	}
	return len(line)
}

// html is a page in its frame.
func (s *site) html(p *page) ([]byte, error) {
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, p.source, p.root); err != nil {
		return nil, err
	}
	type link struct {
		Title, To string
		Here      bool
		Level     int
	}
	type part struct {
		Title string
		Open  bool
		Links []link
	}
	var parts []part
	var around [2]link // before and after
	for i, q := range s.pages {
		n := len(parts) - 1
		if n < 0 || parts[n].Title != q.group {
			parts = append(parts, part{Title: q.group, Open: q.group != measured})
			n++
		}
		parts[n].Links = append(parts[n].Links, link{Title: q.entry.title, To: away(p.to, q.to), Here: q == p})
		parts[n].Open = parts[n].Open || q == p
		if q == p && i > 0 {
			around[0] = link{Title: s.pages[i-1].entry.title, To: away(p.to, s.pages[i-1].to)}
		}
		if q == p && i+1 < len(s.pages) {
			around[1] = link{Title: s.pages[i+1].entry.title, To: away(p.to, s.pages[i+1].to)}
		}
	}
	var contents []link
	for _, h := range p.heads {
		if h.level <= 3 {
			contents = append(contents, link{Title: h.text, To: "#" + h.id, Level: h.level})
		}
	}
	rendered := strings.NewReplacer("<table>", `<div class="wide"><table>`, "</table>", "</table></div>").Replace(body.String())
	var out bytes.Buffer
	err := frame.Execute(&out, map[string]any{
		"Title": p.title, "Root": away(p.to, "."), "Parts": parts, "Contents": contents, "Body": template.HTML(rendered), //nolint:gosec // of this tree's documents
		"Before": around[0], "After": around[1], "Home": p.to == "index.html",
	})
	return out.Bytes(), err
}

// index is the script that the search box looks into: each section of each page with its text.
func (s *site) index() ([]byte, error) {
	type section struct {
		P string `json:"p"` // title of the page
		H string `json:"h"` // heading; empty: its beginning
		U string `json:"u"` // address
		T string `json:"t"` // text
	}
	var all []section
	for _, p := range s.pages {
		if p.group == measured {
			continue // tables of numbers
		}
		now := section{P: p.title, U: p.to}
		for n := p.root.FirstChild(); n != nil; n = n.NextSibling() {
			if h, ok := n.(*ast.Heading); ok && h.Level > 1 {
				all = append(all, now)
				id, _ := h.AttributeString("id")
				now = section{P: p.title, H: plain(h, p.source), U: p.to + "#" + string(id.([]byte))}
				continue
			}
			now.T += plain(n, p.source) + " "
		}
		all = append(all, now)
	}
	text, err := json.Marshal(all)
	return append(append([]byte("const pages = "), text...), ";\n"...), err
}
