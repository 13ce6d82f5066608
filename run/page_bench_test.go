package run

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"lbmib/io/casefile"
)

// pageToRead is a variable with the address of a page: a test program that has it is a reader of that page, and nothing else.
const pageToRead = "LBMIB_TEST_READS_PAGE"

// readPage asks a page for what an open browser does, until the program is killed: news, with each word of progress the rows of the drag that are new, and twice a second at most
// a picture.
func readPage(url string) {
	w := &watcher{}
	w.Jar, _ = cookiejar.New(nil)
	answer, err := w.Get(url)
	if err != nil {
		panic(err)
	}
	answer.Body.Close()
	w.folder = answer.Request.URL.String()
	go func() {
		for {
			w.fetch("slice?quantity=vorticity&axis=2&at=6&signed=1")
			time.Sleep(500 * time.Millisecond)
		}
	}()
	news, err := w.Get(w.folder + "events")
	if err != nil {
		panic(err)
	}
	var rows struct { // that it has
		Mark   string
		From   int
		Arrays []struct{ Length int }
	}
	have := 0
	lines := bufio.NewScanner(news.Body)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		if lines.Text() != "event: progress" {
			continue
		}
		text := w.fetch(fmt.Sprintf("series?table=forces.csv&of=cylinder&column=cd&column=cl&from=%d&mark=%s", have, rows.Mark))
		if len(text) < 4 {
			continue // no row yet
		}
		if err := json.Unmarshal(text[4:4+binary.LittleEndian.Uint32(text)], &rows); err != nil {
			panic(err)
		}
		have = rows.From + rows.Arrays[0].Length
	}
}

// fetch is what a path is answered with.
func (w *watcher) fetch(path string) []byte {
	answer, err := w.Get(w.folder + path)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return text
}

// processorTime is what the process has spent, in all threads.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPageShare is the share of the processor time of a step that a page takes which a reader, another process, looks at: stretches of steps of cases/cylinder.toml with
// the page and without it alternate, every other pair in the other order, and each pair gives a difference. An iteration is a pair; the
// uncertainty is 1.96 standard errors of the mean. While the page is away its clock stands still, or it would make up for that.
func BenchmarkPageShare(b *testing.B) {
	const steps = 200
	c, err := casefile.Load("../cases/cylinder.toml", nil)
	if err != nil {
		b.Fatal(err)
	}
	s, _ := watch(b)
	o := Options{Out: b.TempDir(), Page: s, Threads: 1}
	o.apply(c)
	j, err := prepare(c, o)
	if err != nil {
		b.Fatal(err)
	}
	r := j.(*run[float64])
	defer r.close()
	if _, _, err := r.open(); err != nil {
		b.Fatal(err)
	}
	r.Sim.Fluid.Initialize(r.Initial())
	r.progress.start(0, r.Units.Dt)
	v := newLivePage(r)
	reader := exec.Command(os.Args[0], "-test.run=^$")
	reader.Env = append(os.Environ(), pageToRead+"="+s.URL())
	if err := reader.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = reader.Process.Kill(); _ = reader.Wait() }()
	for deadline := time.Now().Add(time.Minute); s.Readers() == 0 || !s.Wanted(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatal("nobody reads the page")
		}
	}
	row := []any{0., int64(0), "cylinder", 1.4, 0.1}
	stretch := func(paged bool) time.Duration {
		begun, wall := processorTime(b), time.Now()
		for range steps {
			r.Sim.Step()
			r.Step++
			if !paged {
				continue
			}
			if r.Step%10 == 0 { // as often as forces.csv has a row
				row[0], row[1] = r.Time(), r.Step
				s.Row("forces.csv", []string{"t", "step", "body", "cd", "cl"}, row)
			}
			if v.Due(r.Step) {
				if err := v.Observe(); err != nil {
					b.Fatal(err)
				}
			}
		}
		if away := time.Since(wall); !paged {
			v.told, v.pace.next = v.told.Add(away), v.pace.next.Add(away)
		}
		return processorTime(b) - begun
	}
	for range 4 { // until the costs of pictures are known
		stretch(true)
		stretch(false)
	}
	pictures := v.pictures.of
	var n, without, sum, squares float64
	for b.Loop() {
		first := int(n)%2 == 0
		x, y := stretch(first), stretch(!first)
		if first {
			x, y = y, x
		}
		d := y.Seconds() - x.Seconds()
		n, without, sum, squares = n+1, without+x.Seconds(), sum+d, squares+d*d
	}
	b.ReportMetric(without/n/steps*1e6, "µs/step")
	b.ReportMetric(100*sum/without, "%_of_step")
	if n > 1 {
		deviation := math.Sqrt((squares - sum*sum/n) / (n - 1))
		b.ReportMetric(100*1.96*deviation*math.Sqrt(n)/without, "±%")
	}
	b.ReportMetric(float64(v.pictures.of-pictures), "pictures")
}
