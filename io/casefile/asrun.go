package casefile

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// asRunTable is what a run adds to its copy of the case, below all of its text, so that the copy can be run again.
const asRunTable = "as_run"

// readAsRun takes that table out of a decoded file: the name of the case, the folder that its paths are relative to, and the overrides
// that it was run with, which go before those given now.
func (c *Case) readAsRun(root map[string]any) (sets []string, fault *Error) {
	v, has := root[asRunTable]
	if !has {
		return nil, nil
	}
	delete(root, asRunTable)
	table, ok := v.(map[string]any)
	if !ok {
		return nil, c.problem(asRunTable, "must be a table, as a run writes it below its copy of a case: remove it")
	}
	for key, v := range table {
		text, isText := v.(string)
		list, isList := v.([]any)
		path := join(asRunTable, key)
		switch {
		case key == "name" && isText && text != "" && filepath.Base(text) == text:
			c.Name = text
		case key == "folder" && isText && !strings.ContainsRune(text, 0):
			c.folder = text
			if !filepath.IsAbs(text) {
				c.folder = filepath.Join(filepath.Dir(c.File), text)
			}
		case key == "set" && isList && !slices.ContainsFunc(list, func(e any) bool { _, is := e.(string); return !is }):
			for _, e := range list {
				sets = append(sets, e.(string))
			}
		default:
			return nil, c.problem(path, "is not as a run writes it: name and folder are texts, set is a list of texts as for --set; take the copy that the run has left")
		}
	}
	c.text = upToLine(c.text, c.positions[asRunTable].Line)
	if rest, err := decodeTOML(string(bytes.TrimPrefix(c.text, []byte("\ufeff")))); err != nil || !reflect.DeepEqual(rest, root) {
		return nil, c.problem(asRunTable, "must be the last table of the file, as a run writes it: take the copy that the run has left, or remove the table")
	}
	return sets, nil
}

// asRunComment stands above the table.
const asRunComment = "# Added by the run, so that this file can be run again: where paths lead from, and its overrides."

// upToLine is a text without a line and those behind it, and without the comment that a run has written above it.
func upToLine(text []byte, line int) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	n := min(max(line-1, 0), len(lines))
	if n > 0 && string(bytes.TrimSpace(lines[n-1])) == asRunComment {
		if n--; n > 0 && len(bytes.TrimSpace(lines[n-1])) == 0 {
			n--
		}
	}
	return bytes.Join(lines[:n], nil)
}

// AsRun is the case file as it was read, and below it what makes it the same case in another folder: its name, where its paths lead from, the overrides
// that it was read with.
func (c *Case) AsRun(folder string) []byte {
	from, err := filepath.Abs(c.base())
	if err == nil {
		var to, rel string
		if to, err = filepath.Abs(folder); err == nil {
			if rel, err = filepath.Rel(to, from); err == nil {
				from = filepath.ToSlash(rel)
			}
		}
	}
	var b bytes.Buffer
	b.Write(c.text)
	if len(c.text) > 0 && !bytes.HasSuffix(c.text, []byte("\n")) {
		b.WriteByte('\n')
	}
	b.WriteString("\n" + asRunComment + "\n")
	b.WriteString("[" + asRunTable + "]\nname = " + quoted(c.Name) + "\nfolder = " + quoted(from) + "\n")
	if len(c.overrides) > 0 {
		b.WriteString("set = [\n")
		for _, o := range c.overrides {
			b.WriteString("  " + quoted(o.text) + ",\n")
		}
		b.WriteString("]\n")
	}
	return b.Bytes()
}

// quoted is a TOML string, of which JSON has the escapes.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // which texts always can be
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// base is the folder that paths of the case are relative to.
func (c *Case) base() string {
	if c.folder != "" {
		return c.folder
	}
	return filepath.Dir(c.File)
}
