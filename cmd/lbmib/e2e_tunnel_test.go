package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A tunnel for a part is a case that check lets pass, whose force comes out in newtons, and tells the Reynolds number that it resolves.
func TestATunnelForAPart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lbmib(t, dir, "new", "stl", "other.toml").want(t, 0) // leaves gem.stl
	o := lbmib(t, dir, "new", "tunnel", "gem.stl", "--speed", "10 m/s", "--fluid", "air")
	o.want(t, 0)
	for _, says := range []string{"gem.toml written", "L = 0.02 m", "Re = 13000", "resolve boundary layers up to Re = 310", "levels of nested grids"} {
		if !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), says) {
			t.Errorf("it does not say %q:\n%s", says, o.stdout)
		}
	}
	text := read(t, filepath.Join(dir, "gem.toml"))
	for _, says := range []string{"[[refine]]", "reynolds   = 310", `scale  = "1 mm"`, `speed      = "10 m/s"`, `length     = "0.02 m"`} {
		if !strings.Contains(text, says) {
			t.Errorf("the case lacks %q:\n%s", says, text)
		}
	}
	o = lbmib(t, dir, "check", "gem.toml", "--strict")
	o.want(t, 0)
	lbmib(t, dir, "run", "gem.toml", "--set", "reference.resolution=16", "--set", "reference.reynolds=70", "--steps=24", "--set", "output.surfaces.every=0.02", "--set", "output.slices.0.every=0.03", "--quiet").want(t, 0)
	lbmib(t, dir, "plot", "gem.out", "--field", "speed", "--at", "20").want(t, 0) // of the slice, as there are no fields
	lbmib(t, dir, "plot", "gem.out", "--animate", "gif").want(t, 0)
	if _, err := os.Stat(filepath.Join(dir, "gem.out", "plots", "vorticity.gif")); err != nil {
		t.Error(err)
	}
	if s := read(t, filepath.Join(dir, "gem.out", "summary.json")); !strings.Contains(s, `"force_mean_N"`) {
		t.Error("there is no force in newtons")
	}
	lbmib(t, dir, "new", "tunnel", "gem.stl", "full.toml", "--speed", "10 m/s", "--fluid", "air", "--full-reynolds").want(t, 0)
	if text := read(t, filepath.Join(dir, "full.toml")); !strings.Contains(text, "smagorinsky") || !strings.Contains(text, "viscosity") || strings.Contains(text, "reynolds ") {
		t.Errorf("at the full Reynolds number the case is\n%s", text)
	}
	lbmib(t, dir, "check", "full.toml").want(t, 0)
	slow := lbmib(t, dir, "new", "tunnel", "gem.stl", "slow.toml", "--speed", "1 mm/s", "--fluid", "water", "--unit", "1 cm")
	slow.want(t, 0)
	if !strings.Contains(slow.stdout, "forces are meant as numbers") {
		t.Errorf("a slow one says\n%s", slow.stdout)
	}
	rounded := lbmib(t, dir, "new", "tunnel", "gem.stl", "rounded.toml", "--speed", "10 m/s", "--fluid", "air", "--nodes", "12")
	rounded.want(t, 0)
	if !strings.Contains(rounded.stdout, "--nodes 12 is made 16, a multiple of 8") {
		t.Errorf("12 nodes become others, and it says\n%s", rounded.stdout)
	}
	write(t, filepath.Join(dir, "roof.stl"), "solid roof\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 1\nvertex 1 0 0\nendloop\nendfacet\n"+
		"facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 1\nvertex 1 1 1\nendloop\nendfacet\nendsolid roof\n")
	open := lbmib(t, dir, "new", "tunnel", "roof.stl", "--speed", "10 m/s", "--fluid", "air")
	open.want(t, 0)
	if !strings.Contains(open.stdout, "The surface is open, along 4 edges") {
		t.Errorf("of an open surface it says\n%s", open.stdout)
	}
	lbmib(t, dir, "new", "tunnel", "gem.stl", "--speed", "10 m/s", "--fluid", "air").want(t, 2, "gem.toml is there already")
	for want, args := range map[string][]string{
		"needs the surface of a part": {"--speed", "1 m/s"},
		"known are air and water":     {"gem.stl", "--speed", "1 m/s", "--fluid", "honey"},
		`"10 Pa" is a pressure`:       {"gem.stl", "--speed", "10 Pa", "--fluid", "air"},
		"the surface cannot be read":  {"none.stl", "--speed", "1 m/s", "--fluid", "air"},
		"from 10 to 4096":             {"gem.stl", "--speed", "1 m/s", "--fluid", "air", "--nodes", "3"},
	} {
		lbmib(t, dir, append([]string{"new", "tunnel"}, args...)...).want(t, 2, want)
	}
	lbmib(t, dir, "new", "cavity", "--speed", "1 m/s").want(t, 2, "are for lbmib new tunnel")
}
