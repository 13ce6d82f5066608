package casefile

import (
	"strings"
	"testing"
)

// TestOfTwoFacesTheOneThatWasGivenLastIsBlamed: a face of an override where the other is of the file, with the place of the other.
func TestOfTwoFacesTheOneThatWasGivenLastIsBlamed(t *testing.T) {
	walls := strings.NewReplacer(`bottom = { type = "free-slip" }`, `bottom = { type = "periodic" }`, `top    = { type = "free-slip" }`, `top    = { type = "periodic" }`).Replace(cylinder)
	for _, c := range []struct{ text, set, want string }{
		{cylinder, `domain.boundary.right={type="periodic"}`, `--set domain.boundary.right={type="periodic"}: is periodic but left (line 18) is velocity, must be both: make left periodic, too, or neither`},
		{cylinder, `domain.boundary.right.type=periodic`, `--set domain.boundary.right.type=periodic: is periodic but left (line 18) is velocity`},
		{walls, `domain.boundary.top={type="no-slip"}`, `--set domain.boundary.top={type="no-slip"}: is no-slip but bottom (line 20) is periodic, must be both: make top periodic, too, or neither`},
	} {
		_, err := Parse("case.toml", []byte(c.text), []string{c.set})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.set, err, c.want)
		}
	}
}
