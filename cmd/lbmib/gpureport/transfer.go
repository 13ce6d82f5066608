package gpureport

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cmd/lbmib/bench/transfer"
)

// cores of the processor that the device is held against.
const cores = 2

// processorStrategies are those that may be its best.
var processorStrategies = []string{"auto", "sort-reduce", "blocks"}

// transferUnits are interpolation and spreading of many points at new places in every
// call, on device and processor.
func transferUnits(scope scope) []unit {
	s := transfer.Selection{Grid: []string{"128"}, Points: []int{1 << 20}, Order: []string{"new"}, Threads: []int{min(cores, runtime.GOMAXPROCS(0))}}
	switch {
	case scope.tiny:
		s.Grid, s.Points, s.Threads = []string{"16"}, []int{500}, []int{1}
	case scope.quick:
		s.Points = []int{1 << 18}
	}
	onDevice, onProcessor := s, s
	onDevice.Backend = []string{"cuda"}
	onProcessor.Algorithm = processorStrategies
	measure := func(s transfer.Selection) func(*job) error {
		return func(j *job) error {
			specs, err := s.Plan()
			if err != nil {
				return err
			}
			j.strategies(specs, 0.1)
			return nil
		}
	}
	return []unit{{"on the device", measure(onDevice)}, {"on the processor", measure(onProcessor)}}
}

// together is the item in which all strategies take turns.
const together = "all strategies in turn"

// strategies measures rows of one problem, in turn; where that comes to nothing, since one
// of them takes the device with it, each strategy alone.
func (j *job) strategies(specs []transfer.Spec, seconds float64) {
	b := transfer.New(j.effort(seconds), discard, "")
	measure := func(specs []transfer.Spec) (any, error) {
		rows, err := b.Run(j.ctx, specs)
		if fault := j.fault(); err == nil && fault != nil && len(byStrategy(specs)) > 1 {
			return nil, fmt.Errorf("the device was lost, and each strategy is measured alone: %w", fault)
		}
		for _, r := range rows {
			if err == nil {
				err = wrongRow(r.State(), r.Why())
			}
		}
		return rows, err
	}
	j.make(together, func() (any, error) { return measure(specs) })
	if i := j.unit.item(together); i == nil || len(i.Data) > 0 {
		return
	}
	all := byStrategy(specs)
	names := []string{together}
	for _, of := range all {
		names = append(names, of[0].Algorithm)
	}
	j.plan(names)
	for _, of := range all {
		j.make(of[0].Algorithm, func() (any, error) { return measure(of) })
	}
}

// byStrategy are the rows of each strategy.
func byStrategy(specs []transfer.Spec) (all [][]transfer.Spec) {
	for _, s := range specs {
		i := slices.IndexFunc(all, func(of []transfer.Spec) bool { return of[0].Algorithm == s.Algorithm })
		if i < 0 {
			all = append(all, nil)
			i = len(all) - 1
		}
		all[i] = append(all[i], s)
	}
	return all
}

// gatherTransfer compares the best of the device with the best of the processor, where
// all of the processor's strategies were measured.
func gatherTransfer(g *gathering) {
	rows := dataOf[transfer.Row](g.Units)
	best, measured := map[string]map[string]float64{"cuda": {}, "cpu": {}}, map[string]int{}
	for i := range rows {
		r := &rows[i]
		if r.Status != harness.OK {
			continue
		}
		if r.Backend == "cpu" && slices.Contains(processorStrategies, r.Algorithm) {
			measured[r.Op]++
		}
		if of := best[r.Backend]; of[r.Op] == 0 || r.Ms < of[r.Op] {
			of[r.Op] = r.Ms
		}
	}
	for _, op := range []string{"interpolate", "spread"} {
		device, processor := best["cuda"][op], best["cpu"][op]
		if device == 0 || measured[op] < len(processorStrategies) {
			continue
		}
		g.printf("- %s: %.3f ms on the device, %.2f ms on %d processor cores, each by its best strategy: %.1f times as fast\n", op, device, processor, cores, processor/device)
		if !g.tiny && !g.quick {
			g.Values[op] = processor / device
		}
	}
	g.printf("\n")
	transfer.RowTable.WriteMarkdown(&g.text, rows)
}

// shorter is the paper's table as short as a scope wants it.
func shorter(s scope) transfer.Shorter {
	if s.tiny {
		return transfer.Shorter{Steps: 1, Points: 300}
	}
	return transfer.Shorter{}
}

// kassenUnits are the grids of the paper's table.
func kassenUnits(s scope) (all []unit) {
	for _, n := range transfer.KassenRefinements(shorter(s)) {
		all = append(all, unit{fmt.Sprintf("%d³", n), func(j *job) error {
			specs, err := transfer.KassenOnDevice(n, shorter(j.scope))
			if err != nil {
				return err
			}
			j.strategies(specs, 0.05)
			return nil
		}})
	}
	return all
}

func gatherKassen(g *gathering) {
	rows := dataOf[transfer.Row](g.Units)
	t := transfer.KassenDeviceTable(rows, shorter(g.scope))
	var text strings.Builder
	t.WriteMarkdown(&text)
	g.printf("%s", strings.ReplaceAll(text.String(), "\n## ", "\n### "))
}
