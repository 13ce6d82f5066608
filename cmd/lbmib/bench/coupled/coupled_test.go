package coupled

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/bench/gauge"
)

// On few nodes bodies take most of a step: time of steps that are not counted would
// bring their share above one.
func TestTheShareOfBodiesIsThatOfTheTimedSteps(t *testing.T) {
	specs, err := Selection{Size: []string{"48x32"}, Diameter: []int{16}, VolumeFraction: []float64{0.52}, Algorithm: []string{"buffered-otf"}, Threads: []int{1}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	var l gauge.Limits
	defer l.Close()
	pure, with, err := prepare[float64](&Bench{}, &l, specs[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, share := rate(with, 1); !(share > 0 && share <= 1) {
			t.Fatalf("bodies take %g of a step", share)
		}
		if _, share := rate(pure, 1); share != 0 {
			t.Fatalf("no bodies take %g of a step", share)
		}
	}
}

func TestTheReportHasItsRowsAndThoseAskedFor(t *testing.T) {
	dir := t.TempDir()
	asked, err := Selection{Size: []string{"800x300"}, Diameter: []int{20}, Algorithm: []string{"serial", "atomic"}}.Plan()
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Effort: gauge.Effort{Repeats: 5}, Progress: io.Discard, measure: func(_ context.Context, s Spec) (Row, error) {
		r := newRow(s)
		r.Kernel = "go"
		if s.Algorithm == "atomic" {
			return r.without(gauge.Wrong, "force is off"), nil
		}
		r.take([]sample{{100, 90, 0.08}, {100, 95, 0.09}, {100, 92, 0.07}})
		return r, nil
	}}
	rows, all, err := b.Report(context.Background(), dir, gauge.Host{CPU: "Processor 9000"}, asked)
	if err != nil || len(rows) != 4 || len(all) != 4+2*3 {
		t.Fatalf("%d rows, %d in all, %v", len(rows), len(all), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "coupled.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Processor 9000", "| kernel | go |", "## Bodies in a stream", "## The rows asked for", "sort-reduce", "1600×600", "800×300",
		"8.0 | 5.0…10.0 | 8.00", "FAILED: force is off", "lbmib bench coupled --report DIR"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q:\n%s", want, text)
		}
	}
	failed, _ := gauge.Verdict(all)
	if failed != 2 {
		t.Errorf("%d rows failed, want 2", failed)
	}
	stopped := errors.New("stopped")
	b.measure = func(context.Context, Spec) (Row, error) { return Row{}, stopped }
	if _, _, err := b.Report(context.Background(), t.TempDir(), gauge.Host{}, asked); !errors.Is(err, stopped) {
		t.Errorf("the error is %v", err)
	}
}
