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
}

// sample is a changed input.
type sample struct {
	data []byte
	sets []string
	file string // base name under which it is kept
}

// size of the field in cases that begin from one.
var fieldSize = [3]int{42, 30, 1}

// inputs are all kinds. Files go to a directory that the caller removes; root is that of
// the working tree.
func inputs(dir, root string) ([]input, error) {
	wave := caseText("plane")
	wave = strings.Replace(wave, "left   = { type = \"velocity\", value = [1.0, 0.0] }", "left   = { type = \"velocity\", value = [1.0, 0.0], table = \"wave.csv\", repeat = true }", 1)
	begun := caseText("plane")
	begun = strings.Replace(begun, "initial = { type = \"shear\", velocity = [1.0, 0.0], amplitude = 0.05 }", "initial = { type = \"file\", path = \"field.vtkhdf\" }", 1)
	if !strings.Contains(wave, "wave.csv") || !strings.Contains(begun, "field.vtkhdf") {
		return nil, errors.New("the case plane has changed: change what is replaced in it too")
	}
	const csv = "t,factor\n0,0.5\n1,1\n2.5,0.75\n4,0.5\n"
	surface, err := os.ReadFile(filepath.Join(root, "cases", "templates", "gem.stl"))
	if err != nil {
		return nil, err
	}
	round, err := os.ReadFile(filepath.Join(root, "cases", "torus.stl"))
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"wave.csv": []byte(csv), "gem.stl": surface, "torus.stl": round} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return nil, err
		}
	}
	if err := writeField(filepath.Join(dir, "field.vtkhdf")); err != nil {
		return nil, err
	}
	field, err := os.ReadFile(filepath.Join(dir, "field.vtkhdf"))
	if err != nil {
		return nil, err
	}
	kept, err := writeCheckpoint(dir)
	if err != nil {
		return nil, err
	}
	texts, err := caseTexts(wave, begun)
	if err != nil {
		return nil, err
	}
	gem, _ := templates.Find("stl")
	all := mutate.NewCases(texts)
	path := filepath.Join(dir, "case.toml")
	// reads judges a case after one of its files has been put in place.
	reads := func(file string, text []byte) func(sample) (string, error) {
		return func(s sample) (string, error) {
			if err := os.WriteFile(filepath.Join(dir, file), s.data, 0o666); err != nil {
				return "", err
			}
			return judge(path, text, nil)
		}
	}
	return append([]input{
		{"cases", func(r *rand.Rand) sample {
			text, sets := all.Mutant(r)
			return sample{[]byte(text), sets, "case.toml"}
		}, func(s sample) (string, error) { return judge(path, s.data, s.sets) }},
		{"tables of a factor", func(r *rand.Rand) sample {
			return sample{data: []byte(mutate.Table(csv, r)), file: "wave.csv"}
		}, reads("wave.csv", []byte(wave))},
		{"time series", func(r *rand.Rand) sample {
			return sample{data: []byte(mutate.Table(series, r)), file: "forces.csv"}
		}, func(s sample) (string, error) { return readSeries(filepath.Join(dir, "forces.csv"), s.data) }},
		{"surfaces", func(r *rand.Rand) sample {
			return sample{data: mutate.Surface(surface, r), file: "gem.stl"}
		}, reads("gem.stl", gem.Text)},
		{"checkpoints", func(r *rand.Rand) sample {
			if r.IntN(2) == 0 {
				return sample{data: mutate.Bytes(kept, r), file: "000000000042.ckpt"}
			}
			return sample{data: mutate.Checkpoint(kept, r), file: "000000000042.ckpt"}
		}, func(s sample) (string, error) {
			return readCheckpoint(filepath.Join(dir, "000000000042.ckpt"), s.data, kept)
		}},
		{"fields to begin from", func(r *rand.Rand) sample {
			data := mutate.Bytes(field, r)
			for range r.IntN(3) {
				data = mutate.Bytes(data, r)
			}
			return sample{data: data, file: "field.vtkhdf"}
		}, func(s sample) (string, error) {
			class, err := reads("field.vtkhdf", []byte(begun))(s)
			if err != nil {
				return class, err
			}
			for name, components := range map[string]int{"velocity": 3, "density": 1} {
				_, err := vtkhdf.ReadField(filepath.Join(dir, "field.vtkhdf"), name, fieldSize, components)
				if err != nil {
					if err := speaks(err.Error()); err != nil {
						return class, err
					}
					class = "refused"
				}
			}
			return class, nil
		}},
	}, moreInputs...), nil
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
func readCheckpoint(path string, data, whole []byte) (class string, problem error) {
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

// series is a table as runs leave it.
const series = "t,step,body,fx,fy\n0.05,3,cylinder,1.5,-0.25\n0.1,6,cylinder,1.25,0.5\n0.15,9,cylinder,nan,1e-300\n"

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
