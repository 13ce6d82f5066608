package cases_test

import (
	"math"
	"testing"

	"lbmib/internal/finite"
	"lbmib/run"
)

// The cases of the gallery, coarse and short: each must do what its comment says.
func TestGallery(t *testing.T) {
	body := func(s *run.Summary, name string) run.BodySummary {
		b, ok := s.Bodies[name]
		if !ok {
			t.Fatalf("%s: the summary has no body %q", s.Case, name)
		}
		return b
	}
	for _, c := range []struct {
		file string
		sets []string
		does string
		ok   func(s *run.Summary) bool
	}{
		{"counter-rotating.toml", []string{"reference.resolution=12", "run.time=4"}, "the cylinders turn by ±3 rad/(L/U) in opposite directions",
			func(s *run.Summary) bool {
				l, r := number(body(s, "left").Spin), number(body(s, "right").Spin)
				return math.Abs(l-3) < 0.01 && math.Abs(r+3) < 0.01
			}},
		{"airfoil.toml", []string{"reference.resolution=24", "run.time=3"}, "lift is upwards and larger than drag",
			func(s *run.Summary) bool {
				b := body(s, "airfoil")
				return float64(b.CdMean) > 0 && float64(b.ClMean) > float64(b.CdMean)
			}},
		{"oscillating-cylinder.toml", []string{"reference.resolution=10", "run.time=1.25"}, "after a quarter of a period it is KC/2π to the left",
			func(s *run.Summary) bool {
				return math.Abs(float64(body(s, "cylinder").Position[0])-(5-5/(2*math.Pi))) < 1e-6
			}},
		{"turbine.toml", []string{"reference.resolution=24", "run.time=1.2"}, "the stream turns the rotor anticlockwise, and its axle stays",
			func(s *run.Summary) bool {
				b := body(s, "rotor")
				return number(b.Angle) > 0.1 && math.Abs(float64(b.Position[0])-2) < 1e-9 && math.Abs(float64(b.Position[1])-2) < 1e-9
			}},
		{"stenosis.toml", []string{"reference.resolution=14", "run.time=8", "output.wall={every=8}", "output.slices=[]"}, "what enters leaves by the two branches, less by the narrow one",
			func(s *run.Summary) bool {
				in, narrow, wide := float64(s.Ports["inlet"].FlowRate), -float64(s.Ports["outlet1"].FlowRate), -float64(s.Ports["outlet2"].FlowRate)
				return math.Abs(in-math.Pi/4) < 0.02 && math.Abs(narrow+wide-in) < 0.01*in && narrow > 0.1 && wide > 1.5*narrow
			}},
		{"coronary.toml", []string{"reference.resolution=16", "run.time=2", "output.wall={every=2}", "output.slices=[]"}, "a beating flow leaves by four branches, and pressure builds up behind each",
			func(s *run.Summary) bool {
				for _, name := range []string{"outlet1", "outlet2", "outlet3", "outlet4"} {
					if p := s.Ports[name]; float64(p.FlowRate) > -0.01 || float64(p.Pressure) < 0.1 {
						return false
					}
				}
				return float64(s.Ports["inlet"].FlowRate) > 0.2
			}},
		{"refined-cylinder.toml", []string{"reference.resolution=8", "run.time=6", `body.0.shape.center=[4.0, 4.0]`, "domain.size=[16.0, 8.0]"}, "drag is that of a cylinder in a stream, on three levels",
			func(s *run.Summary) bool {
				return float64(body(s, "cylinder").CdMean) > 1.2 && float64(body(s, "cylinder").CdMean) < 2.2 && s.Nodes < 8192/2
			}},
		{"refined-channel.toml", []string{"reference.resolution=20", "reference.reynolds=20", "domain.size=[22.0, 4.0]", "run.time=6"}, "drag is that of a cylinder in a channel, on three levels, of which one goes from wall to wall",
			func(s *run.Summary) bool {
				return float64(body(s, "cylinder").CdMean) > 4.5 && float64(body(s, "cylinder").CdMean) < 7 && s.Nodes < 440*80/3
			}},
		{"refined-sphere.toml", []string{"reference.resolution=8", "run.time=4"}, "drag is that of a sphere in a stream, on a fortieth of the nodes",
			func(s *run.Summary) bool {
				return float64(body(s, "sphere").CdMean) > 0.9 && float64(body(s, "sphere").CdMean) < 1.4 && s.Nodes < 160*128*128/40
			}},
		{"refined-settling-sphere.toml", []string{"reference.resolution=9", "run.time=0.8"}, "the sphere falls, within the column of finer nodes",
			func(s *run.Summary) bool {
				v := body(s, "sphere").Velocity
				return float64(v[1]) < -0.3 && math.Abs(float64(v[0])) < 1e-3 && math.Abs(float64(v[2])) < 1e-3
			}},
		{"flag.toml", []string{"reference.resolution=16", "run.time=4"}, "its tip stays at its length from the hinge, and is not where it began",
			func(s *run.Summary) bool {
				f := s.Filaments["flag"]
				return math.Hypot(float64(f.Tip[0]), float64(f.Tip[1])) > 0.8 && float64(f.Strain) < 1e-3 && math.Abs(float64(f.Tip[1])-0.309) > 0.02
			}},
		{"flag3d.toml", []string{"reference.resolution=10", "run.time=1.7", "run.soft_start=0", "domain.size=[4,2,2]", "domain.origin=[-1,-1,-1]"}, "the stream has swung it through, its leading edge stays and its strain is small",
			func(s *run.Summary) bool {
				f := s.Sheets["flag"]
				return math.Hypot(float64(f.Tip[0]), float64(f.Tip[1])) > 0.7 && float64(f.Strain) < 0.02 && float64(f.Tip[1]) < -0.05 && math.Abs(float64(f.Tip[2])) < 1e-3
			}},
		{"rings.toml", []string{"reference.resolution=10", "run.time=1.5"}, "all rings go with the flow and keep the area that they enclose",
			func(s *run.Summary) bool {
				for _, c := range s.Cells {
					if !(float64(c.Velocity[0]) > 0.1 && math.Abs(float64(c.VolumeDrift)) < 0.01) {
						return false
					}
				}
				return len(s.Cells) == 6
			}},
		{"tandem-flags.toml", []string{"reference.resolution=16", "run.time=4"}, "both tips stay at their length from their hinges, 2 L apart, and both have swung down",
			func(s *run.Summary) bool {
				for name, hinge := range map[string]float64{"first": 0, "second": 2} {
					f := s.Filaments[name]
					if !(math.Hypot(float64(f.Tip[0])-hinge, float64(f.Tip[1])) > 0.9 && float64(f.Strain) < 1e-3 && float64(f.Tip[1]) < 0.25) {
						return false
					}
				}
				return len(s.Filaments) == 2
			}},
		{"capsule-constriction.toml", []string{"reference.resolution=5", "domain.size=[7.4,5,3.4]", "body.0.shape.center=[3.2,2.5,1.7]", "run.time=4"}, "the capsule goes through the slit, drawn out along it and narrower than it, and keeps its volume",
			func(s *run.Summary) bool {
				c := s.Cells["capsule"]
				return float64(c.Position[0]) > 5 && float64(c.Extent[0]) > 2.5 && float64(c.Extent[1]) < 1.7 && math.Abs(float64(c.Position[1])-2.5) < 1e-3 && math.Abs(float64(c.VolumeDrift)) < 0.01
			}},
		{"stretched-cell.toml", []string{"reference.resolution=10", "body.0.motion.mesh=252", "run.time=1.5"}, "the tweezers draw the cell out along x and it gets narrower, in its place",
			func(s *run.Summary) bool {
				c := s.Cells["cell"]
				return float64(c.Extent[0]) > 1.5 && float64(c.Extent[1]) < 0.85 && math.Abs(float64(c.Position[0])-1.53125) < 1e-3 && math.Abs(float64(c.AreaDrift)) < 0.01
			}},
		{"tank-treading.toml", []string{"reference.resolution=10", "reference.velocity=0.03", "body.0.motion.mesh=252", "run.time=4"}, "the membrane turns with the shear, the cell keeps its angle to it",
			func(s *run.Summary) bool {
				c := s.Cells["cell"]
				return float64(c.Tread) < -0.8 && float64(c.Inclination) > 0.2 && float64(c.Inclination) < 0.6 && math.Abs(float64(c.VolumeDrift)) < 1e-4
			}},
		{"sinking-discs.toml", []string{"reference.resolution=8", "run.time=6"}, "discs sink, the larger and heavier one fastest",
			func(s *run.Summary) bool {
				heavy, light := float64(body(s, "heavy").Velocity[1]), float64(body(s, "disc-7").Velocity[1])
				return heavy < light && light < 0
			}},
		{"stirred-vessel.toml", []string{"reference.resolution=24", "run.time=3", `output.probes=[{name="outside", at=[0.02, 0.02]}, {name="inside", at=[1.7, 1.2]}]`},
			"the vessel keeps the flow from the fluid behind it", nil},
		{"red-cells.toml", []string{"reference.resolution=10", "run.time=1"}, "all cells go with the flow",
			func(s *run.Summary) bool {
				for _, b := range s.Bodies {
					if !(float64(b.Velocity[0]) > 0.05) {
						return false
					}
				}
				return len(s.Bodies) == 4
			}},
		{"suspension.toml", []string{"reference.resolution=16", "suspension.0.semi_axes=[0.1,0.1,0.03125]", "suspension.0.strength=1e-4", "run.time=1"}, "the suspension flows, slower than the fluid alone would",
			func(s *run.Summary) bool {
				return s.Status == "done" && float64(s.MachMax) > 0.01 && float64(s.MachMax) < 0.09
			}},
		{"blood-tube.toml", []string{"reference.resolution=20", "suspension.0.discharge_hematocrit=0.1", "suspension.0.material.mesh=162", "run.time=0.5"}, "cells flow faster than the plasma, and keep away from the wall",
			func(s *run.Summary) bool {
				v := s.Suspension
				return v != nil && v.Cells == 5 && float64(v.Discharge) > 1.05*float64(v.Hematocrit) && float64(v.Layer) > 0.05 && float64(v.Viscosity) > 1 && float64(v.VolumeDrift) < 0.01
			}},
		{"torus.toml", []string{"reference.resolution=16", "run.time=2"}, "turned with its top away from the stream, the ring is pushed up",
			func(s *run.Summary) bool {
				b := body(s, "ring")
				return float64(b.CdMean) > 0.5 && float64(b.ClMean) > 0
			}},
	} {
		s, dir := runCase(t, c.file, append(c.sets, "output.plots=false", "output.fields.every=0")...)
		if c.ok == nil {
			out, in := math.Hypot(last(t, dir, "outside", "u"), last(t, dir, "outside", "v")), math.Hypot(last(t, dir, "inside", "u"), last(t, dir, "inside", "v"))
			if !(out < 0.1*in) {
				t.Errorf("%s: speed %g outside, %g inside: %s", c.file, out, in, c.does)
			}
			continue
		}
		if s.Status != "done" || !c.ok(s) {
			t.Errorf("%s: %s, bodies %+v: %s", c.file, s.Status, s.Bodies, c.does)
		}
	}
}

// number is a number of a summary, NaN if it is none.
func number(v any) float64 {
	if n, ok := v.(finite.Number); ok {
		return float64(n)
	}
	return math.NaN()
}
