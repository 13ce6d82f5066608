package suite

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// section is a group in a report.
type section struct {
	Name, Title, About string
	Rows               []Row
	Pictures           []picture
}

type picture struct {
	File, Title string
	png         []byte
}

// WriteReport writes report.md, report.json, report.html and the pictures of the
// groups that were run into a directory. The page holds its pictures itself.
func WriteReport(dir string, d *Document, plans []Plan, o Options) error {
	if err := durable.MakeDir(dir); err != nil {
		return err
	}
	held, err := durable.Hold(dir)
	if err != nil {
		return err
	}
	defer held.Release()
	var all []section
	for _, p := range plans {
		s, err := p.section(dir, d, o)
		if err != nil {
			return err
		}
		if len(s.Rows) > 0 {
			all = append(all, s)
		}
	}
	if err := durable.WriteJSON(filepath.Join(dir, "report.json"), d); err != nil {
		return err
	}
	if err := writeText(filepath.Join(dir, "report.md"), markdown(d, all)); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page.Execute(&b, map[string]any{"Document": d, "Sections": all}); err != nil {
		return err
	}
	return writeText(filepath.Join(dir, "report.html"), b.String())
}

func writeText(path, text string) error {
	return durable.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}

// section draws a group's figures from its kept runs.
func (p *Plan) section(dir string, d *Document, o Options) (section, error) {
	s := section{Name: p.Name, Title: p.Title, About: p.About}
	for _, r := range d.Cases {
		if r.Name == p.Name {
			s.Rows = append(s.Rows, r)
		}
	}
	r := p.kept(o)
	for _, f := range p.Figures {
		name, err := f.draw(dir, p.Name, r)
		if err != nil {
			return s, err
		}
		if name == "" {
			continue
		}
		png, err := regular.ReadFile(filepath.Join(dir, name), regular.Most)
		if err != nil {
			return s, err
		}
		s.Pictures = append(s.Pictures, picture{name, f.Title, png})
	}
	return s, nil
}

// kept are the runs of a plan that have finished.
func (p *Plan) kept(o Options) *Results {
	r := &Results{runs: map[string]*finished{}}
	for _, run := range p.Runs {
		c, err := load(run, o.Out)
		if err != nil {
			continue
		}
		dir := filepath.Join(o.Out, p.Name, run.Name)
		if version, kept := keptRun(dir, c); !kept || version != o.Version && !o.Kept {
			continue
		}
		if f, err := readFinished(dir, c); err == nil {
			r.runs[run.Name] = f
		}
	}
	return r
}

// markdown is report.md.
func markdown(d *Document, sections []section) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Validation: the %s suite\n\n%d passed, %d failed.\n\n", d.Suite, d.Passed, d.Failed)
	fmt.Fprintf(&b, "| | |\n|---|---|\n| program | lbmib %s |\n| machine | %s, %d threads |\n| date | %s |\n", d.Version, d.Device, d.Threads, d.Date)
	if d.Versions == "" { // else it is that of the evaluation
		fmt.Fprintf(&b, "| wall time | %.0f s |\n", d.Wall)
	} else {
		fmt.Fprintf(&b, "\nEvaluated from kept runs of lbmib %s.\n", d.Versions)
	}
	b.WriteString("\nA value passes between low and high. Confidence in a reference: A seen in sources and cross-checked, B seen once or read from a figure, C recalled, D of doubtful memory, whose value is reported only, V exact or computed for this project. To repeat it: `lbmib validate --report DIR`.\n")
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n\n", s.Name, s.Title, s.About)
		b.WriteString("| quantity | value | reference | deviation | low | high | | source | bound |\n|---|---|---|---|---|---|---|---|---|\n")
		for _, r := range s.Rows {
			verdict := r.verdict()
			if !r.Pass {
				verdict = "**FAIL**"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s (%s) | %s |\n", escape(r.Quantity), r.value(), digits(r.Reference), r.deviation(),
				bound(r.Low), bound(r.High), verdict, escape(r.Source), r.Confidence, escape(r.Tolerance))
		}
		for _, r := range s.Rows {
			if r.Note != "" {
				fmt.Fprintf(&b, "\n- %s: %s\n", r.Quantity, r.Note)
			}
		}
		for _, p := range s.Pictures {
			fmt.Fprintf(&b, "\n![%s](%s)\n", p.Title, p.File)
		}
	}
	return b.String()
}

// escape keeps bars out of a table's cells.
func escape(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

//go:embed report.html
var pageText string

// page is report.html: tables with a gauge per row, and pictures as data.
var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"inline": func(p picture) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(p.png))
	},
	"value":     func(r Row) string { return r.value() },
	"deviation": func(r Row) string { return r.deviation() },
	"digits":    digits,
	"bound":     bound,
	"verdict":   func(r Row) string { return r.verdict() },
	"mark":      gauge,
	"total":     func(d *Document) string { return d.total() },
}).Parse(pageText))

// gauge is where a value lies on a scale from 0 to 100 on which the gate reaches
// from 25 to 75; what is beyond the scale stands at its end.
func gauge(r Row) float64 {
	v := float64(r.Value)
	if math.IsNaN(v) || !(r.High > r.Low) {
		return -10 // not shown
	}
	return math.Round(10*math.Max(0, math.Min(100, 25+50*(v-float64(r.Low))/float64(r.High-r.Low)))) / 10
}
