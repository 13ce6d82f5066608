package run

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/browser"
	"lbmib/io/casefile"
	"lbmib/io/page"
	"lbmib/run/exit"
)

// onPage is a run in progress with a browser at its page.
type onPage struct {
	*browser.Tab
	page  *page.Server
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
	ctx, cancel := context.WithCancel(t.Context())
	asked := &Requests{}
	s, _ := watchWith(t, page.Buttons{Checkpoint: func() { asked.Checkpoint() }, Stop: cancel})
	o := &onPage{page: s, stop: cancel, ended: make(chan error, 1)}
	out := filepath.Join(t.TempDir(), "run.out")
	go func() {
		_, err := Run(ctx, c, Options{Out: out, Page: s, Threads: 1, Requests: asked})
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

// coloursAt counts the colours of a rectangle in a picture of a page.
func coloursAt(t *testing.T, shot []byte, rectangle any) int {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	var r [4]int
	for i, v := range rectangle.([]any) {
		r[i] = int(v.(float64))
	}
	all := map[color.Color]bool{}
	for y := r[1]; y < r[1]+r[3]; y++ {
		for x := r[0]; x < r[0]+r[2]; x++ {
			all[picture.At(x, y)] = true
		}
	}
	return len(all)
}

// set gives a control a value as a reader does.
func (o *onPage) set(id, value string) {
	o.Eval(fmt.Sprintf("%s.value = %q, %[1]s.dispatchEvent(new Event('input')), %[1]s.dispatchEvent(new Event('change'))", id, value))
}

// grids takes the boxes of nested grids off the picture and puts them on again.
func (o *onPage) grids(t *testing.T) {
	o.Eval("live.click()") // so that the picture stays
	o.Until("!live.checked && !document.querySelector('#grids-label').hidden")
	pixels := "document.querySelector('#slice').toDataURL()"
	with := o.Eval(pixels)
	o.Eval("grids.click()")
	without := o.Eval(pixels)
	o.Eval("grids.click()")
	if with == without || o.Eval(pixels) != with {
		t.Error("the picture is the same with and without the boxes of the grids, or another when they are there again")
	}
	o.Eval("live.click()")
}

// units has series in SI and back.
func (o *onPage) units(t *testing.T) {
	text := "document.querySelector('#charts-text').innerText"
	o.Until("!document.querySelector('#si-label').hidden && /At t = [^ ]* L.U: cd [^ ]*, cl /.test(" + text + ")")
	o.Eval("document.querySelectorAll('#columns input')[0].click()") // fx
	o.Until("/ L.U: fx [^ ]*, cd /.test(" + text + ")")
	o.Eval("document.querySelector('#si').click()")
	// An L/U is 2 s, and ρU²/2 L is 1.25e-4 N/m.
	told := o.Eval("(" + text + ").match(/At t = ([^ ]*) s: fx ([^ ]*) N.m, cd ([^ ]*), cl/).slice(1).map(x => Number(x.replace('−', '-')))").([]any)
	fx, cd := told[1].(float64), told[2].(float64)
	if math.Abs(fx/cd/1.25e-4-1) > 2e-3 { // four digits
		t.Errorf("at %v s a drag of %v is %v N/m, want 1.25e-4 of it", told[0], cd, fx)
	}
	o.Eval("document.querySelectorAll('#columns input')[0].click()")
	o.Until("/At t = [^ ]* s: cd /.test(" + text + ")")
}

// lives shows a place that two cells have had, one after the other.
func (o *onPage) lives(t *testing.T) {
	columns := []string{"t", "step", "body", "x", "number"}
	for k := range int64(40) {
		if k >= 15 && k < 25 {
			continue // nobody is there
		}
		o.page.Row("fed.csv", columns, []any{float64(k), k, "cell0", float64(k % 25), k / 20})
	}
	o.Until("[...table.options].some(o => o.value === 'fed.csv')")
	o.set("table", "fed.csv")
	o.Until("document.querySelector('#charts-text').innerText.includes('x 14. 2 have entered under this name, one after the other')")
	got := fmt.Sprint(o.Eval("import('./series.js').then(s => JSON.stringify([s.broken([1, 2, 6, 7], [[5, 6, 7, 8]], [0, 0, 3, 3]), s.broken([1, 9], [[5, 6]], null), s.scaled([1, null, NaN], 2)]))"))
	if want := `[{"t":[1,2,4,6,7],"values":[[5,6,null,7,8]],"lives":2},{"t":[1,9],"values":[[5,6]],"lives":1},[2,null,null]]`; got != want {
		t.Errorf("rows are broken to %s, want %s", got, want)
	}
}

// plane moves the plane of the picture and gives its colours a range.
func (o *onPage) plane(t *testing.T) {
	text := "document.querySelector('#slice-text').innerText"
	o.set("axis", "0")
	o.Until(text + ".includes(' on x = ')")
	first := o.Eval("document.querySelector('#at-text').innerText")
	o.set("at", "0.5")
	o.Until(text + ".includes(' on x = 0.5') || " + text + ".includes(' on x = 0.4')") // the layer of nodes nearest to it
	if now := o.Eval("document.querySelector('#at-text').innerText"); now == first || now != "x = 0.5 L" {
		t.Errorf("the place of the plane is told as %v, before as %v", now, first)
	}
	o.Eval("auto.click()")
	o.Until("!from.disabled && !to.disabled")
	o.set("from", "1000")
	o.set("to", "1001")
	value := "document.querySelector('#slice-value').innerText"
	o.Until("document.querySelector('#slice').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' })), " + value + ".includes('1000 U or beyond')")
	o.Eval("auto.click()")
	o.Until("from.disabled && Number(to.value) < 1000")
	o.Until("!" + value + ".includes('1000') && " + value + ".includes(' U.')") // what is told is of the picture that is there
}

// resized counts the colours in which bodies in space are drawn in the very frame in which the page gets another width: what is cleared then must not be seen.
const resized = `new Promise(done => {
	const s = document.querySelector('#stage'), c = Object.assign(document.createElement('canvas'), { width: 300, height: 200 }), d = c.getContext('2d')
	s.style.width = '280px'
	new ResizeObserver((_, me) => { // after that of the page
		if (s.clientWidth > 281) return
		me.disconnect()
		d.drawImage(s.querySelector('canvas'), 0, 0, c.width, c.height)
		const p = d.getImageData(0, 0, c.width, c.height).data, all = new Set()
		for (let i = 0; i < p.length; i += 4) all.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2])
		s.style.width = ''
		done(all.size)
	}).observe(s)
})`

// buttons asks for a checkpoint, and for a stop: first without meaning it.
func (o *onPage) buttons() {
	note := "document.querySelector('#note').innerText"
	o.Eval("checkpoint.click()")
	o.Until("pressed.innerText.includes('a checkpoint is written after the step at hand')")
	o.Until(note + ".includes('as asked; the run goes on')")
	o.Eval("document.querySelector('#stop').click()")
	o.Until("!sure.hidden && document.querySelector('#stop').hidden && sure.innerText.includes('Stop with a checkpoint?') && document.activeElement.id === 'stop-no'")
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
		also  func(*onPage, *testing.T)
	}{
		{"cylinder", "../cases/refined-cylinder.toml", browser.View{Width: 1280, Height: 900}, []string{"reference.resolution=16", "run.time=100000", `reference.length="1 cm"`, `reference.speed="0.5 cm/s"`, `reference.density="1000 kg/m^3"`},
			[]string{painted("#slice") + " > 100", "document.querySelector('#chart canvas')", "facts.innerText.includes('MFLUPS')", "document.querySelector('#charts-text').innerText.includes('cd ')",
				"getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'", "verdicts.innerText.includes('Mach number')", "space.hidden", "slice.getAttribute('aria-label').includes('vorticity')"}, func(o *onPage, t *testing.T) { o.grids(t); o.units(t) }},
		{"vessel", "../cases/stenosis.toml", browser.View{Width: 1280, Height: 900, Dark: true}, []string{"reference.resolution=8", "run.time=100000"},
			[]string{painted("#slice") + " > 50", "document.querySelector('#charts-text').innerText.includes('flow_rate')", "document.querySelector('#stage canvas')", "document.querySelector('#space-text').innerText.startsWith('Drag')",
				"getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 27)'", "axis.options.length === 3"}, (*onPage).plane},
		{"cells", "../cases/capsule.toml", browser.View{Width: 390, Height: 844}, []string{"reference.resolution=6", "run.time=100000", "output.cells.every=0.01"},
			[]string{painted("#slice") + " > 50", "document.querySelector('#charts-text').innerText.includes('deformation')", "document.querySelector('#space-text').innerText.includes('tension')",
				"document.documentElement.scrollWidth <= 390"}, (*onPage).lives},
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
			if c.also != nil {
				c.also(o, t)
			}
			o.buttons()
			picture := o.Shot() // with the question
			if o.Eval("!space.hidden") == true {
				if n := o.Eval(resized); n.(float64) < 20 {
					t.Errorf("when the page gets another width, the bodies in space are drawn in %v colours", n)
				}
				if n := coloursAt(t, picture, o.Eval("[...(r => [r.left + scrollX, r.top + scrollY, r.width, r.height])(stage.getBoundingClientRect())]")); n < 20 {
					t.Errorf("the bodies in space are drawn in %d colours", n)
				}
			}
			o.Eval("document.querySelector('#stop-no').click()")
			o.Until("sure.hidden && !document.querySelector('#stop').hidden && document.activeElement.id === 'stop'")
			select {
			case err := <-o.ended:
				t.Fatalf("the run ends though nobody says yes: %v", err)
			default:
			}
			o.Eval("document.querySelector('#stop').click(), document.querySelector('#stop-yes').click()")
			o.Until("pressed.innerText.includes('the run stops after the step at hand, with a checkpoint') && document.querySelector('#stop').disabled && checkpoint.disabled")
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
