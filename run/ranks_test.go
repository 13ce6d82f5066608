package run

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/mpi"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/run/setup/setuptest"
)

// onRanks makes a run on so many ranks, each a goroutine; on one without any.
func onRanks(t *testing.T, ranks int, load func() *casefile.Case, o Options) error {
	t.Helper()
	if ranks == 1 {
		_, err := Run(t.Context(), load(), o)
		return err
	}
	var all []*casefile.Case
	for range ranks {
		all = append(all, load())
	}
	return mpi.Together(ranks, func(c mpi.Comm) error {
		of := o
		of.Ranks, of.Threads = &Ranks{Comm: c}, 1
		_, err := Run(t.Context(), all[c.Rank()], of)
		return err
	})
}

// sameRun compares all time series and the last state of two runs, bit by bit.
func sameRun(t *testing.T, dir, other string) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(other, filepath.Base(name)))
		if err != nil || !bytes.Equal(want, got) {
			t.Errorf("%s is another one, %v", filepath.Base(name), err)
		}
	}
	want, got := latest(t, dir), latest(t, other)
	if want.Step != got.Step || !slices.Equal(want.Names(), got.Names()) {
		t.Fatalf("step %d with %v, step %d with %v", want.Step, want.Names(), got.Step, got.Names())
	}
	for _, name := range want.Names() {
		a, err := want.Float64(name)
		if err != nil {
			continue // of some other kind: beside the state
		}
		if b, err := got.Float64(name); err != nil || !slices.Equal(a, b) {
			t.Errorf("%s of the state is another one", name)
		}
	}
}

func latest(t *testing.T, dir string) *checkpoint.Checkpoint {
	t.Helper()
	c, damaged, err := checkpoint.Latest(filepath.Join(dir, "checkpoint"))
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	return c
}

// Runs on any number of ranks, and in parts, have the same bits: of a stream around a cylinder, on nested grids, too, bodies that move freely, elastic cells,
// filaments and suspended ellipsoids.
func TestRanksHaveTheSameBits(t *testing.T) {
	shipped := func(name string, sets ...string) func() *casefile.Case {
		return func() *casefile.Case {
			c, err := casefile.Load(filepath.Join("..", "cases", name), sets)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	quiet := []string{"output.plots=false", "output.fields.every=0", "output.checkpoint.every=1e9"}
	for name, load := range map[string]func() *casefile.Case{
		"stream": func() *casefile.Case {
			return setuptest.Load(t, setuptest.StreamCase, append(quiet, "run.steps=60", "output.forces.every=0.02")...)
		},
		"held": func() *casefile.Case {
			return setuptest.Load(t, heldArray, append(quiet, "run.steps=60", "output.forces.every=0.05")...)
		},
		"discs":      shipped("sinking-discs.toml", append(quiet, "reference.resolution=8", "run.steps=60")...),
		"capsule":    shipped("capsule.toml", append(quiet, "reference.resolution=6", "run.steps=60", "output.cells.every=0.01")...),
		"drop":       shipped("capsule.toml", append(quiet, "reference.resolution=6", "run.steps=60", "output.cells.every=0.01", "body.0.motion.viscosity_ratio=5")...),
		"stiff":      shipped("capsule.toml", append(quiet, "reference.resolution=6", "run.steps=60", "output.cells.every=0.01", "body.0.motion.capillary=0.01", "body.0.motion.implicit=true")...),
		"drops":      shipped("rings.toml", append(quiet, "run.steps=60", "output.cells.every=0.01", "body.0.motion.viscosity_ratio=5")...),
		"flag":       shipped("flag.toml", append(quiet, "reference.resolution=12", "run.steps=60")...),
		"refined":    shipped("refined-cylinder.toml", append(quiet, "reference.resolution=8", "run.steps=42", "output.forces.every=0.1")...),
		"levels":     shipped("refined-sphere.toml", append(quiet, "reference.resolution=8", "run.steps=11", "output.forces.every=0.1")...),
		"settling":   shipped("refined-settling-sphere.toml", append(quiet, "reference.resolution=6", "run.steps=31")...),
		"suspension": shipped("suspension.toml", append(quiet, "run.steps=20")...),
		"runs": func() *casefile.Case {
			return setuptest.Load(t, setuptest.StreamCase, append(quiet, "run.steps=60", "output.forces.every=0.02", "fluid.storage=runs")...)
		},
		"vessel": shipped("stenosis.toml", append(quiet, "reference.resolution=10", "run.steps=40", "output.wall.every=0.04", "output.wall.from=0", "output.ports.every=0.01")...),
		"fed": func() *casefile.Case { // cells enter and leave through an oblique tube
			return setuptest.Load(t, fedTube(t, geometry.Vec{3, 2, 1}, 0.5, ""), "output.fields.every=0", "output.checkpoint.every=1e9", "output.cells.every=0.1")
		},
		"blood": shipped("blood-tube.toml", append(quiet, "reference.resolution=24", "run.steps=40", "suspension.0.material.mesh=162", "suspension.0.region.min=[0,0.1,0.1]",
			"suspension.0.discharge_hematocrit=0.2", "output.cells.every=0.01", "output.suspension.every=0.02")...),
		"rings": shipped("rings.toml", append(quiet, "run.steps=60", "output.cells.every=0.01")...),
		"windkessel": func() *casefile.Case {
			return setuptest.Load(t, windkessel(t), append(quiet, "run.steps=60", "output.ports.every=0.02")...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "fed" {
				t.Skip("thousands of steps: the stage test runs it")
			}
			dir := t.TempDir()
			out := func(ranks int) string { return filepath.Join(dir, fmt.Sprint(ranks)) }
			numbers := []int{1, 2, 3}
			if testing.Short() { // all that ranks do for each other two do
				numbers = numbers[:2]
			}
			for _, ranks := range numbers {
				if err := onRanks(t, ranks, load, Options{Out: out(ranks)}); err != nil {
					t.Fatal(err)
				}
				if ranks > 1 {
					sameRun(t, out(1), out(ranks))
				}
			}
			if testing.Short() {
				return
			}
			parts := func() *casefile.Case {
				c := load()
				c.Run.Parts = 4
				return c
			}
			if err := onRanks(t, 1, parts, Options{Out: out(4)}); err != nil {
				t.Fatal(err)
			}
			sameRun(t, out(1), out(4))
		})
	}
}

// windkessel is an oblique tube around a ball, beyond whose end an artery widens.
func windkessel(t *testing.T) string {
	text := tubeCase(t, geometry.Vec{2, 1, 0}, 1.5, 16, "[[solid]]\nname = \"ball\"\nshape = { type = \"sphere\", center = [0.7, 0.35, 0], diameter = 0.3 }\n")
	return strings.Replace(text, "type = \"pressure\"\n", "type = \"windkessel\"\nresistance = 2.0\ncapacitance = 0.05\n", 1)
}

// A run that was begun on some ranks goes on, with the same bits, on others.
func TestResumeOnOtherRanks(t *testing.T) {
	quiet := []string{"output.plots=false", "output.fields.every=0", "output.checkpoint.every=1e9"}
	written := func(text string) func(steps int) *casefile.Case {
		return func(steps int) *casefile.Case {
			return setuptest.Load(t, text, append(quiet, fmt.Sprintf("run.steps=%d", steps), "output.forces.every=0.02")...)
		}
	}
	shipped := func(name string, sets ...string) func(steps int) *casefile.Case {
		return func(steps int) *casefile.Case {
			c, err := casefile.Load(filepath.Join("..", "cases", name), append(append(quiet, fmt.Sprintf("run.steps=%d", steps)), sets...))
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
	}
	for name, load := range map[string]func(steps int) *casefile.Case{
		"stream": written(setuptest.StreamCase), "held": written(heldArray), "levels": written(setuptest.StreamCase + around), "windkessel": written(windkessel(t)),
		"cells": shipped("capsule.toml", "reference.resolution=6", "output.cells.every=0.01"), "discs": shipped("sinking-discs.toml", "reference.resolution=8"),
		"suspension": shipped("suspension.toml"), "drop": shipped("capsule.toml", "reference.resolution=6", "output.cells.every=0.01", "body.0.motion.viscosity_ratio=5"),
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "held" && name != "cells" {
				t.Skip("not with -short: the stage test runs it")
			}
			resumeOnOtherRanks(t, func(steps int) func() *casefile.Case { return func() *casefile.Case { return load(steps) } })
		})
	}
}

func resumeOnOtherRanks(t *testing.T, load func(steps int) func() *casefile.Case) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	if err := onRanks(t, 1, load(60), Options{Out: whole}); err != nil {
		t.Fatal(err)
	}
	for _, ranks := range [][2]int{{1, 3}, {3, 2}, {2, 1}} {
		out := filepath.Join(dir, fmt.Sprint(ranks))
		if err := onRanks(t, ranks[0], load(31), Options{Out: out}); err != nil {
			t.Fatal(err)
		}
		if err := onRanks(t, ranks[1], load(60), Options{Out: out, Resume: true}); err != nil {
			t.Fatal(err)
		}
		sameRun(t, whole, out)
	}
}

