package transfer

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/driver"
	"lbmib/ib"
)

func plan(t *testing.T, s Selection) []Spec {
	t.Helper()
	specs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return specs
}

func TestDefaultRowsAreAllStrategiesBothWaysAndOrders(t *testing.T) {
	specs := plan(t, Selection{})
	if want := len(ib.TransferNames()) * 2 * 2; len(specs) != want {
		t.Fatalf("%d rows, want %d", len(specs), want)
	}
	for _, s := range specs {
		want := Problem{"cosine4", harness.Size{128, 128, 128}, true, 3, 65536, "random", 0, "f64", "cpu", s.Kernel}
		threads := runtime.GOMAXPROCS(0)
		if s.Algorithm == "serial" {
			threads = 1
		}
		if s.Kernel != "avx2" && s.Kernel != "go" || s.Problem != want || s.Threads != threads {
			t.Errorf("%v", &s)
		}
	}
}

func TestFlagsMakeTheirRows(t *testing.T) {
	for _, c := range []struct {
		s    Selection
		want string
	}{
		{Selection{Op: each("spread"), Order: each("new")}, "serial spread, order new, 65536 random points, cosine4, 128³ staggered, components 3, f64, threads 1"},
		{Selection{Op: each("spread"), Order: each("kept"), Grid: each("64x32"), Collocated: true}, "serial spread, order kept, 65536 random points, cosine4, 64×32 collocated, components 2, f64, threads 1"},
		{Selection{Order: each("set"), Grid: each("16"), Components: []int{1}, Collocated: true}, "serial set, 65536 random points, cosine4, 16³ collocated, components 1, f64, threads 1"},
		{Selection{Op: each("spread"), Order: each("new"), Distribution: each("rbc"), Box: []int{32}, Points: []int{7}, Precision: each("f32"), Delta: each("hat2")},
			"serial spread, order new, 7 rbc/32 points, hat2, 128³ staggered, components 3, f32, threads 1"},
		{Selection{Op: each("spread"), Order: each("new"), Staggered: true, Collocated: true, Points: []int{9}},
			"serial spread, order new, 9 random points, cosine4, 128³ staggered, components 3, f64, threads 1; " +
				"serial spread, order new, 9 random points, cosine4, 128³ collocated, components 3, f64, threads 1"},
	} {
		c.s.Algorithm = each("serial")
		var got []string
		for _, s := range plan(t, c.s) {
			got = append(got, s.String())
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("got %s\nwant %s", strings.Join(got, "; "), c.want)
		}
	}
}

func TestLayoutsAreThoseOfSerialOnAProcessor(t *testing.T) {
	count := map[string]int{}
	for _, s := range plan(t, Selection{Op: each("spread"), Order: each("new"), Layout: each("soa", "aos"), Threads: each(1)}) {
		count[s.Layout]++
		if s.Layout == aos && (s.Algorithm != "serial" || !strings.Contains(s.String(), ", markers aos, threads 1")) {
			t.Errorf("%v", &s)
		}
	}
	if count[aos] != 1 || count[soa] != len(ib.TransferNames()) {
		t.Errorf("rows by layout: %v", count)
	}
	if specs := plan(t, Selection{Layout: each("aos"), Order: each("new")}); len(specs) != 2 {
		t.Errorf("%d rows of aos alone, want both operations", len(specs))
	}
}

func TestSetIsOneRowWhateverTheOperations(t *testing.T) {
	specs := plan(t, Selection{Order: each("set"), Algorithm: each("serial", "sort-reduce"), Threads: []int{1}})
	if len(specs) != 2 || specs[0].Op != set || specs[1].Op != set {
		t.Errorf("got %v", specs)
	}
}

