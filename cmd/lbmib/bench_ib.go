package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/transfer"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

type benchIBCommand struct {
	Case string `arg:"" optional:"" name:"case.toml" help:"A case of tethered points in a shear, such as cases/unstructured.toml: run and time it with every strategy."`
	transfer.Selection
	Kernel  string   `help:"Innermost loops: auto, avx2 or go; avx512 means avx2 here; auto takes the fastest that the CPU has. Default: the environment variable LBMIB_KERNEL, else auto." placeholder:"NAME"`
	Table   []string `help:"kassen1 to kassen5, ppm: this machine's numbers beside those of the papers; minutes each. kassen3 and kassen4 are the convergence of a sphere that relaxes in a fluid, by the same runs, some 5 minutes for both; --delta takes another than theirs." placeholder:"NAME"`
	Steps   int      `help:"Steps of a case or of the tables kassen1, kassen2 and kassen5 (default: the case's; 50 for tables, where the paper has 1000)." placeholder:"N"`
	Repeats int      `help:"Repeats of every measurement, of which the median counts (default: ${default}, the least)." default:"5" placeholder:"N"`
	Seconds float64  `help:"Seconds of calls in each repeat (default: ${default})." default:"0.1" placeholder:"S"`
	JSON    bool     `name:"json" help:"Print one JSON document on standard output and nothing else there."`
	Report  string   `help:"Also measure the rows of a report and all tables and write it to DIR/ib.md with its plots; some ten minutes." placeholder:"DIR"`
}

func (benchIBCommand) examples() []string {
	return []string{
		"lbmib bench ib",
		"lbmib bench ib --algorithm serial,sort-reduce --op spread --order new,kept,set --threads 1",
		"lbmib bench ib --grid 64 --distribution rbc --points 17664 --precision f32 --json",
		"lbmib bench ib cases/unstructured.toml --steps 10 --algorithm sort-reduce",
		"lbmib bench ib --table kassen1 --steps 20",
		"lbmib bench ib --table kassen3,kassen4",
		"lbmib bench ib --report bench.out",
	}
}

// ibPlan is what was asked for, checked.
type ibPlan struct {
	effort  harness.Effort
	specs   []transfer.Spec
	shorter transfer.Shorter
	test    *transfer.Unstructured
}

// Run measures. Bad flags are refused before anything is measured.
func (c *benchIBCommand) Run(s *surroundings) error {
	kernel, err := setup.ChooseKernel(c.Kernel)
	if err != nil {
		return err
	}
	c.Selection.Kernel = kernel.Name
	p, err := c.plan()
	if err != nil {
		return &exit.Error{Code: exit.BadCase, Err: err}
	}
	b := transfer.New(p.effort, s.stderr, kernel.Name)
	host := harness.ThisHost(version())
	rows, all, tables, err := c.measure(s.ctx, b, host, p)
	d := transfer.NewDocument(host, rows, tables)
	if err := s.tell(&d, c.JSON, err, fmt.Sprintf("%d rows and %d tables", len(rows), len(tables))); err != nil {
		return err
	}
	failed, refused := transfer.Verdict(all, tables)
	suspect := "the transfer is wrong"
	if converges(c.Table) {
		suspect = "orders of convergence are not what they should be, validation/ib/kassen.md says of which that is known"
	}
	return benchVerdict(failed, refused, suspect)
}

// measure measures what was asked for, and with --report other rows: all.
func (c *benchIBCommand) measure(ctx context.Context, b *transfer.Bench, host harness.Host, p *ibPlan) (rows, all []transfer.Row, tables []transfer.Table, err error) {
	switch {
	case c.Report != "":
		return b.Report(ctx, c.Report, host, p.specs, p.shorter)
	case p.test != nil:
		t, err := b.Case(ctx, p.test, filepath.Base(c.Case), p.shorter)
		if err == nil {
			tables = append(tables, t)
		}
		return nil, nil, tables, err
	case len(c.Table) > 0:
		tables, err = b.Tables(ctx, c.Table, p.shorter)
		return nil, nil, tables, err
	}
	rows, err = b.Run(ctx, p.specs)
	return rows, rows, nil, err
}

