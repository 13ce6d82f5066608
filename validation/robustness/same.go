package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/io/checkpoint"
)

// clock are the keys and columns of results that tell of the machine and the time of
// day, not of the flow.
var clock = []string{"wall_seconds", "mflups", "share", "threads", "kernel", "streaming", "storage", "layout", "versions", "directory"}

// same compares what two directories hold: every byte of tables, fields, series and
// pictures, numbers of summaries, and the newest state that was kept. What differs is
// the error.
func same(got, want string) error {
	a, err := resultsIn(got)
	if err != nil {
		return err
	}
	b, err := resultsIn(want)
	if err != nil {
		return err
	}
	var differ []string
	for name := range b {
		if _, ok := a[name]; !ok {
			differ = append(differ, name+" is missing")
		}
	}
	for name, x := range a {
		y, ok := b[name]
		if !ok {
			differ = append(differ, name+" should not be there")
			continue
		}
		if !reflect.DeepEqual(x, y) {
			differ = append(differ, name+" differs")
		}
	}
	if len(differ) == 0 {
		return nil
	}
	slices.Sort(differ)
	return fmt.Errorf("not the results of an uninterrupted run: %s", strings.Join(differ, "; "))
}

// resultsIn is what a directory holds that must be the same whatever happened.
func resultsIn(dir string) (map[string]any, error) {
	all := map[string]any{}
	states := map[string]string{} // directory of checkpoints → the newest
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		base := filepath.Base(path)
		switch {
		case base == "manifest.json" || base == "report.html" || base == "case.toml" || base == "case-as-run.toml":
			return nil
		case strings.HasSuffix(base, ".ckpt"):
			if at := filepath.Dir(name); base > filepath.Base(states[at]) {
				states[at] = path
			}
			return nil
		}
		if _, left := durable.Final(base); left {
			return fmt.Errorf("%s is left behind", name)
		}
		all[name], err = resultOf(path, base)
		return err
	})
	for at, path := range states {
		if err == nil {
			all[filepath.Join(at, "the newest checkpoint")], err = stateOf(path)
		}
	}
	return all, err
}

func resultOf(path, base string) (any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch base {
	case "summary.json", "sweep.json":
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return timeless(v), nil
	case "sweep.csv":
		return timelessTable(text)
	}
	return string(text), nil
}

// timeless is a JSON document without the keys of the clock.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			if slices.Contains(clock, key) {
				delete(v, key)
			} else {
				v[key] = timeless(v[key])
			}
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

func timelessTable(text []byte) (any, error) {
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("sweep.csv: %w", err)
	}
	for i, column := range rows[0] {
		if slices.Contains(clock, column) {
			for _, row := range rows[1:] {
				row[i] = ""
			}
		}
	}
	return rows, nil
}

// state is a checkpoint without its wall time.
type state struct {
	step  int64
	names []string
	data  []any
	meta  any
}

func stateOf(path string) (*state, error) {
	c, err := checkpoint.Read(path)
	if err != nil {
		return nil, err
	}
	s := &state{step: c.Step, names: c.Names()}
	for _, name := range s.names {
		var a any
		if f, err := c.Float64(name); err == nil {
			a = bitsOf(f)
		} else if f, err := c.Float32(name); err == nil {
			a = bitsOf(f)
		} else if i, err := c.Int64(name); err == nil {
			a = i
		} else if a, err = c.Bytes(name); err != nil {
			return nil, err
		}
		s.data = append(s.data, a)
	}
	var meta any
	if err := c.DecodeMeta(&meta); err != nil {
		return nil, err
	}
	s.meta = timeless(meta)
	return s, nil
}

// bitsOf makes NaN equal to itself, and 0 unequal to −0.
func bitsOf(f any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, f); err != nil {
		panic(err) // of a slice of numbers
	}
	return b.Bytes()
}
