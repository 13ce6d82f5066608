package harness

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMedianIsTheMiddle(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}, {[]float64{7}, 7}} {
		if got := Median(c.of); got != c.want {
			t.Errorf("median is %g, want %g", got, c.want)
		}
	}
}

func TestEffortsThatSayLittleAreRefused(t *testing.T) {
	if e, err := NewEffort(7, 0.25); err != nil || e.Repeats != 7 || e.Step != 250*time.Millisecond {
		t.Errorf("%+v, %v", e, err)
	}
	for _, c := range []struct {
		repeats int
		seconds float64
		says    string
	}{{4, 1, "--repeats 4 must be at least 5"}, {5, 0, "--seconds 0"}, {5, 61, "at most 60"}, {5, math.NaN(), "NaN"}} {
		if _, err := NewEffort(c.repeats, c.seconds); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d repeats of %g s: %v", c.repeats, c.seconds, err)
		}
	}
}

func TestChecksFailAboveTheirBoundAndAtNaN(t *testing.T) {
	checks := []Check{{Name: "a", Value: 1, Bound: 1}, {Name: "b", Value: 2, Bound: 1}, {Name: "c", Value: math.NaN(), Bound: 1}}
	if got, want := Failed(checks), "b is 2, must not exceed 1; c is NaN, must not exceed 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if Failed(checks[:1]) != "" {
		t.Error("a value at its bound fails")
	}
}

func TestThreadsAreThoseOfTheMachine(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	if got, err := Threads(nil); err != nil || !slices.Equal(got, []int{all}) {
		t.Errorf("no flag gives %v, %v", got, err)
	}
	if got, err := Threads([]int{1, 0, all}); err != nil || !slices.Equal(got, Unique([]int{1, all})) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, n := range []int{-1, all + 1} {
		if _, err := Threads([]int{n}); err == nil || !strings.Contains(err.Error(), "0 takes all") {
			t.Errorf("%d threads: %v", n, err)
		}
	}
	if some := SomeThreads(); some[0] != 1 || some[len(some)-1] != all || !slices.IsSorted(some) || len(Unique(some)) != len(some) {
		t.Errorf("some are %v of %d", some, all)
	}
}

func TestCombinationsAreAllAndOnce(t *testing.T) {
	type pair struct{ a, b int }
	got := Expand(Expand([]pair{{}}, []int{1, 2}, func(p *pair, v int) { p.a = v }), []int{3, 4}, func(p *pair, v int) { p.b = v })
	if !slices.Equal(got, []pair{{1, 3}, {1, 4}, {2, 3}, {2, 4}}) {
		t.Errorf("got %v", got)
	}
	if got := Unique([]string{"b", "a", "b"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("got %v", got)
	}
}

func TestChoicesAreTheUsualOrAllowed(t *testing.T) {
	given, none := []string{"x"}, []string(nil)
	err := Choose([]Choice{{Flag: "--a", Given: &given, Allowed: []string{"x"}}, {Flag: "--b", Given: &none, Allowed: []string{"y", "z"}, Usual: []string{"z"}}})
	if err != nil || !slices.Equal(none, []string{"z"}) {
		t.Errorf("%v, %v", none, err)
	}
	given = []string{"w"}
	if err := Choose([]Choice{{Flag: "--a", Given: &given, Allowed: []string{"x"}}}); err == nil || err.Error() != "--a w is unknown: choose x" {
		t.Errorf("%v", err)
	}
}

func TestAxesAreCountsOfNodes(t *testing.T) {
	if n, err := Axes("--grid", "64×32x16", ""); err != nil || !slices.Equal(n, []int{64, 32, 16}) {
		t.Errorf("%v, %v", n, err)
	}
	for _, text := range []string{"", "0", "-4", "4x", "4.5", "4 5", "+4", "4k", "99999999999999999999"} {
		if _, err := Axes("--grid", text, "64"); err == nil || !strings.Contains(err.Error(), "--grid "+text) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTheHeadOfAReportNamesTheMachine(t *testing.T) {
	h := ThisHost("1.2.3")
	h.Memory = 0
	var b strings.Builder
	h.WriteHead(&b, "Title", [][2]string{{"more", "text"}})
	for _, want := range []string{"# Title\n", h.CPU, "memory of unknown size", "1.2.3", h.Date, "| more | text |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the head does not say %q:\n%s", want, b.String())
		}
	}
}

func TestTheWorseIsLargerOrNoNumber(t *testing.T) {
	if Worse(1, 2) != 2 || Worse(2, 1) != 2 || !math.IsNaN(Worse(math.NaN(), 1)) || !math.IsNaN(Worse(1, math.NaN())) {
		t.Error("a larger value or one that is no number is passed over")
	}
}
