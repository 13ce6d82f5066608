package observe

import (
	"os"
	"strings"
	"testing"

	"lbmib/run/rundir"
	"lbmib/run/setup/setuptest"
)

// A table goes on with the columns that it was begun with: an older version knew none in SI, and fewer others.
func TestATableGoesOnWithTheColumnsThatItHas(t *testing.T) {
	columns := []string{"t", "step", "probe", "rho", "u", "v", "p"}
	for _, c := range []struct{ name, header, row string }{
		{"this version's", "t,step,probe,rho,u,v,p,t_s,u_m_per_s,v_m_per_s,p_Pa", "0.5,7,a,1,2,3,4,0.01,1,1.5,900"},
		{"without SI", "t,step,probe,rho,u,v,p", "0.5,7,a,1,2,3,4"},
		{"without the pressure", "t,step,probe,rho,u,v", "0.5,7,a,1,2,3"},
	} {
		dir := rundir.Dir{Path: t.TempDir()}
		if err := os.WriteFile(dir.File("x.csv"), []byte(c.header+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		saved := &Saved{}
		saved.Offsets.Set("x.csv", int64(len(c.header)+1))
		p := setuptest.Problem(t, setuptest.StreamCase, "reference.length=1 cm", "reference.speed=0.5 m/s", "reference.density=900")
		state := NewState[float64](p)
		state.Dir = dir
		o := &Outputs[float64]{State: &state, resumed: saved}
		table, err := o.Table("x.csv", columns, 0, 1)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := table.Append(0.5, int64(7), "a", 1., 2., 3., 4.); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		table.Close()
		text, err := os.ReadFile(dir.File("x.csv"))
		if want := c.header + "\n" + c.row + "\n"; err != nil || string(text) != want {
			t.Errorf("%s: %v: the table is %q, want %q", c.name, err, text, want)
		}
	}
	if names, _ := columnsInSI(forcesFile, []string{"t", "fx", "tx", "tz", "curvature"}, setuptest.Problem(t, setuptest.StreamCase).Units); len(names) > 0 {
		t.Errorf("without anchors there are %s", strings.Join(names, ", "))
	}
}
