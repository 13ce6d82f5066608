package main

import (
	"embed"
	"os"
	"path/filepath"
	"slices"
)

//go:embed cases/*.toml
var caseFiles embed.FS

// scenario is something that the program is asked to do, and how it is asked to go on
// after whatever ended it.
type scenario struct {
	name string
	text string   // of case.toml; empty: there is none
	args []string // but for how to begin: --resume, --overwrite or neither
	kind kind
	over []string // arguments of an earlier run that the first one replaces
}

type kind int

const (
	runs kind = iota // lbmib run, which leaves "run"
	sweeps
	validates
)

// scenarios are what is killed, and what loses its power.
func scenarios() []scenario {
	plane, space, discs, ball := caseText("plane"), caseText("space"), caseText("discs"), caseText("ball")
	run := func(name, text string, sets ...string) scenario {
		s := scenario{name: name, text: text, args: []string{"run", "case.toml", "--quiet"}}
		for _, set := range append([]string{"output.plots=false"}, sets...) {
			s.args = append(s.args, "--set", set)
		}
		return s
	}
	replacing := run("run --overwrite, 2D", plane)
	replacing.over = append(slices.Clone(replacing.args), "--set", "reference.reynolds=30")
	pictures := run("run with pictures, 2D", plane, "run.time=6.0")
	pictures.args = append(pictures.args, "--set", "output.plots=true")
	return []scenario{
		run("run, 2D f64", plane),
		run("run, 2D f32", plane, "fluid.precision=f32"),
		run("run, 2D f32/f16", plane, "fluid.precision=f32/f16"),
		run("run, 2D f64, two steps per sweep", plane, "fluid.steps_per_sweep=2", "fluid.streaming=inplace"),
		run("run, 2D f32/f16, two steps per sweep", plane, "fluid.precision=f32/f16", "fluid.steps_per_sweep=2", "fluid.streaming=inplace"),
		run("run, 3D f64", space),
		run("run, 3D f32", space, "fluid.precision=f32"),
		run("run, 3D f32/f16", space, "fluid.precision=f32/f16"),
		run("run, free discs, 2D f64", discs),
		run("run, free discs, 2D f32", discs, "fluid.precision=f32"),
		run("run, free ball, 3D f64", ball),
		replacing,
		pictures,
		{name: "sweep", text: plane, kind: sweeps, args: []string{"sweep", "case.toml", "--quiet", "--out", "run",
			"--set", "run.time=6.0", "--set", "output.plots=false", "--over", "reference.reynolds=20,30,40"}},
		{name: "validate taylor-green", kind: validates, args: []string{"validate", "taylor-green", "--quick", "--out", "run"}},
	}
}

func caseText(name string) string {
	text, err := caseFiles.ReadFile("cases/" + name + ".toml")
	if err != nil {
		panic(err) // embedded
	}
	return string(text)
}

// place makes a directory in which the scenario can begin, and whatever it replaces.
func (s *scenario) place(p *program, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if s.text != "" {
		if err := os.WriteFile(filepath.Join(dir, "case.toml"), []byte(s.text), 0o666); err != nil {
			return err
		}
	}
	if s.over == nil {
		return nil
	}
	return p.do(dir, s.over...).want(0)
}

// first is the command that begins the scenario.
func (s *scenario) first() []string {
	if s.over != nil {
		return with(s.args, "--overwrite")
	}
	return s.args
}

// next is the command that goes on after an interruption.
func (s *scenario) next() []string {
	if s.kind == runs {
		return with(s.args, "--resume")
	}
	return s.args
}

func with(args []string, more ...string) []string { return append(slices.Clone(args), more...) }
