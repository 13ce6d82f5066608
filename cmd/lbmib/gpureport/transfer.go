package gpureport

import (
	"errors"
	"runtime"
	"strings"

	"lbmib/cmd/lbmib/bench/gauge"
	"lbmib/cmd/lbmib/bench/transfer"
)

// errWrong is of rows that are in the report with their reasons.
var errWrong = errors.New("some rows failed their checks or were refused, see below")

// cores of the processor that the device is held against.
const cores = 2

// transfer measures interpolation and spreading of many points at new places in every
// call, on device and processor.
func (j *job) transfer() error {
	s := transfer.Selection{Grid: []string{"128"}, Points: []int{1 << 20}, Order: []string{"new"}, Threads: []int{min(cores, runtime.GOMAXPROCS(0))}}
	switch {
	case j.tiny:
		s.Grid, s.Points, s.Threads = []string{"16"}, []int{500}, []int{1}
	case j.quick:
		s.Points = []int{1 << 18}
	}
	onDevice, onProcessor := s, s
	onDevice.Backend = []string{"cuda"}
	onProcessor.Algorithm = []string{"auto", "sort-reduce", "blocks"}
	b := transfer.Bench{Effort: j.effort(0.1), Progress: j.progress}
	var rows []transfer.Row
	for _, pick := range []transfer.Selection{onDevice, onProcessor} {
		specs, err := pick.Plan()
		if err != nil {
			return err
		}
		more, err := b.Run(j.ctx, specs)
		rows = append(rows, more...)
		j.keep(rows)
		if err != nil {
			transfer.WriteMarkdown(&j.text, rows)
			return err
		}
	}
	best := map[string]map[string]float64{"cuda": {}, "cpu": {}}
	for _, r := range rows {
		if of := best[r.Backend]; r.Status == gauge.OK && (of[r.Op] == 0 || r.Ms < of[r.Op]) {
			of[r.Op] = r.Ms
		}
	}
	for _, op := range []string{"interpolate", "spread"} {
		device, processor := best["cuda"][op], best["cpu"][op]
		if device == 0 || processor == 0 {
			continue
		}
		j.printf("- %s: %.3f ms on the device, %.2f ms on %d processor cores, each by its best strategy: %.1f times as fast\n", op, device, processor, cores, processor/device)
		if !j.tiny && !j.quick {
			j.out.Values[op] = processor / device
		}
	}
	j.printf("\n")
	transfer.WriteMarkdown(&j.text, rows)
	if wrong, refused := gauge.Verdict(rows); wrong+refused > 0 {
		return errWrong
	}
	return nil
}

// kassen measures the paper's table.
func (j *job) kassen() error {
	b := transfer.Bench{Effort: j.effort(0.05), Progress: j.progress}
	short := transfer.Shorter{}
	if j.tiny {
		short = transfer.Shorter{Steps: 1, Points: 300}
	}
	t, err := b.KassenOnDevice(j.ctx, short)
	j.keep(t)
	var text strings.Builder
	t.WriteMarkdown(&text)
	j.printf("%s", strings.ReplaceAll(text.String(), "\n## ", "\n### "))
	if wrong, refused := gauge.Verdict(t.Rows); err == nil && wrong+refused > 0 {
		return errWrong
	}
	return err
}
