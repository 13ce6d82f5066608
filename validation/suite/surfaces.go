package suite

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"sync"

	"lbmib/geometry"
	"lbmib/geometry/vessel/models"
	"lbmib/internal/durable"
)

// vesselFile is the key whose value names a surface that the suite makes, where that is one of surfaces.
const vesselFile = "domain.vessel.file="

// facets are those around tubes: the polygon has 4·10⁻⁴ less area than the circle.
const facets = 128

// Measures of the bends and of the fork, in diameters.
const (
	bendRadius = 3
	forkTrunk  = 2
	forkRatio  = 0.8
	forkLong   = 24 // radii of a branch
)

// Lengths of straight tubes in diameters.
const tubeLength, shortLength = 4, 2

// surfaces are those of vessels, by the names of their files.
var surfaces = map[string]func() (*models.Model, error){
	"short.stl": func() (*models.Model, error) { return models.Tube(unit(inclined), shortLength, facets), nil },
	"bend.stl":  func() (*models.Model, error) { return models.Arc(bendRadius, math.Pi/2, 1, 1, facets), nil },
	"turn.stl":  func() (*models.Model, error) { return models.Arc(bendRadius, math.Pi, 1, 2, facets), nil },
	"fork.stl":  sync.OnceValues(func() (*models.Model, error) { return models.Fork(forkTrunk, forkRatio, forkLong, 0.05) }),
}

// usual are the surfaces of the cases as they stand in their files.
var usual = map[string]string{"vessel-tube.toml": tubeFile(inclined), "vessel-womersley.toml": "short.stl", "vessel-bend.toml": "bend.stl", "vessel-fork.toml": "fork.stl"}

// inclined is the direction of tubes that lie along none of the lattice's.
var inclined = [3]int{3, 2, 1}

// directions are those of all tubes.
var directions = [][3]int{inclined, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}, {2, 1, 0}}

func init() {
	for _, d := range directions {
		surfaces[tubeFile(d)] = func() (*models.Model, error) { return models.Tube(unit(d), tubeLength, facets), nil }
	}
}

func tubeFile(d [3]int) string { return fmt.Sprintf("tube-%d%d%d.stl", d[0], d[1], d[2]) }

// unit is a direction of unit length.
func unit(d [3]int) geometry.Vec {
	v := geometry.Vec{float64(d[0]), float64(d[1]), float64(d[2])}
	return v.Scale(1 / v.Norm())
}

// inclination is the override that lays a tube along a direction.
func inclination(d [3]int) []string {
	along := unit(d)
	end := along.Scale(tubeLength)
	return []string{fmt.Sprintf("%s%q", vesselFile, tubeFile(d)),
		"port.0.plane={ point = [0.0, 0.0, 0.0], normal = " + vector(along[:]...) + " }",
		"port.1.plane={ point = " + vector(end[:]...) + ", normal = " + vector(-along[0], -along[1], -along[2]) + " }",
		alongProbes(d)}
}

// alongProbes is the override of output.probes: a quarter of a tube from its ends, in its middle.
func alongProbes(d [3]int) string {
	first, second := unit(d).Scale(tubeLength/4.), unit(d).Scale(tubeLength*3/4.)
	return fmt.Sprintf("output.probes=[%s, %s]", probe("first", first, 0.05), probe("second", second, 0.05))
}

// probe is an element of output.probes.
func probe(name string, at geometry.Vec, every float64) string {
	return fmt.Sprintf("{ name = %q, at = %s, every = %s }", name, vector(at[:]...), decimal(every))
}

// withSurface are the overrides of a run whose case has a vessel that the suite makes: its file is written into a folder, and its path put
// into them.
func (plan *Run) withSurface(folder string) ([]string, error) {
	name := usual[plan.Case]
	var sets []string
	for _, s := range plan.Sets {
		if value, found := strings.CutPrefix(s, vesselFile); found {
			name = strings.Trim(value, `"`)
			continue
		}
		sets = append(sets, s)
	}
	of := surfaces[name]
	if of == nil {
		return plan.Sets, nil
	}
	m, err := of()
	if err != nil {
		return nil, fmt.Errorf("the surface %s: %w", name, err)
	}
	if err := durable.MakeDir(folder); err != nil {
		return nil, fmt.Errorf("the surfaces of vessels need a directory: %w", err)
	}
	path := filepath.Join(folder, name)
	if _, err := durable.WriteSummed(path, func(w io.Writer) error {
		return geometry.WriteSTL(w, "lbmib geometry/vessel/models: "+name, m.Points, m.Triangles)
	}); err != nil {
		return nil, err
	}
	return append(sets, fmt.Sprintf("%s%q", vesselFile, filepath.ToSlash(path))), nil
}
