package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"lbmib/cases"
	"lbmib/cases/templates"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/table"
	"lbmib/io/vtkhdf"
	published "lbmib/validation/cases"
	"lbmib/validation/robustness/mutate"
)

// input is a kind of what users hand to the program. Changed gives the i-th changed one;
// read lets the program read it.
type input struct {
	name    string
	changed func(r *rand.Rand) sample
	read    func(s sample) (class string, problem error)
	marked  func(s sample) float64 // nodes that are marked as solid or fluid one by one; nil: none
}

// sample is a changed input.
type sample struct {
	data []byte
	sets []string
	file string // base name under which it is kept
}

// fieldSize is that of the field from which a case begins.
var fieldSize = [3]int{42, 30, 1}

// factor is a table of a factor, series one as runs leave it.
const (
	factor = "t,factor\n0,0.5\n1,1\n2.5,0.75\n4,0.5\n"
	series = "t,step,body,fx,fy\n0.05,3,cylinder,1.5,-0.25\n0.1,6,cylinder,1.25,0.5\n0.15,9,cylinder,nan,1e-300\n"
)

// seeds are what is changed, sound, and the directory in which it lies.
type seeds struct {
	dir            string
	wave, begun    []byte // cases with a table and with a field to begin from
	gem            []byte // a case with a surface
	surface, field []byte
	checkpoint     []byte
	cases          *mutate.Cases
}

// inputs are all kinds. Files go to a directory that the caller removes; root is that of
// the working tree.
func inputs(dir, root string) ([]input, error) {
	s, err := newSeeds(dir, root)
	if err != nil {
		return nil, err
	}
	return append([]input{s.ofCases(), s.ofTables(), s.ofSeries(), s.ofSurfaces(), s.ofCheckpoints(), s.ofFields()}, moreInputs...), nil
}

func newSeeds(dir, root string) (s *seeds, err error) {
	wave := strings.Replace(caseText("plane"), `left   = { type = "velocity", value = [1.0, 0.0] }`, `left   = { type = "velocity", value = [1.0, 0.0], table = "wave.csv", repeat = true }`, 1)
	begun := strings.Replace(caseText("plane"), `initial = { type = "shear", velocity = [1.0, 0.0], amplitude = 0.05 }`, `initial = { type = "file", path = "field.vtkhdf" }`, 1)
	if !strings.Contains(wave, "wave.csv") || !strings.Contains(begun, "field.vtkhdf") {
		return nil, errors.New("the case plane has changed: change what is replaced in it too")
	}
	gem, ok := templates.Find("stl")
	if !ok {
		return nil, errors.New("there is no template stl any more: take another with a surface")
	}
	s = &seeds{dir: dir, wave: []byte(wave), begun: []byte(begun), gem: gem.Text}
	if s.surface, err = os.ReadFile(filepath.Join(root, "cases", "templates", "gem.stl")); err != nil {
		return nil, err
	}
	torus, err := os.ReadFile(filepath.Join(root, "cases", "torus.stl"))
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"wave.csv": []byte(factor), "gem.stl": s.surface, "torus.stl": torus} {
		if err := os.WriteFile(s.path(name), content, 0o666); err != nil {
			return nil, err
		}
	}
	if err := writeField(s.path("field.vtkhdf")); err != nil {
		return nil, err
	}
	if s.field, err = os.ReadFile(s.path("field.vtkhdf")); err != nil {
		return nil, err
	}
	if s.checkpoint, err = writeCheckpoint(dir); err != nil {
		return nil, err
	}
	texts, err := caseTexts(wave, begun)
	if err != nil {
		return nil, err
	}
	s.cases = mutate.NewCases(texts)
	return s, nil
}

func (s *seeds) path(name string) string { return filepath.Join(s.dir, name) }

// judged puts a file in place and judges the case that refers to it.
func (s *seeds) judged(file string, data, text []byte) (string, error) {
	if err := os.WriteFile(s.path(file), data, 0o666); err != nil {
		return "", err
	}
	return judge(s.path("case.toml"), text, nil)
}

func (s *seeds) ofCases() input {
	return input{name: "cases", changed: func(r *rand.Rand) sample {
		text, sets := s.cases.Mutant(r)
		return sample{[]byte(text), sets, "case.toml"}
	}, read: func(c sample) (string, error) { return judge(s.path("case.toml"), c.data, c.sets) }, marked: func(c sample) float64 { return solidNodes(s.path("case.toml"), c) }}
}

// solidNodes are the nodes of the box of a case with solids.
func solidNodes(path string, s sample) float64 {
	c, err := casefile.Parse(path, s.data, s.sets)
	if err != nil || len(c.Solids) == 0 {
		return 0
	}
	n := 1.
	for _, size := range c.Domain.Size[:c.Domain.Dim] {
		n *= size * c.Reference.Resolution
	}
	return n
}

func (s *seeds) ofTables() input {
	return input{name: "tables of a factor", changed: func(r *rand.Rand) sample {
		return sample{data: []byte(mutate.Table(factor, r)), file: "wave.csv"}
	}, read: func(c sample) (string, error) { return s.judged("wave.csv", c.data, s.wave) }}
}