func TestBadFlagsSayWhatIsWrongAndWhatToDo(t *testing.T) {
	t.Setenv(driver.PathVariable, "/nowhere/libcuda.so.1")
	for _, c := range []struct {
		s    Selection
		says []string
	}{
		{Selection{Op: each("gather")}, each("--op gather", "interpolate, spread")},
		{Selection{Algorithm: each("radix")}, each("--algorithm radix", "sort-reduce")},
		{Selection{Delta: each("cosine5")}, each("--delta cosine5", "cosine4")},
		{Selection{Distribution: each("cloud")}, each("--distribution cloud", "sphere")},
		{Selection{Precision: each("f16")}, each("--precision f16", "f64, f32")},
		{Selection{Backend: each("cuda")}, each("--backend cuda", "no usable CUDA driver", "--backend cpu")},
		{Selection{Backend: each("hybrid")}, each("--backend hybrid", "choose one of cpu, cuda")},
		{Selection{Order: each("old")}, each("--order old", "kept")},
		{Selection{Grid: each("64x")}, each("--grid 64x", `""`, "128x128x128")},
		{Selection{Grid: each("-1")}, each("--grid -1", "positive")},
		{Selection{Grid: each("2x2x2x2")}, each("2x2x2x2", "4 numbers")},
		{Selection{Grid: each("3")}, each("--grid 3³", "cosine4 reaches over 4", "narrower delta")},
		{Selection{Grid: each("100000")}, each("--grid 100000³", "smaller grid")},
		{Selection{Points: []int{0}}, each("--points 0", "65536")},
		{Selection{Components: []int{2}}, each("--components 2", "3 axes", "--collocated")},
		{Selection{Components: []int{0}, Collocated: true}, each("--components 0", "between 1 and 64")},
		{Selection{Distribution: each("rbc"), Grid: each("64x64")}, each("rbc", "three axes")},
		{Selection{Box: []int{129}}, each("--box 129", "128")},
		{Selection{Box: []int{8}, Distribution: each("perturbed")}, each("--box 8", "perturbed")},
		{Selection{Threads: []int{100000}}, each("--threads 100000", "processors")},
		{Selection{Layout: each("soaos")}, each("--layout soaos", "one of soa, aos")},
		{Selection{Layout: each("aos"), Algorithm: each("atomic")}, each("--layout aos", "--algorithm serial", "layout soa")},
		{Selection{Layout: each("aos"), Collocated: true, Components: each(4)}, each("--components 4", "at most 3", "layout soa")},
		{Selection{Kernel: "sse"}, each("--kernel sse", "unknown")},
	} {
		_, err := c.s.Plan()
		for _, text := range c.says {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%+v: the error is %v, want it to say %q", c.s, err, text)
			}
		}
	}
}

func TestEveryFlagOfRowsIsToldFromThoseOfTables(t *testing.T) {
	all := Selection{Op: each("spread"), Delta: each("hat2"), Grid: each("64"), Distribution: each("sphere"), Box: each(1), Precision: each("f32"),
		Components: each(1), Staggered: true, Collocated: true, Order: each("new"), Backend: each("cpu"), Layout: each("aos")}
	seen := map[string]bool{}
	for f := all.RowFlag(); f != ""; f = all.RowFlag() {
		if seen[f] {
			t.Fatalf("%s again", f)
		}
		seen[f] = true
		switch f {
		case "--op":
			all.Op = nil
		case "--delta":
			all.Delta = nil
		case "--grid":
			all.Grid = nil
		case "--distribution":
			all.Distribution = nil
		case "--box":
			all.Box = nil
		case "--precision":
			all.Precision = nil
		case "--components":
			all.Components = nil
		case "--staggered":
			all.Staggered = false
		case "--collocated":
			all.Collocated = false
		case "--order":
			all.Order = nil
		case "--backend":
			all.Backend = nil
		case "--layout":
			all.Layout = nil
		}
	}
	if len(seen) != 12 {
		t.Errorf("told %v", seen)
	}
	if f := (&Selection{Algorithm: each("serial"), Points: each(1), Threads: each(1)}).RowFlag(); f != "" {
		t.Errorf("%s concerns tables, too", f)
	}
}

func TestEveryRowIsComparedWithASerialOne(t *testing.T) {
	specs := plan(t, Selection{Algorithm: each("sort-reduce"), Order: each("new", "set"), Threads: []int{1}})
	added := withSerial(specs)[len(specs):]
	var got []string
	for _, s := range added {
		got = append(got, fmt.Sprint(s.Algorithm, " ", s.Op, " ", s.Threads))
	}
	if want := each("serial interpolate 1", "serial spread 1", "serial set 1"); !slices.Equal(got, want) {
		t.Errorf("added %v, want %v", got, want)
	}
	if specs := plan(t, Selection{Algorithm: each("serial")}); len(withSerial(specs)) != len(specs) {
		t.Error("serial is measured twice")
	}
}

func TestARowReadFromJSONIsTheRow(t *testing.T) {
	specs, err := Selection{Grid: each("16", "32x24"), Points: each(300), Staggered: true, Collocated: true, Precision: each("f64", "f32"), Order: each(fresh, kept, set)}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range specs {
		want.spare = false // of no account once it is measured
		row := newRow(&want)
		text, err := json.Marshal(row)
		var back Row
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil {
			t.Fatal(err)
		}
		want.Problem.Kernel = "" // the row's is told
		if back.Spec != want || back.Kernel != row.Kernel {
			t.Errorf("%+v becomes %+v", want, back.Spec)
		}
	}
}