// plan checks the flags.
func (c *benchIBCommand) plan() (*ibPlan, error) {
	var p ibPlan
	var err error
	if p.effort, err = harness.NewEffort(c.Repeats, c.Seconds); err != nil {
		return nil, err
	}
	if err := c.together(); err != nil {
		return nil, err
	}
	for _, name := range c.Table {
		if !slices.Contains(transfer.TableNames, name) {
			return nil, fmt.Errorf("--table %s is unknown: choose %s", name, harness.OneOf(transfer.TableNames))
		}
	}
	rows := c.Selection
	if p.specs, err = rows.Plan(); err != nil { // of tables and cases, too: strategies and threads
		return nil, err
	}
	p.shorter = transfer.Shorter{Steps: c.Steps, Algorithms: c.Algorithm}
	if len(c.Threads) > 0 {
		if p.shorter.Threads, err = harness.Threads(c.Threads); err != nil {
			return nil, err
		}
	}
	if len(c.Delta) == 1 {
		p.shorter.Delta = c.Delta[0]
	}
	if c.Report == "" && len(c.Points) == 1 {
		p.shorter.Points = c.Points[0]
	}
	if c.Case != "" {
		p.test, err = transfer.LoadUnstructured(c.Case)
	}
	if err == nil && c.Report != "" {
		if err := os.MkdirAll(c.Report, 0o777); err != nil {
			return nil, fmt.Errorf("--report: %w: choose another directory", err)
		}
	}
	return &p, err
}

// together refuses flags that have no effect beside others.
func (c *benchIBCommand) together() error {
	test := c.Case != "" || len(c.Table) > 0
	rows := c.Selection
	if converges(c.Table) {
		rows.Delta = nil // is theirs, too
	}
	switch rowFlag := rows.RowFlag(); {
	case c.Steps < 0:
		return fmt.Errorf("--steps %d must be at least 1: 50 is usual", c.Steps)
	case c.Case != "" && len(c.Table) > 0:
		return fmt.Errorf("--table %s beside the case %s: ask for one or the other", c.Table[0], c.Case)
	case c.Report != "" && test:
		return errors.New("--report measures all tables: leave --table and the case out")
	case test && rowFlag != "":
		return fmt.Errorf("%s says what rows to measure, and tables and cases have none: leave it out", rowFlag)
	case test && len(c.Points) > 1:
		return fmt.Errorf("--points with %d numbers: a table or case takes one", len(c.Points))
	case converges(c.Table) && len(c.Delta) > 1:
		return fmt.Errorf("--delta with %d names: the tables kassen3 and kassen4 take one", len(c.Delta))
	case converges(c.Table) && c.Steps > 0:
		return fmt.Errorf("--steps %d shortens no table of convergence, whose time ends at 16 µs: leave it out beside kassen3 and kassen4", c.Steps)
	case converges(c.Table) && len(c.Algorithm) > 0:
		return fmt.Errorf("--algorithm %s: the tables kassen3 and kassen4 depend on none but for rounding: leave it out", c.Algorithm[0])
	case converges(c.Table) && len(c.Points) > 0:
		return fmt.Errorf("--points %d: the tables kassen3 and kassen4 have the paper's: leave it out", c.Points[0])
	case c.Steps > 0 && !test && c.Report == "":
		return fmt.Errorf("--steps %d goes with --table, --report or a case: rows take --repeats and --seconds", c.Steps)
	}
	return nil
}

// converges tells whether a table of convergence is asked for.
func converges(tables []string) bool {
	return slices.Contains(tables, "kassen3") || slices.Contains(tables, "kassen4")
}
