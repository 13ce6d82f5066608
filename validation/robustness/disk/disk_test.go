package disk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// quoted is a text as strace -xx writes it.
func quoted(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, `\x%02x`, s[i])
	}
	return `"` + b.String() + `"`
}

// recorded is what a trace did in a directory that held old.txt with "old" before.
func recorded(t *testing.T, lines ...string) *Recording {
	t.Helper()
	before := t.TempDir()
	if err := os.WriteFile(filepath.Join(before, "old.txt"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	rec, err := Read(strings.NewReader("7 "+strings.Join(lines, "\n7 ")+"\n"), "/run", before)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func open(name, flags string, fd int) string {
	return fmt.Sprintf("openat(AT_FDCWD, %s, %s, 0666) = %d", quoted(name), flags, fd)
}

func write(fd int, text string) string {
	return fmt.Sprintf("write(%d, %s, %d)   = %d", fd, quoted(text), len(text), len(text))
}

const making = "O_WRONLY|O_CREAT|O_EXCL|O_CLOEXEC"

// durably is how a file is written that must survive.
var durably = []string{open(".new.tmp", making, 3), write(3, "new"), "fsync(3) = 0", "close(3) = 0",
	fmt.Sprintf("renameat(AT_FDCWD, %s, AT_FDCWD, %s) = 0", quoted(".new.tmp"), quoted("old.txt")),
	open(".", "O_RDONLY", 4), "fsync(4) = 0"}

func texts(t Tree) map[string]string {
	all := map[string]string{}
	for name, content := range t {
		all[name] = string(content)
	}
	return all
}

// possible is every tree that a loss may leave at a moment.
func possible(t *testing.T, rec *Recording, moment int, loss Loss) (all []map[string]string) {
	t.Helper()
	for seed := range uint64(200) {
		tree, err := rec.After(moment, loss, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, texts(tree))
	}
	return all
}

func TestAFileThatIsReplacedDurablyIsOldOrNew(t *testing.T) {
	rec := recorded(t, durably...)
	for moment := range rec.Moments() {
		for _, loss := range Losses {
			for _, tree := range possible(t, rec, moment, loss) {
				if c := tree["old.txt"]; c != "old" && c != "new" || moment == rec.Moments()-1 && c != "new" {
					t.Fatalf("moment %d, lost %v: old.txt holds %q", moment, loss, c)
				}
			}
		}
	}
}

// Each of these leaves out a promise, and each must be seen to fail.
func TestWhatIsNotSyncedMayBeLost(t *testing.T) {
	without := func(i int) []string {
		return append(append([]string{}, durably[:i]...), durably[i+1:]...)
	}
	for _, c := range []struct {
		name  string
		lines []string
		loss  Loss
		want  map[string]string
	}{
		{"no fsync of the file, its name is there", without(2), Content, map[string]string{"old.txt": "\x00\x00\x00"}},
		{"no fsync of the file", without(2), All, map[string]string{"old.txt": ""}},
		{"no fsync of the directory", without(6), All, map[string]string{"old.txt": "old"}},
		{"a write in place", []string{open("old.txt", "O_WRONLY", 3), write(3, "new")}, All, map[string]string{"old.txt": "old"}},
		{"what is appended", []string{open("old.txt", "O_WRONLY|O_APPEND", 3), write(3, "er")}, Content, map[string]string{"old.txt": "old\x00\x00"}},
		{"what is removed", []string{fmt.Sprintf("unlink(%s) = 0", quoted("old.txt"))}, All, map[string]string{"old.txt": "old"}},
		{"a directory", []string{fmt.Sprintf("mkdirat(AT_FDCWD, %s, 0777) = 0", quoted("/run/sub")), open("sub/f", making, 3), write(3, "x"), "fsync(3) = 0"}, All, map[string]string{"old.txt": "old"}},
		{"some of it", []string{open("sub", making, 3), write(3, "x"), fmt.Sprintf("unlink(%s) = 0", quoted("old.txt"))}, Some, map[string]string{"sub": ""}},
		{"some of it, the other way", []string{open("sub", making, 3), write(3, "x"), fmt.Sprintf("unlink(%s) = 0", quoted("old.txt"))}, Some, map[string]string{"sub": "x", "old.txt": "old"}},
	} {
		rec := recorded(t, c.lines...)
		found := false
		for _, tree := range possible(t, rec, rec.Moments()-1, c.loss) {
			found = found || maps.Equal(tree, c.want)
		}
		if !found {
			t.Errorf("%s, lost %v: never %q", c.name, c.loss, c.want)
		}
	}
}

func TestAnFsyncPromisesNothingOfWhatIsWrittenWhileItRuns(t *testing.T) {
	rec := recorded(t, open("f", making, 3), write(3, "a"), "fsync(3 <unfinished ...>\n8 "+write(3, "b"), "<... fsync resumed>) = 0",
		open(".", "O_RDONLY", 4), "fsync(4) = 0")
	if got := possible(t, rec, rec.Moments()-1, All)[0]["f"]; got != "a" {
		t.Errorf("f holds %q, want what was there when fsync began", got)
	}
}

func TestDescriptorsAreFollowed(t *testing.T) {
	rec := recorded(t, fmt.Sprintf("mkdir(%s, 0777) = 0", quoted("sub")),
		open("/run/sub", "O_RDONLY|O_DIRECTORY", 5),
		fmt.Sprintf("openat(5, %s, %s, 0666) = 6", quoted("f"), making), // by its directory
		"fcntl(6, F_DUPFD_CLOEXEC, 0) = 9", "close(6) = 0", write(9, "ab"), "lseek(9, 1, SEEK_SET) = 1", write(9, "c"),
		fmt.Sprintf("pwrite64(9, %s, 1, 4) = 1", quoted("z")), "ftruncate(9, 6) = 0",
		fmt.Sprintf("writev(9, [{iov_base=%s, iov_len=1}, {iov_base=%s, iov_len=1}], 2) = 2", quoted("d"), quoted("e")),
		open("/proc/self/fd/5/g", making, 7), write(7, "through"),
		open("/elsewhere/h", making, 8), write(8, "outside"),
		"+++ exited with 0 +++")
	tree, err := rec.Seen(rec.Moments() - 1)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"old.txt": "old", "sub": "", "sub/f": "acdez\x00", "sub/g": "through"}
	if got := texts(tree); !reflect.DeepEqual(got, want) {
		t.Errorf("the process saw %q, want %q", got, want)
	}
}

func TestAWriteGoesOnBehindWhatWasRead(t *testing.T) {
	rec := recorded(t, open("old.txt", "O_RDWR", 3), "read(3, "+quoted("ol")+", 2) = 2", write(3, "n"))
	tree, err := rec.Seen(rec.Moments() - 1)
	if err != nil || string(tree["old.txt"]) != "oln" {
		t.Errorf("the process saw %q (%v), want oln", tree["old.txt"], err)
	}
}

func TestWhatTheModelDoesNotKnowIsRefused(t *testing.T) {
	for _, line := range []string{
		fmt.Sprintf("linkat(AT_FDCWD, %s, AT_FDCWD, %s, 0) = 0", quoted("old.txt"), quoted("b")),
		fmt.Sprintf("symlink(%s, %s) = 0", quoted("old.txt"), quoted("b")),
		"copy_file_range(3, NULL, 3, NULL, 10, 0) = 10",
		"mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 3, 0) = 0x7f0000000000",
		fmt.Sprintf("rename(%s, %s) = 0", quoted("old.txt"), quoted("/elsewhere/b")),
		"write(3, " + quoted("abc") + "..., 9) = 9",
		"read",
	} {
		_, err := Read(strings.NewReader("7 "+open("old.txt", "O_RDWR", 3)+"\n7 "+line+"\n"), "/run", recorded(t).start)
		if err == nil {
			t.Errorf("%s is taken", line)
		}
	}
}

func TestATreeIsWrittenAsItIs(t *testing.T) {
	dir := t.TempDir()
	want := Tree{"sub": nil, "sub/f": []byte("x"), "empty": {}}
	if err := want.Write(dir); err != nil {
		t.Fatal(err)
	}
	n, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := Tree{}
	collect(got, "", n, func(n *node) (map[string]*node, []byte) { return n.entries, n.data })
	if !reflect.DeepEqual(texts(got), texts(want)) || got["sub"] != nil || got["empty"] == nil {
		t.Errorf("read back %q, want %q", got, want)
	}
}
