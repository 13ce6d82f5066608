package observe

import (
	"slices"
	"strings"
	"testing"

	"lbmib/io/casefile"
)

// A key that no case has would never be asked for; of outputs that are not of a table the order
// would be by the names of files.
func TestWhatIsRegisteredHasAKeyOfTheCaseFile(t *testing.T) {
	var order []string
	for _, k := range kinds() {
		if !strings.HasPrefix(k.key, "run.") && !slices.Contains(casefile.OutputNames(), k.key) {
			t.Errorf("%s is no output of the case file, which has %v", k.key, casefile.OutputNames())
		}
		order = append(order, k.key)
	}
	if first := []string{"run.stop_when.steady", "forces", "bodies"}; !slices.Equal(order[:3], first) {
		t.Errorf("outputs observe in the order %v, want %v first", order, first)
	}
}
