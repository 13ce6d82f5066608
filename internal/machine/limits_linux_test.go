package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheModeOfHugePagesIsTheWordInBrackets(t *testing.T) {
	for list, want := range map[string]string{"always [madvise] never\n": "madvise", "[always] madvise never": "always", "always madvise [never]": "never"} {
		if got, err := chosen(list); err != nil || got != want {
			t.Errorf("%q is read as %q (%v), want %q", list, got, err, want)
		}
	}
	for _, list := range []string{"", "always madvise never", "[always"} {
		if got, err := chosen(list); err == nil {
			t.Errorf("%q is read as %q", list, got)
		}
	}
}

func TestTheLeastLimitOfAllControlGroupsCounts(t *testing.T) {
	root := t.TempDir()
	set := func(name, value string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(value+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if l := groupLimit(root, "0::/job/step\n"); l.By != "" {
		t.Errorf("without groups there is the limit %+v", l)
	}
	set("sys/fs/cgroup/job/step/memory.max", "max")
	set("sys/fs/cgroup/job/memory.max", "1073741824")
	if l := groupLimit(root, "0::/job/step\n"); l.Bytes != 1<<30 || !strings.Contains(l.By, "sys/fs/cgroup/job/memory.max") || l.Remedy == "" {
		t.Errorf("the limit of the group above is read as %+v", l)
	}
	set("sys/fs/cgroup/memory/old/memory.limit_in_bytes", "536870912")
	if l := groupLimit(root, "5:cpu,memory:/old\n0::/job\n"); l.Bytes != 512<<20 {
		t.Errorf("the limit of an old group is read as %+v", l)
	}
	set("sys/fs/cgroup/memory.max", "1048576") // the process's own, in a container
	if l := groupLimit(root, "0::/elsewhere\n"); l.Bytes != 1<<20 {
		t.Errorf("the limit at the root is read as %+v", l)
	}
}
