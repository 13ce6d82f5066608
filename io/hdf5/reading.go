package hdf5

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"lbmib/internal/durable"
)

// libhdf5 brings its process down on some damaged files, which nothing in the process can
// prevent, and what it does depends on what else lies in its memory, so that to try a file
// elsewhere first proves nothing. So another process reads all files: this program, started
// again with processVariable set, which takes requests on standard input and answers on
// standard output. If a file ends it, the file is damaged. One such process serves all
// files; it ends when its input does.

// processVariable is the environment variable that makes a process one that reads files.
const processVariable = "LBMIB_HDF5_READER"

// A request takes at most patience, and longer for what is read, by slowest.
const (
	patience = 2 * time.Minute
	slowest  = 20e6 // bytes per second
)

// request asks for a dataset of a file: its shape, or so many numbers of it, or those of an
// attribute. Without a name the file is only opened.
type request struct {
	Path, Name string
	Attribute  string `json:",omitempty"`
	Read       bool
	Count      int
	Single     bool // float32, not float64
}

// reply is what comes of a request; the bytes that were asked for follow it.
type reply struct {
	Error   string
	Missing bool // the error is fs.ErrNotExist
	Shape   []int
}

func init() {
	if os.Getenv(processVariable) == "" {
		return
	}
	// The process that started this one ends it; a Ctrl-C is meant for that one.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	out := bufio.NewWriter(os.Stdout)
	for in := json.NewDecoder(os.Stdin); ; {
		var q request
		if in.Decode(&q) != nil {
			os.Exit(0)
		}
		answer, data := q.serve()
		text, err := json.Marshal(answer)
		if err != nil {
			os.Exit(1)
		}
		out.Write(append(text, '\n')) // Flush tells its error
		out.Write(data)
		if out.Flush() != nil {
			os.Exit(1)
		}
	}
}

// serve does what is asked for.
func (q request) serve() (answer reply, data []byte) {
	err := func() error {
		f, err := openFile(q.Path)
		if err != nil || q.Name == "" {
			return errors.Join(err, f.close())
		}
		defer f.close()
		if !q.Read {
			answer.Shape, err = f.shape(q.Name)
			return err
		}
		if err := plausible(q.Path, q.Count); err != nil {
			return err
		}
		switch {
		case q.Attribute != "":
			numbers := make([]float64, q.Count)
			err = f.attribute(q.Name, q.Attribute, numbers)
			data = view(0, numbers).bytes
		case q.Single:
			data, err = bytesOf[float32](f, q.Name, q.Count)
		default:
			data, err = bytesOf[float64](f, q.Name, q.Count)
		}
		return err
	}()
	if err != nil {
		return reply{Error: err.Error(), Missing: errors.Is(err, fs.ErrNotExist)}, nil
	}
	return answer, data
}

// bytesOf are the numbers of a dataset as they lie in memory.
func bytesOf[T float32 | float64](f *file, name string, count int) ([]byte, error) {
	numbers := make([]T, count)
	if err := readDataset(f, name, numbers); err != nil {
		return nil, err
	}
	return view(0, numbers).bytes, nil
}

// plausible refuses more numbers than a file can hold. Deflate makes at most 1032 bytes of
// one, and the least that is stored of a number is one.
func plausible(path string, n int) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if most := 1032 * info.Size(); int64(n) > most {
		return fmt.Errorf("claims to have %d numbers, a file of %d bytes has at most %d", n, info.Size(), most)
	}
	return nil
}

// process is the other process; requests take turns.
var process struct {
	sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

var (
	errKills     = errors.New("the HDF5 library does not survive reading it: the file is damaged, take another or write it again")
	errNoProcess = errors.New("no other process can be started to read files")
)

// elsewhere lets the other process answer a request; numbers go into data. Where there can
// be none the error is errNoProcess.
func (q request) elsewhere(data []byte) (answer reply, err error) {
	if runtime.GOOS == "windows" || os.Getenv(processVariable) != "" {
		return reply{}, errNoProcess
	}
	if q.Path, err = pathElsewhere(q.Path); err != nil {
		return reply{}, err
	}
	process.Lock()
	defer process.Unlock()
	for attempt := range 2 { // the first process may have been ended by something else
		if process.cmd == nil && startProcess() != nil {
			return reply{}, errNoProcess
		}
		if answer, err = q.ask(data); err == nil {
			break
		}
		_ = process.cmd.Process.Kill()
		_ = process.cmd.Wait()
		process.cmd = nil
		if attempt > 0 {
			return reply{}, errKills
		}
	}
	switch {
	case answer.Missing:
		return reply{}, fs.ErrNotExist
	case answer.Error != "":
		return reply{}, errors.New(answer.Error)
	}
	return answer, nil
}

// pathElsewhere is the path by which another process reaches a file, also in a directory
// that this one holds open.
func pathElsewhere(path string) (string, error) {
	at, err := durable.At(path)
	if err != nil {
		return "", err
	}
	if rest, ok := strings.CutPrefix(at, "/proc/self/"); ok {
		return fmt.Sprintf("/proc/%d/%s", os.Getpid(), rest), nil
	}
	return filepath.Abs(at)
}

// ask sends a request and takes the reply. An error means that the process has ended, or
// was too slow and has been.
func (q request) ask(data []byte) (answer reply, err error) {
	running := process.cmd.Process
	late := time.AfterFunc(patience+time.Duration(float64(len(data))/slowest*float64(time.Second)), func() { _ = running.Kill() })
	defer late.Stop()
	text, err := json.Marshal(q)
	if err != nil {
		return answer, err
	}
	if _, err := process.in.Write(append(text, '\n')); err != nil {
		return answer, err
	}
	line, err := process.out.ReadBytes('\n')
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.Error != "" {
		return answer, err
	}
	_, err = io.ReadFull(process.out, data)
	return answer, err
}

func startProcess() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), processVariable+"=1", "GOMAXPROCS=1", "GOTRACEBACK=none")
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
	process.cmd, process.in, process.out = cmd, in, bufio.NewReaderSize(out, 1<<20)
	return nil
}
