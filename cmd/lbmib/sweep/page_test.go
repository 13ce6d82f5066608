package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/browser"
	"lbmib/io/page"
	"lbmib/run/setup"
)

// The runs of a sweep are on one page, in real Chromium: a list with what came of each, and the last one's report. With LBMIB_SHOTS a picture of it goes
// into that folder.
func TestTheRunsOfASweepAreOnOnePage(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test looks at pages")
	}
	s, err := page.Listen(page.Buttons{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	tab := browser.Open(t, s.URL(), browser.View{Width: 1100, Height: 800, Dark: true})
	tab.Until("document.querySelector('#status').innerText === 'setting up'")
	p, err := NewPlan(write(t, channel), []string{"output.plots=true"}, axesOf(t, "reference.reynolds=5,10,20"), filepath.Join(t.TempDir(), "sweep"), false, setup.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	var progress bytes.Buffer
	if _, err := p.Run(t.Context(), Options{Threads: 1, Progress: &progress, Page: s}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{
		"document.querySelectorAll('#sweep-rows tr').length === 3", "document.querySelector('#sweep-title').innerText.includes('3 of 3')",
		"[...document.querySelectorAll('#sweep-rows tr')].every(r => r.innerText.includes('done') && r.innerText.includes('middle.u'))",
		"[...document.querySelectorAll('#sweep-rows a')].map(a => a.getAttribute('href')).join() === 'report?run=0,report?run=1,report?run=2'",
		"document.querySelector('#note').innerText.includes('all runs have ended')", "document.querySelector('#stop').disabled",
		"document.querySelector('#report').contentDocument.body.innerText.includes('What was computed')",
		"document.querySelector('#charts-text').innerText.includes('u ')",
	} {
		tab.Until(what)
	}
	picture := tab.Shot()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Stay(ctx) // which tells the page that the program ends
	tab.Until("document.querySelector('#ending-stays').innerText.includes('ends now')")
	if s.Readers() != 0 {
		t.Error("the page has not left though it was told that the program ends")
	}
	if faults := tab.Faults(); len(faults) > 0 {
		t.Errorf("the page has faults: %q", faults)
	}
	if dir := os.Getenv("LBMIB_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "sweep.png"), picture, 0o644); err != nil {
			t.Error(err)
		}
	}
}
