package disk

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Traced are the arguments with which strace writes down what Read needs; the name of
// the file, the program and its arguments follow.
var Traced = []string{"-f", "--seccomp-bpf", "-xx", "-s", strconv.Itoa(longest), "-e", "signal=none", "-e", "trace=" + strings.Join(calls, ","), "-o"}

// longest is the longest write, in bytes, that strace writes down whole.
const longest = 64 << 20

// calls are the system calls that change files or the meaning of descriptors. Some are
// there to be refused: the model does not know them.
var calls = []string{"open", "openat", "openat2", "creat", "close", "close_range", "dup", "dup2", "dup3", "fcntl", "lseek", "read", "readv", "chdir", "fchdir",
	"write", "pwrite64", "writev", "pwritev", "pwritev2", "truncate", "ftruncate", "fallocate", "fsync", "fdatasync", "sync", "syncfs", "sync_file_range",
	"rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink", "symlinkat",
	"mmap", "sendfile", "splice", "copy_file_range", "ioctl"}

// call is a system call that has returned. Begun is the place in the trace at which it
// began, counted as calls are.
type call struct {
	name   string
	args   []string
	result int64 // −1: it failed
	begins bool  // the beginning of a call, without a result
	id     int   // the same for beginning and end
}

// parse reads a trace as a list of beginnings and ends of calls, in their order.
func parse(r io.Reader) (list []call, err error) {
	lines := bufio.NewReaderSize(r, 1<<20)
	open := map[string]call{} // by thread: what has begun
	id := 0
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if line == "" && err == io.EOF {
			return list, nil
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		thread, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		text = strings.TrimLeft(text, " ")
		fault := func(what string) error {
			return fmt.Errorf("line %d of the trace: %s: %.200s", number, what, line)
		}
		if strings.HasPrefix(text, "+++") || strings.HasPrefix(text, "---") || text == "" {
			continue
		}
		rest := text
		var c call
		if after, resumed := strings.CutPrefix(text, "<... "); resumed {
			c = open[thread]
			delete(open, thread)
			name, tail, ok := strings.Cut(after, " resumed>")
			if !ok || name != c.name {
				return nil, fault("the end of a call that has not begun")
			}
			more, result, ok := cutResult(tail)
			if !ok {
				return nil, fault("no result")
			}
			c.args = append(c.args, splitArgs(more)...)
			if c.result, ok = parseResult(result); !ok {
				return nil, fault("the result is no number")
			}
			c.begins = false
			list = append(list, c)
			continue
		}
		name, rest, ok := strings.Cut(rest, "(")
		if !ok {
			return nil, fault("no call")
		}
		id++
		c = call{name: name, id: id, begins: true}
		if begun, cut := strings.CutSuffix(rest, " <unfinished ...>"); cut {
			c.args = splitArgs(strings.TrimSuffix(begun, ","))
			open[thread] = c
			list = append(list, c)
			continue
		}
		args, result, ok := cutResult(rest)
		if !ok {
			return nil, fault("no result")
		}
		c.args = splitArgs(args)
		list = append(list, c)
		if result == "?" { // the process ended in it
			continue
		}
		if c.result, ok = parseResult(result); !ok {
			return nil, fault("the result is no number")
		}
		c.begins = false
		list = append(list, c)
	}
}

// cutResult parts "args)   = result".
func cutResult(text string) (args, result string, ok bool) {
	for end := len(text); ; {
		end = strings.LastIndexByte(text[:end], ')')
		if end < 0 {
			return "", "", false
		}
		if result, ok := strings.CutPrefix(strings.TrimLeft(text[end+1:], " "), "= "); ok {
			return text[:end], result, true
		}
	}
}

func parseResult(text string) (v int64, ok bool) {
	text, _, _ = strings.Cut(text, " ")
	if text == "?" {
		return -1, true
	}
	v, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		u, e := strconv.ParseUint(text, 0, 64) // an address
		return int64(u), e == nil
	}
	return v, true
}

// splitArgs parts arguments at commas outside of quotes and brackets.
func splitArgs(text string) (args []string) {
	depth, start, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted // within, everything is \x..
		case quoted:
		case c == '[' || c == '{' || c == '(':
			depth++
		case c == ']' || c == '}' || c == ')':
			depth--
		case c == ',' && depth == 0:
			args = append(args, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(text[start:]); last != "" {
		args = append(args, last)
	}
	return args
}

// bytesOf is a string of the trace, "\x2f\x74…", whole.
func bytesOf(arg string) ([]byte, error) {
	inner, ok := strings.CutPrefix(arg, `"`)
	inner, ends := strings.CutSuffix(inner, `"`)
	if !ok || !ends {
		return nil, fmt.Errorf("%.40s… is not a whole string of the trace", arg)
	}
	return hex.DecodeString(strings.ReplaceAll(inner, `\x`, ""))
}

// vectorOf is the bytes of writev's [{iov_base="…", iov_len=3}, …].
func vectorOf(arg string) (all []byte, err error) {
	for _, part := range strings.Split(arg, "iov_base=")[1:] {
		text, _, _ := strings.Cut(part, ",")
		b, err := bytesOf(text)
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	return all, nil
}
