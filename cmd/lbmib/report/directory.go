package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
	"lbmib/run/setup"
)

// Directory is a run directory, and what its manifest and summary say.
type Directory struct {
	Path string
	Record

	set   *setup.Problem // the case, set up; nil: not asked for, or not to be known
	asked bool
}

// Record is what a run tells of itself.
type Record struct {
	Manifest Manifest
	Summary  *Summary // nil before the run has ended
}

// Manifest is what is used of manifest.json.
type Manifest struct {
	Case      Case     `json:"case"`
	File      string   `json:"case_file"`
	Hash      string   `json:"case_sha256"`
	Version   string   `json:"version"`
	Go        string   `json:"go"`
	Platform  string   `json:"platform"`
	Backend   string   `json:"backend"`
	Device    string   `json:"device"`
	Threads   int      `json:"threads"`
	Precision string   `json:"precision"`
	Kernel    string   `json:"kernel"`
	Streaming string   `json:"streaming"`
	Layout    string   `json:"layout"`
	Spread    string   `json:"spread"`
	Nodes     int      `json:"nodes"`
	Markers   int      `json:"markers"`
	Seed      int64    `json:"seed"`
	Start     string   `json:"start"`
	End       string   `json:"end"`
	Status    string   `json:"status"`
	Arguments []string `json:"arguments"`
	Grids     string   `json:"refine_auto"` // that --refine auto took
	Error     string   `json:"error"`
	Warnings  []string `json:"warnings"` // about outputs of earlier parts of the run

	Files json.RawMessage `json:"files"` // that the case refers to, with their hashes
	raw   json.RawMessage // the case
}

// Case is what is used of the resolved case.
type Case struct {
	Title     string             `json:"title"`
	Reference map[string]float64 `json:"reference"`
	Domain    struct {
		Lattice  string                    `json:"lattice"`
		Size     []float64                 `json:"size"`
		Origin   []float64                 `json:"origin"`
		Force    []any                     `json:"force"`
		Gravity  []float64                 `json:"gravity"`
		Initial  map[string]any            `json:"initial"`
		Boundary map[string]map[string]any `json:"boundary"`
	} `json:"domain"`
	Fluid map[string]any `json:"fluid"`
	IB    map[string]any `json:"ib"`
	Body  []Body         `json:"body"`
	Solid []Body         `json:"solid"`
	Run   map[string]any `json:"run"`
}

// Body is a body or a solid of the resolved case.
type Body struct {
	Name   string         `json:"name"`
	Shape  map[string]any `json:"shape"`
	Fluid  string         `json:"fluid"` // the side whose flow counts
	Motion map[string]any `json:"motion"`
}

// Summary is what is used of summary.json. Bodies' numbers may be null.
type Summary struct {
	Status      string                    `json:"status"`
	StoppedBy   string                    `json:"stopped_by"`
	Reason      string                    `json:"reason"`
	Steps       int64                     `json:"steps"`
	Time        float64                   `json:"time"`
	WallSeconds float64                   `json:"wall_seconds"`
	MFLUPS      *float64                  `json:"mflups"`
	Share       map[string]float64        `json:"share"`
	Bodies      map[string]map[string]any `json:"bodies"`
	Pressure    *pressureRange            `json:"pressure"`
	MachMax     *float64                  `json:"mach_max"`
	Density     *float64                  `json:"density_deviation"`
	GridNoise   *float64                  `json:"grid_noise"`
	Cautions    []string                  `json:"cautions"`
	Flow        *heldFlow                 `json:"flow"` // that is held
	Sections    map[string]sample         `json:"sections"`
	Ports       map[string]sample         `json:"ports"` // of a vessel
	Probes      map[string]sample         `json:"probes"`
	Cells       map[string]cell           `json:"cells"` // elastic bodies
	Suspension  *suspension               `json:"suspension"`
}

// Open reads manifest and summary of a run directory. A directory that no run
// has left is an error.
func Open(path string) (*Directory, error) {
	d := &Directory{Path: path}
	info, err := durable.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such directory: give that of a run, for instance cylinder.out", path)
	case err != nil:
		return nil, fmt.Errorf("%s: the directory cannot be read: %w: %s", path, durable.Cause(err), durable.Remedy(err, "make it readable"))
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a file: give the directory of a run, for instance cylinder.out", path)
	}
	var parts struct {
		Case json.RawMessage `json:"case"`
	}
	err = d.read("manifest.json", &d.Manifest, &parts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no run: there is no manifest.json: give the directory that lbmib run made, for instance cylinder.out", path)
	}
	if err != nil {
		return nil, err
	}
	d.Manifest.raw = parts.Case
	if c := &d.Manifest.Case; len(c.Domain.Size) < 2 || len(c.Domain.Size) > 3 || len(c.Domain.Origin) != len(c.Domain.Size) || !(c.Reference["resolution"] > 0) {
		return nil, fmt.Errorf("%s: domain and reference of its case make no sense: the file is damaged, run the case again", d.file("manifest.json"))
	}
	d.Summary = new(Summary)
	if err := d.read("summary.json", d.Summary); errors.Is(err, fs.ErrNotExist) {
		d.Summary = nil
	} else if err != nil {
		return nil, err
	}
	return d, nil
}

// read reads a JSON file into values.
func (d *Directory) read(name string, into ...any) error {
	text, err := regular.ReadFile(d.file(name), regular.Most)
	if err != nil {
		return fmt.Errorf("%s: it cannot be read: %w: %s", d.file(name), durable.Cause(err), durable.Remedy(err, "make it readable"))
	}
	for _, v := range into {
		if err := json.Unmarshal(text, v); err != nil {
			return fmt.Errorf("%s: %w: the file is damaged, run the case again", d.file(name), err)
		}
	}
	return nil
}

func (d *Directory) file(name ...string) string {
	return filepath.Join(append([]string{d.Path}, name...)...)
}

// dim is the number of dimensions.
func (d *Record) dim() int { return len(d.Manifest.Case.Domain.Size) }

// title is the case's, or its file's.
func (d *Record) title() string {
	if t := d.Manifest.Case.Title; t != "" {
		return t
	}
	return filepath.Base(d.Manifest.File)
}

// spacing is the distance of nodes in L.
func (d *Record) spacing() float64 { return 1 / d.Manifest.Case.Reference["resolution"] }
