package hdf5

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"lbmib/internal/durable"
)

// libhdf5 brings its process down on some damaged files, and nothing in the process can
// prevent that. So a file is first read by another one: this program, started again with
// trialVariable set, reads what it is told to on standard input, and if that ends it the
// file is damaged. One such process serves all files; it ends when its input does.

// trialVariable is the environment variable that makes a process one that tries files.
const trialVariable = "LBMIB_HDF5_TRIAL"

// trialPatience bounds how long a file may take to be read.
const trialPatience = 2 * time.Minute

// request is a file, and a dataset of it; without a name the file is only opened.
type request struct {
	Path, Name string
}

func init() {
	if os.Getenv(trialVariable) == "" {
		return
	}
	// Whoever started it ends it; a Ctrl-C is for that one.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	for in := json.NewDecoder(os.Stdin); ; {
		var q request
		if in.Decode(&q) != nil {
			os.Exit(0)
		}
		q.try()
		fmt.Println("survived")
	}
}

// try reads all that is asked for. Errors are for the process that asked to find.
func (q request) try() {
	r, err := openReader(q.Path)
	if err != nil {
		return
	}
	defer r.Close()
	if q.Name == "" {
		return
	}
	shape, err := r.shape(q.Name)
	if err != nil {
		return
	}
	if n, ok := product(shape); ok && plausible(q.Path, n) {
		_ = readDataset(r, q.Name, make([]float32, n))
	}
}

// plausible tells whether a file can hold so many numbers. Deflate makes at most 1032
// bytes of one.
func plausible(path string, n int) bool {
	info, err := os.Stat(path)
	return err == nil && int64(n) <= 1032*info.Size()
}

// trial is the process that tries files; its methods take turns.
var trial struct {
	sync.Mutex
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	tried map[identity]bool // what has been read, and survived
}

// identity is a request and the state of its file.
type identity struct {
	request
	size  int64
	ended time.Time
}

var errKills = errors.New("the HDF5 library does not survive reading it: the file is damaged, take another or write it again")

// survives is an error if a file, or a dataset of it, would end this process. Where no
// process can be started the library is trusted.
func survives(path, name string) error {
	if runtime.GOOS == "windows" || os.Getenv(trialVariable) != "" {
		return nil
	}
	path, err := durable.At(path)
	if err != nil {
		return err
	}
	path = durable.ForOthers(path)
	info, err := os.Stat(path)
	if err != nil {
		return nil // opening tells
	}
	trial.Lock()
	defer trial.Unlock()
	id := identity{request{path, name}, info.Size(), info.ModTime()}
	if trial.tried[id] {
		return nil
	}
	for attempt := 0; ; attempt++ { // the first process may have been ended by something else
		if trial.cmd == nil && startTrial() != nil {
			return nil
		}
		if err := ask(id.request); err == nil {
			break
		}
		_ = trial.cmd.Process.Kill()
		_ = trial.cmd.Wait()
		if trial.cmd = nil; attempt > 0 {
			return errKills
		}
	}
	if trial.tried == nil || len(trial.tried) > 1000 {
		trial.tried = map[identity]bool{}
	}
	trial.tried[id] = true
	return nil
}

// ask lets the other process read something, and is an error if that ends it.
func ask(q request) error {
	process := trial.cmd.Process
	late := time.AfterFunc(trialPatience, func() { _ = process.Kill() })
	defer late.Stop()
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	if _, err := trial.in.Write(append(text, '\n')); err != nil {
		return err
	}
	_, err = trial.out.ReadString('\n')
	return err
}

func startTrial() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), trialVariable+"=1", "GOMAXPROCS=1", "GOTRACEBACK=none")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	trial.cmd, trial.in, trial.out = cmd, in, bufio.NewReader(out)
	return nil
}
