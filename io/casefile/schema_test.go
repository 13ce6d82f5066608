package casefile

import (
	"strings"
	"testing"
)

func TestKnownKeysAreFoundAndOthersGetASuggestion(t *testing.T) {
	for _, key := range []string{
		"title", "reference.reynolds", "domain.size", "domain.size.1", "domain.boundary.left.value.0", "domain.boundary.top", "body.0.shape.diameter",
		"body.12.shape.points.3.1", "body.0.shape.of.1.center.0", "body.0.motion.fix", "output.probes.0.at", "run.stop_when.cd_interval", "body", "body.0",
	} {
		if ok, _ := KnownKey(key); !ok {
			t.Errorf("%s is not known", key)
		}
	}
	for key, want := range map[string]string{
		"reference.reynold":          "reference.reynolds",
		"refrence.reynolds":          "reference.reynolds",
		"resolution":                 "reference.resolution",
		"run.resolution":             "reference.resolution",
		"body.shape.diameter":        "body.0.shape.diameter",
		"body.0.shape.diametre":      "body.0.shape.diameter",
		"domain.boundry.lef.valeu.0": "domain.boundary.left.value.0",
		"run.time.0":                 "",
		"":                           "",
		"zzz.q":                      "",
		"body.0.shape.center.x":      "",
		"domain.boundary.face.value": "",
		"body.#.shape":               "",
		"output.steps_per_sweep":     "fluid.steps_per_sweep",
	} {
		if ok, got := KnownKey(key); ok || got != want {
			t.Errorf("%s: known %v, suggestion %q, want %q", key, ok, got, want)
		}
	}
}

// What the reader asks for, the schema has, and the other way round.
func TestTheSchemaIsWhatTheReaderAsksFor(t *testing.T) {
	asked := map[string]bool{}
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
				key := table.key(name)
				asked[numbers(key)] = true
				if ok, _ := KnownKey(key); !ok {
					t.Errorf("the reader asks for %s, which the schema lacks", key)
				}
			}
		}
	}
	for p := range patterns() {
		if !strings.HasSuffix(p, "#") && !asked[p] {
			t.Errorf("the schema has %s, which nothing asks for", p)
		}
	}
}

// numbers replaces the numbers in a key by "#".
func numbers(key string) string {
	parts := strings.Split(key, ".")
	for i, p := range parts {
		if strings.Trim(p, "0123456789") == "" {
			parts[i] = "#"
		}
	}
	return strings.Join(parts, ".")
}

// everyKey are cases in which together every table stands; some are not sound.
func everyKey(t *testing.T) []string {
	t.Helper()
	const tables = `
domain.boundary = { left = { type = "velocity" }, right = { type = "velocity" }, bottom = { type = "velocity" }, top = { type = "velocity" }, front = { type = "velocity" }, back = { type = "velocity" } }
domain.initial.type = "shear"
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
[[solid]]
shape = { type = "union", of = [ { type = "sphere" } ] }
[output]
forces = {}
fields = { every = 1 }
checkpoint = {}
bodies = {}
probes = [{}]
lines = [{}]
slices = [{}]
boxes = [{}]
means = {}
statistics = {}
[reference]
`
	return []string{tables, cylinder, channel}
}
