package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Bounds of what one input may take.
const (
	mostSeconds = 5.0     // of processor time
	mostPerNode = 3e-7    // more of it, in seconds, for each node of a box with solids: all are marked, and their distance from walls is found where cells are packed
	mostWall    = 120.0   // seconds, for what waits instead of working
	mostBytes   = 2 << 30 // of memory, beyond what the program has before the first
)

// find gives a kind of input by its name.
func find(kinds []input, name string) (*input, error) {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i], nil
		}
	}
	return nil, fmt.Errorf("there is no input %q", name)
}

// nth is the i-th changed input.
func (in *input) nth(seed uint64, i int) sample {
	return in.changed(rand.New(rand.NewPCG(seed, uint64(i))))
}

// tally is what a worker counts.
type tally struct {
	Classes map[string]int `json:"classes"`
	Worst   float64        `json:"worst"` // seconds of processor time
	WorstAt int            `json:"worst_at"`
}

// work lets the program read changed inputs from … to − 1 and writes a line to standard
// output before each (b I NODES), after one that shows a fault (f I MESSAGE as JSON), and now
// and then and at the end its tally (t JSON). What it does not survive its parent sees.
func work(name, root string, seed uint64, from, to int) error {
	dir, err := workspace()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	kinds, err := inputs(dir, root)
	if err != nil {
		return err
	}
	in, err := find(kinds, name)
	if err != nil {
		return err
	}
	if err := boundMemory(); err != nil {
		return err
	}
	t := tally{Classes: map[string]int{}}
	out := os.Stdout
	report := func() {
		text, _ := json.Marshal(t)
		fmt.Fprintf(out, "t %s\n", text)
		t.Classes = map[string]int{}
	}
	for i := from; i < to; i++ {
		s := in.nth(seed, i)
		nodes := 0.
		if in.marked != nil {
			nodes = in.marked(s)
		}
		fmt.Fprintf(out, "b %d %g\n", i, nodes)
		before := processorTime()
		class, problem := in.tryOne(s)
		if took := processorTime() - before; took > t.Worst {
			t.Worst, t.WorstAt = took, i
		}
		if problem != nil {
			text, _ := json.Marshal(problem.Error())
			fmt.Fprintf(out, "f %d %s\n", i, text)
		}
		t.Classes[class]++
		if (i-from)%500 == 499 {
			report()
		}
	}
	report()
	return nil
}

// tryOne reads an input; a panic is a fault.
func (in *input) tryOne(s sample) (class string, problem error) {
	defer func() {
		if r := recover(); r != nil {
			class, problem = "panic", fmt.Errorf("panic: %v\n%s", r, place(debug.Stack()))
		}
	}()
	return in.read(s)
}

// place is where in this module a panic was raised.
func place(stack []byte) string {
	var at []string
	lines := bufio.NewScanner(strings.NewReader(string(stack)))
	for lines.Scan() {
		if text := lines.Text(); strings.HasPrefix(text, "lbmib/") && !strings.HasPrefix(text, "lbmib/validation/robustness") && len(at) < 6 {
			at = append(at, text)
		}
	}
	return strings.Join(at, "\n")
}

// boundMemory lets the process have so much address space more than it has.
func boundMemory() error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	pages, err := strconv.ParseUint(strings.Fields(string(text))[0], 10, 64)
	if err != nil {
		return err
	}
	limit := pages*uint64(os.Getpagesize()) + mostBytes
	return syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: limit})
}

// processorTime is what this process has used, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
