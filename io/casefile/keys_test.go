package casefile

import (
	"os"
	"regexp"
	"testing"
)

// What the reader asks for, docs/case-file.md explains.
func TestEveryKeyIsInTheReference(t *testing.T) {
	text, err := os.ReadFile("../../docs/case-file.md")
	if err != nil {
		t.Fatal(err)
	}
	told, asked := map[string]bool{}, 0
	for _, word := range regexp.MustCompile(`[a-z][a-z0-9_]*`).FindAllString(string(text), -1) {
		told[word] = true
	}
	for _, text := range everyKey(t) {
		c := &Case{File: "dir/case.toml", Name: "case"}
		root, err := c.decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := &reader{c: c}
		r.read(root)
		for _, table := range r.tables {
			for _, name := range table.known {
				if asked++; !told[name] {
					t.Errorf("docs/case-file.md does not have %s", table.key(name))
				}
			}
		}
	}
	if asked < 150 {
		t.Errorf("the reader asked for %d keys of all", asked)
	}
}

// everyKey are cases in which together every table stands; some are not sound.
func everyKey(t *testing.T) []string {
	t.Helper()
	const tables = `
domain.boundary = { left = { type = "velocity" }, right = { type = "velocity", profile = {} }, bottom = { type = "velocity" }, top = { type = "velocity" }, front = { type = "velocity" }, back = { type = "velocity" } }
domain.initial.type = "shear"
domain.flow = { speed = 1 }
domain.lattice = "D3Q19"
run.stop_when.cd_interval = 0.1
fluid = { layout = "soaos", les = { type = "smagorinsky" } }
ib.contact = {}
[[body]]
array = {}
shape = { type = "union", of = [ { type = "sphere" }, { type = "cylinder" }, { type = "ellipsoid" }, { type = "stl" }, { type = "rbc" } ] }
motion = { type = "prescribed" }
[[body]]
motion = { type = "free" }
[[body]]
shape = { type = "sphere" }
motion = { type = "elastic", bending = 1, capillary = {} }
[[body]]
shape = { type = "sphere" }
motion = { type = "elastic", law = "hooke", bending = 1 }
[[solid]]
shape = { type = "union", of = [ { type = "sphere" } ] }
[output]
forces = {}
fields = { every = 1 }
checkpoint = {}
bodies = {}
probes = [{}]
lines = [{}]
sections = [{}]
slices = [{}]
boxes = [{}]
means = {}
surfaces = {}
statistics = {}
[reference]
`
	const vessels = `
domain = { lattice = "D3Q19", vessel = {} }
[[port]]
type = "velocity"
plane = {}
[[port]]
type = "velocity"
flow = {}
[[port]]
type = "pressure"
[[port]]
type = "windkessel"
[reference]
`
	const image = `
domain = { lattice = "D3Q19", vessel = { file = "a.nrrd" } }
`
	const blood = `
domain = { lattice = "D3Q19" }
[[suspension]]
model = "elastic"
hematocrit = 0.1
shape = { type = "rbc" }
material = { bending = 1, capillary = {} }
region = {}
[[suspension]]
model = "elastic"
[reference]
`
	return []string{tables, blood, vessels, image, cylinder, channel}
}
