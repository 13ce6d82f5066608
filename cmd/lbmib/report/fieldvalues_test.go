package report

import (
	"math"
	"os"
	"strings"
	"testing"

	"lbmib/io/casefile"
	"lbmib/io/plot"
	"lbmib/io/vtkhdf"
)

// Where a fluid turns as a whole, Q is the square of its rate of turning; in pure strain it is minus that of the strain; the pressure of a
// density is c_s²(ρ − 1) over U².
func TestFieldsAreWhatTheyAreCalled(t *testing.T) {
	const n, dx, rate = 5, 0.1, 3.
	p := &plane{fieldFile: &fieldFile{size: [3]int{n, n, 1}}, dx: dx, units: casefile.Units{Dim: 2, Velocity: 0.1}}
	turning, strained := make([]float32, 3*n*n), make([]float32, 3*n*n)
	density := make([]float32, n*n)
	for k := range density {
		x, y := float64(k%n)*dx, float64(k/n)*dx
		turning[3*k], turning[3*k+1] = float32(-rate*y), float32(rate*x)
		strained[3*k], strained[3*k+1] = float32(rate*x), float32(-rate*y)
		density[k] = 1.003
	}
	for _, of := range []struct {
		name      string
		got, want float64
	}{
		{"Q of a turn", p.q(turning, 2, 2), rate * rate}, {"at an edge", p.q(turning, 0, 4), rate * rate}, {"Q of a strain", p.q(strained, 2, 2), -rate * rate},
		{"vorticity", p.curl(turning, 2, 2), 2 * rate}, {"speed", p.length(turning, 2, 0), rate * 2 * dx}, {"pressure", p.pressure(density, 1, 1), 0.001 / 0.01},
	} {
		if math.Abs(of.got-of.want) > 1e-4*math.Abs(of.want) { // of single precision
			t.Errorf("%s is %v, want %v", of.name, of.got, of.want)
		}
	}
}

// Means are drawn from their own file, whatever other fields a run has or has not: of a velocity (0.3, 0.4) U the speed 0.5 U, of a density 1.003
// the pressure 0.001/0.1² ρU², of variances 0.04 and 0.05 U² the root of their sum.
func TestMeansAreDrawnFromTheirFile(t *testing.T) {
	const nx, ny = 4, 3
	d := &Directory{Path: t.TempDir()}
	d.Manifest.Case.Domain.Size, d.Manifest.Case.Domain.Origin = []float64{0.4, 0.3}, []float64{0, 0}
	d.Manifest.Case.Reference = map[string]float64{"resolution": 10, "velocity": 0.1, "viscosity": 0.1}
	if _, _, err := d.find(Choice{Fields: []string{"speed_mean"}, Step: -1}); err == nil || !strings.Contains(err.Error(), "holds no fields/means.vtkhdf: ask the case for output.means") {
		t.Errorf("without the file: %v", err)
	}
	if err := os.Mkdir(d.file("fields"), 0o777); err != nil {
		t.Fatal(err)
	}
	of := func(values ...float32) (all []float32) {
		for range nx * ny {
			all = append(all, values...)
		}
		return all
	}
	if err := vtkhdf.WriteImage(d.file("fields", "means.vtkhdf"), &vtkhdf.Image{Size: [3]int{nx, ny, 1}, Origin: [3]float64{0.05, 0.05, 0}, Spacing: [3]float64{0.1, 0.1, 0.1}, Arrays: []vtkhdf.Array{
		{Name: "density_mean", Components: 1, Data: of(1.003)}, {Name: "velocity_mean", Components: 3, Data: of(0.3, 0.4, 0)},
		{Name: "density_variance", Components: 1, Data: of(0)}, {Name: "velocity_variance", Components: 3, Data: of(0.04, 0.05, 0)},
	}}); err != nil {
		t.Fatal(err)
	}
	at, means, err := d.find(Choice{Fields: []string{"speed_mean", "pressure_mean", "fluctuation"}, Step: -1})
	if err != nil || at != nil || means == nil || means.size != [3]int{nx, ny, 1} {
		t.Fatalf("the planes are %+v and %+v, %v", at, means, err)
	}
	for name, want := range map[string]float64{"speed_mean": 0.5, "pressure_mean": 0.1, "fluctuation": 0.3} {
		m := plot.Field{Nx: nx, Ny: ny}
		if err := means.field(&m, name); err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Values {
			if math.Abs(v-want) > 1e-5 { // of single precision, of ρ − 1
				t.Errorf("%s is %v, want %v", name, v, want)
			}
		}
	}
	for _, c := range []struct {
		choice Choice
		want   string
	}{
		{Choice{Fields: []string{"speed_mean", "speed"}, Step: -1}, "holds no fields, and no slice across z"},
		{Choice{Fields: []string{"speed_mean"}, Step: 20}, "--at 20 is a step, and speed_mean has means over time"},
	} {
		if _, _, err := d.find(c.choice); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.choice, err, c.want)
		}
	}
}

// Fields are known by what the case file calls them as well.
func TestFieldsAreKnownByTheNamesOfTheCaseFile(t *testing.T) {
	for name, want := range map[string]string{
		"velocity": "speed", "density": "density", "vorticity": "vorticity", "pressure": "pressure", "pressure_coefficient": "cp", "q_criterion": "q", "body": "body",
		"speed": "speed", "cp": "cp", "q": "q", "speed_mean": "speed_mean", "velocity_mean": "speed_mean", "fluctuation": "fluctuation", "heat": "", "": "",
	} {
		if got := FieldNamed(name); got != want {
			t.Errorf("%q stands for %q, want %q", name, got, want)
		}
	}
}
