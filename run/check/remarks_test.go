package check

import (
	"fmt"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A hundred bodies that are too small, in a hundred tables or in one, are one remark of each kind, which names the worst.
func TestRemarksAboutManyBodiesAreOne(t *testing.T) {
	bodies := func(n int) string {
		var all []string
		for i := range n {
			diameter := 0.5
			if i == 7 {
				diameter = 0.4
			}
			all = append(all, fmt.Sprintf(`{name="rod%d", shape={type="circle", center=[%g,%g], diameter=%g}}`, i, 1.5+float64(i%10), 1.5+float64(i/10), diameter))
		}
		return "body=[" + strings.Join(all, ",") + "]"
	}
	sets := []string{"domain.size=[14.0,12.0]", "reference.resolution=8", "reference.reynolds=20"}
	for set, want := range map[string][]string{
		bodies(100): {`length of bodies "rod7" (the worst), "rod0" and 98 others, 3.2 nodes, is fewer than 5`, `boundary layer of bodies`},
		bodies(2):   {`length of bodies "rod0" (the worst) and "rod1", 4 nodes, is fewer than 5`},
		`body=[{name="rod", shape={type="circle", center=[1.5,1.5], diameter=0.5}, array={count=[10,10], step=[1.0,1.0]}}]`: {`and 98 others, 4 nodes`},
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), append(sets, set))
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		all := RemarksOn(r.problem, nil)
		text := ""
		for _, m := range all {
			text += m.Text + "\n"
		}
		if strings.Count(text, "length of") != 1 || len(all) > 6 {
			t.Errorf("%d remarks:\n%s", len(all), text)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("there is no %q in\n%s", w, text)
			}
		}
	}
}
