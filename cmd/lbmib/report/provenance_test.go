package report

import "testing"

// The command that does a run again asks for the grids that were taken when it was begun, also after a resume that did not.
func TestTheCommandHasTheGridsThatWereTaken(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		grids     string
		want      string
	}{
		{[]string{"run", "c.toml", "--resume"}, "", "lbmib run c.toml"},
		{[]string{"run", "c.toml", "--resume"}, "refine=[]", "lbmib run c.toml --refine auto"},
		{[]string{"run", "c.toml", "--refine", "auto"}, "refine=[]", "lbmib run c.toml --refine auto"},
	} {
		d := Record{Manifest: Manifest{Arguments: c.arguments, Grids: c.grids}}
		if got := d.commands(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: %q, want %q", c.arguments, got, c.want)
		}
	}
}
