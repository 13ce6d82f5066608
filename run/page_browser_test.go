package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/browser"
	"lbmib/io/casefile"
	"lbmib/run/exit"
)

// onPage is a run in progress with a browser at its page.
type onPage struct {
	*browser.Tab
	stop  context.CancelFunc
	ended chan error
}

// show runs a case and opens its page.
func show(t *testing.T, file string, v browser.View, sets ...string) *onPage {
	t.Helper()
	c, err := casefile.Load(file, append(sets, "output.plots=false"))
	if err != nil {
		t.Fatal(err)
	}
	s, _ := watch(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := &onPage{stop: cancel, ended: make(chan error, 1)}
	out := filepath.Join(t.TempDir(), "run.out")
	go func() {
		_, err := Run(ctx, c, Options{Out: out, Page: s, Threads: 1})
		o.ended <- err
	}()
	t.Cleanup(func() { cancel(); <-o.ended })
	o.Tab = browser.Open(t, s.URL(), v)
	return o
}

// painted counts the colours that a canvas has.
func painted(id string) string {
	return fmt.Sprintf(`(() => {
		const c = document.querySelector('%s'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, all = new Set()
		for (let i = 0; i < d.length; i += 4) all.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2])
		return all.size
	})()`, id)
}

// Pages as they are seen, in real Chromium: nothing is refused, thrown or missing. With LBMIB_SHOTS the pictures of them go into that folder.
func TestPagesInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test looks at pages")
	}
	for _, c := range []struct {
		name  string
		file  string
		view  browser.View
		sets  []string
		until []string
	}{
		{"cylinder", "../cases/cylinder.toml", browser.View{Width: 1280, Height: 900}, []string{"reference.resolution=12", "run.time=100000"},
			[]string{painted("#slice") + " > 100", "document.querySelector('#chart canvas')", "facts.innerText.includes('MFLUPS')", "document.querySelector('#charts-text').innerText.includes('cd ')",
				"getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'", "verdicts.innerText.includes('Mach number')", "space.hidden", "slice.getAttribute('aria-label').includes('vorticity')"}},
		{"vessel", "../cases/stenosis.toml", browser.View{Width: 1280, Height: 900, Dark: true}, []string{"reference.resolution=8", "run.time=100000"},
			[]string{painted("#slice") + " > 50", "document.querySelector('#charts-text').innerText.includes('flow_rate')", "document.querySelector('#stage canvas')", "document.querySelector('#space-text').innerText.startsWith('Drag')",
				"getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'", "axis.options.length === 3"}},
		{"cells", "../cases/capsule.toml", browser.View{Width: 390, Height: 844}, []string{"reference.resolution=6", "run.time=100000", "output.cells.every=0.01"},
			[]string{painted("#slice") + " > 50", "document.querySelector('#charts-text').innerText.includes('deformation')", "document.querySelector('#space-text').innerText.includes('tension')",
				"document.documentElement.scrollWidth <= 390"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := show(t, c.file, c.view, c.sets...)
			for _, what := range c.until {
				o.Until(what)
			}
			if c.view.Width > 600 {
				o.Eval("quantity.value = 'speed', quantity.dispatchEvent(new Event('change'))")
				o.Until("document.querySelector('#slice-text').innerText.startsWith('speed')")
			}
			picture := o.Shot()
			o.stop()
			err := <-o.ended
			o.ended <- err
			if exit.Code(err) != exit.Interrupted {
				t.Errorf("the run ended with %v", err)
			}
			if faults := o.Faults(); len(faults) > 0 {
				t.Errorf("the page has faults: %q", faults)
			}
			if dir := os.Getenv("LBMIB_SHOTS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, c.name+".png"), picture, 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
