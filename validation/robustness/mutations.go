package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// mutations lets the program read so many changed inputs of a kind, in processes that are
// ended when one input takes too long or too much.
func (h *harness) mutations(in *input, n int) row {
	r := row{Part: "mutations", What: in.name, begun: time.Now(), Detail: map[string]int{}}
	w := &watch{harness: h, in: in, row: &r, alike: map[string]int{}}
	if h.most > 0 {
		w.until = r.begun.Add(h.most)
	}
	var all sync.WaitGroup
	part := share(n, h.jobs)
	for from := 0; from < n; from += part {
		all.Go(func() { w.read(from, min(n, from+part)) })
	}
	all.Wait()
	if r.Count < n && !w.until.IsZero() {
		r.Detail["asked for, and time was up"] = n
	} else if r.Count < n {
		r.fail("%d of %d inputs were read", r.Count, n)
	}
	maps.Copy(r.Detail, w.alike)
	return r.end()
}

// watch sees to the workers of one kind of input.
type watch struct {
	*harness
	in    *input
	row   *row
	until time.Time // when time is up; zero: never

	sync.Mutex
	alike map[string]int // faults by what they say first
}

// chunk is how many inputs a worker reads: then the time is looked at.
const chunk = 5000

// read has inputs from … to − 1 read, by one worker after the other: a worker that an
// input ends is followed by one that begins behind it. It ends when time is up.
func (w *watch) read(from, to int) {
	for from < to && (w.until.IsZero() || time.Now().Before(w.until)) {
		last, err := w.worker(from, min(to, from+chunk))
		if err != nil {
			w.Lock()
			w.row.fail("a worker: %v", err)
			w.Unlock()
			return
		}
		from = last + 1
	}
}

// pace is what a worker has told.
type pace struct {
	sync.Mutex
	at    int       // the input that it reads
	since time.Time // when it began it
	cpu   float64   // processor seconds of the worker then, at the latest
	seen  bool      // the watch has looked at it since
	most  float64   // processor seconds that it may take
}

// worker runs a worker and gives the last input that it began: to − 1, or the one that
// it did not survive.
func (w *watch) worker(from, to int) (last int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, "-worker", w.in.name, "-root", w.root, "-seed", fmt.Sprint(w.seed), "-from", fmt.Sprint(from), "-to", fmt.Sprint(to))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOMEMLIMIT=1GiB", "LBMIB_ROBUSTNESS_WORKER=1")
	cmd.SysProcAttr = withParent()
	var stderr tail
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	p := &pace{at: from - 1, since: time.Now(), most: mostSeconds}
	reason := make(chan string, 1)
	stop := make(chan struct{})
	go w.guard(cmd.Process, p, reason, stop)
	w.listen(bufio.NewReaderSize(out, 1<<16), p)
	err = cmd.Wait()
	close(stop)
	if err == nil {
		return to - 1, nil
	}
	why := fmt.Sprintf("the process did not survive it: %v\n%s", err, stderr.text())
	select {
	case why = <-reason:
	default:
	}
	if p.at < from { // it did not come to its first
		return p.at, fmt.Errorf("%s", why)
	}
	w.fault(p.at, why)
	return p.at, nil
}

// listen takes what a worker tells, to its end.
func (w *watch) listen(lines *bufio.Reader, p *pace) {
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch what {
		case "b":
			number, nodes, _ := strings.Cut(rest, " ")
			i, _ := strconv.Atoi(number)
			marked, _ := strconv.ParseFloat(nodes, 64)
			p.Lock()
			p.at, p.since, p.seen, p.most = i, time.Now(), false, mostSeconds+mostPerNode*marked
			p.Unlock()
			w.Lock()
			w.row.Count++
			w.Unlock()
		case "f":
			number, text, _ := strings.Cut(rest, " ")
			i, _ := strconv.Atoi(number)
			var message string
			if json.Unmarshal([]byte(text), &message) != nil {
				message = text
			}
			w.fault(i, message)
		case "t":
			var t tally
			if json.Unmarshal([]byte(rest), &t) != nil {
				continue
			}
			w.Lock()
			for class, n := range t.Classes {
				w.row.Detail[class] += n
			}
			w.row.Worst = max(w.row.Worst, t.Worst)
			w.Unlock()
		}
	}
}

// guard ends a worker whose input takes more than it may.
func (w *watch) guard(process *os.Process, p *pace, reason chan<- string, stop <-chan struct{}) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		cpu, rss, ok := usage(process.Pid)
		if !ok {
			continue
		}
		p.Lock()
		if !p.seen {
			p.seen, p.cpu = true, cpu
		}
		used, wall, most := cpu-p.cpu, time.Since(p.since).Seconds(), p.most
		p.Unlock()
		why := ""
		switch {
		case used > most:
			why = fmt.Sprintf("it takes more than %.3g s of processor time", most)
		case wall > mostWall:
			why = fmt.Sprintf("it takes more than %g s", mostWall)
		case rss > mostBytes:
			why = fmt.Sprintf("it takes more than %d MiB of memory", mostBytes>>20)
		}
		if why != "" {
			select {
			case reason <- why:
			default:
			}
			_ = process.Kill()
			return
		}
	}
}

// usage is the processor time, in seconds, and the memory, in bytes, of a process.
func usage(pid int) (cpu float64, rss int64, ok bool) {
	const ticks = 100 // per second, on every Linux
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	_, after, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(after)
	if len(f) < 22 {
		return 0, 0, false
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	pages, _ := strconv.ParseInt(f[21], 10, 64)
	return (user + system) / ticks, pages * int64(os.Getpagesize()), true
}

// mostAlike bounds how many inputs are kept of faults that say the same.
const mostAlike = 5

// fault notes a fault and keeps the input.
func (w *watch) fault(i int, message string) {
	first, _, _ := strings.Cut(message, "\n")
	kind := "FAULT " + strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c < ' ' {
			return '#'
		}
		return c
	}, first[:min(len(first), 60)])
	w.Lock()
	defer w.Unlock()
	if w.alike[kind]++; w.alike[kind] > mostAlike {
		return
	}
	s := w.in.nth(w.seed, i)
	dir := filepath.Join(w.found, fmt.Sprintf("%s-%d-%d", strings.ReplaceAll(w.in.name, " ", "-"), w.seed, i))
	kept := "kept in " + dir
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, s.file), s.data, 0o666)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "why.txt"), []byte(message+"\n\n--set "+strings.Join(s.sets, "\n--set ")+"\n"), 0o666)
	}
	if err != nil {
		kept = err.Error()
	}
	w.row.fail("input %d: %s; %s", i, message, kept)
}

// tail keeps the end of what is written.
type tail struct{ last []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.last = append(t.last, b...)
	if len(t.last) > 1<<16 {
		t.last = append([]byte{}, t.last[len(t.last)-1<<15:]...)
	}
	return len(b), nil
}

// text is the beginning of a crash where there is one, else the end.
func (t *tail) text() string {
	s := string(t.last)
	for _, head := range []string{"fatal error:", "panic:", "SIG", "runtime:"} {
		if i := strings.Index(s, head); i >= 0 {
			s = s[i:]
			break
		}
	}
	return s[:min(len(s), 1500)]
}
