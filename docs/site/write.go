package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// filesList has a line for every file of a site, as sha256sum writes them: the next build finds there what it may remove.
const filesList = "site-files.txt"

// write puts the site into a directory, which must be empty, not there, or an earlier site. Files of that site that this one does not have are
// removed where they are as they were written; the others of them are left, and returned.
func (s *site) write(dir string) (left []string, err error) {
	old, err := os.ReadDir(dir)
	if err == nil && len(old) > 0 {
		if _, err := os.Stat(filepath.Join(dir, "search-index.js")); err != nil {
			return nil, fmt.Errorf("%s has files that are no site: give a new directory", dir)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	before, err := listed(dir)
	if err != nil {
		return nil, err
	}
	written := map[string]string{}
	put := func(name string, text []byte) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		written[name] = sum(text)
		return os.WriteFile(to, text, 0o666)
	}
	if err := s.each(put); err != nil {
		return nil, err
	}
	if left, err = removeStale(dir, before, written); err != nil {
		return nil, err
	}
	var list bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(written)) {
		fmt.Fprintf(&list, "%s  %s\n", written[name], name)
	}
	return left, os.WriteFile(filepath.Join(dir, filesList), list.Bytes(), 0o666)
}

// each hands on every file of the site.
func (s *site) each(put func(name string, text []byte) error) error {
	for _, p := range s.pages {
		text, err := s.html(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.from, err)
		}
		if err := put(p.to, text); err != nil {
			return err
		}
	}
	for to, from := range s.files {
		text, err := os.ReadFile(filepath.Join(s.tree, from))
		if err != nil {
			return err
		}
		if err := put(to, text); err != nil {
			return err
		}
	}
	for name, text := range map[string][]byte{"style.css": style, "site.js": script} {
		if err := put(name, text); err != nil {
			return err
		}
	}
	index, err := s.index()
	if err != nil {
		return err
	}
	return put("search-index.js", index)
}

func sum(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// listed are the files that an earlier build wrote, and their sums; none where it left no list.
func listed(dir string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, filesList))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if hash, name, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  "); ok {
			files[name] = hash
		}
	}
	return files, nil
}

// removeStale removes what an earlier build wrote and this one did not, unless somebody has changed it since: that is left, and returned. Nothing
// outside of the directory is reached, whatever the list says and wherever links lead.
func removeStale(dir string, before, written map[string]string) (left []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if written[name] != "" {
			continue
		}
		text, err := root.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || sum(text) != before[name] {
			left = append(left, name)
			continue
		}
		if err := root.Remove(name); err != nil {
			return left, err
		}
	}
	return left, nil
}
