package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"lbmib/internal/durable"
)

// pageText is the page; what it shows is in type page.
//
//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what report.html shows.
type page struct {
	Title, Case, Subtitle string
	Status, StatusKind    string // for people, and good, fair or bad
	Warnings              []string
	Cautions              []string // with their verdicts
	Message               string   // why the run ended, where it is not done
	Facts                 []fact   // at a glance
	Setup                 []fact   // what was computed
	Scales                []scale
	Results               *results
	Samples               []sampleRow
	Suspension            []fact
	Cells                 []cellRow
	MoreCells             int
	Pictures              []picture
	Time                  []share
	TimeNote              string
	Commands              []string
	Provenance            []fact
	Resolved              string // the case with every default
}

// fact is a number or a word and what it is.
type fact struct{ Name, Value, Note string }

// Write makes report.html of a run directory, from its manifest, summary and
// pictures, and returns its path. The page needs no other file. It stands whole at
// its path, or the one before it does.
func Write(dir string) (path string, err error) {
	d, err := Open(dir)
	if err != nil {
		return "", err
	}
	p, err := d.page()
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, p); err != nil {
		return "", fmt.Errorf("%s: the report cannot be made: %w", dir, err)
	}
	path = d.file("report.html")
	return path, durable.Write(path, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}

// OfRun is Write for a run that has just ended.
func OfRun(dir string) error {
	_, err := Write(dir)
	return err
}

// page gathers everything.
func (d *Directory) page() (*page, error) {
	m := &d.Manifest
	p := &page{
		Title: d.title(), Case: m.File, Subtitle: d.subtitle(),
		Facts: d.facts(), Setup: d.setup(), Scales: d.scales(), Results: d.results(), Samples: d.samples(), Time: d.time(),
		Commands: d.commands(), Provenance: d.provenance(), Resolved: d.resolved(),
	}
	p.Suspension = d.suspended()
	p.Cells, p.MoreCells = d.cells()
	p.Status, p.StatusKind = d.status()
	p.Message = m.Error
	if p.Message == "" && d.Summary != nil {
		p.Message = d.Summary.Reason
	}
	p.TimeNote, p.Warnings = d.timeNote(), m.Warnings
	if d.Summary != nil {
		p.Cautions = slices.DeleteFunc(slices.Clone(d.Summary.Cautions), func(c string) bool {
			_, text, _ := strings.Cut(c, ": ")
			return slices.Contains(p.Warnings, text) // told as a warning
		})
	}
	var err error
	p.Pictures, err = d.pictures()
	return p, err
}
