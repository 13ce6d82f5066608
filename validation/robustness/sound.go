package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/io/checkpoint"
	"lbmib/io/hdf5"
)

// sound looks at what a process left that was ended, or that lost its power: whatever
// bears the name of a finished file must be whole. A field must be byte for byte that of
// one of the whole runs, and a time series, where they grow in order, its beginning.
func sound(dir string, whole []string, ordered bool) error {
	var problems []error
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, temporary := durable.Final(filepath.Base(path)); temporary {
			return nil
		}
		if err := soundFile(path, name, whole, ordered); err != nil {
			problems = append(problems, fmt.Errorf("%s is half written: %w", name, err))
		}
		return nil
	})
	return errors.Join(append(problems, err)...)
}

func soundFile(path, name string, whole []string, ordered bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	switch filepath.Ext(name) {
	case ".ckpt":
		_, err := checkpoint.Read(path)
		return err
	case ".json":
		if !json.Valid(text) {
			return fmt.Errorf("%d bytes are no JSON", len(text))
		}
	case ".series":
		return soundSeries(filepath.Dir(path), text)
	case ".png":
		_, err := png.Decode(bytes.NewReader(text))
		return err
	case ".html":
		if !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")) {
			return errors.New("its end is missing")
		}
	case ".csv":
		if ordered && !slices.ContainsFunc(whole, func(w string) bool { return begins(filepath.Join(w, name), text) }) {
			return errors.New("it is not the beginning of that of a whole run")
		}
	case ".vtkhdf":
		if strings.HasSuffix(name, "means.vtkhdf") {
			r, err := hdf5.Open(path)
			if err != nil {
				return err
			}
			return r.Close()
		}
		if !slices.ContainsFunc(whole, func(w string) bool { return equals(filepath.Join(w, name), text) }) {
			return errors.New("it is not that of a whole run")
		}
	}
	return nil
}

// soundSeries holds that the files of a series are there.
func soundSeries(dir string, text []byte) error {
	var s struct {
		Files []struct{ Name string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	for _, f := range s.Files {
		if _, err := os.Stat(filepath.Join(dir, f.Name)); err != nil {
			return fmt.Errorf("it names %s, which is not there", f.Name)
		}
	}
	return nil
}

// begins tells whether a file begins with text. Summaries of sweeps have wall times.
func begins(path string, text []byte) bool {
	whole, err := os.ReadFile(path)
	return err == nil && (bytes.HasPrefix(whole, text) || filepath.Base(path) == "sweep.csv")
}

func equals(path string, text []byte) bool {
	whole, err := os.ReadFile(path)
	return err == nil && bytes.Equal(whole, text)
}
