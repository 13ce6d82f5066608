// Package checking lets a conformance suite run in a program as well as in tests:
// what it tells its findings to is an interface that package testing and a Program
// both meet.
package checking

import (
	"fmt"
	"runtime"
	"strings"
)

// T is a test, or a part of a program that checks, with the meaning that methods of
// these names have in package testing.
type T interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
	Run(name string, f func(T)) bool
}

// Finding is a check that a Program has made.
type Finding struct {
	Name   string
	Failed []string // what was wrong; none: nothing
}

// Program makes checks in a program.
type Program struct {
	// Each is told every check of the first level, as it ends; nil: nobody is.
	Each func(Finding)
	// Skip tells which checks of the first level are left out; nil: none are.
	Skip func(name string) bool
}

// Run makes the checks of f, which are the parts that it runs, and returns what they
// found. A panic in a part is its failure.
func (p Program) Run(name string, f func(T)) (all []Finding) {
	top := &check{name: name, skip: p.Skip}
	top.ended = func(c *check) {
		found := Finding{Name: c.name, Failed: c.failed}
		all = append(all, found)
		if p.Each != nil {
			p.Each(found)
		}
	}
	top.do(f)
	if len(top.failed) > 0 && len(all) == 0 {
		top.ended(top)
	}
	return all
}

// check is a part of a program that checks.
type check struct {
	name    string
	failed  []string
	cleanup []func()
	skip    func(string) bool
	ended   func(*check) // of parts of the first level; nil below, as skip
}

func (*check) Helper()             {}
func (*check) Logf(string, ...any) {}
func (c *check) Cleanup(f func())  { c.cleanup = append(c.cleanup, f) }
func (c *check) Fatal(args ...any) { c.Fatalf("%s", fmt.Sprint(args...)) }
func (c *check) Errorf(format string, args ...any) {
	c.failed = append(c.failed, fmt.Sprintf(format, args...))
}

// Fatalf ends the goroutine that do has started for this part.
func (c *check) Fatalf(format string, args ...any) {
	c.Errorf(format, args...)
	runtime.Goexit()
}

// Run makes a part, whose failures are this one's, too.
func (c *check) Run(name string, f func(T)) bool {
	if c.skip != nil && c.skip(name) {
		return true
	}
	part := &check{name: name}
	part.do(f)
	for _, text := range part.failed {
		c.failed = append(c.failed, name+": "+text)
	}
	if c.ended != nil {
		c.ended(part)
	}
	return len(part.failed) == 0
}

// do makes the checks of f and cleans up.
func (c *check) do(f func(T)) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			for i := len(c.cleanup) - 1; i >= 0; i-- {
				c.cleanup[i]()
			}
		}()
		defer func() {
			if r := recover(); r != nil {
				c.Errorf("panic: %v", r)
			}
		}()
		f(c)
	}()
	<-ended
}

// String is a finding in a line.
func (f Finding) String() string {
	if len(f.Failed) == 0 {
		return "ok " + f.Name
	}
	return "FAILED " + f.Name + ": " + strings.Join(f.Failed, "; ")
}

// Allocations is the least number of allocations in a call of f, after one that is not
// counted. It is the process's: nothing else should be going on. 0 while Racing.
func Allocations(f func()) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	if runtime.ReadMemStats(&after); Racing {
		return 0
	}
	return float64(after.Mallocs - before.Mallocs)
}