// What one rank cannot do ends all, each with the error; nothing is written.
func TestRanksThatCannotBeSetUp(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for says, c := range map[string]struct {
		text string
		sets []string
	}{
		"storage by runs on devices is not divided":  {setuptest.StreamCase, []string{"fluid.storage=runs", "run.backend=cuda"}},
		"a vessel on devices is not divided":         {windkessel(t), []string{"run.steps=1", "run.backend=cuda"}},
		"the fluid of backend hybrid is not divided": {setuptest.StreamCase, []string{"run.backend=hybrid"}},
		"5 parts on 2 ranks":                         {setuptest.StreamCase, []string{"run.parts=5"}},
	} {
		err := onRanks(t, 2, func() *casefile.Case { return setuptest.Load(t, c.text, append(c.sets, "output.fields.every=0")...) }, Options{Out: dir})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatal("something is written")
		}
	}
}

// An interruption leaves a checkpoint, ends all ranks, and the run goes on.
func TestRanksAreInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	load := func() *casefile.Case {
		return setuptest.Load(t, setuptest.StreamCase, "run.steps=40", "output.forces.every=0.02", "output.plots=false", "output.fields.every=0")
	}
	cancelled := [2]*casefile.Case{load(), load()}
	err := mpi.Together(2, func(c mpi.Comm) error {
		o := Options{Out: dir, Ranks: &Ranks{Comm: c}, Threads: 1, Report: nil}
		if c.Rank() == 0 {
			o.Progress = writerFunc(func([]byte) { cancel() }) // the first line comes before the first step
		}
		_, err := Run(ctx, cancelled[c.Rank()], o)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "interrupted at step") {
		t.Fatal(err)
	}
	if err := onRanks(t, 2, load, Options{Out: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
}

type writerFunc func([]byte)

func (w writerFunc) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}
