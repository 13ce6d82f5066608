package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// commands are the command lines that do the run again.
func (d *Record) commands() []string {
	var words []string
	for _, a := range d.Manifest.Arguments {
		if a != "--resume" && a != "--overwrite" {
			words = append(words, quoted(a))
		}
	}
	if d.Manifest.Grids != "" && !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--refine") }) { // resumed without it
		words = append(words, "--refine", "auto")
	}
	return []string{"lbmib " + strings.Join(words, " ")}
}

// plainWord is what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// provenance is what else decides about the results.
func (d *Record) provenance() (all []fact) {
	m := &d.Manifest
	add := func(name, value string) {
		if value != "" {
			all = append(all, fact{Name: name, Value: value})
		}
	}
	add("version", m.Version)
	add("case file", m.File)
	add("case SHA-256", m.Hash)
	all = append(all, files(m.Files)...)
	add("started", m.Start)
	add("ended", m.End)
	add("machine", m.Device)
	add("platform", strings.TrimSpace(m.Platform+" "+m.Go))
	add("threads", fmt.Sprint(m.Threads))
	add("precision", m.Precision)
	add("seed", fmt.Sprint(m.Seed))
	return all
}

// files are the files that the case refers to, with their SHA-256: a manifest has
// them as an object of names or as a list.
func files(raw json.RawMessage) (all []fact) {
	var byName map[string]string
	if json.Unmarshal(raw, &byName) == nil {
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			all = append(all, fact{Name: name, Value: byName[name]})
		}
		return all
	}
	var list []map[string]string
	if json.Unmarshal(raw, &list) == nil {
		for _, f := range list {
			all = append(all, fact{Name: f["file"], Value: f["sha256"]})
		}
	}
	return all
}