func (s *seeds) ofSeries() input {
	return input{name: "time series", changed: func(r *rand.Rand) sample {
		return sample{data: []byte(mutate.Table(series, r)), file: "forces.csv"}
	}, read: func(c sample) (string, error) { return readSeries(s.path("forces.csv"), c.data) }}
}

func (s *seeds) ofSurfaces() input {
	return input{name: "surfaces", changed: func(r *rand.Rand) sample {
		return sample{data: mutate.Surface(s.surface, r), file: "gem.stl"}
	}, read: func(c sample) (string, error) { return s.judged("gem.stl", c.data, s.gem) }}
}

func (s *seeds) ofCheckpoints() input {
	const name = "000000000042.ckpt"
	return input{name: "checkpoints", changed: func(r *rand.Rand) sample {
		if r.IntN(2) == 0 {
			return sample{data: mutate.Bytes(s.checkpoint, r), file: name}
		}
		return sample{data: mutate.Checkpoint(s.checkpoint, r), file: name}
	}, read: func(c sample) (string, error) { return readCheckpoint(s.path(name), c.data) }}
}

func (s *seeds) ofFields() input {
	return input{name: "fields to begin from", changed: func(r *rand.Rand) sample {
		data := mutate.Bytes(s.field, r)
		for range r.IntN(3) {
			data = mutate.Bytes(data, r)
		}
		return sample{data: data, file: "field.vtkhdf"}
	}, read: s.readField}
}

// readField judges a case that begins from a field, and reads the field as its run would.
func (s *seeds) readField(c sample) (class string, problem error) {
	if class, problem = s.judged("field.vtkhdf", c.data, s.begun); problem != nil {
		return class, problem
	}
	for name, components := range map[string]int{"velocity": 3, "density": 1} {
		if _, err := vtkhdf.ReadField(s.path("field.vtkhdf"), name, fieldSize, components); err != nil {
			if err := speaks(err.Error()); err != nil {
				return class, err
			}
			class = "refused"
		}
	}
	return class, nil
}

// moreInputs are those of tests.
var moreInputs []input

// caseTexts are all cases that come with the program, and more.
func caseTexts(more ...string) (all []string, err error) {
	all = append(all, more...)
	for _, name := range []string{"plane", "space", "discs", "ball"} {
		all = append(all, caseText(name))
	}
	for _, t := range templates.All() {
		all = append(all, string(t.Text))
	}
	for _, files := range []fs.FS{cases.Files, published.Files} {
		names, err := fs.Glob(files, "*.toml")
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("cases cannot be listed: %w", err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			all = append(all, string(text))
		}
	}
	return all, nil
}

// writeField makes a field that a case can begin from.
func writeField(path string) error {
	n := fieldSize[0] * fieldSize[1]
	velocity, density := make([]float32, 3*n), make([]float32, n)
	for i := range n {
		velocity[3*i], density[i] = 1, 1+float32(i%7)/1000
	}
	return vtkhdf.WriteImage(path, &vtkhdf.Image{Size: fieldSize, Spacing: [3]float64{1, 1, 1},
		Arrays: []vtkhdf.Array{{Name: "velocity", Components: 3, Data: velocity}, {Name: "density", Components: 1, Data: density}}})
}

// writeCheckpoint makes a checkpoint and gives its bytes.
func writeCheckpoint(dir string) ([]byte, error) {
	f := make([]float64, 400)
	for i := range f {
		f[i] = float64(i%11) / 100
	}
	path, err := checkpoint.Write(filepath.Join(dir, "checkpoint"), 42, map[string]any{"case_sha256": "0", "precision": "f64", "offsets": map[string]any{"forces": 100}},
		[]checkpoint.Section{{Name: "f00", Data: f}, {Name: "open", Data: []float64{1, 2}}, {Name: "single", Data: []float32{1, 2, 3}}, {Name: "count", Data: []int64{1, -1}}}, 1)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// readCheckpoint reads a changed checkpoint: it is refused as damaged, or, where its
// checksums were made right again, sound.
func readCheckpoint(path string, data []byte) (class string, problem error) {
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return "", err
	}
	c, err := checkpoint.Read(path)
	if err != nil {
		if !errors.Is(err, checkpoint.ErrDamaged) {
			return "refused", fmt.Errorf("refused, but not as damaged: %w", err)
		}
		return "refused", speaks(err.Error())
	}
	for _, name := range c.Names() {
		if _, err := c.Float64(name); err != nil {
			if err := speaks(err.Error()); err != nil {
				return "accepted", err
			}
		}
	}
	index, _ := mutate.IndexOf(data)
	if string(mutate.WithIndex(data, index)) != string(data) {
		return "accepted", errors.New("accepted with checksums that do not agree")
	}
	return "accepted", nil
}

// readSeries reads a changed table.
func readSeries(path string, data []byte) (class string, problem error) {
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return "", err
	}
	t, err := table.Read(path)
	if err == nil {
		_, err = t.Float("fx", nil)
	}
	if err != nil {
		return "refused", speaks(err.Error())
	}
	return "accepted", nil
}
