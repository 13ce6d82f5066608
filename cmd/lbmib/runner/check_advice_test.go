package runner

import (
	"strings"
	"testing"

	"lbmib/io/casefile"
)

// Check, a run and the note after a divergence say the same about a Reynolds number that the grid
// does not resolve: values that pass the check, a turbulence model, or no.
func TestAdviceEndsInACaseThatRunsOrInANo(t *testing.T) {
	for _, c := range []struct {
		name string
		sets []string
		of   string // the first proposal; empty: none
		says string
	}{
		{"finer grid", []string{"reference.reynolds=500"}, "safe", "reference.resolution=100"},
		{"model", []string{"reference.reynolds=3e4"}, "modelled", "--set fluid.les.type=smagorinsky --set fluid.les.constant=0."},
		{"operator beside the model", []string{"reference.reynolds=500", "fluid.collision=mrt", `fluid.les={type="smagorinsky", constant=0.1}`}, "safe", "fluid.collision=bgk"},
		{"no", []string{"reference.reynolds=1e9"}, "", "no: at Re = 1e+09 this case runs on no grid"},
	} {
		path := inEmpty(t, streamCase)
		r := look(path, c.sets)
		first := ""
		if len(r.Proposals) > 0 {
			first = r.Proposals[0].Name
			again := look(path, append(c.sets, r.Proposals[0].Set...))
			if again.Err() != nil || again.trouble() == Unsafe {
				t.Errorf("%s: what is proposed is judged %s: %v", c.name, again.Verdict, again.Errors)
			}
		}
		cas, err := casefile.Load(path, c.sets)
		if err != nil {
			t.Fatal(err)
		}
		before, after := advice(cas, false), advice(cas, true)
		if first != c.of || before != after || !strings.Contains(before, c.says) {
			t.Errorf("%s: check proposes %q, a run says %q, after a divergence %q; want %q, …%s…", c.name, first, before, after, c.of, c.says)
		}
		if len(r.Proposals) == 0 && before != r.Note {
			t.Errorf("%s: check says %q, a run %q", c.name, r.Note, before)
		}
		for _, p := range r.Proposals[:min(1, len(r.Proposals))] {
			if !strings.Contains(before, strings.Join(p.Set, " --set ")) {
				t.Errorf("%s: a run says %q, check %v", c.name, before, p.Set)
			}
		}
	}
}

// What diverged with the values that are proposed is not told to take them.
func TestAFlowThatDivergedWithWhatIsProposedIsToldToLookElsewhere(t *testing.T) {
	path := inEmpty(t, streamCase)
	r := look(path, []string{"reference.reynolds=500"})
	for _, p := range r.Proposals {
		cas, err := casefile.Load(path, append([]string{"reference.reynolds=500"}, p.Set...))
		if err != nil {
			t.Fatal(err)
		}
		if text := advice(cas, true); strings.Contains(text, strings.Join(p.Set, " --set ")) {
			t.Errorf("with %s: %q", p.Name, text)
		}
	}
}
