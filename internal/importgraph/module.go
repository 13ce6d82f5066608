package importgraph

import "strings"

// Module is the path of this module.
const Module = "lbmib"

// Drawn says as which node of docs/architecture.svg a package is drawn; empty: not at all. Leaf helpers (internal), test
// suites, generators, that of the site among them, and the stand-in for a driver are left out; commands, the programme of validation and
// the formats of files are one node each.
func Drawn(path string) string {
	for _, part := range strings.Split(path, "/") {
		if part == "internal" || part == "gen" || part == "standin" || strings.HasSuffix(part, "test") || part == "hybridtest" {
			return ""
		}
	}
	first, rest, _ := strings.Cut(path, "/")
	switch {
	case first == "cmd" || first == "validation":
		return map[string]string{"cmd": "cmd/lbmib", "validation": "validation"}[first]
	case first == "cases" || first == "docs":
		return ""
	case first == "io" && (rest == "casefile" || rest == "expression"):
		return "io/casefile"
	case first == "io" && rest != "plot" && rest != "view":
		return "io (files)"
	case first == "io":
		return "io (pictures)"
	case first == "cuda" && (rest == "driver" || rest == "kernels" || rest == "device/devicetest"):
		return "cuda/driver"
	case first == "run" && (rest == "exit" || rest == "rundir" || rest == "drawing"):
		return ""
	}
	return path
}

// Colour is that of a node by its top-level folder.
func Colour(name string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(name, " ", "/"), "/")
	if c, ok := map[string]string{
		"geometry": "#e9e5d8", "lbm": "#cfe3f5", "ib": "#d3efd6", "hybrid": "#f7e3b5", "cuda": "#dcd3f0",
		"io": "#eeeeee", "run": "#f5d3cf", "cmd": "#ffffff", "validation": "#ffffff",
	}[first]; ok {
		return c
	}
	return "#ffffff"
}

// Draw is the picture of the module in dir.
func Draw(dir string) (string, error) {
	all, err := Load(dir)
	if err != nil {
		return "", err
	}
	g, err := Fold(all, Module, Drawn)
	if err != nil {
		return "", err
	}
	return g.SVG(Colour)
}
