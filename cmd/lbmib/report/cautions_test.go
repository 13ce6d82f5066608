package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lbmib/cmd/lbmib/report"
)

// The page tells what the numbers are worth, once: what is a warning, too, is told as that.
func TestThePageTellsCautionsAndWhatTheFlowDid(t *testing.T) {
	dir := leave(t, swinging, "output.plots=false")
	for _, edit := range [][3]string{{"summary.json", `"cautions": [`, `"cautions": ["unsafe: the field is noise", `}, {"manifest.json", `"exit_status"`, `"warnings": ["the field is noise"], "exit_status"`}} {
		path := filepath.Join(dir, edit[0])
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), edit[1]) != 1 {
			t.Fatalf("%v, %s", err, text)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), edit[1], edit[2], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path, err := report.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"caution: Mach number 0.173, of U, is above 0.1": 1, "largest Mach number": 1, "grid noise": 1, "error of the drag": 1, "the field is noise": 1} {
		if n := strings.Count(string(page), text); n != want {
			t.Errorf("the page has %q %d times, want %d", text, n, want)
		}
	}
}
